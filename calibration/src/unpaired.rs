//! And where no coin decided the order? First all runs of one arm, then all runs of the other, as other tools measure, given to the
//! whole of `evenhand analyze`: how often does it call identical arms different?
//!
//! Nothing can be promised here: what changes between two blocks looks like a difference. The table says how far it goes.
//!
//! Where nothing changes between the two ([`words`]) there is a promise: few samples are taken for independent, and if they are, word and
//! interval are wrong no more often than told; of many it is the effective number that counts, and they may remember each other.

use crate::printed::{holds, is_wrong};
use crate::rule::{blocks, mann_whitney_blocks};
use crate::source::{Pair, Random, Source, coin, normal, random};
use crate::table::Row;
use evenhand_analysis::{Analysis, Settings, analyse};
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::confidence_sequence::Interval;
use evenhand_trial::{Arm, ArmId, LaunchId, Metric, Origin, Series, Trial, TrialId, Unit};

const ALPHA: f64 = 0.01;
/// The fewest that hyperfine takes, what criterion takes, and many.
const RUNS: [usize; 3] = [10, 100, 1000];

/// False alarms of blocks of several lengths, beside those of a rank test that takes all runs for independent.
pub fn false_alarms(source: &Source, draws: usize) -> Vec<Row> {
    let fits = |runs: &usize| 2 * runs <= source.longest();
    RUNS.into_iter().filter(fits).flat_map(|runs| blocks_of(runs, source, draws)).collect()
}

fn blocks_of(runs: usize, source: &Source, draws: usize) -> [Row; 2] {
    let (mut called, mut refused, mut by_ranks) = (0, 0, 0);
    for draw in 0..draws {
        let pairs = source.draw(&mut random(4, draw as u64), 2 * runs);
        match judged(&pairs) {
            Some(true) => called += 1,
            Some(false) => {}
            None => refused += 1,
        }
        by_ranks += usize::from(mann_whitney_blocks(&pairs, 0.0) < ALPHA);
    }
    let share = |count: usize| Some(count as f64 / draws as f64);
    let row = |rule| Row {
        looking: "fixed".to_owned(),
        rounds: runs,
        ..Row::new("unpaired", &source.name(), rule, ALPHA, draws)
    };
    [
        Row { decided: share(called), refused: share(refused), ..row("evenhand") },
        Row { decided: share(by_ranks), ..row("Mann-Whitney") },
    ]
}

/// Whether the two blocks are called different; `None` where there is no interval.
fn judged(pairs: &[Pair]) -> Option<bool> {
    let (baseline, candidate) = blocks(pairs, 0.0);
    let times = |logs: &[f64]| logs.iter().map(|log| log.exp()).collect::<Vec<_>>();
    let analysis = analysed([&times(&baseline), &times(&candidate)], Unit::nanoseconds(), ALPHA)?;
    let effect = &analysis.comparisons.first()?.effect;
    let (low, high) = (effect.low?, effect.high?);
    Some(low > 0.0 || high < 0.0)
}

/// Two series of costs, given to the whole of `evenhand analyze`.
pub fn analysed(arms: [&[f64]; 2], unit: Unit, alpha: f64) -> Option<Analysis> {
    let origin = Origin::Imported { format: "calibration".to_owned(), tool: None, file: "blocks".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(0), origin);
    trial.metrics.push(Metric::time("time", unit));
    for (arm, costs) in (0..).map(ArmId).zip(arms) {
        trial.arms.push(Arm { name: arm.0.to_string(), ..Arm::default() });
        let mut series = Series::new(arm, LaunchId(0), 1);
        series.values[0].extend(costs);
        trial.series.push(series);
    }
    analyse(&trial, &Settings { confidence: 1.0 - alpha, ..Settings::default() }).ok()
}

/// What is wrong with the word and the interval of two such series.
pub fn faults(arms: [&[f64]; 2], unit: Unit, alpha: f64, truth: LogRatio) -> [bool; 2] {
    let Some(analysis) = analysed(arms, unit, alpha) else { return [true; 2] };
    let Some(found) = analysis.comparisons.first() else { return [true; 2] };
    // With ties the truth often is an end of the interval, and rounding must not decide.
    let end = |end: Option<f64>, rounding: f64| end.map(|end| LogRatio(end.ln_1p() + rounding));
    let (low, high) = (end(found.effect.low, -1e-12), end(found.effect.high, 1e-12));
    [is_wrong(found.verdict, truth), !holds(Interval { low, estimate: truth, high }, truth)]
}

/// The sizes of few samples, and of many.
const FEW: [usize; 6] = [3, 5, 8, 10, 15, 19];
const MANY: [usize; 4] = [20, 30, 60, 200];

