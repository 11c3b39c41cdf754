//! And what if the clock is coarse? Times of about three of its steps, of two arms that differ by less than one: how often is what is
//! printed wrong, with a coin and the looks of the program, and without one?

use crate::printed::{holds, is_wrong};
use crate::source::{Random, normal, random, uniform};
use crate::table::Row;
use crate::unpaired::{faults, shares};
use evenhand_stats::clock_step::Readings;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Verdict};
use evenhand_trial::Unit;

const STEP: f64 = 10.0;
/// Drawn from 15 % less to 15 % more, as no clock knows where its steps lie.
const TYPICAL: f64 = 30.0;
const EFFECTS: [f64; 4] = [0.0, 0.02, 0.05, -0.2];
const ALPHAS: [f64; 2] = [0.05, 0.01];
const ROUNDS: usize = 60;
const FIRST_LOOK: usize = 8;
const LOOK_EVERY: usize = 4;

/// How a clock reads a time; the last number is from 0 to 1, where in a step it began.
type Clock = (&'static str, fn(f64, f64) -> f64);

const CLOCKS: [Clock; 3] = [
    ("rounds to the nearest step", |time, _| (time / STEP).round() * STEP),
    ("cuts off", |time, _| (time / STEP).floor() * STEP),
    ("counts steps between start and end", |time, phase| (time / STEP + phase).floor() * STEP),
];
/// Noise of the times, as a share: next to none, and a third of a step.
const NOISES: [f64; 2] = [0.01, 0.1];

/// Wrong words and intervals by every clock.
pub fn coarse_clock(draws: usize) -> Vec<Row> {
    let cases = CLOCKS.iter().flat_map(|clock| NOISES.map(|noise| (clock, noise)));
    let cases = cases.flat_map(|case| EFFECTS.map(|effect| (case, effect)));
    let cases = cases.flat_map(|case| ALPHAS.map(|alpha| (case, alpha)));
    cases.flat_map(|(((clock, noise), effect), alpha)| rows(clock, noise, effect, alpha, draws)).collect()
}

fn rows(clock: &Clock, noise: f64, effect: f64, alpha: f64, draws: usize) -> Vec<Row> {
    let truth = LogRatio(effect.ln_1p());
    let read = |draw: usize| readings(clock, noise, &mut random(6, draw as u64), effect);
    let with = |draw: usize| decided(&read(draw), alpha, truth);
    let without = |draw: usize| {
        let (old, new): (Vec<f64>, Vec<f64>) = read(draw).into_iter().unzip();
        faults([&old, &new], Unit::nanoseconds(), alpha, truth)
    };
    let source = |coin| format!("{}, noise {} %, {coin}", clock.0, 100.0 * noise);
    let with = shares("coarse clock", &source("with a coin"), effect, alpha, draws, with);
    let without = shares("coarse clock", &source("without"), effect, alpha, draws, without);
    with.into_iter().chain(without).collect()
}

/// What the clock reads of both arms, round by round.
fn readings((_, read): &Clock, noise: f64, random: &mut Random, effect: f64) -> Vec<(f64, f64)> {
    let typical = TYPICAL * (0.85 + 0.3 * uniform(random));
    let mut one = |typical: f64| read(typical * (noise * normal(random)).exp(), uniform(random)).max(STEP);
    (0..ROUNDS).map(|_| (one(typical), one(typical * (1.0 + effect)))).collect()
}

/// As the stop rule does: a look now and then, until a final word. Nothing here depends on who runs first, so a coin would change
/// nothing.
fn decided(readings: &[(f64, f64)], alpha: f64, truth: LogRatio) -> [bool; 2] {
    let Ok(mut sequence) = ConfidenceSequence::new(alpha, Mixture::rounds()) else { return [true; 2] };
    let mut seen = Readings::default();
    let mut faults = [false; 2];
    for (round, (old, new)) in (1..).zip(readings) {
        seen.push(*old, *new);
        // No reading is 0, so no difference is refused.
        let _ = sequence.push(LogRatio(new.ln() - old.ln()));
        if round < FIRST_LOOK || round % LOOK_EVERY != 0 {
            continue;
        }
        let look = sequence.interval();
        let look = seen.clock_step(None).map_or(look, |step| step.widened(look));
        let verdict = Verdict::of(look, Margin::default(), round);
        faults = [is_wrong(verdict.word, truth), verdict.interval.is_none_or(|found| !holds(found, truth))];
        if verdict.word.is_final() {
            break;
        }
    }
    faults
}
