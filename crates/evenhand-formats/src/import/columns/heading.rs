//! What does the heading of a column of numbers say? A name, and perhaps a unit.
//!
//! ```text
//! wall (ns)          as our own CSV writes it
//! max_rss (B each)   the number is of one iteration, not of all the row's iterations
//! time_ns, old [ms]  as people write it
//! seconds            only a unit
//! ```
//!
//! Tests: `tests/formats/import/columns.rs`.

use evenhand_trial::{Better, Metric, Per, Unit};

/// A heading taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heading {
    /// As the file has it.
    pub written: String,
    /// Without the unit; empty if there was nothing else, or only a word for time.
    pub name: String,
    /// As written; `None` if there was none.
    pub unit: Option<Unit>,
    per: Per,
}

/// Words that say that numbers are times and nothing about what was measured.
const TIME_WORDS: [&str; 8] = ["time", "times", "duration", "elapsed", "latency", "runtime", "value", "t"];

/// Unit words, each with its symbol.
const UNIT_WORDS: [(&str, &[&str]); 4] = [
    ("ns", &["ns", "nsec", "nanos", "nanosecond", "nanoseconds"]),
    ("us", &["us", "µs", "μs", "usec", "micros", "microsecond", "microseconds"]),
    ("ms", &["ms", "msec", "millis", "millisecond", "milliseconds"]),
    ("s", &["s", "sec", "secs", "second", "seconds"]),
];

impl Heading {
    pub(super) fn new(text: &str) -> Self {
        bracketed(text)
            .or_else(|| suffixed(text))
            .unwrap_or_else(|| Self { name: text.to_owned(), ..Self::of(text) })
    }

    /// As our own export writes it: nothing of the name is taken for something else.
    pub(super) fn exact(text: &str) -> Self {
        let parts = text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        let Some((name, inside)) = parts else { return Self::new(text) };
        let (symbol, per) = split_each(inside);
        Self { name: name.to_owned(), unit: Some(Unit::new(symbol)), per, ..Self::of(text) }
    }

    /// Nothing known but what is written.
    fn of(text: &str) -> Self {
        Self { written: text.to_owned(), name: String::new(), unit: None, per: Per::Sample }
    }

    /// The metric, under a given name.
    pub(super) fn metric(&self, name: &str) -> Metric {
        let unit = self.unit.clone().unwrap_or_else(Unit::count);
        Metric { name: name.to_owned(), unit, per: self.per, better: Better::Lower }
    }

    /// The metric, under its own name: `wall` if it is a time of nothing named, else `value`.
    pub(super) fn own_metric(&self) -> Metric {
        match (self.name.as_str(), self.is_time()) {
            ("", true) => self.metric("wall"),
            ("", false) => self.metric("value"),
            (name, _) => self.metric(name),
        }
    }

    pub(super) fn is_time(&self) -> bool {
        self.unit.as_ref().is_some_and(|unit| unit.in_seconds().is_some())
    }
}

/// `wall (ns)`, `max_rss (B each)`, `old [ms]`.
fn bracketed(text: &str) -> Option<Heading> {
    let (name, inside) = match text.strip_suffix(')') {
        Some(rest) => rest.rsplit_once('(')?,
        None => text.strip_suffix(']')?.rsplit_once('[')?,
    };
    let (symbol, per) = split_each(inside);
    let unit = Some(Unit::new(symbol_of(symbol).unwrap_or(symbol)));
    let name = without_time_word(name.strip_suffix(' ').unwrap_or(name));
    Some(Heading { name, unit, per, ..Heading::of(text) })
}

/// `B each`: the unit, and whether the number is of one iteration.
fn split_each(inside: &str) -> (&str, Per) {
    match inside.strip_suffix("each") {
        Some(symbol) if symbol.is_empty() || symbol.ends_with(' ') => (symbol.trim_end(), Per::Iteration),
        _ => (inside, Per::Sample),
    }
}

/// `time_ns`, `old ms`, `seconds`.
fn suffixed(text: &str) -> Option<Heading> {
    let (name, word) = text.rsplit_once(['_', ' ']).unwrap_or(("", text));
    let unit = Some(Unit::new(symbol_of(word)?));
    Some(Heading { name: without_time_word(name), unit, ..Heading::of(text) })
}

fn symbol_of(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    UNIT_WORDS.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(symbol, _)| *symbol)
}

fn without_time_word(name: &str) -> String {
    if TIME_WORDS.contains(&name.to_lowercase().as_str()) { String::new() } else { name.to_owned() }
}
