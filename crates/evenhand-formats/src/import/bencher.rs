//! What does a file in the Bencher Metric Format say? Figures of benchmarks, as any tool may report them to Bencher.
//!
//! ```json
//! {"sort": {"latency": {"value": 88.0, "lower_value": 87.42, "upper_value": 88.88}},
//!  "my_binary": {"file-size": {"value": 42.0}}}
//! ```
//!
//! A benchmark is an arm, a measure a metric. Of the measures that Bencher defines the unit and the better direction are
//! known; for others neither is in the file. What kind of figure `value` is, the file does not say either.
//!
//! Format: <https://bencher.dev/docs/reference/bencher-metric-format/>.
//!
//! Tests: `tests/formats/import/bencher.rs`.

use super::loose_json::{Number, after_mark, has_key};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, Better, Metric, Per, Reported, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;

const NO_SAMPLES: &str = "the Bencher Metric Format has one figure of each benchmark and no samples, and does not say whether \
                          it is a mean: no interval and no comparison can be made from it; import what the benchmarks wrote";

pub(super) fn looks_like(head: &[u8]) -> bool {
    let is_object = after_mark(head).starts_with(b"{");
    is_object && ["value", "lower_value", "upper_value"].iter().all(|key| has_key(head, key))
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: BTreeMap<String, BTreeMap<String, WireMetric>> = serde_json::from_reader(input)?;
    draft.tool("Bencher");
    draft.note(NO_SAMPLES);
    for (name, measures) in file {
        draft.add_or_leave_out(|draft| {
            add_benchmark(name, measures, draft);
            Ok(())
        });
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireMetric {
    value: Number,
    lower_value: Option<Number>,
    upper_value: Option<Number>,
}

fn add_benchmark(name: String, measures: BTreeMap<String, WireMetric>, draft: &mut Draft) {
    let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
    for (measure, figure) in measures {
        let column = draft.metric(metric_of(&measure));
        let bounds = [("lower_value", figure.lower_value), ("upper_value", figure.upper_value)];
        let more = bounds.into_iter().filter_map(|(key, bound)| Some((key.to_owned(), bound?.finite()?)));
        let mean = Some(figure.value.0);
        draft.reported(column, Reported { mean, more: more.collect(), ..Reported::new(arm, column.metric) });
    }
}

/// The measures that every project of Bencher has, by their slugs.
fn metric_of(measure: &str) -> Metric {
    let (name, unit, better) = match measure {
        "latency" => ("wall", Unit::nanoseconds(), Better::Lower),
        "throughput" => (measure, Unit::new("ops/s"), Better::Higher),
        "build-time" => (measure, Unit::seconds(), Better::Lower),
        "file-size" => (measure, Unit::bytes(), Better::Lower),
        _ => (measure, Unit::count(), Better::Lower),
    };
    Metric { name: name.to_owned(), unit, per: Per::Iteration, better }
}
