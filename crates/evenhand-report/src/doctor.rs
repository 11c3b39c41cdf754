//! What did the doctor see? What matters first, each with its reason, the way out and the command for it; then in one
//! sentence what is fine; how small a difference shows; and how short a response can be.
//!
//! Tests: `tests/doctor.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::wrap::wrapped;
use evenhand_analysis::words::{counted, quantity};
use evenhand_measure::doctor::{Finding, LoadFloor, NoiseFloor, Severity};
use evenhand_trial::Unit;
use std::fmt;

/// What was seen on the machine.
#[derive(Debug, Clone, Copy)]
pub struct Checkup<'a> {
    /// Worst first.
    pub findings: &'a [Finding],
    /// How to lay it out.
    pub layout: Layout,
    /// Whether what is fine has its reasons told, too.
    pub all: bool,
}

/// As wide as the longest word for a severity, and a gap.
const INDENT: usize = 9;

impl fmt::Display for Checkup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |severity| self.findings.iter().filter(move |finding| finding.severity == severity);
        for finding in of(Severity::Matters).chain(of(Severity::Notice)) {
            self.finding(f, finding)?;
        }
        if self.all {
            of(Severity::Fine).try_for_each(|finding| self.finding(f, finding))?;
        } else {
            let fine: Vec<String> =
                of(Severity::Fine).map(|finding| finding.code.replace('_', " ")).collect();
            if !fine.is_empty() {
                self.line(f, "fine", &format!("{} (details: --all)", fine.join(", ")))?;
            }
        }
        if self.findings.is_empty() {
            self.line(f, "", "No information that the doctor understands is available on this system.")?;
        }
        let changes = |command: &String| command.contains("sudo ");
        if self.findings.iter().filter_map(|finding| finding.command.as_ref()).any(changes) {
            self.line(
                f,
                "",
                "Nothing was changed. The settings of these commands last until the next boot.",
            )?;
        }
        Ok(())
    }
}

impl Checkup<'_> {
    fn finding(&self, f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
        let word = match finding.severity {
            Severity::Matters => "matters",
            Severity::Notice => "notice",
            Severity::Fine => "fine",
        };
        self.line(f, word, &finding.state)?;
        let advice = finding.advice.as_ref().map_or_else(String::new, |advice| format!(" {advice}"));
        self.line(f, "", &format!("{}{advice}", finding.why))?;
        match &finding.command {
            // Whole, so that it can be copied.
            Some(command) => writeln!(f, "{:INDENT$}  {}", "", plain(command)),
            None => Ok(()),
        }
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, word: &str, text: &str) -> fmt::Result {
        writeln!(f, "{}", wrapped(&format!("{word:<INDENT$}{}", plain(text)), self.layout, INDENT))
    }
}

/// How small a difference shows.
#[derive(Debug, Clone, Copy)]
pub struct Floor<'a> {
    pub floor: &'a NoiseFloor,
    /// Whether the command was the user's own.
    pub own: bool,
    /// How to lay it out.
    pub layout: Layout,
}

impl fmt::Display for Floor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sentences = vec![self.visible()];
        sentences.extend(self.longer());
        sentences.push(self.alarms());
        sentences.push(self.how());
        if self.floor.false_alarm {
            sentences.push(self.alarmed());
        }
        let line = |sentence: &String| wrapped(&self.layout.characters(sentence), self.layout, 2);
        sentences.iter().try_for_each(|sentence| writeln!(f, "{}", line(sentence)))
    }
}

/// How short a response under load can be.
#[derive(Debug, Clone, Copy)]
pub struct Idle {
    pub floor: LoadFloor,
    /// How to lay it out.
    pub layout: Layout,
}

