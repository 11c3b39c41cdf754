//! Which combinations of parameters are measured? All of them: each value of each parameter with each of the others.
//!
//! `size=10,100,1000` lists values; `threads=1..8` counts from the first number to the last, `1..2..0.25` in steps. In a
//! command `{size}` stands for the value.
//!
//! Tests: `tests/grid.rs`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::str::FromStr;
use thiserror::Error;

/// A parameter with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as it stands between braces.
    pub name: String,
    /// Its values, at least one, no two alike.
    pub values: Vec<String>,
}

/// One value for each parameter, by name.
pub type Combination = BTreeMap<String, String>;

/// Nobody waits for more values of one parameter, or for more combinations.
pub const MOST: usize = 1000;
/// A number of a range has at most so many digits: the difference of two still fits into 64 bits,
const MOST_DIGITS: usize = 18;
/// of them so many after the point.
const MOST_DECIMALS: usize = 9;

/// Why a text is no parameter, in words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParameterError(String);

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let shape = || {
            ParameterError("expected NAME=VALUE,VALUE… or NAME=FIRST..LAST, such as size=10,100".to_owned())
        };
        let (name, values) = text.split_once('=').ok_or_else(shape)?;
        let values = match range(values)? {
            Some(values) => values,
            None => listed(name, values)?,
        };
        Self::checked(name, values)
    }
}

impl Parameter {
    /// A parameter with the values between the commas, whatever they look like.
    pub fn listed(name: &str, values: &str) -> Result<Self, ParameterError> {
        Self::checked(name, listed(name, values)?)
    }

    fn checked(name: &str, values: Vec<String>) -> Result<Self, ParameterError> {
        let good_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(good_name) {
            return Err(ParameterError(format!(
                "\"{}\" is not a parameter name: use letters, digits, `_` and `-`",
                name.escape_debug()
            )));
        }
        for (place, value) in values.iter().enumerate() {
            if value.is_empty() || values[..place].contains(value) {
                let what = if value.is_empty() { "an empty value" } else { "the same value twice" };
                return Err(ParameterError(format!("the parameter {name} has {what}")));
            }
        }
        Ok(Self { name: name.to_owned(), values })
    }
}

/// The values between the commas.
fn listed(name: &str, text: &str) -> Result<Vec<String>, ParameterError> {
    let values: Vec<String> = text.split(',').take(MOST + 1).map(str::to_owned).collect();
    if values.len() > MOST {
        return Err(ParameterError(format!("the parameter {name} has more than {MOST} values")));
    }
    Ok(values)
}

/// The numbers of `FIRST..LAST` or `FIRST..LAST..STEP`. `None` if the text is no range.
fn range(text: &str) -> Result<Option<Vec<String>>, ParameterError> {
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts[..] {
        [first, last] => (first, last, "1"),
        [first, last, step] => (first, last, step),
        _ => return Ok(None),
    };
    let numbers = [first, last, step];
    if !numbers.into_iter().all(is_number) {
        return Err(not_a_range(text));
    }
    let decimals = numbers.into_iter().map(decimals).max().unwrap_or(0);
    let scaled = |number| scaled(number, decimals).ok_or_else(|| too_many_digits(text));
    let (from, to, by) = (scaled(first)?, scaled(last)?, scaled(step)?);
    if by <= 0 || to < from {
        return Err(not_a_range(text));
    }
    if (to - from) / by >= MOST as i64 {
        return Err(ParameterError(format!("{text} has more than {MOST} values")));
    }
    Ok(Some((0..=(to - from) / by).map(|i| unscaled(from + i * by, decimals)).collect()))
}

fn not_a_range(text: &str) -> ParameterError {
    ParameterError(format!(
        "\"{}\" is not a range: write FIRST..LAST or FIRST..LAST..STEP with rising numbers, such as 1..8 or 0.5..2..0.5",
        text.escape_debug()
    ))
}

fn too_many_digits(text: &str) -> ParameterError {
    ParameterError(format!(
        "\"{}\" has a number with too many digits: at most {MOST_DIGITS}, and {MOST_DECIMALS} after the point",
        text.escape_debug()
    ))
}

/// Whether it is written as `-12` or `0.5` are.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    !whole.is_empty() && plain(whole) && plain(fraction)
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The number times 10^decimals, whole: a sum of binary fractions would not end on the last value. `None` if it has too many digits.
fn scaled(number: &str, decimals: usize) -> Option<i64> {
    let (sign, digits) = number.strip_prefix('-').map_or((1, number), |rest| (-1, rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if decimals > MOST_DECIMALS || whole.len() + decimals > MOST_DIGITS {
        return None;
    }
    Some(sign * format!("{whole}{fraction:0<decimals$}").parse::<i64>().ok()?)
}

fn unscaled(number: i64, decimals: usize) -> String {
    if decimals == 0 {
        return number.to_string();
    }
    let sign = if number < 0 { "-" } else { "" };
    let digits = format!("{:0>1$}", number.unsigned_abs(), decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    format!("{sign}{whole}.{fraction}")
}

/// All combinations, the last parameter changing fastest. Without parameters there is one: the empty one.
///
/// # Errors
/// Two parameters of one name, or more than [`MOST`] combinations.
pub fn combinations(parameters: &[Parameter]) -> Result<Vec<Combination>, ParameterError> {
    let mut combinations = vec![Combination::new()];
    for (place, parameter) in parameters.iter().enumerate() {
        if parameters[..place].iter().any(|other| other.name == parameter.name) {
            return Err(ParameterError(format!("the parameter {} is given twice", parameter.name)));
        }
        if combinations.len().saturating_mul(parameter.values.len()) > MOST {
            return Err(ParameterError(format!("these parameters have more than {MOST} combinations")));
        }
        combinations = combinations.iter().flat_map(|combination| extended(combination, parameter)).collect();
    }
    Ok(combinations)
}

fn extended<'a>(
    combination: &'a Combination,
    parameter: &'a Parameter,
) -> impl Iterator<Item = Combination> + 'a {
    parameter.values.iter().map(move |value| {
        let mut longer = combination.clone();
        longer.insert(parameter.name.clone(), value.clone());
        longer
    })
}

/// The text with every `{name}` replaced. Braces around anything else stay, and so does text that is not UTF-8.
pub fn filled(text: &OsStr, combination: &Combination) -> OsString {
    let Some(text) = text.to_str() else { return text.to_owned() };
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let value = rest[open + 1..]
            .find('}')
            .and_then(|close| Some((close, combination.get(&rest[open + 1..open + 1 + close])?)));
        filled.push_str(&rest[..open]);
        match value {
            Some((close, value)) => {
                filled.push_str(value);
                rest = &rest[open + close + 2..];
            }
            None => {
                filled.push('{');
                rest = &rest[open + 1..];
            }
        }
    }
    filled.push_str(rest);
    filled.into()
}

/// Whether a text has a place for a parameter.
pub fn uses(text: &OsStr, name: &str) -> bool {
    text.to_str().is_some_and(|text| text.contains(&format!("{{{name}}}")))
}

/// A combination in words: `size=10, kind=a`.
pub fn in_words(combination: &Combination) -> String {
    let pairs: Vec<String> = combination.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join(", ")
}
