//! What does oha say of a run? The figures of `oha --output-format json` (before 1.5: `--json`).
//!
//! ```text
//! {"summary": {"successRate": 1.0, "total": 4.55, "slowest": 0.0161, "fastest": 0.0004, "average": 0.0011, "requestsPerSec": 4393.65, …},
//!  "latencyPercentiles": {"p10": 0.0005, "p50": 0.0011, "p99.9": 0.009}, "statusCodeDistribution": {"200": 20000}, …}
//! ```
//!
//! Times are seconds. The file is of one run of one address, whose name is not in it: the file's is taken.
//!
//! Format: `schema.json` in <https://github.com/hatoo/oha>.
//!
//! Tests: `tests/formats/import/oha.rs`.

use super::loose_json::{after_mark, has_key};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, Better, Metric, Per, Reported, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;

const NO_SAMPLES: &str = "oha writes figures and no samples: no interval and no comparison can be made from them; measure both \
                          services with `evenhand load`";

pub(super) fn looks_like(head: &[u8]) -> bool {
    let has = |key: &&str| has_key(head, key);
    after_mark(head).starts_with(b"{") && ["summary", "successRate", "requestsPerSec"].iter().all(has)
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: WireFile = serde_json::from_reader(input)?;
    draft.tool("oha");
    draft.note(NO_SAMPLES);
    for (what, count) in &file.error_distribution {
        draft.note(format!("{count} requests failed: {}", what.escape_debug()));
    }
    let name = draft.file_stem();
    let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
    let wall = draft.metric(Metric::time("wall", Unit::seconds()));
    let mut percentiles: Vec<(f64, f64)> = file.latency_percentiles.iter().filter_map(percentile).collect();
    percentiles.sort_by(|one, other| one.0.total_cmp(&other.0));
    let answered =
        file.status_code_distribution.values().try_fold(0_u64, |sum, count| sum.checked_add(*count));
    draft.reported(
        wall,
        Reported {
            samples: answered.filter(|count| *count > 0),
            min: file.summary.fastest,
            mean: file.summary.average,
            max: file.summary.slowest,
            percentiles,
            ..Reported::new(arm, wall.metric)
        },
    );
    let throughput = draft.metric(Metric {
        name: "throughput".to_owned(),
        unit: Unit::new("requests/s"),
        per: Per::Iteration,
        better: Better::Higher,
    });
    let mean = file.summary.requests_per_sec;
    draft.reported(throughput, Reported { mean, ..Reported::new(arm, throughput.metric) });
    Ok(())
}

/// `p99.9`. Without an answer there is none.
fn percentile((key, value): (&String, &Option<f64>)) -> Option<(f64, f64)> {
    Some((key.strip_prefix('p')?.parse().ok()?, (*value)?))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireFile {
    summary: WireSummary,
    #[serde(default)]
    latency_percentiles: BTreeMap<String, Option<f64>>,
    #[serde(default)]
    status_code_distribution: BTreeMap<String, u64>,
    #[serde(default)]
    error_distribution: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireSummary {
    slowest: Option<f64>,
    fastest: Option<f64>,
    average: Option<f64>,
    requests_per_sec: Option<f64>,
}
