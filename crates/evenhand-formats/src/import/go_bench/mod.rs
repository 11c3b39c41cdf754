//! What does the text of `go test -bench` say? The Go benchmark data format, line by line.
//!
//! ```text
//! goos: linux
//! pkg: example.com/textlen
//! BenchmarkRunes/size=100-2    149221    147.6 ns/op    677.54 MB/s    112 B/op    1 allocs/op
//! PASS
//! ```
//!
//! A name is an arm; a result line is a sample of as many iterations as it says, its numbers already those of one. A
//! line `PASS`, `FAIL` or `ok` ends a process, so what follows is the next launch. `key: value` lines are the
//! environment. `-2` at the end of a name is GOMAXPROCS if every result of the file ends so; otherwise it may as well
//! belong to the name, and nothing is said of it. All other lines are passed over, and so are results that break the format,
//! with a note. Telling lines apart is left to `line.rs`, the lines of `go test -json` to `event.rs`.
//!
//! Format: <https://golang.org/design/14313-benchmark-format>, with the `Unit` lines of
//! <https://pkg.go.dev/golang.org/x/perf/benchfmt>; the numbers at the end of names: `testing.B` in the Go library.
//!
//! Tests: `tests/formats/import/go_bench.rs`.

mod event;
mod line;

use self::event::{Event, Pieces};
use self::line::{LineEnd, Parsed, ResultLine, ends_process, is_time, key_and_value, next_line};
use super::loose_json::{after_mark, skip_mark};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::words::counted;
use evenhand_trial::{
    Arm, Better, Environment, Failure, LaunchId, Metric, Per, Reason, RoundId, Unit, Whole,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// More different keys are the output of a program that happens to write `key: value`.
const MOST_KEYS: usize = 200;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let lines: Vec<&[u8]> = after_mark(head).split(|byte| *byte == b'\n').collect();
    let starts = |prefix: &str| lines.iter().any(|line| line.starts_with(prefix.as_bytes()));
    let is_result = |line: &&[u8]| {
        std::str::from_utf8(line).is_ok_and(|line| matches!(ResultLine::parse(line), Parsed::Result(_)))
    };
    let is_event = |line: &&[u8]| Event::parse(line).is_some_and(|event| event.is_of_a_benchmark());
    lines.iter().any(is_result) || lines.iter().any(is_event) || (starts("goos: ") && starts("goarch: "))
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    skip_mark(&mut input)?;
    let mut file = File::default();
    let mut pieces = Pieces::default();
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        let end = next_line(&mut input, &mut line)?;
        if end == LineEnd::Nothing {
            return file.fill(draft);
        }
        number += 1;
        match Event::parse(&line) {
            None => file.take(&line, number),
            Some(event) => {
                let Some((package, text)) = pieces.join(event) else { continue };
                file.set_package(&package);
                file.take(text.as_bytes(), number);
            }
        }
        if end == LineEnd::Missing && line.starts_with(b"Benchmark") {
            draft.note(
                "the last line has no line end: if the file was cut off there, its last unit is cut too",
            );
        }
    }
}

/// What has been read so far.
#[derive(Default)]
struct File {
    /// The value of each key for the results that follow.
    config: BTreeMap<String, String>,
    /// What changed between two results.
    changed: HashSet<String>,
    /// The values that the first results were under.
    kept: BTreeMap<String, String>,
    /// Which process it is, counted by the lines that end one.
    process: usize,
    units: Vec<String>,
    unit_places: HashMap<String, usize>,
    better: HashMap<String, Better>,
    places: HashMap<(String, String), usize>,
    /// Where the last result went, as long as no other configuration line came: most lines repeat a name.
    last: Option<usize>,
    arms: Vec<Rows>,
    /// Lines that begin like results and are none.
    torn: Vec<u64>,
    /// Results that break the format.
    wrong: Vec<ImportErrorKind>,
}

/// The results of one name.
struct Rows {
    package: String,
    name: String,
    launches: Vec<Launch>,
    failures: u32,
}

/// The results of one name in one process.
struct Launch {
    process: usize,
    iterations: Whole,
    count: usize,
    /// With the place of the unit in [`File::units`].
    columns: Vec<(usize, Vec<f64>)>,
}

impl File {
    fn take(&mut self, bytes: &[u8], number: u64) {
        let wrong = |what: &str| ImportErrorKind::wrong(format_args!("line {number}"), what);
        // What other programs wrote into the file may be of any encoding; results may not.
        let Ok(line) = std::str::from_utf8(bytes) else {
            let is_result = bytes.starts_with(b"Benchmark");
            return self.wrong.extend(is_result.then(|| wrong("the result is not UTF-8 text")));
        };
        let line = line.trim_end();
        if line.starts_with("Benchmark") {
            match ResultLine::parse(line) {
                Parsed::Result(result) => self.add(&result),
                Parsed::Torn => self.torn.push(number),
                Parsed::Other => {}
                Parsed::Wrong(what) => self.wrong.push(wrong(&what)),
            }
        } else if ends_process(line) {
            self.process += 1;
        } else if let Some(name) = line.strip_prefix("--- FAIL: Benchmark") {
            let place = self.place(name.split_whitespace().next().unwrap_or_default());
            self.arms[place].failures += 1;
        } else if let Some(rest) = line.strip_prefix("Unit ") {
            self.take_direction(rest);
        } else if let Some((key, value)) = key_and_value(line) {
            self.set(key, value);
        }
    }

