//! How are numbers said to people? Times in the unit that reads best, changes in percent, both with as many digits as
//! carry meaning.
//!
//! Tests: `tests/words.rs`.

use crate::Effect;
use evenhand_trial::Unit;
use std::str::FromStr;

const TIME_STEPS: [(&str, f64); 7] =
    [("d", 86400.0), ("h", 3600.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9), ("ps", 1e-12)];
const BYTE_STEPS: [(&str, f64); 4] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
const COUNT_STEPS: [(&str, f64); 4] = [("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)];
/// A count is spelled out below this.
const LONG_COUNT: f64 = 1e4;

/// A unit's symbol as it is printed: `us`, which is how files spell it, is `µs`. Empty for a plain count.
pub fn symbol(unit: &Unit) -> &str {
    match unit.symbol() {
        "us" => "µs",
        symbol => symbol,
    }
}

/// A number with its unit: `8.123 ms`, `1.350 GB`, `17 faults`, `35.59 M`. Four significant digits, never a bare exponent for
/// anything a machine measures.
pub fn quantity(value: f64, unit: &Unit) -> String {
    quantity_in(None, value, unit)
}

/// The same, a time in the unit that somebody wants all times in.
pub fn quantity_in(wanted: Option<TimeUnit>, value: f64, unit: &Unit) -> String {
    let scale = Scale::of(value, unit, wanted);
    scale.with_unit(&digits(scale.scaled(value)))
}

/// `8.123 ms ± 0.041`: the error in the unit of its figure and with two significant digits, and the figure with as many decimals,
/// so that the eye can compare them.
pub fn with_error_in(wanted: Option<TimeUnit>, value: f64, error: f64, unit: &Unit) -> String {
    let scale = Scale::of(value, unit, wanted);
    let (value, error) = (scale.scaled(value), two_digits(scale.scaled(error)));
    let (value, error) = match decimals_of_two_digits(error) {
        Some(decimals) => (format!("{value:.decimals$}"), format!("{error:.decimals$}")),
        None => (digits(value), digits(error)),
    };
    format!("{} ± {error}", scale.with_unit(&value))
}

/// The nearest number of two significant digits.
fn two_digits(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

/// As many decimals as show both digits of an error; `None` for one of 0, or too small beside any figure.
fn decimals_of_two_digits(error: f64) -> Option<usize> {
    const MOST: usize = 9;
    let decimals = (1.0 - error.log10().floor()).max(0.0) as usize;
    (error.is_finite() && error > 0.0 && decimals <= MOST).then_some(decimals)
}

/// A unit that somebody wants all times in: `ms`, or `millisecond` as hyperfine has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeUnit(&'static str, f64);

const SPELLED_OUT: [(&str, &str); 5] =
    [("second", "s"), ("millisecond", "ms"), ("microsecond", "µs"), ("us", "µs"), ("nanosecond", "ns")];

impl FromStr for TimeUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let symbol = SPELLED_OUT.iter().find(|(word, _)| *word == text).map_or(text, |(_, symbol)| symbol);
        let known = ["s", "ms", "µs", "ns"].contains(&symbol);
        let step = TIME_STEPS.iter().find(|(name, _)| known && *name == symbol);
        step.map(|(symbol, step)| Self(symbol, *step))
            .ok_or_else(|| "one of s, ms, us, ns is expected".to_owned())
    }
}

/// In which unit a number is written.
struct Scale<'a> {
    /// The size of the number's own unit, in seconds or bytes.
    own: f64,
    /// The size of the one that is written.
    step: f64,
    /// Thousands, millions and so on, of what has no larger unit.
    many: &'static str,
    symbol: &'a str,
}

impl<'a> Scale<'a> {
    fn of(value: f64, unit: &'a Unit, wanted: Option<TimeUnit>) -> Self {
        if let Some(own) = unit.in_seconds() {
            let fitting = || fitting(value * own, &TIME_STEPS, 3600.0);
            let (symbol, step) = wanted.map_or_else(fitting, |TimeUnit(symbol, step)| (symbol, step));
            return Self { own, step, many: "", symbol };
        }
        let (many, (symbol, step)) = match unit.symbol() {
            "B" => ("", fitting(value, &BYTE_STEPS, f64::INFINITY)),
            symbol if (LONG_COUNT..f64::INFINITY).contains(&four_digits(value).abs()) => {
                let (many, step) = fitting(value, &COUNT_STEPS, f64::INFINITY);
                (many, (symbol, step))
            }
            symbol => ("", (symbol, 1.0)),
        };
        Self { own: 1.0, step, many, symbol }
    }

