//! The calibration program: proves the statistics by simulation on synthetic processes and recorded traces.
//!
//! ```text
//! calibration quick            a subset in under two minutes; fails if a row breaks its promise
//! calibration part NAME        means, printed, power, suites or percentiles, as in `full`, on the terminal
//! calibration part levels      steps and drifts: false ones and found ones; not in `full`
//! calibration part signs       where some cost nothing: false words and found errors; not in `full`
//! calibration full [FOLDER]    everything; writes RESULTS.md and results.json into FOLDER; one that was stopped goes on
//! ```
//!
//! All draws are seeded, so the table is the same to the digit on every run.

#![allow(unreachable_pub, reason = "a program has no outside: `pub` marks what a file offers its neighbours")]

mod coarse_clock;
mod intervals;
mod kept;
mod levels;
mod mean_error;
mod mean_width;
mod percentile;
mod printed;
mod report;
mod rule;
mod signs;
mod source;
mod suites;
mod table;
mod unpaired;
mod verdicts;

use kept::Kept;
use source::Source;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use table::Row;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["quick"] => quick(),
        ["part", "levels"] => levels(),
        ["part", "signs"] => signs(),
        ["part", name] => part(name),
        ["full"] => full(&home()),
        ["full", folder] => full(Path::new(folder)),
        _ => Err("usage: calibration quick | calibration part NAME | calibration full [FOLDER]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(told) => {
            eprintln!("calibration: {told}");
            ExitCode::FAILURE
        }
    }
}

/// This program's folder in the sources: where the traces lie and the tables go.
fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A piece of the table that can be computed on its own.
type Job<'a> = Box<dyn Fn() -> Vec<Row> + Send + Sync + 'a>;

fn quick() -> Result<(), String> {
    let (sources, heaps) = (Source::all(&home().join("traces"))?, Source::of_heaps());
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for source in &sources {
        jobs.push(Box::new(|| verdicts::watched_false_alarms(source, 1000)));
        jobs.push(Box::new(|| verdicts::coverage(source, 500)));
        jobs.push(Box::new(|| verdicts::power(source, &[0.01], 60)));
        jobs.push(Box::new(|| printed::power(source, &[0.01], 60)));
    }
    for source in &heaps {
        jobs.push(Box::new(|| printed::printed(source, 60)));
    }
    jobs.push(Box::new(|| unpaired::words(200)));
    jobs.push(Box::new(|| unpaired::unequal_spreads(200)));
    jobs.push(Box::new(|| coarse_clock::coarse_clock(10)));
    jobs.push(Box::new(|| verdicts::launches(1000)));
    jobs.push(Box::new(|| intervals::mean_errors(&[(1000, 300)])));
    let rows = compute(&jobs, None);
    print!("{}", report::summary(&rows));
    report::verify(&rows)
}

fn part(name: &str) -> Result<(), String> {
    let (sources, heaps) = (Source::all(&home().join("traces"))?, Source::of_heaps());
    let jobs: Vec<Job<'_>> = match name {
        "means" => means(&sources),
        "printed" => heaps
            .iter()
            .chain(&sources)
            .map(|source| -> Job<'_> { Box::new(|| printed::printed(source, 2000)) })
            .collect(),
        "power" => sources
            .iter()
            .flat_map(|source| -> [Job<'_>; 2] {
                [
                    Box::new(|| verdicts::power(source, &verdicts::EFFECTS, 1000)),
                    Box::new(|| printed::power(source, &verdicts::EFFECTS, 1000)),
                ]
            })
            .collect(),
        "suites" => suites_of(&sources, &heaps),
        "spreads" => vec![Box::new(|| unpaired::unequal_spreads(2000))],
        "percentiles" => vec![Box::new(|| -> Vec<Row> { intervals::percentiles(100, &[200, 1000]) })],
        _ => {
            return Err(format!(
                "there is no part {name}: choose one of means, printed, power, suites, spreads, percentiles, levels, signs"
            ));
        }
    };
    let rows = compute(&jobs, None);
    print!("{}", report::markdown(&format!("calibration part {name}"), &rows));
    report::verify(&rows)
}