    /// Events of several packages may stand mixed.
    fn set_package(&mut self, package: &str) {
        if !package.is_empty() && self.config.get("pkg").is_none_or(|known| known != package) {
            self.set("pkg", package);
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        self.last = None;
        if value.is_empty() {
            self.config.remove(key);
        } else if self.config.len() < MOST_KEYS || self.config.contains_key(key) {
            self.config.insert(key.to_owned(), value.to_owned());
        }
    }

    /// `ns/op better=lower assume=exact`
    fn take_direction(&mut self, line: &str) {
        let mut fields = line.split_whitespace();
        let Some(unit) = fields.next() else { return };
        let better = fields.find_map(|field| field.strip_prefix("better="));
        let better = match better {
            Some("higher") => Better::Higher,
            Some("lower") => Better::Lower,
            _ => return,
        };
        self.better.insert(unit.to_owned(), better);
    }

    /// The place of a name in the package at hand.
    fn place(&mut self, name: &str) -> usize {
        let package = self.config.get("pkg").cloned().unwrap_or_default();
        *self.places.entry((package.clone(), name.to_owned())).or_insert_with(|| {
            self.arms.push(Rows { package, name: name.to_owned(), launches: Vec::new(), failures: 0 });
            self.arms.len() - 1
        })
    }

    fn add(&mut self, result: &ResultLine<'_>) {
        let place = self.last.filter(|place| self.arms[*place].name == result.name).unwrap_or_else(|| {
            self.keep_config();
            self.place(result.name)
        });
        self.last = Some(place);
        let numbers: Vec<(usize, f64)> =
            result.pairs.iter().map(|(value, unit)| (self.unit(unit), *value)).collect();
        self.arms[place].launch(self.process).push(result.iterations, &numbers);
    }

    fn unit(&mut self, unit: &str) -> usize {
        if let Some(place) = self.unit_places.get(unit) {
            return *place;
        }
        self.units.push(unit.to_owned());
        self.unit_places.insert(unit.to_owned(), self.units.len() - 1);
        self.units.len() - 1
    }

    /// The environment of the file is that of its first results.
    fn keep_config(&mut self) {
        for (key, value) in self.config.iter().filter(|(key, _)| *key != "pkg") {
            match self.kept.get(key) {
                None if self.kept.len() < MOST_KEYS => drop(self.kept.insert(key.clone(), value.clone())),
                Some(known) if known != value && !self.changed.contains(key) => {
                    self.changed.insert(key.clone());
                }
                _ => {}
            }
        }
    }

    /// Everything read, into the draft.
    fn fill(mut self, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        if self.arms.is_empty() && !self.wrong.is_empty() {
            return Err(self.wrong.swap_remove(0));
        }
        self.write_notes(draft);
        keep_environment(&self.kept, draft.environment());
        let columns = self.columns(draft);
        let processors = self.processors();
        let packages: HashSet<&str> = self.arms.iter().map(|rows| rows.package.as_str()).collect();
        let several = packages.len() > 1;
        for rows in self.arms {
            rows.fill(several, processors.as_deref(), &columns, draft)?;
        }
        Ok(())
    }

    fn write_notes(&self, draft: &mut Draft) {
        let mut changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        changed.sort_unstable();
        for key in changed {
            draft.note(format!(
                "\"{}\" changes between the results of the file, which were all read as one: split the file to compare them",
                key.escape_debug()
            ));
        }
        if let Some(first) = self.torn.first() {
            draft.note(format!(
                "{} lines (the first is line {first}) begin with a benchmark's name and hold no result, because something \
                 else was printed into them: those results are missing",
                self.torn.len()
            ));
        }
        if let Some(first) = self.wrong.first() {
            draft.note(format!("{} left out; the first is on {first}", counted(self.wrong.len(), "result")));
        }
    }

    /// A column for each unit. The time of an operation comes first: the verdict is on it.
    fn columns(&self, draft: &mut Draft) -> Vec<Column> {
        if self.units.is_empty() {
            draft.metric(metric_of("ns/op", None));
        }
        if let Some(time) = self.units.iter().find(|unit| is_time(unit)) {
            draft.metric(metric_of(time, None));
        }
        let unsaid: Vec<&str> =
            self.units.iter().map(String::as_str).filter(|unit| self.is_unsaid(unit)).collect();
        if !unsaid.is_empty() {
            draft.note(format!(
                "the file does not say which direction of {} is better: lower is assumed",
                unsaid.join(", ")
            ));
        }
        self.units.iter().map(|unit| draft.metric(metric_of(unit, self.better.get(unit)))).collect()
    }

    fn is_unsaid(&self, unit: &str) -> bool {
        !self.better.contains_key(unit) && usual_direction(unit).is_none()
    }

    /// The number that every name ends with, `2` in `Runes-2`.
    fn processors(&self) -> Option<String> {
        let mut numbers =
            self.arms.iter().filter(|rows| !rows.launches.is_empty()).map(|rows| last_number(&rows.name));
        let first = numbers.next()??;
        numbers.all(|number| number == Some(first)).then(|| first.to_owned())
    }
}

impl Launch {
    fn new(process: usize) -> Self {
        Self { process, iterations: Whole::Same { same: 1 }, count: 0, columns: Vec::new() }
    }

