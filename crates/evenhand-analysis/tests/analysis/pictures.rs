//! Are the numbers behind the pictures those of the verdict, and is every sample in them?

use super::planted::{Draws, add, imported, launches, mapped, pair, trial};
use evenhand_analysis::charts::{Picture, pictures};
use evenhand_analysis::{Settings, Study, analyse};
use evenhand_trial::{Better, Trial, Whole};

fn only(trial: &Trial) -> Picture {
    let study = Study::of(trial);
    let mut pictures = pictures(&study, &study.analyse(&Settings::default()).unwrap());
    assert_eq!(pictures.len(), 1);
    pictures.remove(0)
}

#[test]
fn the_last_moment_is_the_verdict() {
    let higher = || {
        let mut trial = pair(200, 0.05, 0.01, 70);
        trial.metrics[0].better = Better::Higher;
        trial
    };
    for trial in
        [pair(200, 0.05, 0.01, 70), pair(7, 0.0, 0.01, 71), launches(60, 10, 0.02, 0.01, 72), higher()]
    {
        let effect = analyse(&trial, &Settings::default()).unwrap().comparisons[0].effect;
        let moments = only(&trial).moments;
        assert_eq!(moments.last().unwrap().effect, effect);
        assert!(moments.is_sorted_by(|a, b| a.after < b.after), "{moments:?}");
        assert!(moments.len() <= 41);
    }
    assert_eq!(only(&launches(60, 10, 0.02, 0.01, 72)).unit_of_moments, "launch");
    assert_eq!(only(&launches(60, 10, 0.02, 0.01, 72)).moments.last().unwrap().after, 60);
}

#[test]
fn the_moments_are_spaced_by_a_factor() {
    let moments = only(&pair(10_000, 0.05, 0.01, 70)).moments;
    let after: Vec<usize> = moments.iter().map(|moment| moment.after).collect();
    assert_eq!(after[..4], [1, 2, 3, 4]);
    assert_eq!(*after.last().unwrap(), 10_000);
    assert!(after.windows(2).all(|pair| pair[1] <= 2 * pair[0]), "{after:?}");
    assert_eq!(only(&pair(1, 0.05, 0.01, 70)).moments.len(), 1);
}

#[test]
fn the_axis_shows_no_difference_the_margins_and_the_interval() {
    for effect in [0.0, 0.5, -0.3] {
        let picture = only(&pair(400, effect, 0.01, 73));
        let [from, to] = picture.moments_axis;
        let last = picture.moments.last().unwrap().effect;
        assert!(from <= -0.015 && to >= 0.015);
        assert!(from < last.low.unwrap() && last.high.unwrap() < to, "{picture:?}");
    }
}

#[test]
fn every_sample_is_in_a_bin_or_beside_them() {
    let mut draws = Draws::new(74);
    let mut old = draws.times(500, 1e6, 0.01);
    old.extend([9e6, 8e6, 1.0]);
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &old);
    add(&mut trial, 1, 0, &draws.times(503, 1.02e6, 0.01));
    let both = only(&trial).distributions.unwrap();
    assert_eq!(
        (both.baseline.bins.samples(), both.baseline.bins.below, both.baseline.bins.above),
        (503, 1, 2)
    );
    assert_eq!(both.candidate.bins.samples(), 503);
    // The ends of the axis are samples.
    assert!(both.baseline.bins.counts[0] > 0 && both.candidate.bins.counts[35] > 0, "{both:?}");
    assert!(both.baseline.bins.edges[0] > 0.9e6 && both.baseline.bins.edges[36] < 1.1e6);
}

#[test]
fn samples_all_alike_have_a_bin_too() {
    for value in [0.0, 4096.0] {
        let both = only(&imported(&[value; 9], &[value; 4])).distributions.unwrap();
        assert!(both.baseline.bins.edges[0] < value && value < both.baseline.bins.edges[36]);
        assert_eq!(both.baseline.bins.counts.iter().sum::<u64>(), 9);
        assert_eq!(both.candidate.bins.counts.iter().sum::<u64>(), 4);
    }
}

