//! Which format is it? The table of all formats, and how one is told from another by its content.
//!
//! A new format is one file, its `mod` line, one row here, and its page in the book with the line that lists it.
//!
//! Tests: `tests/formats/import/recognising.rs`.

use super::draft::Draft;
use super::error::ImportErrorKind;
use super::input::Input;
use super::{
    asv, bencher, benchmark_dotnet, catch2, columns, criterion, evenhand, github_action_benchmark, go_bench,
    google_benchmark, hyperfine, jmh, julia, k6, latte, mitata, nanobench, oha, parquet, pyperf,
    pytest_benchmark, tango, tinybench, vegeta, vitest,
};
use std::fmt;
use std::str::FromStr;

/// What there is to know of a format.
struct Reader {
    name: &'static str,
    results_of: &'static str,
    page: &'static str,
    looks_like: fn(&[u8]) -> bool,
    read: fn(Input<'_>, &mut Draft) -> Result<(), ImportErrorKind>,
}

/// Makes the enum and the table from the rows: the name after `--from`, whose results these are, the page of the book below
/// `docs/formats`, and the module that reads them.
macro_rules! formats {
    ($($format:ident, $name:literal, $results_of:literal, $page:literal, $module:ident;)+) => {
        /// A format of results.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Format {
            $(#[doc = $results_of] $format,)+
        }

        const ALL: &[Format] = &[$(Format::$format),+];

        static READERS: &[Reader] = &[$(Reader {
            name: $name,
            results_of: $results_of,
            page: $page,
            looks_like: $module::looks_like,
            read: $module::read,
        }),+];
    };
}

// They are tried in this order: columns take nearly everything that looks like numbers, so they come after all other text.
formats! {
    Evenhand, "evenhand", "evenhand's own JSON", "../trials.md", evenhand;
    Hyperfine, "hyperfine", "hyperfine", "hyperfine.md", hyperfine;
    Criterion, "criterion", "criterion", "criterion.md", criterion;
    GoogleBenchmark, "google-benchmark", "Google Benchmark", "google_benchmark.md", google_benchmark;
    Pyperf, "pyperf", "pyperf", "pyperf.md", pyperf;
    PytestBenchmark, "pytest-benchmark", "pytest-benchmark", "pytest-benchmark.md", pytest_benchmark;
    Asv, "asv", "asv (airspeed velocity)", "asv.md", asv;
    Jmh, "jmh", "JMH", "jmh.md", jmh;
    BenchmarkDotNet, "benchmark-dotnet", "BenchmarkDotNet", "benchmark-dotnet.md", benchmark_dotnet;
    GoBench, "go-bench", "Go, `go test -bench`", "go-bench.md", go_bench;
    Nanobench, "nanobench", "nanobench", "nanobench.md", nanobench;
    Catch2, "catch2", "Catch2", "catch2.md", catch2;
    Mitata, "mitata", "mitata", "mitata.md", mitata;
    Tinybench, "tinybench", "tinybench", "tinybench.md", tinybench;
    Vitest, "vitest", "Vitest, `vitest bench`", "vitest.md", vitest;
    Latte, "latte", "latte", "latte.md", latte;
    Julia, "julia", "BenchmarkTools of Julia", "julia.md", julia;
    K6, "k6", "k6", "k6.md", k6;
    Vegeta, "vegeta", "vegeta", "vegeta.md", vegeta;
    Oha, "oha", "oha", "oha.md", oha;
    Bencher, "bencher", "Bencher Metric Format", "bencher.md", bencher;
    GithubActionBenchmark, "github-action-benchmark", "github-action-benchmark", "github-action-benchmark.md", github_action_benchmark;
    Tango, "tango", "tango", "tango.md", tango;
    Columns, "columns", "numbers in CSV, TSV or one a line", "columns.md", columns;
    Parquet, "parquet", "Parquet", "parquet.md", parquet;
}

/// The formats that this build can read. Others are recognised, and refused with the way out.
pub const FORMATS: &[Format] = ALL.split_at(BUILT_IN).0;

/// Parquet is the last of all.
const BUILT_IN: usize = if cfg!(feature = "parquet") { ALL.len() } else { ALL.len() - 1 };

impl Format {
    fn reader(self) -> &'static Reader {
        &READERS[self as usize]
    }

    /// What the user types after `--from`.
    pub fn name(self) -> &'static str {
        self.reader().name
    }

    /// Whose results these are, as the book lists them.
    pub fn results_of(self) -> &'static str {
        self.reader().results_of
    }

    /// The page of the book, seen from `docs/formats`.
    pub fn page(self) -> &'static str {
        self.reader().page
    }

    pub(super) fn read(self, input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        (self.reader().read)(input, draft)
    }
}

/// The format of a file that begins with `head`.
pub fn recognise(head: &[u8]) -> Option<Format> {
    ALL.iter().copied().find(|format| (format.reader().looks_like)(head))
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
