//! Google Benchmark's JSON: every mapped field against real files, errors and aggregates kept apart, bad files refused.
use evenhand_formats::import::{Format, ImportError, import, recognise};
use evenhand_trial::{ArmId, Better, Metric, Origin, Per, Reason, Reported, RoundId, Series, Trial, Whole};
use proptest::prelude::*;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/google_benchmark/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn trial(name: &str) -> Trial {
    import(&fixture(name)[..], name, None).unwrap()
}

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "made.json", Some(Format::GoogleBenchmark))
}

/// A file with these entries.
fn file(entries: &str) -> String {
    format!(r#"{{"context":{{}},"benchmarks":[{entries}]}}"#)
}

fn arm(trial: &Trial, name: &str) -> ArmId {
    ArmId(trial.arms.iter().position(|arm| arm.name == name).unwrap() as u32)
}

fn series<'a>(trial: &'a Trial, name: &str) -> &'a Series {
    let arm = arm(trial, name);
    trial.series.iter().find(|series| series.arm == arm).unwrap()
}

fn column<'a>(trial: &'a Trial, name: &str, metric: &str) -> &'a [f64] {
    series(trial, name).column(trial.metric(metric).unwrap().0)
}

fn reported<'a>(trial: &'a Trial, name: &str, metric: &str) -> &'a Reported {
    let (arm, metric) = (arm(trial, name), trial.metric(metric).unwrap().0);
    trial.reported.iter().find(|one| one.arm == arm && one.metric == metric).unwrap()
}

fn is_noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

#[test]
fn repetitions_are_samples_with_times_of_one_iteration() {
    let trial = trial("repeated.json");
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    let expected = [
        "BM_Copy/64",
        "BM_Copy/4096",
        "BM_Slow",
        "BM_Threads/threads:2",
        "BM_Manual/iterations:7/manual_time",
        "BM_Broken",
    ];
    assert_eq!(names, expected);
    assert!(trial.arms.iter().all(|arm| arm.group == arm.name), "nothing says what is compared with what");
    let wall = [1.755162631701413, 1.7845653018550864, 1.7949371731040051];
    assert_eq!(column(&trial, "BM_Copy/64", "wall"), wall);
    assert_eq!(column(&trial, "BM_Copy/64", "cpu")[0], 1.7534624688721092);
    assert_eq!(column(&trial, "BM_Copy/64", "bytes_per_second")[2], 3.5664694020635765e10);
    assert_eq!(column(&trial, "BM_Copy/64", "items_per_second")[0], 5.703002018875467e8);
    assert_eq!(column(&trial, "BM_Copy/64", "per_iter"), [3.5; 3]);
    assert_eq!(column(&trial, "BM_Copy/64", "rate")[1], 5.625704835282812e8);
    assert_eq!(series(&trial, "BM_Copy/64").iterations, Whole::Same { same: 7981588 });
    assert_eq!(series(&trial, "BM_Copy/64").rounds, Whole::Counting { from: 0 });
    assert!(trial.reported.is_empty(), "mean, median, stddev and cv follow from the repetitions");
    assert_eq!(trial.arms[0].parameters["label"], "copy label");
    assert_eq!(trial.arms[3].parameters["threads"], "2");
    assert!(trial.arms[2].parameters.is_empty());
}

#[test]
fn units_of_time_are_brought_together() {
    let trial = trial("repeated.json");
    let wall = trial.metric("wall").unwrap().1;
    assert_eq!(
        wall,
        &Metric {
            name: "wall".into(),
            unit: evenhand_trial::Unit::nanoseconds(),
            per: Per::Iteration,
            better: Better::Lower
        }
    );
    let near = |name: &str, nanoseconds: f64| {
        let got = column(&trial, name, "wall")[0];
        assert!((got / nanoseconds - 1.0).abs() < 1e-12, "{name}: {got}");
    };
    near("BM_Slow", 59324.84322391062);
    near("BM_Threads/threads:2", 2977.980406323285);
    near("BM_Manual/iterations:7/manual_time", 1e6);
    assert_eq!(wall.per_iteration(5.0, 7981588), 5.0, "it is one iteration's already");
}

#[test]
fn rates_are_better_when_higher_and_counters_say_what_is_not_known() {
    let trial = trial("plain.json");
    let of = |name: &str| trial.metric(name).unwrap().1;
    assert_eq!(
        (of("bytes_per_second").better, of("bytes_per_second").unit.symbol()),
        (Better::Higher, "B/s")
    );
    assert_eq!(
        (of("items_per_second").better, of("items_per_second").unit.symbol()),
        (Better::Higher, "1/s")
    );
    assert_eq!((of("per_iter").better, of("per_iter").unit.symbol()), (Better::Lower, ""));
    assert!(is_noted(&trial, "in which direction a counter is good"));
}

