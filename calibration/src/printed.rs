//! How often is what is printed wrong: the word, and the interval? With the looks and the stop that the program uses, not the e-process
//! behind them.
//!
//! And what does it cost: after how many rounds does a change stand, beside the e-process alone at the whole error rate?
//!
//! A draw is looked at after each of the first rounds and then ever less often, and ends with the first final word, as
//! `evenhand run` does; what stands then is what is counted.

use crate::rule::{Tossed, tossed_by_place};
use crate::source::{Random, Source, random};
use crate::table::{Row, median_of};
use evenhand_stats::percentile::Direction;
use evenhand_stats::randomised::confidence_sequence::Interval;
use evenhand_stats::randomised::mean_and_tails::{MeanAndTails, Moved, Shares};
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio, Verdict, Word};

/// Nothing, the margin itself, and more than it.
const EFFECTS: [f64; 3] = [0.0, 0.01, 0.02];
/// Error rates, and the share of the draws that each gets: of the rarest faults all sources are counted together.
const ALPHAS: [(f64, f64); 3] = [(0.05, 1.0), (0.01, 1.0), (0.001, 0.65)];
/// The rule of the power table that is what a user waits for.
pub const AS_PRINTED: &str = "evenhand, as printed";
const ROUNDS: usize = 200;
/// Each round is looked at up to here,
const EVERY: usize = 20;
/// and then after so many times the rounds of the last look.
const NEXT_LOOK: f64 = 1.12;

/// What stands when a trial has ended, by its faults.
#[derive(Default)]
struct Faults {
    words: usize,
    intervals: usize,
    final_words: Vec<usize>,
}

/// Rounds until a change is printed, with the places adjusted and the share of α that the typical round has. The same draws as the other
/// rules of the power table.
pub fn power(source: &Source, effects: &[f64], draws: usize) -> Vec<Row> {
    const MOST_ROUNDS: usize = 5000;
    const ALPHA: f64 = 0.01;
    let rounds = MOST_ROUNDS.min(source.longest());
    let of_effect = |effect: &f64| {
        let decides = |draw| {
            let mut random = random(1, draw);
            let pairs = source.draw(&mut random, rounds);
            first_change(&tossed_by_place(&pairs, effect.ln_1p(), &mut random), Shares::TYPICAL * ALPHA)
        };
        let mut decided: Vec<usize> = (0..draws as u64).filter_map(decides).collect();
        Row {
            effect: *effect,
            rounds,
            decided: Some(decided.len() as f64 / draws as f64),
            median_rounds: median_of(&mut decided, draws),
            ..Row::new("power", &source.name(), AS_PRINTED, ALPHA, draws)
        }
    };
    effects.iter().map(of_effect).collect()
}

/// The round after which "no difference" is refuted.
fn first_change(rounds: &[Tossed], alpha: f64) -> Option<usize> {
    let (mut process, mut position) =
        (EProcess::against(LogRatio(0.0), &Mixture::rounds()), Position::default());
    let refuted = |round: &Tossed| {
        let effect = position.round(Placed { difference: round.difference, places: Some(round.places) });
        let _ = process.push(LogRatio(effect));
        process.ln_e_value() >= -alpha.ln()
    };
    rounds.iter().position(refuted).map(|before| before + 1)
}

/// Wrong words and intervals of one source, at each error rate and effect.
pub fn printed(source: &Source, draws: usize) -> Vec<Row> {
    let cases = ALPHAS.iter().flat_map(|alpha| EFFECTS.iter().map(move |effect| (*alpha, *effect)));
    cases
        .flat_map(|((alpha, part), effect)| rows(source, alpha, effect, (part * draws as f64) as usize))
        .collect()
}

