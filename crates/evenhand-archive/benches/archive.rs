//! How fast is the archive, and how much room does a sample take?
//!
//! Journalling: two-arm rounds of one metric with position and start, one `write` a round. Finish: from the journal to the
//! archive and on the disk. List: a process that opens an archive of 10,000 trials and lists it. Read: all samples of a
//! trial of ten million, every checksum proved. Room: the recorded traces of `calibration/traces` as trials, against the
//! same trial as JSON and as CSV (arm, launch, round, position, started, iterations, value a line).
//!
//! Usage: `cargo bench -p evenhand-archive --bench archive -- [--folder DIR] [--samples 10000000] [--trials 10000]`

#![expect(clippy::unwrap_used, reason = "a program for developers: a full disk may stop it")]

use evenhand_archive::Archive;
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, Round, RoundId, Schedule, Seed, Series, State, Trial, TrialId,
    Unit, columnar, json,
};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

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

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let number = |name, default| option(name).map_or(default, |text| text.parse::<u64>().unwrap());
    let folder = option("--folder").map_or_else(
        || std::env::temp_dir().join(format!("evenhand-archive-bench-{}", std::process::id())),
        PathBuf::from,
    );
    fs::create_dir_all(&folder).unwrap();
    let traces: Vec<(&str, Vec<[f64; 2]>)> = TRACES.iter().map(|name| (*name, trace(name))).collect();
    measure(&folder.join("measured"), &traces[4].1, number("--samples", 10_000_000));
    list(&folder.join("many"), number("--trials", 10_000));
    room(&traces);
    fs::remove_dir_all(&folder).unwrap();
}

/// The pairs of a recorded trace.
fn trace(name: &str) -> Vec<[f64; 2]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../calibration/traces/{name}.txt.gz"));
    let text = Command::new("gzip").arg("-dc").arg(path).output().unwrap().stdout;
    let line = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().unwrap());
        [numbers.next().unwrap(), numbers.next().unwrap()]
    };
    String::from_utf8(text).unwrap().lines().map(line).collect()
}

