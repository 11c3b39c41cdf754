//! Is B faster than A? The statistics at work on commands and functions that really run, on this machine, now.
//!
//!     cargo run --release --example demo [SECONDS_PER_COMPARISON] [SEED]
//!
//! It also shows how to put the crate under a measuring loop of your own: toss a coin a round, push the
//! difference, look when you like, stop when the word is final.

use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::percentile::{Arm, Settings, compared_percentiles};
use evenhand_stats::randomised::confidence_sequence::Interval;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Verdict, differences};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::error::Error;
use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

const ALPHA: f64 = 0.01;

fn main() -> ExitCode {
    match demo() {
        Ok(()) => ExitCode::SUCCESS,
        Err(told) => {
            eprintln!("demo: {told}");
            ExitCode::FAILURE
        }
    }
}

fn demo() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(Ok(10.0), |s| number(&s, "SECONDS_PER_COMPARISON, such as 10"))?;
    let budget = Duration::try_from_secs_f64(seconds).map_err(|e| format!("SECONDS_PER_COMPARISON: {e}"))?;
    let clock_seed = || std::time::UNIX_EPOCH.elapsed().map_or(0, |age| age.as_nanos() as u64);
    let seed = arguments.next().map_or_else(|| Ok(clock_seed()), |s| number(&s, "SEED, a whole number"))?;
    let mut coin = Xoshiro256PlusPlus::seed_from_u64(seed);
    println!("Each round runs both in an order that a coin decides (seed {seed}). 99 % sure, margin 1 %.");
    println!(
        "`=` marks the effects not yet refuted, from -6 % to +6 %; `?` is an end that needs more rounds.\n"
    );

    let files = Files::write()?;
    let comparisons = [
        ("a command against itself", md5sum(&files.whole), md5sum(&files.whole)),
        ("a command with 3 % more to read", md5sum(&files.whole), md5sum(&files.longer)),
        ("a function against itself", counting(100_000), counting(100_000)),
        ("a function with 1.5 % less to do", counting(100_000), counting(98_500)),
    ];
    for (name, baseline, candidate) in comparisons {
        println!("{name}");
        compare(baseline, candidate, budget, &mut coin)?;
    }
    Ok(())
}

fn number<N: FromStr>(said: &str, wanted: &str) -> Result<N, String> {
    said.parse().map_err(|_| format!("'{said}' is no {wanted}"))
}

/// Runs once, answers the nanoseconds it took.
type Run = Box<dyn FnMut(u64) -> Result<f64, Box<dyn Error>>>;

/// Two files to read, removed when dropped.
struct Files {
    whole: std::path::PathBuf,
    longer: std::path::PathBuf,
}

impl Files {
    fn write() -> Result<Self, Box<dyn Error>> {
        let folder = std::env::temp_dir();
        let path = |name: &str| folder.join(format!("evenhand demo {} {name}", std::process::id()));
        let files = Self { whole: path("whole"), longer: path("longer") };
        let bytes: Vec<u8> =
            (0..4_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        std::fs::write(&files.whole, &bytes)?;
        std::fs::write(&files.longer, [&bytes[..], &bytes[..120_000]].concat())?;
        Ok(files)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Nothing is lost if a temporary file stays.
        let _ = std::fs::remove_file(&self.whole).and(std::fs::remove_file(&self.longer));
    }
}

fn md5sum(file: &std::path::Path) -> Run {
    let file = file.to_owned();
    Box::new(move |_| {
        let start = Instant::now();
        let run = Command::new("md5sum").arg(&file).stdout(Stdio::null()).status();
        let status = run.map_err(|e| format!("md5sum: {e}; it is in Debian's package coreutils"))?;
        let nanoseconds = start.elapsed().as_nanos() as f64;
        if status.success() { Ok(nanoseconds) } else { Err(format!("md5sum: {status}").into()) }
    })
}

/// Counts the characters of a fresh random text of `length` bytes, the same text for both arms.
fn counting(length: usize) -> Run {
    Box::new(move |payload| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(payload);
        let letters: String =
            (0..length).map(|_| char::from(b'a' + (random.next_u64() % 26) as u8)).collect();
        let start = Instant::now();
        black_box(count_characters(black_box(&letters)));
        Ok((start.elapsed().as_nanos() as f64).max(1.0))
    })
}

fn count_characters(text: &str) -> usize {
    let (mut count, mut characters) = (0, text.chars());
    while characters.next().is_some() {
        count = black_box(count + 1);
    }
    count
}

