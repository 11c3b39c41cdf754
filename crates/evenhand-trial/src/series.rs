//! What was seen? The samples of one arm in one launch, in the order they were taken.
//!
//! Samples are kept by column: one list of numbers for each metric. The whole numbers beside them (round, iterations)
//! nearly always count up or stay the same, and then take no memory; see [`Whole`].
//!
//! Tests: `tests/series.rs`.

use crate::{ArmId, MetricId};
use serde::{Deserialize, Serialize};
use std::hash::Hasher;

/// One life of the processes, counted from 0 within the trial.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LaunchId(pub u32);

/// Each arm once, in coin order; counted from 0 within the launch. Without a coin: the place of a sample in its series.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoundId(pub u64);

/// Whole numbers, one a sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Whole {
    /// The same for every sample.
    Same {
        /// The number.
        same: u64,
    },
    /// One more for each sample.
    Counting {
        /// The number of the first sample.
        from: u64,
    },
    /// Any numbers.
    Each(Vec<u64>),
}

impl Whole {
    /// The number of a sample. `None` beyond the listed ones.
    pub fn get(&self, index: usize) -> Option<u64> {
        match self {
            Self::Same { same } => Some(*same),
            Self::Counting { from } => from.checked_add(index as u64),
            Self::Each(each) => each.get(index).copied(),
        }
    }

    /// Adds the number of sample `index`, the next one; spells the numbers out once they stop being regular.
    pub fn push(&mut self, index: usize, number: u64) {
        let regular = index == 0 || self.get(index) == Some(number);
        match self {
            Self::Each(each) => each.push(number),
            Self::Same { same } if index == 0 => *same = number,
            Self::Counting { from } if index == 0 => *from = number,
            Self::Same { .. } | Self::Counting { .. } if regular => {}
            Self::Same { .. } | Self::Counting { .. } => {
                let mut each: Vec<u64> = (0..index).filter_map(|i| self.get(i)).collect();
                each.push(number);
                *self = Self::Each(each);
            }
        }
    }

    /// The regular shape if the numbers have one.
    pub fn of(numbers: Vec<u64>) -> Self {
        let Some(&first) = numbers.first() else { return Self::Same { same: 0 } };
        if numbers.iter().all(|&number| number == first) {
            return Self::Same { same: first };
        }
        if numbers.iter().enumerate().all(|(i, &number)| first.checked_add(i as u64) == Some(number)) {
            return Self::Counting { from: first };
        }
        Self::Each(numbers)
    }

    /// The first `count` numbers.
    pub fn iter(&self, count: usize) -> impl Iterator<Item = u64> + '_ {
        (0..count).map_while(|index| self.get(index))
    }

    fn has(&self, count: usize) -> bool {
        match self {
            Self::Same { .. } => true,
            Self::Counting { from } => count == 0 || from.checked_add(count as u64 - 1).is_some(),
            Self::Each(each) => each.len() == count,
        }
    }
}

/// The samples of one arm in one launch, in the order they were taken. A trial may hold several series of the same arm
/// and launch (a resumed trial does); they follow each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    pub arm: ArmId,
    pub launch: LaunchId,
    /// The round of each sample, rising.
    pub rounds: Whole,
    /// The place within the round, from 0, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<Whole>,
    /// Nanoseconds from the start of the trial to the start of the sample, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Whole>,
    /// How often the measured thing ran in each sample, at least 1.
    pub iterations: Whole,
    /// One column for each metric of the trial, in its order; an empty column where the metric was not measured,
    /// NaN (`null` in JSON) where it is missing for a sample.
    #[serde(with = "columns")]
    pub values: Vec<Vec<f64>>,
}

/// One timed execution, or one batch of `iterations` executions, of one arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<'a> {
    pub round: RoundId,
    /// The place within the round, from 0.
    pub position: Option<u32>,
    /// Nanoseconds from the start of the trial.
    pub started: Option<u64>,
    /// How often the measured thing ran.
    pub iterations: u64,
    /// One number for each metric of the trial, NaN where missing.
    pub values: &'a [f64],
}

impl Series {
    /// No samples yet. `metrics` is how many metrics the trial has.
    pub fn new(arm: ArmId, launch: LaunchId, metrics: usize) -> Self {
        Self {
            arm,
            launch,
            rounds: Whole::Counting { from: 0 },
            positions: None,
            started: None,
            iterations: Whole::Same { same: 1 },
            values: vec![Vec::new(); metrics],
        }
    }

