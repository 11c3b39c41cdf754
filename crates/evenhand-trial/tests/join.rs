//! Trials compared together: what is compared, in which unit, and what is said of the rest.

use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, MetricId, Note, Origin, Per, Reason, Reported, RoundId,
    Schedule, Seed, Series, State, Trial, TrialId, Unit,
};

fn trial(arms: &[&str], typical: f64) -> Trial {
    let origin = Origin::Imported { format: "columns".to_owned(), tool: None, file: "x.csv".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(typical as u64), origin);
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    for (index, name) in arms.iter().enumerate() {
        trial.arms.push(Arm { name: (*name).to_owned(), ..Arm::default() });
        let mut series = Series::new(ArmId(index as u32), LaunchId(0), 1);
        series.values[0] = (0..20_u32).map(|i| typical * (1.0 + 0.001 * f64::from(i * 7 % 11))).collect();
        trial.series.push(series);
    }
    trial
}

fn join(trials: Vec<(&str, Trial)>) -> Result<Trial, String> {
    let trials = trials.into_iter().map(|(name, trial)| (name.to_owned(), trial)).collect();
    let joined = Trial::join(trials).map_err(|broken| broken.to_string())?;
    joined.check().unwrap();
    Ok(joined)
}

fn arms(trial: &Trial) -> Vec<(&str, &str)> {
    trial.arms.iter().map(|arm| (arm.group.as_str(), arm.name.as_str())).collect()
}

#[test]
fn arms_of_one_name_become_alternatives() {
    let joined =
        join(vec![("a.json", trial(&["x", "y"], 1000.0)), ("b.json", trial(&["y", "x"], 1100.0))]).unwrap();
    let expected = [("x", "a.json: x"), ("x", "b.json: x"), ("y", "a.json: y"), ("y", "b.json: y")];
    assert_eq!(arms(&joined), expected);
    assert!(joined.notes.is_empty());
    let Origin::Joined { trials } = &joined.origin else { unreachable!() };
    assert_eq!(trials, &[TrialId::from_number(1000), TrialId::from_number(1100)]);
}

#[test]
fn a_coin_inside_the_trials_is_none_between_them() {
    let mut measured = trial(&["x"], 1000.0);
    measured.schedule = Some(Schedule::new(Seed(1)));
    let joined = join(vec![("a", measured.clone()), ("b", measured)]).unwrap();
    assert_eq!(joined.schedule, None);
}

#[test]
fn single_arms_need_no_common_name() {
    let joined = join(vec![("a", trial(&["old"], 1000.0)), ("b", trial(&["new"], 1200.0))]).unwrap();
    assert_eq!(arms(&joined), [("all", "a: old"), ("all", "b: new")]);
}

