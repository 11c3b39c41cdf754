//! JMH's JSON: what it maps to, and what is refused.

use crate::foreign::{fixture, iterations, notes, numbers, refused, reported, series, trial, trial_of};
use evenhand_formats::import::{Format, import, recognise};
use evenhand_trial::{Better, LaunchId, Origin, Per};
use serde_json::Value;

const FORMAT: Format = Format::Jmh;
const SORTED: &str = "demo.Words.sorted (length=16)";
const SUM: &str = "demo.Words.sum (length=256)";

fn raw(entry: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(entry["rawData"].clone()).unwrap()
}

fn words() -> Value {
    serde_json::from_slice(&fixture("jmh/words.json")).unwrap()
}

fn entry(mode: &str, metric: &str) -> String {
    format!(r#"[{{"benchmark":"b","mode":"{mode}","primaryMetric":{metric}}}]"#)
}

#[test]
fn a_fork_is_a_launch_and_an_iteration_a_sample() {
    let trial = trial("jmh/words.json");
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, [SORTED, "demo.Words.sorted (length=256)", "demo.Words.sum (length=16)", SUM]);
    assert_eq!(trial.groups().len(), 4);
    assert_eq!(numbers(&trial, SUM, "wall"), raw(&words()[3]["primaryMetric"]));
    assert_eq!(numbers(&trial, SUM, "wall")[1], [60.39293208043007, 61.269921583883686, 60.94399759118959]);
    assert_eq!(iterations(&trial, SUM), [(0, vec![1; 3]), (1, vec![1; 3])]);
    assert!(notes(&trial).contains("how many operations an iteration ran"), "{}", notes(&trial));
}

#[test]
fn the_unit_and_the_mode_say_what_is_better() {
    let trial = trial("jmh/words.json");
    let (_, wall) = trial.metric("wall").unwrap();
    assert_eq!((wall.unit.symbol(), wall.per, wall.better), ("ns", Per::Iteration, Better::Lower));
    let (_, throughput) = trial.metric("throughput").unwrap();
    assert_eq!(
        (throughput.unit.symbol(), throughput.per, throughput.better),
        ("ops/ms", Per::Iteration, Better::Higher)
    );
    assert_eq!(numbers(&trial, SORTED, "throughput"), raw(&words()[0]["primaryMetric"]));
    assert!(numbers(&trial, SORTED, "wall").iter().all(Vec::is_empty));
}

#[test]
fn a_profilers_figures_stand_beside_the_samples() {
    let trial = trial("jmh/words.json");
    let secondary = &words()[0]["secondaryMetrics"];
    for (name, unit, per) in [
        ("gc.alloc.rate", "MB/sec", Per::Iteration),
        ("gc.alloc.rate.norm", "B", Per::Iteration),
        ("gc.count", "counts", Per::Sample),
    ] {
        let (_, metric) = trial.metric(name).unwrap();
        assert_eq!((metric.unit.symbol(), metric.per, metric.better), (unit, per, Better::Lower), "{name}");
        assert_eq!(numbers(&trial, SORTED, name), raw(&secondary[name]), "{name}");
    }
    assert!(notes(&trial).contains("lower is assumed"), "{}", notes(&trial));
}

#[test]
fn a_figure_that_some_iterations_lack_is_kept_beside_them() {
    let trial = trial("jmh/words.json");
    assert!(numbers(&trial, SORTED, "gc.time").iter().all(Vec::is_empty));
    let seen = reported(&trial, SORTED, "gc.time");
    assert_eq!((seen.len(), seen[0].launch, seen[0].mean), (2, None, Some(5.0)));
    assert_eq!((seen[1].launch, seen[1].histogram.as_slice()), (Some(LaunchId(1)), [(5.0, 1)].as_slice()));
    assert_eq!(trial.metric("gc.time").unwrap().1.unit.symbol(), "ms");
    assert!(notes(&trial).contains("\"gc.time\" of \"demo.Words.sorted (length=16)\" is missing"));
}