fn levels() -> Result<(), String> {
    print!("{}", levels::tables(&Source::all(&home().join("traces"))?, 1000)?);
    Ok(())
}

fn signs() -> Result<(), String> {
    print!("{}", signs::tables(300, 20_000)?);
    Ok(())
}

/// The error of the mean as it is printed.
fn means(sources: &[Source]) -> Vec<Job<'_>> {
    vec![Box::new(|| mean_width::independent(4000)), Box::new(|| mean_width::dependent(sources, 1000))]
}

/// Suites of benchmarks that each end when their word is final.
fn suites_of<'a>(sources: &'a [Source], heaps: &'a [Source]) -> Vec<Job<'a>> {
    const BENCHMARKS: usize = 9000;
    let wanted = ["normal, sd 5 %", "spikes 10 %", "second 5 % slower, noise 0.1 %", "wild tails, t2 1 %"];
    let chosen = sources.iter().chain(heaps).filter(move |source| wanted.contains(&source.name().as_str()));
    let rounds = chosen.map(|source| -> Job<'a> { Box::new(move || suites::of_rounds(source, BENCHMARKS)) });
    let launches = verdicts::sources_of_launches()
        .map(|source| -> Job<'a> { Box::new(move || suites::of_launches(&source, BENCHMARKS)) });
    rounds.chain(launches).collect()
}

fn full(folder: &Path) -> Result<(), String> {
    let (sources, heaps) = (Source::all(&home().join("traces"))?, Source::of_heaps());
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for source in &sources {
        jobs.push(Box::new(|| verdicts::watched_false_alarms(source, 20_000)));
        jobs.push(Box::new(|| verdicts::fixed_false_alarms(source, 1000)));
        jobs.push(Box::new(|| verdicts::coverage(source, 20_000)));
        jobs.push(Box::new(|| verdicts::added_time(source, 1000)));
        jobs.push(Box::new(|| verdicts::power(source, &verdicts::EFFECTS, 1000)));
        jobs.push(Box::new(|| printed::power(source, &verdicts::EFFECTS, 1000)));
        jobs.push(Box::new(|| verdicts::scores(source, 1000)));
        jobs.push(Box::new(|| verdicts::words(source, 1000)));
        jobs.push(Box::new(|| unpaired::false_alarms(source, 1000)));
    }
    for source in heaps.iter().chain(&sources) {
        jobs.push(Box::new(|| printed::printed(source, 2000)));
    }
    jobs.push(Box::new(|| unpaired::words(2000)));
    jobs.push(Box::new(|| unpaired::unequal_spreads(2000)));
    jobs.push(Box::new(|| coarse_clock::coarse_clock(60)));
    jobs.push(Box::new(|| verdicts::launches(20_000)));
    jobs.push(Box::new(|| {
        intervals::mean_errors(&[(100, 1000), (1000, 1000), (10_000, 1000), (100_000, 200)])
    }));
    jobs.extend(means(&sources));
    jobs.extend(suites_of(&sources, &heaps));
    jobs.push(Box::new(|| intervals::percentiles(300, &[200, 1000])));
    let kept = Kept::beside_the_program()?;
    let rows = compute(&jobs, Some(&kept));
    let command = "make calibration";
    write(&folder.join("RESULTS.md"), &report::markdown(command, &rows))?;
    write(&folder.join("results.json"), &table::json(command, &rows)?)?;
    print!("{}", report::summary(&rows));
    report::verify(&rows)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Runs the jobs on all cores, but for those whose rows are kept; the rows come back in the order of the jobs.
fn compute(jobs: &[Job<'_>], kept: Option<&Kept>) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((index, job)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|job| (index, job))
        } {
            let rows = kept.and_then(|kept| kept.rows_of(index)).unwrap_or_else(|| {
                let rows = job();
                kept.inspect(|kept| kept.keep(index, &rows));
                rows
            });
            // A poisoned lock means that another job panicked, and the program is ending anyway.
            if let Ok(mut done) = done.lock() {
                done.push((index, rows));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().flat_map(|(_, rows)| rows).collect()
}
