//! The text of go test -bench: what it maps to, and what is refused.

use crate::foreign::{arm, fixture, iterations, notes, numbers, refused, trial, trial_of};
use evenhand_formats::import::{Format, import, recognise};
use evenhand_trial::{Better, MetricId, Per};

const FORMAT: Format = Format::GoBench;
const RUNES: &str = "Runes/size=100-2";

/// The numbers before a unit on the lines of a benchmark, read without the parser.
fn column(file: &str, name: &str, unit: &str) -> Vec<f64> {
    let text = String::from_utf8(fixture(file)).unwrap();
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let lines = lines.filter(|fields| fields.first() == Some(&name));
    lines
        .map(|fields| fields[fields.iter().position(|field| *field == unit).unwrap() - 1].parse().unwrap())
        .collect()
}

#[test]
fn a_line_is_a_sample_with_its_iterations() {
    let trial = trial("go/bench.txt");
    let names: Vec<_> = trial.arms.iter().map(|arm| (arm.name.as_str(), arm.group.as_str())).collect();
    assert_eq!(names, [(RUNES, RUNES), ("Runes/size=10000-2", "Runes/size=10000-2"), ("Grow-2", "Grow-2")]);
    let wall = &trial.metrics[0];
    assert_eq!(
        (wall.name.as_str(), wall.unit.symbol(), wall.per, wall.better),
        ("wall", "ns", Per::Iteration, Better::Lower)
    );
    assert_eq!(numbers(&trial, RUNES, "wall"), [vec![147.6, 130.4, 122.1, 137.1, 245.0]]);
    assert_eq!(iterations(&trial, RUNES), [(0, vec![149_221, 182_833, 222_544, 194_852, 110_468])]);
    assert_eq!(numbers(&trial, "Grow-2", "wall"), [column("go/bench.txt", "BenchmarkGrow-2", "ns/op")]);
}

#[test]
fn further_pairs_are_metrics() {
    let trial = trial("go/bench.txt");
    for (name, unit, better) in [
        ("MB/s", "MB/s", Better::Higher),
        ("B/op", "B", Better::Lower),
        ("allocs/op", "allocs", Better::Lower),
        ("widgets/op", "widgets", Better::Lower),
    ] {
        let (_, metric) = trial.metric(name).unwrap();
        assert_eq!(
            (metric.unit.symbol(), metric.per, metric.better),
            (unit, Per::Iteration, better),
            "{name}"
        );
    }
    assert_eq!(numbers(&trial, RUNES, "MB/s"), [vec![677.54, 766.63, 819.17, 729.18, 408.14]]);
    assert_eq!(numbers(&trial, "Grow-2", "widgets/op"), [vec![2.3, 0.7, 2.7, 4.3, 6.1]]);
    assert_eq!(numbers(&trial, "Grow-2", "allocs/op"), [vec![8.0, 7.0, 7.0, 7.0, 8.0]]);
    assert!(numbers(&trial, RUNES, "widgets/op")[0].is_empty());
    assert!(notes(&trial).contains("which direction of widgets/op is better"), "{}", notes(&trial));
}

#[test]
fn the_header_is_the_environment_and_the_name_has_parameters() {
    let trial = trial("go/bench.txt");
    let there = &trial.environment;
    assert_eq!((there.system.as_deref(), there.architecture.as_deref()), (Some("linux"), Some("amd64")));
    assert_eq!(there.cpu.model.as_deref(), Some("AMD EPYC"));
    let parameters = &trial.arms[1].parameters;
    assert_eq!((parameters["size"].as_str(), parameters["gomaxprocs"].as_str()), ("10000", "2"));
    assert_eq!(parameters["pkg"], "example.com/textlen/textlen");
}