    pub fn len(&self) -> usize {
        self.values.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a sample. Its position and start are kept if the samples so far have theirs. A metric that the sample has
    /// no number for, or that earlier samples had none for, is filled up with NaN.
    pub fn push(&mut self, sample: Sample<'_>) {
        let index = self.len();
        self.rounds.push(index, sample.round.0);
        self.iterations.push(index, sample.iterations);
        push_known(&mut self.positions, index, sample.position.map(u64::from));
        push_known(&mut self.started, index, sample.started);
        for (place, column) in self.values.iter_mut().enumerate() {
            column.resize(index, f64::NAN);
            column.push(sample.values.get(place).copied().unwrap_or(f64::NAN));
        }
    }

    /// The numbers of a metric; empty if it was not measured.
    pub fn column(&self, metric: MetricId) -> &[f64] {
        self.values.get(metric.index()).map_or(&[], Vec::as_slice)
    }

    /// Feeds everything in the series to a hash: the same bytes on every platform, each list with its length before
    /// it, and every NaN alike, because JSON has only one.
    pub(crate) fn hash_into(&self, hasher: &mut impl Hasher) {
        let count = self.len();
        hasher.write(&self.arm.0.to_le_bytes());
        hasher.write(&self.launch.0.to_le_bytes());
        hash_numbers([count as u64], hasher);
        hash_whole(Some(&self.rounds), count, hasher);
        hash_whole(self.positions.as_ref(), count, hasher);
        hash_whole(self.started.as_ref(), count, hasher);
        hash_whole(Some(&self.iterations), count, hasher);
        hash_numbers([self.values.len() as u64], hasher);
        for column in &self.values {
            let bits = column.iter().map(|value| {
                let value = if value.is_nan() { f64::NAN } else { *value };
                value.to_bits()
            });
            hash_numbers([column.len() as u64].into_iter().chain(bits), hasher);
        }
    }

    /// The first rule of a series that this one breaks, in words; `metrics` is how many the trial has.
    pub(crate) fn broken_rule(&self, metrics: usize) -> Option<String> {
        let count = self.len();
        if self.values.len() != metrics {
            return Some(format!("has {} columns for {metrics} metrics", self.values.len()));
        }
        if let Some(column) = self.values.iter().find(|column| !column.is_empty() && column.len() != count) {
            return Some(format!("has columns of {} and of {count} samples", column.len()));
        }
        if self.values.iter().flatten().any(|value| value.is_infinite()) {
            return Some("holds an infinite number".to_owned());
        }
        let wholes = [
            ("rounds", Some(&self.rounds)),
            ("positions", self.positions.as_ref()),
            ("started", self.started.as_ref()),
            ("iterations", Some(&self.iterations)),
        ];
        if let Some((name, _)) = wholes.iter().find(|(_, whole)| whole.is_some_and(|whole| !whole.has(count)))
        {
            return Some(format!("does not have {count} {name}, one for each sample"));
        }
        if !self.rounds_rise(count) {
            return Some("has rounds that do not rise".to_owned());
        }
        self.iterations.iter(count).any(|n| n == 0).then(|| "has a sample of 0 iterations".to_owned())
    }

    fn rounds_rise(&self, count: usize) -> bool {
        match &self.rounds {
            Whole::Same { .. } => count <= 1,
            Whole::Counting { .. } => true,
            Whole::Each(each) => each.is_sorted_by(|a, b| a < b),
        }
    }
}

fn hash_whole(whole: Option<&Whole>, count: usize, hasher: &mut impl Hasher) {
    hasher.write(&[u8::from(whole.is_some())]);
    if let Some(whole) = whole {
        hash_numbers(whole.iter(count), hasher);
    }
}

/// Numbers go to the hash by the half kilobyte: each call costs it more than eight bytes do.
fn hash_numbers(numbers: impl IntoIterator<Item = u64>, hasher: &mut impl Hasher) {
    let mut bytes = [0; 512];
    let mut filled = 0;
    for number in numbers {
        if filled == bytes.len() {
            hasher.write(&bytes);
            filled = 0;
        }
        bytes[filled..filled + 8].copy_from_slice(&number.to_le_bytes());
        filled += 8;
    }
    hasher.write(&bytes[..filled]);
}

fn push_known(whole: &mut Option<Whole>, index: usize, number: Option<u64>) {
    match (whole.as_mut(), number) {
        (Some(whole), Some(number)) => whole.push(index, number),
        (None, Some(number)) if index == 0 => *whole = Some(Whole::Same { same: number }),
        (_, None) | (None, Some(_)) => *whole = None,
    }
}

/// Reads whole numbers as they come. (An untagged enum would first keep all of them in a form four times their size.)
mod whole {
    use super::Whole;
    use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

    impl<'de> Deserialize<'de> for Whole {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(WholeVisitor)
        }
    }

    struct WholeVisitor;

    impl<'de> Visitor<'de> for WholeVisitor {
        type Value = Whole;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("{\"same\": number}, {\"from\": number} or a list of whole numbers")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Whole, A::Error> {
            let mut each = Vec::new();
            while let Some(number) = list.next_element()? {
                each.push(number);
            }
            Ok(Whole::Each(each))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Whole, A::Error> {
            let (mut same, mut from) = (None, None);
            while let Some(field) = map.next_key::<String>()? {
                match field.as_str() {
                    "same" => same = Some(map.next_value()?),
                    "from" => from = Some(map.next_value()?),
                    _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                }
            }
            match (same, from) {
                (Some(same), None) => Ok(Whole::Same { same }),
                (None, Some(from)) => Ok(Whole::Counting { from }),
                _ => Err(A::Error::custom(
                    "whole numbers are {\"same\": number} or {\"from\": number}, one of them",
                )),
            }
        }
    }
}

/// Columns of numbers where NaN is written as `null`.
mod columns {
    use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
    use serde::ser::{Error, SerializeSeq, Serializer};

    pub(super) fn serialize<S: Serializer>(columns: &[Vec<f64>], serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(columns.len()))?;
        for column in columns {
            // serde_json writes NaN as `null`, and would write an infinite number as `null` too.
            if column.iter().any(|value| value.is_infinite()) {
                return Err(S::Error::custom("an infinite number cannot be written as JSON"));
            }
            list.serialize_element(column)?;
        }
        list.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<f64>>, D::Error> {
        Ok(Vec::<Column>::deserialize(deserializer)?.into_iter().map(|column| column.0).collect())
    }

    struct Column(Vec<f64>);

    impl<'de> Deserialize<'de> for Column {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_seq(ColumnVisitor)
        }
    }

    struct ColumnVisitor;

    impl<'de> Visitor<'de> for ColumnVisitor {
        type Value = Column;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of numbers, null where one is missing")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Column, A::Error> {
            let mut column = Vec::new();
            while let Some(value) = list.next_element::<Option<f64>>()? {
                column.push(value.unwrap_or(f64::NAN));
            }
            Ok(Column(column))
        }
    }
}