fn head(number: u64) -> Trial {
    let mut trial =
        Trial::new(TrialId::from_number(number), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(number)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    trial
}

/// A sample: its arm, when it started, and the number.
type Run = (ArmId, u64, f64);

/// A round of a trace in coin order; says where the clock is afterwards.
fn in_coin_order(trial: &Trial, index: u64, clock: u64, pair: &[f64; 2]) -> ([Run; 2], u64) {
    let arms = [ArmId(0), ArmId(1)];
    let order = trial.schedule.unwrap().round(0, &arms, LaunchId(0), RoundId(index));
    let mut clock = clock;
    let mut run = |place: usize| {
        let started = clock + 60;
        clock = started + pair[place] as u64;
        (order[place], started, pair[place])
    };
    ([run(0), run(1)], clock)
}

fn fill(round: &mut Round, index: u64, runs: &[Run; 2]) {
    round.begin(LaunchId(0), RoundId(index));
    for (place, (arm, started, value)) in (0..).zip(runs) {
        round.push(*arm, Some(place), Some(*started), 1, [*value]);
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn measure(dir: &Path, trace: &[[f64; 2]], samples: u64) {
    let archive = Archive::open(dir).unwrap();
    let trial = head(1);
    // Their order is known beforehand, so that only the archive is timed.
    let mut clock = 0;
    let rounds: Vec<_> = (0..samples / 2)
        .map(|index| {
            let (runs, after) = in_coin_order(&trial, index, clock, &trace[index as usize % trace.len()]);
            clock = after;
            runs
        })
        .collect();
    let (mut journal, mut round) = (archive.begin(&trial).unwrap(), Round::default());
    let append = seconds(|| {
        for (index, runs) in (0..).zip(&rounds) {
            fill(&mut round, index, runs);
            journal.append(&round).unwrap();
        }
    });
    let journalled = fs::metadata(journal.path()).unwrap().len();
    let count = rounds.len() as f64 * 2.0;
    drop(rounds);
    let finish = seconds(|| drop(journal.finish(State::Complete).unwrap()));
    let mut read_samples = 0;
    let read = seconds(|| read_samples = archive.trial(&trial.id).unwrap().sample_count());
    assert_eq!(read_samples as f64, count);
    let stored = fs::metadata(archive.database()).unwrap().len();
    println!("one trial of {count} samples (trace m2k)");
    println!("| what | time | rate |");
    println!("|---|---|---|");
    println!("| append, one write a round | {append:.2} s | {:.2} million samples/s |", count / append / 1e6);
    println!(
        "| finish: compress, store, on the disk | {finish:.2} s | {:.2} million samples/s |",
        count / finish / 1e6
    );
    println!("| read, every checksum proved | {read:.2} s | {:.2} million samples/s |", count / read / 1e6);
    println!(
        "\njournal {:.1} bytes a sample, archive {:.2}\n",
        journalled as f64 / count,
        stored as f64 / count
    );
}

fn list(dir: &Path, trials: u64) {
    let mut archive = Archive::open(dir).unwrap();
    // Each trial waits for the disk when it is added; not here, where only the list is timed.
    let memory = Path::new("/dev/shm");
    let fast = if memory.is_dir() {
        memory.join(format!("evenhand-bench-{}", std::process::id()))
    } else {
        dir.to_owned()
    };
    if fast != dir {
        archive = Archive::open(&fast).unwrap();
    }
    for number in 0..trials {
        let mut trial = head(number);
        trial.started = Some("2026-11-21T08:00:00Z".parse().unwrap());
        trial.label = (number % 10 == 0).then(|| format!("nightly {number}"));
        trial.environment.arguments =
            vec!["evenhand".to_owned(), "run".to_owned(), "--".to_owned(), "x".repeat(200)];
        let mut series = Series::new(ArmId(0), LaunchId(0), 1);
        series.values = vec![(0..30).map(|sample| 1e6 + f64::from(sample * 37 % 23)).collect()];
        trial.series = vec![series.clone(), Series { arm: ArmId(1), ..series }];
        archive.add(&trial).unwrap();
    }
    drop(archive);
    if fast != dir {
        fs::copy(fast.join("archive.sqlite"), dir.join("archive.sqlite")).unwrap();
        fs::remove_dir_all(&fast).unwrap();
    }
    let mut times: Vec<f64> = (0..11)
        .map(|_| seconds(|| assert_eq!(Archive::open(dir).unwrap().entries().unwrap().len() as u64, trials)))
        .collect();
    times.sort_by(f64::total_cmp);
    let bytes = fs::metadata(dir.join("archive.sqlite")).unwrap().len();
    println!(
        "open and list {trials} trials: median {:.1} ms, worst of 11 {:.1} ms; {} bytes a trial of 60 samples\n",
        times[5] * 1e3,
        times[10] * 1e3,
        bytes / trials
    );
}

fn room(traces: &[(&str, Vec<[f64; 2]>)]) {
    println!(
        "bytes a sample, and how many times that JSON and CSV take; times only: without position and start"
    );
    println!("| trace | samples | archive | JSON | CSV | archive, times only | JSON | CSV |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, pairs) in traces {
        let mut trial = head(1);
        trial.series = vec![Series::new(ArmId(0), LaunchId(0), 1), Series::new(ArmId(1), LaunchId(0), 1)];
        let (mut clock, mut round) = (0, Round::default());
        for (index, pair) in (0..).zip(pairs) {
            let (runs, after) = in_coin_order(&trial, index, clock, pair);
            clock = after;
            fill(&mut round, index, &runs);
            round.samples().for_each(|(arm, sample)| trial.series[arm.index()].push(sample));
        }
        let full = sizes(&trial);
        for series in &mut trial.series {
            (series.positions, series.started) = (None, None);
        }
        let times = sizes(&trial);
        let count = trial.sample_count() as f64;
        let columns = [full, times].map(|[archive, json, csv]| {
            format!("{:.2} | ×{:.1} | ×{:.1}", archive / count, json / archive, csv / archive)
        });
        println!("| {name} | {count} | {} |", columns.join(" | "));
    }
}

/// The bytes of the samples in the archive, of the trial as JSON and as CSV.
fn sizes(trial: &Trial) -> [f64; 3] {
    let mut text = Vec::new();
    json::write(trial, &mut text).unwrap();
    let mut csv = "arm,launch,round,position,started,iterations,wall\n".to_owned();
    for series in &trial.series {
        for index in 0..series.len() {
            let known = |whole: &Option<evenhand_trial::Whole>| {
                whole
                    .as_ref()
                    .and_then(|whole| whole.get(index))
                    .map_or_else(String::new, |number| number.to_string())
            };
            let arm = &trial.arms[series.arm.index()].name;
            let round = series.rounds.get(index).unwrap();
            let (position, started) = (known(&series.positions), known(&series.started));
            writeln!(csv, "{arm},0,{round},{position},{started},1,{}", series.values[0][index]).unwrap();
        }
    }
    [columnar::encode(&trial.series).unwrap().len() as f64, text.len() as f64, csv.len() as f64]
}
