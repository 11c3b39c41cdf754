//! What does Vitest say of its benchmarks? What `vitest bench --outputJson FILE` writes.
//!
//! ```text
//! {"files": [{"filepath": "sums.bench.js", "groups": [{"fullName": "sums.bench.js > sum", "benchmarks": [
//!     {"id": "…", "name": "loop", "rank": 1, "samples": [], "min": 0.00066, "mean": 0.00086, "sampleCount": 5807, …}]}]}]}
//! ```
//!
//! Vitest measures with tinybench, so the figures are those of [`tinybench`], in milliseconds. The benchmarks of a
//! `describe` are alternatives. The file has no samples, whatever `includeSamples` says: `createBenchmarkJsonReport` in
//! <https://github.com/vitest-dev/vitest> writes an empty list.
//!
//! Tests: `tests/formats/import/vitest.rs`.

use super::javascript::failure;
use super::loose_json::has_key;
use super::tinybench::{self, Task};
use super::{Draft, ImportErrorKind, Input, json_keys};
use evenhand_trial::{Arm, Metric, Unit};
use serde::Deserialize;

const NO_SAMPLES: &str = "Vitest writes no samples: no interval and no comparison can be made from its figures; run the \
     functions in a Bench of tinybench with retainSamples: true";

pub(super) fn looks_like(head: &[u8]) -> bool {
    json_keys::first_keys(head, 1) == ["files"] && has_key(head, "filepath") && has_key(head, "groups")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: WireFile = serde_json::from_reader(input)?;
    draft.tool("Vitest");
    for group in file.files.into_iter().flat_map(|file| file.groups) {
        for benchmark in group.benchmarks {
            draft.add_or_leave_out(|draft| add_benchmark(benchmark, &group.full_name, draft));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    files: Vec<WireTests>,
}

#[derive(Deserialize)]
struct WireTests {
    groups: Vec<WireGroup>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireGroup {
    full_name: String,
    benchmarks: Vec<Task>,
}

fn add_benchmark(benchmark: Task, group: &str, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let name = benchmark.name.as_deref().unwrap_or_default();
    let arm = Arm { name: format!("{group} > {name}"), group: group.to_owned(), ..Arm::default() };
    let arm = draft.arm(arm);
    let column = draft.metric(Metric::time("wall", Unit::new("ms")));
    if benchmark.mean.is_none() {
        draft.failure(failure(arm, Some("Vitest has no figures for it".to_owned())));
        return Ok(());
    }
    tinybench::add_latency(benchmark, arm, column, NO_SAMPLES, draft)
}
