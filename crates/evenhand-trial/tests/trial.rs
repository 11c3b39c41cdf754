//! Trials: every rule is refused by its own words, groups and units mean what they say, and the fingerprint sees all.

use crate::sample_trial::full;
use evenhand_trial::environment::{Clock, Git};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, MetricId, Note, Origin, Per, Reason, Reported, RoundId,
    Schedule, Seed, Series, State, Trial, TrialId, Unit, Whole,
};

type Change = fn(&mut Trial);

/// One change of a good trial for each rule, and what is said of it.
const BROKEN: [(&str, Change); 36] = [
    ("the trial has no metric", |t| t.metrics.clear()),
    ("two metrics have the name \"wall\"", |t| t.metrics[1].name = "wall".into()),
    ("two arms have the name \"old\\n\"", |t| {
        t.arms[0].name = "old\n".into();
        t.arms[1].name = "old\n".into();
    }),
    ("the group \"sort\" has two baselines", |t| t.arms[0].baseline = true),
    ("series 1 is of arm 3, which does not exist", |t| t.series[1].arm = ArmId(3)),
    ("series 0 is of arm 4294967295, which does not exist", |t| t.series[0].arm = ArmId(u32::MAX)),
    ("series 0 has 1 columns for 2 metrics", |t| drop(t.series[0].values.pop())),
    ("series 1 has 3 columns for 2 metrics", |t| t.series[1].values.push(Vec::new())),
    ("series 0 has columns of 2 and of 3 samples", |t| t.series[0].values[1].truncate(2)),
    ("series 0 has columns of 1 and of 3 samples", |t| t.series[0].values[0].truncate(1)),
    ("series 0 holds an infinite number", |t| t.series[0].values[0][2] = f64::INFINITY),
    ("series 0 holds an infinite number", |t| t.series[0].values[1][0] = f64::NEG_INFINITY),
    ("series 0 does not have 3 rounds, one for each sample", |t| {
        t.series[0].rounds = Whole::Each(vec![0, 1]);
    }),
    ("series 0 does not have 3 rounds, one for each sample", |t| {
        t.series[0].rounds = Whole::Counting { from: u64::MAX - 1 };
    }),
    ("series 0 does not have 3 positions, one for each sample", |t| {
        t.series[0].positions = Some(Whole::Each(vec![0; 4]));
    }),
    ("series 0 does not have 3 started, one for each sample", |t| {
        t.series[0].started = Some(Whole::Each(Vec::new()));
    }),
    ("series 0 does not have 3 iterations, one for each sample", |t| {
        t.series[0].iterations = Whole::Each(vec![1]);
    }),
    ("series 0 has rounds that do not rise", |t| t.series[0].rounds = Whole::Same { same: 1 }),
    ("series 0 has rounds that do not rise", |t| t.series[0].rounds = Whole::Each(vec![0, 1, 1])),
    ("series 0 has rounds that do not rise", |t| t.series[0].rounds = Whole::Each(vec![0, 2, 1])),
    ("series 0 has a sample of 0 iterations", |t| t.series[0].iterations = Whole::Same { same: 0 }),
    ("series 0 has a sample of 0 iterations", |t| t.series[0].iterations = Whole::Each(vec![1, 0, 1])),
    ("failure 0 is of arm 3, which does not exist", |t| t.failures[0].arm = ArmId(3)),
    ("reported figure 0 is of arm 9, which does not exist", |t| t.reported[0].arm = ArmId(9)),
    ("reported figure 0 is of metric 2, which does not exist", |t| t.reported[0].metric = MetricId(2)),
    ("the trial's length in seconds holds a number that is not finite", |t| t.seconds = Some(f64::NAN)),
    ("the environment holds a number that is not finite", |t| {
        t.environment.steal_share = Some(f64::INFINITY);
    }),
    ("the environment holds a number that is not finite", |t| {
        t.environment.load_average = Some([0.0, f64::NAN, 0.0]);
    }),
    ("the environment holds a number that is not finite", |t| t.environment.cpu.mhz = Some(f64::NAN)),
    ("the environment holds a number that is not finite", |t| t.environment.cpu.limit = Some(f64::NAN)),
    ("the environment holds a number that is not finite", |t| {
        t.environment.clock = Some(Clock { source: "c".into(), cost_ns: 1.0, resolution_ns: f64::INFINITY });
    }),
    ("failure 0 holds a number that is not finite", |t| {
        t.failures[0].reason = Reason::Timeout { allowed: f64::INFINITY };
    }),
    ("reported figure 0 holds a number that is not finite", |t| t.reported[0].mean_error = Some(f64::NAN)),
    ("reported figure 0 holds a number that is not finite", |t| t.reported[0].percentiles[0].1 = f64::NAN),
    ("reported figure 0 holds a number that is not finite", |t| t.reported[0].histogram[0].0 = f64::INFINITY),
    ("reported figure 0 holds a number that is not finite", |t| {
        t.reported[0].more.insert("skew".into(), f64::NAN);
    }),
];

