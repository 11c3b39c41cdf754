//! What is the verdict in one sentence? "new is 1.30 % faster than old [0.90 %, 1.80 %], 99 % sure, 84 rounds, 5.1 s".
//!
//! | what | how it is said |
//! |---|---|
//! | time on the clock | slower, faster |
//! | `cpu`, `user`, `system`, `waited` | slower in cpu, faster in cpu |
//! | any other metric | worse in max_rss, better in max_rss |
//! | twice the time or more, half of it or less | takes 8.64 times as long as, is 3.20 times as fast as |
//! | as many rounds as nobody waits for | at this rate it will hardly be told |
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
    let in_metric = in_metric(comparison);
    if let Some(claim) = factor_claim(comparison) {
        return claim;
    }
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
            format!(
                "{candidate} and {baseline} are the same within {within}{in_metric}: {}",
                changes(comparison)
            )
        }
        Word::Unclear if effect.estimate.is_none() => {
            format!("unclear whether {candidate} differs from {baseline}{in_metric}")
        }
        Word::Unclear => {
            format!("unclear whether {candidate} differs from {baseline}{in_metric}: {}", changes(comparison))
        }
    }
}

/// Times are slower and faster; anything else is more and less of something.
fn directions(comparison: &Comparison) -> (String, String) {
    let (more, less) = if is_speed(comparison) { ("slower", "faster") } else { ("worse", "better") };
    let in_metric = in_metric(comparison);
    (format!("{more}{in_metric}"), format!("{less}{in_metric}"))
}

/// Times that are not those on the clock.
const OTHER_TIMES: [&str; 4] = ["cpu", "user", "system", "waited"];

/// ` in cpu`: the metric, unless it is what everyone means by slower.
fn in_metric(comparison: &Comparison) -> String {
    let metric = comparison.metric.as_str();
    let clock = is_speed(comparison) && !OTHER_TIMES.contains(&metric);
    if clock { String::new() } else { format!(" in {metric}") }
}

/// From here on a factor reads easier than percent: +100 % is twice the time, and −50 % half of it.
const TWICE: f64 = 2.0;

/// `new takes 8.64 times as long as old [7.90, 9.30]`; for times alone.
fn factor_claim(comparison: &Comparison) -> Option<String> {
    let Comparison { baseline, candidate, effect, .. } = comparison;
    let time = comparison.unit.in_seconds().is_some() && comparison.better == Better::Lower;
    let ratio = 1.0 + effect.estimate.filter(|_| time)?;
    let (low, high) = (effect.low.map(|low| 1.0 + low), effect.high.map(|high| 1.0 + high));
    let in_metric = in_metric(comparison);
    match comparison.verdict {
        Word::Slower if ratio >= TWICE => {
            let (by, range) = (factor(ratio)?, factors(low, high)?);
            Some(format!("{candidate} takes {by} times as long as {baseline}{in_metric} {range}"))
        }
        Word::Faster if ratio <= 1.0 / TWICE => {
            let (by, range) = (factor(1.0 / ratio)?, factors(high.map(f64::recip), low.map(f64::recip))?);
            Some(format!("{candidate} is {by} times as fast as {baseline}{in_metric} {range}"))
        }
        _ => None,
    }
}

/// Factors from here on are said in percent, which have a way to be said shortly.
const HUGE_FACTOR: f64 = 1e5;

/// Three significant digits; `None` for what is no factor that people say.
fn factor(factor: f64) -> Option<String> {
    let decimals = match factor {
        below_ten if below_ten < 9.995 => 2,
        below_hundred if below_hundred < 99.95 => 1,
        _ => 0,
    };
    (0.0..HUGE_FACTOR).contains(&factor).then(|| format!("{factor:.decimals$}"))
}

/// The interval of a factor; the end that is missing is the far one.
fn factors(near: Option<f64>, far: Option<f64>) -> Option<String> {
    match (near, far) {
        (Some(near), Some(far)) => Some(format!("[{}, {}]", factor(near)?, factor(far)?)),
        (Some(near), None) => Some(format!("[{} or more]", factor(near)?)),
        (None, _) => None,
    }
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
        // Without a coin there are no rounds to wait for.
        (None, None) if comparison.kind == Kind::Paired => format!("{estimate}{sign} so far"),
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

/// So many times the rounds so far are more than anyone will wait for.
const HOPELESS: u64 = 100;
/// So many seconds are, too.
const A_DAY: f64 = 86_400.0;

fn more_to_do(comparison: &Comparison, settings: &Settings, one_group: bool) -> Option<String> {
    let over_launches = comparison.within_launches.is_some();
    let so_far = if over_launches { comparison.launches } else { comparison.rounds } as u64;
    let more = comparison.needed?.checked_sub(so_far).filter(|more| *more > 0)?;
    let noun = match (over_launches, more) {
        (true, 1) => "launch",
        (true, _) => "launches",
        (false, 1) => "round",
        (false, _) => "rounds",
    };
    let seconds = comparison.seconds.filter(|_| one_group && so_far > 0);
    let time = seconds.map(|seconds| seconds / so_far as f64 * more as f64).filter(|time| *time >= 0.01);
    let about = time.map_or_else(String::new, |time| format!(" (about {})", words::duration(time)));
    if comparison.effect.low.or(comparison.effect.high).is_none() {
        // How fast the interval narrows is not known yet: only what it takes to have one.
        return Some(format!("it takes at least {more} more {noun}{about} to tell"));
    }
    let slightly = matches!(comparison.verdict, Word::SlightlySlower | Word::SlightlyFaster);
    let beyond = format!("whether it is more than {} %", settings.margin_percent);
    let hopeless = more > so_far.saturating_mul(HOPELESS) || time.is_some_and(|time| time > A_DAY);
    Some(match (hopeless, slightly) {
        (true, true) => format!("{beyond} will hardly be told"),
        (true, false) => "at this rate it will hardly be told".to_owned(),
        (false, _) => {
            let what = if slightly { format!(" {beyond}") } else { String::new() };
            format!("about {} more {noun}{about} would tell{what}", words::rounded(more))
        }
    })
}
