//! How do scripts made for hyperfine read our trials? In the JSON of its `--export-json`.
//!
//! The keys and types of hyperfine 1.20 (`src/benchmark/benchmark_result.rs` of
//! <https://github.com/sharkdp/hyperfine/tree/v1.20.0>), times in seconds:
//!
//! ```json
//! {"results": [{"command": "old", "mean": 0.0081, "stddev": 0.0002, "median": 0.0081, "user": 0.0079, "system": 0.0001,
//!   "min": 0.0079, "max": 0.0083, "times": [0.0079, 0.0081, 0.0083], "memory_usage_byte": [3219456, 3219456, 3219456],
//!   "exit_codes": [0, 0, 0], "parameters": {"size": "10"}}]}
//! ```
//!
//! - `command` is the arm's name, `times` the first metric for one iteration, all launches one after the other.
//! - `stddev` is `null` for a single sample, as hyperfine writes it, and `user` and `system` are `null` where nobody
//!   measured them, which hyperfine never writes: a 0 would be made up. They are the means of the metrics with these
//!   names, or the means that another tool reported.
//! - `memory_usage_byte` is the metric `max_rss`, if it is known for every sample. `exit_codes` are all 0: only good
//!   samples are here.
//!
//! No place here: failures, groups, launches, rounds, further metrics, samples whose first metric is missing. An arm
//! without samples and a first metric that is no time are refused.
//!
//! Mean, standard deviation and median come from `evenhand-stats`. They are taken of all arms before the first byte is
//! written; the samples of one arm at a time are held for it.
//!
//! Tests: `tests/formats/export/hyperfine.rs`.

use super::error::ExportError;
use super::format::Format;
use super::level::{Arms, Scale, to_bytes, to_seconds};
use evenhand_stats::InputError;
use evenhand_stats::level::moments::Moments;
use evenhand_stats::level::quantile::Sorted;
use evenhand_trial::{Arm, ArmId, MetricId, Trial};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};
use std::collections::BTreeMap;
use std::io::Write;

/// Writes a trial as hyperfine would have.
pub(super) fn write(trial: &Trial, mut output: &mut dyn Write) -> Result<(), ExportError> {
    let source = Source::of(trial)?;
    let figures = trial.arms.iter().enumerate().map(|(index, arm)| source.figures(ArmId(index as u32), arm));
    let export =
        WireExport { results: Results { figures: figures.collect::<Result<_, _>>()?, source: &source } };
    serde_json::to_writer_pretty(&mut output, &export).map_err(std::io::Error::from)?;
    Ok(output.write_all(b"\n")?)
}

#[derive(Serialize)]
struct WireExport<'a> {
    results: Results<'a>,
}

#[derive(Serialize)]
struct WireResult<'a> {
    command: &'a str,
    #[serde(flatten)]
    figures: &'a Figures,
    times: Times<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_usage_byte: Option<Memory<'a>>,
    exit_codes: ExitCodes,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: &'a BTreeMap<String, String>,
}

/// Seconds.
#[derive(Serialize)]
struct Figures {
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    user: Option<f64>,
    system: Option<f64>,
    min: f64,
    max: f64,
    #[serde(skip)]
    count: usize,
    #[serde(skip)]
    memory: Option<(MetricId, Scale)>,
}

/// The trial, and how its times become seconds.
struct Source<'a> {
    trial: &'a Trial,
    arms: Arms<'a>,
    /// The metric that the times are.
    time: MetricId,
    seconds: Scale,
}

impl<'a> Source<'a> {
    fn of(trial: &'a Trial) -> Result<Self, ExportError> {
        // hyperfine does not take the waiting off.
        let first = (MetricId(0), &trial.metrics[0]);
        let (time, metric) = trial.metric("wall").filter(|_| first.1.name == "time").unwrap_or(first);
        let seconds = to_seconds(&metric.unit).ok_or_else(|| ExportError::NotATime {
            format: Format::Hyperfine,
            metric: metric.name.clone(),
            unit: metric.unit.symbol().to_owned(),
        })?;
        if trial.sample_count() == 0 {
            return Err(ExportError::NoSamples { format: Format::Hyperfine });
        }
        Ok(Self { trial, arms: Arms::of(trial), time, seconds })
    }