impl fmt::Display for Idle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoadFloor { rate, response_p50, response_p99, late_p50, late_p99, .. } = self.floor;
        let at = |p50: u64, p99: Option<u64>| {
            let tail = p99.map_or_else(String::new, |p99| format!(" and {} at P99", time(p99 as f64 / 1e9)));
            format!("{} at P50{tail}", time(p50 as f64 / 1e9))
        };
        let sentences = [
            format!(
                "Under load: a service that does nothing answers in {}, at {rate:.0} requests/s.",
                at(response_p50, response_p99)
            ),
            format!(
                "  No response can be shorter here. evenhand itself was late to send by {}.",
                at(late_p50, late_p99)
            ),
        ];
        let line = |sentence: &String| wrapped(&self.layout.characters(sentence), self.layout, 2);
        sentences.iter().try_for_each(|sentence| writeln!(f, "{}", line(sentence)))
    }
}

/// Differences that the waiting time is told for.
const WANTED: [f64; 3] = [0.01, 0.001, 0.0001];
/// Nobody measures two commands for longer than a day.
const LONGEST: f64 = 86_400.0;

impl Floor<'_> {
    fn visible(&self) -> String {
        let (seconds, run) = (time(self.floor.seconds), time(self.floor.run_seconds));
        let command = if self.own { "this command of" } else { "a command of" };
        match self.floor.visible {
            Some(share) => {
                format!("In {seconds} this machine can detect {} on {command} {run}.", percent(share))
            }
            None => format!(
                "In {seconds} there was time for {} on {command} {run}: too few to detect anything. Allow more with --time.",
                counted(self.floor.rounds, "round")
            ),
        }
    }

    /// The first two sizes below what shows already, with the time that they take.
    fn longer(&self) -> Option<String> {
        let visible = self.floor.visible?;
        let takes = |wanted: &f64| {
            let seconds = self.floor.seconds_to_see(*wanted).filter(|seconds| *seconds <= LONGEST)?;
            Some(format!("{} takes about {}", percent(*wanted), about(seconds)))
        };
        let smaller = WANTED.iter().filter(|wanted| **wanted < visible).filter_map(takes).take(2);
        let effects: Vec<String> = smaller.collect();
        (!effects.is_empty()).then(|| format!("  {}.", effects.join(", ")))
    }

    fn alarms(&self) -> String {
        let NoiseFloor { false_alarms, tosses, confidence, .. } = self.floor;
        let expected = (1.0 - confidence) * f64::from(*tosses);
        format!(
            "  Self-check: {false_alarms} false alarms in {tosses} re-randomised comparisons (at most {expected:.0} expected)."
        )
    }

    fn how(&self) -> String {
        let on = self.floor.processor.map_or_else(String::new, |number| format!(" on CPU {number}"));
        format!(
            "  Measured: the same command on both sides, {}{on}, {:.0} % confidence.",
            counted(self.floor.rounds, "round"),
            100.0 * self.floor.confidence
        )
    }

    fn alarmed(&self) -> String {
        "  This measurement itself called identical commands different. Chance does that once in 100; if it happens \
         again, please report it.".to_owned()
    }
}

fn time(seconds: f64) -> String {
    let text = quantity(seconds, &Unit::seconds());
    // Three digits are enough to know a machine by.
    match text.split_once(' ') {
        Some((number, unit)) => match number.parse::<f64>() {
            Ok(number) if number < 10.0 => format!("{number:.1} {unit}"),
            Ok(number) => format!("{number:.0} {unit}"),
            Err(_) => text,
        },
        None => text,
    }
}

/// A forecast has two digits, in the largest unit that it fills twice.
fn about(seconds: f64) -> String {
    let steps = [("h", 3600.0), ("min", 60.0), ("s", 1.0)];
    let (unit, step) = steps.into_iter().find(|(_, step)| seconds >= 1.95 * step).unwrap_or(("s", 1.0));
    let figure = seconds / step;
    let decimals = usize::from(figure < 9.95);
    let text = format!("{figure:.decimals$}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = match percent {
        below if below < 0.0995 => 3,
        below if below < 0.995 => 2,
        below if below < 9.95 => 1,
        _ => 0,
    };
    let text = format!("{percent:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} %")
}