#[test]
fn a_number_that_only_some_names_end_with_is_not_called_gomaxprocs() {
    let trial = trial("go/verbose.txt");
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["Grow", "Grow-2"]);
    assert!(trial.arms.iter().all(|arm| !arm.parameters.contains_key("gomaxprocs")));
    assert_eq!(numbers(&trial, "Grow", "wall"), [[316.6, 311.7]]);
    assert_eq!(numbers(&trial, "Grow-2", "widgets/op"), [[1.5, 3.9]]);
    let mixed = trial_of("BenchmarkA/len-100 1 5 ns/op\nBenchmarkB/len-8 1 5 ns/op\n", FORMAT);
    assert!(mixed.arms.iter().all(|arm| arm.parameters.is_empty()));
}

#[test]
fn the_end_of_a_process_ends_a_launch() {
    let trial = trial("go/launches.txt");
    assert_eq!(numbers(&trial, RUNES, "wall"), [[579.7, 313.7], [316.9, 241.6], [385.8, 321.8]]);
    let launches: Vec<u32> = iterations(&trial, RUNES).into_iter().map(|(launch, _)| launch).collect();
    assert_eq!(launches, [0, 1, 2]);
}

#[test]
fn a_failure_is_kept_and_a_torn_line_is_said() {
    let trial = trial("go/broken.txt");
    assert_eq!(numbers(&trial, "Fine-2", "wall"), [[27.1]]);
    assert_eq!(trial.failures[0].arm, arm(&trial, "Stops"));
    assert_eq!(trial.failures[0].reason.to_string(), "go test reports FAIL");
    assert!(notes(&trial).contains("1 lines (the first is line 9)"), "{}", notes(&trial));
    assert!(trial.arms.iter().all(|arm| !arm.name.starts_with("Prints")));
}

#[test]
fn packages_keep_benchmarks_of_one_name_apart() {
    let trial =
        trial_of("pkg: a/x\nBenchmarkF 1 5 ns/op\nok  \ta/x\t1s\npkg: a/y\nBenchmarkF 1 7 ns/op\n", FORMAT);
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["a/x.F", "a/y.F"]);
    assert_eq!(numbers(&trial, "a/y.F", "wall"), [[7.0]]);
    assert_eq!(iterations(&trial, "a/y.F"), [(0, vec![1])], "its first launch");
}

#[test]
fn a_unit_that_a_line_lacks_is_missing_there() {
    let text = "BenchmarkF 1 5 ns/op\nBenchmarkF 2 6 ns/op 3 hits/op\nBenchmarkF 3 7 ns/op\n";
    let hits = &numbers(&trial_of(text, FORMAT), "F", "hits/op")[0];
    assert!(hits[0].is_nan() && hits[2].is_nan());
    assert_eq!(hits[1], 3.0);
}

#[test]
fn unit_lines_say_the_direction_and_hyphens_the_name() {
    let text = "Unit hits better=higher assume=exact\nBenchmarkF 1 3 hits 9 p99-ns/op 2 ns/op\n";
    let trial = trial_of(text, FORMAT);
    assert_eq!(trial.metric("hits").unwrap().1.better, Better::Higher);
    let (_, tail) = trial.metric("p99-ns/op").unwrap();
    assert_eq!((tail.unit.symbol(), tail.better), ("ns", Better::Lower));
    assert_eq!(trial.metric("wall").unwrap().0, MetricId(0), "the time comes first");
    assert!(trial.notes.is_empty(), "{}", notes(&trial));
}

#[test]
fn what_changes_between_results_is_said() {
    let trial =
        trial_of("commit: a\nBenchmarkF 1 5 ns/op\ncommit: b\nBenchmarkF 1 6 ns/op\nnoise: 1\n", FORMAT);
    assert_eq!(trial.environment.other.len(), 1);
    assert_eq!(trial.environment.other["commit"], "a");
    assert!(notes(&trial).contains("\"commit\" changes between the results"), "{}", notes(&trial));
}

#[test]
fn seconds_are_a_time_too() {
    let trial = trial_of("BenchmarkF 1 0.5 sec/op\n", FORMAT);
    assert_eq!((trial.metrics[0].name.as_str(), trial.metrics[0].unit.symbol()), ("wall", "s"));
}