#[test]
fn the_mode_sample_keeps_its_histograms_by_fork() {
    let trial = trial("jmh/pause.json");
    let seen = reported(&trial, "demo.Pause.sampled", "wall");
    assert_eq!(seen.len(), 3);
    let whole = seen[0];
    assert_eq!(
        (whole.launch, whole.mean, whole.mean_error),
        (None, Some(2166.250666666667), Some(211.00646550789395))
    );
    assert_eq!(whole.percentiles[..3], [(0.0, 2068.48), (50.0, 2076.672), (90.0, 2088.96)]);
    assert_eq!(whole.percentiles.last(), Some(&(100.0, 6537.216)));
    let fork = seen[1];
    assert_eq!((fork.launch, fork.samples), (Some(LaunchId(0)), Some(46)));
    assert_eq!(fork.histogram[..3], [(2068.48, 4), (2070.5280000000002, 12), (2072.576, 9)]);
    assert_eq!((fork.min, fork.max), (Some(2068.48), Some(6537.216)));
    assert_eq!(seen[1].samples.unwrap() + seen[2].samples.unwrap(), 96, "what JMH's table says");
    assert!(notes(&trial).contains("histograms"), "{}", notes(&trial));
    assert!(trial.metrics.iter().all(|metric| !metric.name.starts_with("p0.")), "{:?}", trial.metrics);
}

#[test]
fn a_single_shot_is_one_operation() {
    let trial = trial("jmh/pause.json");
    let seen = numbers(&trial, "demo.Pause.once", "wall");
    assert_eq!(seen, [vec![1127.202, 1123.136, 1122.606], vec![1095.424, 1088.033, 1085.01]]);
    assert_eq!(trial.metric("wall").unwrap().1.unit.symbol(), "us");
    assert!(!notes(&trial).contains("how many operations"), "{}", notes(&trial));
}

#[test]
fn parameters_and_the_virtual_machine_are_kept() {
    let trial = trial("jmh/words.json");
    let parameters = &trial.arms[0].parameters;
    assert_eq!((parameters["length"].as_str(), parameters["mode"].as_str()), ("16", "thrpt"));
    assert_eq!(parameters["threads"], "1");
    let there = &trial.environment;
    assert_eq!(there.tools["jdk"], "17.0.15");
    assert_eq!(there.tools["jvm"], "OpenJDK 64-Bit Server VM 17.0.15+6-Debian-1deb12u1");
    assert_eq!(there.other["jvm"], "/usr/lib/jvm/java-17-openjdk-amd64/bin/java");
    assert_eq!(
        (there.other["warmupIterations"].as_str(), there.other["warmupTime"].as_str()),
        ("1", "100 ms")
    );
    assert_eq!(there.other["measurementBatchSize"], "1");
    let Origin::Imported { tool, .. } = &trial.origin else { panic!("{:?}", trial.origin) };
    assert_eq!(tool.as_deref(), Some("JMH 1.37"));
}

#[test]
fn one_benchmark_in_two_modes_is_two_arms() {
    let text = r#"[{"benchmark":"b","mode":"avgt","primaryMetric":{"score":1,"scoreUnit":"s/op","rawData":[[1]]}},
        {"benchmark":"b","mode":"thrpt","primaryMetric":{"score":1,"scoreUnit":"ops/s","rawData":[[2]]}}]"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!(trial.arms[1].name, "b [thrpt]");
    assert_eq!(numbers(&trial, "b [thrpt]", "throughput"), [[2.0]]);
}

#[test]
fn hours_and_mixed_units_of_time_come_into_one_column() {
    let text = r#"[{"benchmark":"a","mode":"avgt","primaryMetric":{"score":1,"scoreUnit":"min/op","rawData":[[30]]}},
        {"benchmark":"b","mode":"avgt","primaryMetric":{"score":1,"scoreUnit":"hr/op","rawData":[[2]]}}]"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!(numbers(&trial, "a", "wall"), [[30.0]]);
    assert_eq!(numbers(&trial, "b", "wall"), [[120.0]]);
}