#[test]
fn every_broken_rule_is_said() {
    full().check().unwrap();
    for (says, change) in BROKEN {
        let mut trial = full();
        change(&mut trial);
        assert_eq!(trial.check().map_err(|broken| broken.to_string()), Err(says.to_owned()));
    }
}

#[test]
fn what_is_unusual_but_sound_passes() {
    let sound: [Change; 7] = [
        |t| t.series[0].rounds = Whole::Counting { from: u64::MAX - 2 },
        |t| t.series[0].values[1].clear(),
        |t| t.series[0].values[0] = vec![f64::NAN, -0.0, f64::MIN],
        |t| {
            t.series[0] = Series::new(ArmId(0), LaunchId(u32::MAX), 2);
            t.series[0].rounds = Whole::Same { same: 3 };
        },
        |t| {
            t.series.clear();
            t.failures.clear();
            t.reported.clear();
            t.launches.clear();
            t.arms.clear();
        },
        |t| t.series[0].iterations = Whole::Each(vec![1, u64::MAX, 2]),
        |t| t.series.extend(t.series.clone()),
    ];
    for change in sound {
        let mut trial = full();
        change(&mut trial);
        assert_eq!(trial.check(), Ok(()));
    }
}

#[test]
fn groups_come_in_the_order_of_their_first_arms_with_the_baseline_first() {
    let arm = |name: &str, group: &str, baseline| Arm {
        name: name.into(),
        group: group.into(),
        baseline,
        ..Arm::default()
    };
    let mut trial = full();
    trial.arms = vec![
        arm("z1", "z", false),
        arm("a1", "a", false),
        arm("z2", "z", false),
        arm("z3", "z", true),
        arm("alone", "", false),
        arm("a2", "a", false),
        arm("z4", "z", false),
    ];
    let ids = |list: &[u32]| list.iter().copied().map(ArmId).collect::<Vec<_>>();
    assert_eq!(trial.groups(), [("z", ids(&[3, 0, 2, 6])), ("a", ids(&[1, 5])), ("", ids(&[4]))]);
    trial.arms.clear();
    assert_eq!(trial.groups(), []);
}

#[test]
fn arms_and_metrics_are_found_by_place_and_by_name() {
    let trial = full();
    assert_eq!(trial.arm(ArmId(1)).unwrap().name, "new");
    assert_eq!(trial.arm(ArmId(3)), None);
    let (place, metric) = trial.metric("max_rss").unwrap();
    assert_eq!((place, metric.unit.symbol()), (MetricId(1), "B"));
    assert!(trial.metric("Wall").is_none());
    assert_eq!(trial.sample_count(), 5);
}

#[test]
fn units_of_time_convert_exactly() {
    let factor = |from: &str, to: &str| Unit::new(from).factor_to(&Unit::new(to));
    for (from, to, wanted) in [
        ("s", "ns", 1e9),
        ("ns", "s", 1e-9),
        ("us", "ns", 1e3),
        ("ms", "us", 1e3),
        ("s", "ps", 1e12),
        ("ps", "ns", 1e-3),
        ("min", "s", 60.0),
        ("h", "min", 60.0),
        ("d", "ms", 86_400_000.0),
        ("µs", "us", 1.0),
        ("\u{3bc}s", "ms", 1e-3),
        ("B", "B", 1.0),
        ("", "", 1.0),
        ("bogus", "bogus", 1.0),
    ] {
        assert_eq!(factor(from, to), Some(wanted), "{from} to {to}");
    }
    for (from, to) in [("B", "s"), ("s", "B"), ("", "s"), ("B", "KB"), ("S", "s")] {
        assert_eq!(factor(from, to), None, "{from} to {to}");
    }
    assert_eq!(Unit::nanoseconds().in_seconds(), Some(1e-9));
    assert_eq!(Unit::seconds().in_seconds(), Some(1.0));
    assert_eq!(Unit::bytes().in_seconds(), None);
    let read: Unit = serde_json::from_str("\"µs\"").unwrap();
    assert_eq!(
        read,
        Unit::new("us"),
        "both spellings of a microsecond are one unit when read from a file, too"
    );
}

