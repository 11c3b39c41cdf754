//! What does luck look like that is normally distributed? Normal draws with mean 0 and standard deviation 1, from a seed.
//!
//! Of two uniform draws u and v, `√(−2·ln u)·cos 2πv` and `√(−2·ln u)·sin 2πv` are normal, and independent of each other: Box and
//! Muller, "A Note on the Generation of Random Normal Deviates" (1958).
//!
//! Tests: `tests/log_normal.rs`, against an independent program.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) struct Normal {
    draws: Xoshiro256PlusPlus,
    other: Option<f64>,
}

impl Normal {
    pub(crate) fn new(seed: u64) -> Self {
        Self { draws: Xoshiro256PlusPlus::seed_from_u64(seed), other: None }
    }

    pub(crate) fn draw(&mut self) -> f64 {
        if let Some(other) = self.other.take() {
            return other;
        }
        let far = (-2.0 * self.uniform().ln()).sqrt();
        let angle = std::f64::consts::TAU * self.uniform();
        self.other = Some(far * angle.sin());
        far * angle.cos()
    }

    /// Above 0, up to 1.
    fn uniform(&mut self) -> f64 {
        ((self.draws.next_u64() >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
    }
}
