//! hyperfine's JSON of 1.x and 2.0: every mapped field against real files, failures kept apart, bad files refused.
use evenhand_formats::import::{Format, ImportError, import, recognise};
use evenhand_trial::{ArmId, Better, Origin, Per, Reason, RoundId, Series, Trial, Whole};
use proptest::prelude::*;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/hyperfine/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn trial(name: &str) -> Trial {
    import(&fixture(name)[..], name, None).unwrap()
}

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "made.json", Some(Format::Hyperfine))
}

fn problem(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn series(trial: &Trial, arm: u32) -> &Series {
    trial.series.iter().find(|series| series.arm == ArmId(arm)).unwrap()
}

fn column<'a>(trial: &'a Trial, arm: u32, metric: &str) -> &'a [f64] {
    series(trial, arm).column(trial.metric(metric).unwrap().0)
}

fn names(trial: &Trial) -> Vec<&str> {
    trial.arms.iter().map(|arm| arm.name.as_str()).collect()
}

fn is_noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

#[test]
fn a_file_of_1_x_gives_every_run_in_seconds_and_bytes() {
    let trial = trial("v1_two.json");
    assert_eq!(names(&trial), ["sleep 0.005", "true"]);
    assert!(trial.arms.iter().all(|arm| arm.group.is_empty() && arm.parameters.is_empty()));
    assert_eq!(trial.groups().len(), 1, "the commands of a call are alternatives");
    let wall = [
        0.0062592690000000005,
        0.006260703,
        0.006297568000000001,
        0.0062576490000000005,
        0.006251449,
        0.006228484,
    ];
    assert_eq!(column(&trial, 0, "wall"), wall);
    assert_eq!(column(&trial, 1, "wall")[5], 0.000577021);
    assert_eq!(column(&trial, 0, "max_rss"), [3059712.0; 6]);
    assert_eq!(series(&trial, 0).iterations, Whole::Same { same: 1 });
    assert_eq!(series(&trial, 0).rounds, Whole::Counting { from: 0 });
    assert!(trial.failures.is_empty() && trial.schedule.is_none());
    let metrics: Vec<_> =
        trial.metrics.iter().map(|m| (m.name.as_str(), m.unit.symbol(), m.per, m.better)).collect();
    assert_eq!(
        metrics,
        [
            ("wall", "s", Per::Sample, Better::Lower),
            ("max_rss", "B", Per::Iteration, Better::Lower),
            ("user", "s", Per::Sample, Better::Lower),
            ("system", "s", Per::Sample, Better::Lower),
        ]
    );
    assert_eq!(
        trial.origin,
        Origin::Imported {
            format: "hyperfine".into(),
            tool: Some("hyperfine 1.x".into()),
            file: "v1_two.json".into()
        }
    );
}

#[test]
fn the_means_of_1_x_stay_reported() {
    let trial = trial("v1_two.json");
    let user = trial.metric("user").unwrap().0;
    let reported: Vec<_> = trial.reported.iter().filter(|r| r.metric == user).collect();
    assert_eq!(reported.len(), 2);
    assert_eq!((reported[0].arm, reported[0].samples), (ArmId(0), Some(6)));
    assert_eq!(reported[0].mean, Some(0.0010733333333333333));
    assert_eq!(reported[1].mean, Some(0.0005833333333333333));
    assert!(is_noted(&trial, "means only"));
}

#[test]
fn parameters_are_kept_in_both_forms() {
    for name in ["v1_params.json", "v2_params.json"] {
        let trial = trial(name);
        assert_eq!(names(&trial), ["sleep 0.001", "sleep 0.002", "sleep 0.0001", "sleep 0.0002"], "{name}");
        let ms: Vec<_> = trial.arms.iter().map(|arm| arm.parameters["ms"].as_str()).collect();
        assert_eq!(ms, ["1", "2", "1", "2"], "{name}");
        assert_eq!(trial.arms[3].parameters["unit"], "0.000", "{name}");
        assert_eq!(trial.sample_count(), 16, "{name}");
    }
}

#[test]
fn two_commands_of_one_name_are_two_arms() {
    let one = trial("v1_names.json");
    assert_eq!(names(&one), ["one", "one (2)"]);
    assert_eq!(column(&one, 1, "wall"), [0.00348221568, 0.00425715068, 0.00343409368]);
    let two = trial("v2_names.json");
    assert_eq!(names(&two), ["one", "one (2)"]);
    let commands: Vec<_> = two.arms.iter().map(|arm| arm.command.clone()).collect();
    assert_eq!(commands, [["sleep 0.001"], ["sleep 0.002"]]);
}