fn compare(
    mut a: Run,
    mut b: Run,
    budget: Duration,
    coin: &mut Xoshiro256PlusPlus,
) -> Result<(), Box<dyn Error>> {
    let (mut baseline, mut candidate) = (Vec::new(), Vec::new());
    let mut sequence = ConfidenceSequence::new(ALPHA, Mixture::rounds())?;
    // The verdict may fall earlier; the levels printed below it want some rounds.
    let (start, mut next_look) = (Instant::now(), 32);
    loop {
        let payload = coin.next_u64();
        let a_first = coin.next_u64() >> 63 == 1;
        let (time_a, time_b) = if a_first {
            let time_a = a(payload)?;
            (time_a, b(payload)?)
        } else {
            let time_b = b(payload)?;
            (a(payload)?, time_b)
        };
        baseline.push(time_a);
        candidate.push(time_b);
        sequence.push(LogRatio(differences(&[time_a], &[time_b])?[0]))?;
        let rounds = sequence.rounds();
        let out_of_time = start.elapsed() >= budget;
        if rounds < next_look && !out_of_time {
            continue;
        }
        next_look = rounds + rounds / 2 + 1;
        let verdict = Verdict::of(sequence.look(), Margin::default(), rounds);
        println!(
            "  {:>6} rounds  {:>5.1} s  {}",
            rounds,
            start.elapsed().as_secs_f64(),
            bar(verdict.interval)
        );
        if verdict.word.is_final() || out_of_time {
            print_end(&verdict, &baseline, &candidate, start.elapsed())?;
            return Ok(());
        }
    }
}

/// The interval on a scale from -6 % to +6 %; `|` marks no difference.
fn bar(interval: Option<Interval>) -> String {
    const HALF: i32 = 24;
    let column =
        |bound: LogRatio| ((bound.percent() / 6.0 * f64::from(HALF)).round() as i32).clamp(-HALF, HALF);
    let Some(interval) = interval else { return "the effect itself is changing".to_owned() };
    let low = interval.low.map_or(-HALF, column);
    let high = interval.high.map_or(HALF, column);
    let cell = |at| match at {
        0 => '|',
        _ if (low..=high).contains(&at) => '=',
        _ => '.',
    };
    (-HALF..=HALF).map(cell).collect()
}

fn print_end(verdict: &Verdict, a: &[f64], b: &[f64], took: Duration) -> Result<(), Box<dyn Error>> {
    let bound =
        |bound: Option<LogRatio>| bound.map_or("?".to_owned(), |bound| format!("{:+.2} %", bound.percent()));
    if let Some(interval) = verdict.interval {
        let (estimate, low, high) = (interval.estimate.percent(), bound(interval.low), bound(interval.high));
        let (rounds, seconds) = (verdict.rounds, took.as_secs_f64());
        println!("  => {}: {estimate:+.2} % [{low}, {high}], {rounds} rounds, {seconds:.1} s", verdict.word);
    }
    if let Some(needed) = verdict.rounds_to_final {
        println!("     a final word would take about {needed} rounds at this rate");
    }
    for (name, times) in [("baseline ", a), ("candidate", b)] {
        println!("     {name}  {}", level(times)?);
    }
    println!("     scaled P50, P95  {}\n", scaled(a, b)?);
    Ok(())
}

fn level(times: &[f64]) -> Result<String, Box<dyn Error>> {
    let sorted = Sorted::new(times)?;
    let error = mean_error(times, MeanErrorRule::default())?;
    let us = |nanoseconds: f64| nanoseconds / 1000.0;
    let mean = if error.has_too_few_independent_samples() {
        "mean not known: too few independent samples".to_owned()
    } else {
        let (corrected, naive) = (us(error.half_width(0.95)?), us(1.96 * error.naive));
        format!("mean {:.1} ± {corrected:.1} µs (naive ± {naive:.1})", us(error.mean))
    };
    let p95 = us(sorted.percentile(95.0)?);
    Ok(format!("min {:.1}  median {:.1}  P95 {p95:.1} µs  {mean}", us(sorted.min()), us(sorted.median())))
}

fn scaled(a: &[f64], b: &[f64]) -> Result<String, Box<dyn Error>> {
    let (sorted_a, sorted_b) = (Sorted::new(a)?, Sorted::new(b)?);
    let arms = (Arm::new(a, sorted_a.as_slice())?, Arm::new(b, sorted_b.as_slice())?);
    let rows = compared_percentiles(&arms.0, &arms.1, &[50.0, 95.0], &Settings::default())?;
    let end = |end: Option<f64>| end.map_or("?".to_owned(), |end| format!("{end:.3}"));
    let cell = |row: &evenhand_stats::percentile::ComparedPercentile| {
        let interval = row.ratio_interval;
        format!("{:.3} [{}, {}]", row.ratio, end(interval.low), end(interval.high))
    };
    Ok(rows.iter().map(cell).collect::<Vec<_>>().join("  "))
}
