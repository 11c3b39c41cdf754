//! What did Catch2's XML reporter write of the benchmarks? Means and standard deviations; it keeps no samples.
//!
//! ```text
//! <TestCase name="sums"><Section name="big">
//!   <BenchmarkResults name="fold" samples="100" resamples="100000" iterations="97" clockResolution="25.4" …>
//!     <mean value="262.192" lowerBound="261.239" upperBound="265.779" ci="0.95"/>
//!     <standardDeviation value="2.98466" lowerBound="0.285477" upperBound="5.50419" ci="0.95"/>
//!     <outliers variance="0.0763889" lowMild="0" lowSevere="0" highMild="0" highSevere="1"/>
//!   </BenchmarkResults>
//! ```
//!
//! All values are nanoseconds for one iteration. With `--benchmark-no-analysis` the spread is written as 0 with a
//! confidence of 0: it is not known. Source: <https://github.com/catchorg/Catch2>
//! (`src/catch2/reporters/catch_reporter_xml.cpp`). The mapping is in `docs/formats/catch2.md`.
//!
//! Tests: `tests/formats/import/catch2.rs`.

use super::{Draft, ImportErrorKind, Input, possible};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, MetricId, Per, Reason, Reported, RoundId, Unit,
};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// Sections nested deeper than this are refused.
const DEEPEST: usize = 256;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    head.starts_with(b"<") && (has(b"<Catch name=") || has(b"<Catch2TestRun"))
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let mut reader = Reader::from_reader(input);
    let mut file = File::new(draft);
    let mut buffer = Vec::new();
    loop {
        let event = reader.read_event_into(&mut buffer);
        let place = reader.buffer_position();
        match event.map_err(|error| not_xml(place, error))? {
            Event::Start(element) => file.begin(&Element::of(&element, place)?)?,
            Event::Empty(element) => {
                file.begin(&Element::of(&element, place)?)?;
                file.end(place)?;
            }
            Event::End(_) => file.end(place)?,
            Event::Eof => return file.finish(),
            _ => {}
        }
        buffer.clear();
    }
}

fn not_xml(place: u64, error: impl std::fmt::Display) -> ImportErrorKind {
    ImportErrorKind::wrong(format_args!("byte {place}"), format_args!("not XML as Catch2 writes it: {error}"))
}

/// The start of an element, with its attributes.
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    place: u64,
}

impl Element {
    fn of(start: &BytesStart<'_>, place: u64) -> Result<Self, ImportErrorKind> {
        let mut attributes = BTreeMap::new();
        // The reader's own search for repeated attributes takes the square of their number.
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| not_xml(place, error))?;
            let key = attribute.key.as_ref().to_owned();
            let value = attribute
                .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                .map_err(|error| not_xml(place, error))?;
            if attributes.contains_key(&key) {
                return Err(not_xml(place, format_args!("an element has {} twice", key.escape_debug())));
            }
            attributes.insert(key, value.into_owned());
        }
        Ok(Self { name: start.name().as_ref().to_owned(), attributes, place })
    }

    fn text(&self, key: &str) -> &str {
        self.attributes.get(key).map_or("", String::as_str)
    }

    fn place(&self) -> String {
        format!("<{}> before byte {}", self.name.escape_debug(), self.place)
    }

    fn number(&self, key: &str) -> Result<f64, ImportErrorKind> {
        let text = self.text(key);
        let number = text.parse().map_err(|_| {
            let what = format_args!("{key} is \"{}\", which is not a number", text.escape_debug());
            ImportErrorKind::wrong(self.place(), what)
        })?;
        possible::figure(format_args!("{}, {key}", self.place()), number)
    }

    /// A figure that Catch2 could not compute, such as the variance of equal samples, stands there as `-nan`.
    fn optional(&self, key: &str) -> Result<Option<f64>, ImportErrorKind> {
        let text = self.text(key).trim_start_matches('-');
        let is_missing = ["nan", "inf"].iter().any(|word| text.starts_with(word));
        if is_missing { Ok(None) } else { self.number(key).map(Some) }
    }
}

/// The file as far as it was read.
struct File<'a> {
    draft: &'a mut Draft,
    open: Vec<Open>,
    /// The benchmark that is open.
    benchmark: Option<Benchmark>,
    failed_cases: usize,
}

/// An element that has begun and not yet ended.
enum Open {
    /// A test case or a section, by its name.
    Named(String),
    Benchmark,
    Other,
}

impl Open {
    fn of(element: &Element) -> Self {
        match element.name.as_str() {
            "TestCase" | "Section" => Self::Named(element.text("name").trim().to_owned()),
            "BenchmarkResults" => Self::Benchmark,
            _ => Self::Other,
        }
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Benchmark | Self::Other => None,
        }
    }
}

/// A benchmark as far as it was read.
struct Benchmark {
    arm: Arm,
    figures: Reported,
    /// What was said of each failure.
    failures: Vec<String>,
    /// The first thing that is wrong with it.
    wrong: Option<ImportErrorKind>,
    place: String,
}

