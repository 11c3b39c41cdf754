//! How strong is the evidence against one hypothetical effect, after every round?
//!
//! The e-process E_n(τ): for r_i = d_i - τ with sign s_i, the average over scores and bets λ of
//! exp(Σ λ·s_i·w_i - ln cosh(λ·w_i)), see [`super::score`]. If τ is the effect, each factor has expectation 1
//! given the magnitudes, so E is a non-negative martingale that starts at 1, and by Ville's inequality
//! (J. Ville, 1939) P(E_n ever reaches 1/α) ≤ α. You may look after every round, stop when you like and go on
//! tomorrow. Rounds with r_i = 0 say nothing and are skipped.
//!
//! A push costs O(log n) amortised, an e-value at most some 54 exponentials.
//!
//! Tests: `tests/e_process.rs`, calibration.

use super::effect::{self, LogRatio};
use super::reference::{Reference, Snapshots};
use super::score::{Mixture, Stakes};
use crate::error::InputError;

/// The evidence against one hypothetical effect, round by round.
#[derive(Debug, Clone)]
pub struct EProcess {
    hypothesis: f64,
    stakes: Stakes,
    reference: Reference,
    snapshots: Snapshots,
    block: Vec<f64>,
    rounds: usize,
}

impl EProcess {
    /// Evidence against "the arms do not differ".
    pub fn of_no_difference() -> Self {
        Self::against(LogRatio(0.0), &Mixture::rounds())
    }

    /// Evidence against the hypothetical effect, with a chosen mixture of scores.
    pub fn against(hypothesis: LogRatio, mixture: &Mixture) -> Self {
        Self {
            hypothesis: hypothesis.0,
            stakes: Stakes::new(mixture.table()),
            reference: Reference::default(),
            snapshots: Snapshots::default(),
            block: Vec::new(),
            rounds: 0,
        }
    }

    /// Adds the effect of the next round.
    ///
    /// # Errors
    /// The effect is one that two times can have ([`effect::LARGEST`]); otherwise nothing was added.
    pub fn push(&mut self, difference: LogRatio) -> Result<(), InputError> {
        effect::plausible(difference)?;
        let rest = difference.0 - self.hypothesis;
        if rest != 0.0 {
            self.stakes.add(self.reference.level(self.hypothesis, difference.0), rest > 0.0);
        }
        self.rounds += 1;
        self.block.push(difference.0);
        if self.block.len() >= self.snapshots.block_size() {
            self.close_block();
        }
        Ok(())
    }

    fn close_block(&mut self) {
        self.block.sort_unstable_by(f64::total_cmp);
        self.reference = self.snapshots.take_in(&self.block);
        self.block.clear();
    }

    /// Rounds so far, ties included.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Natural logarithm of the e-value: 0 says nothing, ln(100) = 4.6 is enough for α = 1 %.
    pub fn ln_e_value(&self) -> f64 {
        self.stakes.ln_e_value()
    }

    /// The e-value; infinite evidence is cut at the largest double.
    pub fn e_value(&self) -> f64 {
        self.ln_e_value().exp().min(f64::MAX)
    }

    /// Whether the hypothesis is refuted at error rate `alpha`.
    pub fn refutes(&self, alpha: f64) -> bool {
        self.ln_e_value() >= -alpha.ln()
    }

    /// Whether the evidence says that the effect is above the hypothesis (candidate slower than it).
    pub fn leans_slower(&self) -> bool {
        self.stakes.lean() > 0.0
    }
}
