//! Which format is it? The table of all formats, and how one is told from another by its content.
//!
//! Adding a format touches five adjacent places in this file and one `mod` line above.
//!
//! Tests: `tests/formats/import/recognising.rs`.

use super::draft::Draft;
use super::problem::Problem;
use super::{
    benchmark_dotnet, catch2, columns, criterion, evenhand, go_bench, google_benchmark, hyperfine, jmh,
    latte, mitata, nanobench, parquet, pyperf, pytest_benchmark, tango, tinybench,
};
use std::fmt;
use std::io::{BufReader, Read};
use std::str::FromStr;

/// How much of a file the recognisers see.
pub const HEAD_BYTES: usize = 64 * 1024;

/// A format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A trial in evenhand's own JSON.
    Evenhand,
    /// hyperfine's --export-json.
    Hyperfine,
    /// sample.json of criterion's target/criterion tree.
    Criterion,
    /// Google Benchmark's --benchmark_out JSON.
    GoogleBenchmark,
    /// pyperf's JSON.
    Pyperf,
    /// pytest-benchmark's --benchmark-json.
    PytestBenchmark,
    /// JMH's -rf json.
    Jmh,
    /// BenchmarkDotNet's full JSON.
    BenchmarkDotNet,
    /// text of go test -bench.
    GoBench,
    /// nanobench's JSON template.
    Nanobench,
    /// Catch2's XML reporter.
    Catch2,
    /// mitata's JSON.
    Mitata,
    /// tinybench's task results as JSON.
    Tinybench,
    /// latte's JSON report.
    Latte,
    /// A table in Apache Parquet.
    Parquet,
    /// CSV dumps of tango-bench.
    Tango,
    /// CSV, TSV or one number a line.
    Columns,
}

/// Every format, in the order in which they are tried: columns take nearly everything that looks like numbers, so they
/// come after all other text.
const ALL: [Format; 17] = [
    Format::Evenhand,
    Format::Hyperfine,
    Format::Criterion,
    Format::GoogleBenchmark,
    Format::Pyperf,
    Format::PytestBenchmark,
    Format::Jmh,
    Format::BenchmarkDotNet,
    Format::GoBench,
    Format::Nanobench,
    Format::Catch2,
    Format::Mitata,
    Format::Tinybench,
    Format::Latte,
    Format::Tango,
    Format::Columns,
    Format::Parquet,
];

/// The formats that this build can read. Others are recognised, and refused with the way out.
pub const FORMATS: [Format; BUILT_IN] = {
    let mut built_in = [Format::Columns; BUILT_IN];
    let mut index = 0;
    while index < BUILT_IN {
        built_in[index] = ALL[index];
        index += 1;
    }
    built_in
};

/// Parquet is the last of all.
const BUILT_IN: usize = if cfg!(feature = "parquet") { ALL.len() } else { ALL.len() - 1 };

impl Format {
    /// What the user types after `--format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evenhand => "evenhand",
            Self::Hyperfine => "hyperfine",
            Self::Criterion => "criterion",
            Self::GoogleBenchmark => "google-benchmark",
            Self::Pyperf => "pyperf",
            Self::PytestBenchmark => "pytest-benchmark",
            Self::Jmh => "jmh",
            Self::BenchmarkDotNet => "benchmark-dotnet",
            Self::GoBench => "go-bench",
            Self::Nanobench => "nanobench",
            Self::Catch2 => "catch2",
            Self::Mitata => "mitata",
            Self::Tinybench => "tinybench",
            Self::Latte => "latte",
            Self::Parquet => "parquet",
            Self::Tango => "tango",
            Self::Columns => "columns",
        }
    }

    fn looks_like(self, head: &[u8]) -> bool {
        match self {
            Self::Evenhand => evenhand::looks_like(head),
            Self::Hyperfine => hyperfine::looks_like(head),
            Self::Criterion => criterion::looks_like(head),
            Self::GoogleBenchmark => google_benchmark::looks_like(head),
            Self::Pyperf => pyperf::looks_like(head),
            Self::PytestBenchmark => pytest_benchmark::looks_like(head),
            Self::Jmh => jmh::looks_like(head),
            Self::BenchmarkDotNet => benchmark_dotnet::looks_like(head),
            Self::GoBench => go_bench::looks_like(head),
            Self::Nanobench => nanobench::looks_like(head),
            Self::Catch2 => catch2::looks_like(head),
            Self::Mitata => mitata::looks_like(head),
            Self::Tinybench => tinybench::looks_like(head),
            Self::Latte => latte::looks_like(head),
            Self::Parquet => parquet::looks_like(head),
            Self::Tango => tango::looks_like(head),
            Self::Columns => columns::looks_like(head),
        }
    }

    pub(super) fn read(self, input: BufReader<impl Read>, draft: &mut Draft) -> Result<(), Problem> {
        match self {
            Self::Evenhand => evenhand::read(input, draft),
            Self::Hyperfine => hyperfine::read(input, draft),
            Self::Criterion => criterion::read(input, draft),
            Self::GoogleBenchmark => google_benchmark::read(input, draft),
            Self::Pyperf => pyperf::read(input, draft),
            Self::PytestBenchmark => pytest_benchmark::read(input, draft),
            Self::Jmh => jmh::read(input, draft),
            Self::BenchmarkDotNet => benchmark_dotnet::read(input, draft),
            Self::GoBench => go_bench::read(input, draft),
            Self::Nanobench => nanobench::read(input, draft),
            Self::Catch2 => catch2::read(input, draft),
            Self::Mitata => mitata::read(input, draft),
            Self::Tinybench => tinybench::read(input, draft),
            Self::Latte => latte::read(input, draft),
            Self::Parquet => parquet::read(input, draft),
            Self::Tango => tango::read(input, draft),
            Self::Columns => columns::read(input, draft),
        }
    }
}

/// The format of a file that begins with `head`.
pub fn recognise(head: &[u8]) -> Option<Format> {
    ALL.into_iter().find(|format| format.looks_like(head))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
            format!("there is no format \"{}\": choose one of {}", text.escape_debug(), names.join(", "))
        })
    }
}
