//! Who goes first? The coin, from a recorded seed.
//!
//! Every round has its own uniform permutation of a group's arms, and so has every start of a launch. An order depends
//! on nothing but the seed, the group, the launch and the round, so a trial can be resumed, and anyone can toss the
//! same coins again. The same seed gives the same orders on every platform and in every later version: this file is a
//! contract, with test vectors from an independent program.
//!
//! The coins of `(seed, stream, group, launch, round)`: mix the five numbers one after the other,
//! `state = finish(state + (number + 1) · 0x9e3779b97f4a7c15)` with the finish of SplitMix64, starting from `state = 0`,
//! all modulo 2^64. Streams: 1 the order of a round, 2 the order of the starts of a launch (round 0), 3 the payload of a
//! round, which is the generator's first output. Seed the generator xoshiro256++ from the outcome (its authors' rule:
//! four outputs of SplitMix64, <https://prng.di.unimi.it/>), then shuffle by Fisher and Yates from the last arm down:
//! for `i = n − 1, …, 1` swap the places `i` and `j`, where `j` in `0..=i` is the upper half of the 128-bit product of a
//! draw with `i + 1`, redrawn while the lower half is below `2^64 mod (i + 1)` (Lemire 2019, *Fast random integer
//! generation in an interval*, <https://arxiv.org/abs/1805.10941>), which leaves no bias.
//!
//! Separate groups and launches have separate coins, so their e-values may be multiplied.
//!
//! Tests: `tests/schedule.rs`, and here for the draw that is drawn again; the vectors are made by `scripts/schedule_vectors.py`.

use crate::{ArmId, LaunchId, RoundId, TrialError};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What the coins are made from. Written as 16 hexadecimal digits, because JSON readers round large integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Seed {
    type Err = TrialError;

    /// Reads 1 to 16 hexadecimal digits, no sign and no `0x`.
    fn from_str(text: &str) -> Result<Self, TrialError> {
        let digits = (1..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u64::from_str_radix(text, 16) {
            Ok(number) if digits => Ok(Self(number)),
            _ => Err(TrialError(format!(
                "a seed is 1 to 16 hexadecimal digits, not \"{}\"",
                text.escape_debug()
            ))),
        }
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// All coins of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// What the coins are made from.
    pub seed: Seed,
}

/// What a coin decides. The numbers are part of the contract.
#[derive(Clone, Copy)]
enum Stream {
    Rounds = 1,
    Launches = 2,
    Payload = 3,
}

impl Schedule {
    /// The schedule of a seed.
    pub fn new(seed: Seed) -> Self {
        Self { seed }
    }

    /// In which order the arms of a group run in a round.
    pub fn round(&self, group: u32, arms: &[ArmId], launch: LaunchId, round: RoundId) -> Vec<ArmId> {
        shuffled(arms, &mut self.coins(Stream::Rounds, group, launch, round))
    }

    /// In which order the arms of a group are started for a launch.
    pub fn launch(&self, group: u32, arms: &[ArmId], launch: LaunchId) -> Vec<ArmId> {
        shuffled(arms, &mut self.coins(Stream::Launches, group, launch, RoundId(0)))
    }

    /// The seed of a round's payload: the same for all its arms, another in every round.
    pub fn payload(&self, group: u32, launch: LaunchId, round: RoundId) -> Seed {
        Seed(self.coins(Stream::Payload, group, launch, round).next_u64())
    }

    fn coins(&self, stream: Stream, group: u32, launch: LaunchId, round: RoundId) -> Xoshiro256PlusPlus {
        let numbers = [self.seed.0, stream as u64, u64::from(group), u64::from(launch.0), round.0];
        Xoshiro256PlusPlus::seed_from_u64(numbers.into_iter().fold(0, mixed))
    }
}

/// One step of SplitMix64 (Steele, Lea and Flood 2014) with a number folded in.
fn mixed(state: u64, number: u64) -> u64 {
    let mut z = state.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn shuffled(arms: &[ArmId], coins: &mut impl Rng) -> Vec<ArmId> {
    let mut order = arms.to_vec();
    for last in (1..order.len()).rev() {
        order.swap(last, below(last as u64 + 1, coins) as usize);
    }
    order
}

/// A uniform draw from `0..bound`.
fn below(bound: u64, coins: &mut impl Rng) -> u64 {
    let unfair = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(coins.next_u64()) * u128::from(bound);
        if product as u64 >= unfair {
            return (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::TryRng;
    use std::convert::Infallible;

    /// Hands out the listed draws.
    struct Listed(std::vec::IntoIter<u64>);

    impl TryRng for Listed {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("the coin draws 64 bits at a time")
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.next().unwrap())
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            unreachable!("the coin draws 64 bits at a time")
        }
    }

    #[test]
    fn a_draw_from_the_uneven_rest_is_drawn_again() {
        // 2^64 mod 3 = 1: the draw 0 has the lower half 0, which is below it.
        let mut coins = Listed(vec![0, u64::MAX].into_iter());
        assert_eq!(below(3, &mut coins), 2);
        assert_eq!(coins.0.len(), 0);
        // The lower half 1 of the draw 0xaaaa…ab is not below it: the last third begins there.
        let mut coins = Listed(vec![0xaaaa_aaaa_aaaa_aaab].into_iter());
        assert_eq!(below(3, &mut coins), 2);
        // 2^64 mod 4 = 0: nothing is uneven.
        let mut coins = Listed(vec![0].into_iter());
        assert_eq!(below(4, &mut coins), 0);
    }

    #[test]
    fn a_wide_range_has_no_bias_either() {
        // A remainder would hit the first third of 3 · 2^62 places twice as often as the others.
        let mut coins = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut counts = [0_u32; 3];
        (0..30_000).for_each(|_| counts[(below(3 << 62, &mut coins) >> 62) as usize] += 1);
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }
}
