//! Every public statistic against every nasty series: a typed error or an answer, never a panic, never NaN.

use evenhand_stats::InputError;
use evenhand_stats::level::autocovariance::{autocorrelations, autocovariances, lag1_autocorrelation};
use evenhand_stats::level::distribution::Fits;
use evenhand_stats::level::histogram::Histogram;
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::modality::modes;
use evenhand_stats::level::moments::Moments;
use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::{QuantileType, Sorted};
use evenhand_stats::level::stationarity::movements;
use evenhand_stats::level::summary::Summary;
use evenhand_stats::paired::{
    ChangeTest, PairingRule, bazhenov_winsoriser, fences, mean_difference, pair_off, tail_contributions,
};
use evenhand_stats::percentile::{
    PercentileSettings, Ranked, arm_percentiles, compared_percentiles, shift_curve,
};
use evenhand_stats::randomised::launches::Launches;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{ConfidenceSequence, differences, suite};
use evenhand_stats::unpaired::bounds::shift_bounds;
use evenhand_stats::unpaired::comparison::{Series, compare};
use evenhand_stats::unpaired::pragmatic::{ratio, shift};
use evenhand_stats::unpaired::rank_tests::{Alternative, mann_whitney, wilcoxon};
use evenhand_stats::unpaired::welch::welch;
use std::fmt::Debug;

/// Series that benchmarks really produce when something goes wrong, and some that only malice produces.
fn nasty() -> Vec<(&'static str, Vec<f64>)> {
    let ramp = |n: usize| (1..=n).map(|i| i as f64).collect::<Vec<_>>();
    let with = |at: usize, value: f64| {
        let mut series = ramp(40);
        series[at] = value;
        series
    };
    vec![
        ("empty", vec![]),
        ("one", vec![3.0]),
        ("two", vec![3.0, 4.0]),
        ("three alike", vec![3.0; 3]),
        ("constant", vec![7.0; 64]),
        ("zeros", vec![0.0; 20]),
        ("negative zeros", [0.0, -0.0].repeat(10)),
        ("two values", [1.0, 2.0].repeat(32)),
        ("one differs", with(39, 40.0).iter().map(|v| if *v > 39.0 { 2.0 } else { 1.0 }).collect()),
        ("a NaN", with(5, f64::NAN)),
        ("an infinity", with(0, f64::INFINITY)),
        ("minus infinity", with(39, f64::NEG_INFINITY)),
        ("a zero", with(7, 0.0)),
        ("a negative", with(7, -1.0)),
        ("all negative", ramp(30).iter().map(|v| -v).collect()),
        ("huge", ramp(30).iter().map(|v| v * 5e306).collect()),
        (
            "huge both ways",
            ramp(30).iter().map(|v| if v % 2.0 == 0.0 { 1.7e308 } else { -1.7e308 }).collect(),
        ),
        ("denormal", ramp(30).iter().map(|v| v * 5e-324).collect()),
        ("huge and denormal", [5e-324, 1.7e308, 1.0].repeat(8)),
        ("last digit", (0..50).map(|i| 1e15 + f64::from(i % 3)).collect()),
        ("next to one", (0..50).map(|i| 1.0 + f64::from(i % 2) * f64::EPSILON).collect()),
        ("fine", (0..60).map(|i| 100.0 + f64::from(i * 37 % 17)).collect()),
    ]
}

/// Refuses NaN in any answer, and infinities where no documentation allows them.
fn sound<T: Debug>(what: &str, of: &str, answer: Result<T, InputError>) {
    if let Ok(answer) = answer {
        let told = format!("{answer:?}").replace("degrees_of_freedom: inf", "normal quantiles");
        let mut words = told.split(|c: char| !c.is_alphanumeric());
        assert!(words.all(|word| word != "NaN" && word != "inf"), "{what} of {of}: {told}");
    }
}