fn rows(source: &Source, alpha: f64, effect: f64, draws: usize) -> [Row; 2] {
    let mut faults = Faults::default();
    // Draws of their own, so that all can be counted together.
    let first = (1e6 * effect / EFFECTS[1]) as u64;
    (first..first + draws as u64).for_each(|draw| faults.count(source, alpha, effect, draw));
    let Faults { words, intervals, mut final_words } = faults;
    let share = |count: usize| count as f64 / draws as f64;
    let row = |rule| Row {
        effect,
        rounds: ROUNDS.min(source.longest()),
        ..Row::new("printed", &source.name(), rule, alpha, draws)
    };
    [
        Row {
            decided: Some(share(words)),
            median_rounds: median_of(&mut final_words, draws),
            ..row("wrong word")
        },
        Row {
            decided: Some(share(intervals)),
            coverage: Some(1.0 - share(intervals)),
            ..row("interval misses")
        },
    ]
}

impl Faults {
    fn count(&mut self, source: &Source, alpha: f64, effect: f64, draw: u64) {
        let truth = LogRatio(effect.ln_1p());
        let Some(Ended { effects, verdict, moved }) = ended(source, alpha, truth, &mut random(4, draw))
        else {
            return;
        };
        if verdict.word.is_final() {
            self.final_words.push(effects.len());
        }
        let Moved { mean, low, high } = moved;
        let tails = [low, high].into_iter().flatten().map(by_more_than_the_margin);
        // Of the mean, the direction is what is proven.
        let mean = mean.map(|direction| match direction {
            Direction::Slower => Word::SlightlySlower,
            Direction::Faster => Word::SlightlyFaster,
        });
        let moved_wrongly = tails.chain(mean).any(|word| is_wrong(word, truth));
        self.words += usize::from(is_wrong(verdict.word, truth) || moved_wrongly);
        self.intervals += usize::from(verdict.interval.is_none_or(|interval| !holds(interval, truth)));
    }
}

/// A tail is said to have moved by more than the margin.
fn by_more_than_the_margin(direction: Direction) -> Word {
    match direction {
        Direction::Slower => Word::Slower,
        Direction::Faster => Word::Faster,
    }
}

/// A trial at its end.
pub struct Ended {
    /// The effects of its rounds, without what their places cost.
    pub effects: Vec<f64>,
    /// What stands.
    pub verdict: Verdict,
    /// What is said of the mean and the tails.
    moved: Moved,
}

/// A trial that is looked at and ends as the program does it.
pub fn ended(source: &Source, alpha: f64, truth: LogRatio, random: &mut Random) -> Option<Ended> {
    let pairs = source.draw(random, ROUNDS.min(source.longest()));
    let mut sequence = ConfidenceSequence::new(Shares::TYPICAL * alpha, Mixture::rounds()).ok()?;
    let mut beside = MeanAndTails::new(Margin::default());
    let (mut position, mut look_at) = (Position::default(), 8);
    let (mut effects, mut verdict) = (Vec::new(), None);
    for (round, tossed) in (1..).zip(tossed_by_place(&pairs, truth.0, random)) {
        let Tossed { times: (old, new), difference, places } = tossed;
        let effect = position.round(Placed { difference, places: Some(places) });
        beside.push(&[old], &[new]);
        effects.push(effect);
        // Traces and processes hold times above zero only, so no difference is refused.
        let _ = sequence.push(LogRatio(effect));
        if round < look_at {
            continue;
        }
        look_at = if round < EVERY { round + 1 } else { (round as f64 * NEXT_LOOK).ceil() as usize };
        let found = Verdict::of(sequence.interval(), Margin::default(), round);
        verdict = Some(found);
        if found.word.is_final() {
            break;
        }
    }
    verdict.map(|verdict| Ended { effects, verdict, moved: beside.moved(alpha) })
}

/// Whether a word says what is not so. At the margin itself, "more than it" and "less than it" are both wrong.
pub fn is_wrong(word: Word, truth: LogRatio) -> bool {
    let margin = Margin::default();
    match word {
        Word::Slower => truth <= margin.slower(),
        Word::Faster => truth >= margin.faster(),
        Word::Same => truth >= margin.slower() || truth <= margin.faster(),
        Word::SlightlySlower => truth.0 <= 0.0,
        Word::SlightlyFaster => truth.0 >= 0.0,
        Word::Unclear => false,
    }
}

/// Whether the interval holds the true effect.
pub fn holds(interval: Interval, truth: LogRatio) -> bool {
    interval.low.is_none_or(|low| low <= truth) && interval.high.is_none_or(|high| truth <= high)
}
