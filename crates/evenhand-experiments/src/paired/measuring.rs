//! How are rounds and blocks measured? One call at a time, between two readings of the clock.
//!
//! *The text* is ours: as many characters as the article's page, most of them of one byte, one in twenty of three. Both functions get the
//! same window of it, another one each round.
//!
//! *Load*: one busy process for each processor.

use super::counters::{Counter, std, std_4925, std_5000, std_count, std_count_rev};
use crate::Size;
use crate::load::Hogs;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::thread::available_parallelism;
use std::time::Instant;

/// Characters of the text.
const CHARACTERS: usize = 527_266;
/// And of a window.
const WINDOW: usize = 10_000;
/// The comparisons, as they are named in `mod.rs`.
const COUNTERS: [[Counter; 2]; 6] = [
    [std, std],
    [std_count, std_count],
    [std_count_rev, std_count_rev],
    [std_5000, std_4925],
    [std_count, std_count_rev],
    [std, std_count],
];

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Rounds of each comparison.
    pub rounds: usize,
    /// Runs of one function before the other has its turn, where they are measured one after the other.
    pub block: usize,
    /// So many pairs of blocks.
    pub blocks: usize,
    /// Processes beside it, for the second table; none: no second table.
    pub hogs: usize,
}

impl Extent {
    /// The article has 50,000 rounds.
    pub fn of(size: Size) -> Self {
        let hogs = available_parallelism().map_or(1, usize::from);
        match size {
            Size::Tiny => Self { rounds: 200, block: 50, blocks: 4, hogs: 0 },
            Size::Usual | Size::Whole => Self { rounds: 50_000, block: 20_000, blocks: 8, hogs },
        }
    }

    pub(super) fn hogs_in_words(self) -> String {
        if self.hogs == 1 { "a process".to_owned() } else { format!("{} processes", self.hogs) }
    }
}

/// The times of one comparison in nanoseconds, round by round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rounds {
    pub baseline: Vec<f64>,
    /// Of the candidate in the same rounds.
    pub candidate: Vec<f64>,
}

/// Times of `std_5000` and of `std_4925`, measured one after the other: in every second pair of blocks the second one first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Blocks(pub Vec<[Vec<f64>; 2]>);

/// All that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    pub plan: Extent,
    pub quiet: Vec<Rounds>,
    /// Each comparison beside others.
    pub loaded: Vec<Rounds>,
    /// Without pairs.
    pub blocks: Blocks,
}

/// Does all of it. `tell` hears how far it is.
pub fn measure(plan: Extent, tell: &mut dyn FnMut(&str)) -> Measurements {
    let text = Text::new(42);
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(42);
    let mut all = || COUNTERS.iter().map(|pair| rounds(*pair, plan.rounds, &text, &mut draws)).collect();
    tell("six comparisons");
    let quiet = all();
    let hogs = Hogs::start(plan.hogs);
    let loaded = if hogs.count() == 0 {
        Vec::new()
    } else {
        tell("six comparisons on a busy machine");
        all()
    };
    drop(hogs);
    tell("one function after the other");
    let blocks = blocks(plan, &text, &mut draws);
    Measurements { plan, quiet, loaded, blocks }
}

fn rounds(pair: [Counter; 2], count: usize, text: &Text, draws: &mut Xoshiro256PlusPlus) -> Rounds {
    let mut rounds = Rounds::default();
    for _ in 0..count {
        let window = text.window(draws);
        let candidate_first = draws.next_u64() >> 63 == 1;
        let order = if candidate_first { [1, 0] } else { [0, 1] };
        let mut times = [0.0; 2];
        for arm in order {
            times[arm] = timed(pair[arm], window);
        }
        rounds.baseline.push(times[0]);
        rounds.candidate.push(times[1]);
    }
    rounds
}

fn blocks(plan: Extent, text: &Text, draws: &mut Xoshiro256PlusPlus) -> Blocks {
    let counters: [Counter; 2] = [std_5000, std_4925];
    let pair = |number: usize| {
        let mut times = [Vec::new(), Vec::new()];
        let order = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        for arm in order {
            times[arm] = (0..plan.block).map(|_| timed(counters[arm], text.window(draws))).collect();
        }
        times
    };
    Blocks((0..plan.blocks).map(pair).collect())
}

fn timed(counter: Counter, window: &str) -> f64 {
    let began = Instant::now();
    black_box(counter(black_box(window)));
    began.elapsed().as_secs_f64() * 1e9
}

/// A text, and where each of its characters begins.
struct Text {
    text: String,
    begins: Vec<u32>,
}

impl Text {
    fn new(seed: u64) -> Self {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut text, mut begins) = (String::new(), Vec::new());
        for _ in 0..CHARACTERS {
            begins.push(text.len() as u32);
            let draw = draws.next_u64();
            text.push(if draw.is_multiple_of(20) {
                // Han characters.
                char::from_u32(0x4e00 + (draw >> 32) as u32 % 0x5000).unwrap_or('一')
            } else {
                char::from(b' ' + (draw >> 32) as u8 % 95)
            });
        }
        begins.push(text.len() as u32);
        Self { text, begins }
    }

    fn window(&self, draws: &mut Xoshiro256PlusPlus) -> &str {
        let begin = draws.next_u64() as usize % (CHARACTERS - WINDOW);
        &self.text[self.begins[begin] as usize..self.begins[begin + WINDOW] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_count_the_characters_of_a_window() {
        let text = Text::new(1);
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..20 {
            let window = text.window(&mut draws);
            let counts = COUNTERS.as_flattened().iter().map(|counter| counter(window)).collect::<Vec<_>>();
            assert_eq!(
                counts,
                [10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 5000, 4925, 10_000, 10_000, 10_000, 10_000]
            );
        }
        let share = text.text.len() as f64 / CHARACTERS as f64;
        assert!((1.09..1.11).contains(&share), "{share} bytes a character");
    }
}