    fn figures(&self, id: ArmId, arm: &Arm) -> Result<Figures, ExportError> {
        let times = self.arms.known_costs(id, self.time, self.seconds);
        if times.is_empty() {
            return Err(ExportError::NoSamplesOfArm { format: Format::Hyperfine, arm: arm.name.clone() });
        }
        self.figures_of(id, &times).map_err(|error| ExportError::NoFigure {
            format: Format::Hyperfine,
            arm: arm.name.clone(),
            error,
        })
    }

    fn figures_of(&self, arm: ArmId, times: &[f64]) -> Result<Figures, InputError> {
        let moments = Moments::of(times)?;
        let sorted = Sorted::new(times)?;
        Ok(Figures {
            mean: moments.mean().unwrap_or(times[0]),
            stddev: moments.sd(),
            median: sorted.median(),
            user: self.mean_of("user", arm)?,
            system: self.mean_of("system", arm)?,
            min: sorted.min(),
            max: sorted.max(),
            count: times.len(),
            memory: self.memory(arm),
        })
    }

    /// The mean of another time, from its samples or as another tool reported it.
    fn mean_of(&self, name: &str, arm: ArmId) -> Result<Option<f64>, InputError> {
        let Some((id, metric)) = self.trial.metric(name) else { return Ok(None) };
        let Some(seconds) = to_seconds(&metric.unit) else { return Ok(None) };
        let costs = self.arms.known_costs(arm, id, seconds);
        if !costs.is_empty() {
            return Ok(Moments::of(&costs)?.mean());
        }
        let reported = self.trial.reported.iter();
        let mut of_arm = reported.filter(|one| one.arm == arm && one.metric == id && one.launch.is_none());
        Ok(of_arm.find_map(|one| one.mean).map(|mean| seconds.of(mean)))
    }

    /// The largest memory, if it is a whole number of bytes for every time.
    fn memory(&self, arm: ArmId) -> Option<(MetricId, Scale)> {
        let (metric, about) = self.trial.metric("max_rss")?;
        let bytes = to_bytes(&about.unit)?;
        let known =
            self.memories(arm, metric, bytes).all(|b| b >= 0.0 && b.fract() == 0.0 && b < 2f64.powi(53));
        known.then_some((metric, bytes))
    }

    fn memories(&self, arm: ArmId, metric: MetricId, bytes: Scale) -> impl Iterator<Item = f64> + '_ {
        let timed = self.arms.costs(arm, self.time).zip(self.arms.costs(arm, metric));
        timed.filter(|(time, _)| !time.is_nan()).map(move |(_, memory)| bytes.of(memory))
    }
}

struct Results<'a> {
    figures: Vec<Figures>,
    source: &'a Source<'a>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.figures.len()))?;
        for (index, (arm, figures)) in self.source.trial.arms.iter().zip(&self.figures).enumerate() {
            let (source, id) = (self.source, ArmId(index as u32));
            list.serialize_element(&WireResult {
                command: &arm.name,
                figures,
                times: Times { source, arm: id },
                memory_usage_byte: figures.memory.map(|(metric, bytes)| Memory {
                    source,
                    arm: id,
                    metric,
                    bytes,
                }),
                exit_codes: ExitCodes(figures.count),
                parameters: &arm.parameters,
            })?;
        }
        list.end()
    }
}

struct Times<'a> {
    source: &'a Source<'a>,
    arm: ArmId,
}

impl Serialize for Times<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let costs = self.source.arms.costs(self.arm, self.source.time);
        serializer.collect_seq(costs.filter(|cost| !cost.is_nan()).map(|cost| self.source.seconds.of(cost)))
    }
}

struct Memory<'a> {
    source: &'a Source<'a>,
    arm: ArmId,
    metric: MetricId,
    bytes: Scale,
}

impl Serialize for Memory<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let memories = self.source.memories(self.arm, self.metric, self.bytes);
        serializer.collect_seq(memories.map(|bytes| bytes as u64))
    }
}

struct ExitCodes(usize);

impl Serialize for ExitCodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(std::iter::repeat_n(0, self.0))
    }
}
