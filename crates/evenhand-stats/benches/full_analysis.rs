//! How long does the full analysis of a trial take, and how much memory?
//!
//! Full analysis: the verdict with its interval, the levels of both arms with the corrected error of the mean, ten
//! percentiles of both arms with intervals and the scaled intervals, from two series in memory. Each size runs in
//! a process of its own, so that the peaks of memory stay apart. The answers and the series go to a folder, where
//! `scipy_peer.py` reads them, computes the same with NumPy and SciPy, and refuses to compare speeds unless the
//! answers agree. `scripts/bench.sh` runs both.
//!
//! Usage: `cargo bench -p evenhand-stats --bench full_analysis -- [--folder DIR] [--sizes 10000,100000]`

#![allow(clippy::cast_precision_loss)]
#![expect(
    clippy::unwrap_used,
    reason = "a program for developers: a full disk or a missing /proc may stop it"
)]

use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use evenhand_stats::level::mean_error::{MeanError, MeanErrorRule, MeanInterval, mean_error};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::summary::Summary;
use evenhand_stats::percentile::{
    ArmPercentile, Bounds, ComparedPercentile, DEFAULT_PERCENTILES, PercentileSettings, Ranked,
    compared_percentiles,
};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio, Verdict, differences};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use statrs::distribution::{ContinuousCDF, Normal};

const SIZES: &str = "10000,100000,1000000";
const ALPHA: f64 = 0.01;
const CONFIDENCE: f64 = 0.95;
const SEED: u64 = 20_221_105;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    if let Some(n) = option("--one") {
        return measure(n.parse().unwrap(), &PathBuf::from(option("--folder").unwrap()));
    }
    // `cargo test --all-targets` starts this program too, without `--bench`: it measures nothing there.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return println!("run by `cargo bench`");
    }
    let folder =
        option("--folder").map_or_else(|| std::env::temp_dir().join("evenhand-bench"), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    let sizes = option("--sizes").unwrap_or_else(|| SIZES.to_owned());
    measure_each(sizes.split(','), &folder);
}

/// One process per size, then one line per size.
fn measure_each<'a>(sizes: impl Iterator<Item = &'a str>, folder: &Path) {
    let program = std::env::current_exe().unwrap();
    let mut before: Option<(f64, f64)> = None;
    for n in sizes {
        let status = Command::new(&program).args(["--one", n, "--folder"]).arg(folder).status().unwrap();
        assert!(status.success(), "the run with {n} pairs failed");
        let report = fs::read(folder.join(format!("evenhand-{n}.json"))).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        let (size, seconds) = (n.parse::<f64>().unwrap(), report["seconds"].as_f64().unwrap());
        if let Some((size_before, seconds_before)) = before {
            let growth = (seconds / seconds_before).powf(10_f64.ln() / (size / size_before).ln());
            println!("  {growth:.2} times the time for ten times the pairs");
        }
        before = Some((size, seconds));
    }
}

/// Measures one size in this process and writes its report and its series.
fn measure(n: usize, folder: &Path) {
    let trial = Trial::of(n);
    trial.write(&folder.join(format!("pairs-{n}.bin")));
    let memory_of_trial = peak_memory_kib();
    let answers = trial.analyse(&mut Steps::default());
    let memory = peak_memory_kib();
    let (seconds, steps) = trial.repeated();
    let fastest = steps.total();
    let rounds_per_second = trial.e_process_speed();
    println!("{n} pairs: {fastest:.4} s at best, {seconds:.4} s in the median");
    println!("  peak {memory} KiB, {memory_of_trial} KiB before the analysis");
    for (name, seconds) in &steps.0 {
        println!("  {seconds:.4} s  {name}");
    }
    println!(
        "  {:.2} million rounds/s through the e-process, asked after every round",
        rounds_per_second / 1e6
    );
    let report = json!({
        "n": n, "seconds": fastest, "median": seconds, "steps": steps.to_json(), "peak_kib": memory,
        "peak_of_trial_kib": memory_of_trial, "e_process_rounds_per_second": rounds_per_second,
        "answers": answers,
    });
    fs::write(folder.join(format!("evenhand-{n}.json")), report.to_string()).unwrap();
}

