//! Which coins does a verdict count? Those of rounds, or of launches, with what both arms cost under each.
//!
//! Tests: `tests/analysis/paired.rs`.

use super::question::Question;
use super::study::SharedRounds;
use evenhand_stats::InputError;
use evenhand_stats::randomised::launches::FEWEST_ROUNDS;
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{ConfidenceSequence, differences};

/// The coins that the verdict counts: of rounds, or of launches.
pub(super) struct Coins<'a> {
    pub launches: Vec<&'a SharedRounds>,
    pub over_launches: bool,
}

impl<'a> Coins<'a> {
    pub(super) fn of(launches: &'a [SharedRounds]) -> Self {
        let rounds_count = rounds_count_alone(launches.iter().map(|rounds| rounds.baseline.len()));
        let counts = |rounds: &&SharedRounds| rounds_count || rounds.baseline.len() >= FEWEST_ROUNDS;
        let launches: Vec<&SharedRounds> = launches.iter().filter(counts).collect();
        Self { over_launches: !rounds_count && launches.len() > 1, launches }
    }

    /// The rounds, or the launches, before the first in which an arm cost nothing.
    pub(super) fn before_zero(&self) -> Vec<SharedRounds> {
        let mut before = Vec::new();
        for rounds in &self.launches {
            let first = rounds.before_zero();
            let is_whole = first == rounds.baseline.len();
            if first > 0 && (is_whole || !self.over_launches) {
                before.push(rounds.first(first));
            }
            if !is_whole {
                break;
            }
        }
        before
    }

    /// The rounds that count.
    pub(super) fn rounds(&self) -> usize {
        self.launches.iter().map(|rounds| rounds.baseline.len()).sum()
    }

    /// What an arm costs in them on average.
    pub(super) fn mean(&self, of: impl Fn(&SharedRounds) -> &Vec<f64>) -> f64 {
        self.launches.iter().flat_map(|rounds| of(rounds)).sum::<f64>() / self.rounds() as f64
    }

    /// What is behind each of them: the cost of the better and of the worse arm, if the candidate is worse.
    pub(super) fn costs(&self, question: &Question<'_>) -> impl Iterator<Item = [&'a [f64]; 2]> {
        self.launches.iter().flat_map(|rounds| {
            let (better, worse) = question.worse_is_positive(&rounds.baseline, &rounds.candidate);
            let size = if self.over_launches { better.len() } else { 1 };
            better.chunks(size).zip(worse.chunks(size)).map(|(better, worse)| [better, worse])
        })
    }
}

/// The differences of each launch, with the places of both arms, unless a ratio is not defined.
pub(super) fn launch_differences(
    question: &Question<'_>,
    launches: &[SharedRounds],
) -> Result<Vec<Vec<Placed>>, InputError> {
    let of_launch = |launch: &SharedRounds| {
        let (better, worse) = question.worse_is_positive(&launch.baseline, &launch.candidate);
        let placed = |(difference, places): (f64, &_)| Placed { difference, places: *places };
        Ok(differences(better, worse)?.into_iter().zip(&launch.places).map(placed).collect())
    };
    launches.iter().map(of_launch).collect()
}

/// The sequence over rounds, each less what the rounds before it say of its places.
pub(super) fn over_rounds_of(rounds: &[Placed], alpha: f64) -> Result<ConfidenceSequence, InputError> {
    ConfidenceSequence::of(&adjusted(rounds), alpha, Mixture::rounds())
}

pub(super) fn adjusted(rounds: &[Placed]) -> Vec<f64> {
    let mut position = Position::default();
    rounds.iter().map(|round| position.round(*round)).collect()
}

/// Whether each round draws its luck anew: all are of one launch, or each is a launch of its own.
pub(super) fn rounds_count_alone(mut rounds_of_launches: impl ExactSizeIterator<Item = usize>) -> bool {
    rounds_of_launches.len() == 1 || rounds_of_launches.all(|rounds| rounds == 1)
}

/// How many rounds these launches have.
pub(super) fn rounds_of(launches: &[SharedRounds]) -> usize {
    launches.iter().map(|launch| launch.baseline.len()).sum()
}
