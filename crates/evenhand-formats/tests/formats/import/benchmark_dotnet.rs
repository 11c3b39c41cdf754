//! BenchmarkDotNet's JSON: what it maps to, and what is refused. The fixtures are written by hand; see their ORIGIN.md.

use crate::foreign::{fixture, iterations, notes, numbers, refused, reported, trial, trial_of};
use evenhand_formats::import::{Format, import};
use evenhand_trial::{Better, Origin, Per};

const FORMAT: Format = Format::BenchmarkDotNet;
const FULL: &str = "benchmarkdotnet/Demo.Words-report-full.json";
const SHORT: &str = "Demo.Words.Count(Length: 16)";
const LONG: &str = "Demo.Words.Count(Length: 256)";

fn file(case: &str) -> String {
    format!(r#"{{"HostEnvironmentInfo":{{}},"Benchmarks":[{{"FullName":"b",{case}}}]}}"#)
}

fn measured(stage: &str, operations: &str, nanoseconds: &str) -> String {
    file(&format!(
        r#""Measurements":[{{"IterationMode":"Workload","IterationStage":"{stage}","LaunchIndex":1,
           "IterationIndex":1,"Operations":{operations},"Nanoseconds":{nanoseconds}}}]"#
    ))
}

#[test]
fn only_results_of_the_workload_are_samples_by_launch() {
    let trial = trial(FULL);
    let wall = &trial.metrics[0];
    assert_eq!(
        (wall.name.as_str(), wall.unit.symbol(), wall.per, wall.better),
        ("wall", "ns", Per::Sample, Better::Lower)
    );
    assert_eq!(
        numbers(&trial, SHORT, "wall"),
        [vec![1_024_250.0, 1_020_910.0, 1_031_820.5], vec![1_063_100.0, 1_061_350.0, 1_069_500.0]]
    );
    assert_eq!(iterations(&trial, SHORT), [(0, vec![4096; 3]), (1, vec![4096; 3])]);
    assert_eq!(numbers(&trial, LONG, "wall")[1], [1_300_100.0, 1_298_800.0, 1_309_000.0]);
    assert_eq!(iterations(&trial, LONG)[1], (1, vec![512; 3]));
}

#[test]
fn what_the_tool_left_out_is_said() {
    let said = notes(&trial(FULL));
    assert!(said.contains("classified 1 measurements as outliers"), "{said}");
}

#[test]
fn a_case_without_figures_failed() {
    let trial = trial(FULL);
    let failure = &trial.failures[0];
    assert_eq!(trial.arms[failure.arm.index()].name, "Demo.Words.Broken");
    assert_eq!(failure.reason.to_string(), "BenchmarkDotNet has no figures for it");
    assert_eq!(trial.failures.len(), 1);
}

#[test]
fn diagnosers_are_reported_figures() {
    let trial = trial(FULL);
    let (_, metric) = trial.metric("Allocated Memory").unwrap();
    assert_eq!((metric.unit.symbol(), metric.per, metric.better), ("B", Per::Iteration, Better::Lower));
    assert_eq!(reported(&trial, LONG, "Allocated Memory")[0].mean, Some(312.0));
    let memory = reported(&trial, LONG, "allocated")[0];
    assert_eq!(memory.mean, Some(312.0));
    assert_eq!((memory.more["gen0_collections"], memory.more["total_operations"]), (12.0, 512.0));
}