/// The largest memory that this process ever held.
fn peak_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Named steps and the seconds they took.
#[derive(Default)]
struct Steps(Vec<(&'static str, f64)>);

impl Steps {
    fn time<T>(&mut self, name: &'static str, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let answer = step();
        self.0.push((name, start.elapsed().as_secs_f64()));
        answer
    }

    fn total(&self) -> f64 {
        self.0.iter().map(|(_, seconds)| seconds).sum()
    }

    fn to_json(&self) -> Value {
        self.0.iter().map(|(name, seconds)| ((*name).to_owned(), json!(seconds))).collect()
    }
}

/// A paired trial: the times of both arms in round order.
struct Trial {
    baseline: Vec<f64>,
    candidate: Vec<f64>,
}

impl Trial {
    /// 150 µs with log-normal luck of 2 %, half of it shared by both arms of a round; noise that remembers earlier
    /// rounds (AR(1), 0.9, sd 1 %); spikes of up to threefold time in one run of a hundred; candidate 0.5 % slower.
    fn of(n: usize) -> Self {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(SEED));
        let (mut baseline, mut candidate) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut memory = 0.0;
        for _ in 0..n {
            memory = 0.9 * memory + 0.01 * 0.19_f64.sqrt() * random.normal();
            let shared = memory + 0.014 * random.normal();
            let mut time = |effect: f64| {
                let own = 0.014 * random.normal();
                let spike = if random.uniform() < 0.01 { 3.0 * random.uniform() } else { 0.0 };
                150e-6 * (shared + own + effect).exp() * (1.0 + spike)
            };
            baseline.push(time(0.0));
            candidate.push(time(0.005));
        }
        Self { baseline, candidate }
    }

    /// All of the baseline, then all of the candidate, as little-endian doubles.
    fn write(&self, path: &Path) {
        let mut file = BufWriter::new(fs::File::create(path).unwrap());
        for time in self.baseline.iter().chain(&self.candidate) {
            file.write_all(&time.to_le_bytes()).unwrap();
        }
        file.flush().unwrap();
    }

    /// The median time of several full analyses, and the steps of the fastest: on a shared machine the fastest is
    /// nearest to what the work itself takes.
    fn repeated(&self) -> (f64, Steps) {
        let repeats = (10_000_000 / self.baseline.len()).clamp(11, 101);
        let mut runs: Vec<Steps> = (0..repeats)
            .map(|_| {
                let mut steps = Steps::default();
                black_box(self.analyse(&mut steps));
                steps
            })
            .collect();
        runs.sort_by(|left, right| left.total().total_cmp(&right.total()));
        (runs[repeats / 2].total(), runs.swap_remove(0))
    }

    /// What the benchmark is about.
    fn analyse(&self, steps: &mut Steps) -> Value {
        let effects = steps.time("differences", || differences(&self.baseline, &self.candidate).unwrap());
        let sequence =
            steps.time("evidence", || ConfidenceSequence::of(&effects, ALPHA, Mixture::rounds()).unwrap());
        let ln_e_value = steps.time("e-value of no difference", || sequence.ln_e_value(LogRatio(0.0)));
        let verdict = steps.time("interval and verdict", || {
            Verdict::of(sequence.interval(), Margin::default(), sequence.rounds())
        });
        drop((sequence, effects));
        let sorted = steps.time("sort both arms", || {
            [&self.baseline, &self.candidate].map(|arm| Sorted::new(arm).unwrap())
        });
        let levels =
            steps.time("levels", || sorted.each_ref().map(|sorted| Summary::of_sorted(sorted).unwrap()));
        let errors = steps.time("errors of the means", || {
            let rule = MeanErrorRule::default();
            [&self.baseline, &self.candidate].map(|arm| mean_error(arm, rule).unwrap())
        });
        let percentiles = steps.time("percentiles, scaled", || self.percentiles(&sorted));
        json!({
            "alpha": ALPHA, "ln_e_value": ln_e_value, "verdict": verdict_to_json(&verdict),
            "levels": levels.each_ref().map(level_to_json), "means": errors.each_ref().map(mean_to_json),
            "percentiles": percentiles.iter().map(compared_to_json).collect::<Vec<_>>(),
        })
    }

    fn percentiles(&self, sorted: &[Sorted; 2]) -> Vec<ComparedPercentile> {
        let settings = PercentileSettings::at_confidence(CONFIDENCE).unwrap();
        let baseline = Ranked::new(&self.baseline, sorted[0].as_slice()).unwrap();
        let candidate = Ranked::new(&self.candidate, sorted[1].as_slice()).unwrap();
        compared_percentiles(&baseline, &candidate, &DEFAULT_PERCENTILES, &settings).unwrap()
    }

    /// Rounds per second through the e-process when the e-value is asked for after every one.
    fn e_process_speed(&self) -> f64 {
        let effects = differences(&self.baseline, &self.candidate).unwrap();
        let start = Instant::now();
        let mut process = EProcess::of_no_difference();
        let mut largest = f64::NEG_INFINITY;
        for effect in &effects {
            process.push(LogRatio(*effect)).unwrap();
            largest = largest.max(process.ln_e_value());
        }
        black_box(largest);
        effects.len() as f64 / start.elapsed().as_secs_f64()
    }
}

/// Seeded luck.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }
}

fn verdict_to_json(verdict: &Verdict) -> Value {
    let interval = verdict.interval.unwrap();
    json!({
        "word": verdict.word.to_string(), "estimate": interval.estimate.0,
        "low": interval.low.map(|low| low.0), "high": interval.high.map(|high| high.0),
    })
}

fn level_to_json(level: &Summary) -> Value {
    json!({
        "min": level.min, "p5": level.p5, "p10": level.p10, "p25": level.p25, "median": level.median,
        "p75": level.p75, "p90": level.p90, "p95": level.p95, "p99": level.p99, "max": level.max,
        "mean": level.mean, "sd": level.sd, "mad": level.mad,
    })
}

fn mean_to_json(error: &MeanError) -> Value {
    let interval = match error.interval(CONFIDENCE).unwrap() {
        MeanInterval::Between { low, high } => json!([low, high]),
        MeanInterval::TooFewIndependentSamples { .. } => Value::Null,
    };
    json!({ "mean": error.mean, "standard_error": error.standard_error, "naive": error.naive, "interval": interval })
}

fn compared_to_json(percentile: &ComparedPercentile) -> Value {
    json!({
        "percentile": percentile.baseline.percentile, "baseline": arm_to_json(&percentile.baseline),
        "candidate": arm_to_json(&percentile.candidate), "ratio": percentile.ratio,
        "ratio_interval": bounds_to_json(&percentile.ratio_interval),
    })
}

fn arm_to_json(percentile: &ArmPercentile) -> Value {
    json!({ "value": percentile.value, "interval": bounds_to_json(&percentile.interval) })
}

fn bounds_to_json(bounds: &Bounds) -> Value {
    json!([bounds.low, bounds.high])
}
