//! Margins against Pragmastat's vectors and against counting every order; coverage of the bounds they cut.

use evenhand_stats::unpaired::bounds::{guaranteed_shift_bounds, shift_bounds};
use evenhand_stats::unpaired::margins::{
    guaranteed_pairwise_cut, pairwise_margin, smallest_pairwise_misrate,
};
use evenhand_stats::unpaired::rank_null::RankNull;
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn pairwise_margins_are_those_of_pragmastat() {
    let ties = check_all("pairwise-margin", 281, |input, misrate| {
        pairwise_margin(count(input, "n"), count(input, "m"), misrate)
    });
    // Made by feeding a probability of the reference's own arithmetic back as the misrate: ties to the last bit.
    assert_eq!(
        ties,
        [
            "edgeworth-n100_m300",
            "edgeworth-n150_m150",
            "edgeworth-n201_m200",
            "edgeworth-n250_m60",
            "edgeworth-n400_m400"
        ]
    );
}

#[test]
fn a_probability_equal_to_half_the_misrate_is_not_below_it() {
    // n = m = 3: P(U <= 0) = 1/20, P(U <= 1) = 2/20, P(U <= 2) = 4/20.
    assert_eq!(pairwise_margin(3, 3, 0.1), Ok(0));
    assert_eq!(pairwise_margin(3, 3, 0.1001), Ok(2));
    assert_eq!(pairwise_margin(3, 3, 0.2), Ok(2));
    assert_eq!(pairwise_margin(3, 3, 0.2001), Ok(4));
}

#[test]
fn the_whole_range_of_misrates_has_an_answer() {
    assert_eq!(smallest_pairwise_misrate(1, 1), 1.0);
    assert_eq!(pairwise_margin(1, 1, 1.0), Ok(0));
    assert_eq!(pairwise_margin(4, 4, 1.0), Ok(2 * 8));
    for misrate in [0.0, -0.1, 1.1, f64::NAN] {
        let error = pairwise_margin(4, 4, misrate).unwrap_err();
        assert!(matches!(error, InputError { rule: Rule::InRange { .. }, argument: "misrate" }), "{error}");
    }
    assert_eq!(pairwise_margin(0, 3, 0.1).unwrap_err().argument, "n");
    assert_eq!(pairwise_margin(3, 0, 0.1).unwrap_err().argument, "m");
}

#[test]
fn large_samples_follow_the_normal_distribution() {
    for (n, m) in [(1_000_000, 1_000_000), (50_000, 2_000)] {
        let (a, b) = (n as f64, m as f64);
        let normal = a * b / 2.0 - 2.575_829_303_548_9 * (a * b * (a + b + 1.0) / 12.0).sqrt();
        let margin = pairwise_margin(n, m, 0.01).unwrap();
        assert!((margin as f64 / 2.0 / normal - 1.0).abs() < 1e-4, "{margin} {normal}");
    }
}

#[test]
fn the_exact_laws_are_those_of_counting_every_order() {
    for (n, m) in [(1, 1), (1, 6), (3, 4), (5, 5), (2, 9)] {
        let counts = orders(n, m);
        check_law(&RankNull::mann_whitney(n, m), &counts);
    }
    for n in [1, 2, 5, 9] {
        check_law(&RankNull::signed_rank(n), &sign_patterns(n));
    }
}

