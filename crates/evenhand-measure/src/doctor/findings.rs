//! What does it mean for a measurement, and what can be done? A pure function of the facts.
//!
//! The coin keeps a verdict right on any machine: a disturbance hits both arms alike and only widens the interval. So a
//! finding never says that a verdict is wrong. It says what makes the interval wide, or a figure of one arm alone
//! another one tomorrow. The thresholds are judgements; docs/doctor.md names them.
//!
//! Each command is one that its finding's machine has, changes one thing, and lasts until the next start of the machine.
//!
//! Tests: `tests/doctor.rs`.

use super::facts::Facts;
use serde::Serialize;

mod processor;
mod surroundings;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// As it should be.
    Fine,
    /// Good to know; some measurements suffer.
    Notice,
    /// Most measurements suffer.
    Matters,
}

/// Something seen on the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// A name that stays the same, such as `governor`.
    pub code: &'static str,
    pub severity: Severity,
    /// What was found, in a few words.
    #[serde(rename = "seen")]
    pub state: String,
    pub why: &'static str,
    /// What to do; `None` if it is fine.
    pub advice: Option<String>,
    /// The command for it, if one does it.
    pub command: Option<String>,
}

impl Finding {
    fn fine(code: &'static str, state: impl Into<String>, why: &'static str) -> Self {
        Self { code, severity: Severity::Fine, state: state.into(), why, advice: None, command: None }
    }

    fn advising(mut self, severity: Severity, advice: &str) -> Self {
        self.severity = severity;
        self.advice = Some(advice.to_owned());
        self
    }

    fn by(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }
}

/// A question to the facts. `None`: they do not say.
type Question = fn(&Facts) -> Option<Finding>;

/// All questions. Findings of the same severity keep this order.
const QUESTIONS: [Question; 19] = [
    surroundings::load,
    surroundings::steal,
    surroundings::limit,
    surroundings::heat,
    surroundings::power,
    surroundings::memory,
    processor::governor,
    processor::turbo,
    processor::threads,
    processor::number,
    processor::alike,
    processor::isolated,
    processor::clock,
    surroundings::virtualisation,
    surroundings::container,
    surroundings::layout,
    surroundings::huge_pages,
    surroundings::counters,
    surroundings::pressure,
];

/// What is to be said of a machine, worst first.
pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut findings: Vec<Finding> = QUESTIONS.iter().filter_map(|question| question(facts)).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// A share in percent: `50 %`, `0.4 %`, `0.04 %`.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = match percent {
        below if below < 0.0995 => 2,
        below if below < 9.95 => 1,
        _ => 0,
    };
    let text = format!("{percent:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} %")
}

/// A list such as `2, 3`.
fn listed(numbers: &[u32]) -> String {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    words.join(", ")
}