#[test]
fn the_context_is_the_environment() {
    let trial = trial("plain.json");
    assert_eq!(trial.started.unwrap().to_string(), "2026-11-21T08:05:07Z");
    assert_eq!(trial.environment.host.as_deref(), Some("vm"));
    assert_eq!((trial.environment.cpu.logical, trial.environment.cpu.mhz), (Some(2), Some(2596.0)));
    assert_eq!(trial.environment.load_average, Some([0.236816, 0.65625, 1.1499]));
    assert_eq!(trial.environment.other["executable"], "./bench");
    assert_eq!(trial.environment.other["library_build_type"], "debug");
    assert!(trial.environment.other["caches"].contains("33554432"));
    assert!(is_noted(&trial, "built for debugging"));
    let Origin::Imported { tool, .. } = &trial.origin else { panic!("not imported") };
    assert_eq!(tool.as_deref(), Some("Google Benchmark"));
}

#[test]
fn a_benchmark_that_broke_is_a_failure_and_never_a_time_of_zero() {
    let trial = trial("repeated.json");
    let broken = arm(&trial, "BM_Broken");
    assert!(!trial.series.iter().any(|series| series.arm == broken));
    assert_eq!(trial.failures.len(), 3);
    let reason = Reason::Other { message: "the input file is missing".into() };
    assert!(trial.failures.iter().all(|failure| failure.arm == broken && failure.reason == reason));
    let rounds: Vec<_> = trial.failures.iter().map(|failure| failure.round).collect();
    assert_eq!(rounds, [RoundId(0), RoundId(1), RoundId(2)]);
}

#[test]
fn only_aggregates_are_reported_as_such() {
    let trial = trial("aggregates.json");
    assert!(trial.series.is_empty());
    let wall = reported(&trial, "BM_Copy/64", "wall");
    assert_eq!((wall.mean, wall.median), (Some(1.5219598638727732), Some(1.5079034260329938)));
    assert_eq!((wall.sd, wall.samples), (Some(0.02825592918799262), Some(3)));
    assert_eq!(wall.more["cv"], 0.018565489050475153);
    assert_eq!(reported(&trial, "BM_Copy/64", "bytes_per_second").mean, Some(4.213804695064015e10));
    let slow = reported(&trial, "BM_Slow", "cpu").mean.unwrap();
    assert!((slow / 59861.65948275859 - 1.0).abs() < 1e-12, "microseconds became nanoseconds: {slow}");
    assert_eq!(trial.failures.len(), 3);
    assert!(is_noted(&trial, "aggregates only"));
}

