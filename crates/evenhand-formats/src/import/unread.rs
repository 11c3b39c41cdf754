//! Whose file is it, if we do not read it? One row a tool, with the way out for its user.
//!
//! Tests: `tests/formats/import/unread.rs`.

use super::headings::begin_with;
use super::loose_json::{after_mark, has_key};
use std::fmt;

/// A tool whose files are recognised and not read.
pub struct Unread {
    pub tool: &'static str,
    looks_like: fn(&[u8]) -> bool,
    /// What its user can do instead.
    pub way_out: &'static str,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tool)
    }
}

const SAMPLES_AS_CSV: &str = "write its samples as CSV, one column for each benchmark, and import that";
const FIGURES_ONLY: &str = "it holds figures without samples; import what the benchmarks themselves wrote";

static UNREAD: &[Unread] = &[
    Unread {
        tool: "BenchmarkDotNet's CSV exporter",
        looks_like: |head| begin_with(head, &["Method", "Job", "AnalyzeLaunchVariance", "Mean"]),
        way_out: "import what JsonExporter.Full writes, `*-report-full.json`",
    },
    Unread {
        tool: "cargo-criterion",
        looks_like: |head| is_object(head, &["reason", "iteration_count", "measured_values"]),
        way_out: "import the folder target/criterion",
    },
    Unread {
        tool: "Catch2's JSON reporter",
        looks_like: |head| is_object(head, &["catch2-version", "test-cases"]),
        way_out: "it writes no benchmarks; run the tests with `-r xml` and import that",
    },
    Unread {
        tool: "Celero",
        looks_like: |head| begin_with(head, &["Group", "Experiment", "Problem Space", "Samples"]),
        way_out: FIGURES_ONLY,
    },
    Unread {
        tool: "Conbench",
        looks_like: |head| is_object(head, &["batch_id", "run_id", "stats"]),
        way_out: "write the list `stats.data` as CSV, one column for each benchmark, and import that",
    },
    Unread {
        tool: "Google Benchmark's CSV reporter",
        looks_like: |head| has_line_with(head, &["name", "iterations", "real_time", "cpu_time", "time_unit"]),
        way_out: "run it with `--benchmark_out=FILE --benchmark_out_format=json` and import that",
    },
    Unread {
        tool: "gungraun",
        looks_like: |head| is_object(head, &["benchmark_exe", "benchmark_file", "module_path"]),
        way_out: "it counts instructions, which have no noise to test; compare its figures as they are",
    },
    Unread {
        tool: "JMeter",
        looks_like: |head| begin_with(head, &["timeStamp", "elapsed", "label"]),
        way_out: "write the column `elapsed` of each label as CSV, one column for each, and import that",
    },
    Unread {
        tool: "k6's CSV output",
        looks_like: |head| begin_with(head, &["metric_name", "timestamp", "metric_value"]),
        way_out: "run it with `--out json=FILE` and import that",
    },
    Unread {
        tool: "Krun",
        looks_like: |head| is_object(head, &["wallclock_times"]),
        way_out: "write its lists `wallclock_times` as CSV, with the columns arm, launch and wall (s), and import that",
    },
    Unread {
        tool: "LNT",
        looks_like: |head| {
            is_object(head, &["Machine", "Run"]) || is_object(head, &["format_version", "machine", "run"])
        },
        way_out: SAMPLES_AS_CSV,
    },
    Unread {
        tool: "package-benchmark of Swift",
        looks_like: |head| is_object(head, &["machine", "results", "target", "scalingFactor"]),
        way_out: "run `swift package benchmark --format jmh` and import that",
    },
];

/// The tool that wrote a file which begins with `head`.
pub(super) fn recognise(head: &[u8]) -> Option<&'static Unread> {
    UNREAD.iter().find(|unread| (unread.looks_like)(head))
}

fn is_object(head: &[u8], keys: &[&str]) -> bool {
    after_mark(head).starts_with(b"{") && keys.iter().all(|key| has_key(head, key))
}

/// Google Benchmark writes some lines of words above its headings.
fn has_line_with(head: &[u8], headings: &[&str]) -> bool {
    head.split(|byte| *byte == b'\n').take(40).any(|line| begin_with(line, headings))
}
