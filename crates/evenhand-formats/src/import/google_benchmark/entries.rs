//! Which entries of a Google Benchmark file belong together? Those of one benchmark: its repetitions, aggregates and
//! errors.
//!
//! The list is read entry by entry into columns. Two benchmarks may have the same name; they are told apart by
//! `family_index` and `per_family_instance_index`, and where an older library did not write these, by a
//! `repetition_index` that starts again.
//!
//! Tests: `tests/formats/import/google_benchmark.rs`.

use super::super::loose_json::each_of;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, de};
use std::collections::HashMap;
use std::fmt;

/// More counters than this in one file are refused: each takes a number for every repetition.
const MOST_COUNTERS: usize = 256;

/// Aggregates that follow from the repetitions when these are there.
const FOLLOWING: [&str; 4] = ["mean", "median", "stddev", "cv"];

/// All benchmarks of a file, in the order of their first entries.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) all: Vec<Benchmark>,
    /// Names of BigO and RMS entries, which are no measurements.
    pub(super) complexities: Vec<String>,
    counters: Vec<String>,
    places: HashMap<(String, Option<u64>, Option<u64>), usize>,
}

/// What is known of one benchmark.
#[derive(Default)]
pub(super) struct Benchmark {
    pub(super) name: String,
    pub(super) time_unit: Option<String>,
    pub(super) threads: Option<u64>,
    pub(super) label: Option<String>,
    pub(super) samples: Series,
    pub(super) aggregates: Vec<Aggregate>,
    pub(super) skipped: Vec<Skipped>,
    /// What is wrong with one of its entries.
    pub(super) wrong: Option<&'static str>,
}

/// The repetitions by column, `real_time` and `cpu_time` first; NaN where a counter is missing.
#[derive(Default)]
pub(super) struct Series {
    pub(super) repetitions: Vec<u64>,
    pub(super) iterations: Vec<u64>,
    pub(super) columns: Vec<(String, Vec<f64>)>,
}

/// One statistic over the repetitions, with a figure for each column.
pub(super) struct Aggregate {
    pub(super) name: String,
    pub(super) repetitions: Option<u64>,
    pub(super) figures: Vec<(String, f64)>,
}

/// A repetition that gave no sample.
pub(super) struct Skipped {
    pub(super) repetition: u64,
    pub(super) message: String,
}

impl Aggregate {
    /// Whether it can be computed from the repetitions.
    pub(super) fn follows(&self) -> bool {
        FOLLOWING.contains(&self.name.as_str())
    }
}

impl Series {
    pub(super) fn is_empty(&self) -> bool {
        self.iterations.is_empty()
    }

    fn push(&mut self, repetition: u64, iterations: u64, figures: Vec<(String, f64)>) {
        let index = self.iterations.len();
        self.repetitions.push(repetition);
        self.iterations.push(iterations);
        for (name, value) in figures {
            let place = self.columns.iter().position(|(known, _)| *known == name);
            let place = place.unwrap_or_else(|| {
                self.columns.push((name, Vec::new()));
                self.columns.len() - 1
            });
            let column = &mut self.columns[place].1;
            column.resize(index, f64::NAN);
            column.push(value);
        }
    }

    fn fill_up(&mut self) {
        let count = self.iterations.len();
        self.columns.iter_mut().for_each(|(_, column)| column.resize(count, f64::NAN));
    }
}

impl Collected {
    fn add(&mut self, mut entry: Entry) -> Result<(), String> {
        if matches!(entry.aggregate_name.as_deref(), Some("BigO" | "RMS")) {
            self.complexities.push(entry.name);
            return Ok(());
        }
        self.count_counters(&entry.counters)?;
        entry.tell_aggregate();
        let benchmark = self.benchmark_of(&entry);
        if benchmark.time_unit.is_some()
            && entry.time_unit.is_some()
            && benchmark.time_unit != entry.time_unit
        {
            benchmark.wrong = Some("changes its time_unit");
            return Ok(());
        }
        benchmark.time_unit = benchmark.time_unit.take().or(entry.time_unit.take());
        benchmark.threads = benchmark.threads.or(entry.threads);
        benchmark.label = benchmark.label.take().or(entry.label.take());
        if let Err(what) = benchmark.add(entry) {
            benchmark.wrong = Some(what);
        }
        Ok(())
    }