#[test]
fn the_host_and_the_parameters_are_kept() {
    let trial = trial(FULL);
    assert_eq!(trial.arms[0].parameters["Length"], "16");
    assert_eq!(trial.arms[0].group, SHORT);
    let there = &trial.environment;
    assert_eq!(there.system.as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
    assert_eq!(
        (there.cpu.model.as_deref(), there.cpu.logical, there.cpu.cores),
        (Some("AMD EPYC"), Some(2), Some(2))
    );
    assert_eq!(there.architecture.as_deref(), Some("X64"));
    assert_eq!((there.tools["runtime"].as_str(), there.tools["dotnet"].as_str()), (".NET 8.0.8", "8.0.401"));
    assert_eq!(
        (there.other["Configuration"].as_str(), there.other["HasRyuJit"].as_str()),
        ("RELEASE", "true")
    );
    assert_eq!(there.other["ChronometerFrequency"], "{\"Hertz\":1000000000}");
    let Origin::Imported { tool, .. } = &trial.origin else { panic!("{:?}", trial.origin) };
    assert_eq!(tool.as_deref(), Some("BenchmarkDotNet 0.14.0"));
}

#[test]
fn the_brief_file_has_values_of_one_operation() {
    let trial = trial("benchmarkdotnet/Demo.Words-report-brief.json");
    let seen = numbers(&trial, SHORT, "wall");
    assert_eq!((seen.len(), seen[0].len(), seen[0][0]), (1, 6, 1_024_250.0 / 4096.0));
    assert_eq!(trial.metrics[0].per, Per::Iteration);
    assert!(notes(&trial).contains("JsonExporter.Full"), "{}", notes(&trial));
    assert_eq!(trial.failures.len(), 1);
}

#[test]
fn without_results_the_actual_measurements_are_taken() {
    let trial = trial_of(&measured("Actual", "10", "25.5"), FORMAT);
    assert_eq!(
        (numbers(&trial, "b", "wall"), iterations(&trial, "b")),
        (vec![vec![25.5]], vec![(0, vec![10])])
    );
    assert!(trial.notes.is_empty());
}

#[test]
fn figures_alone_are_reported() {
    let text = file(
        r#""Statistics":{"N":3,"Min":1,"Median":2.0,"Mean":2.5,"Max":4,"StandardDeviation":1.5,"StandardError":"NaN"}"#,
    );
    let trial = trial_of(&text, FORMAT);
    let seen = reported(&trial, "b", "wall")[0];
    assert_eq!(
        (seen.samples, seen.min, seen.median, seen.mean, seen.max, seen.sd, seen.mean_error),
        (Some(3), Some(1.0), Some(2.0), Some(2.5), Some(4.0), Some(1.5), None)
    );
    assert!(notes(&trial).contains("only figures"), "{}", notes(&trial));
}

#[test]
fn one_case_under_two_jobs_is_a_group_of_two_arms() {
    let case = |job: &str| {
        format!(
            r#"{{"FullName":"b","DisplayInfo":"T.b: {job} [N=1]","Statistics":{{"OriginalValues":[1.0]}}}}"#
        )
    };
    let text = format!(
        r#"{{"HostEnvironmentInfo":{{}},"Benchmarks":[{},{}]}}"#,
        case("Job-A(Runtime=.NET 6.0)"),
        case("Job-B(Runtime=.NET 8.0)")
    );
    let trial = trial_of(&text, FORMAT);
    assert_eq!(trial.groups().len(), 1);
    let names: Vec<_> = trial.arms.iter().map(|arm| (arm.name.as_str(), arm.group.as_str())).collect();
    assert_eq!(names, [("b [Job-A(Runtime=.NET 6.0)]", "b"), ("b [Job-B(Runtime=.NET 8.0)]", "b")]);
}

#[test]
fn impossible_values_are_refused_by_name() {
    for (operations, nanoseconds, word) in [
        ("1", "-5", "\"b\", wall, sample 1: -5 is not"),
        ("0", "5", "\"b\", launch 1, measurement 1: has 0 operations"),
        ("-1", "5", "invalid value"),
        ("18446744073709551616", "5", "invalid type: floating point"),
        ("1", "1e999", "number out of range"),
        ("1", "null", "invalid type: null"),
        ("\"1\"", "5", "invalid type: string"),
    ] {
        let said = refused(measured("Result", operations, nanoseconds), FORMAT);
        assert!(said.contains(word), "{operations} {nanoseconds}: {said}");
    }
    let said = refused(file(r#""Statistics":{"Mean":-1}"#), FORMAT);
    assert!(said.contains("\"b\", wall, reported mean: -1 is not"), "{said}");
    let said = refused(file(r#""Statistics":{"OriginalValues":[-1]}"#), FORMAT);
    assert!(said.contains("\"b\", wall, sample 1: -1 is not"), "{said}");
    assert!(refused(r#"{"Benchmarks":[]}"#, FORMAT).contains("holds no result"));
}

#[test]
fn unknown_modes_and_stages_are_passed_over() {
    let trial = trial_of(&measured("Rehearsal", "1", "5"), FORMAT);
    assert_eq!((trial.sample_count(), trial.failures.len()), (0, 1));
}

#[test]
fn a_byte_order_mark_is_stepped_over() {
    let marked = [b"\xef\xbb\xbf".as_slice(), &fixture(FULL)].concat();
    assert_eq!(import(marked.as_slice(), "full", None).unwrap().sample_count(), 12);
}

#[test]
fn cut_files_are_refused() {
    crate::foreign::every_cut_is_refused(FULL, FORMAT);
}

#[test]
fn no_damage_panics() {
    crate::foreign::no_damage_panics("benchmarkdotnet/Demo.Words-report-full.json", FORMAT);
    crate::foreign::no_damage_panics("benchmarkdotnet/Demo.Words-report-brief.json", FORMAT);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("benchmarkdotnet", FORMAT);
}

#[test]
fn the_modes_of_versions_before_0_11_2_are_read() {
    let of = |mode: &str, nanoseconds: u32| {
        format!(
            r#"{{"IterationMode":"{mode}","LaunchIndex":1,"IterationIndex":1,"Operations":8,"Nanoseconds":{nanoseconds}}}"#
        )
    };
    let rows = [("Pilot", 1), ("IdleTarget", 2), ("MainTarget", 90), ("MainTarget", 99), ("Result", 88)];
    let all: Vec<String> = rows.iter().map(|(mode, nanoseconds)| of(mode, *nanoseconds)).collect();
    let trial = trial_of(&file(&format!(r#""Measurements":[{}]"#, all.join(","))), FORMAT);
    assert_eq!(
        (numbers(&trial, "b", "wall"), iterations(&trial, "b")),
        (vec![vec![88.0]], vec![(0, vec![8])])
    );
    assert!(notes(&trial).contains("classified 1 measurements as outliers"), "{}", notes(&trial));
    let trial = trial_of(&file(&format!(r#""Measurements":[{}]"#, all[..4].join(","))), FORMAT);
    assert_eq!(numbers(&trial, "b", "wall"), [[90.0, 99.0]]);
}
