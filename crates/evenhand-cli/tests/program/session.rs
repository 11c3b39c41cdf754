//! Does somebody who has never seen the program get from a folder of results to an answer?

use crate::desk::Desk;

#[test]
fn from_a_folder_to_an_answer() {
    let mut desk = Desk::with_results();
    for line in [
        "evenhand list",
        "evenhand import results",
        "evenhand list",
        "evenhand analyze @last",
        "evenhand show @last",
        "evenhand label @last~1 'before the rewrite'",
        "evenhand list -n 1",
        "evenhand analyze 'before the rewrite' new.json",
        "evenhand export @last -o last.csv",
        "evenhand import last.csv",
        "evenhand label 'before the rewrite' --remove",
        "evenhand rm @last",
        "evenhand list",
        "evenhand archive check",
        "evenhand archive path",
    ] {
        assert_eq!(desk.type_in(line).code, 0, "{line}");
    }
    desk.expect("session");
}

#[test]
fn every_kind_of_result_is_compared_and_exported() {
    let mut desk = Desk::new();
    for file in [
        "benchmarkdotnet/Demo.Words-report-full.json",
        "catch2/samples.xml",
        "columns/wide.csv",
        "criterion/tree",
        "go/bench.txt",
        "google_benchmark/repeated.json",
        "hyperfine/v2_fail.json",
        "jmh/words.json",
        "latte/report.json",
        "mitata/groups-samples.json",
        "nanobench/results.json",
        "pyperf/suite.json",
        "pytest-benchmark/with-data.json",
        "tango/0.9.0/sum-long.csv",
        "tinybench/samples.json",
    ] {
        let path = crate::desk::fixtures().join(file);
        let path = path.to_str().unwrap();
        let imported = desk.run(&["import", path]);
        assert_eq!(imported.code, 0, "{file}: {}", imported.err);
        let analysed = desk.run(&["analyze", "@last"]);
        assert_eq!((analysed.code, analysed.err.as_str()), (0, ""), "{file}");
        assert!(
            analysed.out.contains("wall") || analysed.out.contains("throughput"),
            "{file}: {}",
            analysed.out
        );
        let exported = desk.run(&["export", "@last", "-o", "copy.json"]);
        assert_eq!((exported.code, exported.err.as_str()), (0, ""), "{file}");
        let again = desk.run(&["import", "copy.json"]);
        assert!(again.out.contains("(already there)"), "{file}: {}", again.out);
    }
    desk.type_in("evenhand list");
    desk.expect("every_kind");
}

#[test]
fn what_came_together_is_compared_together() {
    let mut desk = Desk::with_results();
    for place in 1..=7 {
        let samples: String =
            (0..12).map(|sample| format!("{}.5\n", 1_000 + sample * 7 % 5 + place)).collect();
        desk.write(format!("many runs/{place}.csv"), format!("wall_ms\n{samples}"));
    }
    desk.fixture("pytest-benchmark/with-data.json", "results/lengths.json");
    for line in [
        "evenhand import old.json new.json results/sums.csv old.json",
        "evenhand import 'many runs/1.csv' 'many runs/2.csv'",
        "evenhand import 'many runs'",
        "evenhand import 'many runs' results",
    ] {
        let done = desk.type_in(line);
        assert_eq!(done.code, 0, "{line}");
        let advice = done.out.lines().last().and_then(|line| line.split("evenhand analyze ").nth(1)).unwrap();
        let words = crate::desk::words(advice.split(" and ").next().unwrap());
        let words: Vec<&str> = ["analyze"].into_iter().chain(words.iter().map(String::as_str)).collect();
        let followed = desk.run(&words);
        assert_eq!((followed.code, followed.err.as_str()), (0, ""), "{advice}");
    }
    desk.expect("together");
}

#[test]
fn two_inputs_are_no_rivals() {
    let mut desk = Desk::new();
    desk.fixture("pytest-benchmark/with-data.json", "lengths.json");
    desk.type_in("evenhand analyze lengths.json");
    desk.type_in("evenhand analyze lengths.json --baseline 'test_lengths.py::test_sort[20]'");
    desk.expect("two_inputs");
}

#[test]
fn a_file_is_one_trial_however_it_is_named() {
    let desk = Desk::with_results();
    let path = desk.path("old.json");
    assert_eq!(
        desk.run(&["import", "old.json", "./old.json", path.to_str().unwrap(), "results/old.json"]).code,
        0
    );
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 1);
}

#[test]
fn a_label_is_given_also_to_what_was_there() {
    let desk = Desk::with_archive();
    desk.run(&["import", "old.json", "--label", "nightly"]);
    assert!(desk.run(&["show", "nightly"]).out.contains("label        nightly"));
    desk.run(&["import", "results", "--label", "both"]);
    assert!(desk.run(&["show", "both"]).out.contains("results/old.json"));
    assert!(desk.run(&["show", "both 2"]).out.contains("results/sums.csv"));
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let desk = Desk::with_results();
    for words in [
        &["import", "-"][..],
        &["analyze", "-"],
        &["show", "-"],
        &["export", "-"],
        &["analyze", "-", "new.json"],
    ] {
        let file = std::fs::File::open(desk.path("old.json")).unwrap();
        let output = desk.command(words).stdin(file).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn several_sets_of_criterion_are_compared_oldest_first() {
    let desk = Desk::new();
    let tree = crate::desk::fixtures().join("criterion/tree");
    let done = desk.run(&["analyze", "--verbose", tree.to_str().unwrap()]);
    assert!(done.out.contains("tree (new): alone"), "{}", done.out);
    assert!(!done.out.contains("tree (before): alone differs from"), "{}", done.out);
}

#[test]
fn a_folder_of_ones_own_is_found_from_below() {
    let desk = Desk::with_results();
    std::fs::create_dir(desk.path(".evenhand")).unwrap();
    assert_eq!(desk.run(&["import", "."]).code, 0);
    let below = desk.command(&["list", "--json"]).current_dir(desk.path("results")).output().unwrap();
    assert_eq!(below.stdout.iter().filter(|byte| **byte == b'\n').count(), 3);
    assert!(!desk.archive().exists());
}