    fn count_counters(&mut self, counters: &[(String, f64)]) -> Result<(), String> {
        for (name, _) in counters {
            if !self.counters.contains(name) {
                self.counters.push(name.clone());
            }
        }
        if self.counters.len() > MOST_COUNTERS {
            return Err(format!("there are more than {MOST_COUNTERS} counters"));
        }
        Ok(())
    }

    fn benchmark_of(&mut self, entry: &Entry) -> &mut Benchmark {
        let name = entry.run_name.as_ref().unwrap_or(&entry.name);
        let key = (name.clone(), entry.family_index, entry.per_family_instance_index);
        let known = self.places.get(&key).copied().filter(|&place| !entry.starts_again(&self.all[place]));
        let place = known.unwrap_or_else(|| {
            self.all.push(Benchmark { name: name.clone(), ..Benchmark::default() });
            self.places.insert(key, self.all.len() - 1);
            self.all.len() - 1
        });
        &mut self.all[place]
    }
}

impl Benchmark {
    fn add(&mut self, entry: Entry) -> Result<(), &'static str> {
        if let Some(message) = entry.why_skipped() {
            let repetition = entry.repetition_index.unwrap_or_else(|| self.next_repetition());
            self.skipped.push(Skipped { repetition, message });
            return Ok(());
        }
        let times = [("real_time", entry.real_time), ("cpu_time", entry.cpu_time)];
        let mut figures: Vec<(String, f64)> = times
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| (name.to_owned(), value)))
            .collect();
        figures.extend(entry.counters);
        match entry.aggregate_name {
            Some(name) => {
                let repetitions = entry.repetitions.or(entry.iterations);
                self.aggregates.push(Aggregate { name, repetitions, figures });
            }
            None => {
                if entry.real_time.is_none() {
                    return Err("has no real_time");
                }
                let iterations = entry.iterations.ok_or("has no iterations")?;
                let repetition = entry.repetition_index.unwrap_or_else(|| self.next_repetition());
                self.samples.push(repetition, iterations, figures);
            }
        }
        Ok(())
    }

    fn next_repetition(&self) -> u64 {
        let good = self.samples.repetitions.last().map_or(0, |last| last.saturating_add(1));
        let bad = self.skipped.last().map_or(0, |last| last.repetition.saturating_add(1));
        good.max(bad)
    }
}

/// One entry of the list.
#[derive(Default)]
struct Entry {
    name: String,
    run_name: Option<String>,
    run_type: Option<String>,
    family_index: Option<u64>,
    per_family_instance_index: Option<u64>,
    repetitions: Option<u64>,
    repetition_index: Option<u64>,
    threads: Option<u64>,
    iterations: Option<u64>,
    aggregate_name: Option<String>,
    real_time: Option<f64>,
    cpu_time: Option<f64>,
    time_unit: Option<String>,
    label: Option<String>,
    error_occurred: bool,
    error_message: Option<String>,
    skipped: bool,
    skip_message: Option<String>,
    counters: Vec<(String, f64)>,
}

impl Entry {
    /// Whatever else is missing, an aggregate is no sample. Libraries before 1.5 wrote no `run_type`: there an aggregate
    /// is told by the end of its name.
    fn tell_aggregate(&mut self) {
        let is_aggregate = self.run_type.as_deref() == Some("aggregate") || self.aggregate_name.is_some();
        if self.run_type.is_some() && !is_aggregate {
            return;
        }
        let (start, end) = self.name.rsplit_once('_').unwrap_or((&self.name, ""));
        let by_name =
            Some(end).filter(|end| FOLLOWING.contains(end) || self.aggregate_name.as_deref() == Some(end));
        if by_name.is_some() && self.run_name.is_none() {
            self.run_name = Some(start.to_owned());
        }
        let unnamed = Some("aggregate").filter(|_| is_aggregate);
        let name = by_name.or(unnamed).map(str::to_owned);
        self.aggregate_name = self.aggregate_name.take().or(name);
    }

