//! Which format is it? The table of all formats, and how one is told from another by its content.
//!
//! Adding a format touches one entry here and one `mod` line above.
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

/// All that is told apart here: one entry a format, with what the user types after `--from` and the module that reads it. They are
/// tried in this order: columns take nearly everything that looks like numbers, so they come after all other text.
macro_rules! formats {
    ($($(#[$doc:meta])+ $format:ident, $name:literal, $module:ident;)+) => {
        /// A format of results.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Format {
            $($(#[$doc])+ $format,)+
        }

        const ALL: &[Format] = &[$(Format::$format),+];

        impl Format {
            /// What the user types after `--from`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$format => $name,)+
                }
            }

            fn looks_like(self, head: &[u8]) -> bool {
                match self {
                    $(Self::$format => $module::looks_like(head),)+
                }
            }

            pub(super) fn read(self, input: BufReader<impl Read>, draft: &mut Draft) -> Result<(), Problem> {
                match self {
                    $(Self::$format => $module::read(input, draft),)+
                }
            }
        }
    };
}

formats! {
    /// A trial in evenhand's own JSON.
    Evenhand, "evenhand", evenhand;
    /// hyperfine's --export-json.
    Hyperfine, "hyperfine", hyperfine;
    /// sample.json of criterion's target/criterion tree.
    Criterion, "criterion", criterion;
    /// Google Benchmark's --benchmark_out JSON.
    GoogleBenchmark, "google-benchmark", google_benchmark;
    /// pyperf's JSON.
    Pyperf, "pyperf", pyperf;
    /// pytest-benchmark's --benchmark-json.
    PytestBenchmark, "pytest-benchmark", pytest_benchmark;
    /// JMH's -rf json.
    Jmh, "jmh", jmh;
    /// BenchmarkDotNet's full JSON.
    BenchmarkDotNet, "benchmark-dotnet", benchmark_dotnet;
    /// text of go test -bench.
    GoBench, "go-bench", go_bench;
    /// nanobench's JSON template.
    Nanobench, "nanobench", nanobench;
    /// Catch2's XML reporter.
    Catch2, "catch2", catch2;
    /// mitata's JSON.
    Mitata, "mitata", mitata;
    /// tinybench's task results as JSON.
    Tinybench, "tinybench", tinybench;
    /// latte's JSON report.
    Latte, "latte", latte;
    /// CSV dumps of tango-bench.
    Tango, "tango", tango;
    /// CSV, TSV or one number a line.
    Columns, "columns", columns;
    /// A table in Apache Parquet.
    Parquet, "parquet", parquet;
}

impl Format {
    /// Whether it is JSON that another tool wrote, perhaps with numbers in it that JSON does not have.
    pub(super) fn is_foreign_json(self) -> bool {
        match self {
            Self::Hyperfine
            | Self::Criterion
            | Self::GoogleBenchmark
            | Self::Pyperf
            | Self::PytestBenchmark
            | Self::Jmh
            | Self::BenchmarkDotNet
            | Self::Nanobench
            | Self::Mitata
            | Self::Tinybench
            | Self::Latte => true,
            Self::Evenhand | Self::GoBench | Self::Catch2 | Self::Tango | Self::Columns | Self::Parquet => {
                false
            }
        }
    }
}

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

/// The format of a file that begins with `head`.
pub fn recognise(head: &[u8]) -> Option<Format> {
    ALL.iter().copied().find(|format| format.looks_like(head))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        ALL.iter().copied().find(|format| format.name() == text).ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
            format!("no format \"{}\": choose one of {}", text.escape_debug(), names.join(", "))
        })
    }
}