#[test]
fn without_raw_data_the_figures_are_reported() {
    let metric = r#"{"score":2.5,"scoreError":"NaN","scorePercentiles":{"50.0":2.0,"0.0":1.0},"scoreUnit":"ns/op","rawData":[]}"#;
    let trial = trial_of(&entry("avgt", metric), FORMAT);
    let seen = reported(&trial, "b", "wall")[0];
    assert_eq!((seen.mean, seen.mean_error), (Some(2.5), None));
    assert_eq!(seen.percentiles, [(0.0, 1.0), (50.0, 2.0)]);
    assert_eq!((seen.min, seen.median, seen.max, seen.samples), (Some(1.0), Some(2.0), None, None));
    assert!(notes(&trial).contains("jmh.json.rawData"), "{}", notes(&trial));
    assert!(!notes(&trial).contains("error of the score"), "NaN is none");
}

#[test]
fn without_raw_data_the_number_of_iterations_and_the_error_of_the_score_are_told() {
    let with = |mode: &str, forks: u64| {
        let metric = r#"{"score":2.5,"scoreError":0.5,"scoreUnit":"ns/op"}"#;
        let settings = format!(r#""forks":{forks},"measurementIterations":5"#);
        let text = format!(r#"[{{"benchmark":"b","mode":"{mode}",{settings},"primaryMetric":{metric}}}]"#);
        trial_of(&text, FORMAT)
    };
    let samples = |trial: &evenhand_trial::Trial| reported(trial, "b", "wall")[0].samples;
    assert_eq!(
        [with("avgt", 2), with("avgt", 0), with("sample", 2)].each_ref().map(samples),
        [Some(10), Some(5), None]
    );
    let told = "\"b\": JMH's error of the score at 99.9 % is 0.5 ns/op";
    assert!(notes(&with("avgt", 2)).contains(told), "{}", notes(&with("avgt", 2)));
}

#[test]
fn a_fork_that_gave_nothing_leaves_its_place() {
    let metric = r#"{"score":2.5,"scoreUnit":"ns/op","rawData":[[1],[],[3]]}"#;
    let trial = trial_of(&entry("avgt", metric), FORMAT);
    let launches: Vec<u32> = series(&trial, "b").iter().map(|series| series.launch.0).collect();
    assert_eq!((launches, numbers(&trial, "b", "wall")), (vec![0, 2], vec![vec![1.0], vec![3.0]]));
}

#[test]
fn a_counter_with_the_name_of_ours_keeps_apart() {
    let text = r#"[{"benchmark":"b","mode":"avgt","primaryMetric":{"score":1,"scoreUnit":"ns/op","rawData":[[1]]},
        "secondaryMetrics":{"wall":{"score":9,"scoreUnit":"ns/op","rawData":[["NaN"]]},"·gc":{"score":9,"scoreUnit":"ops/s","rawData":[[7]]}}}]"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!(numbers(&trial, "b", "wall"), [[1.0]]);
    assert!(numbers(&trial, "b", "wall (secondary)")[0][0].is_nan(), "a missing number stays missing");
    assert_eq!(numbers(&trial, "b", "gc"), [[7.0]]);
    assert_eq!(trial.metric("gc").unwrap().1.better, Better::Higher);
}

