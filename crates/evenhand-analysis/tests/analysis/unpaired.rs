//! Without a coin: an interval where the samples carry one, and the assumption with it.

use super::planted::{Draws, add, by_default, compared, imported, mapped, only};
use super::read::{Comparison, From, Kind};
use evenhand_analysis::{ErrorRule, Settings};
use evenhand_stats::level::mean_error::MeanErrorRule;
use evenhand_stats::randomised::Word;
use evenhand_stats::unpaired::comparison::{Series, compare};
use evenhand_stats::unpaired::worth::{Worth, worth_together};
use evenhand_trial::{Better, LaunchId, MetricId, Reported, Trial};

const ASSUMED: &str = "assuming that nothing else changed between the two measurements";

fn shifted(count: usize, effect: f64, seed: u64) -> Trial {
    let mut draws = Draws::new(seed);
    let (old, new) = (draws.times(count, 1e6, 0.02), draws.times(count, 1e6 * (1.0 + effect), 0.02));
    imported(&old, &new)
}

/// Samples that remember each other.
fn remembering(count: usize, memory: f64, typical: f64, seed: u64) -> Vec<f64> {
    let mut draws = Draws::new(seed);
    let mut mood = 0.0;
    (0..count)
        .map(|_| {
            mood = memory * mood + (1.0 - memory * memory).sqrt() * 0.02 * draws.normal();
            typical * f64::exp(mood)
        })
        .collect()
}

fn width(comparison: &Comparison) -> f64 {
    comparison.effect.high.unwrap() - comparison.effect.low.unwrap()
}

#[test]
fn a_real_shift_is_found_and_the_assumption_said() {
    let found = compared(&shifted(100, 0.05, 40));
    assert_eq!(
        (found.verdict, found.kind, found.rounds, found.launches),
        (Word::Slower, Kind::Unpaired, 0, 1)
    );
    assert!(found.effect.low.unwrap() < 0.05 && found.effect.high.unwrap() > 0.05);
    assert_eq!(found.assumptions, [ASSUMED]);
    assert!(found.sentence.ends_with(ASSUMED), "{}", found.sentence);
    assert!(found.mean.is_none() && found.ln_e_value.is_none() && found.needed.is_none());
    assert_eq!(compared(&shifted(100, -0.05, 40)).verdict, Word::Faster);
    assert_eq!(compared(&shifted(1000, 0.0, 41)).verdict, Word::Same);
}

#[test]
fn the_interval_is_that_of_the_effective_samples() {
    let trial = shifted(100, 0.05, 42);
    let (old, new) = (&trial.series[0].values[0], &trial.series[1].values[0]);
    let worth = |values| Worth::of(values, MeanErrorRule::default(), 1.0 - 0.99).unwrap().unwrap();
    let [n, m] = worth_together(worth(old), worth(new), 1.0 - 0.99).unwrap();
    let expected =
        compare(Series::dependent(old, n), Series::dependent(new, m), 1.0 - 0.99).unwrap().ratio.unwrap();
    let effect = compared(&trial).effect;
    for (got, expected) in [
        (effect.low, expected.bounds.lower),
        (effect.estimate, expected.value),
        (effect.high, expected.bounds.upper),
    ] {
        assert!((got.unwrap() - (expected - 1.0)).abs() < 1e-12);
    }
}

#[test]
fn memory_widens_the_interval() {
    let between = |memory| {
        compared(&imported(&remembering(400, memory, 1e6, 43), &remembering(400, memory, 1.05e6, 44)))
    };
    let (none, some) = (between(0.0), between(0.6));
    assert!(width(&some) > 1.5 * width(&none), "{} {}", width(&some), width(&none));
    let naive = Settings { mean_error: ErrorRule(MeanErrorRule::Naive), ..Settings::default() };
    let trial = imported(&remembering(400, 0.6, 1e6, 43), &remembering(400, 0.6, 1.05e6, 44));
    assert!(width(&only(&trial, &naive)) < width(&some), "the rule of the settings is the one used");
}

#[test]
fn a_memory_as_long_as_the_run_gives_no_interval() {
    let found = compared(&imported(&remembering(200, 0.99, 1e6, 45), &remembering(200, 0.0, 1.05e6, 46)));
    assert_eq!((found.verdict, found.effect.low, found.effect.high), (Word::Unclear, None, None));
    assert!(found.effect.estimate.is_some());
    assert!(
        found.limits[0].contains("each sample of old depends on those before it for so long"),
        "{:?}",
        found.limits
    );
}

