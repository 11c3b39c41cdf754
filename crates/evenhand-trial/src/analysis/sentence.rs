//! What is the verdict in one sentence? "new is 1.30 % faster than old [0.90 %, 1.80 %], 99 % sure, 84 rounds, 5.1 s".
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Effect, Kind};
use super::settings::Settings;
use crate::words::{change, counted, quantity, size};
use crate::{Better, Unit, words};
use evenhand_stats::randomised::Word;

/// `one_group`: the trial's seconds all went into the rounds of this comparison's group, so they tell how long one takes.
pub(super) fn verdict(comparison: &Comparison, settings: &Settings, one_group: bool) -> String {
    let mut parts = vec![claim(comparison, settings)];
    if comparison.effect.low.is_some() || comparison.effect.high.is_some() {
        parts.push(format!("{} sure", sure(comparison.confidence)));
    }
    parts.extend(basis(comparison));
    parts.extend(comparison.tail.as_ref().map(|tail| {
        let inside = if comparison.within_launches.is_some() { " within these launches" } else { "" };
        format!("but by percentile{inside}: {tail}")
    }));
    parts.extend(more_to_do(comparison, settings, one_group));
    parts.join(", ")
}

/// A confidence as people say it: `99 %`, `99.9 %`. Nothing is `100 %` sure.
pub(super) fn sure(confidence: f64) -> String {
    let rounded = |decimals: usize| format!("{:.decimals$}", 100.0 * confidence);
    let percent = (4..=15).map(rounded).find(|percent| !percent.starts_with("100"));
    let percent = percent.unwrap_or_else(|| "99.99999999999999".to_owned());
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}

/// A sentence about times, told of the metric of a comparison.
pub(super) fn in_words_of(comparison: &Comparison, sentence: &str) -> String {
    if is_speed(comparison) {
        return sentence.to_owned();
    }
    sentence.replace("slower", "worse").replace("faster", "better")
}

fn claim(comparison: &Comparison, settings: &Settings) -> String {
    let Comparison { baseline, candidate, effect, .. } = comparison;
    let (more, less) = directions(comparison);
    let by = effect.estimate.map_or_else(|| "by an unknown size".to_owned(), size);
    let within = format!("{} %", settings.margin_percent);
    match comparison.verdict {
        Word::Slower => format!("{candidate} is {by} {more} than {baseline} {}", sizes(effect)),
        Word::Faster => format!("{candidate} is {by} {less} than {baseline} {}", sizes(effect)),
        Word::SlightlySlower => {
            format!("{candidate} is slightly {more} than {baseline}: {}", changes(comparison))
        }
        Word::SlightlyFaster => {
            format!("{candidate} is slightly {less} than {baseline}: {}", changes(comparison))
        }
        Word::Same => {
            format!("{candidate} and {baseline} are the same within {within}: {}", changes(comparison))
        }
        Word::Unclear if effect.estimate.is_none() => {
            format!("unclear whether {candidate} differs from {baseline}")
        }
        Word::Unclear => {
            format!("unclear whether {candidate} differs from {baseline}: {}", changes(comparison))
        }
    }
}

/// Times are slower and faster; anything else is more and less of something.
fn directions(comparison: &Comparison) -> (String, String) {
    if is_speed(comparison) {
        return ("slower".to_owned(), "faster".to_owned());
    }
    let of = comparison.metric.as_str();
    (format!("worse in {of}"), format!("better in {of}"))
}

/// Less time or more a second.
fn is_speed(comparison: &Comparison) -> bool {
    match comparison.better {
        Better::Lower => comparison.unit.in_seconds().is_some(),
        Better::Higher => comparison.unit.symbol().ends_with("/s"),
    }
}

/// The interval of a change whose direction was said already: both ends as sizes, the smaller first.
fn sizes(effect: &Effect) -> String {
    match (effect.low, effect.high) {
        (Some(low), Some(high)) => {
            let (near, far) = if low.abs() <= high.abs() { (low, high) } else { (high, low) };
            format!("[{}, {}]", size(near), size(far))
        }
        (Some(bound), None) | (None, Some(bound)) => format!("[{} or more]", size(bound)),
        (None, None) => String::new(),
    }
}

/// The change with its sign. Where more is better, a plus that means worse is said to.
fn changes(comparison: &Comparison) -> String {
    let Comparison { effect, .. } = comparison;
    let sign = match comparison.better {
        Better::Lower => String::new(),
        Better::Higher => format!(" (+ is {})", in_words_of(comparison, "slower")),
    };
    let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), change);
    let estimate = end(effect.estimate);
    match (effect.low, effect.high) {
        (None, None) => format!("{estimate}{sign}"),
        (low, high) => format!("{estimate} [{}, {}]{sign}", end(low), end(high)),
    }
}

fn basis(comparison: &Comparison) -> Vec<String> {
    let mut basis = Vec::new();
    if comparison.launches > 1 {
        basis.push(format!("{} launches", comparison.launches));
    }
    if comparison.kind == Kind::Paired {
        basis.push(counted(comparison.rounds, "round"));
    }
    basis.extend(comparison.seconds.map(|seconds| quantity(seconds, &Unit::seconds())));
    if comparison.kind == Kind::Unpaired {
        basis.extend(comparison.assumptions.iter().cloned());
    }
    basis
}

fn more_to_do(comparison: &Comparison, settings: &Settings, one_group: bool) -> Option<String> {
    let over_launches = comparison.within_launches.is_some();
    let so_far = if over_launches { comparison.launches } else { comparison.rounds } as u64;
    let more = comparison.needed?.saturating_sub(so_far);
    let noun = match (over_launches, more) {
        (true, 1) => "launch",
        (true, _) => "launches",
        (false, 1) => "round",
        (false, _) => "rounds",
    };
    let seconds = comparison.seconds.filter(|_| one_group && so_far > 0);
    let time = seconds.map(|seconds| seconds / so_far as f64 * more as f64).filter(|time| *time >= 0.01);
    let time = time.map_or_else(String::new, |time| format!(" (about {})", words::duration(time)));
    let what = match comparison.verdict {
        Word::SlightlySlower | Word::SlightlyFaster => {
            format!(" whether it is more than {} %", settings.margin_percent)
        }
        _ => String::new(),
    };
    (more > 0).then(|| format!("about {} more {noun}{time} would tell{what}", words::rounded(more)))
}