#[test]
fn a_file_of_2_0_gives_every_quantity_of_every_run() {
    let trial = trial("v2_two.json");
    assert_eq!(names(&trial), ["sleep 0.005", "true"]);
    assert_eq!(column(&trial, 0, "wall")[..2], [0.006360131000000001, 0.0063654390000000005]);
    assert_eq!(column(&trial, 0, "cpu")[1], 0.001158);
    assert_eq!(column(&trial, 0, "user")[1], 0.001158);
    assert_eq!(column(&trial, 0, "system")[5], 0.001121);
    assert_eq!(column(&trial, 1, "max_rss"), [3309568.0; 6]);
    assert!(trial.reported.is_empty(), "the summary follows from the runs");
    assert_eq!(trial.started.unwrap().to_string(), "2026-11-21T08:03:47Z");
    assert_eq!(trial.environment.system.as_deref(), Some("Linux"));
    assert_eq!(trial.environment.architecture.as_deref(), Some("x86_64"));
    let Origin::Imported { tool, .. } = &trial.origin else { panic!("not imported") };
    assert_eq!(tool.as_deref(), Some("hyperfine 2.0.0"));
    let units: Vec<_> = trial.metrics.iter().map(|m| (m.name.as_str(), m.unit.symbol())).collect();
    assert_eq!(units, [("wall", "s"), ("cpu", "s"), ("user", "s"), ("system", "s"), ("max_rss", "B")]);
}

#[test]
fn failed_runs_are_failures_and_never_samples() {
    let trial = trial("v1_fail.json");
    let of = |arm: u32| trial.failures.iter().filter(move |failure| failure.arm == ArmId(arm));
    assert_eq!(of(0).count(), 5);
    assert!(of(0).all(|failure| failure.reason == Reason::Exit { code: 3 }));
    assert!(!trial.series.iter().any(|series| series.arm == ArmId(0)), "no good run, no samples");
    let rounds: Vec<_> = of(1).map(|failure| failure.round).collect();
    assert_eq!(rounds, [RoundId(1), RoundId(2), RoundId(3)]);
    assert_eq!(of(1).next().unwrap().seconds, Some(0.0012554275599999999));
    assert_eq!(column(&trial, 1, "wall"), [0.0010981935599999998, 0.00118714656]);
    assert_eq!(column(&trial, 1, "max_rss"), [3244032.0, 3244032.0]);
    assert_eq!(series(&trial, 1).rounds, Whole::Each(vec![0, 4]), "each keeps its place");
    assert!(of(2).all(|failure| failure.reason == Reason::Exit { code: 137 }));
    assert_eq!(of(3).count(), 0);
    assert!(is_noted(&trial, "kept as failures") && is_noted(&trial, "include the runs that failed"));
    assert!(is_noted(&trial, "exactly 0"));
}

#[test]
fn failed_runs_of_2_0_are_failures_too() {
    let trial = trial("v2_fail.json");
    assert_eq!(names(&trial).len(), 5);
    let codes: Vec<_> = trial.failures.iter().map(|failure| (failure.arm.0, &failure.reason)).collect();
    assert_eq!(codes.len(), 13);
    assert_eq!(codes[0], (1, &Reason::Exit { code: 3 }));
    assert_eq!(codes[5], (2, &Reason::Exit { code: 1 }));
    assert_eq!(column(&trial, 2, "wall"), [0.0012931620799999997, 0.0013976290799999997]);
    assert_eq!(column(&trial, 2, "system"), [0.0, 0.0012824800000000001]);
    assert_eq!(trial.failures[5].round, RoundId(2));
}

#[test]
fn one_run_and_one_good_run_in_the_middle_keep_their_place() {
    assert_eq!(column(&trial("v1_one.json"), 0, "wall"), [0.00018099671999999972]);
    let text = r#"{"results":[{"command":"a","mean":1,"times":[1.0,2.0,3.0],"exit_codes":[1,0,null]}]}"#;
    let trial = read(text).unwrap();
    assert_eq!(series(&trial, 0).rounds, Whole::Counting { from: 1 });
    assert_eq!(column(&trial, 0, "wall"), [2.0]);
    let ended = Reason::Other { message: "ended without an exit code".into() };
    assert_eq!((trial.failures[1].round, &trial.failures[1].reason), (RoundId(2), &ended));
}

#[test]
fn old_files_without_codes_or_times_say_what_is_not_known() {
    let trial = read(r#"{"results":[{"command":"a","mean":1.5,"times":[1.0,2.0]}]}"#).unwrap();
    assert!(is_noted(&trial, "does not say how the runs ended"));
    let text = r#"{"results":[{"command":"a","mean":1.5,"stddev":0.5,"median":1.4,"user":0.1,"system":0.2,
                   "min":1.0,"max":2.0,"exit_codes":[0,0]}]}"#;
    let trial = read(text).unwrap();
    let wall = &trial.reported[0];
    assert!(trial.series.is_empty() && is_noted(&trial, "Without the single times"));
    assert_eq!((wall.mean, wall.sd, wall.median), (Some(1.5), Some(0.5), Some(1.4)));
    assert_eq!((wall.min, wall.max, wall.samples), (Some(1.0), Some(2.0), Some(2)));
}