    fn with_unit(&self, number: &str) -> String {
        let words = [number, self.many, self.symbol];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn scaled(&self, value: f64) -> f64 {
        value * self.own / self.step
    }
}

/// The largest step that leaves at least 1 in front of the point; hours and days only once the number fills them.
fn fitting(value: f64, steps: &[(&'static str, f64)], long: f64) -> (&'static str, f64) {
    let size = four_digits(value).abs();
    let fits = |(_, step): &&(&str, f64)| size >= *step && (*step < long || size >= 2.0 * step);
    let smallest = steps.last().copied().unwrap_or(("", 1.0));
    let base = steps.iter().find(|(_, step)| *step <= 1.0).copied().unwrap_or(smallest);
    if size == 0.0 { base } else { steps.iter().find(fits).copied().unwrap_or(smallest) }
}

/// The nearest number of four significant digits: 999.96 is 1000, and has another unit than 999.9.
fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Four significant digits; whole numbers keep all of theirs.
fn digits(value: f64) -> String {
    match decimals_of(value) {
        Some(decimals) => format!("{value:.decimals$}"),
        None => format!("{value:.3e}"),
    }
}

/// As many decimals as leave four significant digits; `None` for what is written with an exponent.
fn decimals_of(value: f64) -> Option<usize> {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return None;
    }
    // A quarter of a nanosecond is 250 ps, although no double is a quarter of a nanosecond.
    if (value - value.round()).abs() <= 1e-12 * size {
        return Some(0);
    }
    let before_point = four_digits(size).log10().floor() as i32 + 1;
    Some(4_i32.saturating_sub(before_point).max(0) as usize)
}

/// Percentages are spelled out below this.
const HUGE: f64 = 1e7;

/// A change with its sign: 0.0134 is `+1.34 %`. Two decimals below 10 %, one below 100 %.
pub fn change(relative: f64) -> String {
    signed(relative).map_or_else(|| "?".to_owned(), |percent| percent + " %")
}

/// `-1.31 % [-1.80 %, -0.90 %]`; what is not known is `?`.
pub fn effect(effect: &Effect) -> String {
    let [estimate, low, high] =
        [effect.estimate, effect.low, effect.high].map(|end| end.map_or_else(|| "?".to_owned(), change));
    format!("{estimate} [{low}, {high}]")
}

/// `-1.31 % [-1.80, -0.90]`: the unit once, where there is little room.
pub fn short_effect(effect: &Effect) -> String {
    let [low, high] =
        [effect.low, effect.high].map(|end| end.and_then(signed).unwrap_or_else(|| "?".to_owned()));
    format!("{} [{low}, {high}]", change(effect.estimate.unwrap_or(f64::NAN)))
}

/// `[-1.80 %, -0.90 %]`, or nothing where no end is known.
pub fn ends(effect: &Effect) -> String {
    let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), change);
    if effect.is_bounded() { format!("[{}, {}]", end(effect.low), end(effect.high)) } else { String::new() }
}

/// In percent; `None` for what is no number.
fn signed(relative: f64) -> Option<String> {
    let percent = 100.0 * relative;
    if percent.is_infinite() || percent.is_nan() {
        return None;
    }
    let text = match percent.abs() {
        huge if huge >= HUGE => format!("{percent:+.1e}"),
        _ => format!("{percent:+.*}", decimals(percent)),
    };
    // A rounded zero has no direction.
    let zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    let text = if zero { text[1..].to_owned() } else { text };
    Some(text)
}

/// The size of a change without its sign: 0.0134 and -0.0134 are `1.34 %`.
pub fn size(relative: f64) -> String {
    let percent = 100.0 * relative.abs();
    match percent {
        unknown if !unknown.is_finite() => "?".to_owned(),
        huge if huge >= HUGE => format!("{huge:.1e} %"),
        _ => format!("{percent:.*} %", decimals(percent)),
    }
}

/// A spread or an error, of two significant digits: 0.1234 is `12 %`.
pub(super) fn spread(relative: f64) -> String {
    let percent = two_digits(100.0 * relative.abs());
    decimals_of_two_digits(percent)
        .map_or_else(|| size(relative), |decimals| format!("{percent:.decimals$} %"))
}

/// A share of a whole that may be small, of two significant digits below 10 %: 0.00123 is `0.12 %`, none is `0 %`.
pub(super) fn share(share: f64) -> String {
    if share == 0.0 {
        return "0 %".to_owned();
    }
    if share < 0.1 { spread(share) } else { size(share) }
}

fn decimals(percent: f64) -> usize {
    match percent.abs() {
        below_ten if below_ten < 9.995 => 2,
        below_hundred if below_hundred < 99.95 => 1,
        _ => 0,
    }
}

/// A confidence as people say it: `99 %`, `99.9 %`. Nothing is `100 %` sure.
pub(super) fn sure(confidence: f64) -> String {
    let rounded = |decimals: usize| format!("{:.decimals$}", 100.0 * confidence);
    let percent = (4..=15).map(rounded).find(|percent| !percent.starts_with("100"));
    let percent = percent.unwrap_or_else(|| "99.99999999999999".to_owned());
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}

/// A count to two significant digits, for forecasts: 1,234 is `1200`.
pub fn rounded(count: u64) -> String {
    let mut step = 1_u64;
    while count / step >= 100 {
        step = step.saturating_mul(10);
    }
    let rounded = (count as f64 / step as f64).round() * step as f64;
    format!("{rounded:.0}")
}

/// Seconds as a time of two significant digits, for forecasts: `40 s`, `11 min`, `3.2 h`, `12 d`.
pub fn duration(seconds: f64) -> String {
    const STEPS: [(&str, f64); 5] = [("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3)];
    // Up to twice the next step: `90 s`, not `1.5 min`.
    let step = STEPS.iter().find(|(_, step)| seconds >= if *step > 1.0 { 2.0 * step } else { *step });
    let (name, step) = step.copied().unwrap_or(("ms", 1e-3));
    let value = seconds / step;
    let value: f64 = format!("{value:.1e}").parse().unwrap_or(value);
    if value < 1e4 { format!("{value} {name}") } else { format!("{value:.1e} {name}") }
}
