//! What did BenchmarkTools of Julia measure? What `BenchmarkTools.save` writes, and what PkgBenchmark puts around it.
//!
//! ```text
//! [{"Julia": "1.6.4", "BenchmarkTools": "1.0.0"}, [["BenchmarkGroup", {"tags": [], "data": {"sum": ["Trial",
//!     {"times": [22.75, 26.82], "gctimes": [0.0, 0.0], "memory": 496, "allocs": 1, "params": ["Parameters", {"evals": 990, …}]}]}}]]]
//! {"name": "…", "benchmarkgroup": "[{\"Julia\": …", "commit": "…", …}
//! ```
//!
//! A trial is an arm, named by the keys of the groups around it. A time is nanoseconds of one evaluation, the mean of
//! `evals` of them. BenchmarkTools before 1.0 sorted the times. Memory and allocations are those of one evaluation, counted
//! once. Estimates, ratios and judgements do not say what they are made of, and are left out.
//!
//! Format: `src/serialization.jl` and `src/trials.jl` in <https://github.com/JuliaCI/BenchmarkTools.jl>.
//!
//! Tests: `tests/formats/import/julia.rs`.

use super::loose_json::{after_mark, has_key};
use super::{Draft, ImportErrorKind, Input, possible};
use evenhand_trial::{Arm, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;

/// Times that rise this often in a row were sorted.
const SORTED_FROM: usize = 8;

const SORTED: &str =
    "BenchmarkTools sorted the samples: their order and their autocorrelation cannot be known";

pub(super) fn looks_like(head: &[u8]) -> bool {
    match after_mark(head).first() {
        Some(b'[') => has_key(head, "Julia") && has_key(head, "BenchmarkTools"),
        Some(b'{') => has_key(head, "benchmarkgroup"),
        _ => false,
    }
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let (versions, values) = match after_mark(input.fill_buf()?).starts_with(b"{") {
        true => {
            let outer: WirePackage = serde_json::from_reader(input)?;
            serde_json::from_str::<WireFile>(&outer.benchmarkgroup)?
        }
        false => serde_json::from_reader::<_, WireFile>(input)?,
    };
    keep_versions(versions, draft);
    for value in values {
        add(value, &mut Vec::new(), draft);
    }
    Ok(())
}

type WireFile = (BTreeMap<String, IgnoredOrText>, Vec<Node>);

/// Versions are text, or `{"major": 1, …}` of long ago.
#[derive(Deserialize)]
#[serde(untagged)]
enum IgnoredOrText {
    Text(String),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct WirePackage {
    benchmarkgroup: String,
}

/// A value with the name of its type: `["Trial", {…}]`.
enum Node {
    Group(WireGroup),
    Trial(WireTrial),
    Other(String),
}

#[derive(Deserialize)]
struct WireGroup {
    data: BTreeMap<String, Node>,
}

#[derive(Deserialize)]
struct WireTrial {
    times: Vec<f64>,
    #[serde(default)]
    gctimes: Vec<f64>,
    memory: f64,
    allocs: f64,
    params: (String, WireParameters),
}

#[derive(Deserialize)]
struct WireParameters {
    evals: f64,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OneNode)
    }
}

struct OneNode;

impl<'de> Visitor<'de> for OneNode {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with the name of its type")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let kind: String = list.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let missing = || A::Error::invalid_length(1, &"a type and its fields");
        Ok(match kind.strip_prefix("BenchmarkTools.").unwrap_or(&kind) {
            "BenchmarkGroup" => Node::Group(list.next_element()?.ok_or_else(missing)?),
            "Trial" => Node::Trial(list.next_element()?.ok_or_else(missing)?),
            _ => {
                list.next_element::<IgnoredAny>()?;
                Node::Other(kind)
            }
        })
    }
}

fn keep_versions(versions: BTreeMap<String, IgnoredOrText>, draft: &mut Draft) {
    draft.tool("BenchmarkTools");
    for (name, version) in versions {
        match version {
            IgnoredOrText::Text(version) if name == "BenchmarkTools" => {
                draft.tool(&format!("BenchmarkTools {version}"));
            }
            IgnoredOrText::Text(version) if name == "Julia" => {
                draft.environment().tools.insert("julia".to_owned(), version);
            }
            _ => {}
        }
    }
}

/// Adds the trials of a value that stands under these keys.
fn add(value: Node, keys: &mut Vec<String>, draft: &mut Draft) {
    match value {
        Node::Group(group) => {
            for (key, value) in group.data {
                keys.push(key);
                add(value, keys, draft);
                keys.pop();
            }
        }
        Node::Trial(trial) => draft.add_or_leave_out(|draft| add_trial(trial, &name_of(keys), draft)),
        Node::Other(kind) => draft.add_or_leave_out(|_| {
            let what = format_args!("is a {} and no Trial; save what `run` returns", kind.escape_debug());
            Err(ImportErrorKind::wrong(format_args!("\"{}\"", name_of(keys).escape_debug()), what))
        }),
    }
}

fn name_of(keys: &[String]) -> String {
    if keys.is_empty() { "benchmark".to_owned() } else { keys.join("/") }
}

fn add_trial(trial: WireTrial, name: &str, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let evals =
        possible::iterations(format_args!("\"{}\", evals", name.escape_debug()), trial.params.1.evals)?;
    let arm = draft.arm(Arm { name: name.to_owned(), group: name.to_owned(), ..Arm::default() });
    if trial.times.len() >= SORTED_FROM && trial.times.is_sorted() {
        draft.order_is_lost(arm);
        draft.note(SORTED);
    }
    let wall = draft.metric(time("wall"));
    for (name, unit, figure) in
        [("memory", Unit::bytes(), trial.memory), ("allocs", Unit::count(), trial.allocs)]
    {
        let column =
            draft.metric(Metric { name: name.to_owned(), unit, per: Per::Iteration, better: Better::Lower });
        draft.reported(column, Reported { mean: Some(figure), ..Reported::new(arm, column.metric) });
    }
    let count = trial.times.len();
    let mut columns = vec![(wall, trial.times)];
    // Some versions write one less of these.
    if trial.gctimes.len() == count {
        columns.push((draft.metric(time("gc")), trial.gctimes));
    }
    draft.samples(arm, LaunchId(0), Whole::Same { same: evals }, columns)
}

fn time(name: &str) -> Metric {
    Metric { per: Per::Iteration, ..Metric::time(name, Unit::nanoseconds()) }
}