#[test]
fn counters_gaps_and_fields_to_come_are_read() {
    let text = r#"{"schema_version":2,"primary_metric":"instructions","results":[{"command":"a",
        "environment":{"THREADS":"8"},"measurements":[
        {"time_wall_clock":{"value":1.0,"unit":"second"},"exit_code":0,"later":[1,{"x":2}],"note":"x","n":-1,"t":true},
        {"time_wall_clock":{"value":2.0,"unit":"second"},"instructions":{"value":9000},"exit_code":0}]}]}"#;
    let trial = read(text).unwrap();
    assert_eq!(trial.metrics[0].name, "instructions", "the verdict is on what hyperfine compared");
    let counts = column(&trial, 0, "instructions");
    assert!(counts[0].is_nan() && counts[1] == 9000.0);
    assert_eq!(column(&trial, 0, "wall"), [1.0, 2.0]);
    assert_eq!(trial.arms[0].parameters["env THREADS"], "8");
}

#[test]
fn both_forms_are_recognised_and_others_are_not() {
    for name in
        ["v1_two.json", "v1_fail.json", "v1_one.json", "v1_signal.json", "v2_two.json", "v2_names.json"]
    {
        assert_eq!(recognise(&fixture(name)), Some(Format::Hyperfine), "{name}");
        assert_eq!(recognise(&fixture(name)[..300]), Some(Format::Hyperfine), "{name}, cut");
    }
    assert_ne!(recognise(br#"{"schema_version": 1, "id": "0000", "origin": {}}"#), Some(Format::Hyperfine));
    assert_ne!(recognise(br#"{"results": [{"name": "x", "median(elapsed)": 1}]}"#), Some(Format::Hyperfine));
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let one = |rest: &str| format!(r#"{{"results":[{{"command":"a b","mean":1,{rest}}}]}}"#);
    let run = |rest: &str| {
        format!(r#"{{"schema_version":2,"results":[{{"command":"a","measurements":[{rest}]}}]}}"#)
    };
    let wall = r#""time_wall_clock":{"value":1.0,"unit":"second"}"#;
    let many: Vec<String> = (0..65).map(|i| format!(r#""q{i}":{{"value":1}}"#)).collect();
    for (text, words) in [
        (one(r#""times":[0.1,-0.2]"#), r#""a b", wall, sample 2: -0.2"#),
        (one(r#""times":[]"#), "empty list of runs"),
        (one(r#""times":[1e999]"#), "out of range"),
        (one(r#""times":[null]"#), "invalid type: null"),
        (one(r#""times":["1"]"#), "line 1"),
        (one(r#""times":[1.0],"exit_codes":[0,0]"#), "2 entries of exit_codes for 1 runs"),
        (one(r#""times":[1.0],"memory_usage_byte":[]"#), "0 entries of memory_peak_resident for 1 runs"),
        (one(r#""times":[1.0],"user":-1"#), "time_user: -1"),
        (r#"{"results":[{"command":"a"}]}"#.into(), "holds no times, no measurements and no mean"),
        (r#"{"results":[]}"#.into(), "holds no result"),
        (r#"{"results":null}"#.into(), "invalid type: null"),
        (r#"{"schema_version":3,"results":[]}"#.into(), "schema_version: 3 is newer"),
        (r#"[]"#.into(), "invalid"),
        (run(&format!("{{{wall},{wall}}}")), r#"run 1 has "time_wall_clock" twice"#),
        (
            run(&format!(r#"{{{wall}}},{{"time_wall_clock":{{"value":1,"unit":"ms"}}}}"#)),
            "changes its unit in run 2",
        ),
        (run(r#"{"time_wall_clock":{"unit":"second"}}"#), "missing field `value`"),
        (run(&format!("{{{}}}", many.join(","))), "more than 64 quantities"),
        (run(""), "empty list of runs"),
    ] {
        let said = problem(&text);
        assert!(said.contains(words), "{text}\n{said}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for name in ["v1_fail.json", "v2_names.json"] {
        let whole = fixture(name);
        let end = whole.trim_ascii_end().len();
        for cut in (1..end).step_by(7) {
            let error = import(&whole[..cut], name, Some(Format::Hyperfine)).unwrap_err().to_string();
            // Cut inside a number, the error is about the number.
            assert!(
                error.contains("ends too early") || error.contains("invalid number"),
                "{name}, {cut}: {error}"
            );
        }
    }
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(place in 0..2000_usize, byte in any::<u8>(), v2 in any::<bool>()) {
        let mut bytes = fixture(if v2 { "v2_two.json" } else { "v1_params.json" });
        bytes[place] = byte;
        if let Ok(trial) = import(&bytes[..], "changed", Some(Format::Hyperfine)) {
            prop_assert!(trial.check().is_ok());
        }
    }

    #[test]
    fn all_times_come_back_to_the_digit(times in prop::collection::vec(0.0..1e6_f64, 1..50)) {
        let text = format!(r#"{{"results":[{{"command":"a","mean":1,"times":{times:?}}}]}}"#);
        let trial = read(&text).unwrap();
        prop_assert_eq!(column(&trial, 0, "wall"), &times[..]);
    }
}

#[test]
fn the_values_of_variables_that_look_secret_are_not_kept() {
    let text = r#"{"schema_version": 2, "primary_metric": "time_wall_clock", "results": [{"command": "a",
        "environment": {"GITHUB_TOKEN": "hunter1", "db_Password": "hunter2", "APIKEY": "hunter3", "PGPASSWD": "hunter4",
            "AWS_SECRET": "hunter5", "CREDENTIALS": "hunter6", "THREADS": "4"},
        "measurements": [{"time_wall_clock": {"value": 0.1, "unit": "second"}, "exit_code": 0}]}]}"#;
    let trial = evenhand_formats::import::import(text.as_bytes(), "x.json", None).unwrap();
    let parameters = &trial.arms[0].parameters;
    assert_eq!(parameters.len(), 7);
    assert_eq!(parameters["env THREADS"], "4");
    assert_eq!(parameters["env GITHUB_TOKEN"], "***");
    assert!(!format!("{trial:?}").contains("hunter"));
}

#[test]
fn files_of_hyperfine_1_5_without_a_median_are_recognised() {
    let trial = crate::foreign::trial("hyperfine/v1.5_two.json");
    let names: Vec<&str> = trial.arms.iter().map(|arm| &*arm.name).collect();
    assert_eq!(names, ["sleep 0.005", "true"]);
    assert_eq!(trial.series[0].values[0][..2], [0.00594935902, 0.00589568902]);
    assert_eq!(trial.sample_count(), 12);
    assert_eq!(crate::foreign::trial("hyperfine/v1.5_params.json").arms.len(), 2);
}

#[test]
fn its_csv_has_figures_and_parameters() {
    let trial = crate::foreign::trial("hyperfine/v1.5_two.csv");
    let sleep = &crate::foreign::reported(&trial, "sleep 0.005", "wall")[0];
    assert_eq!((sleep.mean, sleep.sd), (Some(0.005941163520000001), Some(0.00003963190355130571)));
    assert_eq!(
        (sleep.min, sleep.max, sleep.median, sleep.samples),
        (Some(0.00589068102), Some(0.00598129702), None, None)
    );
    let user = crate::foreign::reported(&trial, "sleep 0.005", "user")[0];
    assert_eq!((user.mean, user.samples), (Some(0.0008020166666666667), None));
    assert!(crate::foreign::notes(&trial).contains("Without the single times there is no interval"));
    let text = "command,mean,stddev,median,user,system,min,max,parameter_n\n\"a, b\",1.5,,1.25,0,0,1,2,8\nc,-1,0,1,0,0,1,2,9\n";
    let trial = crate::foreign::trial_of(text, Format::Hyperfine);
    assert_eq!((trial.arms.len(), &*trial.arms[0].name, &*trial.arms[0].parameters["n"]), (1, "a, b", "8"));
    assert_eq!((trial.reported[0].median, trial.reported[0].sd), (Some(1.25), None));
    assert!(crate::foreign::notes(&trial).contains("one benchmark left out: \"c\": -1 is not a possible"));
}

#[test]
fn a_broken_csv_is_refused_with_the_line() {
    for (text, words) in [
        ("command,mean,stddev,user\na,1,2\n", "line 2: 3 cells where the first row has 4"),
        ("command,mean,stddev,user\na,x,2,3\n", "line 2: mean is \"x\", which is not a number"),
        ("command,mean,stddev,user\n", "holds no result"),
    ] {
        let said = crate::foreign::refused(text, Format::Hyperfine);
        assert!(said.contains(words), "{said}");
    }
    let endless = format!("command,mean,stddev,user\n\"{}", "7".repeat(3 << 20));
    assert!(crate::foreign::refused(endless, Format::Hyperfine).contains("longer than 1 MiB"));
}
