//! What does a line of `go test -json` say? A piece of the text that `go test` alone would print.
//!
//! ```text
//! {"Time":"…","Action":"output","Package":"example.com/textlen","Output":"BenchmarkRunes-2   \t"}
//! {"Time":"…","Action":"output","Package":"example.com/textlen","Output":"     100\t      8363 ns/op\n"}
//! ```
//!
//! A line of text may come in several events, between which those of other packages may stand.
//!
//! Format: <https://pkg.go.dev/cmd/test2json>.
//!
//! Tests: `tests/formats/import/go_bench.rs`.

use super::line::LONGEST_LINE;
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Event {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    output: String,
}

impl Event {
    /// `None` for every other line.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line.strip_prefix(b"{").map(|_| line)?).ok()
    }

    pub(super) fn is_of_a_benchmark(&self) -> bool {
        self.action == "output" && ["Benchmark", "goos: "].iter().any(|begin| self.output.starts_with(begin))
    }
}

/// The lines that have begun, by package.
#[derive(Default)]
pub(super) struct Pieces(HashMap<String, String>);

impl Pieces {
    /// The line that this event ends, with its package.
    pub(super) fn join(&mut self, event: Event) -> Option<(String, String)> {
        let begun = self.0.entry(event.package.clone()).or_default();
        if begun.len() <= LONGEST_LINE {
            begun.push_str(&event.output);
        }
        event.output.ends_with('\n').then(|| (event.package, std::mem::take(begun)))
    }
}
