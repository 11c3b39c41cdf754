//! Which arms are compared by which metric, and what is refused.

use super::planted::{Draws, add, by_default, compared, pair, trial};
use super::read::{Kind, analyse};
use evenhand_analysis::Settings;
use evenhand_stats::randomised::Word;
use evenhand_trial::{Better, Metric, Per, Trial, Unit};

/// Two groups of three arms; in the second, the baseline is the last.
fn groups() -> Trial {
    let mut trial = trial(&["a", "b", "c", "d", "e", "f"]);
    for (index, arm) in trial.arms.iter_mut().enumerate() {
        arm.group = if index < 3 { "first".to_owned() } else { "second".to_owned() };
    }
    trial.arms[5].baseline = true;
    let mut draws = Draws::new(30);
    for arm in 0..6 {
        let times = draws.times(60, 1e6 * (1.0 + 0.1 * f64::from(arm)), 0.01);
        add(&mut trial, arm, 0, &times);
    }
    trial
}

fn pairs(trial: &Trial, settings: &Settings) -> Vec<String> {
    let comparisons = analyse(trial, settings).unwrap().comparisons;
    comparisons.iter().map(|one| format!("{}/{} {}", one.candidate, one.baseline, one.metric)).collect()
}

fn from(baseline: &str) -> Settings {
    Settings { baseline: Some(baseline.to_owned()), ..Settings::default() }
}

#[test]
fn arms_are_compared_with_the_baseline_of_their_group() {
    let trial = groups();
    assert_eq!(pairs(&trial, &Settings::default()), ["b/a wall", "c/a wall", "d/f wall", "e/f wall"]);
    let comparisons = by_default(&trial).comparisons;
    assert_eq!(
        comparisons.iter().map(|one| one.group.as_str()).collect::<Vec<_>>(),
        ["first", "first", "second", "second"]
    );
    assert!(comparisons[0].verdict == Word::Slower && comparisons[2].verdict == Word::Faster);
    assert_eq!(pairs(&trial, &from("b")), ["a/b wall", "c/b wall", "d/f wall", "e/f wall"]);
}

