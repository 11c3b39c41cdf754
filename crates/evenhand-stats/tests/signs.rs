//! Signs: against exact enumeration of the coin, against their definition, and what they say of ties, launches and rounds with ratios.

use evenhand_stats::randomised::launches::fewest_to_decide;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::signs::{Counts, Signs};
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio, Word, differences};

/// What both arms cost in a round, if the candidate is worse.
type Round = [f64; 2];

fn signs_of(rounds: &[Round]) -> Signs {
    let mut signs = Signs::default();
    rounds.iter().for_each(|[better, worse]| signs.push(&[*better], &[*worse]));
    signs
}

/// All 2^n ways the coin could have given the two costs of each round to the arms.
fn all_coins(rounds: &[Round]) -> impl Iterator<Item = Vec<Round>> + '_ {
    (0..1_u32 << rounds.len()).map(|coins| {
        let given =
            |(place, [a, b]): (usize, &Round)| if coins >> place & 1 == 1 { [*b, *a] } else { [*a, *b] };
        rounds.iter().enumerate().map(given).collect()
    })
}

/// Rare errors, a burst, ties at 0 and elsewhere.
const ROUNDS: [Round; 14] = [
    [0.0, 1.0],
    [0.0, 0.0],
    [2.0, 0.0],
    [0.0, 1.0],
    [0.0, 4000.0],
    [3.0, 3.0],
    [1.0, 2.0],
    [0.0, 1.0],
    [0.0, 1.0],
    [5.0, 1.0],
    [0.0, 2.0],
    [0.0, 1.0],
    [7.0, 0.0],
    [0.0, 1.0],
];

/// Rounds with ratios before the first zero.
const LATE_ZERO: [Round; 14] = [
    [1.0, 3.0],
    [2.0, 1.0],
    [1.0, 4.0],
    [2.0, 2.5],
    [1.0, 9.0],
    [3.0, 2.0],
    [0.0, 2.0],
    [2.0, 1.0],
    [1.0, 5.0],
    [4.0, 1.0],
    [3.0, 2.0],
    [0.0, 1.0],
    [7.0, 0.0],
    [2.0, 1.0],
];

/// The evidence as a trial has it after some rounds: by ratios up to the first zero, by signs from there on.
fn evidence(rounds: &[Round]) -> f64 {
    let before = rounds.iter().position(|round| round.contains(&0.0)).unwrap_or(rounds.len());
    let [better, worse] =
        [0, 1].map(|arm: usize| rounds[..before].iter().map(|round| round[arm]).collect::<Vec<_>>());
    let ratios = differences(&better, &worse).unwrap_or_default();
    let by_ratio =
        ConfidenceSequence::of(&ratios, 0.01, Mixture::rounds()).unwrap().ln_e_value(LogRatio(0.0));
    let mut signs = signs_of(&rounds[..before]);
    signs.leave_to_ratios(by_ratio);
    rounds[before..].iter().for_each(|[better, worse]| signs.push(&[*better], &[*worse]));
    signs.ln_e_value()
}

#[test]
fn expectation_over_the_coin_is_exactly_one() {
    for rounds in [ROUNDS, LATE_ZERO] {
        let total: f64 = all_coins(&rounds).map(|rounds| evidence(&rounds).exp()).sum();
        let mean = total / f64::from(1 << rounds.len());
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
    }
}

#[test]
fn looking_after_every_round_keeps_the_error_rate() {
    // Exact, not simulated: of all 16,384 falls of the coin, at most α ever reach 1/α, although what is looked at changes at the first zero.
    for rounds in [ROUNDS, LATE_ZERO] {
        let highest = |rounds: Vec<Round>| {
            (1..=rounds.len()).map(|looked| evidence(&rounds[..looked])).fold(f64::NEG_INFINITY, f64::max)
        };
        let highest: Vec<f64> = all_coins(&rounds).map(highest).collect();
        for alpha in [0.5, 0.2, 0.05, 0.01] {
            let reached = highest.iter().filter(|ln_e_value| **ln_e_value >= -f64::ln(alpha)).count();
            let share = reached as f64 / highest.len() as f64;
            assert!(share <= alpha, "alpha {alpha}: {share}");
            assert!(reached > 0 || alpha < 0.02, "alpha {alpha}: nothing is ever decided");
        }
    }
}

