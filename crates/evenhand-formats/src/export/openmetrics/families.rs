//! What is a metric called in OpenMetrics? `evenhand_<name>_<unit>`, in letters, digits and underscores.
//!
//! The format asks that the unit is the end of the name, and that no name ends in one of the words that it puts behind
//! names itself (`_count`, `_sum`). Two metrics that would be called the same get a number before the unit.
//!
//! Tests: `tests/formats/export/openmetrics.rs`.

use super::Escaped;
use crate::export::error::ExportError;
use crate::export::format::Format;
use crate::export::level::{Arms, Scale, to_bytes, to_seconds};
use evenhand_stats::{InputError, Rule};
use evenhand_trial::{ArmId, Better, Metric, MetricId, Trial};
use std::collections::HashMap;
use std::io::{self, Write};

/// How many runs gave no sample.
pub(super) const FAILURES: &str = "evenhand_failures";
/// Which trial it was.
pub(super) const TRIAL: &str = "evenhand_trial";
/// When the trial began.
pub(super) const STARTED: &str = "evenhand_trial_started_timestamp_seconds";

/// The words that the format itself puts behind names.
const RESERVED: [&str; 9] =
    ["total", "created", "count", "sum", "bucket", "gcount", "gsum", "info", "quantile"];

/// All numbers of a metric.
pub(super) struct Family {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) metric: MetricId,
    pub(super) scale: Scale,
    unit: Option<String>,
    help: String,
}

/// Which type the family has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Summary,
    Gauge,
}

impl Family {
    /// A family for each metric that has numbers.
    pub(super) fn all(trial: &Trial, arms: &Arms<'_>) -> Result<Vec<Self>, ExportError> {
        let mut names = Names::default();
        let metrics = trial.metrics.iter().enumerate();
        let families = metrics.filter_map(|(index, metric)| {
            let id = MetricId(index as u32);
            let (unit, scale) = base_unit(metric);
            let kind = kind_of(trial, arms, id, scale).transpose()?;
            Some(kind.map(|kind| Self {
                name: names.free(&metric.name, unit.as_deref()),
                kind,
                metric: id,
                scale,
                help: help(metric, unit.is_some()),
                unit,
            }))
        });
        families.collect()
    }

    pub(super) fn write_head(&self, output: &mut dyn Write) -> io::Result<()> {
        let kind = match self.kind {
            Kind::Summary => "summary",
            Kind::Gauge => "gauge",
        };
        writeln!(output, "# TYPE {} {kind}", self.name)?;
        if let Some(unit) = &self.unit {
            writeln!(output, "# UNIT {} {unit}", self.name)?;
        }
        writeln!(output, "# HELP {} {}", self.name, Escaped(&self.help))
    }
}

fn help(metric: &Metric, in_name: bool) -> String {
    let better = match metric.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    };
    let unit = metric.unit.symbol();
    let unsaid = if in_name || unit.is_empty() { String::new() } else { format!(" in {unit}") };
    format!("{}{unsaid} of one iteration; {better} is better", metric.name)
}

/// `None` if there is no number at all. Refuses what is beyond all doubles in the base unit.
fn kind_of(
    trial: &Trial,
    arms: &Arms<'_>,
    metric: MetricId,
    scale: Scale,
) -> Result<Option<Kind>, ExportError> {
    let mut kind = None;
    for (id, arm) in trial.arms.iter().enumerate() {
        let costs = arms.costs(ArmId(id as u32), metric).map(|cost| scale.of(cost));
        for (index, cost) in costs.enumerate().filter(|(_, cost)| !cost.is_nan()) {
            if cost.is_infinite() {
                let error = InputError { rule: Rule::Finite { index }, argument: "samples" };
                return Err(ExportError::NoFigure {
                    format: Format::OpenMetrics,
                    arm: arm.name.clone(),
                    error,
                });
            }
            let negative = cost < 0.0 || kind == Some(Kind::Gauge);
            kind = Some(if negative { Kind::Gauge } else { Kind::Summary });
        }
    }
    Ok(kind)
}

/// The word for the unit, and how the numbers get there.
fn base_unit(metric: &Metric) -> (Option<String>, Scale) {
    if let Some(scale) = to_seconds(&metric.unit) {
        return (Some("seconds".to_owned()), scale);
    }
    if let Some(scale) = to_bytes(&metric.unit) {
        return (Some("bytes".to_owned()), scale);
    }
    let word = plain(&metric.unit.symbol().replace('/', "_per_"));
    let usable = !word.is_empty() && !RESERVED.contains(&last_word(&word));
    (usable.then_some(word), Scale::SAME)
}

/// Names that are free.
struct Names(HashMap<String, u32>);

impl Default for Names {
    fn default() -> Self {
        Self([FAILURES, TRIAL, STARTED].map(|name| (name.to_owned(), 1)).into())
    }
}

impl Names {
    fn free(&mut self, metric: &str, unit: Option<&str>) -> String {
        let stem = match plain(metric) {
            // The help line has the name as it is.
            nothing if nothing.is_empty() => "evenhand_metric".to_owned(),
            plain => format!("evenhand_{plain}"),
        };
        let first = joined(&stem, None, unit);
        let mut uses = *self.0.entry(first.clone()).and_modify(|uses| *uses += 1).or_insert(1);
        let mut name = first.clone();
        while uses > 1 {
            name = joined(&stem, Some(uses), unit);
            if !self.0.contains_key(&name) {
                self.0.insert(name.clone(), 1);
                self.0.insert(first, uses);
                break;
            }
            uses += 1;
        }
        name
    }
}

fn joined(stem: &str, number: Option<u32>, unit: Option<&str>) -> String {
    let stem = unit.and_then(|unit| stem.strip_suffix(unit)?.strip_suffix('_')).unwrap_or(stem);
    let mut name = stem.to_owned();
    if let Some(number) = number {
        name.push_str(&format!("_{number}"));
    }
    match unit {
        Some(unit) => name.push_str(&format!("_{unit}")),
        None if RESERVED.contains(&last_word(&name)) => name.push_str("_value"),
        None => {}
    }
    name
}

fn last_word(name: &str) -> &str {
    name.rsplit('_').next().unwrap_or(name)
}

/// Letters, digits and single underscores; anything else becomes an underscore.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}