#[test]
fn a_total_is_divided_by_its_iterations_and_a_peak_is_not() {
    let mut metric = Metric::time("wall", Unit::nanoseconds());
    assert_eq!((metric.per, metric.better), (Per::Sample, Better::Lower));
    assert_eq!(metric.per_iteration(120.0, 8), 15.0);
    assert_eq!(metric.per_iteration(120.0, 1), 120.0);
    metric.per = Per::Iteration;
    assert_eq!(metric.per_iteration(120.0, 8), 120.0);
}

#[test]
fn an_id_is_short_and_cannot_be_a_path() {
    assert_eq!(TrialId::from_number(0xaa).as_str(), "00000000000000aa");
    assert_eq!(TrialId::from_number(u64::MAX).short(), "ffffffff");
    assert_eq!("beef".parse::<TrialId>().unwrap().short(), "beef");
    assert_eq!("0123456789abcdef0123456789abcdef".parse::<TrialId>().unwrap().to_string().len(), 32);
    let long = "a".repeat(33);
    for hostile in [
        "",
        "abc",
        &long,
        "ABCD",
        "../../beef",
        "12 4",
        "beef\0",
        "béef",
        "ａｂｃｄ",
        "-rf1",
        "'; drop table",
    ] {
        let said = hostile.parse::<TrialId>().unwrap_err().to_string();
        assert_eq!(
            said,
            format!(
                "a trial's id is 4 to 32 lower-case hexadecimal digits, not \"{}\"",
                hostile.escape_debug()
            )
        );
        let json = serde_json::to_string(hostile).unwrap();
        assert!(serde_json::from_str::<TrialId>(&json).unwrap_err().to_string().contains("4 to 32"));
    }
}

#[test]
fn failures_say_what_happened() {
    for (reason, says) in [
        (Reason::Exit { code: 2 }, "ended with code 2"),
        (Reason::Signal { number: 11 }, "ended by signal 11"),
        (Reason::Timeout { allowed: 1.5 }, "ran longer than the 1.5 s allowed"),
        (Reason::NotStarted { message: "no such file".into() }, "could not be started: no such file"),
        (Reason::WrongResult { message: "3 ≠ 4".into() }, "gave another result than the baseline: 3 ≠ 4"),
        (Reason::Other { message: "lost".into() }, "lost"),
    ] {
        assert_eq!(reason.to_string(), says);
    }
    assert_eq!(State::Interrupted.to_string(), "interrupted");
    assert_eq!(State::Running.to_string(), "running");
    assert_eq!(State::Complete.to_string(), "complete");
}

/// One change for every part of a trial.
const PARTS: [(&str, Change); 50] = [
    ("label", |t| t.label = None),
    ("started", |t| t.started = Some("2026-01-02T03:04:05.000000007Z".parse().unwrap())),
    ("seconds", |t| t.seconds = Some(12.000_000_000_000_002)),
    ("state", |t| t.state = State::Interrupted),
    ("origin", |t| t.origin = Origin::Measured { version: "0.1.1".into() }),
    ("kind of origin", |t| t.origin = Origin::Joined { trials: vec![] }),
    ("seed", |t| t.schedule = Some(Schedule::new(Seed(1)))),
    ("no coin", |t| t.schedule = None),
    ("plan", |t| t.plan.rounds = Some(101)),
    ("what the plan says", |t| drop(t.plan.given.insert("pin".into(), "none".into()))),
    ("a launch's layout", |t| t.launches[1].layout = 2),
    ("a launch's processor", |t| t.launches[1].cpu = None),
    ("a launch less", |t| t.launches.truncate(1)),
    ("host", |t| t.environment.host = None),
    ("cpu", |t| t.environment.cpu.governor = None),
    ("git", |t| t.environment.git = Some(Git { commit: "b".into(), dirty: true, branch: None })),
    ("variables", |t| drop(t.environment.variables.insert("LANG".into(), "C".into()))),
    ("metric's name", |t| t.metrics[1].name = "rss".into()),
    ("metric's unit", |t| t.metrics[1].unit = Unit::new("KiB")),
    ("metric's per", |t| t.metrics[1].per = Per::Sample),
    ("metric's better", |t| t.metrics[1].better = Better::Higher),
    ("arm's name", |t| t.arms[0].name = "older".into()),
    ("arm's group", |t| t.arms[0].group = String::new()),
    ("arm's baseline", |t| t.arms[1].baseline = false),
    ("arm's command", |t| t.arms[0].command.push("-v".into())),
    ("arm's parameters", |t| drop(t.arms[0].parameters.insert("size".into(), "2".into()))),
    ("order of arms", |t| t.arms.swap(0, 1)),
    ("order of series", |t| t.series.swap(0, 1)),
    ("a series less", |t| drop(t.series.pop())),
    ("a series without samples more", |t| t.series.push(Series::new(ArmId(0), LaunchId(9), 2))),
    ("series' arm", |t| t.series[0].arm = ArmId(1)),
    ("series' launch", |t| t.series[0].launch = LaunchId(1)),
    ("rounds", |t| t.series[0].rounds = Whole::Counting { from: 1 }),
    ("positions", |t| t.series[0].positions = Some(Whole::Same { same: 1 })),
    ("no positions", |t| t.series[0].positions = None),
    ("no starts", |t| t.series[0].started = None),
    ("positions for starts", |t| t.series[0].positions = t.series[0].started.take()),
    ("starts for positions", |t| t.series[0].started = t.series[0].positions.take()),
    ("iterations", |t| t.series[0].iterations = Whole::Each(vec![1, 1, 2])),
    ("a value's last bit", |t| t.series[0].values[0][1] = t.series[0].values[0][1].next_up()),
    ("a value's sign", |t| t.series[0].values[1][0] = -0.0),
    ("a missing value", |t| t.series[0].values[0][1] = f64::NAN),
    ("an empty column", |t| t.series[0].values[1].clear()),
    ("columns exchanged", |t| t.series[0].values.swap(0, 1)),
    ("failure's round", |t| t.failures[0].round = RoundId(8)),
    ("failure's reason", |t| t.failures[0].reason = Reason::Exit { code: 1 }),
    ("no failure", |t| t.failures.clear()),
    ("reported mean", |t| t.reported[0].mean = Some(2.0)),
    ("reported launch", |t| t.reported[0].launch = None),
    ("notes", |t| t.notes.push(Note::Said("more".into()))),
];

