//! How often does the interval of a suite miss the geometric mean of the true ratios? Every benchmark ends when its own word is final, with
//! the looks of the program, as in `printed.rs`.
//!
//! The rival takes each benchmark's interval for an error of its own, and adds their squares: what benchmarks have in common does not
//! cancel like that.

use crate::printed::{Ended, ended};
use crate::rule::tossed;
use crate::source::{Random, Source, random};
use crate::table::Row;
use evenhand_stats::randomised::confidence_sequence::Interval;
use evenhand_stats::randomised::launches::fewest_to_decide;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::suite_mean::{Benchmark, mean_effect};
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Verdict};

const ALPHA: f64 = 0.01;
/// Benchmarks of a suite.
const SIZES: [usize; 4] = [3, 30, 100, 300];

/// A trial of launches ends here.
const MOST_LAUNCHES: usize = 100;

/// More suites of a size say nothing new.
const MOST_SUITES: usize = 300;

/// What every other benchmark and the others truly are.
const TRUTHS: [(&str, [f64; 2]); 4] = [
    ("none moved", [0.0, 0.0]),
    ("all by 1.5 %", [0.015, 0.015]),
    ("all by 5 %", [0.05, 0.05]),
    ("half by 5 %", [0.05, 0.0]),
];

/// A benchmark at its end.
struct Finished {
    effects: Vec<f64>,
    interval: Option<Interval>,
}

/// Suites whose benchmarks are decided by their rounds and are all like one source. All of one truth are made of the same `benchmarks`, taken
/// in order.
pub fn of_rounds(source: &Source, benchmarks: usize) -> Vec<Row> {
    let one = |truth, random: &mut Random| {
        let Ended { effects, verdict, .. } = ended(source, ALPHA, truth, random)?;
        Some(Finished { effects, interval: verdict.interval })
    };
    suites(
        source,
        benchmarks,
        one,
        |effects, opening| Benchmark::of_rounds(effects, opening),
        &Mixture::rounds(),
    )
}

/// The same where launches decide.
pub fn of_launches(source: &Source, benchmarks: usize) -> Vec<Row> {
    let one = |truth, random: &mut Random| last_launch(source, truth, random);
    suites(
        source,
        benchmarks,
        one,
        |effects, opening| Benchmark::of_launches(effects, opening),
        &Mixture::launches(),
    )
}

/// A trial that is looked at after each launch, up to the final word.
fn last_launch(source: &Source, truth: LogRatio, random: &mut Random) -> Option<Finished> {
    let mut sequence = ConfidenceSequence::new(ALPHA, Mixture::launches()).ok()?;
    let pairs = source.draw(random, MOST_LAUNCHES);
    let mut effects = tossed(&pairs, truth.0, random);
    let is_last = |effect: &f64| {
        // Luck is finite, so no effect is refused.
        let _ = sequence.push(LogRatio(*effect));
        Verdict::of(sequence.interval(), Margin::default(), 1).word.is_final()
    };
    let last = effects.iter().position(is_last);
    effects.truncate(last.map_or(MOST_LAUNCHES, |before| before + 1));
    let interval = Verdict::of(sequence.interval(), Margin::default(), effects.len()).interval;
    Some(Finished { effects, interval })
}

/// A benchmark of a suite by its effects and the length of its opening.
type Judged = for<'a> fn(&'a [f64], usize) -> Benchmark<'a>;

fn suites(
    source: &Source,
    benchmarks: usize,
    finished: impl Fn(LogRatio, &mut Random) -> Option<Finished>,
    judged: Judged,
    mixture: &Mixture,
) -> Vec<Row> {
    let opening = fewest_to_decide(ALPHA, mixture);
    let printed = |suite: &[Finished]| {
        let benchmarks: Vec<Benchmark<'_>> = suite.iter().map(|one| judged(&one.effects, opening)).collect();
        let found = mean_effect(&benchmarks, ALPHA).ok()?;
        found.low.zip(found.high)
    };
    let of_truth = |(name, effects): &(&str, [f64; 2])| {
        let truth = |place: usize| effects[place % 2].ln_1p();
        let one = |place| finished(LogRatio(truth(place)), &mut random(9, place as u64));
        let all: Vec<Finished> = (0..benchmarks).filter_map(one).collect();
        let name = format!("{}, {name}", source.name());
        SIZES.map(|size| rows(&name, &all, size, &truth, &printed))
    };
    TRUTHS.iter().flat_map(of_truth).flatten().collect()
}

fn rows(
    name: &str,
    all: &[Finished],
    size: usize,
    truth: &impl Fn(usize) -> f64,
    printed: &impl Fn(&[Finished]) -> Option<(f64, f64)>,
) -> [Row; 3] {
    let draws = (all.len() / size).min(MOST_SUITES);
    let (mut missed, mut unknown, mut missed_by_squares, mut widths) = (0, 0, 0, Vec::new());
    for (draw, suite) in all.chunks_exact(size).take(draws).enumerate() {
        let mean = (0..size).map(|place| truth(draw * size + place)).sum::<f64>() / size as f64;
        let known = |(low, high): &(f64, f64)| *low <= mean && mean <= *high;
        match printed(suite) {
            Some(found) => {
                missed += usize::from(!known(&found));
                widths.push(found.1 - found.0);
            }
            None => unknown += 1,
        }
        missed_by_squares += usize::from(by_squares(suite).is_some_and(|found| !known(&found)));
    }
    widths.sort_unstable_by(f64::total_cmp);
    let share = |count: usize| Some(count as f64 / draws as f64);
    let row = |rule: &str| Row { rounds: size, ..Row::new("suites", name, rule, ALPHA, draws) };
    [
        Row { decided: share(missed), refused: share(unknown), ..row("evenhand") },
        Row { decided: share(missed_by_squares), ..row("squares") },
        Row { estimate: widths.get(widths.len() / 2).copied(), ..row("median width") },
    ]
}

/// The root of the sum of squares of the distances from estimate to end.
fn by_squares(suite: &[Finished]) -> Option<(f64, f64)> {
    let count = suite.len() as f64;
    let (mut mean, mut below, mut above) = (0.0, 0.0, 0.0);
    for one in suite {
        let found = one.interval?;
        mean += found.estimate.0 / count;
        below += (found.estimate.0 - found.low?.0).powi(2);
        above += (found.high?.0 - found.estimate.0).powi(2);
    }
    Some((mean - below.sqrt() / count, mean + above.sqrt() / count))
}
