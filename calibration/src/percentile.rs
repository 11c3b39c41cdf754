//! Do the percentile intervals hold what they promise?
//!
//! Both arms are increasing functions of two standard normal series that share half of their variance, as
//! two arms on one machine do: X = sqrt(1/2) common + sqrt(1/2) own, each part an AR(1) series with the same
//! coefficient. So every true percentile, and every true ratio, is known exactly. A row gives the share of
//! trials in which the interval held the truth. The rivals forget that rounds resemble their neighbours:
//! plain order statistics for one arm, and the same bootstrap on shuffled rounds for the ratio.

use evenhand_stats::percentile::{
    Bounds, PercentileSettings, Ranked, WHOLE_PERCENTS, arm_percentiles, compared_percentiles, shift_curve,
};
use rand_core::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Coverage of one kind of interval at one percentile.
#[derive(Debug, Clone, serde::Serialize)]
pub struct PercentileRow {
    /// Name of the process that made the samples.
    pub process: String,
    /// Rounds per trial.
    pub n: usize,
    /// The percentile, 0 to 100; 0 stands for all of 1 to 99 at once.
    pub percentile: f64,
    /// Which interval: "one arm", "one arm, plain order statistics", "ratio", "ratio, rounds shuffled",
    /// "band".
    pub kind: String,
    /// Trials drawn.
    pub draws: usize,
    /// Share of the trials whose interval held the truth (95 % aimed at).
    pub coverage: f64,
    /// Share of the trials without an interval; they count as held.
    pub refused: f64,
    /// Median width relative to the truth; infinite when at least half of the intervals are open.
    pub median_width: f64,
}

const PERCENTILES: [f64; 6] = [25.0, 50.0, 80.0, 90.0, 95.0, 99.0];
const MASTER_SEED: u64 = 0x7065_7263_656e_7469;

/// The rows for every process, each with `draws` trials of every size. Pure: the same arguments give the
/// same rows.
pub fn rows(draws: usize, sizes: &[usize]) -> Vec<PercentileRow> {
    let of_process = |process: &Process| -> Vec<PercentileRow> {
        sizes.iter().flat_map(|&n| rows_of(process, n, draws)).collect()
    };
    PROCESSES.iter().flat_map(of_process).collect()
}

struct Process {
    name: &'static str,
    /// Lag-1 correlation of the normal series behind the samples.
    phi: f64,
    baseline: fn(f64) -> f64,
    candidate: fn(f64) -> f64,
}

const PROCESSES: [Process; 8] = [
    Process { name: "iid log-normal", phi: 0.0, baseline: log_normal, candidate: slower_log_normal },
    Process { name: "AR(1) 0.7 log-normal", phi: 0.7, baseline: log_normal, candidate: slower_log_normal },
    Process { name: "AR(1) 0.9 log-normal", phi: 0.9, baseline: log_normal, candidate: slower_log_normal },
    Process { name: "AR(1) 0.97 log-normal", phi: 0.97, baseline: log_normal, candidate: slower_log_normal },
    Process {
        name: "AR(1) 0.995 log-normal",
        phi: 0.995,
        baseline: log_normal,
        candidate: slower_log_normal,
    },
    Process { name: "iid two modes", phi: 0.0, baseline: two_modes, candidate: slower_two_modes },
    Process { name: "AR(1) 0.7 two modes", phi: 0.7, baseline: two_modes, candidate: slower_two_modes },
    Process { name: "AR(1) 0.7, 10 ns clock", phi: 0.7, baseline: coarse, candidate: slower_coarse },
];

fn log_normal(x: f64) -> f64 {
    1_000.0 * (0.2 * x).exp()
}

fn slower_log_normal(x: f64) -> f64 {
    1.05 * log_normal(x)
}

/// A third of the rounds in a mode twice as slow.
fn two_modes(x: f64) -> f64 {
    1_000.0 * (0.02 * x).exp() * if x > 0.430_727 { 2.0 } else { 1.0 }
}

/// A little slower, and one round in four in the slow mode: the ratio jumps where the shares differ.
fn slower_two_modes(x: f64) -> f64 {
    1_030.0 * (0.02 * x).exp() * if x > 0.674_490 { 2.0 } else { 1.0 }
}