#[test]
fn the_approximate_laws_continue_the_exact_ones() {
    // Either side of the limits, at the same distance from the mean; one step of u is a relative z/sd.
    let (exact, approximate) = (RankNull::mann_whitney(200, 200), RankNull::mann_whitney(201, 201));
    let sd = |n: f64| (n * n * (2.0 * n + 1.0) / 12.0).sqrt();
    for z in [4.5, 3.0, 2.0, 1.0, 0.1] {
        let (a, b) = (at_distance(&exact, z * sd(200.0)), at_distance(&approximate, z * sd(201.0)));
        assert!((b / a - 1.0).abs() < 0.01, "{z}: {a} {b}");
    }
    let (exact, approximate) = (RankNull::signed_rank(63), RankNull::signed_rank(64));
    let sd = |n: f64| (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    for z in [3.5, 2.5, 1.5, 0.5] {
        let (a, b) = (at_distance(&exact, z * sd(63.0)), at_distance(&approximate, z * sd(64.0)));
        assert!((b / a - 1.0).abs() < 0.03, "{z}: {a} {b}");
    }
}

#[test]
fn one_short_series_against_a_long_one_is_counted() {
    // With n = 1 every place is equally likely, which no normal curve could tell.
    let null = RankNull::mann_whitney(1, 1000);
    assert!((null.at_most(9) - 10.0 / 1001.0).abs() < 1e-12);
    assert_eq!(pairwise_margin(1, 1000, 0.05), Ok(2 * 25));
}

#[test]
fn pragmastats_cut_is_a_step_too_daring_and_the_guaranteed_cut_is_not() {
    for (n, m) in [(5, 5), (3, 6), (6, 4)] {
        let misrate = 0.05_f64.max(smallest_pairwise_misrate(n, m));
        let (daring, safe) = (miss_rate(n, m, misrate, false), miss_rate(n, m, misrate, true));
        assert!(safe <= misrate * (1.0 + 1e-12), "{n} {m}: {safe}");
        assert!(daring >= safe);
    }
    assert!((miss_rate(5, 5, 0.05, false) - 14.0 / 252.0).abs() < 1e-12);
    assert!((miss_rate(5, 5, 0.05, true) - 8.0 / 252.0).abs() < 1e-12);
    assert_eq!(guaranteed_pairwise_cut(5, 5, 0.05), Ok(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn margins_grow_with_the_misrate_and_do_not_care_for_sides(
        n in 2usize..60, m in 2usize..60, a in 0.0f64..1.0, b in 0.0f64..1.0,
    ) {
        let smallest = smallest_pairwise_misrate(n, m);
        let at = |share: f64| pairwise_margin(n, m, smallest + share * (1.0 - smallest)).unwrap();
        prop_assert!(at(a.min(b)) <= at(a.max(b)));
        prop_assert!(at(1.0) <= (n * m) as u64);
        prop_assert_eq!(pairwise_margin(n, m, 0.5f64.max(smallest)), pairwise_margin(m, n, 0.5f64.max(smallest)));
    }
}

/// Share of all orders of n + m values in which the bounds of a shift of 0 miss it.
fn miss_rate(n: usize, m: usize, misrate: f64, guaranteed: bool) -> f64 {
    let (mut missed, mut all) = (0, 0);
    for chosen in subsets(n, n + m) {
        let (x, y): (Vec<_>, Vec<_>) = (0..n + m).partition(|i| chosen >> i & 1 == 1);
        // Distances between values grow, so that no two differences tie.
        let of = |places: Vec<usize>| places.into_iter().map(|i| 1.5f64.powi(i as i32)).collect::<Vec<_>>();
        let bounds = if guaranteed { guaranteed_shift_bounds } else { shift_bounds };
        all += 1;
        missed += usize::from(!bounds(&of(x), &of(y), misrate).unwrap().contain(0.0));
    }
    f64::from(missed as u32) / f64::from(all)
}

fn subsets(size: usize, of: usize) -> impl Iterator<Item = u32> {
    (0..1u32 << of).filter(move |set| set.count_ones() as usize == size)
}

/// How many orders of n + m values give each U.
fn orders(n: usize, m: usize) -> Vec<u64> {
    let mut counts = vec![0; n * m + 1];
    for set in subsets(n, n + m) {
        let below = |i: usize| (0..i).filter(|j| set >> j & 1 == 0).count();
        counts[(0..n + m).filter(|i| set >> i & 1 == 1).map(below).sum::<usize>()] += 1;
    }
    counts
}

fn sign_patterns(n: usize) -> Vec<u64> {
    let mut counts = vec![0; n * (n + 1) / 2 + 1];
    for set in 0..1u32 << n {
        counts[(0..n).filter(|i| set >> i & 1 == 1).map(|i| i + 1).sum::<usize>()] += 1;
    }
    counts
}

fn check_law(null: &RankNull, counts: &[u64]) {
    assert_eq!(null.largest() as usize + 1, counts.len());
    let total: u64 = counts.iter().sum();
    let mut sum = 0;
    for (u, count) in counts.iter().enumerate() {
        sum += count;
        let expected = sum as f64 / total as f64;
        assert!((null.at_most(u as u64) - expected).abs() < 1e-14, "{u}");
    }
}

fn at_distance(null: &RankNull, below_mean: f64) -> f64 {
    null.at_most((null.largest() as f64 / 2.0 - below_mean).round() as u64)
}

/// Compares with every case; returns the names of those that agree only with the misrate raised off a tie.
fn check_all(
    suite: &str,
    cases: usize,
    margin: impl Fn(&Value, f64) -> Result<u64, InputError>,
) -> Vec<String> {
    let path = format!("{}/tests/fixtures/pragmastat/{suite}.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let all = document["cases"].as_array().unwrap();
    assert_eq!(all.len(), cases);
    let mut ties = Vec::new();
    for case in all {
        let name = case["name"].as_str().unwrap();
        let misrate = number(&case["input"]["misrate"]);
        let expected = number(&case["output"]) as u64;
        if margin(&case["input"], misrate) != Ok(expected) {
            assert_eq!(margin(&case["input"], misrate * (1.0 + 1e-8)), Ok(expected), "{suite}/{name}");
            ties.push(name.to_string());
        }
    }
    ties
}

fn count(input: &Value, name: &str) -> usize {
    number(&input[name]) as usize
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}
