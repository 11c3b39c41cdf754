//! Trials with a planted truth, from a seed.

use super::read::{Analysis, Comparison, Level, analyse};
use evenhand_analysis::Settings;
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, RoundId, Sample, Schedule, Seed, Series, Trial, TrialId, Unit,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws from a seed.
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 0 to 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Twelve uniform draws less six: normal enough.
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// Times around `typical` with the given relative noise.
    pub(crate) fn times(&mut self, count: usize, typical: f64, noise: f64) -> Vec<f64> {
        (0..count).map(|_| typical * (noise * self.normal()).exp()).collect()
    }
}

/// A measured trial by wall time in nanoseconds with these arms, nothing measured yet.
pub(crate) fn trial(arms: &[&str]) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(7), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(7)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.arms = arms.iter().map(|name| Arm { name: (*name).to_owned(), ..Arm::default() }).collect();
    trial
}

/// Adds the samples of an arm in a launch, one a round.
pub(crate) fn add(trial: &mut Trial, arm: u32, launch: u32, values: &[f64]) {
    let mut series = Series::new(ArmId(arm), LaunchId(launch), trial.metrics.len());
    series.values[0] = values.to_vec();
    trial.series.push(series);
}

/// Adds the samples of an arm in chosen rounds.
pub(crate) fn add_rounds(trial: &mut Trial, arm: u32, launch: u32, samples: &[(u64, f64)]) {
    let mut series = Series::new(ArmId(arm), LaunchId(launch), trial.metrics.len());
    for &(round, value) in samples {
        let round = RoundId(round);
        series.push(Sample { round, position: None, started: None, iterations: 1, values: &[value] });
    }
    trial.series.push(series);
}

/// Two arms in rounds that share the machine's moods; `effect` 0.05: new takes 5 % more.
pub(crate) fn pair(rounds: usize, effect: f64, noise: f64, seed: u64) -> Trial {
    let mut draws = Draws::new(seed);
    let mood = draws.times(rounds, 1e6, 0.05);
    let mut arm = |factor: f64| -> Vec<f64> {
        mood.iter().map(|mood| mood * factor * (noise * draws.normal()).exp()).collect()
    };
    let (old, new) = (arm(1.0), arm(1.0 + effect));
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &old);
    add(&mut trial, 1, 0, &new);
    trial
}

/// The same in launches, each of which draws its own luck.
pub(crate) fn launches(count: u32, rounds: usize, effect: f64, luck: f64, seed: u64) -> Trial {
    let mut draws = Draws::new(seed);
    let mut trial = trial(&["old", "new"]);
    for launch in 0..count {
        let lucky = (luck * draws.normal()).exp();
        let (old, new) =
            (draws.times(rounds, 1e6, 0.005), draws.times(rounds, 1e6 * (1.0 + effect) * lucky, 0.005));
        add(&mut trial, 0, launch, &old);
        add(&mut trial, 1, launch, &new);
    }
    trial
}

/// Two imported series, one launch each.
pub(crate) fn imported(old: &[f64], new: &[f64]) -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.schedule = None;
    trial.origin =
        Origin::Imported { format: "columns".to_owned(), tool: None, file: "times.csv".to_owned() };
    add(&mut trial, 0, 0, old);
    add(&mut trial, 1, 0, new);
    trial
}

/// A trial in which each number is mapped.
pub(crate) fn mapped(mut trial: Trial, map: impl Fn(f64) -> f64) -> Trial {
    trial
        .series
        .iter_mut()
        .flat_map(|series| &mut series.values)
        .flatten()
        .for_each(|value| *value = map(*value));
    trial
}

pub(crate) fn by_default(trial: &Trial) -> Analysis {
    trial.check().unwrap();
    analyse(trial, &Settings::default()).unwrap()
}

/// The only comparison of a trial.
pub(crate) fn only(trial: &Trial, settings: &Settings) -> Comparison {
    trial.check().unwrap();
    let mut comparisons = analyse(trial, settings).unwrap().comparisons;
    assert_eq!(comparisons.len(), 1);
    comparisons.remove(0)
}

pub(crate) fn compared(trial: &Trial) -> Comparison {
    only(trial, &Settings::default())
}

pub(crate) fn margin(percent: f64) -> Settings {
    Settings { margin_percent: percent, ..Settings::default() }
}

pub(crate) fn level(trial: &Trial, arm: &str) -> Level {
    by_default(trial).levels.into_iter().find(|level| level.arm == arm).unwrap()
}