#[test]
fn without_a_coin_there_are_samples_only() {
    let mut draws = Draws::new(75);
    let picture = only(&imported(&draws.times(50, 1.0, 0.1), &draws.times(50, 2.0, 0.1)));
    assert!(picture.moments.is_empty() && picture.order.is_none());
    assert!(picture.distributions.is_some());
}

/// Two equal arms where whoever runs second takes 3 % more.
fn second_is_slower() -> Trial {
    let mut trial = pair(400, 0.0, 0.004, 76);
    let mut draws = Draws::new(77);
    let candidate_first: Vec<u64> = (0..400).map(|_| u64::from(draws.uniform() < 0.5)).collect();
    for (series, second) in trial.series.iter_mut().zip([1, 0]) {
        let positions = candidate_first.iter().map(|first| u64::from(*first == second)).collect::<Vec<u64>>();
        for (value, position) in series.values[0].iter_mut().zip(&positions) {
            *value *= 1.0 + 0.03 * *position as f64;
        }
        series.positions = Some(Whole::Each(positions));
    }
    trial
}

#[test]
fn the_effect_by_who_ran_first() {
    let order = only(&second_is_slower()).order.unwrap();
    assert_eq!(order.candidate_first.rounds + order.candidate_second.rounds, 400);
    let within = |one: f64, truth: f64| (one - truth).abs() < 0.003;
    assert!(within(order.candidate_first.effect.estimate.unwrap(), 1.0 / 1.03 - 1.0), "{order:?}");
    assert!(within(order.candidate_second.effect.estimate.unwrap(), 0.03), "{order:?}");
    for one in [order.candidate_first, order.candidate_second] {
        assert!(one.effect.low.unwrap() < one.effect.estimate.unwrap());
        assert!(one.effect.high.unwrap() > one.effect.estimate.unwrap());
        assert!(order.axis[0] < one.effect.low.unwrap() && order.axis[1] > one.effect.high.unwrap());
    }
    // Not recorded, or always the same one first: no such picture.
    assert!(only(&pair(100, 0.0, 0.01, 78)).order.is_none());
    let mut always = second_is_slower();
    always.series[0].positions = Some(Whole::Same { same: 0 });
    always.series[1].positions = Some(Whole::Same { same: 1 });
    assert!(only(&always).order.is_none());
}

#[test]
fn numbers_without_a_ratio_have_no_moments() {
    let picture = only(&mapped(pair(30, 0.0, 0.01, 79), |value| value - 1e6));
    assert!(picture.moments.is_empty());
    assert!(picture.distributions.is_some());
}

#[test]
fn they_are_the_same_each_time() {
    let trial = second_is_slower();
    assert_eq!(only(&trial), only(&trial));
}

#[test]
fn the_course_is_the_medians_of_equal_stretches_in_order() {
    let mut trial = pair(360, 0.0, 0.0, 77);
    trial.series[0].values[0] = (0..360).map(|round| f64::from(round / 10)).collect();
    trial.series[0].values[0][7] = 1e9;
    let course = only(&trial).course.unwrap();
    assert_eq!(course.baseline, (0..36).map(f64::from).collect::<Vec<_>>(), "one slow sample does not show");
    assert_eq!(course.candidate.len(), 36);
    let short = only(&pair(40, 0.0, 0.01, 78)).course.unwrap();
    assert_eq!((short.baseline.len(), short.candidate.len()), (13, 13), "three samples in each at least");
    // Of few samples each is a stretch.
    assert_eq!(only(&imported(&[3.0, 1.0, 2.0], &[5.0, 4.0])).course.unwrap().baseline, [3.0, 1.0, 2.0]);
    let mut lost = imported(&[3.0, 1.0, 2.0], &[5.0, 4.0]);
    lost.arms[1].order_lost = true;
    assert_eq!(only(&lost).course, None);
    assert_eq!(only(&imported(&[3.0], &[5.0, 4.0])).course, None, "one sample goes nowhere");
}
