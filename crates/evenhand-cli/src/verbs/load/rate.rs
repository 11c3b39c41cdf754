//! How is a rate typed? `500` requests a second, or `70%` of what the services can answer.
//!
//! Tests: below, and `tests/program/workload.rs`.

use crate::percent::percent;
use std::fmt;
use std::str::FromStr;

/// What a thread sends at most.
pub(super) const LIMIT: f64 = 1e6;

/// A rate, as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RateArgument {
    /// So many requests a second.
    PerSecond(f64),
    /// This part of what the weakest of the services can answer.
    OfCapacity(f64),
}

impl RateArgument {
    /// Requests a second, where the weakest service can answer this many.
    pub(super) fn per_second(self, capacity: f64) -> f64 {
        match self {
            Self::PerSecond(rate) => rate,
            Self::OfCapacity(share) => (share * capacity).min(LIMIT),
        }
    }
}

impl FromStr for RateArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.ends_with('%') {
            let share = percent(text)? / 100.0;
            return match share {
                0.001..=1.0 => Ok(Self::OfCapacity(share)),
                _ => Err("a part of what the services can answer is from 0.1% to 100%".to_owned()),
            };
        }
        match text.parse() {
            Ok(rate) if rate > 0.0 && rate <= LIMIT => Ok(Self::PerSecond(rate)),
            Ok(rate) if !f64::is_nan(rate) => Err("expected a rate above 0 and at most 1000000 per second".to_owned()),
            _ => Err("expected requests per second, such as 500, or a part of what the services can answer, such as 70%".to_owned()),
        }
    }
}

/// As it is typed.
impl fmt::Display for RateArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerSecond(rate) => write!(f, "{rate}"),
            Self::OfCapacity(share) => write!(f, "{}%", share * 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_or_a_part() {
        for (text, rate) in [
            ("500", RateArgument::PerSecond(500.0)),
            (" 0.5 ", RateArgument::PerSecond(0.5)),
            ("70%", RateArgument::OfCapacity(0.7)),
            ("100 %", RateArgument::OfCapacity(1.0)),
        ] {
            assert_eq!(text.parse(), Ok(rate), "{text}");
        }
        for wrong in ["", "0", "-1", "1000001", "inf", "nan", "fast", "0%", "101%", "%", "x%"] {
            assert!(wrong.parse::<RateArgument>().is_err(), "{wrong}");
        }
    }
}