type Shape = (&'static str, fn(&mut Random, &mut [f64]));

const INDEPENDENT: [Shape; 4] = [
    ("normal", |random, costs| fill(costs, || 100.0 + 2.0 * normal(random))),
    ("log-normal", |random, costs| fill(costs, || 100.0 * (0.3 * normal(random)).exp())),
    ("counts with ties", |random, costs| fill(costs, || (100.0 + 1.5 * normal(random)).round())),
    ("two heaps", |random, costs| {
        fill(costs, || if coin(random) { 100.0 } else { 120.0 } * (0.01 * normal(random)).exp());
    }),
];
const REMEMBERING: [Shape; 3] = [
    ("AR(1) phi 0.3", |random, costs| remembering(random, costs, 0.3)),
    ("AR(1) phi 0.6", |random, costs| remembering(random, costs, 0.6)),
    ("AR(1) phi 0.9", |random, costs| remembering(random, costs, 0.9)),
];

fn fill(costs: &mut [f64], mut next: impl FnMut() -> f64) {
    costs.iter_mut().for_each(|cost| *cost = next());
}

fn remembering(random: &mut Random, costs: &mut [f64], phi: f64) {
    let mut mood = normal(random);
    fill(costs, || {
        mood = phi * mood + (1.0 - phi * phi).sqrt() * normal(random);
        100.0 + 2.0 * mood
    });
}

/// Two sizes, of which the first varies as much or more.
const SIZES: [[usize; 2]; 5] = [[10, 10], [10, 19], [19, 200], [25, 400], [60, 60]];
/// How many times as much.
const SPREADS: [f64; 3] = [1.0, 3.0, 10.0];

/// Wrong words and intervals where one side varies more than the other.
pub fn unequal_spreads(draws: usize) -> Vec<Row> {
    let cases = SIZES.iter().flat_map(|sizes| SPREADS.map(|spread| (sizes, spread)));
    cases
        .flat_map(|([few, many], spread)| {
            let one = |draw: usize| {
                let mut random = random(19, draw as u64);
                let [mut old, mut new] = [*many, *few].map(|count| vec![0.0; count]);
                fill(&mut old, || (0.01 * normal(&mut random)).exp());
                fill(&mut new, || (0.01 * spread * normal(&mut random)).exp());
                faults([&old, &new], Unit::nanoseconds(), ALPHA, LogRatio(0.0))
            };
            let source = format!("normal, {few} with {spread} times the spread of {many}");
            shares("no coin", &source, 0.0, ALPHA, draws, one)
        })
        .collect()
}

/// Wrong words and intervals of few samples and of many.
pub fn words(draws: usize) -> Vec<Row> {
    let few = INDEPENDENT.iter().map(|shape| (shape, &FEW[..]));
    let many = INDEPENDENT.iter().chain(&REMEMBERING).map(|shape| (shape, &MANY[..]));
    let cases = few.chain(many).flat_map(|case| ALPHAS.map(|alpha| (case, alpha)));
    cases.flat_map(|((shape, sizes), alpha)| rows_of(shape, sizes, alpha, draws)).collect()
}

const ALPHAS: [f64; 2] = [0.05, 0.01];

fn rows_of((name, costs): &Shape, sizes: &[usize], alpha: f64, draws: usize) -> Vec<Row> {
    let unit = if name.starts_with("counts") { Unit::count() } else { Unit::nanoseconds() };
    let source = format!("{name}, {} to {} each", sizes[0], sizes[sizes.len() - 1]);
    let effects = [0.0, 0.05].into_iter();
    let rows = effects.flat_map(|effect: f64| {
        let truth = LogRatio(effect.ln_1p());
        let one = |draw: usize| {
            let mut random = random(5, draw as u64);
            let [mut old, mut new] = [(); 2].map(|()| vec![0.0; sizes[draw % sizes.len()]]);
            costs(&mut random, &mut old);
            costs(&mut random, &mut new);
            new.iter_mut().for_each(|cost| *cost *= 1.0 + effect);
            faults([&old, &new], unit.clone(), alpha, truth)
        };
        shares("no coin", &source, effect, alpha, draws, one)
    });
    rows.collect()
}

/// Two rows: in which share of draws the word was wrong, and in which the interval.
pub fn shares(
    part: &'static str,
    source: &str,
    effect: f64,
    alpha: f64,
    draws: usize,
    faults: impl FnMut(usize) -> [bool; 2],
) -> [Row; 2] {
    let all: Vec<[bool; 2]> = (0..draws).map(faults).collect();
    let share = |which: usize| all.iter().filter(|faults| faults[which]).count() as f64 / draws as f64;
    let row = |rule| Row { effect, ..Row::new(part, source, rule, alpha, draws) };
    [
        Row { decided: Some(share(0)), ..row("wrong word") },
        Row { decided: Some(share(1)), ..row("interval misses") },
    ]
}
