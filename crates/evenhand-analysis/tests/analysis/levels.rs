//! What one arm costs, against values computed by hand and against the statistics themselves.

use super::planted::{Draws, add, by_default, launches, level, trial};
use super::read::From;
use evenhand_stats::level::mean_error::{MeanErrorRule, MeanInterval, mean_error};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::summary::Summary;
use evenhand_trial::{ArmId, Failure, LaunchId, MetricId, Reason, Reported, RoundId, Trial};

fn of(values: &[f64]) -> Trial {
    let mut trial = trial(&["arm"]);
    add(&mut trial, 0, 0, values);
    trial
}

#[test]
fn five_numbers_by_hand() {
    let level = level(&of(&[20.0, 10.0, 50.0, 30.0, 40.0]), "arm");
    let figures = level.figures;
    assert_eq!(
        (figures.min, figures.median, figures.mean, figures.max),
        (Some(10.0), Some(30.0), Some(30.0), Some(50.0))
    );
    assert_eq!((figures.iqr, figures.mad), (Some(20.0), Some(10.0)));
    assert!((figures.sd.unwrap() - 250.0_f64.sqrt()).abs() < 1e-12, "divisor n - 1");
    assert!((figures.cv.unwrap() - 250.0_f64.sqrt() / 30.0).abs() < 1e-12);
    assert_eq!((figures.iqr_over_median, figures.mean_over_min), (Some(20.0 / 30.0), Some(2.0)));
    let fences = level.outliers.unwrap();
    assert_eq!((fences.low_fence, fences.high_fence, fences.below, fences.above), (-10.0, 70.0, 0, 0));
    let percents: Vec<f64> = level.percentiles.iter().map(|one| one.percent).collect();
    assert_eq!(percents, [0.0, 25.0, 50.0, 67.0, 80.0, 85.0, 90.0, 95.0, 99.0, 100.0]);
    assert_eq!(level.percentiles[1].value, 20.0);
    assert_eq!((level.samples, level.launches, level.iterations, level.failed), (5, 1, 1, 0));
}

#[test]
fn the_error_of_the_mean_is_that_of_the_rule_and_the_confidence() {
    let values = Draws::new(50).times(200, 1e6, 0.02);
    let found = level(&of(&values), "arm").mean_error.unwrap();
    let expected = mean_error(&values, MeanErrorRule::default()).unwrap();
    let MeanInterval::Between { low, high } = expected.interval(0.99).unwrap() else { unreachable!() };
    assert_eq!(found.half_width, Some((high - low) / 2.0));
    assert_eq!((found.standard_error, found.naive), (expected.standard_error, expected.naive));
    assert_eq!((found.effective_samples, found.inflation), (expected.effective_samples, expected.inflation));
}