impl Benchmark {
    /// Takes what an element says.
    fn take(&mut self, element: &Element, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        match element.name.as_str() {
            "BenchmarkResults" => self.take_settings(element),
            "mean" => {
                self.figures.mean = Some(element.number("value")?);
                add_interval(&mut self.figures, "mean", element)
            }
            "standardDeviation" if element.optional("ci")? == Some(0.0) => {
                draft.note(
                    "Without Catch2's analysis no standard deviation is known: the file's 0 means that.",
                );
                Ok(())
            }
            "standardDeviation" => {
                self.figures.sd = element.optional("value")?;
                add_interval(&mut self.figures, "standardDeviation", element)
            }
            "outliers" => self.take_outliers(element),
            "failed" => {
                self.failures.push(element.text("message").to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn take_settings(&mut self, element: &Element) -> Result<(), ImportErrorKind> {
        for key in ["samples", "resamples", "iterations", "clockResolution", "estimatedDuration"] {
            if !element.attributes.contains_key(key) {
                continue;
            }
            let number = element.number(key)?;
            match key {
                "samples" => self.figures.samples = Some(number as u64),
                _ => drop(self.figures.more.insert(key.to_owned(), number)),
            }
        }
        Ok(())
    }

    fn take_outliers(&mut self, element: &Element) -> Result<(), ImportErrorKind> {
        for key in element.attributes.keys() {
            let figure = element.optional(key)?;
            self.figures.more.extend(figure.map(|figure| (format!("outliers {key}"), figure)));
        }
        Ok(())
    }

    fn add_to(self, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        if let Some(problem) = self.wrong {
            return Err(problem);
        }
        if self.figures.mean.is_none() && self.failures.is_empty() {
            return Err(ImportErrorKind::wrong(self.place, "has no mean and did not fail"));
        }
        let arm = draft.arm(self.arm);
        for message in self.failures {
            let reason = Reason::Other { message };
            draft.failure(Failure { arm, launch: LaunchId(0), round: RoundId(0), reason, seconds: None });
        }
        if self.figures.mean.is_some() {
            let column = draft.metric(wall());
            draft.reported(column, Reported { arm, ..self.figures });
            draft.note(
                "Catch2 writes no samples: intervals, percentiles and the order of the samples are not known.",
            );
        }
        Ok(())
    }
}

impl<'a> File<'a> {
    fn new(draft: &'a mut Draft) -> Self {
        draft.tool("Catch2");
        draft.metric(wall());
        Self { draft, open: Vec::new(), benchmark: None, failed_cases: 0 }
    }

    fn begin(&mut self, element: &Element) -> Result<(), ImportErrorKind> {
        if self.open.len() == DEEPEST {
            return Err(ImportErrorKind::wrong(
                element.place(),
                format_args!("is nested deeper than {DEEPEST}"),
            ));
        }
        self.open.push(Open::of(element));
        match element.name.as_str() {
            "Catch2TestRun" => self.name_tool(element.text("catch2-version")),
            "BenchmarkResults" => self.benchmark = Some(self.benchmark_of(element)),
            "OverallResult" if element.text("success") == "false" => self.failed_cases += 1,
            _ => {}
        }
        if let Some(benchmark) = &mut self.benchmark
            && let Err(problem) = benchmark.take(element, self.draft)
        {
            benchmark.wrong.get_or_insert(problem);
        }
        Ok(())
    }

    fn name_tool(&mut self, version: &str) {
        if !version.is_empty() {
            self.draft.tool(&format!("Catch2 {version}"));
        }
    }

    /// Benchmarks in one test case and section are alternatives to each other.
    fn benchmark_of(&self, element: &Element) -> Benchmark {
        let group = self.open.iter().filter_map(Open::name).collect::<Vec<_>>().join("/");
        let name = format!("{group}/{}", element.text("name"));
        Benchmark {
            arm: Arm { name, group, ..Arm::default() },
            figures: Reported::new(ArmId(0), MetricId(0)),
            failures: Vec::new(),
            wrong: None,
            place: element.place(),
        }
    }

    fn end(&mut self, place: u64) -> Result<(), ImportErrorKind> {
        match self.open.pop() {
            Some(Open::Benchmark) => self.end_benchmark(),
            Some(Open::Named(_) | Open::Other) => {}
            None => return Err(not_xml(place, "an element ends that never began")),
        }
        Ok(())
    }

    fn end_benchmark(&mut self) {
        if let Some(benchmark) = self.benchmark.take() {
            self.draft.add_or_leave_out(|draft| benchmark.add_to(draft));
        }
    }

    fn finish(self) -> Result<(), ImportErrorKind> {
        if !self.open.is_empty() {
            let what = format_args!(
                "ends too early: {} elements are still open; was the tool cut off while writing it?",
                self.open.len()
            );
            return Err(ImportErrorKind::wrong("end of file", what));
        }
        if self.failed_cases > 0 {
            self.draft.note(format!(
                "{} test cases failed: what their benchmarks measured may not be the right thing.",
                self.failed_cases
            ));
        }
        Ok(())
    }
}

fn add_interval(figures: &mut Reported, name: &str, element: &Element) -> Result<(), ImportErrorKind> {
    let Some(percent) = element.optional("ci")?.map(|share| share * 100.0).filter(|percent| *percent > 0.0)
    else {
        return Ok(());
    };
    for (side, key) in [("lower", "lowerBound"), ("upper", "upperBound")] {
        let bound = element.optional(key)?;
        figures.more.extend(bound.map(|bound| (format!("{name} {side} {percent} %"), bound)));
    }
    Ok(())
}

fn wall() -> Metric {
    Metric { name: "wall".to_owned(), unit: Unit::nanoseconds(), per: Per::Iteration, better: Better::Lower }
}
