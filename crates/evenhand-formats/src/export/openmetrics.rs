//! How do Prometheus and its relatives read our trials? As OpenMetrics text, version 1.0
//! (<https://prometheus.io/docs/specs/om/open_metrics_spec/>).
//!
//! ```text
//! # TYPE evenhand_wall_seconds summary
//! # UNIT evenhand_wall_seconds seconds
//! # HELP evenhand_wall_seconds wall of one iteration; lower is better
//! evenhand_wall_seconds{arm="old",quantile="0"} 0.0079
//! evenhand_wall_seconds{arm="old",quantile="0.5"} 0.0081
//! evenhand_wall_seconds{arm="old",quantile="1"} 0.0083
//! evenhand_wall_seconds_count{arm="old"} 3
//! evenhand_wall_seconds_sum{arm="old"} 0.0243
//! # EOF
//! ```
//!
//! - One family a metric, a summary over the good samples of all launches, each sample as the cost of one iteration.
//!   The quantiles 0 and 1 are the minimum and the maximum. `_count` is of samples; `_sum` divided by it is the mean.
//! - Base units: times in seconds, memory in bytes; other units stay and become the end of the name.
//! - A summary may not hold negative numbers. A metric with one becomes a gauge, without `_count` and `_sum`.
//! - `evenhand_failures` counts the failed runs, `evenhand_trial` says which trial it was; see `families`.
//! - No time stamps: Prometheus' node exporter and push gateway refuse them in files.
//!
//! No place here: the samples themselves, rounds, launches, parameters, reported figures.
//!
//! Quantiles come from `evenhand-stats` (type 7). One arm's numbers of one metric are held at a time.
//!
//! Tests: `tests/formats/export/openmetrics.rs`; `scripts/check_openmetrics.py` reads its snapshot with another program.

mod families;

use super::error::ExportError;
use super::format::Format;
use super::level::Arms;
use evenhand_stats::level::quantile::Sorted;
use evenhand_trial::{Arm, ArmId, Trial};
use families::{Family, Kind};
use std::fmt::{self, Display};
use std::io::{self, Write};

/// In percent, with their labels.
const QUANTILES: [(f64, &str); 6] =
    [(0.0, "0"), (50.0, "0.5"), (90.0, "0.9"), (95.0, "0.95"), (99.0, "0.99"), (100.0, "1")];

/// Writes the figures of a trial.
pub(super) fn write(trial: &Trial, output: &mut dyn Write) -> Result<(), ExportError> {
    if trial.sample_count() == 0 && trial.failures.is_empty() {
        return Err(ExportError::NoSamples { format: Format::OpenMetrics });
    }
    let arms = Arms::of(trial);
    for family in Family::all(trial, &arms)? {
        family.write_head(output)?;
        for (index, arm) in trial.arms.iter().enumerate() {
            write_arm(
                &family,
                arm,
                &arms.known_costs(ArmId(index as u32), family.metric, family.scale),
                output,
            )?;
        }
    }
    write_failures(trial, output)?;
    write_trial(trial, output)?;
    Ok(output.write_all(b"# EOF\n")?)
}

fn write_arm(family: &Family, arm: &Arm, costs: &[f64], output: &mut dyn Write) -> Result<(), ExportError> {
    if costs.is_empty() {
        return Ok(());
    }
    let no_figure =
        |error| ExportError::NoFigure { format: Format::OpenMetrics, arm: arm.name.clone(), error };
    let sorted = Sorted::new(costs).map_err(no_figure)?;
    let (name, labels) = (&family.name, Labels::of(arm));
    for (percent, quantile) in QUANTILES {
        let value = sorted.percentile(percent).map_err(no_figure)?;
        writeln!(output, "{name}{{{labels},quantile=\"{quantile}\"}} {value:?}")?;
    }
    if family.kind == Kind::Summary {
        writeln!(output, "{name}_count{{{labels}}} {}", costs.len())?;
        writeln!(output, "{name}_sum{{{labels}}} {}", Number(costs.iter().sum()))?;
    }
    Ok(())
}

fn write_failures(trial: &Trial, output: &mut dyn Write) -> io::Result<()> {
    let mut counts = vec![0_u64; trial.arms.len()];
    trial.failures.iter().for_each(|failure| counts[failure.arm.index()] += 1);
    writeln!(output, "# TYPE {} gauge", families::FAILURES)?;
    writeln!(output, "# HELP {} runs that gave no sample", families::FAILURES)?;
    for (arm, count) in trial.arms.iter().zip(counts) {
        writeln!(output, "{}{{{}}} {count}", families::FAILURES, Labels::of(arm))?;
    }
    Ok(())
}

fn write_trial(trial: &Trial, output: &mut dyn Write) -> io::Result<()> {
    let name = families::TRIAL;
    writeln!(output, "# TYPE {name} gauge\n# HELP {name} always 1; the labels say which trial this was")?;
    write!(output, "{name}{{id=\"{}\"", trial.id)?;
    if let Some(label) = trial.label.as_deref().filter(|label| !label.is_empty()) {
        write!(output, ",label=\"{}\"", Escaped(label))?;
    }
    writeln!(output, ",state=\"{}\"}} 1", trial.state)?;
    let Some(started) = trial.started else { return Ok(()) };
    let name = families::STARTED;
    writeln!(output, "# TYPE {name} gauge\n# UNIT {name} seconds\n# HELP {name} when the trial began")?;
    // Nanoseconds since 1970 are more than a double holds.
    let seconds = started.as_second() as f64 + f64::from(started.subsec_nanosecond()) / 1e9;
    writeln!(output, "{name} {seconds:?}")
}

/// The labels that tell an arm from all others.
struct Labels<'a> {
    arm: &'a str,
    group: &'a str,
}

impl<'a> Labels<'a> {
    fn of(arm: &'a Arm) -> Self {
        Self { arm: &arm.name, group: &arm.group }
    }
}

impl Display for Labels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "arm=\"{}\"", Escaped(self.arm))?;
        // An empty label is the same as none.
        if !self.group.is_empty() {
            write!(f, ",group=\"{}\"", Escaped(self.group))?;
        }
        Ok(())
    }
}

/// Text inside a label or a help line: quotes, backslashes and line ends have a backslash before them.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['"', '\\', '\n']) {
            let (plain, special) = rest.split_at(at);
            let escape = match special.as_bytes()[0] {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                _ => "\\n",
            };
            write!(f, "{plain}{escape}")?;
            rest = &special[1..];
        }
        f.write_str(rest)
    }
}

/// A number in the spelling of the format, which writes infinity its own way. A sum may overflow.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_infinite() { f.write_str("+Inf") } else { write!(f, "{:?}", self.0) }
    }
}
