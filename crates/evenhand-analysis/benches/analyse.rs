//! How long does `analyse` take, and how much memory? Two arms with a coin, 10^4 to 10^7 samples in all.
//!
//!     cargo bench -p evenhand-analysis --bench analyse [-- SAMPLES...]
//!
//! Every size runs in a process of its own, because the peak of the memory is one of the process. `trial` is the
//! memory of the trial itself, before the analysis.
#![expect(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

use evenhand_analysis::{Settings, analyse};
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, MetricId, Origin, RoundId, Schedule, Seed, Series, Trial, TrialId, Unit,
    Whole,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [only, samples] = arguments.as_slice()
        && only == "only"
    {
        return one(samples.parse().unwrap());
    }
    // `cargo test --all-targets` starts this program too, without `--bench`: it measures nothing there.
    if !arguments.iter().any(|word| word == "--bench") {
        return println!("run by `cargo bench`");
    }
    arguments.retain(|word| word != "--bench");
    println!("{:>10} {:>10} {:>12} {:>10} {:>10}", "samples", "seconds", "samples/s", "trial", "peak RSS");
    let sizes = ["10000", "100000", "1000000", "10000000"].map(str::to_owned).to_vec();
    for size in if arguments.is_empty() { sizes } else { arguments } {
        let status = Command::new(std::env::current_exe().unwrap()).args(["only", &size]).status().unwrap();
        assert!(status.success(), "{size} samples: {status}");
    }
}

fn one(samples: usize) {
    let trial = trial(samples / 2);
    let before = resident("VmRSS:");
    let start = Instant::now();
    black_box(analyse(&trial, &Settings::default()).unwrap());
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{samples:>10} {seconds:>10.3} {:>12.0} {:>7.0} MB {:>7.0} MB",
        samples as f64 / seconds,
        before,
        resident("VmHWM:")
    );
}

/// Log-normal noise that remembers a little of itself, with a candidate 0.5 % slower.
fn trial(rounds: usize) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(1)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(1);
    for (arm, factor) in [(0, 1.0), (1, 1.005)] {
        let mut series = Series::new(ArmId(arm), LaunchId(0), 1);
        let mut noise = 0.0;
        series.values[MetricId(0).index()] = (0..rounds)
            .map(|_| {
                noise = 0.3 * noise + 0.01 * normal(&mut draws);
                (1e6 * factor * f64::exp(noise)).round()
            })
            .collect();
        series.rounds = Whole::Counting { from: RoundId(0).0 };
        trial.series.push(series);
    }
    trial
}

/// Twelve uniform draws less six: near enough to normal.
fn normal(draws: &mut Xoshiro256PlusPlus) -> f64 {
    (0..12).map(|_| (draws.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0
}

/// A line of the kernel's account of this process, in MB; 0 where there is none.
fn resident(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let number =
        status.lines().find_map(|l| l.strip_prefix(line)?.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or(0.0) / 1e3
}
