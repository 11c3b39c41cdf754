//! A quantile plot: on a line where it has to be, with its extremes, and never too many points.

use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::quantile_plot::quantile_plot;
use statrs::distribution::{ContinuousCDF, Normal};

/// Exactly the quantiles of a normal distribution.
fn normal(count: usize, mean: f64, sd: f64) -> Sorted {
    let quantile = |place: usize| Normal::standard().inverse_cdf((place as f64 + 0.5) / count as f64);
    Sorted::new(&(0..count).map(|place| mean + sd * quantile(place)).collect::<Vec<_>>()).unwrap()
}

#[test]
fn normal_samples_lie_on_a_line() {
    for count in [1, 2, 300, 301, 50_000] {
        let points = quantile_plot(&normal(count, 100.0, 3.0));
        assert!(points.iter().all(|(z, sample)| (sample - (100.0 + 3.0 * z)).abs() < 1e-9), "{count}");
    }
}

#[test]
fn the_quantiles_are_those_of_hazen() {
    let points = quantile_plot(&Sorted::new(&[5.0, 1.0, 3.0]).unwrap());
    // 1/6, 1/2 and 5/6 of a normal distribution: SciPy's norm.ppf.
    let expected = [(-0.967_421_566_101_701, 1.0), (0.0, 3.0), (0.967_421_566_101_701, 5.0)];
    for ((z, sample), (right_z, right)) in points.into_iter().zip(expected) {
        assert!((z - right_z).abs() < 1e-9 && sample == right, "{z} {sample}");
    }
}

#[test]
fn of_many_samples_some_are_drawn_the_extremes_among_them() {
    let sorted = normal(100_000, 0.0, 1.0);
    let points = quantile_plot(&sorted);
    assert!((200..=300).contains(&points.len()), "{}", points.len());
    assert_eq!((points[0].1, points[points.len() - 1].1), (sorted.min(), sorted.max()));
    assert!(points.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
    // Evenly spaced in the middle, where there are samples enough for it.
    let middle: Vec<f64> = points.iter().map(|(z, _)| *z).filter(|z| z.abs() < 2.0).collect();
    let steps: Vec<f64> = middle.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - steps[0]).abs() < 0.01), "{steps:?}");
}
