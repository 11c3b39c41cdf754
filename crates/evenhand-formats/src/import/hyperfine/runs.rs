//! How are the runs of hyperfine 2.0 read? As columns, one for each quantity, with no object kept for a run.
//!
//! ```text
//! [{"time_wall_clock": {"value": 0.1, "unit": "second"}, "instructions": {"value": 9000}, "exit_code": 0}, …]
//! ```
//!
//! A quantity may be missing in a run; fields that are no quantity are stepped over. The mapping to metrics is in
//! [`hyperfine`](super).
//!
//! Tests: `tests/formats/import/hyperfine.rs`.

use evenhand_trial::Unit;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;

/// More quantities than this are refused: each takes a number for every run, so their number must not grow with the file.
const MOST_QUANTITIES: usize = 64;

/// The runs of one command.
#[derive(Default)]
pub(super) struct Runs {
    pub(super) count: usize,
    pub(super) quantities: Vec<Quantity>,
    /// `None` if the file does not say; an entry is `None` if the run had no code.
    pub(super) exit_codes: Option<Vec<Option<i32>>>,
}

/// One quantity of all runs, NaN where it is missing.
pub(super) struct Quantity {
    pub(super) name: String,
    /// Counters have none.
    unit: Option<WireUnit>,
    pub(super) numbers: Vec<f64>,
}

/// Read as an identifier, so that the usual ones are not copied.
#[derive(Clone, Deserialize, PartialEq, Eq)]
#[serde(field_identifier, rename_all = "lowercase")]
enum WireUnit {
    Second,
    Byte,
    Other(String),
}

impl Quantity {
    /// A quantity of hyperfine 1.x, whose units are fixed.
    pub(super) fn new(name: &str, numbers: Vec<f64>) -> Self {
        let unit = if name.starts_with("time_") { WireUnit::Second } else { WireUnit::Byte };
        Self { name: name.to_owned(), unit: Some(unit), numbers }
    }

    pub(super) fn unit(&self) -> Unit {
        match &self.unit {
            Some(WireUnit::Second) => Unit::seconds(),
            Some(WireUnit::Byte) => Unit::bytes(),
            Some(WireUnit::Other(symbol)) => Unit::new(symbol),
            None => Unit::count(),
        }
    }

    /// Keeps the numbers of these runs, which rise.
    pub(super) fn keep(&mut self, runs: &[u64]) {
        let mut wanted = runs.iter().peekable();
        let mut run = 0;
        self.numbers.retain(|_| {
            let keep = wanted.next_if(|next| **next == run).is_some();
            run += 1;
            keep
        });
    }
}

impl Runs {
    fn set(&mut self, key: Key, value: WireQuantity) -> Result<(), String> {
        let index = match key {
            Key::Known(index) => index,
            Key::New(name) => self.begin(name, &value)?,
        };
        let quantity = &mut self.quantities[index];
        if quantity.numbers.len() > self.count {
            return Err(format!("run {} has \"{}\" twice", self.count + 1, quantity.name));
        }
        if quantity.unit != value.unit {
            return Err(format!("\"{}\" changes its unit in run {}", quantity.name, self.count + 1));
        }
        quantity.numbers.resize(self.count, f64::NAN);
        quantity.numbers.push(value.value);
        Ok(())
    }

    fn begin(&mut self, name: String, value: &WireQuantity) -> Result<usize, String> {
        if self.quantities.len() == MOST_QUANTITIES {
            return Err(format!("there are more than {MOST_QUANTITIES} quantities"));
        }
        self.quantities.push(Quantity { name, unit: value.unit.clone(), numbers: Vec::new() });
        Ok(self.quantities.len() - 1)
    }

    fn end_run(&mut self, code: Option<Option<i32>>) {
        match code {
            Some(code) => {
                let count = self.count;
                let codes = self.exit_codes.get_or_insert_default();
                // A run that does not say how it ended counts as good.
                codes.resize(count, Some(0));
                codes.push(code);
            }
            None => self.exit_codes.iter_mut().for_each(|codes| codes.push(Some(0))),
        }
        self.count += 1;
    }

    fn fill_up(mut self) -> Self {
        self.quantities.iter_mut().for_each(|quantity| quantity.numbers.resize(self.count, f64::NAN));
        self
    }
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListOfRuns)
    }
}

struct ListOfRuns;

impl<'de> Visitor<'de> for ListOfRuns {
    type Value = Runs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of runs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Runs, A::Error> {
        let mut runs = Runs::default();
        while list.next_element_seed(OneRun(&mut runs))?.is_some() {}
        Ok(runs.fill_up())
    }
}

struct OneRun<'a>(&'a mut Runs);

impl<'de> DeserializeSeed<'de> for OneRun<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneRun<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a run with its quantities")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut code = None;
        while let Some(key) = map.next_key_seed(AnyKey(&self.0.quantities))? {
            match key {
                None => code = Some(map.next_value()?),
                Some(key) => {
                    if let MaybeQuantity(Some(value)) = map.next_value()? {
                        self.0.set(key, value).map_err(A::Error::custom)?;
                    }
                }
            }
        }
        self.0.end_run(code);
        Ok(())
    }
}

enum Key {
    Known(usize),
    New(String),
}

/// Reads a key; `None` is the exit code. Only a new name is copied.
struct AnyKey<'a>(&'a [Quantity]);

impl<'de> DeserializeSeed<'de> for AnyKey<'_> {
    type Value = Option<Key>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Key>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for AnyKey<'_> {
    type Value = Option<Key>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a quantity")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Option<Key>, E> {
        if name == "exit_code" {
            return Ok(None);
        }
        let known = self.0.iter().position(|quantity| quantity.name == name);
        Ok(Some(known.map_or_else(|| Key::New(name.to_owned()), Key::Known)))
    }
}

#[derive(Deserialize)]
struct WireQuantity {
    value: f64,
    unit: Option<WireUnit>,
}

/// A quantity if it is an object, nothing if it is anything else.
struct MaybeQuantity(Option<WireQuantity>);

impl<'de> Deserialize<'de> for MaybeQuantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Option<WireQuantity>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quantity with its value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        WireQuantity::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
}
