//! How did the interval narrow? The confidence sequence of the verdict, asked at about forty numbers of rounds that grow by a constant
//! factor; over launches where the verdict is over launches. The last moment is the effect of the comparison itself.
//!
//! Tests: `tests/analysis/pictures.rs`.

use crate::Settings;
use crate::coins::launch_differences;
use crate::comparison::{Comparison, Effect, effect};
use crate::question::Question;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches};
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio};
use serde::Serialize;

/// What was known after some rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moment {
    /// After how many rounds (or launches).
    pub after: usize,
    pub effect: Effect,
}

/// About so many moments are shown.
const MOMENTS: usize = 40;

/// What they count, `round` or `launch`, and the effect after ever more of them. None without a coin.
pub(super) fn moments(question: &Question<'_>, comparison: &Comparison) -> (&'static str, Vec<Moment>) {
    let Some(coin) = comparison.coin() else { return ("round", Vec::new()) };
    let rounds = question.study.rounds(question.pair);
    let launches = launch_differences(question, &rounds).unwrap_or_default();
    if coin.within_launches.is_some() && coin.launch_effects.len() > 1 {
        ("launch", moments_of_launches(&launches, question.settings))
    } else {
        ("round", moments_of_rounds(&launches, question.settings))
    }
}

/// The rounds that the verdict counts: all, or those of the only launch that has enough.
fn moments_of_rounds(launches: &[Vec<Placed>], settings: &Settings) -> Vec<Moment> {
    let rounds_count = launches.len() == 1 || launches.iter().all(|rounds| rounds.len() == 1);
    let counted = launches.iter().filter(|rounds| rounds_count || rounds.len() >= FEWEST_ROUNDS);
    let rounds: Vec<Placed> = counted.flatten().copied().collect();
    let mut position = Position::default();
    let Ok(mut sequence) = ConfidenceSequence::new(settings.alpha_of_typical(), Mixture::rounds()) else {
        return Vec::new();
    };
    let mut moments = Vec::new();
    let mut next = spaced(rounds.len()).into_iter().peekable();
    for (place, round) in rounds.iter().enumerate() {
        if sequence.push(LogRatio(position.round(*round))).is_err() {
            break;
        }
        if next.next_if_eq(&(place + 1)).is_some() {
            moments.push(Moment { after: place + 1, effect: effect(sequence.interval()) });
        }
    }
    moments
}

fn moments_of_launches(launches: &[Vec<Placed>], settings: &Settings) -> Vec<Moment> {
    let long: Vec<&[Placed]> =
        launches.iter().map(Vec::as_slice).filter(|rounds| rounds.len() >= FEWEST_ROUNDS).collect();
    let at = |after: usize| {
        let found = Launches::of(&long[..after], settings.alpha_of_typical()).ok()?;
        Some(Moment { after, effect: effect(found.across) })
    };
    spaced(long.len()).into_iter().filter_map(at).collect()
}

/// Whole numbers up to `last` that grow by a constant factor, each once, `last` included.
pub(super) fn spaced(last: usize) -> Vec<usize> {
    let factor = |step: usize| step as f64 / (MOMENTS - 1) as f64;
    let mut numbers: Vec<usize> =
        (0..MOMENTS).map(|step| (last as f64).powf(factor(step)).round() as usize).collect();
    numbers.push(last);
    numbers.retain(|number| (1..=last).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
