//! Files of tools that are known and not read: each is named, with what to do instead.

use crate::foreign::{fixture, trial};
use evenhand_formats::import::{ImportErrorKind, import, recognise};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Each fixture, with the tool that it is told as.
fn told() -> BTreeMap<String, &'static str> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/unread");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let told = names.filter(|name| name != "ORIGIN.md").map(|name| {
        let bytes = fixture(&format!("unread/{name}"));
        let ImportErrorKind::Unread(unread) = import(&bytes[..], &name, None).unwrap_err().problem else {
            panic!("{name} is not told: {:?}", recognise(&bytes));
        };
        (name, unread.tool)
    });
    told.collect()
}

#[test]
fn each_is_told_by_its_tool() {
    let told = told();
    let expected = [
        ("benchmarkdotnet.csv", "BenchmarkDotNet's CSV exporter"),
        ("cargo-criterion.json", "cargo-criterion"),
        ("catch2.json", "Catch2's JSON reporter"),
        ("celero.csv", "Celero"),
        ("conbench.json", "Conbench"),
        ("google-benchmark.csv", "Google Benchmark's CSV reporter"),
        ("gungraun.json", "gungraun"),
        ("jmeter.csv", "JMeter"),
        ("k6-rows.csv", "k6's CSV output"),
        ("krun.json", "Krun"),
        ("lnt-1.json", "LNT"),
        ("lnt-2.json", "LNT"),
        ("swift.json", "package-benchmark of Swift"),
    ];
    assert_eq!(told.iter().map(|(name, tool)| (name.as_str(), *tool)).collect::<Vec<_>>(), expected);
}

#[test]
fn the_words_name_the_tool_and_the_way_out() {
    let said = import(&fixture("unread/catch2.json")[..], "tests.json", None).unwrap_err().to_string();
    assert_eq!(
        said,
        "tests.json: written by Catch2's JSON reporter, which evenhand does not read: it writes no benchmarks; run the tests \
         with `-r xml` and import that"
    );
}

/// The book's list is the one of the program.
#[test]
fn the_book_lists_them_all() {
    let book = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/README.md"))
        .unwrap();
    for tool in told().values() {
        assert!(book.contains(tool), "docs/formats/README.md does not name {tool}");
    }
}

#[test]
fn a_format_that_is_read_is_never_taken_for_one_of_them() {
    for name in ["columns/wide.csv", "hyperfine/v1.5_two.csv", "jmh/results.csv", "go/test-json.json"] {
        assert!(!trial(name).arms.is_empty());
    }
}
