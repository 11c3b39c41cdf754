//! Bets on scores that are differences: of two costs, or of how many exceed a threshold. Large differences count for more than
//! small ones, which ranks would not let them.
//!
//! A score is taken over its usual size in the rounds before, the root of the mean of its squares, and cut off at ±4. Only its sign
//! depends on the coin, so every bet multiplies what is staked by 1 on average if the arms are the same.
//!
//! Tests: `tests/mean_and_tails.rs`, `tests/at.rs`.

/// Bets on a score, in equal shares; each wins and loses `tanh` of itself times the score.
const BETS: [f64; 5] = [1.0, 0.3, 0.1, 0.03, 0.01];
/// A score counts at most so many times its usual size.
const LARGEST: f64 = 4.0;
/// With fewer samples before it a round has no threshold.
const FEWEST: usize = 40;

/// So many factors are multiplied before their logarithm is taken.
const AT_ONCE: u32 = 16;

/// Bets that a score is above 0.
#[derive(Debug, Clone)]
pub(super) struct Bets {
    /// What each bet won, as a logarithm,
    ln_won: [f64; BETS.len()],
    /// and since then.
    won: [f64; BETS.len()],
    open: u32,
    /// Scores that were not 0, and the sum of their squares.
    scores: f64,
    squares: f64,
}

impl Default for Bets {
    fn default() -> Self {
        Self { ln_won: [0.0; BETS.len()], won: [1.0; BETS.len()], open: 0, scores: 0.0, squares: 0.0 }
    }
}

impl Bets {
    pub(super) fn push(&mut self, score: f64) {
        let won = self.wins(score);
        self.take_in(score, won);
    }

    /// The same score for the bets that it is above 0 and those that it is below: what the ones win the others lose.
    pub(super) fn push_both([above, below]: &mut [Self; 2], score: f64) {
        let won = above.wins(score);
        above.take_in(score, won);
        below.take_in(-score, won.map(|won| -won));
    }

    /// What each bet wins by a score, as a part of what is staked.
    fn wins(&self, score: f64) -> [f64; BETS.len()] {
        let usual = if self.scores > 0.0 { (self.squares / self.scores).sqrt() } else { score.abs() };
        let stake = if score == 0.0 { 0.0 } else { (score / usual).clamp(-LARGEST, LARGEST) };
        // exp(λx) / cosh(λx) = 1 + tanh(λx)
        BETS.map(|bet| (bet * stake).tanh())
    }

    fn take_in(&mut self, score: f64, wins: [f64; BETS.len()]) {
        if score == 0.0 {
            return;
        }
        self.scores += 1.0;
        self.squares += score * score;
        for (won, win) in self.won.iter_mut().zip(wins) {
            *won *= 1.0 + win;
        }
        self.open += 1;
        if self.open == AT_ONCE {
            self.ln_won
                .iter_mut()
                .zip(&mut self.won)
                .for_each(|(ln, won)| *ln += std::mem::replace(won, 1.0).ln());
            self.open = 0;
        }
    }

    pub(super) fn ln_e_value(&self) -> f64 {
        let each = self.ln_won.iter().zip(&self.won).map(|(ln, won)| ln + won.ln());
        let largest = each.clone().fold(f64::NEG_INFINITY, f64::max);
        largest + (each.map(|ln| (ln - largest).exp()).sum::<f64>() / BETS.len() as f64).ln()
    }
}

/// Percentiles of all samples before, taken again whenever there are twice as many.
#[derive(Debug, Clone)]
pub(super) struct Thresholds<const N: usize> {
    percents: [f64; N],
    pub(super) now: Option<[f64; N]>,
    costs_so_far: Vec<f64>,
    renew: usize,
}

impl<const N: usize> Thresholds<N> {
    pub(super) fn of(percents: [f64; N]) -> Self {
        Self { percents, now: None, costs_so_far: Vec::new(), renew: FEWEST }
    }

    pub(super) fn take_in(&mut self, costs: impl Iterator<Item = f64>) {
        self.costs_so_far.extend(costs);
        if self.costs_so_far.len() >= self.renew {
            self.now = Some(self.percents.map(|percent| percentile(&mut self.costs_so_far, percent)));
            self.renew = 2 * self.costs_so_far.len();
        }
    }
}

/// The sample at a percentile, of at least one; they change their order.
pub(super) fn percentile(samples: &mut [f64], percent: f64) -> f64 {
    let place = (percent / 100.0 * (samples.len() - 1) as f64).round() as usize;
    *samples.select_nth_unstable_by(place, f64::total_cmp).1
}

/// The part of the values above a threshold.
pub(super) fn above(values: &[f64], threshold: f64) -> f64 {
    values.iter().filter(|value| **value > threshold).count() as f64 / values.len() as f64
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