/// A clock that ticks every 10 ns: a dozen distinct values.
fn coarse(x: f64) -> f64 {
    (100.0 * (0.1 * x).exp()).round() * 10.0
}

fn slower_coarse(x: f64) -> f64 {
    (105.0 * (0.1 * x).exp()).round() * 10.0
}

/// The standard normal quantile at a percentile, by bisection of its distribution function's integral.
fn normal_quantile(percent: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if normal_share_below(middle) < percent / 100.0 { low = middle } else { high = middle }
    }
    low
}

/// Simpson's rule on 400 steps: exact to 1e-10 here, and no further dependency.
fn normal_share_below(x: f64) -> f64 {
    let density = |t: f64| (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let step = x / 400.0;
    let weight = |i: usize| if i == 0 || i == 400 { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    0.5 + (0..=400).map(|i| weight(i) * density(i as f64 * step)).sum::<f64>() * step / 3.0
}

/// One trial's samples of both arms.
struct Trial {
    baseline: Vec<f64>,
    candidate: Vec<f64>,
}

impl Trial {
    fn draw(process: &Process, n: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let [common, own_baseline, own_candidate] = [(); 3].map(|()| ar1(process.phi, n, rng));
        let mix = |own: &[f64], shape: fn(f64) -> f64| {
            common.iter().zip(own).map(|(c, o)| shape(0.5_f64.sqrt() * (c + o))).collect()
        };
        Self {
            baseline: mix(&own_baseline, process.baseline),
            candidate: mix(&own_candidate, process.candidate),
        }
    }

    /// The same rounds in random order, the arms still paired.
    fn shuffled(&self, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut order: Vec<usize> = (0..self.baseline.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize);
        }
        let reorder = |samples: &[f64]| order.iter().map(|&round| samples[round]).collect();
        Self { baseline: reorder(&self.baseline), candidate: reorder(&self.candidate) }
    }
}

fn ar1(phi: f64, n: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let innovation = (1.0 - phi * phi).sqrt();
    let mut state: f64 = StandardNormal.sample(rng);
    let mut next = || {
        let shock: f64 = StandardNormal.sample(rng);
        state = phi * state + innovation * shock;
        state
    };
    (0..n).map(|_| next()).collect()
}

/// Counts how often intervals of one kind at one percentile hold the truth.
struct Tally {
    kind: &'static str,
    percentile: f64,
    held: usize,
    refused: usize,
    widths: Vec<f64>,
}

impl Tally {
    fn new(kind: &'static str, percentile: f64) -> Self {
        Self { kind, percentile, held: 0, refused: 0, widths: Vec::new() }
    }

    fn add(&mut self, interval: Bounds, truth: f64) {
        // Grid values such as those of a coarse clock are compared up to rounding.
        let slack = 1e-9 * truth;
        let held = interval.low.is_none_or(|low| low <= truth + slack)
            && interval.high.is_none_or(|high| high >= truth - slack);
        self.held += usize::from(held);
        self.refused += usize::from(interval == Bounds::UNBOUNDED);
        let width = interval.high.zip(interval.low).map_or(f64::INFINITY, |(high, low)| (high - low) / truth);
        self.widths.push(width);
    }

    fn row(mut self, process: &Process, n: usize) -> PercentileRow {
        self.widths.sort_unstable_by(f64::total_cmp);
        let draws = self.widths.len();
        PercentileRow {
            process: process.name.to_owned(),
            n,
            percentile: self.percentile,
            kind: self.kind.to_owned(),
            draws,
            coverage: self.held as f64 / draws as f64,
            refused: self.refused as f64 / draws as f64,
            median_width: self.widths[draws / 2],
        }
    }
}

fn rows_of(process: &Process, n: usize, draws: usize) -> Vec<PercentileRow> {
    let kinds = ["one arm", "one arm, plain order statistics", "ratio", "ratio, rounds shuffled"];
    let mut tallies: Vec<Tally> =
        kinds.iter().flat_map(|kind| PERCENTILES.map(|percentile| Tally::new(kind, percentile))).collect();
    tallies.push(Tally::new("band", 0.0));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(MASTER_SEED ^ n as u64 ^ process.phi.to_bits());
    for _ in 0..draws {
        let trial = Trial::draw(process, n, &mut rng);
        let shuffled = trial.shuffled(&mut rng);
        for (tally, (interval, truth)) in tallies.iter_mut().zip(answers(process, &trial, &shuffled)) {
            tally.add(interval, truth);
        }
    }
    tallies.into_iter().map(|tally| tally.row(process, n)).collect()
}

/// The intervals of one trial with the truth of each, in the order of the tallies.
fn answers(process: &Process, trial: &Trial, shuffled: &Trial) -> Vec<(Bounds, f64)> {
    let quantiles = PERCENTILES.map(normal_quantile);
    let truths = quantiles.map(process.baseline);
    let ratios = quantiles.map(|z| (process.candidate)(z) / (process.baseline)(z));
    let mut answers = Vec::new();
    answers.extend(one_arm(trial).into_iter().zip(truths));
    answers.extend(plain_order_statistics(trial).into_iter().zip(truths));
    answers.extend(ratio(trial).into_iter().zip(ratios));
    answers.extend(ratio(shuffled).into_iter().zip(ratios));
    answers.push((band_as_interval(process, trial), 1.0));
    answers
}

fn settings() -> PercentileSettings {
    PercentileSettings { draws: 1_000, ..PercentileSettings::default() }
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn one_arm(trial: &Trial) -> Vec<Bounds> {
    let ascending = sorted(&trial.baseline);
    let percentiles = Ranked::new(&trial.baseline, &ascending)
        .and_then(|arm| arm_percentiles(&arm, &PERCENTILES, &settings()));
    percentiles.map_or_else(|_| vec![NOTHING; 6], |all| all.iter().map(|one| one.interval).collect())
}

fn ratio(trial: &Trial) -> Vec<Bounds> {
    let (baseline, candidate) = (sorted(&trial.baseline), sorted(&trial.candidate));
    let compared = Ranked::new(&trial.baseline, &baseline).and_then(|baseline| {
        let candidate = Ranked::new(&trial.candidate, &candidate)?;
        compared_percentiles(&baseline, &candidate, &PERCENTILES, &settings())
    });
    compared.map_or_else(|_| vec![NOTHING; 6], |all| all.iter().map(|one| one.ratio_interval).collect())
}

/// An interval that holds no truth: a failed computation must show as lost coverage.
const NOTHING: Bounds = Bounds { low: Some(f64::MAX), high: Some(f64::MIN) };

/// Order statistics at normal ranks for n independent samples.
fn plain_order_statistics(trial: &Trial) -> Vec<Bounds> {
    let ascending = sorted(&trial.baseline);
    let n = ascending.len() as f64;
    let interval = |percent: f64| {
        let (middle, reach) = (n * percent / 100.0, 1.96 * (n * percent * (100.0 - percent)).sqrt() / 100.0);
        let (low, high) = ((middle - reach).floor(), (middle + reach).ceil());
        Bounds {
            low: (low >= 1.0).then(|| ascending[low as usize - 1]),
            high: ascending.get(high as usize).copied(),
        }
    };
    PERCENTILES.map(interval).to_vec()
}

/// 1 lies within these bounds exactly when the whole true curve lies within the band; the width is that at
/// P50.
fn band_as_interval(process: &Process, trial: &Trial) -> Bounds {
    let (baseline, candidate) = (sorted(&trial.baseline), sorted(&trial.candidate));
    let curve = Ranked::new(&trial.baseline, &baseline).and_then(|baseline| {
        let candidate = Ranked::new(&trial.candidate, &candidate)?;
        shift_curve(&baseline, &candidate, &settings())
    });
    let Ok(curve) = curve else { return NOTHING };
    let truth = |percent: f64| {
        let z = normal_quantile(percent);
        (process.candidate)(z) / (process.baseline)(z)
    };
    let held = |(point, percent): (&evenhand_stats::percentile::ShiftPoint, &f64)| {
        let (truth, band) = (truth(*percent), point.band);
        band.low.is_none_or(|low| low <= truth * (1.0 + 1e-9))
            && band.high.is_none_or(|high| high >= truth * (1.0 - 1e-9))
    };
    if !curve.points.iter().zip(&WHOLE_PERCENTS).all(held) {
        return NOTHING;
    }
    let (middle, truth) = (curve.points[49].band, truth(50.0));
    Bounds { low: middle.low.map(|low| low / truth), high: middle.high.map(|high| high / truth) }
}