#[test]
fn a_baseline_alone_in_its_group_is_compared_with_all_and_without_a_coin() {
    let mut trial = groups();
    trial.arms[5].group = "third".to_owned();
    assert_eq!(pairs(&trial, &from("f")), ["a/f wall", "b/f wall", "c/f wall", "d/f wall", "e/f wall"]);
    let comparisons = analyse(&trial, &from("f")).unwrap().comparisons;
    assert!(comparisons.iter().all(|one| one.kind == Kind::Unpaired), "each group has its own coins");
    assert!(
        comparisons
            .iter()
            .all(|one| one.assumptions == ["assuming that nothing else changed between the two measurements"])
    );
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    let refused = |settings| analyse(&groups(), &settings).unwrap_err();
    let arms = r#"there are "a", "b", "c", "d", "e", "f""#;
    assert_eq!(
        refused(from("g\n")),
        format!(r#"no command or benchmark "g\n" to use as the baseline: {arms}"#)
    );
    let metric = Settings { metrics: vec!["walls".to_owned()], ..Settings::default() };
    assert_eq!(refused(metric), r#"no metric "walls": there are "wall""#);
    let mut many = trial(&[]);
    many.arms = (0..20).map(|n| evenhand_trial::Arm { name: n.to_string(), ..Default::default() }).collect();
    let text = analyse(&many, &from("x")).unwrap_err();
    assert!(text.ends_with(r#""10", "11" and 8 more"#), "{text}");
}

#[test]
fn settings_that_cannot_be_met_are_refused() {
    let trial = pair(20, 0.0, 0.01, 31);
    let refused = |settings: Settings| analyse(&trial, &settings).unwrap_err();
    let with = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        refused(settings)
    };
    assert_eq!(
        with(&|s| s.margin_percent = 100.0),
        "the margin must be at least 0 % and below 100 %, not 100 %"
    );
    assert_eq!(
        with(&|s| s.margin_percent = -1.0),
        "the margin must be at least 0 % and below 100 %, not -1 %"
    );
    assert!(
        with(&|s| s.margin_percent = f64::NAN).starts_with("the margin must be at least 0 % and below 100 %")
    );
    for confidence in [0.0, 1.0, 99.0, -0.5, f64::NAN, 1e-17] {
        assert!(
            with(&|s| s.confidence = confidence)
                .starts_with("the confidence must be between 0 and 1, such as 0.99")
        );
    }
    assert_eq!(
        with(&|s| s.percentiles = vec![50.0, 101.0]),
        "a percentile must be between 0 and 100, not 101"
    );
    assert!(with(&|s| s.percentiles = vec![f64::NAN]).starts_with("a percentile must be between 0 and 100"));
}

/// `wall` known of `old` only, then `user` and `rss` of both.
fn three_metrics() -> Trial {
    let mut trial = pair(60, 0.05, 0.01, 32);
    let metric =
        |name: &str, unit| Metric { name: name.to_owned(), unit, per: Per::Iteration, better: Better::Lower };
    trial.metrics.push(metric("user", Unit::seconds()));
    trial.metrics.push(metric("rss", Unit::bytes()));
    for series in &mut trial.series {
        let wall = series.values[0].clone();
        series.values.push(wall.iter().map(|value| value / 2e9).collect());
        series.values.push(vec![1e6; wall.len()]);
    }
    trial.series[1].values[0].clear();
    trial
}

#[test]
fn the_verdict_is_on_the_first_metric_of_both_unless_asked() {
    let trial = three_metrics();
    trial.check().unwrap();
    assert_eq!(compared(&trial).metric, "user");
    let asked = Settings { metrics: vec!["rss".to_owned(), "wall".to_owned()], ..Settings::default() };
    assert_eq!(pairs(&trial, &asked), ["new/old rss", "new/old wall"]);
    let comparisons = analyse(&trial, &asked).unwrap().comparisons;
    assert_eq!((comparisons[0].verdict, comparisons[0].unit.symbol()), (Word::Same, "B"));
    assert_eq!(comparisons[1].limits, ["no round has wall of both"]);
    assert_eq!(comparisons[1].rounds, 0);
}

/// The time of a command is known of runs that were a single task.
#[test]
fn a_metric_that_is_mostly_missing_gives_way_to_the_next() {
    let missing = |count: usize| {
        let mut trial = three_metrics();
        trial.series[1].values[0] = trial.series[0].values[0].clone();
        trial.series[1].values[0][..count].fill(f64::NAN);
        compared(&trial).metric
    };
    assert_eq!((missing(0).as_str(), missing(29).as_str()), ("wall", "wall"));
    assert_eq!((missing(30).as_str(), missing(60).as_str()), ("user", "user"));
}

#[test]
fn one_change_among_many_is_called_and_the_rest_are_not() {
    let mut trial = trial(&["base", "s0", "s1", "s2", "s3", "s4", "s5", "changed"]);
    let mut draws = Draws::new(33);
    for arm in 0..8 {
        let typical = if arm == 7 { 1.05e6 } else { 1e6 };
        let times = draws.times(150, typical, 0.01);
        add(&mut trial, arm, 0, &times);
    }
    let called: Vec<Option<bool>> =
        by_default(&trial).comparisons.iter().map(|one| one.change_in_suite).collect();
    assert_eq!(called, [vec![Some(false); 6], vec![Some(true)]].concat());
    trial.schedule = None;
    assert!(
        by_default(&trial)
            .comparisons
            .iter()
            .all(|one| one.change_in_suite.is_none() && one.ln_e_value.is_none())
    );
}

#[test]
fn a_single_arm_is_compared_with_nothing() {
    let mut trial = trial(&["only"]);
    add(&mut trial, 0, 0, &[1.0, 2.0, 3.0]);
    let analysis = by_default(&trial);
    assert!(analysis.comparisons.is_empty() && analysis.levels.len() == 1);
}