    fn push(&mut self, iterations: u64, numbers: &[(usize, f64)]) {
        self.iterations.push(self.count, iterations);
        for (place, value) in numbers {
            let column = self.column(*place);
            self.columns[column].1.resize(self.count, f64::NAN);
            self.columns[column].1.push(*value);
        }
        self.count += 1;
    }

    /// Where the numbers of a unit are; a unit that no earlier line of this benchmark had is missing there.
    fn column(&mut self, unit: usize) -> usize {
        self.columns.iter().position(|(place, _)| *place == unit).unwrap_or_else(|| {
            self.columns.push((unit, Vec::new()));
            self.columns.len() - 1
        })
    }
}

impl Rows {
    /// The results of a process, the last one or a new one.
    fn launch(&mut self, process: usize) -> &mut Launch {
        if self.launches.last().is_none_or(|launch| launch.process != process) {
            self.launches.push(Launch::new(process));
        }
        let last = self.launches.len() - 1;
        &mut self.launches[last]
    }

    fn fill(
        self,
        several_packages: bool,
        processors: Option<&str>,
        columns: &[Column],
        draft: &mut Draft,
    ) -> Result<(), ImportErrorKind> {
        let name = match several_packages && !self.package.is_empty() {
            true => format!("{}.{}", self.package, self.name),
            false => self.name.clone(),
        };
        let parameters = parameters(&self.package, &self.name, processors);
        let arm = draft.arm(Arm { name: name.clone(), group: name, parameters, ..Arm::default() });
        for (launch, results) in self.launches.into_iter().enumerate() {
            let count = results.count;
            let filled = results.columns.into_iter().map(|(unit, mut numbers)| {
                numbers.resize(count, f64::NAN);
                (columns[unit], numbers)
            });
            let launch = LaunchId(launch as u32);
            draft.samples(arm, launch, results.iterations, filled.collect())?;
        }
        for index in 0..self.failures {
            draft.failure(Failure {
                arm,
                launch: LaunchId(index),
                round: RoundId(0),
                reason: Reason::Other { message: "go test reports FAIL".to_owned() },
                seconds: None,
            });
        }
        Ok(())
    }
}

/// `ns/op` is the time, `B/op` bytes of one operation, `p99-ns/op` a time with a name of its own: the measurement's
/// unit is the last of the words between hyphens.
fn metric_of(unit: &str, better: Option<&Better>) -> Metric {
    let last = unit.rsplit('-').next().unwrap_or(unit);
    let symbol = match last.strip_suffix("/op") {
        Some("sec") => "s",
        Some("") | None => last,
        Some(each) => each,
    };
    Metric {
        name: if is_time(unit) { "wall" } else { unit }.to_owned(),
        unit: Unit::new(symbol),
        per: Per::Iteration,
        better: better.copied().or_else(|| usual_direction(unit)).unwrap_or(Better::Lower),
    }
}

/// The directions that the testing package's own units have.
fn usual_direction(unit: &str) -> Option<Better> {
    match unit.rsplit('-').next().unwrap_or(unit) {
        "ns/op" | "sec/op" | "B/op" | "allocs/op" => Some(Better::Lower),
        "MB/s" | "B/s" | "op/s" | "ops/s" => Some(Better::Higher),
        _ => None,
    }
}

fn last_number(name: &str) -> Option<&str> {
    let (_, number) = name.rsplit_once('-')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// `size=100` of `Runes/size=100-2`, the package and GOMAXPROCS.
fn parameters(package: &str, name: &str, processors: Option<&str>) -> BTreeMap<String, String> {
    let without = processors.and_then(|number| name.strip_suffix(number)?.strip_suffix('-')).unwrap_or(name);
    let pairs = without.split('/').skip(1).filter_map(|part| part.split_once('='));
    let named = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let package = Some(("pkg".to_owned(), package.to_owned())).filter(|(_, package)| !package.is_empty());
    let processors = processors.map(|number| ("gomaxprocs".to_owned(), number.to_owned()));
    named.chain(package).chain(processors).collect()
}

fn keep_environment(config: &BTreeMap<String, String>, environment: &mut Environment) {
    for (key, value) in config {
        match key.as_str() {
            "goos" => environment.system = Some(value.clone()),
            "goarch" => environment.architecture = Some(value.clone()),
            "cpu" => environment.cpu.model = Some(value.clone()),
            _ => drop(environment.other.insert(key.clone(), value.clone())),
        }
    }
}