#[test]
fn single_samples_and_constants_say_nothing_of_their_error() {
    let single = compared(&imported(&[100.0], &[110.0]));
    assert_eq!((single.verdict, single.effect.low), (Word::Unclear, None));
    assert!((single.effect.estimate.unwrap() - 0.1).abs() < 1e-12);
    assert_eq!(single.limits, ["no interval: one sample of old does not show how much it varies"]);
    let constant = compared(&imported(&[100.0; 30], &[110.0; 30]));
    assert_eq!((constant.verdict, constant.effect.high), (Word::Unclear, None));
    assert!(constant.limits[0].starts_with("no interval: "), "{:?}", constant.limits);
    let few = compared(&imported(&[100.0, 101.0], &[110.0, 111.0]));
    assert_eq!(
        few.limits,
        [
            "no interval: 2 and 2 independent samples are too few for 99 % confidence: at least 5 per side are needed"
        ]
    );
}

/// The example of benchstat's documentation, in nanoseconds.
const JSON: [f64; 10] = [1718.0, 1747.0, 1735.0, 1710.0, 1729.0, 1731.0, 1722.0, 1740.0, 1715.0, 1726.0];
const GOB: [f64; 10] = [307.0, 309.0, 306.0, 303.0, 311.0, 305.0, 308.0, 304.0, 310.0, 312.0];

#[test]
fn ten_against_ten_are_compared_if_they_are_independent() {
    let found = compared(&imported(&JSON, &GOB));
    assert_eq!(found.verdict, Word::Faster);
    let (low, high) = (found.effect.low.unwrap(), found.effect.high.unwrap());
    assert!(-0.83 < low && low < -0.82 && -0.82 < high && high < -0.81, "{:?}", found.effect);
    let assumed = format!("99 % sure, if these 10 and 10 samples are independent, {ASSUMED}");
    assert!(found.sentence.ends_with(&assumed), "{}", found.sentence);
}

#[test]
fn few_samples_in_any_order_say_the_same() {
    let mut sorted = JSON;
    sorted.sort_by(f64::total_cmp);
    assert_eq!(compared(&imported(&sorted, &GOB)).effect, compared(&imported(&JSON, &GOB)).effect);
}

#[test]
fn only_the_arm_of_few_samples_is_taken_for_independent() {
    let mut trial = shifted(100, 0.05, 49);
    trial.series[1].values[0].truncate(19);
    let found = compared(&trial);
    assert_eq!(found.assumptions, ["if these 19 samples of new are independent", ASSUMED]);
    trial.series[1].values[0] = shifted(100, 0.05, 49).series[1].values[0][..20].to_vec();
    assert_eq!(compared(&trial).assumptions, [ASSUMED]);
}

#[test]
fn counts_that_never_vary_differ_or_they_do_not() {
    let counted = |old: f64, new: f64| {
        let mut trial = imported(&[old; 10], &[new; 10]);
        trial.metrics[0] = evenhand_trial::Metric::time("allocs", evenhand_trial::Unit::count());
        compared(&trial)
    };
    assert_eq!(counted(7.0, 8.0).verdict, Word::Slower);
    assert_eq!(counted(7.0, 7.0).verdict, Word::Same);
}

#[test]
fn zeros_have_no_ratio() {
    let found = compared(&imported(
        &[0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0],
        &[3.0, 4.0, 5.0, 6.0, 5.0, 4.0, 5.0, 6.0],
    ));
    assert_eq!((found.verdict, found.effect.low), (Word::Unclear, None));
    assert_eq!(
        found.limits,
        ["some samples of wall are 0 or below, so there is no ratio: compare the means"]
    );
}

#[test]
fn launches_are_compared_where_there_are_several() {
    let mut draws = Draws::new(47);
    let mut trial = imported(&[], &[]);
    trial.series.clear();
    for launch in 0..12 {
        for (arm, typical) in [(0, 1e6), (1, 1e6)] {
            let lucky = typical * (0.05 * draws.normal()).exp();
            let times = draws.times(50, lucky, 0.002);
            add(&mut trial, arm, launch, &times);
        }
    }
    let found = compared(&trial);
    assert_eq!((found.launches, found.verdict), (12, Word::Unclear));
    assert!(width(&found) > 0.05, "luck of 5 % in 12 launches is not the noise of 600 samples");
    let assumed = format!("12 launches, if these 12 and 12 launches are independent, {ASSUMED}");
    assert!(found.sentence.ends_with(&assumed), "{}", found.sentence);
    trial.series.retain(|series| series.launch.0 < 3);
    let found = compared(&trial);
    assert_eq!(
        found.limits,
        [
            "no interval: 3 and 3 independent launches are too few for 99 % confidence: at least 5 per side are needed"
        ]
    );
    assert!(found.effect.estimate.is_some() && found.effect.low.is_none());
}

