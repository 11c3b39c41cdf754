//! How is one run done? A cycle that leads once through all words of an array, by Sattolo's algorithm (1986), and several walks along it
//! that begin equally far apart.
//!
//! Each load waits for the one before it in its lane; loads of different lanes are in flight together. The lanes of one run are a
//! constant, so that the compiler keeps where each lane is in a register or on the stack and adds nothing else to a step.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::hint::black_box;

/// An array whose every word says which one follows.
pub(super) struct Cycle {
    next: Vec<u64>,
    /// For each number of lanes, where they begin.
    begins: BTreeMap<usize, Vec<u64>>,
}

impl Cycle {
    pub(super) fn new(words: usize, seed: u64, lanes: &[usize]) -> Self {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut next: Vec<u64> = (0..words as u64).collect();
        for place in 0..words.saturating_sub(1) {
            let behind = (words - place - 1) as u64;
            next.swap(place, place + 1 + (draws.next_u64() % behind) as usize);
        }
        let begins = begins(&next, lanes);
        Self { next, begins }
    }

    /// Walks all lanes, so many loads together, and answers where they came to.
    pub(super) fn run(&self, lanes: usize, loads: usize) -> usize {
        let Some(begins) = self.begins.get(&lanes) else { return 0 };
        macro_rules! of_constant {
            ($($count:literal)*) => {
                match lanes {
                    $($count => self.walk::<$count>(begins, loads / $count),)*
                    _ => 0,
                }
            };
        }
        of_constant!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32 33 34 35 36 37 38 39 40)
    }

    fn walk<const LANES: usize>(&self, begins: &[u64], steps: usize) -> usize {
        let mut at = [0_u64; LANES];
        at.copy_from_slice(begins);
        for _ in 0..steps {
            for lane in &mut at {
                *lane = self.next[*lane as usize];
            }
        }
        at.iter().fold(0, |all, lane| all ^ *lane as usize)
    }
}

/// Lane m of L begins m·⌊n/L⌋ steps along the cycle.
fn begins(next: &[u64], lanes: &[usize]) -> BTreeMap<usize, Vec<u64>> {
    let wanted = |count: usize| (0..count).map(move |lane| lane * (next.len() / count));
    let mut places: BTreeMap<usize, u64> =
        lanes.iter().flat_map(|count| wanted(*count)).map(|step| (step, 0)).collect();
    let (mut at, mut step) = (0, 0);
    for (wanted, place) in &mut places {
        while step < *wanted {
            at = next[at as usize];
            step += 1;
        }
        *place = at;
    }
    let begin = |step: usize| places.get(&step).copied().unwrap_or(0);
    lanes.iter().map(|count| (*count, wanted(*count).map(begin).collect())).collect()
}

/// Steps that wait for each other and touch no memory.
pub(super) fn compute(steps: u64) -> usize {
    let mut state = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..steps {
        state = (state ^ (state >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    state as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cycle_leads_through_all_words() {
        for words in [2, 3, 10, 1000] {
            let cycle = Cycle::new(words, 7, &[1]);
            let (mut at, mut visited) = (0, vec![false; words]);
            for _ in 0..words {
                assert!(!visited[at], "{words} words: {at} comes twice");
                visited[at] = true;
                at = cycle.next[at] as usize;
            }
            assert_eq!(at, 0, "and back to the beginning");
        }
    }

    #[test]
    fn lanes_are_equally_far_apart_and_arrive_where_the_next_began() {
        let cycle = Cycle::new(1000, 7, &[4]);
        let begins = &cycle.begins[&4];
        for lane in 0..3 {
            let mut at = begins[lane];
            for _ in 0..250 {
                at = cycle.next[at as usize];
            }
            assert_eq!(at, begins[lane + 1]);
        }
        // After a quarter of the cycle all lanes together are where they began, only turned around by one.
        let together = begins.iter().fold(0, |all, at| all ^ *at as usize);
        assert_eq!(cycle.run(4, 1000), together);
    }

    #[test]
    fn every_number_of_lanes_is_walked() {
        let all: Vec<usize> = (1..=40).collect();
        let cycle = Cycle::new(5000, 7, &all);
        for lanes in all {
            let straight = cycle.begins[&lanes].iter().fold(0, |all, begin| {
                let end = (0..60 / lanes).fold(*begin, |at, _| cycle.next[at as usize]);
                all ^ end as usize
            });
            assert_eq!(cycle.run(lanes, 60), straight, "{lanes} lanes");
        }
    }
}
