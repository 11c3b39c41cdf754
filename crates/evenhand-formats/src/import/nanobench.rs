//! What did nanobench write with its JSON template? One sample for each epoch.
//!
//! ```text
//! {"results": [{"title": "sums", "name": "fold", "unit": "byte", "batch": 4, "median(elapsed)": 2e-07, …,
//!     "measurements": [{"iterations": 1000, "elapsed": 2e-07, "pagefaults": 0, "cpucycles": 620.5, …}, …]}]}
//! ```
//!
//! `elapsed` is seconds for one of the epoch's iterations, and the counters are divided by the iterations too. An
//! iteration is a call of the lambda: `batch` operations, by which nanobench's own table divides. A counter that was
//! not available prints as 0. Source: <https://github.com/martinus/nanobench> (`src/include/nanobench.h`:
//! `templates::json`, `Result::add`). The mapping is in `docs/formats/nanobench.md`.
//!
//! Tests: `tests/formats/import/nanobench.rs`.

use super::{Column, Draft, ImportErrorKind, Input, json_keys, loose_json, possible};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use serde::Deserialize;

pub(super) fn looks_like(head: &[u8]) -> bool {
    json_keys::first_keys(head, 1) == ["results"] && loose_json::has_key(head, "median(elapsed)")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: WireFile = serde_json::from_reader(input)?;
    draft.tool("nanobench");
    draft.note("nanobench's JSON does not say when, on which machine and with which version it was written.");
    for result in file.results {
        draft.add_or_leave_out(|draft| add_result(draft, result));
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    results: Vec<WireResult>,
}

#[derive(Deserialize)]
struct WireResult {
    name: String,
    title: Option<String>,
    unit: Option<String>,
    batch: Option<f64>,
    #[serde(rename = "complexityN")]
    complexity_n: Option<f64>,
    relative: Option<f64>,
    epochs: Option<u64>,
    #[serde(rename = "median(elapsed)")]
    median: Option<f64>,
    #[serde(rename = "medianAbsolutePercentError(elapsed)")]
    median_error: Option<f64>,
    #[serde(default)]
    measurements: Vec<WireEpoch>,
}

#[derive(Deserialize)]
struct WireEpoch {
    iterations: f64,
    elapsed: f64,
    #[serde(default)]
    pagefaults: f64,
    #[serde(default)]
    cpucycles: f64,
    #[serde(default)]
    contextswitches: f64,
    #[serde(default)]
    instructions: f64,
    #[serde(default)]
    branchinstructions: f64,
    #[serde(default)]
    branchmisses: f64,
}

/// One counter of an epoch.
type Counter = fn(&WireEpoch) -> f64;

const COUNTERS: [(&str, Counter); 6] = [
    ("page_faults", |epoch| epoch.pagefaults),
    ("cpu_cycles", |epoch| epoch.cpucycles),
    ("context_switches", |epoch| epoch.contextswitches),
    ("instructions", |epoch| epoch.instructions),
    ("branch_instructions", |epoch| epoch.branchinstructions),
    ("branch_misses", |epoch| epoch.branchmisses),
];

fn add_result(draft: &mut Draft, result: WireResult) -> Result<(), ImportErrorKind> {
    let place = format!("\"{}\"", result.name.escape_debug());
    let arm = draft.arm(arm_of(&result));
    note_batch(draft, &result);
    if result.measurements.is_empty() {
        return add_median(draft, arm, &result, &place);
    }
    let whole = |epoch: &WireEpoch| possible::iterations(&place, epoch.iterations);
    let iterations = result.measurements.iter().map(whole).collect::<Result<Vec<u64>, _>>()?;
    let columns = columns(draft, &result.measurements);
    draft.samples(arm, LaunchId(0), Whole::of(iterations), columns)
}

/// `relative` is how a nanobench user says that the results of a title are alternatives.
fn arm_of(result: &WireResult) -> Arm {
    let mut arm = Arm { name: result.name.clone(), group: result.name.clone(), ..Arm::default() };
    if let Some(title) = &result.title {
        arm.parameters.insert("title".to_owned(), title.clone());
        if result.relative.is_some_and(|relative| relative != 0.0) {
            arm.group.clone_from(title);
        }
    }
    if let Some(batch) = result.batch.filter(|batch| *batch != 1.0) {
        let unit = result.unit.as_deref().unwrap_or("op");
        arm.parameters.insert("batch".to_owned(), format!("{batch} {unit}"));
    }
    if let Some(n) = result.complexity_n.filter(|n| *n > 0.0) {
        arm.parameters.insert("complexityN".to_owned(), n.to_string());
    }
    arm
}

fn note_batch(draft: &mut Draft, result: &WireResult) {
    if result.batch.is_some_and(|batch| batch != 1.0) {
        draft.note(
            "Times are those of one call; nanobench's own table divides them by the batch, which is kept as a \
             parameter.",
        );
    }
}

fn columns(draft: &mut Draft, epochs: &[WireEpoch]) -> Vec<(Column, Vec<f64>)> {
    let times = epochs.iter().map(|epoch| epoch.elapsed).collect();
    let mut columns = vec![(draft.metric(wall()), times)];
    for (name, counter) in COUNTERS {
        let numbers: Vec<f64> = epochs.iter().map(counter).collect();
        if numbers.iter().all(|number| *number == 0.0) {
            draft.note("A counter that is 0 in all epochs was most likely not available, and is left out.");
            continue;
        }
        let unit = Unit::count();
        let metric = Metric { name: name.to_owned(), unit, per: Per::Iteration, better: Better::Lower };
        columns.push((draft.metric(metric), numbers));
    }
    columns
}

fn add_median(
    draft: &mut Draft,
    arm: ArmId,
    result: &WireResult,
    place: &str,
) -> Result<(), ImportErrorKind> {
    let Some(median) = result.median else {
        return Err(ImportErrorKind::wrong(place, "has neither measurements nor median(elapsed)"));
    };
    let column = draft.metric(wall());
    let mut reported = Reported::new(arm, column.metric);
    reported.samples = result.epochs;
    reported.median = Some(possible::figure(place, median)?);
    if let Some(error) = result.median_error {
        reported.more.insert(
            "medianAbsolutePercentError".to_owned(),
            possible::figure(format_args!("{place}, medianAbsolutePercentError"), error)?,
        );
    }
    draft.reported(column, reported);
    draft
        .note("Without the epochs only nanobench's medians are known: no order, no interval, no percentile.");
    Ok(())
}

fn wall() -> Metric {
    Metric { name: "wall".to_owned(), unit: Unit::seconds(), per: Per::Iteration, better: Better::Lower }
}
