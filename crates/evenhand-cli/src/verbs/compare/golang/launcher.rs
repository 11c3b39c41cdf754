//! How do the benchmarks of an unknown release of Go take part? The test binary is left as it is. Each turn starts it anew, as `go test -bench`
//! would, and what it prints is read by the importer: so this serves a host as a worker does, and needs milliseconds for a turn.
//!
//! Tests: `tests/program/golang.rs`.

use super::PREFIX;
use crate::CliError;
use evenhand_formats::import::{Format, import};
use evenhand_protocol::frame::Frame;
use evenhand_protocol::message::{Answer, Benchmark, Hello, Metric, Prepared, Request, Results, Run, Sample};
use evenhand_protocol::{VARIABLE, VERSION};
use evenhand_trial::{Better, MetricId};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;
use std::time::Instant;

/// Nanoseconds that a turn is to take: beside a start of some milliseconds less would be wasted.
const TURN: u64 = 10_000_000;
/// With so many iterations at most it is found out how long one takes.
const MOST_PILOTS: f64 = 100_000.0;
/// What the importer calls the time of an iteration.
const TIME: &str = "wall";

/// The command that starts a test binary as a worker; arguments for its tests may follow.
pub(in super::super) fn launcher(program: OsString) -> Result<Vec<OsString>, CliError> {
    let me = std::env::current_exe().map_err(CliError::new)?;
    Ok(vec![me.into_os_string(), "worker".into(), "go-test".into(), "--".into(), program])
}

/// Serves the host that has started this program.
pub(crate) fn serve(words: &[OsString]) -> Result<(), CliError> {
    let (mut requests, mut answers) = descriptors()?;
    let mut launches = Launches::new(words)?;
    while let Some(frame) = Frame::read(&mut requests).map_err(CliError::new)? {
        let answer = match Request::of(&frame).map_err(CliError::new)? {
            Request::Hello { .. } => Answer::Hello(hello()),
            Request::List => launches.list().map_or_else(failed, Answer::Benchmarks),
            Request::Prepare { benchmark } => {
                launches.prepare(benchmark).map_or_else(failed, Answer::Prepared)
            }
            Request::Run(run) => launches.run(&run).map_or_else(failed, Answer::Results),
            Request::Finish => Answer::Done,
            Request::Bye => break,
        };
        answer.frame().write(&mut answers).map_err(CliError::new)?;
    }
    Ok(())
}

fn failed(why: String) -> Answer {
    Answer::Failed { why }
}

/// Where requests come from and answers go.
fn descriptors() -> Result<(File, File), CliError> {
    let variable = std::env::var(VARIABLE).unwrap_or_default();
    let numbers: Vec<u32> = variable.split(',').filter_map(|number| number.parse().ok()).collect();
    let [requests, answers, ..] = numbers[..] else {
        return Err(CliError::new("`evenhand worker go-test` is started by `evenhand compare`"));
    };
    let path = |number| format!("/proc/self/fd/{number}");
    let requests = File::open(path(requests)).map_err(CliError::new)?;
    let answers = File::options().write(true).open(path(answers)).map_err(CliError::new)?;
    Ok((requests, answers))
}

fn hello() -> Hello {
    Hello {
        version: VERSION,
        language: "Go, launched by evenhand".to_owned(),
        clock: "testing.B".to_owned(),
        resolution: 1.0,
        cost: 0.0,
        iteration: 0.0,
        turns: false,
    }
}

/// A test binary, and what is known of its benchmarks.
struct Launches<'a> {
    program: &'a OsStr,
    more: &'a [OsString],
    prefix: String,
    began: Instant,
    /// How many processors a benchmark gets.
    processors: usize,
    names: Vec<String>,
    /// The benchmark that is ready, with what it measures beside the time.
    ready: String,
    metrics: Vec<Metric>,
}

