//! Where the times come from: recorded traces of the same work twice in a row, and synthetic processes.
//!
//! A [`Source`] hands out rounds as (first, second) execution times of *the same work*. Which arm gets which is
//! for the trial's coin; an effect is planted by multiplying the candidate's time.

use flate2::read::GzDecoder;
use rand_core::{Rng, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Read;
use std::path::Path;

/// The seeded generator that every draw uses.
pub type Random = Xoshiro256PlusPlus;

/// The generator of one draw: the same table from the same seed, on any number of threads.
pub fn random(stream: u64, draw: u64) -> Random {
    Random::seed_from_u64(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ draw)
}

/// A uniform number in [0, 1).
pub fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A fair coin.
pub fn coin(random: &mut Random) -> bool {
    random.next_u64() >> 63 == 1
}

/// A standard normal number.
pub fn normal(random: &mut Random) -> f64 {
    StandardNormal.sample(random)
}

/// One round: times of the first and the second execution.
pub type Pair = (f64, f64);

/// Where rounds come from.
pub enum Source {
    /// Recorded on a real machine.
    Trace {
        /// The file's name without its ending.
        name: String,
        /// All recorded rounds.
        pairs: Vec<Pair>,
    },
    /// Simulated: the factor on a nominal time, execution by execution.
    Process {
        /// What is simulated.
        name: &'static str,
        /// Fills the slice with consecutive execution times.
        times: fn(&mut Random, &mut [f64]),
    },
}

impl Source {
    /// All sources: the traces in `folder`, then the processes.
    pub fn all(folder: &Path) -> Result<Vec<Self>, String> {
        let mut sources =
            TRACES.iter().map(|name| Self::trace(folder, name)).collect::<Result<Vec<_>, _>>()?;
        sources.extend(PROCESSES.iter().map(|(name, times)| Self::Process { name, times: *times }));
        Ok(sources)
    }

    /// Processes whose rounds form heaps or change as they go: what a verdict in words must bear.
    pub fn of_heaps() -> Vec<Self> {
        HEAPS.iter().map(|(name, times)| Self::Process { name, times: *times }).collect()
    }

    fn trace(folder: &Path, name: &str) -> Result<Self, String> {
        let path = folder.join(format!("{name}.txt.gz"));
        let told = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let file = std::fs::File::open(&path).map_err(|e| told(&e))?;
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).map_err(|e| told(&e))?;
        let pairs = text.lines().map(parse_pair).collect::<Option<Vec<_>>>();
        let pairs = pairs.ok_or_else(|| told(&"a line is not two numbers"))?;
        Ok(Self::Trace { name: name.to_owned(), pairs })
    }

    /// The source's name in the table.
    pub fn name(&self) -> String {
        match self {
            Self::Trace { name, .. } => format!("trace {name}"),
            Self::Process { name, .. } => (*name).to_owned(),
        }
    }

    /// How many rounds a draw may use without meeting one twice.
    pub fn longest(&self) -> usize {
        match self {
            Self::Trace { pairs, .. } => pairs.len(),
            Self::Process { .. } => usize::MAX,
        }
    }

    /// `n` consecutive rounds from a random place.
    pub fn draw(&self, random: &mut Random, n: usize) -> Vec<Pair> {
        match self {
            Self::Trace { pairs, .. } => {
                let start = (uniform(random) * pairs.len() as f64) as usize;
                (0..n).map(|i| pairs[(start + i) % pairs.len()]).collect()
            }
            Self::Process { times, .. } => {
                let mut flat = vec![0.0; 2 * n];
                times(random, &mut flat);
                flat.chunks_exact(2).map(|two| (two[0], two[1])).collect()
            }
        }
    }
}