#[test]
fn one_series() {
    for (name, x) in nasty() {
        sound("summary", name, Summary::of(&x));
        sound("moments", name, Moments::of(&x));
        sound("moments' figures", name, Moments::of(&x).map(|m| m.sd()));
        for rule in MeanErrorRule::ALL {
            sound(&format!("mean error {rule:?}"), name, mean_error(&x, rule));
            sound("its interval", name, mean_error(&x, rule).and_then(|e| e.interval(0.99)));
        }
        sound("autocovariances", name, autocovariances(&x, 5));
        sound("autocorrelations", name, autocorrelations(&x, 5));
        sound("lag 1", name, lag1_autocorrelation(&x));
        sound("movements", name, movements(&x));
        sound("Wilcoxon", name, wilcoxon(&x, Alternative::TwoSided));
        sound("fences of differences", name, fences(&x, 3.0));
        sound("winsoriser", name, bazhenov_winsoriser(&x, 0.05));
        sound("e-BH", name, suite::e_bh(&x, 0.05));
        sound("average", name, suite::average(&x));
        sound("product", name, suite::product(&x));
        sound("launches", name, Launches::of(&[&x, &x], 0.05));
        let sequence = ConfidenceSequence::of(&x, 0.05, Mixture::rounds());
        sound("confidence sequence", name, sequence.map(|mut s| s.look()));
        let mut histogram = Histogram::new(1e-9, 3).unwrap();
        x.iter().for_each(|v| sound("recording", name, histogram.record(*v)));
        sound("histogram", name, histogram.percentile(99.0));
        sound("histogram mean", name, histogram.mean());
    }
}

#[test]
fn sorted_series() {
    for (name, x) in nasty() {
        let Ok(sorted) = Sorted::new(&x) else { continue };
        for p in [0.0, 0.001, 0.25, 0.5, 0.99, 1.0] {
            sound("quantile", name, sorted.quantile(p, QuantileType::default()));
            sound("Harrell-Davis", name, sorted.harrell_davis(p));
            sound("quantile interval", name, sorted.quantile_interval(p, 0.95));
        }
        for rule in [OutlierRule::Tukey, OutlierRule::Mad, OutlierRule::DoubleMad] {
            sound("fences", name, Ok(sorted.fences(rule, Estimator::Type7)));
        }
        sound("fits", name, Fits::of(&sorted));
        sound("modes", name, modes(sorted.as_slice()));
        let settings = PercentileSettings::default();
        let arm = Ranked::new(&x, sorted.as_slice());
        sound("percentiles", name, arm.and_then(|arm| arm_percentiles(&arm, &[0.0, 50.0, 99.0], &settings)));
    }
}

#[test]
fn two_series() {
    let fine = nasty().pop().unwrap().1;
    for (name, x) in nasty() {
        for (other, y) in [("itself", x.clone()), ("a fine one", fine[..x.len().min(60)].to_vec())] {
            let pair = format!("{name} and {other}");
            sound("differences", &pair, differences(&x, &y));
            sound("mean difference", &pair, mean_difference(&x, &y, &ChangeTest::default()));
            sound("pairing off", &pair, pair_off(&x, &y, &PairingRule::default()));
            sound("tails", &pair, tail_contributions(&x, &y, 3.0));
            sound("shift", &pair, shift(&x, &y));
            sound("ratio", &pair, ratio(&x, &y));
            sound("shift bounds", &pair, shift_bounds(&x, &y, 0.05));
            sound("Mann-Whitney", &pair, mann_whitney(&x, &y, 0.0, 0.0, Alternative::TwoSided));
            sound("Welch", &pair, welch(&x, &y, 0.0, Alternative::TwoSided));
            sound("comparison", &pair, compare(Series::independent(&x), Series::independent(&y), 0.05));
            let (Ok(a), Ok(b)) = (Sorted::new(&x), Sorted::new(&y)) else { continue };
            let arms =
                Ranked::new(&x, a.as_slice()).and_then(|a| Ranked::new(&y, b.as_slice()).map(|b| (a, b)));
            let Ok((a, b)) = arms else { continue };
            let settings = PercentileSettings::default();
            sound("scaled", &pair, compared_percentiles(&a, &b, &[0.0, 50.0, 95.0, 100.0], &settings));
            sound("shift curve", &pair, shift_curve(&a, &b, &settings));
        }
    }
}

#[test]
fn the_error_names_the_rule_and_the_argument_in_words() {
    let told = |error: InputError| error.to_string();
    let bad = differences(&[1.0, f64::NAN], &[1.0, 1.0]).unwrap_err();
    assert_eq!(told(bad), "baseline: value 1 is not a finite number");
    assert_eq!(told(Summary::of(&[]).unwrap_err()), "samples: needs at least 1 values, got 0");
    let unequal = differences(&[1.0], &[1.0, 2.0]).unwrap_err();
    assert_eq!(told(unequal), "candidate: lengths differ, 1 and 2");
    let huge = Summary::of(&[1.0, 1e200]).unwrap_err();
    assert_eq!(told(huge), "samples: value 1 is outside 1e-140..1e140, its square cannot be held");
}