#[test]
fn the_fingerprint_sees_every_part_but_the_id() {
    let mut trial = full();
    trial.series[0].positions = Some(Whole::Each(vec![0, 1, 0]));
    let mut seen = vec![("nothing", trial.fingerprint())];
    for (part, change) in PARTS {
        let mut changed = trial.clone();
        change(&mut changed);
        let fingerprint = changed.fingerprint();
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == fingerprint) {
            panic!("{part} changed and {other} changed have the same fingerprint");
        }
        seen.push((part, fingerprint));
    }
    trial.id = TrialId::from_number(99);
    assert_eq!(trial.fingerprint(), seen[0].1);
}

#[test]
fn the_fingerprint_is_the_same_in_every_run_and_however_the_numbers_are_kept() {
    let mut trial = full();
    trial.arms[2].control = false;
    trial.launches.clear();
    trial.notes = vec![Note::Said("The last round was cut off.".to_owned())];
    let of_version_1 = "afdd9dbd75afdd7d";
    assert_eq!(format!("{:016x}", trial.fingerprint()), of_version_1);
    let mut spelled_out = trial.clone();
    spelled_out.series[0].rounds = Whole::Each(vec![0, 1, 2]);
    spelled_out.series[0].iterations = Whole::Each(vec![1, 1, 1]);
    assert_eq!(spelled_out.fingerprint(), trial.fingerprint());
    let mut other_nan = trial.clone();
    assert!(trial.series[1].values[1][0].is_nan());
    other_nan.series[1].values[1][0] = f64::from_bits(0xfff8_0000_0000_0001);
    assert_eq!(other_nan.fingerprint(), trial.fingerprint(), "JSON has one NaN only");
}

#[test]
fn the_head_is_all_but_the_samples() {
    let trial = full();
    let mut head = trial.head();
    assert_eq!(head.sample_count(), 0);
    head.series = trial.series.clone();
    assert_eq!(serde_json::to_string(&head).unwrap(), serde_json::to_string(&trial).unwrap());
}

#[test]
fn a_new_trial_is_empty_and_lacks_only_a_metric() {
    let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "0".into() });
    assert_eq!(trial.check().unwrap_err().to_string(), "the trial has no metric");
    trial.metrics.push(Metric::time("wall", Unit::seconds()));
    trial.arms.push(Arm { name: "only".into(), ..Arm::default() });
    let reported = Reported::new(ArmId(0), MetricId(0));
    assert_eq!((reported.samples, reported.mean, reported.launch), (None, None, None));
    trial.reported.push(reported);
    trial.failures.push(Failure {
        arm: ArmId(0),
        launch: LaunchId(0),
        round: RoundId(0),
        reason: Reason::Signal { number: 9 },
        seconds: None,
    });
    assert_eq!(trial.check(), Ok(()));
}
