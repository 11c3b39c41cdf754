//! Ranks among all pairs against sorting all pairs.

use evenhand_stats::unpaired::pairwise::{Differences, PairTable};
use proptest::prelude::*;
use std::time::{Duration, Instant};

#[test]
fn every_rank_of_a_small_table() {
    let differences = Differences::new(&[1.0, 5.0], &[2.0, 0.0, 9.0]).unwrap();
    let all: Vec<f64> = (0..6).map(|rank| differences.ranked(rank)).collect();
    assert_eq!(all, [-8.0, -4.0, -1.0, 1.0, 3.0, 5.0]);
    assert_eq!(differences.median(), 0.0);
}

#[test]
fn beyond_the_last_rank_is_the_largest_value() {
    assert_eq!(Differences::new(&[1.0, 2.0], &[0.0]).unwrap().ranked(99), 2.0);
}

#[test]
fn bad_series_are_refused() {
    assert!(Differences::new(&[], &[1.0]).is_err());
    assert!(Differences::new(&[1.0], &[f64::NEG_INFINITY]).is_err());
    assert!(Differences::new(&[f64::NAN], &[1.0]).is_err());
}

#[test]
fn zero_is_positive_zero() {
    let differences = Differences::new(&[-0.0, -0.0], &[0.0]).unwrap();
    assert_eq!(differences.median().to_bits(), 0);
}

#[test]
fn differences_too_large_for_a_double_count_as_the_largest() {
    let differences = Differences::new(&[f64::MAX, 0.0], &[-f64::MAX, f64::MAX]).unwrap();
    let all: Vec<f64> = (0..4).map(|rank| differences.ranked(rank)).collect();
    assert_eq!(all, [-f64::MAX, 0.0, f64::MAX, f64::MAX]);
}

#[test]
fn ten_thousand_million_pairs_take_a_moment() {
    // Far above what it takes (tens of milliseconds), far below what n * m work would: this guards the order of
    // growth, not a timing.
    let x: Vec<f64> = (0..100_000u64).map(|i| (i * 7919 % 100_003) as f64 * 1.1).collect();
    let y: Vec<f64> = (0..100_000u64).map(|i| ((i * 104_729 % 100_019) as f64).sqrt()).collect();
    let start = Instant::now();
    let differences = Differences::new(&x, &y).unwrap();
    let middle = differences.median();
    assert!(start.elapsed() < Duration::from_secs(5));
    let half = differences.pairs() / 2;
    assert!(differences.at_most(middle) >= half && differences.at_most(middle.next_down()) <= half);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn differences_are_those_of_sorting_all(x in series(1), y in series(1), pick in 0.0f64..1.0) {
        let all = x.iter().flat_map(|a| y.iter().map(move |b| (a - b).clamp(f64::MIN, f64::MAX))).collect();
        check(&Differences::new(&x, &y).unwrap(), all, pick)?;
    }
}

fn check(table: &impl PairTable, mut all: Vec<f64>, pick: f64) -> Result<(), TestCaseError> {
    all.sort_by(f64::total_cmp);
    prop_assert_eq!(table.pairs(), all.len() as u64);
    let picked = (pick * all.len() as f64) as usize;
    for rank in [0, picked, all.len() / 2, all.len() - 1] {
        prop_assert_eq!(table.ranked(rank as u64), all[rank]);
        let at_most = all.iter().filter(|v| **v <= all[rank]).count();
        prop_assert_eq!(table.at_most(all[rank]), at_most as u64);
        let above = all.get(at_most).copied().unwrap_or(f64::MAX);
        prop_assert_eq!(table.next_above(all[rank]), above);
    }
    prop_assert_eq!(table.median(), all[(all.len() - 1) / 2].midpoint(all[all.len() / 2]));
    Ok(())
}

/// Series with ties, negatives, steps of a rounding error and the whole range of doubles.
fn series(shortest: usize) -> impl Strategy<Value = Vec<f64>> {
    let longest = 60;
    prop_oneof![
        prop::collection::vec((-8i32..8).prop_map(f64::from), shortest..longest),
        prop::collection::vec(-1e3f64..1e3, shortest..longest),
        prop::collection::vec((0u32..9).prop_map(|i| 1.0 + f64::from(i) * f64::EPSILON), shortest..longest),
        prop::collection::vec(
            prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
            shortest..longest
        ),
    ]
}
