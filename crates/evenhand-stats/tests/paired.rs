//! The paired mean difference, its tails, and the pairing off of excursions.

use evenhand_stats::paired::{
    ChangeTest, PairingRule, Tail, bazhenov_winsoriser, differences, equal_counts_p, fences, mean_difference,
    pair_off, responsible_tail, tail_contributions,
};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;

fn close(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-12 * right.abs().max(1.0), "{left} is not {right}");
}

/// 100 differences -1, 0, 1, 2 in turn around a baseline of 100: quartiles of the differences -0.25 and 1.25.
fn quiet_rounds() -> (Vec<f64>, Vec<f64>) {
    let candidate = (0..100).map(|i| 99.0 + f64::from(i % 4)).collect();
    (vec![100.0; 100], candidate)
}

#[test]
fn the_difference_of_a_small_example_by_hand() {
    // d = 1, 2, 3, 6: mean 3, squares 4 + 1 + 0 + 9 = 14, variance 14/3.
    let d =
        mean_difference(&[10.0, 12.0, 8.0, 10.0], &[11.0, 14.0, 11.0, 16.0], &ChangeTest::default()).unwrap();
    assert_eq!((d.rounds, d.baseline_min, d.candidate_min, d.min_difference), (4, 8.0, 11.0, 3.0));
    assert_eq!(
        (d.baseline_mean, d.candidate_mean, d.mean_difference, d.percent_of_baseline),
        (10.0, 13.0, 3.0, 30.0)
    );
    close(d.standard_deviation, (14.0_f64 / 3.0).sqrt());
    close(d.standard_error, (14.0_f64 / 12.0).sqrt());
    close(d.z.unwrap(), 3.0 / (14.0_f64 / 12.0).sqrt());
    assert!(d.changed, "z = 2.777");
}

#[test]
fn a_change_is_detected_at_the_threshold_and_not_below() {
    let (baseline, candidate) = ([10.0, 10.0], [11.0, 13.0]);
    // d = 1, 3: mean 2, standard error 1, z = 2.
    let at =
        |threshold| mean_difference(&baseline, &candidate, &ChangeTest { threshold, standard_error: None });
    assert!(at(2.0).unwrap().changed);
    assert!(!at(2.000_001).unwrap().changed);
    assert!(!mean_difference(&baseline, &candidate, &ChangeTest::default()).unwrap().changed);
    assert!(
        mean_difference(&candidate, &baseline, &ChangeTest { threshold: 2.0, standard_error: None })
            .unwrap()
            .changed
    );
}

#[test]
fn a_given_standard_error_is_used() {
    let test = ChangeTest { standard_error: Some(4.0), ..ChangeTest::default() };
    let d = mean_difference(&[10.0, 10.0], &[11.0, 13.0], &test).unwrap();
    assert_eq!((d.standard_error, d.z), (4.0, Some(0.5)));
    let zero = ChangeTest { standard_error: Some(0.0), ..test };
    assert!(mean_difference(&[10.0, 10.0], &[11.0, 13.0], &zero).is_err());
}

#[test]
fn differences_all_alike_have_no_z() {
    let same = mean_difference(&[0.3; 7], &[0.3; 7], &ChangeTest::default()).unwrap();
    assert_eq!((same.z, same.changed, same.standard_deviation), (None, false, 0.0));
    let shifted = mean_difference(&[0.3; 7], &[0.4; 7], &ChangeTest::default()).unwrap();
    assert_eq!((shifted.z, shifted.changed), (None, true));
}

#[test]
fn a_small_spread_on_a_large_level_keeps_its_digits() {
    // In the manner of NIST's NumAcc4: 1e7 + 0.2 with steps of 0.1, standard deviation 0.1.
    let candidate: Vec<f64> = (0..1001).map(|i| 1e7 + [0.3, 0.1][i % 2]).collect();
    let d = mean_difference(&[1.0; 1001], &candidate, &ChangeTest::default()).unwrap();
    assert!((d.standard_deviation - 0.1).abs() < 1e-4, "{}", d.standard_deviation);
}

#[test]
fn bad_input_is_named() {
    let test = ChangeTest::default();
    let rule = |result: Result<_, InputError>| result.map(|_: Vec<f64>| ()).unwrap_err();
    assert_eq!(rule(differences(&[1.0], &[1.0])).rule, Rule::AtLeast { needed: 2, got: 1 });
    assert_eq!(rule(differences(&[1.0, 2.0], &[1.0, 0.0])).rule, Rule::Positive { index: 1 });
    assert_eq!(rule(differences(&[1.0, f64::NAN], &[1.0, 2.0])).rule, Rule::Finite { index: 1 });
    assert_eq!(rule(differences(&[1.0, 1e300], &[1.0, 2.0])).rule, Rule::Representable { index: 1 });
    assert_eq!(rule(differences(&[1.0, 2.0, 3.0], &[1.0, 2.0])).rule, Rule::SameLength { left: 3, right: 2 });
    assert!(mean_difference(&[1.0, 2.0], &[2.0, 1.0], &ChangeTest { threshold: f64::NAN, ..test }).is_err());
    assert!(fences(&[1.0], -1.0).is_err());
    assert!(bazhenov_winsoriser(&[1.0, 2.0], 1.5).is_err());
}