#[test]
fn launches_are_joined_in_their_order() {
    let mut trial = trial(&["arm"]);
    add(&mut trial, 0, 1, &[3.0, 4.0]);
    add(&mut trial, 0, 0, &[1.0, 2.0]);
    add(&mut trial, 0, 2, &[f64::NAN]);
    let level = level(&trial, "arm");
    assert_eq!((level.samples, level.launches), (4, 2), "a launch without a number is none");
    let apart = of(&[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(level.lag1_autocorrelation, super::planted::level(&apart, "arm").lag1_autocorrelation);
}

#[test]
fn what_a_double_cannot_square_keeps_its_order() {
    for size in [1e-300, 1e300] {
        let figures = level(&of(&[3.0 * size, size, 2.0 * size]), "arm").figures;
        assert_eq!(
            (figures.min, figures.median, figures.max),
            (Some(size), Some(2.0 * size), Some(3.0 * size))
        );
        assert_eq!((figures.mean, figures.sd), (None, None));
    }
}

#[test]
fn an_arm_whose_runs_all_failed_is_not_forgotten() {
    let mut trial = of(&[1.0, 2.0, 3.0]);
    trial.arms.push(evenhand_trial::Arm { name: "broken".to_owned(), ..Default::default() });
    for round in 0..3 {
        let reason = Reason::Signal { number: 11 };
        trial.failures.push(Failure {
            arm: ArmId(1),
            launch: LaunchId(0),
            round: RoundId(round),
            reason,
            seconds: None,
        });
    }
    let analysis = by_default(&trial);
    let broken = &analysis.levels[1];
    assert_eq!(
        (broken.arm.as_str(), broken.samples, broken.failed, broken.figures.min),
        ("broken", 0, 3, None)
    );
    let codes: Vec<&str> = analysis.warnings.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["failed", "not-compared"]);
    assert_eq!(analysis.warnings[0].message, "3 of 3 runs failed");
    assert_eq!(analysis.warnings[1].message, "broken and arm are not compared: they share no metric");
}

fn counted(histogram: Vec<(f64, u64)>) -> Trial {
    let mut trial = trial(&["arm"]);
    trial.reported.push(Reported { histogram, ..Reported::new(ArmId(0), MetricId(0)) });
    trial
}

#[test]
fn a_histogram_gives_the_levels_of_its_samples() {
    // Whole microseconds, so that the buckets are the samples.
    let values: Vec<f64> =
        Draws::new(51).times(5000, 1000.0, 0.1).iter().map(|value| value.round()).collect();
    let sorted = Sorted::new(&values).unwrap();
    let histogram: Vec<(f64, u64)> =
        sorted.as_slice().chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect();
    let level = level(&counted(histogram), "arm");
    assert_eq!((level.from, level.samples), (From::Histogram, 5000));
    let summary = Summary::of_sorted(&sorted).unwrap();
    let figures = level.figures;
    assert_eq!(
        (figures.min, figures.median, figures.max),
        (Some(summary.min), Some(summary.median), Some(summary.max))
    );
    assert!((figures.mean.unwrap() - summary.mean).abs() < 1e-9);
    assert!((figures.sd.unwrap() - summary.sd.unwrap()).abs() < 1e-9);
    for one in &level.percentiles {
        assert!((one.value - sorted.percentile(one.percent).unwrap()).abs() <= 1.0, "P{}", one.percent);
        assert_eq!((one.low, one.high), (None, None), "no order, no interval");
    }
    assert!(level.mean_error.is_none() && level.modes.is_empty() && level.lag1_autocorrelation.is_none());
}

#[test]
fn a_histogram_counts_zeros_and_survives_the_absurd() {
    let level = level(&counted(vec![(0.0, 6), (10.0, 2), (1e300, 1), (5.0, 0)]), "arm");
    assert_eq!((level.samples, level.figures.median, level.figures.max), (9, Some(0.0), Some(1e300)));
    let endless = super::planted::level(&counted(vec![(1.0, u64::MAX), (2.0, u64::MAX)]), "arm");
    assert_eq!((endless.from, endless.samples), (From::Reported, 0), "more than can be counted");
    let empty = super::planted::level(&counted(vec![(1.0, 0)]), "arm");
    assert_eq!(empty.from, From::Reported);
}

#[test]
fn what_the_tool_itself_says_of_its_histogram_stands() {
    let mut trial = counted(vec![(10.0, 5), (20.0, 5)]);
    trial.reported[0].mean = Some(14.9);
    let figures = level(&trial, "arm").figures;
    assert_eq!((figures.mean, figures.max, figures.min), (Some(14.9), Some(20.0), Some(10.0)));
}

#[test]
fn ten_thousand_arms_are_not_searched_ten_thousand_times() {
    let names: Vec<String> = (0..10_000).map(|n| format!("benchmark {n}")).collect();
    let mut many = trial(&names.iter().map(String::as_str).collect::<Vec<_>>());
    many.schedule = None;
    for arm in 0..10_000_u32 {
        many.arms[arm as usize].group = format!("{}", arm / 2);
        add(&mut many, arm, 0, &[1e6, 1.1e6]);
    }
    let start = std::time::Instant::now();
    assert_eq!(by_default(&many).comparisons.len(), 5000);
    // 0.1 s here; a search of all series for each arm takes longer than this by itself.
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn the_error_of_several_launches_is_over_launches() {
    // Each launch draws its luck of 5 % once; inside it the noise is a tenth of that.
    let trial = launches(12, 200, 0.0, 0.05, 71);
    let new = level(&trial, "new");
    let means: Vec<f64> = trial
        .series
        .iter()
        .filter(|series| series.arm == ArmId(1))
        .map(|series| series.values[0].iter().sum::<f64>() / series.values[0].len() as f64)
        .collect();
    let MeanInterval::Between { low, high } =
        mean_error(&means, MeanErrorRule::Naive).unwrap().interval(0.99).unwrap()
    else {
        panic!("twelve launches are enough")
    };
    let error = new.mean_error.unwrap();
    assert_eq!(error.half_width, Some((high - low) / 2.0));
    assert!(error.over_launches);
    assert!(error.inflation > 10.0 && error.effective_samples < 24.0, "{error:?}");
    let two = level(&launches(2, 200, 0.0, 0.05, 71), "new").mean_error.unwrap();
    assert_eq!(two.half_width, None, "two launches have one degree of freedom");
    let one = level(&launches(1, 200, 0.0, 0.05, 71), "new").mean_error.unwrap();
    assert!(!one.over_launches, "and one says nothing of the next");
}

#[test]
fn launches_that_differ_do_not_make_samples_resemble_each_other() {
    let codes: Vec<String> = by_default(&launches(12, 200, 0.0, 0.05, 71))
        .warnings
        .into_iter()
        .map(|warning| warning.code)
        .collect();
    assert!(!codes.contains(&"autocorrelated".to_owned()), "{codes:?}");
}