#[test]
fn nothing_in_common_is_refused_with_what_there_is() {
    let one = |names: &[&str]| trial(names, 1.0);
    let error = join(vec![("a", one(&["p", "q"])), ("b", one(&["r"]))]).unwrap_err();
    assert_eq!(error, r#"no benchmark name is in two of them: there are "p", "q", "r""#);
    assert!(join(vec![("a", one(&["p"]))]).unwrap_err().starts_with("at least two trials are needed"));
    let many: Vec<String> = (0..20).map(|n| format!("m{n:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(join(vec![("a", one(&many)), ("b", one(&["z"]))]).unwrap_err().ends_with(r#""m07", …"#));
}

#[test]
fn seconds_become_nanoseconds() {
    let mut seconds = trial(&["x"], 1.1e-6);
    seconds.metrics[0].unit = Unit::seconds();
    let mut reported = Reported::new(ArmId(0), MetricId(0));
    reported.mean = Some(2e-6);
    seconds.reported.push(reported);
    let joined = join(vec![("a", trial(&["x"], 1000.0)), ("b", seconds)]).unwrap();
    assert_eq!(joined.metrics.len(), 1);
    assert!((joined.series[1].values[0][0] / 1100.0 - 1.0).abs() < 1e-12, "now nanoseconds");
    assert!((joined.reported[0].mean.unwrap() / 2000.0 - 1.0).abs() < 1e-12);
}

/// The same name, but operations a second.
fn throughput(typical: f64) -> Trial {
    let mut rate = trial(&["x"], typical);
    rate.metrics = vec![Metric {
        name: "wall".to_owned(),
        unit: Unit::new("op/s"),
        per: Per::Iteration,
        better: Better::Higher,
    }];
    rate
}

#[test]
fn a_time_and_a_throughput_of_one_name_stay_apart() {
    let three = vec![("a", trial(&["x"], 1e3)), ("b", throughput(1e5)), ("c", throughput(2e5))];
    let joined = join(three).unwrap();
    let names: Vec<&str> = joined.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["wall", "wall (op/s)"], "the third trial's is the second's");
}

#[test]
fn two_metrics_of_a_trial_never_share_a_place() {
    let mut both = throughput(3e5);
    both.metrics.push(Metric { name: "wall (op/s)".to_owned(), ..both.metrics[0].clone() });
    both.series[0].values.push(vec![7.0; 20]);
    let joined = join(vec![("a", trial(&["x"], 1e3)), ("b", throughput(1e5)), ("c", both)]).unwrap();
    assert_eq!(joined.metrics.len(), 3);
    let last = joined.series.last().unwrap();
    assert_eq!((last.values[1][0], last.values[2][0]), (3e5, 7.0));
}

#[test]
fn columns_stay_with_their_metric() {
    let (mut first, mut second) = (trial(&["x"], 1000.0), trial(&["x"], 1100.0));
    let rss = Metric { per: Per::Iteration, ..Metric::time("rss", Unit::bytes()) };
    first.metrics.push(rss.clone());
    first.series[0].values.push(vec![5e6; 20]);
    // The other way round in the second.
    second.metrics.insert(0, rss);
    second.series[0].values.insert(0, vec![6e6; 20]);
    let joined = join(vec![("a", first), ("b", second)]).unwrap();
    assert_eq!(joined.series[1].values, [joined.series[1].values[0].clone(), vec![6e6; 20]]);
}

fn said(joined: &Trial) -> Vec<String> {
    joined.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_left_out_is_noted() {
    let mut second = trial(&["x", "only b"], 1.0);
    second.notes.push(Note::Said("warmed up".to_owned()));
    second.state = State::Interrupted;
    let joined = join(vec![("a", trial(&["p", "q", "x"], 1.0)), ("b", second)]).unwrap();
    assert_eq!(
        said(&joined),
        [
            "only in a, so not compared: p and 1 more",
            "only in b, so not compared: only b",
            "b was interrupted: the samples that it has are compared",
            "b: warmed up"
        ]
    );
    assert_eq!((joined.arms.len(), joined.series.len()), (2, 2));
}

#[test]
fn machines_that_differ_are_named_by_their_parts() {
    let (mut first, mut second) = (trial(&["x"], 1.0), trial(&["x"], 1.0));
    first.environment.host = Some("alpha".to_owned());
    second.environment.host = Some("beta".to_owned());
    first.environment.kernel = Some("6.1".to_owned());
    let joined = join(vec![("a", first.clone()), ("b", second.clone())]).unwrap();
    let differ = "the machines differ, so a difference may be due to them";
    assert_eq!(said(&joined), [format!("{differ} (host: alpha in a, beta in b)")]);
    let mut third = second.clone();
    third.environment.cpu.model = Some("Ours 1".to_owned());
    first.environment.cpu.model = Some("Ours 2".to_owned());
    third.environment.cpu.governor = Some("powersave".to_owned());
    second.environment.cpu.governor = Some("performance".to_owned());
    let three = vec![("a", first.clone()), ("b", second.clone()), ("c", third)];
    let parts = "host: alpha in a, beta in b, beta in c; processor: Ours 2 in a, Ours 1 in c; governor: performance in b, \
                 powersave in c";
    assert_eq!(said(&join(three).unwrap()), [format!("{differ} ({parts})")]);
    second.environment.host = Some("alpha".to_owned());
    assert!(
        join(vec![("a", first), ("b", second)]).unwrap().notes.is_empty(),
        "an unknown kernel is no other kernel"
    );
}

#[test]
fn of_many_machines_the_first_are_named() {
    let machine = |number: u32| {
        let mut trial = trial(&["x"], 1.0);
        trial.environment.host = Some(format!("h{number}"));
        trial
    };
    let joined = join(["a", "b", "c", "d", "e", "f"].into_iter().zip((0..).map(machine)).collect()).unwrap();
    assert!(
        said(&joined)[0].ends_with("(host: h0 in a, h1 in b, h2 in c, h3 in d, …)"),
        "{:?}",
        joined.notes
    );
}

#[test]
fn three_trials_share_a_baseline() {
    let joined =
        join(vec![("a", trial(&["x"], 100.0)), ("b", trial(&["x"], 110.0)), ("c", trial(&["x"], 90.0))])
            .unwrap();
    assert_eq!(arms(&joined), [("x", "a"), ("x", "b"), ("x", "c")]);
}

#[test]
fn names_that_clash_are_numbered() {
    let joined = join(vec![("a.json", trial(&["x"], 100.0)), ("a.json", trial(&["x"], 110.0))]).unwrap();
    assert_eq!(arms(&joined), [("x", "a.json"), ("x", "a.json (2)")]);
    let odd = join(vec![("t", trial(&["u: x", "x"], 1.0)), ("t: u", trial(&["u: x", "x"], 1.0))]).unwrap();
    let mut names: Vec<&str> = odd.arms.iter().map(|arm| arm.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["t: u: u: x", "t: u: x", "t: u: x (2)", "t: x"]);
}

#[test]
fn a_control_is_none_of_what_another_trial_measured() {
    let (mut first, mut second) = (trial(&["x", "x (control)"], 1.0), trial(&["x", "x (control)"], 1.0));
    (first.arms[1].control, second.arms[1].control) = (true, true);
    let joined = join(vec![("a", first), ("b", second)]).unwrap();
    assert_eq!(joined.arms.iter().filter(|arm| arm.control).count(), 0, "{:?}", arms(&joined));
}

#[test]
fn failures_and_baselines_go_with_their_arms() {
    let (first, mut second) = (trial(&["x", "y"], 1.0), trial(&["z", "y", "x"], 1.0));
    second.arms[1].baseline = true;
    for arm in [0, 1] {
        let reason = Reason::Exit { code: 1 };
        let (arm, launch, round) = (ArmId(arm), LaunchId(0), RoundId(0));
        second.failures.push(Failure { arm, launch, round, reason, seconds: None });
    }
    let joined = join(vec![("a", first), ("b", second)]).unwrap();
    assert_eq!(arms(&joined), [("x", "a: x"), ("x", "b: x"), ("y", "a: y"), ("y", "b: y")]);
    assert!(joined.arms.iter().all(|arm| !arm.baseline), "the first trial is the baseline");
    let failed: Vec<u32> = joined.failures.iter().map(|failure| failure.arm.0).collect();
    assert_eq!(failed, [3], "y of the second; z is not here");
}

#[test]
fn the_same_trials_give_the_same_id() {
    let two = || vec![("a", trial(&["x"], 1.0)), ("b", trial(&["x"], 2.0))];
    assert_eq!(join(two()).unwrap().id, join(two()).unwrap().id);
    let turned = join(vec![("b", trial(&["x"], 2.0)), ("a", trial(&["x"], 1.0))]).unwrap();
    assert_ne!(join(two()).unwrap().id, turned.id);
}