fn parse_pair(line: &str) -> Option<Pair> {
    let mut numbers = line.split_whitespace().map(str::parse::<f64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

const TRACES: [&str; 10] = [
    "c5k_1",
    "c5k_load",
    "c100k",
    "c100k_load",
    "m2k",
    "m2k_load",
    "p5ms",
    "p5ms_load",
    "p50ms",
    "p50ms_load",
];

type Times = fn(&mut Random, &mut [f64]);

const PROCESSES: [(&str, Times); 9] = [
    ("normal, sd 5 %", |random, times| fill(times, || 1.0 + 0.05 * normal(random).clamp(-6.0, 6.0))),
    ("log-normal, sigma 0.2", |random, times| fill(times, || (0.2 * normal(random)).exp())),
    ("AR(1) phi 0.95", autoregressive),
    ("regimes, 2 modes", |random, times| regimes(random, times, 2)),
    ("regimes, 7 modes", |random, times| regimes(random, times, 7)),
    ("1/f noise", one_over_f),
    ("spikes 0.1 %", |random, times| spikes(random, times, 0.001)),
    ("spikes 10 %", |random, times| spikes(random, times, 0.1)),
    ("drift 20 % and order effect 5 %", drift_and_order),
];

const HEAPS: [(&str, Times); 8] = [
    ("second 5 % slower, noise 0.1 %", |random, times| by_place(random, times, [1.0, 1.05], 0.001)),
    ("first 30 % slower, noise 0.3 %", |random, times| by_place(random, times, [1.3, 1.0], 0.003)),
    ("second 30 % slower, noise 3 %", |random, times| by_place(random, times, [1.0, 1.3], 0.03)),
    // Runs toggle between two times, and every other round begins with the longer one.
    ("1 and 1.3 in turns", |random, times| by_run(random, times, |run| [1.0, 1.3, 1.3, 1.0][run % 4])),
    ("each run longer than the last", |random, times| by_run(random, times, |run| 1.0 + 0.005 * run as f64)),
    ("two heaps at random", |random, times| {
        fill(times, || if coin(random) { 1.0 } else { 1.2 } * (0.001 * normal(random)).exp());
    }),
    ("a clock of 10 steps", |random, times| {
        fill(times, || ((1.0 + 0.1 * normal(random)) * 10.0).round().max(1.0) / 10.0);
    }),
    ("wild tails, t2 1 %", |random, times| fill(times, || (0.01 * student_2(random)).exp())),
];

/// Times that depend on who runs first and second.
fn by_place(random: &mut Random, times: &mut [f64], places: [f64; 2], noise: f64) {
    by_run_with(random, times, noise, |run| places[run % 2]);
}

/// Times that depend on how many runs there were before.
fn by_run(random: &mut Random, times: &mut [f64], time: fn(usize) -> f64) {
    by_run_with(random, times, 0.001, time);
}

fn by_run_with(random: &mut Random, times: &mut [f64], noise: f64, time: impl Fn(usize) -> f64) {
    for (run, out) in times.iter_mut().enumerate() {
        *out = time(run) * (noise * normal(random)).exp();
    }
}

/// Student's t with two degrees of freedom, from its quantile function; cut where a double would not hold its exponential.
fn student_2(random: &mut Random) -> f64 {
    let p = uniform(random).clamp(1e-6, 1.0 - 1e-6);
    (2.0 * p - 1.0) / (2.0 * p * (1.0 - p)).sqrt()
}

fn fill(times: &mut [f64], mut next: impl FnMut() -> f64) {
    times.iter_mut().for_each(|time| *time = next());
}

/// Log times with lag-1 correlation 0.95, standard deviation 10 %, and 1 % of independent jitter.
fn autoregressive(random: &mut Random, times: &mut [f64]) {
    const PHI: f64 = 0.95;
    let step = 0.1 * (1.0 - PHI * PHI).sqrt();
    let mut level = 0.1 * normal(random);
    for time in times {
        level = PHI * level + step * normal(random);
        *time = (level + 0.01 * normal(random)).exp();
    }
}

/// Modes 20 % apart, each held for 50 executions on average, with 1 % of jitter.
fn regimes(random: &mut Random, times: &mut [f64], modes: u32) {
    let pick = |random: &mut Random| 1.2_f64.powi((uniform(random) * f64::from(modes)) as i32);
    let mut mode = pick(random);
    for time in times {
        if uniform(random) < 0.02 {
            mode = pick(random);
        }
        *time = mode * (0.01 * normal(random)).exp();
    }
}

/// Six AR(1) processes an octave or more apart add up to a spectrum near 1/f over three decades.
fn one_over_f(random: &mut Random, times: &mut [f64]) {
    let mut parts = [0.0_f64; 6];
    for time in times {
        let mut sum = 0.0;
        for (k, part) in parts.iter_mut().enumerate() {
            let phi = 1.0 - 4f64.powi(-(k as i32) - 1);
            *part = phi * *part + (1.0 - phi * phi).sqrt() * normal(random);
            sum += *part;
        }
        *time = (0.03 * sum).exp();
    }
}

/// 1 % of jitter, and now and then an execution that takes 2 to 20 times as long.
fn spikes(random: &mut Random, times: &mut [f64], share: f64) {
    for time in times {
        let spike = if uniform(random) < share { 2.0 * 10f64.powf(uniform(random)) } else { 1.0 };
        *time = spike * (0.01 * normal(random)).exp();
    }
}

/// The machine slows down by a fifth over the draw, and whoever runs second is 5 % faster.
fn drift_and_order(random: &mut Random, times: &mut [f64]) {
    let n = times.len() as f64;
    for (i, time) in times.iter_mut().enumerate() {
        let second = if i % 2 == 1 { 0.95 } else { 1.0 };
        *time = second * (1.0 + 0.2 * i as f64 / n) * (0.02 * normal(random)).exp();
    }
}