#[test]
fn equal_counts_is_a_two_sided_coin() {
    // The seed's three peaks: two or more on a given side 1/2; exactly 2:1 one way C(3,1)/2^3 = 37.5 %.
    let exactly_one_of_three = (equal_counts_p(1, 2) - equal_counts_p(0, 3)) / 2.0;
    close(exactly_one_of_three, 0.375);
    close(equal_counts_p(0, 3), 0.25);
    close(equal_counts_p(1, 6), 0.125);
    close(equal_counts_p(6, 1), 0.125);
    close(equal_counts_p(1, 0), 1.0);
    assert_eq!((equal_counts_p(0, 0), equal_counts_p(4, 4)), (1.0, 1.0));
    // Exact value for 4900 of 10000, where the normal approximation takes over.
    assert!((equal_counts_p(4900, 5100) - 0.046_585_5).abs() < 1e-5, "{}", equal_counts_p(4900, 5100));
}

#[test]
fn balanced_excursions_are_paired_off_and_both_figures_stay() {
    let (baseline, mut candidate) = quiet_rounds();
    for round in [10, 20, 30] {
        candidate[round] = 100.0 + 50.0 + round as f64;
    }
    for round in [40, 50, 60] {
        candidate[round] = 100.0 - 25.0 - round as f64 / 2.0;
    }
    let found = pair_off(&baseline, &candidate, &PairingRule::default()).unwrap();
    assert_eq!((found.below, found.above, found.equal_counts_p), (3, 3, 1.0));
    // Distances from the median 0.5: 59.5, 69.5, 79.5 above and 45.5, 50.5, 55.5 below, wholly separate: 2 of 20 splits.
    close(found.like_size_p, 0.1);
    assert!(!found.paired_off, "the sizes differ");
    let lenient = PairingRule { level: 0.05, ..PairingRule::default() };
    assert!(pair_off(&baseline, &candidate, &lenient).unwrap().paired_off);
    assert_eq!(found.full.rounds, 100);
    assert_eq!(found.without_excursions.unwrap().rounds, 94);
    let kept: Vec<f64> =
        (0..100).filter(|i| ![10, 20, 30, 40, 50, 60].contains(i)).map(|i| candidate[i] - 100.0).collect();
    close(found.without_excursions.unwrap().mean_difference, kept.iter().sum::<f64>() / 94.0);
}

#[test]
fn one_sided_excursions_stay_the_candidates() {
    let (baseline, mut candidate) = quiet_rounds();
    candidate[5] = 900.0;
    let one = pair_off(&baseline, &candidate, &PairingRule::default()).unwrap();
    assert_eq!((one.below, one.above, one.paired_off, one.like_size_p), (0, 1, false, 1.0));
    for round in [15, 25, 35, 45, 55, 65, 75, 85, 95, 97, 99] {
        candidate[round] = 900.0;
    }
    candidate[1] = 1.0;
    let twelve =
        pair_off(&baseline, &candidate, &PairingRule { level: 0.001, ..PairingRule::default() }).unwrap();
    assert_eq!((twelve.below, twelve.above), (1, 12));
    close(twelve.equal_counts_p, 2.0 * 14.0 / 8192.0);
    // Normal approximation (a side above 8): the one below has rank 1, the twelve others share rank 7.5.
    let (mean, ranks) = (7.0, [vec![1.0], vec![7.5; 12]].concat());
    let squares: f64 = ranks.iter().map(|r: &f64| (r - mean).powi(2)).sum();
    let z = (6.0 - 0.5) / (12.0 / (13.0 * 12.0) * squares).sqrt();
    let p = statrs_two_sided(z);
    assert!((twelve.like_size_p - p).abs() < 1e-12, "{} {p}", twelve.like_size_p);
    assert!(twelve.paired_off == (p > 0.001), "both p-values decide");
}

fn statrs_two_sided(z: f64) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    2.0 * Normal::standard().sf(z)
}

#[test]
fn quiet_rounds_have_no_excursions() {
    let (baseline, candidate) = quiet_rounds();
    let found = pair_off(&baseline, &candidate, &PairingRule::default()).unwrap();
    assert_eq!((found.below, found.above, found.paired_off), (0, 0, false));
    assert_eq!(found.without_excursions, Some(found.full));
    assert_eq!((found.fences.median, found.fences.low, found.fences.high), (0.5, 0.5 - 4.5, 0.5 + 4.5));
}