#[test]
fn impossible_values_are_refused_by_name() {
    let metric = |raw: &str| format!(r#"{{"score":1,"scoreUnit":"ns/op","rawData":{raw}}}"#);
    for (raw, word) in [
        ("[[1],[2,-3]]", "\"b\", wall, sample 2: -3 is not"),
        (r#"[[1],[2,"NaN"]]"#, "\"b\", fork 2, iteration 2: is not a number"),
        (r#"[[1,null]]"#, "\"b\", fork 1, iteration 2: is not a number"),
        (r#"[["+INF"]]"#, "sample 1: inf is not"),
        (r#"[["fast"]]"#, "expected a number"),
        ("[[1e999]]", "number out of range"),
        ("[1]", "invalid type: integer"),
        ("[[true]]", "expected a number"),
        ("[[[1]]]", "expected a number"),
    ] {
        let said = refused(entry("avgt", &metric(raw)), FORMAT);
        assert!(said.contains(word), "{raw}: {said}");
    }
    let histogram = r#"{"score":1,"scoreUnit":"ns/op","rawDataHistogram":[[[[-1.0,2]]]]}"#;
    let said = refused(entry("sample", histogram), FORMAT);
    assert!(said.contains("\"b\", wall, reported min: -1 is not"), "{said}");
    let score = r#"{"score":-2,"scoreUnit":"ns/op","rawData":[]}"#;
    assert!(refused(entry("avgt", score), FORMAT).contains("\"b\", wall, reported mean: -2 is not"));
}

#[test]
fn counts_that_do_not_fit_together_are_left_out() {
    let histogram =
        r#"{"score":1,"scoreUnit":"ns/op","rawDataHistogram":[[[[1.0,18446744073709551615],[1.0,5]]]]}"#;
    let trial = trial_of(&entry("sample", histogram), FORMAT);
    let fork = reported(&trial, "b", "wall")[1];
    assert_eq!((fork.samples, fork.histogram.as_slice()), (Some(u64::MAX), [(1.0, u64::MAX)].as_slice()));
}

#[test]
fn an_empty_list_holds_no_result() {
    assert!(refused("[]", FORMAT).contains("holds no result"));
    assert!(refused("{}", FORMAT).contains("invalid type: map"));
}

#[test]
fn a_byte_order_mark_is_stepped_over() {
    let marked = [b"\xef\xbb\xbf".as_slice(), &fixture("jmh/words.json")].concat();
    assert_eq!(recognise(&marked), Some(FORMAT));
    assert_eq!(import(marked.as_slice(), "words", None).unwrap().sample_count(), 24);
}

#[test]
fn cut_files_are_refused() {
    crate::foreign::every_cut_is_refused("jmh/words.json", FORMAT);
    crate::foreign::every_cut_is_refused("jmh/pause.json", FORMAT);
}

#[test]
fn no_damage_panics() {
    crate::foreign::no_damage_panics("jmh/words.json", FORMAT);
    crate::foreign::no_damage_panics("jmh/pause.json", FORMAT);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("jmh", FORMAT);
}

#[test]
fn its_csv_has_the_figures_of_its_json() {
    let table = trial("jmh/results.csv");
    let json = trial("jmh/words.json");
    let names =
        |trial: &evenhand_trial::Trial| trial.arms.iter().map(|arm| arm.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&table)[..4], names(&json)[..]);
    let sum = reported(&table, SUM, "wall")[0];
    assert_eq!((sum.mean, sum.mean_error, sum.samples), (Some(61.240966), Some(3.868773), Some(6)));
    let rate = reported(&table, SORTED, "gc.alloc.rate.norm")[0];
    assert_eq!((rate.mean, rate.samples), (Some(80.007658), Some(6)));
    assert_eq!(table.arms[0].parameters["mode"], "thrpt");
    assert!(notes(&table).contains("run JMH with -rf json"), "{}", notes(&table));
}

#[test]
fn the_percentiles_of_the_mode_sample_belong_to_their_benchmark() {
    let table = trial("jmh/results.csv");
    let sampled = reported(&table, "demo.Pause.sampled", "wall")[0];
    assert_eq!(sampled.samples, Some(96));
    let first = [
        (0.0, 2_068_480.0),
        (50.0, 2_076_672.0),
        (90.0, 2_088_960.0),
        (95.0, 2_097_766.4),
        (99.0, 6_537_216.0),
    ];
    assert_eq!(sampled.percentiles[..5], first);
    assert_eq!(sampled.percentiles[5..].iter().map(|(at, _)| *at).collect::<Vec<_>>(), [99.9, 99.99, 100.0]);
    assert!(!table.metrics.iter().any(|metric| metric.name.starts_with("p0")));
}

#[test]
fn a_table_may_have_semicolons_and_decimal_commas() {
    let text = "\"Benchmark\";\"Mode\";\"Threads\";\"Samples\";\"Score\";\"Score Error (99.9%)\";\"Unit\"\r\n\
        \"a\";\"avgt\";1;5;9,125;NaN;\"ns/op\"\r\n";
    let trial = import(text.as_bytes(), "x.csv", None).unwrap();
    let figures = reported(&trial, "a", "wall")[0];
    assert_eq!((figures.mean, figures.mean_error, figures.samples), (Some(9.125), None, Some(5)));
    let lone = text.replace("\"a\"", "\"a:gc.time\"");
    assert!(refused(lone, FORMAT).contains("a: has no row of its own above this one"));
}
