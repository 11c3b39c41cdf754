//! How is a length of time typed? `2`, `1.5s`, `500ms`, `2min`.
//!
//! Tests: below.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seconds(pub Duration);

const UNITS: [(&str, f64); 7] =
    [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("min", 60.0), ("m", 60.0), ("s", 1.0), ("h", 3600.0)];

impl Seconds {
    /// A time to recommend: rounded up to five seconds, from two minutes on to minutes, from two hours on to hours.
    pub(crate) fn at_least(time: Duration) -> Self {
        let step = match time.as_secs() {
            0..120 => 5,
            120..7200 => 60,
            _ => 3600,
        };
        Self(Duration::from_secs((time.as_secs_f64() / step as f64).ceil() as u64 * step))
    }
}

/// As one types it, in the largest unit that leaves a whole number: `90s`, `5m`, `2h`.
impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match (seconds % 3600, seconds % 60) {
            (0, _) => write!(f, "{}h", seconds / 3600),
            (_, 0) => write!(f, "{}m", seconds / 60),
            _ => write!(f, "{seconds}s"),
        }
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
        let (number, seconds) =
            unit.map_or((text, 1.0), |(unit, seconds)| (&text[..text.len() - unit.len()], *seconds));
        let length = number.trim_end().parse::<f64>().ok().map(|number| number * seconds);
        match length.map(Duration::try_from_secs_f64) {
            Some(Ok(length)) if !length.is_zero() => Ok(Self(length)),
            _ => {
                Err("expected a time above 0, in seconds or with its unit, such as 2, 500ms or 1min"
                    .to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_seconds_or_with_their_unit() {
        let times = [
            ("2", 2000),
            ("1.5s", 1500),
            ("500ms", 500),
            ("2min", 120_000),
            ("2m", 120_000),
            ("1 h", 3_600_000),
        ];
        for (text, milliseconds) in times {
            assert_eq!(text.parse(), Ok(Seconds(Duration::from_millis(milliseconds))), "{text}");
        }
        for wrong in ["", "s", "0", "-1", "1d", "inf", "nan", "1e300", "two"] {
            assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_time_to_recommend_is_round_and_never_shorter() {
        let times = [
            (0.2, "5s"),
            (42.0, "45s"),
            (60.0, "1m"),
            (118.0, "2m"),
            (130.0, "3m"),
            (7000.0, "117m"),
            (7201.0, "3h"),
        ];
        for (seconds, typed) in times {
            let time = Seconds::at_least(Duration::from_secs_f64(seconds));
            assert_eq!(time.to_string(), typed);
            assert_eq!(typed.parse(), Ok(time));
        }
    }
}