impl<'a> Launches<'a> {
    fn new(words: &'a [OsString]) -> Result<Self, CliError> {
        let (program, more) =
            words.split_first().ok_or_else(|| CliError::new("`go-test` needs a test binary"))?;
        let prefix = std::env::var(PREFIX).unwrap_or_default();
        let processors = available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            program,
            more,
            prefix,
            began: Instant::now(),
            processors,
            names: Vec::new(),
            ready: String::new(),
            metrics: Vec::new(),
        })
    }

    /// All benchmarks, each of which runs once: which there are inside another is known to the code alone.
    fn list(&mut self) -> Result<Vec<Benchmark>, String> {
        let (printed, has_succeeded) = self.launched(".", 1)?;
        self.names = printed.lines().filter_map(|line| benchmark(line, self.processors)).collect();
        if self.names.is_empty() && !has_succeeded {
            return Err(format!("it failed: {}", printed.trim()));
        }
        let described = |name: &String| Benchmark {
            name: format!("{}{name}", self.prefix),
            group: String::new(),
            baseline: false,
            parameters: vec![("@iteration_time".to_owned(), TURN.to_string())],
        };
        Ok(self.names.iter().map(described).collect())
    }

    /// Without a list, the host says which the only one is that this launch will prepare.
    fn prepare(&mut self, place: u32) -> Result<Prepared, String> {
        let listed = self.names.get(place as usize).cloned();
        let variable = || std::env::var("EVENHAND_BENCHMARK").ok();
        let name = listed.or_else(variable).ok_or_else(|| format!("no benchmark {place} here"))?;
        self.ready = name.strip_prefix(&self.prefix).unwrap_or(&name).to_owned();
        self.metrics.clear();
        let (first, _) = self.turn(1)?;
        let iterations = (TURN as f64 / 10.0 / first.max(1.0)).clamp(1.0, MOST_PILOTS);
        let (once, values) = self.turn(iterations as u64)?;
        self.metrics = values.into_iter().map(|(metric, _)| metric).collect();
        // Whether it uses several threads is not known: it may, as it does under `go test`.
        Ok(Prepared { once: once.max(0.1), threads: 2, amounts: Vec::new(), metrics: self.metrics.clone() })
    }

    fn run(&self, run: &Run) -> Result<Results, String> {
        let sample = |_| {
            let started = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let (once, values) = self.turn(run.iterations)?;
            let value = |wanted: &Metric| {
                values.iter().find(|(metric, _)| metric == wanted).map_or(f64::NAN, |(_, value)| *value)
            };
            let values = self.metrics.iter().map(value).collect();
            Ok(Sample { started, wall: once * run.iterations as f64, waited: f64::NAN, values })
        };
        let samples = run.turns.iter().map(sample).collect::<Result<_, String>>()?;
        Ok(Results { verification: 0, samples })
    }

    /// What an iteration of the benchmark that is ready took, in nanoseconds, and its other metrics.
    fn turn(&self, iterations: u64) -> Result<(f64, Vec<(Metric, f64)>), String> {
        let parts: Vec<String> = format!("Benchmark{}", self.ready).split('/').map(exactly).collect();
        let (printed, has_succeeded) = self.launched(&parts.join("/"), iterations)?;
        if !has_succeeded {
            return Err(format!("it failed: {}", printed.trim()));
        }
        let trial = import(printed.as_bytes(), "go test", Some(Format::GoBench))
            .map_err(|error| error.to_string())?;
        let series = trial.series.iter().find(|series| !series.is_empty()).ok_or("it measured nothing")?;
        let value = |number| series.column(MetricId(number)).first().copied().unwrap_or(f64::NAN);
        let (mut time, mut others) = (None, Vec::new());
        for (number, metric) in (0..).zip(&trial.metrics) {
            if metric.name == TIME {
                time = Some(value(number));
            } else {
                let more_is_better = metric.better == Better::Higher;
                let metric = Metric { name: metric.name.clone(), unit: String::new(), more_is_better };
                others.push((metric, value(number)));
            }
        }
        Ok((time.ok_or("it measured no time")?, others))
    }

    /// Starts the test binary once. What it printed, and whether it succeeded.
    fn launched(&self, pattern: &str, iterations: u64) -> Result<(String, bool), String> {
        let mut command = Command::new(self.program);
        command.args(["-test.run", "^$", "-test.count", "1", "-test.bench", pattern]);
        command.arg(format!("-test.benchtime={iterations}x")).arg(format!("-test.cpu={}", self.processors));
        command.args(self.more).env_remove(VARIABLE).stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = command.output().map_err(|error| format!("it could not be started: {error}"))?;
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success()))
    }
}

/// The benchmark of a result, or of a failure. Results have the number of processors behind the name, unless it is one.
fn benchmark(line: &str, processors: usize) -> Option<String> {
    if let Some(failed) = line.strip_prefix("--- FAIL: Benchmark") {
        return Some(failed.split_whitespace().next()?.to_owned());
    }
    let result = line.strip_prefix("Benchmark").filter(|result| result.contains(" ns/op"))?;
    let name = result.split_whitespace().next()?;
    let bare = (processors > 1).then(|| name.strip_suffix(&format!("-{processors}"))).flatten();
    Some(bare.unwrap_or(name).to_owned())
}

/// The pattern of a part of a name that matches it alone.
fn exactly(part: &str) -> String {
    let quoted: String = part
        .chars()
        .flat_map(|letter| {
            let is_plain = letter.is_alphanumeric() || "_-=, ".contains(letter);
            (!is_plain).then_some('\\').into_iter().chain([letter])
        })
        .collect();
    format!("^{quoted}$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_failures_have_the_names_of_benchmarks() {
        let name = |line, processors| benchmark(line, processors);
        assert_eq!(name("BenchmarkSize-2-2   \t 1\t 5 ns/op", 2).as_deref(), Some("Size-2"));
        assert_eq!(name("BenchmarkSize-2   \t 1\t 5 ns/op", 1).as_deref(), Some("Size-2"));
        assert_eq!(name("--- FAIL: BenchmarkFails", 2).as_deref(), Some("Fails"));
        assert_eq!(name("Benchmarks are fun", 2), None);
    }

    #[test]
    fn a_name_is_a_pattern_that_matches_it_alone() {
        assert_eq!(exactly("BenchmarkSum"), "^BenchmarkSum$");
        assert_eq!(exactly("size=1.5(k)"), "^size=1\\.5\\(k\\)$");
    }
}
