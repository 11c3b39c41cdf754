//! How wide is the printed error of the mean, and does it cover? For few samples above all.
//!
//! Independent samples: the printed half width over Student's, which is exact for normal ones. Samples that remember each other:
//! the share of intervals that hold the mean, and the share of runs that get none. Of a trace the mean of all its times counts
//! as the mean.

use crate::mean_error::Process;
use crate::source::{Random, Source, normal, random, uniform};
use crate::table::Row;
use evenhand_stats::level::mean_error::{MeanErrorRule, MeanInterval, mean_error};

/// What the program prints unless told otherwise.
const CONFIDENCE: f64 = 0.99;
const SIZES: [usize; 8] = [5, 10, 15, 20, 30, 50, 200, 1000];
const DEPENDENT_SIZES: [usize; 5] = [10, 20, 50, 200, 1000];

/// The rules of the rows that a promise is made about.
pub const COVERAGE: &str = "printed";
pub const MEDIAN_WIDTH: &str = "half of the widths are below";
pub const LARGE_WIDTH: &str = "95 % of the widths are below";

/// Draws a run of so many samples.
type Draw<'a> = dyn Fn(&mut Random, usize) -> Vec<f64> + 'a;

/// A family of runs with a known mean.
struct Runs<'a> {
    name: String,
    mean: f64,
    draw: Box<Draw<'a>>,
}

/// Independent samples: how wide, beside Student's interval?
pub fn independent(draws: usize) -> Vec<Row> {
    families()
        .iter()
        .flat_map(|runs| SIZES.map(|n| rows(runs, n, draws, "mean, independent")))
        .flatten()
        .collect()
}

/// Samples that remember each other.
pub fn dependent(sources: &[Source], draws: usize) -> Vec<Row> {
    let traces = sources.iter().filter_map(of_trace);
    let all: Vec<Runs<'_>> = with_memory().into_iter().chain(traces).collect();
    let sized = |runs| DEPENDENT_SIZES.map(|n| rows(runs, n, draws, "mean, dependent"));
    all.iter().flat_map(sized).flatten().collect()
}

fn families() -> Vec<Runs<'static>> {
    let each = |name: &str, mean: f64, value: fn(&mut Random) -> f64| Runs {
        name: name.to_owned(),
        mean,
        draw: Box::new(move |random, n| (0..n).map(|_| value(random)).collect()),
    };
    vec![
        each("normal", 0.0, normal),
        each("log-normal, sigma 0.5", 0.125_f64.exp(), |random| (0.5 * normal(random)).exp()),
        each("exponential", 1.0, |random| -(1.0 - uniform(random)).ln()),
        each("uniform", 0.5, uniform),
    ]
}

fn with_memory() -> Vec<Runs<'static>> {
    let phis = [0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 0.9999].map(Process::Autoregressive);
    let regimes = [
        Process::Regimes { levels: 2, dwell: 10.0, step: 2.0 },
        Process::Regimes { levels: 3, dwell: 50.0, step: 0.5 },
    ];
    let of_process = |process: Process| Runs {
        name: process.name(),
        mean: process.mean(),
        draw: Box::new(move |random, n| process.run(n, rand_core::Rng::next_u64(random) >> 20)),
    };
    phis.into_iter().chain(regimes).map(of_process).collect()
}

fn of_trace(source: &Source) -> Option<Runs<'_>> {
    let Source::Trace { name, pairs } = source else { return None };
    let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64;
    Some(Runs {
        name: format!("trace {name}"),
        mean,
        draw: Box::new(|random, n| source.draw(random, n).iter().map(|pair| pair.0).collect()),
    })
}

/// The printed interval beside Student's, and how much wider it is: in the median, and in the widest twentieth of draws.
fn rows(runs: &Runs<'_>, n: usize, draws: usize, part: &'static str) -> [Row; 4] {
    let found: Vec<Found> = (0..draws as u64)
        .filter_map(|draw| Found::of(&(runs.draw)(&mut random(7, draw), n), runs.mean))
        .collect();
    let mut widths: Vec<f64> = found.iter().filter_map(|found| found.width).collect();
    widths.sort_unstable_by(f64::total_cmp);
    let width = |share: f64| widths.get((share * widths.len() as f64) as usize).copied();
    let covering = |right: fn(&Found) -> bool, of: usize| {
        Some(found.iter().filter(|found| right(found)).count() as f64 / of as f64)
    };
    let row = |rule: &str| Row {
        looking: "fixed".to_owned(),
        rounds: n,
        ..Row::new(part, &format!("{}, N = {n}", runs.name), rule, 1.0 - CONFIDENCE, draws)
    };
    [
        Row {
            coverage: covering(|found| found.width.is_some() && found.covers, widths.len()),
            refused: Some(1.0 - widths.len() as f64 / found.len() as f64),
            ..row(COVERAGE)
        },
        Row { coverage: covering(|found| found.student_covers, found.len()), ..row("Student's t") },
        Row { estimate: width(0.5), ..row(MEDIAN_WIDTH) },
        Row { estimate: width(0.95), ..row(LARGE_WIDTH) },
    ]
}

/// One run.
struct Found {
    /// Half the interval over Student's; none where it is refused.
    width: Option<f64>,
    covers: bool,
    student_covers: bool,
}

impl Found {
    fn of(values: &[f64], mean: f64) -> Option<Self> {
        let error = mean_error(values, MeanErrorRule::default()).ok()?;
        let student =
            mean_error(values, MeanErrorRule::Naive).and_then(|naive| naive.half_width(CONFIDENCE)).ok()?;
        let away = (error.mean - mean).abs();
        let half = match error.interval(CONFIDENCE).ok()? {
            MeanInterval::Between { low, high } => Some((high - low) / 2.0),
            MeanInterval::TooFewIndependentSamples { .. } => None,
        };
        Some(Self {
            width: half.map(|half| half / student),
            covers: half.is_some_and(|half| away <= half),
            student_covers: away <= student,
        })
    }
}
