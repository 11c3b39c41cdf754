//! How are the delays measured? In rounds whose order a coin decides, over several launches; then again in batches, each of them as long
//! as half a second.
//!
//! A launch is a pass with other luck of the delays. It is no new process: a sleep has no layout.

use crate::Size;
use crate::trial::blank;
use evenhand_trial::{Arm, ArmId, LaunchId, RoundId, Sample, Series, Trial, Unit};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The three functions.
pub(super) const NAMES: [&str; 3] = ["ConstantDelays", "RandomDelays", "RareDelays"];
const ARMS: [ArmId; 3] = [ArmId(0), ArmId(1), ArmId(2)];

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Passes.
    pub launches: u32,
    /// Rounds of single calls in each.
    pub rounds: u64,
    /// Rounds of batches in each.
    pub batches: u64,
    /// How long a batch takes, about.
    pub batch: Duration,
    /// A "millisecond" of the article takes so long here.
    pub unit: Duration,
}

impl Extent {
    /// As the article: 4 launches of 20 calls, then of 5 batches of half a second.
    pub fn of(size: Size) -> Self {
        let article = Self {
            launches: 4,
            rounds: 20,
            batches: 5,
            batch: Duration::from_millis(500),
            unit: Duration::from_millis(1),
        };
        match size {
            Size::Tiny => Self {
                batches: 2,
                batch: Duration::from_millis(20),
                unit: Duration::from_micros(50),
                ..article
            },
            Size::Usual | Size::Whole => article,
        }
    }
}

/// All that was measured: a trial of single calls, and one of batches.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    pub plan: Extent,
    /// A sample is a call.
    pub calls: Trial,
    /// A sample is a batch.
    pub batches: Trial,
}

/// Does all of it. `tell` hears how far it is.
pub fn measure(plan: Extent, tell: &mut dyn FnMut(&str)) -> Measurements {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(1);
    tell("single calls");
    let calls = trial(plan, plan.rounds, |_| 1, &mut draws);
    tell("batches of half a second");
    let calls_of_batch = |arm: ArmId| {
        let typical = plan.unit * [20, 20, 15][arm.index()];
        (plan.batch.as_secs_f64() / typical.as_secs_f64()).round().max(2.0) as u64
    };
    let batches = trial(plan, plan.batches, calls_of_batch, &mut draws);
    Measurements { plan, calls, batches }
}

fn trial(plan: Extent, rounds: u64, calls: impl Fn(ArmId) -> u64, draws: &mut Xoshiro256PlusPlus) -> Trial {
    let mut trial = empty();
    let Some(schedule) = trial.schedule else { return trial };
    for launch in (0..plan.launches).map(LaunchId) {
        let mut series = ARMS.map(|arm| Series::new(arm, launch, 1));
        for round in (0..rounds).map(RoundId) {
            for (position, arm) in (0..).zip(schedule.round(0, &ARMS, launch, round)) {
                let iterations = calls(arm);
                let began = Instant::now();
                (0..iterations).for_each(|_| sleep(plan.unit * delay(arm, draws)));
                let value = began.elapsed().as_secs_f64() * 1e9;
                let position = Some(position);
                series[arm.index()].push(Sample {
                    round,
                    position,
                    started: None,
                    iterations,
                    values: &[value],
                });
            }
        }
        trial.series.extend(series);
    }
    trial
}

/// With no sample yet.
fn empty() -> Trial {
    let mut trial = blank(Unit::nanoseconds(), true);
    trial.arms = NAMES.map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    trial
}

/// In milliseconds of the article: always 20; 10 to 29; 10, but 40 in three of twenty calls.
fn delay(arm: ArmId, draws: &mut Xoshiro256PlusPlus) -> u32 {
    match arm.index() {
        0 => 20,
        1 => 10 + (draws.next_u64() % 20) as u32,
        _ if draws.next_u64() % 20 >= 17 => 40,
        _ => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delays_are_those_of_the_article() {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut of = |arm| -> Vec<u32> { (0..20_000).map(|_| delay(ARMS[arm], &mut draws)).collect() };
        assert!(of(0).iter().all(|delay| *delay == 20));
        let random = of(1);
        assert_eq!((random.iter().min(), random.iter().max()), (Some(&10), Some(&29)));
        let rare = of(2);
        let slow = rare.iter().filter(|delay| **delay == 40).count();
        assert!((2800..3200).contains(&slow) && rare.iter().all(|delay| [10, 40].contains(delay)), "{slow}");
    }
}
