//! Where the mean or a percentile decides: what was planted there is found, and nothing else.

use evenhand_stats::randomised::at::{At, AtSequence};
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{LogRatio, Verdict, Word};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const MEAN: At = At::Mean;
const P90: At = At::Percentile(90.0);

struct Draws(Xoshiro256PlusPlus);

impl Draws {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A run with a tail to the right; once in twenty it takes three times as long.
    fn run(&mut self) -> f64 {
        let long = if self.uniform() < 0.05 { 3.0 } else { 1.0 };
        8.0 * (1.0 + 0.02 * (1.0 / (0.02 + self.uniform())).ln()) * long
    }
}

/// The sequence of rounds in which the candidate takes `factor` times as long.
fn sequence(at: At, factor: f64, rounds: usize, seed: u64) -> AtSequence {
    let (mut draws, mut sequence) = (Draws::new(seed), AtSequence::new(at, 0.01).unwrap().unwrap());
    (0..rounds).for_each(|_| sequence.push(&[draws.run()], &[factor * draws.run()]).unwrap());
    sequence
}

fn interval(sequence: &AtSequence) -> Interval {
    let Look::Interval(interval) = sequence.interval() else { panic!("no effect fits") };
    interval
}

#[test]
fn the_interval_holds_what_was_planted_and_narrows() {
    for at in [MEAN, P90] {
        for factor in [0.8, 1.0, 1.3] {
            let widths = [200, 2000].map(|rounds| {
                let found = interval(&sequence(at, factor, rounds, 3));
                let (low, high) = (found.low.unwrap(), found.high.unwrap());
                assert!(low.0 < factor.ln() && factor.ln() < high.0, "{at} {factor}: {found:?}");
                assert!(low <= found.estimate && found.estimate <= high, "{at} {factor}: {found:?}");
                high.0 - low.0
            });
            assert!(widths[1] < 0.6 * widths[0], "{at} {factor}: {widths:?}");
        }
    }
}

#[test]
fn its_ends_are_where_the_evidence_reaches_the_confidence() {
    let sequence = sequence(MEAN, 1.2, 500, 4);
    let found = interval(&sequence);
    let needed = 100_f64.ln();
    for (end, outwards) in [(found.low.unwrap(), -1e-3), (found.high.unwrap(), 1e-3)] {
        let beyond = sequence.ln_e_value(LogRatio(end.0 + outwards));
        let inside = sequence.ln_e_value(LogRatio(end.0 - 10.0 * outwards));
        assert!(beyond >= needed && inside < needed, "{beyond} {inside}");
    }
}

#[test]
fn a_few_long_runs_move_the_mean_and_not_the_median() {
    let mut draws = Draws::new(5);
    let [mut mean, mut median] =
        [MEAN, At::Percentile(50.0)].map(|at| AtSequence::new(at, 0.01).unwrap().unwrap());
    for _ in 0..2000 {
        let (old, new) = (8.0 + draws.uniform(), 8.0 + draws.uniform());
        let new = if draws.uniform() < 0.05 { 3.0 * new } else { new };
        mean.push(&[old], &[new]).unwrap();
        median.push(&[old], &[new]).unwrap();
    }
    assert!(interval(&mean).low.unwrap().0 > 0.03);
    assert!(interval(&median).high.unwrap().0 < 0.02);
}

#[test]
fn where_no_ratio_holds_for_all_runs_the_interval_reaches_the_estimate() {
    let costs = |draws: &mut Draws, often: f64, times: f64| {
        let long = if draws.uniform() < often { times } else { 1.0 };
        (1.0 + 0.02 * draws.uniform()) * long
    };
    let mut refuted = 0;
    for seed in 0..40 {
        let (mut draws, mut sequence) = (Draws::new(seed), AtSequence::new(MEAN, 0.01).unwrap().unwrap());
        for _ in 0..400 {
            sequence.push(&[costs(&mut draws, 0.05, 3.0)], &[costs(&mut draws, 0.001, 291.0)]).unwrap();
        }
        let Look::Interval(found) = sequence.interval() else { continue };
        refuted += usize::from(sequence.ln_e_value(found.estimate) >= 100_f64.ln());
        assert!(found.low.is_none_or(|low| low <= found.estimate), "{seed}: {found:?}");
        assert!(found.high.is_none_or(|high| found.estimate <= high), "{seed}: {found:?}");
        let word = Verdict::of(Look::Interval(found), Margin::default(), 400).word;
        let against = match word {
            Word::Faster | Word::SlightlyFaster => found.estimate.0 >= 0.0,
            Word::Slower | Word::SlightlySlower => found.estimate.0 <= 0.0,
            Word::Same | Word::Unclear => false,
        };
        assert!(!against, "{seed}: {word} {found:?}");
    }
    assert!(refuted > 5, "the bets refute the estimate in {refuted} of 40");
}

#[test]
fn the_truth_is_lost_no_more_often_than_promised_however_often_one_looks() {
    let lost = |at: At| {
        let is_lost = |seed: &u64| {
            let (mut draws, mut sequence) = (Draws::new(*seed), AtSequence::new(at, 0.2).unwrap().unwrap());
            (0..150).any(|_| {
                sequence.push(&[draws.run()], &[1.1 * draws.run()]).unwrap();
                sequence.ln_e_value(LogRatio(1.1_f64.ln())) >= -(0.2_f64.ln())
            })
        };
        (0..300).filter(is_lost).count()
    };
    for at in [MEAN, P90] {
        // A fifth of 300, and three deviations.
        assert!(lost(at) <= 60 + 21, "{at}: {}", lost(at));
    }
}

#[test]
fn with_too_few_rounds_there_is_no_end() {
    let found = interval(&sequence(MEAN, 2.0, 4, 6));
    assert_eq!((found.low, found.high), (None, None));
    let nothing = AtSequence::new(P90, 0.01).unwrap().unwrap();
    assert_eq!(interval(&nothing), Interval { low: None, estimate: LogRatio(0.0), high: None });
}

#[test]
fn rounds_need_a_cost_of_both_arms() {
    let mut sequence = AtSequence::new(MEAN, 0.01).unwrap().unwrap();
    assert!(sequence.push(&[], &[]).is_err() && sequence.push(&[1.0], &[1.0, 2.0]).is_err());
    assert!(AtSequence::new(At::Typical, 0.01).unwrap().is_none() && AtSequence::new(MEAN, 1.0).is_err());
}

#[test]
fn what_decides_is_said_as_it_is_read() {
    for text in ["typical", "mean", "P99", "P99.9", "P0.5"] {
        assert_eq!(text.parse::<At>().unwrap().to_string(), text);
    }
    assert_eq!("p50".parse::<At>(), Ok(At::Percentile(50.0)));
    for text in ["", "P", "P100", "Pnan", "99", "median", "P-1"] {
        assert!(text.parse::<At>().unwrap_err().contains("such as P99"), "{text}");
    }
}
