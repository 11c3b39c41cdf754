//! What do rounds say where some cost nothing? There is no ratio to 0, so each counts by who cost more in it, and the verdict has no size:
//! [`evenhand_stats::randomised::signs`].
//!
//! Tests: `tests/analysis/signs.rs`.

use super::coins::{Coins, launch_differences, over_rounds_of, rounds_of};
use super::comparison::{Piece, SignCounts};
use super::question::Question;
use super::study::SharedRounds;
use evenhand_stats::InputError;
use evenhand_stats::randomised::launches::{Launches, TooFew, fewest_to_decide};
use evenhand_stats::randomised::position::Placed;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::signs::Signs;
use evenhand_stats::randomised::{LogRatio, Word};

/// What the signs say.
pub(super) struct BySigns {
    pub word: Word,
    pub ln_e_value: f64,
    pub counts: SignCounts,
    /// How many rounds in all a word takes at least.
    pub needed: Option<u64>,
    pub too_few: Option<TooFew>,
    /// Whether most rounds are proven to go one way, and the means go the other.
    pub against_means: bool,
}

/// The verdict by signs. The rounds, or launches, before the first zero count by their ratios.
pub(super) fn by_signs(question: &Question<'_>, coins: &Coins<'_>) -> Result<BySigns, InputError> {
    let before = coins.before_zero();
    let have_ratios = if coins.over_launches { before.len() } else { rounds_of(&before) };
    let mut signs = Signs::default();
    let mut costs = coins.costs(question);
    costs.by_ref().take(have_ratios).for_each(|[better, worse]| signs.push(better, worse));
    signs.leave_to_ratios(ln_e_by_ratio(question, coins, &before)?);
    costs.for_each(|[better, worse]| signs.push(better, worse));
    Ok(found(question, coins, &signs))
}

fn found(question: &Question<'_>, coins: &Coins<'_>, signs: &Signs) -> BySigns {
    let (alpha, counts) = (question.settings.alpha_of_typical(), signs.counts());
    let fewest = fewest_to_decide(alpha, &Mixture::signs());
    let missing = (fewest as u64).saturating_sub(counts.that_differ());
    let (launches, word) = (coins.launches.len(), signs.word(alpha));
    BySigns {
        word,
        against_means: signs.refute(alpha) && word == Word::Unclear,
        ln_e_value: signs.ln_e_value(),
        counts: SignCounts {
            counts,
            of: if coins.over_launches { Piece::Launch } else { Piece::Sample },
            baseline_mean: coins.mean(|rounds| &rounds.baseline),
            candidate_mean: coins.mean(|rounds| &rounds.candidate),
        },
        needed: (word == Word::Unclear && missing > 0 && !coins.over_launches)
            .then_some(coins.rounds() as u64 + missing),
        too_few: (coins.over_launches && launches < fewest).then_some(TooFew { launches, needed: fewest }),
    }
}

/// What those before the first zero say by their ratios against "no difference", as a logarithm.
fn ln_e_by_ratio(
    question: &Question<'_>,
    coins: &Coins<'_>,
    before: &[SharedRounds],
) -> Result<f64, InputError> {
    let (differences, alpha) = (launch_differences(question, before)?, question.settings.alpha_of_typical());
    if !coins.over_launches {
        return Ok(over_rounds_of(&differences.concat(), alpha)?.ln_e_value(LogRatio(0.0)));
    }
    let launches: Vec<&[Placed]> = differences.iter().map(Vec::as_slice).collect();
    if launches.is_empty() { Ok(0.0) } else { Ok(Launches::of(&launches, alpha)?.ln_e_across) }
}