#[test]
fn other_lines_are_passed_over() {
    let text = "Benchmarking is fun: 5 ns/op\nBenchmark\n  BenchmarkIndented 1 5 ns/op\n=== RUN BenchmarkF\n\n# note\n\
        BenchmarkF\nBenchmarkF 1 5 ns/op\r\n";
    let trial = trial_of(text, FORMAT);
    assert_eq!((trial.arms.len(), trial.sample_count()), (1, 1));
    assert!(trial.notes.is_empty(), "{}", notes(&trial));
}

#[test]
fn lines_that_break_the_format_are_refused_by_number() {
    for (line, word) in [
        ("BenchmarkF 10 5", "line 2: there is no unit after 5; was the file cut off"),
        ("BenchmarkF 10", "line 2: there is no measurement"),
        ("BenchmarkF 10 fast ns/op", "line 2: \"fast\" is not a number"),
        ("BenchmarkF 10 5 ns/op 7 ns/op", "line 2: the unit ns/op is given twice"),
        ("BenchmarkF 10 5 ns/op 7 sec/op", "line 2: the unit sec/op is given twice"),
        ("BenchmarkF 0 5 ns/op", "line 2: a result has at least 1 iteration"),
        ("BenchmarkF 99999999999999999999 5 ns/op", "line 2: 99999999999999999999 iterations are more"),
        ("BenchmarkF 10 NaN ns/op", "line 2: NaN is not a possible measurement"),
        ("BenchmarkF 10 1e999 ns/op", "line 2: 1e999 is not a possible measurement"),
        ("BenchmarkF 10 -5 ns/op", "\"F\", wall, sample 1: -5 is not"),
    ] {
        let said = refused(format!("goos: linux\n{line}\n"), FORMAT);
        assert!(said.contains(word), "{line}: {said}");
    }
    let many: String = (0..101).map(|unit| format!(" 1 u{unit}")).collect();
    assert!(refused(format!("BenchmarkF 1{many}"), FORMAT).contains("more than 100 measurements"));
}

#[test]
fn a_result_that_breaks_the_format_is_left_out_and_the_others_are_kept() {
    let text = "BenchmarkF 1 5 ns/op\nBenchmarkF 10 fast ns/op\nBenchmarkG 0 5 ns/op\nBenchmarkF 1 7 ns/op\n";
    let trial = trial_of(text, FORMAT);
    assert_eq!(numbers(&trial, "F", "wall"), [[5.0, 7.0]]);
    assert_eq!(trial.arms.len(), 1);
    let said = notes(&trial);
    assert!(said.contains("2 results left out; the first is on line 2: \"fast\" is not a number"), "{said}");
}

#[test]
fn text_that_is_not_utf8_is_left_out_of_results_and_passed_over_elsewhere() {
    let bytes = b"BenchmarkF 1 5 ns/op\nBenchmark\xff 1 5 ns/op\n".as_slice();
    let said = notes(&import(bytes, "text", Some(FORMAT)).unwrap());
    assert!(
        said.contains("1 result left out; the first is on line 2: the result is not UTF-8 text"),
        "{said}"
    );
    assert!(refused(b"Benchmark\xff 1 5 ns/op\n", FORMAT).contains("line 1: the result is not UTF-8 text"));
    let trial = import(b"\xff\x80 log\nBenchmarkF 1 5 ns/op".as_slice(), "text", Some(FORMAT)).unwrap();
    assert_eq!((trial.sample_count(), notes(&trial).contains("left out")), (1, false));
}

