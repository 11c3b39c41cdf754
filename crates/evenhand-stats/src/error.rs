//! What can be wrong with the numbers that were handed in.
//!
//! A statistic that cannot be computed says which [`Rule`] was broken and by which argument, in the way of
//! Pragmastat's assumption violations. It never panics and never answers NaN.

use std::fmt;

/// The rule that an argument broke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Every value is a finite number; `index` is the first that is not.
    Finite {
        /// Position of the offending value, counted from 0.
        index: usize,
    },
    /// Every value is above zero (times, ratios); `index` is the first that is not.
    Positive {
        /// Position of the offending value, counted from 0.
        index: usize,
    },
    /// At least this many values are needed.
    AtLeast {
        /// The smallest count that the statistic is defined for.
        needed: usize,
        /// How many there were.
        got: usize,
    },
    /// The values are not all alike: a spread, a scale or a correlation of a constant is undefined.
    NotConstant,
    /// Two series that belong together have the same length.
    SameLength {
        /// Length of the first series.
        left: usize,
        /// Length of the second series.
        right: usize,
    },
    /// A parameter lies in its range, bounds as documented at the parameter.
    InRange {
        /// Smallest permitted value.
        low: f64,
        /// Largest permitted value.
        high: f64,
    },
    /// Squares and sums of the values stay within what a double can hold: every value is zero or between
    /// 1e-140 and 1e140 in size.
    Representable {
        /// Position of the offending value, counted from 0.
        index: usize,
    },
}

/// A broken [`Rule`] and the argument that broke it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputError {
    /// What was asked of the argument.
    pub rule: Rule,
    /// The name of the argument, as in the function's signature.
    pub argument: &'static str,
}

impl InputError {
    pub(crate) fn new(rule: Rule, argument: &'static str) -> Self {
        Self { rule, argument }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = self.argument;
        match self.rule {
            Rule::Finite { index } => write!(f, "{argument}: value {index} is not a finite number"),
            Rule::Positive { index } => write!(f, "{argument}: value {index} is not above zero"),
            Rule::AtLeast { needed, got } => {
                write!(f, "{argument}: needs at least {needed} values, got {got}")
            }
            Rule::NotConstant => write!(f, "{argument}: all values are the same"),
            Rule::SameLength { left, right } => {
                write!(f, "{argument}: lengths differ, {left} and {right}")
            }
            Rule::InRange { low, high } => write!(f, "{argument}: must lie between {low} and {high}"),
            Rule::Representable { index } => {
                write!(f, "{argument}: value {index} is outside 1e-140..1e140, its square cannot be held")
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Values of a size whose squares, summed over any trial that fits in memory, neither overflow nor vanish.
const SQUARABLE: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// Refuses fewer than `needed` values.
pub(crate) fn at_least(values: &[f64], needed: usize, argument: &'static str) -> Result<(), InputError> {
    if values.len() < needed {
        return Err(InputError::new(Rule::AtLeast { needed, got: values.len() }, argument));
    }
    Ok(())
}

/// Refuses an empty series, NaN and infinities.
pub(crate) fn finite(values: &[f64], argument: &'static str) -> Result<(), InputError> {
    at_least(values, 1, argument)?;
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(InputError::new(Rule::Finite { index }, argument)),
        None => Ok(()),
    }
}

/// Refuses what [`finite`] refuses, zero and negative values.
pub(crate) fn positive(values: &[f64], argument: &'static str) -> Result<(), InputError> {
    finite(values, argument)?;
    match values.iter().position(|v| *v <= 0.0) {
        Some(index) => Err(InputError::new(Rule::Positive { index }, argument)),
        None => Ok(()),
    }
}

/// Refuses what [`finite`] refuses and values whose squares cannot be summed.
pub(crate) fn squarable(values: &[f64], argument: &'static str) -> Result<(), InputError> {
    finite(values, argument)?;
    match values.iter().position(|v| *v != 0.0 && !SQUARABLE.contains(&v.abs())) {
        Some(index) => Err(InputError::new(Rule::Representable { index }, argument)),
        None => Ok(()),
    }
}

/// Refuses two series of different length.
pub(crate) fn same_length(left: &[f64], right: &[f64], argument: &'static str) -> Result<(), InputError> {
    if left.len() != right.len() {
        return Err(InputError::new(Rule::SameLength { left: left.len(), right: right.len() }, argument));
    }
    Ok(())
}

/// Refuses a parameter outside `low..=high`, NaN included.
pub(crate) fn in_range(value: f64, low: f64, high: f64, argument: &'static str) -> Result<(), InputError> {
    if !(low..=high).contains(&value) {
        return Err(InputError::new(Rule::InRange { low, high }, argument));
    }
    Ok(())
}

/// Refuses a probability that is not strictly between 0 and 1.
pub(crate) fn probability(value: f64, argument: &'static str) -> Result<(), InputError> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(InputError::new(Rule::InRange { low: 0.0, high: 1.0 }, argument))
}