#[test]
fn a_difference_on_the_fence_is_no_excursion() {
    let (baseline, mut candidate) = quiet_rounds();
    candidate[3] = 105.0; // replaces a 2 by the high fence, 5: the quartiles stay
    assert_eq!(pair_off(&baseline, &candidate, &PairingRule::default()).unwrap().above, 0);
    candidate[3] = 105.001;
    assert_eq!(pair_off(&baseline, &candidate, &PairingRule::default()).unwrap().above, 1);
}

#[test]
fn the_responsible_tail_is_named() {
    let (baseline, mut candidate) = quiet_rounds();
    candidate[3] = 1102.0; // d = 1002 where it was 2
    let parts = tail_contributions(&baseline, &candidate, 3.0).unwrap();
    close(parts.upper, (1002.0 - 0.5) / 100.0);
    close(parts.lower, 0.0);
    close(parts.mean_difference, 0.5 + 10.0);
    close(parts.middle, parts.mean_difference - parts.upper);
    close(parts.share(Tail::Upper).unwrap(), 10.015 / 10.5);
    assert_eq!(responsible_tail(&parts, 0.5), Some(Tail::Upper));
    assert_eq!(responsible_tail(&parts, 20.0), None);
    let mirrored = tail_contributions(&candidate, &baseline, 3.0).unwrap();
    assert_eq!(responsible_tail(&mirrored, -0.5), Some(Tail::Lower));
    let (baseline, candidate) = ([1.0, 2.0], [2.0, 1.0]);
    assert_eq!(tail_contributions(&baseline, &candidate, 3.0).unwrap().share(Tail::Upper), None);
}

#[test]
fn the_seeds_winsoriser_commits_balanced_cuts_only() {
    // 0..=99 in the middle; IQR = d[75] - d[25] is 50 plus or minus a little; the reach is about 150.
    let middle: Vec<f64> = (0..96).map(f64::from).collect();
    let balanced = [vec![-900.0, -800.0], middle.clone(), vec![1000.0, 1100.0]].concat();
    let cut = bazhenov_winsoriser(&balanced, 1.0).unwrap();
    assert_eq!((cut.cut_below, cut.cut_above, cut.low, cut.high), (2, 2, 0.0, 95.0));
    assert_eq!((cut.differences[0], cut.differences[99], cut.differences[2]), (0.0, 95.0, 0.0));
    // Four at the top only: a gap of 2 is still committed, 3 of 3 and 4 of 4 are not.
    let lopsided = [middle.clone(), vec![1000.0, 1100.0, 1200.0, 1300.0]].concat();
    let cut = bazhenov_winsoriser(&lopsided, 1.0).unwrap();
    assert_eq!((cut.cut_below, cut.cut_above, cut.high), (0, 2, 1100.0));
    let limited = bazhenov_winsoriser(&lopsided, 0.01).unwrap();
    assert_eq!((limited.cut_above, limited.high), (1, 1200.0));
    assert_eq!(bazhenov_winsoriser(&[5.0; 9], 1.0).unwrap().differences, vec![5.0; 9]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_three_means_and_the_parts_add_up(rounds in prop::collection::vec((1.0..1e6_f64, 1.0..1e6_f64), 2..60)) {
        let (baseline, candidate): (Vec<f64>, Vec<f64>) = rounds.into_iter().unzip();
        let d = mean_difference(&baseline, &candidate, &ChangeTest::default()).unwrap();
        prop_assert!((d.candidate_mean - d.baseline_mean - d.mean_difference).abs() < 1e-8);
        let mirrored = mean_difference(&candidate, &baseline, &ChangeTest::default()).unwrap();
        prop_assert_eq!((mirrored.mean_difference, mirrored.changed), (-d.mean_difference, d.changed));
        let parts = tail_contributions(&baseline, &candidate, 0.5).unwrap();
        prop_assert!((parts.mean_difference - d.mean_difference).abs() < 1e-7);
        let found = pair_off(&baseline, &candidate, &PairingRule { fence_width: 0.5, ..PairingRule::default() }).unwrap();
        let left = found.without_excursions.map_or(0, |d| d.rounds);
        prop_assert!(found.below + found.above + left == baseline.len() || left == 0);
        prop_assert!((0.0..=1.0).contains(&found.like_size_p) && (0.0..=1.0).contains(&found.equal_counts_p));
    }

    #[test]
    fn anything_positive_gives_an_answer_or_a_rule(rounds in prop::collection::vec((any::<f64>(), any::<f64>()), 0..20)) {
        let (baseline, candidate): (Vec<f64>, Vec<f64>) = rounds.into_iter().unzip();
        if let Ok(d) = mean_difference(&baseline, &candidate, &ChangeTest::default()) {
            let all = [d.mean_difference, d.standard_deviation, d.percent_of_baseline, d.z.unwrap_or(0.0)];
            prop_assert!(all.iter().all(|value| value.is_finite()));
        }
    }
}
