//! How often do signs call equal services different, and after how many slices do they find errors? Through the whole analysis, as
//! `evenhand analyze` prints it, with a look after each of the first 20 rounds and then ever less often.
//!
//! `calibration part signs` prints these tables; they are not rows of RESULTS.md, as the sources there have no zeros.

use crate::source::{Random, random, uniform};
use evenhand_analysis::{Settings, analyse};
use evenhand_stats::InputError;
use evenhand_stats::randomised::signs::Signs;
use evenhand_stats::randomised::{EProcess, LogRatio, Word};
use evenhand_trial::{Arm, ArmId, LaunchId, Metric, Origin, Schedule, Seed, Series, Trial, TrialId, Unit};

/// Draws how many requests of a slice fail, in the round of this number.
type Draw = fn(&mut Random, usize) -> f64;

/// Equal services.
const EQUAL: [(&str, Draw); 6] = [
    ("0.1 error a slice, most rounds are ties", |random, _| poisson(random, 0.1)),
    ("2 errors a slice", |random, _| poisson(random, 2.0)),
    ("8 errors a slice, a zero is rare", |random, _| poisson(random, 8.0)),
    ("some slices fail altogether", |random, _| if uniform(random) < 0.1 { 2000.0 } else { 0.0 }),
    (
        "bursts with a heavy tail",
        |random, _| if uniform(random) < 0.3 { (0.5 / uniform(random)).floor() } else { 0.0 },
    ),
    ("from no error to 10 a slice", |random, round| poisson(random, 0.1 * round as f64)),
];
/// Errors of the baseline and of the candidate in 2,000 requests.
const CHANGES: [[f64; 2]; 6] = [[0.0, 0.2], [0.0, 0.5], [0.0, 2.0], [0.0, 10.0], [0.5, 2.0], [2.0, 4.0]];
const ROUNDS: usize = 100;
/// A look comes after so many times the rounds of the last one.
const NEXT_LOOK: f64 = 1.12;
const REQUESTS: f64 = 2000.0;

pub fn tables(printed: u64, alone: u64) -> Result<String, String> {
    let mut text = format!(
        "| equal services, 95 % | printed, {printed} draws | evidence alone, a look after every round, {alone} draws |\n|---|---|---|\n"
    );
    for (name, draw) in &EQUAL {
        let words = decided(printed, 0.95, [draw, draw])?.len();
        let reached = reached(alone, 0.05, *draw).map_err(|error| error.to_string())?;
        text += &format!("| {name} | {} | {} |\n", percent(words, printed), percent(reached, alone));
    }
    text += "\n| errors in 2,000 requests | found in 100 rounds, 99 % | median rounds |\n|---|---|---|\n";
    for [old, new] in CHANGES {
        let draws = printed / 3;
        let slices = |rate: f64| move |random: &mut Random, _: usize| poisson(random, rate);
        let mut rounds = decided(draws, 0.99, [slices(old), slices(new)])?;
        rounds.sort_unstable();
        let median =
            rounds.get(draws as usize / 2).map_or_else(|| "over 100".to_owned(), ToString::to_string);
        text += &format!("| {old} and {new} | {} | {median} |\n", percent(rounds.len(), draws));
    }
    Ok(text)
}

fn percent(count: usize, draws: u64) -> String {
    format!("{:.2} %", 100.0 * count as f64 / draws as f64)
}

/// The rounds after which there was a word, of the draws in which there was one.
fn decided(
    draws: u64,
    confidence: f64,
    arms: [impl Fn(&mut Random, usize) -> f64; 2],
) -> Result<Vec<usize>, String> {
    let settings = Settings { confidence, percentiles: Vec::new(), ..Settings::default() };
    let mut decided = Vec::new();
    for draw in 0..draws {
        let mut random = random(9, draw);
        let shares: Vec<[f64; 2]> =
            (0..ROUNDS).map(|round| arms.each_ref().map(|arm| arm(&mut random, round) / REQUESTS)).collect();
        for rounds in looks() {
            let analysis =
                analyse(&trial(&shares[..rounds]), &settings).map_err(|error| error.to_string())?;
            if analysis.comparisons.iter().any(|comparison| comparison.verdict != Word::Unclear) {
                decided.push(rounds);
                break;
            }
        }
    }
    Ok(decided)
}

/// In how many draws the evidence ever reaches 1/α: by ratios up to the first zero, by signs from there on.
fn reached(draws: u64, alpha: f64, draw: Draw) -> Result<usize, InputError> {
    let mut count = 0;
    for seed in 0..draws {
        let mut random = random(10, seed);
        let (mut ratios, mut signs, mut by_signs) = (EProcess::of_no_difference(), Signs::default(), false);
        for round in 0..ROUNDS {
            let [old, new] = [draw(&mut random, round), draw(&mut random, round)];
            if !by_signs && old.min(new) == 0.0 {
                by_signs = true;
                signs.leave_to_ratios(ratios.ln_e_value());
            }
            signs.push(&[old], &[new]);
            if !by_signs {
                ratios.push(LogRatio(new.ln() - old.ln()))?;
            }
            if if by_signs { signs.refute(alpha) } else { ratios.refutes(alpha) } {
                count += 1;
                break;
            }
        }
    }
    Ok(count)
}

/// After how many rounds there is a look.
fn looks() -> impl Iterator<Item = usize> {
    let next = |rounds: &usize| Some((rounds + 1).max((*rounds as f64 * NEXT_LOOK) as usize).min(ROUNDS));
    std::iter::successors(Some(1), move |rounds| next(rounds).filter(|_| *rounds < ROUNDS))
}

/// Slices of load on two services.
fn trial(shares: &[[f64; 2]]) -> Trial {
    let origin = Origin::Measured { version: "0.1.0".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(1), origin);
    trial.schedule = Some(Schedule::new(Seed(1)));
    trial.metrics = vec![Metric::time("errors", Unit::count())];
    for (arm, name) in (0..).map(ArmId).zip(["old", "new"]) {
        trial.arms.push(Arm { name: name.to_owned(), ..Arm::default() });
        let mut series = Series::new(arm, LaunchId(0), 1);
        series.values[0] = shares.iter().map(|both| both[arm.index()]).collect();
        trial.series.push(series);
    }
    trial
}

/// How often a rare thing happens, as Knuth draws it.
fn poisson(random: &mut Random, mean: f64) -> f64 {
    let (mut left, mut count) = (uniform(random), 0.0);
    while left > (-mean).exp() {
        left *= uniform(random);
        count += 1.0;
    }
    count
}
