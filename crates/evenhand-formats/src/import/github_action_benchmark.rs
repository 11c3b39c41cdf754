//! What did github-action-benchmark keep? The figures of each run on each branch, in `data.js`, and the list that a tool of
//! one's own hands to it.
//!
//! ```text
//! window.BENCHMARK_DATA = {"lastUpdate": …, "entries": {"Rust Benchmark": [
//!     {"commit": {"id": "…"}, "date": 1639560585342, "tool": "customSmallerIsBetter", "benches": [
//!         {"name": "parse", "value": 1001100, "unit": "ns/op", "range": "± 20"}]}]}}
//! [{"name": "parse", "unit": "ns/op", "value": 1001100}]
//! ```
//!
//! The newest run of each suite is read. What its tool writes as `range` and `extra` is text of another form for each
//! tool, and left out.
//!
//! Format: `src/write.ts` and `src/extract.ts` in <https://github.com/benchmark-action/github-action-benchmark>.
//!
//! Tests: `tests/formats/import/github_action_benchmark.rs`.

use super::loose_json::{Number, after_mark, has_key};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::environment::Git;
use evenhand_trial::{Arm, Better, Metric, Per, Reported, Unit};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};

const ASSIGNMENT: &[u8] = b"window.BENCHMARK_DATA";

/// As far as the sign of equality is looked for, white space and all.
const LONGEST_ASSIGNMENT: u64 = 64;

const NO_SAMPLES: &str = "github-action-benchmark keeps one figure of each benchmark and no samples: no interval and no \
                          comparison can be made from it; import what the benchmarks wrote";

pub(super) fn looks_like(head: &[u8]) -> bool {
    let head = after_mark(head);
    head.starts_with(ASSIGNMENT) || head.strip_prefix(b"[").is_some_and(is_one_of_a_list)
}

/// Whether the first of a list has the three keys of each figure.
fn is_one_of_a_list(head: &[u8]) -> bool {
    let first = head.split(|byte| *byte == b'}').next().unwrap_or_default();
    let is_object = first.trim_ascii_start().starts_with(b"{");
    is_object && ["name", "unit", "value"].iter().all(|key| has_key(first, key))
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.tool("github-action-benchmark");
    draft.note(NO_SAMPLES);
    if after_mark(input.fill_buf()?).starts_with(b"[") {
        let list: Vec<WireFigure> = serde_json::from_reader(input)?;
        add_figures(list, "", None, draft);
        return Ok(());
    }
    let mut assignment = Vec::with_capacity(LONGEST_ASSIGNMENT as usize);
    input.by_ref().take(LONGEST_ASSIGNMENT).read_until(b'=', &mut assignment)?;
    // Of a script, the JSON may be followed by a semicolon.
    let mut texts = serde_json::Deserializer::from_reader(input).into_iter::<WireFile>();
    let file = texts.next().ok_or(ImportErrorKind::Nothing)??;
    let begun = file.entries.values().filter_map(|runs| runs.last()?.date);
    if let Ok(at) = Timestamp::from_millisecond(begun.fold(f64::INFINITY, f64::min) as i64) {
        draft.started(at);
    }
    for (suite, runs) in file.entries {
        add_newest(&suite, runs, draft);
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    entries: BTreeMap<String, Vec<WireRun>>,
}

#[derive(Deserialize)]
struct WireRun {
    commit: WireCommit,
    date: Option<f64>,
    tool: String,
    benches: Vec<WireFigure>,
}

#[derive(Deserialize)]
struct WireCommit {
    id: String,
}

#[derive(Deserialize)]
struct WireFigure {
    name: String,
    unit: String,
    value: Number,
}

fn add_newest(suite: &str, mut runs: Vec<WireRun>, draft: &mut Draft) {
    let Some(newest) = runs.pop() else { return };
    if !runs.is_empty() {
        draft.note(format!(
            "\"{}\": the newest of {} runs was read, of commit {}",
            suite.escape_debug(),
            runs.len() + 1,
            newest.commit.id.escape_debug()
        ));
    }
    let git = Git { commit: newest.commit.id, dirty: false, branch: None };
    draft.environment().git.get_or_insert(git);
    add_figures(newest.benches, suite, Some(&newest.tool), draft);
}

fn add_figures(list: Vec<WireFigure>, suite: &str, tool: Option<&str>, draft: &mut Draft) {
    for figure in list {
        draft.add_or_leave_out(|draft| {
            let metric = metric_of(&figure.unit, tool, draft);
            let column = draft.metric(metric);
            let name = figure.name;
            let group = if suite.is_empty() { name.clone() } else { format!("{suite}: {name}") };
            let arm = draft.arm(Arm { name: group.clone(), group, ..Arm::default() });
            let mean = Some(figure.value.0);
            draft.reported(column, Reported { mean, ..Reported::new(arm, column.metric) });
            Ok(())
        });
    }
}

/// What is counted by time is better when there is more of it, unless the user said otherwise.
fn metric_of(unit: &str, tool: Option<&str>, draft: &mut Draft) -> Metric {
    let by_time = ["/s", "/sec", "/second"].iter().any(|end| unit.ends_with(end));
    let better = match tool {
        Some("customBiggerIsBetter") => Better::Higher,
        Some("customSmallerIsBetter") => Better::Lower,
        _ if by_time => Better::Higher,
        Some(_) => Better::Lower,
        None => {
            draft.note("the file does not say which direction is better: lower is assumed, higher for what is counted by time");
            Better::Lower
        }
    };
    let each = ["/iter", "/op"].iter().find_map(|end| unit.strip_suffix(end));
    let time = Some(Unit::new(each.unwrap_or(unit))).filter(|unit| unit.in_seconds().is_some());
    match time.filter(|_| better == Better::Lower) {
        Some(unit) => Metric { per: Per::Iteration, ..Metric::time("wall", unit) },
        None => {
            let name = if by_time { "throughput" } else { "value" };
            Metric { name: name.to_owned(), unit: Unit::new(unit), per: Per::Iteration, better }
        }
    }
}