#[test]
fn the_events_of_test_json_are_read_as_the_text_in_them() {
    let trial = trial("go/test-json.json");
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["Runes/size=100-2", "Runes/size=10000-2", "Grow-2"]);
    assert_eq!(numbers(&trial, "Runes/size=100-2", "wall"), [[167.2, 173.4]]);
    // The second of these came in two events.
    assert_eq!(numbers(&trial, "Runes/size=10000-2", "wall"), [[22027.0, 8363.0]]);
    assert_eq!(numbers(&trial, "Grow-2", "widgets/op"), [[4.8, 6.0]]);
    assert_eq!(trial.environment.cpu.model.as_deref(), Some("AMD EPYC"));
    assert_eq!(trial.arms[0].parameters["pkg"], "example.com/textlen");
}

#[test]
fn events_of_packages_that_stand_mixed_keep_to_their_package() {
    let event = |package: &str, output: &str| {
        format!("{{\"Action\":\"output\",\"Package\":\"{package}\",\"Output\":\"{output}\"}}\n")
    };
    let text = [
        event("a/x", "BenchmarkF \\t"),
        event("a/y", "BenchmarkF 1 7 ns/op\\n"),
        event("a/x", "1 5 ns/op\\n"),
        event("a/y", "BenchmarkF 1\\n"),
    ];
    let trial = trial_of(&text.concat(), FORMAT);
    assert_eq!(numbers(&trial, "a/x.F", "wall"), [[5.0]]);
    assert_eq!(numbers(&trial, "a/y.F", "wall"), [[7.0]]);
    assert!(notes(&trial).contains("the first is on line 4: there is no measurement"), "{}", notes(&trial));
}

#[test]
fn a_line_without_end_costs_no_memory_and_is_passed_over() {
    let mut text = vec![b'x'; 3_000_000];
    text.extend_from_slice(b"\nBenchmarkF 1 5 ns/op\n");
    assert_eq!(import(text.as_slice(), "text", Some(FORMAT)).unwrap().sample_count(), 1);
}

#[test]
fn files_without_results_hold_none() {
    for text in ["goos: linux\n", "PASS\n", "BenchmarkF\n", "\n\n"] {
        let said = refused(text, FORMAT);
        assert!(said.contains("holds no result"), "{text:?}: {said}");
    }
}

#[test]
fn a_cut_never_makes_up_a_number() {
    let whole = fixture("go/bench.txt");
    let full = &numbers(&trial("go/bench.txt"), RUNES, "wall")[0];
    for cut in 0..whole.len().min(700) {
        let Ok(trial) = import(&whole[..cut], "cut", Some(FORMAT)) else { continue };
        let within_a_line = whole[cut - 1] != b'\n';
        let last = whole[..cut].split(|byte| *byte == b'\n').next_back().unwrap();
        assert_eq!(
            notes(&trial).contains("no line end"),
            within_a_line && last.starts_with(b"Benchmark"),
            "cut at {cut}"
        );
        if trial.metric("wall").is_some() {
            let seen = &numbers(&trial, RUNES, "wall")[0];
            let known = seen.iter().zip(full).all(|(seen, full)| seen.is_nan() || seen == full);
            assert!(known && seen.len() <= full.len(), "cut at {cut}");
        }
    }
}

#[test]
fn no_damage_panics() {
    crate::foreign::no_damage_panics("go/bench.txt", FORMAT);
    crate::foreign::no_damage_panics("go/broken.txt", FORMAT);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("go", FORMAT);
    let marked = [b"\xef\xbb\xbf".as_slice(), &fixture("go/bench.txt")].concat();
    assert_eq!(recognise(&marked), Some(FORMAT));
    assert_eq!(import(marked.as_slice(), "bench", None).unwrap().sample_count(), 15);
}

#[test]
fn a_metric_of_the_users_may_be_below_zero_and_a_time_may_not() {
    let trial = trial("go/below-zero.txt");
    assert_eq!(numbers(&trial, "Score-2", "score"), [vec![-1.5; 3]]);
    let said = refused("BenchmarkA 1 -5 ns/op\n", FORMAT);
    assert!(said.contains("-5 is not a possible measurement"), "{said}");
}