#[test]
fn a_repetition_that_broke_leaves_its_place_empty() {
    let entry = |index: u32, rest: &str| {
        format!(
            r#"{{"name":"A","run_name":"A","run_type":"iteration","repetition_index":{index},"iterations":5,
                "real_time":1.5,"cpu_time":1.0,"time_unit":"s"{rest}}}"#
        )
    };
    let text = file(
        &[
            entry(0, ""),
            entry(1, r#","error_occurred":true,"error_message":"no disk""#),
            entry(2, r#","extra":-2.5"#),
            entry(3, r#","skipped":true,"skip_message":"not here""#),
        ]
        .join(","),
    );
    let trial = read(&text).unwrap();
    assert_eq!(series(&trial, "A").rounds, Whole::Each(vec![0, 2]));
    let extra = column(&trial, "A", "extra");
    assert!(extra[0].is_nan() && extra[1] == -2.5, "a counter may be missing, and below zero");
    let said: Vec<_> = trial.failures.iter().map(|failure| failure.reason.to_string()).collect();
    assert_eq!(said, ["no disk", "skipped: not here"]);
}

#[test]
fn two_benchmarks_of_one_name_are_two_arms() {
    let entry = |family: &str, time: f64| {
        format!(
            r#"{{"name":"A","run_name":"A","run_type":"iteration"{family},"repetition_index":0,"iterations":5,
                "real_time":{time},"cpu_time":1.0,"time_unit":"ns"}}"#
        )
    };
    let families = [entry(r#","family_index":0"#, 1.0), entry(r#","family_index":1"#, 2.0)];
    let without = [entry("", 1.0), entry("", 2.0)];
    for entries in [families, without] {
        let trial = read(&file(&entries.join(","))).unwrap();
        assert_eq!(column(&trial, "A", "wall"), [1.0]);
        assert_eq!(column(&trial, "A (2)", "wall"), [2.0]);
        assert_eq!(trial.arms[1].group, "A (2)");
    }
}

#[test]
fn files_of_old_libraries_are_read() {
    let entry = |name: &str, time: f64| {
        format!(r#"{{"name":"{name}","iterations":5,"real_time":{time},"cpu_time":1.0,"time_unit":"ns"}}"#)
    };
    let both = [entry("A", 1.0), entry("A", 3.0), entry("A_mean", 2.0)].join(",");
    let trial = read(&file(&both)).unwrap();
    assert_eq!(trial.arms.len(), 1);
    assert_eq!(column(&trial, "A", "wall"), [1.0, 3.0]);
    let mean = read(&file(&entry("A_mean", 2.0))).unwrap();
    assert_eq!(reported(&mean, "A", "wall").mean, Some(2.0));
}

#[test]
fn fits_and_own_statistics_are_not_taken_for_times() {
    let fits = r#"{"name":"A_BigO","run_name":"A","run_type":"aggregate","aggregate_name":"BigO","cpu_coefficient":1,
                   "real_coefficient":2,"big_o":"N","time_unit":"ns"},
                  {"name":"A_RMS","run_name":"A","run_type":"aggregate","aggregate_name":"RMS","rms":0.1},
                  {"name":"A/1","run_name":"A/1","run_type":"iteration","repetition_index":0,"iterations":1,
                   "real_time":1,"cpu_time":1,"time_unit":"us"},
                  {"name":"A/1_p99","run_name":"A/1","run_type":"aggregate","repetitions":1,"aggregate_name":"p99",
                   "aggregate_unit":"time","iterations":1,"real_time":7,"cpu_time":7,"time_unit":"us"}"#;
    let trial = read(&file(fits)).unwrap();
    assert_eq!(trial.arms.len(), 1);
    assert!(is_noted(&trial, "2 fits over several benchmarks"));
    assert_eq!(reported(&trial, "A/1", "wall").more["p99 (us)"], 7.0);
}

#[test]
fn a_file_with_errors_only_is_still_a_trial() {
    let text =
        file(r#"{"name":"A","run_name":"A","error_occurred":true,"error_message":"x","iterations":0}"#);
    let trial = read(&text).unwrap();
    assert_eq!((trial.failures.len(), trial.sample_count()), (1, 0));
}

#[test]
fn counters_that_are_no_numbers_are_missing_and_those_below_zero_are_kept() {
    let trial = trial("not-a-number.json");
    assert_eq!(series(&trial, "counters/iterations:3/repeats:3").len(), 3);
    assert_eq!(column(&trial, "counters/iterations:3/repeats:3", "below"), [-1.5; 3]);
    assert!(trial.metric("nothing").is_none() && trial.metric("endless").is_none());
    assert!(is_noted(&trial, "NaN and Infinity in the file are read as missing"));
    assert!(reported(&trial, "aggregated/iterations:3/repeats:2", "wall").mean.is_some());
}

#[test]
fn an_aggregate_without_its_name_is_no_sample() {
    let sample = r#"{"name":"A","run_name":"A","run_type":"iteration","repetition_index":0,"iterations":5,
                     "real_time":1.0,"time_unit":"ns"}"#;
    let aggregate = |name: &str, rest: &str| {
        format!(
            r#"{{"name":"{name}","run_type":"aggregate","iterations":3,"real_time":9.0,"time_unit":"ns"{rest}}}"#
        )
    };
    let entries = [
        sample.to_owned(),
        aggregate("A_mean", ""),
        aggregate("A_p99", r#","aggregate_name":"p99""#),
        aggregate("A", r#","run_name":"A""#),
    ];
    let trial = read(&file(&entries.join(","))).unwrap();
    assert_eq!(trial.arms.len(), 1);
    assert_eq!(column(&trial, "A", "wall"), [1.0]);
    let figures = &reported(&trial, "A", "wall").more;
    assert_eq!((figures["p99 (ns)"], figures["aggregate (ns)"]), (9.0, 9.0));
}

#[test]
fn a_benchmark_that_cannot_be_read_is_left_out_and_named() {
    let entry =
        |name: &str, time: &str| format!(r#"{{"name":"{name}","iterations":5,{time}"time_unit":"ns"}}"#);
    let text = file(
        &[entry("A", r#""real_time":1.0,"#), entry("B", ""), entry("C", r#""real_time":-2.0,"#)].join(","),
    );
    let trial = read(&text).unwrap();
    assert_eq!((trial.arms.len(), trial.sample_count()), (1, 1));
    assert!(is_noted(&trial, r#"one benchmark left out: "B": has no real_time"#));
    assert!(is_noted(
        &trial,
        r#"one benchmark left out: "C", wall, sample 1: -2 is not a possible measurement"#
    ));
}

#[test]
fn its_files_are_recognised() {
    for name in ["plain.json", "repeated.json", "aggregates.json", "interleaved.json"] {
        assert_eq!(recognise(&fixture(name)), Some(Format::GoogleBenchmark), "{name}");
        assert_eq!(recognise(&fixture(name)[..400]), Some(Format::GoogleBenchmark), "{name}, cut");
    }
    assert_ne!(
        recognise(br#"{"benchmarks": [{"runs": [{"values": [1.0]}]}]}"#),
        Some(Format::GoogleBenchmark)
    );
}

#[test]
fn repetitions_run_in_turns_look_like_any_others() {
    let trial = trial("interleaved.json");
    assert_eq!(trial.sample_count(), 9);
    assert_eq!(column(&trial, "BM_Slow", "cpu").len(), 3);
    assert!(trial.schedule.is_none(), "no coin that we could check");
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let one = |rest: &str| file(&format!(r#"{{"name":"A b",{rest}}}"#));
    let many: Vec<String> = (0..257).map(|i| format!(r#""c{i}":1"#)).collect();
    for (text, words) in [
        (one(r#""iterations":1,"cpu_time":1,"time_unit":"ns""#), r#""A b": has no real_time"#),
        (one(r#""real_time":1,"cpu_time":1,"time_unit":"ns""#), r#""A b": has no iterations"#),
        (one(r#""iterations":1,"real_time":1"#), r#""A b": has no time_unit"#),
        (one(r#""iterations":1,"real_time":1,"time_unit":"days""#), r#""days" is no time_unit"#),
        (one(r#""iterations":0,"real_time":1,"time_unit":"ns""#), "0 iterations"),
        (one(r#""iterations":-1,"real_time":1,"time_unit":"ns""#), "invalid value: integer `-1`"),
        (one(r#""iterations":1e30,"real_time":1,"time_unit":"ns""#), "invalid type: floating point"),
        (one(r#""iterations":1,"real_time":-1,"time_unit":"ns""#), r#""A b", wall, sample 1: -1"#),
        (one(r#""iterations":1,"real_time":1e999,"time_unit":"ns""#), "out of range"),
        (one(r#""iterations":1,"real_time":NaN,"time_unit":"ns""#), r#""A b": has no real_time"#),
        (
            one(r#""aggregate_name":"mean","real_time":-1,"time_unit":"ns""#),
            "-1 is not a possible measurement",
        ),
        (one(r#""iterations":1,"real_time":1,"time_unit":"ns","x":1,"x":2"#), r#"has "x" twice"#),
        (one(&many.join(",")), "more than 256 counters"),
        (file(r#"{"real_time":1}"#), "missing field `name`"),
        (
            file(
                r#"{"name":"A","iterations":1,"real_time":1,"time_unit":"ns"},
                   {"name":"A","iterations":1,"real_time":1,"time_unit":"us"}"#,
            ),
            "changes its time_unit",
        ),
        (file(""), "holds no result"),
        (r#"{"context":{}}"#.into(), "missing field `benchmarks`"),
        (r#"{"context":{},"benchmarks":null}"#.into(), "invalid type: null"),
        (r#"{"context":[],"benchmarks":[]}"#.into(), "invalid"),
    ] {
        let said = read(&text).unwrap_err().to_string();
        assert!(said.contains(words), "{text}\n{said}");
    }
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(place in 0..12_000_usize, byte in any::<u8>(), aggregates in any::<bool>()) {
        let mut bytes = fixture(if aggregates { "aggregates.json" } else { "repeated.json" });
        bytes[place] = byte;
        if let Ok(trial) = import(&bytes[..], "changed", Some(Format::GoogleBenchmark)) {
            prop_assert!(trial.check().is_ok());
        }
    }

    #[test]
    fn a_cut_file_is_refused(cut in 1..19_000_usize) {
        let bytes = fixture("repeated.json");
        prop_assert!(import(&bytes[..cut], "cut", Some(Format::GoogleBenchmark)).is_err());
    }
}