#[test]
fn the_evidence_is_that_of_bets_on_rounds_of_one_size() {
    let mut process = EProcess::against(LogRatio(0.0), &Mixture::signs());
    for [better, worse] in ROUNDS {
        let sign = if worse > better {
            1.0
        } else if worse < better {
            -1.0
        } else {
            0.0
        };
        process.push(LogRatio(sign)).unwrap();
    }
    assert!((signs_of(&ROUNDS).ln_e_value() - process.ln_e_value()).abs() < 1e-12);
}

#[test]
fn ten_rounds_that_all_differ_the_same_way_decide() {
    // The error rate of a verdict at 99 %.
    let alpha = 0.0085;
    assert_eq!(fewest_to_decide(alpha, &Mixture::signs()), 10);
    let one_way = |rounds: usize, round: Round| signs_of(&vec![round; rounds]).word(alpha);
    assert_eq!(one_way(9, [0.0, 1.0]), Word::Unclear);
    assert_eq!(one_way(10, [0.0, 1.0]), Word::Slower);
    assert_eq!(one_way(10, [1.0, 0.0]), Word::Faster);
    assert_eq!(one_way(10_000, [0.0, 0.0]), Word::Unclear);
    assert_eq!(Signs::default().word(alpha), Word::Unclear);
}

#[test]
fn rounds_without_a_difference_cost_nothing() {
    let with_ties = signs_of(&ROUNDS);
    let differ: Vec<Round> = ROUNDS.into_iter().filter(|[better, worse]| better != worse).collect();
    assert_eq!(with_ties.ln_e_value(), signs_of(&differ).ln_e_value());
    assert_eq!(with_ties.counts(), Counts { worse: 9, better: 3, equal: 2 });
    assert_eq!(with_ties.counts().that_differ(), 12);
    assert_eq!(signs_of(&[[0.0, -0.0]]).counts(), Counts { equal: 1, ..Counts::default() });
}

#[test]
fn a_launch_is_one_sign_that_of_most_of_its_rounds() {
    let mut signs = Signs::default();
    // A burst in one round is no more than a round.
    signs.push(&[0.0, 0.0, 900.0, 0.0], &[1.0, 1.0, 0.0, 0.0]);
    signs.push(&[1.0, 0.0], &[0.0, 1.0]);
    signs.push(&[1.0, 0.0], &[0.0, 0.0]);
    assert_eq!(signs.counts(), Counts { worse: 1, better: 1, equal: 1 });
}

#[test]
fn rounds_before_the_first_zero_count_by_their_ratios_alone() {
    let mut signs = signs_of(&[[1.0, 2.0]; 6]);
    signs.leave_to_ratios(1.5);
    assert!((signs.ln_e_value() - 1.5).abs() < 1e-12, "they were looked at already");
    for _ in 0..6 {
        signs.push(&[0.0], &[1.0]);
    }
    let alone = signs_of(&[[0.0, 1.0]; 6]).ln_e_value();
    assert!((signs.ln_e_value() - 1.5 - alone).abs() < 1e-12);
    assert_eq!(signs.counts().worse, 12);
}

#[test]
fn there_is_no_word_against_the_means() {
    let mut signs = signs_of(&[[1.0, 0.0]; 40]);
    assert_eq!(signs.word(0.01), Word::Faster);
    signs.push(&[0.0], &[100.0]);
    assert!(signs.refute(0.01));
    assert_eq!(signs.word(0.01), Word::Unclear);
    signs.push(&[100.0], &[0.0]);
    assert_eq!(signs.word(0.01), Word::Faster);
}