    /// Whether this entry cannot belong to that benchmark of the same name, as that repetition is already there.
    fn starts_again(&self, benchmark: &Benchmark) -> bool {
        let Some(index) = self.repetition_index else { return false };
        index < benchmark.next_repetition()
    }

    fn why_skipped(&self) -> Option<String> {
        let text_of = |message: &Option<String>| message.clone().unwrap_or_default();
        match (self.error_occurred, self.skipped) {
            (true, _) => Some(text_of(&self.error_message)),
            (false, true) => Some(format!("skipped: {}", text_of(&self.skip_message))),
            (false, false) => None,
        }
    }
}

/// The keys of an entry; all others with a number are counters of the user's.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Key {
    Name,
    RunName,
    RunType,
    FamilyIndex,
    PerFamilyInstanceIndex,
    Repetitions,
    RepetitionIndex,
    Threads,
    Iterations,
    AggregateName,
    AggregateUnit,
    RealTime,
    CpuTime,
    TimeUnit,
    Label,
    ErrorOccurred,
    ErrorMessage,
    Skipped,
    SkipMessage,
    Counter(String),
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OneEntry)
    }
}

struct OneEntry;

impl<'de> Visitor<'de> for OneEntry {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a benchmark's entry")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let mut entry = Entry::default();
        let mut named = false;
        while let Some(key) = map.next_key()? {
            match key {
                Key::Name => (entry.name, named) = (map.next_value()?, true),
                Key::RunName => entry.run_name = map.next_value()?,
                Key::RunType => entry.run_type = map.next_value()?,
                Key::FamilyIndex => entry.family_index = map.next_value()?,
                Key::PerFamilyInstanceIndex => entry.per_family_instance_index = map.next_value()?,
                Key::Repetitions => entry.repetitions = map.next_value()?,
                Key::RepetitionIndex => entry.repetition_index = map.next_value()?,
                Key::Threads => entry.threads = map.next_value()?,
                Key::Iterations => entry.iterations = map.next_value()?,
                Key::AggregateName => entry.aggregate_name = map.next_value()?,
                Key::AggregateUnit => drop(map.next_value::<IgnoredAny>()?),
                Key::RealTime => entry.real_time = map.next_value()?,
                Key::CpuTime => entry.cpu_time = map.next_value()?,
                Key::TimeUnit => entry.time_unit = map.next_value()?,
                Key::Label => entry.label = map.next_value()?,
                Key::ErrorOccurred => entry.error_occurred = map.next_value()?,
                Key::ErrorMessage => entry.error_message = map.next_value()?,
                Key::Skipped => entry.skipped = map.next_value()?,
                Key::SkipMessage => entry.skip_message = map.next_value()?,
                Key::Counter(name) => add_counter(&mut entry, name, map.next_value()?)?,
            }
        }
        if named { Ok(entry) } else { Err(A::Error::missing_field("name")) }
    }
}

fn add_counter<E: de::Error>(entry: &mut Entry, name: String, value: MaybeNumber) -> Result<(), E> {
    let Some(value) = value.0 else { return Ok(()) };
    if entry.counters.len() == MOST_COUNTERS {
        return Err(E::custom(format_args!("an entry has more than {MOST_COUNTERS} counters")));
    }
    if entry.counters.iter().any(|(known, _)| *known == name) {
        return Err(E::custom(format_args!("an entry has \"{}\" twice", name.escape_debug())));
    }
    entry.counters.push((name, value));
    Ok(())
}

/// A number if it is one, nothing if it is anything else.
#[derive(Deserialize)]
#[serde(from = "NumberOrNot")]
struct MaybeNumber(Option<f64>);

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrNot {
    Number(f64),
    Not(IgnoredAny),
}

impl From<NumberOrNot> for MaybeNumber {
    fn from(value: NumberOrNot) -> Self {
        match value {
            NumberOrNot::Number(number) => Self(Some(number)),
            NumberOrNot::Not(_) => Self(None),
        }
    }
}

impl<'de> Deserialize<'de> for Collected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut collected = Self::default();
        each_of(deserializer, "the list of benchmarks", |entry| collected.add(entry))?;
        collected.all.iter_mut().for_each(|benchmark| benchmark.samples.fill_up());
        Ok(collected)
    }
}