#[test]
fn a_throughput_keeps_its_sign() {
    let mut trial = mapped(shifted(100, 0.05, 48), |value| 1e9 / value);
    trial.metrics[0].better = Better::Higher;
    trial.metrics[0].unit = evenhand_trial::Unit::new("op/s");
    let found = compared(&trial);
    assert!(found.verdict == Word::Slower && found.effect.estimate.unwrap() > 0.04, "{}", found.sentence);
}

/// Two arms of which another tool kept only figures.
fn reported(figures: [(Option<f64>, Option<f64>); 2]) -> Trial {
    let mut trial = imported(&[], &[]);
    trial.series.clear();
    for (arm, (mean, median)) in (0..).zip(figures) {
        let one = Reported { mean, median, ..Reported::new(evenhand_trial::ArmId(arm), MetricId(0)) };
        trial.reported.push(one);
    }
    trial
}

#[test]
fn figures_give_an_estimate_and_no_verdict() {
    let found = compared(&reported([(Some(100.0), None), (Some(90.0), None)]));
    assert_eq!((found.verdict, found.effect.low, found.effect.high), (Word::Unclear, None, None));
    assert!((found.effect.estimate.unwrap() + 0.1).abs() < 1e-12);
    assert_eq!(found.limits, ["only summary figures are known, no samples: no interval, no verdict"]);
    assert!(
        found.sentence.starts_with("inconclusive: new may or may not differ from old: -10.0 %, assuming"),
        "{}",
        found.sentence
    );
}

#[test]
fn a_mean_is_not_compared_with_a_median() {
    let mixed = compared(&reported([(Some(100.0), None), (Some(300.0), Some(50.0))]));
    assert_eq!(mixed.effect.estimate, Some(2.0), "both have a mean");
    assert_eq!(compared(&reported([(Some(100.0), None), (None, Some(50.0))])).effect.estimate, None);
    for none in [0.0, -5.0] {
        assert_eq!(
            compared(&reported([(Some(none), None), (Some(100.0), None)])).effect.estimate,
            None,
            "{none}"
        );
    }
}

#[test]
fn samples_against_figures_are_figures() {
    let mut trial = reported([(None, Some(200.0)), (None, None)]);
    trial.reported.truncate(1);
    add(&mut trial, 1, 0, &[90.0, 100.0, 110.0]);
    let found = compared(&trial);
    assert_eq!((found.effect.estimate, found.verdict), (Some(-0.5), Word::Unclear));
}

#[test]
fn of_several_reports_the_one_of_all_launches_is_shown() {
    let mut trial = reported([(Some(1.0), None), (Some(3.0), None)]);
    trial.reported[0].launch = Some(LaunchId(0));
    let all = Reported { launch: None, mean: Some(2.0), samples: Some(40), ..trial.reported[0].clone() };
    trial.reported.push(all);
    let level = by_default(&trial).levels.remove(0);
    assert_eq!((level.figures.mean, level.samples, level.from), (Some(2.0), 40, From::Reported));
}

/// Sorted samples look as if each followed from the one before; marked as sorted, they say nothing of it.
#[test]
fn sorted_samples_are_not_taken_for_samples_that_remember() {
    let mut draws = Draws::new(42);
    let (mut old, mut new) = (draws.times(2000, 1e6, 0.02), draws.times(2000, 1.05e6, 0.02));
    let as_taken = compared(&imported(&old, &new));
    old.sort_by(f64::total_cmp);
    new.sort_by(f64::total_cmp);
    let mut trial = imported(&old, &new);
    assert_eq!(compared(&trial).verdict, Word::Unclear, "taken for a drift");

    trial.arms.iter_mut().for_each(|arm| arm.order_lost = true);
    let found = compared(&trial);
    assert_eq!(found.verdict, Word::Slower);
    assert!((width(&found) / width(&as_taken) - 1.0).abs() < 0.3, "{} {}", width(&found), width(&as_taken));
    let untested = "if samples of old and new are independent, which cannot be tested as their order is lost";
    assert_eq!(found.assumptions, [untested, ASSUMED]);
    assert!(found.sentence.ends_with(&format!("99 % sure, {untested}, {ASSUMED}")), "{}", found.sentence);
    trial.series.iter_mut().for_each(|series| series.values[0].reverse());
    assert_eq!(compared(&trial).effect, found.effect, "no figure depends on an order that is none");
    let analysis = by_default(&trial);
    for level in &analysis.levels {
        assert!(
            level.mean_error.is_none() && level.movements.is_empty() && level.lag1_autocorrelation.is_none()
        );
        assert!(
            analysis
                .warnings
                .iter()
                .any(|warning| { warning.code == "order-lost" && warning.arm.as_ref() == Some(&level.arm) })
        );
    }
}
