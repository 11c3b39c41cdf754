//! What did criterion keep of a benchmark? The samples, if there are any, else its estimates.
//!
//! ```text
//! sample.json     {"sampling_mode": "Linear", "iters": [10.0, 20.0], "times": [1234.0, 2460.0]}
//!                 [[10.0, 20.0], [1234.0, 2460.0]] up to 0.3.2
//! benchmark.json  {"group_id": "sum", "function_id": "loop", "value_str": "1000", "full_id": "sum/loop/1000", …}
//! estimates.json  {"mean": {"point_estimate": 123.2, "standard_error": 0.3, …}, "median": {…}, …}
//! ```
//!
//! The estimates of 0.3.2 are named `Mean`, `StdDev` and so on. `times` are nanoseconds for the whole batch of `iters`; the estimates are nanoseconds for one iteration. Source:
//! <https://github.com/criterion-rs/criterion.rs> (`src/lib.rs`, `src/report.rs`, `src/estimate.rs`). The mapping is in
//! `docs/formats/criterion.md`; how the tree of folders is walked is the matter of [`tree`].
//!
//! Tests: `tests/formats/import/criterion.rs`.

pub(super) mod tree;

use super::{Draft, ImportErrorKind, Input, json_keys, loose_json, possible};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) fn looks_like(head: &[u8]) -> bool {
    matches!(json_keys::first_keys(head, 1).as_slice(), ["sampling_mode" | "iters"])
        && loose_json::has_key(head, "iters")
}

/// Reads a lone `sample.json`, which does not say what it is of.
pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let samples = serde_json::from_reader(input)?;
    draft.note("A sample.json does not name its benchmark: benchmark.json beside it does.");
    let arm = draft.arm(Arm { name: "sample".to_owned(), group: "sample".to_owned(), ..Arm::default() });
    add_samples(draft, arm, samples)
}

/// `sample.json`, with or without the names of its fields.
#[derive(Deserialize)]
pub(super) struct WireSamples {
    iters: Vec<f64>,
    times: Vec<f64>,
    #[serde(default)]
    sampling_mode: Option<String>,
}

/// `benchmark.json`.
#[derive(Deserialize)]
pub(super) struct WireBenchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    full_id: Option<String>,
    #[serde(default)]
    throughput: serde_json::Value,
}

/// `estimates.json`: an estimate each of mean, median, slope and so on.
pub(super) type WireEstimates = BTreeMap<String, Option<WireEstimate>>;

#[derive(Deserialize)]
pub(super) struct WireEstimate {
    point_estimate: f64,
    standard_error: Option<f64>,
    confidence_interval: Option<WireInterval>,
}

#[derive(Deserialize)]
struct WireInterval {
    lower_bound: f64,
    upper_bound: f64,
    confidence_level: f64,
}

impl WireBenchmark {
    /// Functions of a group are alternatives if they got the same input.
    pub(super) fn arm(&self) -> Arm {
        let mut arm = Arm { name: self.name(), ..Arm::default() };
        arm.group = match (&self.function_id, &self.value_str) {
            (Some(_), Some(value)) => format!("{}/{value}", self.group_id),
            (Some(_), None) => self.group_id.clone(),
            (None, _) => arm.name.clone(),
        };
        let known = [("function", &self.function_id), ("value", &self.value_str)];
        for (key, value) in known {
            arm.parameters.extend(value.clone().map(|value| (key.to_owned(), value)));
        }
        if !self.throughput.is_null() {
            arm.parameters.insert("throughput".to_owned(), in_words(&self.throughput));
        }
        arm
    }

    fn name(&self) -> String {
        self.full_id.clone().unwrap_or_else(|| {
            let parts = [Some(&self.group_id), self.function_id.as_ref(), self.value_str.as_ref()];
            parts.into_iter().flatten().cloned().collect::<Vec<_>>().join("/")
        })
    }
}

/// `{"Elements": 1000}` as `1000 Elements`; anything else as it stands.
fn in_words(throughput: &serde_json::Value) -> String {
    match throughput.as_object().and_then(|object| object.iter().next().filter(|_| object.len() == 1)) {
        Some((kind, number)) if number.is_number() => format!("{number} {kind}"),
        _ => throughput.to_string(),
    }
}

pub(super) fn add_samples(
    draft: &mut Draft,
    arm: ArmId,
    samples: WireSamples,
) -> Result<(), ImportErrorKind> {
    let (iterations, times) = (samples.iters, samples.times);
    if iterations.len() != times.len() {
        let what = format_args!("{} of iters and {} of times", iterations.len(), times.len());
        return Err(ImportErrorKind::wrong("sample.json", what));
    }
    if times.is_empty() {
        return Err(ImportErrorKind::wrong("sample.json", "has no samples"));
    }
    let whole = |(index, number): (usize, f64)| possible::iterations(format_args!("iters[{index}]"), number);
    let iterations = iterations.into_iter().enumerate().map(whole).collect::<Result<Vec<u64>, _>>()?;
    if let Some(mode) = samples.sampling_mode {
        draft.note(format!(
            "criterion sampled in the mode {}: its batches {}.",
            mode.escape_debug(),
            shape(&mode)
        ));
    }
    let wall = draft.metric(Metric::time("wall", Unit::nanoseconds()));
    draft.samples(arm, LaunchId(0), Whole::of(iterations), vec![(wall, times)])
}

fn shape(mode: &str) -> &'static str {
    match mode {
        "Linear" => "grow by the same step from sample to sample",
        "Flat" => "are all of one size",
        _ => "are of the sizes given",
    }
}

pub(super) fn add_estimates(
    draft: &mut Draft,
    arm: ArmId,
    estimates: &WireEstimates,
) -> Result<(), ImportErrorKind> {
    let metric = Metric {
        name: "wall".to_owned(),
        unit: Unit::nanoseconds(),
        per: Per::Iteration,
        better: Better::Lower,
    };
    let column = draft.metric(metric);
    let mut reported = Reported::new(arm, column.metric);
    for (name, estimate) in estimates {
        let Some(estimate) = estimate else { continue };
        let name = &in_snake_case(name);
        let point = possible::figure(name, estimate.point_estimate)?;
        match name.as_str() {
            "mean" => {
                reported.mean = Some(point);
                reported.mean_error =
                    estimate.standard_error.map(|error| possible::figure("mean", error)).transpose()?;
            }
            "median" => reported.median = Some(point),
            "std_dev" => reported.sd = Some(point),
            _ => {
                reported.more.insert(name.clone(), point);
            }
        }
        add_interval(&mut reported, name, estimate)?;
    }
    draft.reported(column, reported);
    draft.note(
        "Where sample.json is missing only criterion's estimates are known: not how many samples there were, \
         nor their order.",
    );
    Ok(())
}

/// `StdDev` as `std_dev`.
fn in_snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

fn add_interval(reported: &mut Reported, name: &str, estimate: &WireEstimate) -> Result<(), ImportErrorKind> {
    let Some(interval) = &estimate.confidence_interval else { return Ok(()) };
    let percent = possible::figure(name, interval.confidence_level)? * 100.0;
    for (side, bound) in [("lower", interval.lower_bound), ("upper", interval.upper_bound)] {
        reported.more.insert(format!("{name} {side} {percent} %"), possible::figure(name, bound)?);
    }
    Ok(())
}
