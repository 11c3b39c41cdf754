//! Is a verdict on two services taken back when the load generator may have made the difference?

use super::planted::{Draws, add, only, trial};
use super::read::Comparison;
use evenhand_analysis::Settings;
use evenhand_stats::randomised::Word;
use evenhand_trial::{Better, Metric, Trial, Unit};

/// Responses of 1 ms and so much more, with the lateness of both arms, in nanoseconds.
fn services(effect: f64, late: [f64; 2]) -> Trial {
    let mut draws = Draws::new(11);
    let mut trial = trial(&["old", "new"]);
    trial.metrics = vec![
        Metric::time("response_p99", Unit::nanoseconds()),
        Metric::time("late_p50", Unit::nanoseconds()),
        Metric::time("late_p99", Unit::nanoseconds()),
    ];
    for (arm, late) in (0..).zip(late) {
        let response = 1e6 * if arm == 0 { 1.0 } else { 1.0 + effect };
        add(&mut trial, arm, 0, &draws.times(40, response, 0.005));
        let series = &mut trial.series[arm as usize];
        series.values[1] = vec![1e6 * f64::from(arm); 40];
        series.values[2] = draws.times(40, late, 0.01);
    }
    trial
}

fn compared(trial: &Trial) -> Comparison {
    let settings = Settings { margin_percent: 3.0, ..Settings::default() };
    only(trial, &settings)
}

#[test]
fn the_percentile_is_named_in_the_verdict() {
    let found = compared(&services(0.3, [5e3, 5e3]));
    assert!(
        found.sentence.starts_with("new is 30.") || found.sentence.starts_with("new is 29."),
        "{}",
        found.sentence
    );
    assert!(found.sentence.contains(" % slower at P99 than old ["), "{}", found.sentence);
    let same = compared(&services(0.0, [5e3, 5e3]));
    assert!(same.sentence.contains("are the same within 3 % at P99: "), "{}", same.sentence);
}

#[test]
fn a_lateness_that_may_have_made_the_difference_takes_the_verdict_back() {
    // Half of the margin are 15 µs, half of a change of 30 % are 150 µs.
    let (alike, apart, far_apart) = ([200e3, 205e3], [5e3, 30e3], [230e3, 5e3]);
    for (effect, late, withheld) in [
        (0.0, alike, false),
        (0.0, apart, true),
        (0.0, far_apart, true),
        (0.3, alike, false),
        (0.3, apart, false),
        (0.3, far_apart, true),
    ] {
        let found = compared(&services(effect, late));
        assert_eq!(found.verdict == Word::Unclear, withheld, "{late:?} {effect}: {}", found.sentence);
        let is_told = |limit: &String| limit.starts_with("no verdict: evenhand itself was late by 2");
        assert_eq!(found.limits.iter().any(is_told), withheld, "{:?}", found.limits);
    }
}

#[test]
fn another_metric_does_not_ask_for_lateness() {
    let mut trial = services(0.3, [5e3, 30e3]);
    trial.metrics[0] =
        Metric { better: Better::Higher, ..Metric::time("throughput", Unit::new("requests/s")) };
    let found = compared(&trial);
    assert_eq!(found.verdict, Word::Faster);
}
