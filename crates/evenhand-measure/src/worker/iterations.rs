//! How often does a function run in one turn? As often as the clock needs, unless its author or the user knows better: once, so that no
//! rare slow call is averaged away, or for a certain time.
//!
//! A worker says what the author wants by parameters of a benchmark that begin with `@`: see `docs/protocol.md`.
//!
//! Tests: below, and `tests/worker/turns.rs`.

use super::plausible::{Implausible, within};
use std::time::Duration;

/// A turn has no more: a worker makes all its inputs first.
pub const MOST: u64 = 1_000_000;

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iterations {
    /// So many.
    Exactly(u64),
    /// As many as fill this time.
    For(Duration),
}

impl Iterations {
    /// For a function whose iteration takes so many nanoseconds.
    pub(super) fn of(self, once: f64) -> u64 {
        let wanted = match self {
            Self::Exactly(count) => count,
            Self::For(time) => (time.as_secs_f64() * 1e9 / once).round() as u64,
        };
        wanted.clamp(1, MOST)
    }

    /// Takes what the author wants out of the parameters that people see.
    pub(super) fn take_from(parameters: &mut Vec<(String, String)>) -> Result<Option<Self>, Implausible> {
        let reserved: Vec<_> = parameters.extract_if(.., |(name, _)| name.starts_with('@')).collect();
        let number = |wanted: &str, most| {
            let value = reserved.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
            let number = |value: &String| {
                let number = value.parse().unwrap_or(f64::NAN);
                within(1.0, most, wanted, number).map(|()| number)
            };
            value.map(number).transpose()
        };
        let exactly = number("@iterations", MOST as f64)?.map(|count| Self::Exactly(count as u64));
        let time = number("@iteration_time", 1e11)?.map(|ns| Self::For(Duration::from_nanos(ns as u64)));
        Ok(exactly.or(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(values: &[(&str, &str)]) -> (Result<Option<Iterations>, Implausible>, usize) {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut parameters: Vec<_> = values.iter().map(owned).collect();
        (Iterations::take_from(&mut parameters), parameters.len())
    }

    #[test]
    fn a_time_is_filled_and_a_number_is_kept() {
        assert_eq!(Iterations::Exactly(7).of(1e9), 7);
        let time = Iterations::For(Duration::from_millis(25));
        assert_eq!([time.of(1e6), time.of(2e6), time.of(1e9)], [25, 13, 1]);
        assert_eq!([time.of(0.5), Iterations::For(Duration::ZERO).of(3.0)], [MOST, 1]);
    }

    #[test]
    fn what_the_author_wants_is_no_parameter_and_a_user_s_own_iterations_are() {
        assert_eq!(taken(&[("@iterations", "4"), ("size", "10")]), (Ok(Some(Iterations::Exactly(4))), 1));
        let time = Iterations::For(Duration::from_millis(2));
        assert_eq!(taken(&[("@iteration_time", "2000000")]), (Ok(Some(time)), 0));
        assert_eq!(taken(&[("iterations", "4")]), (Ok(None), 1));
        assert_eq!(taken(&[("@of_the_future", "x")]), (Ok(None), 0));
    }

    #[test]
    fn numbers_that_cannot_be_are_refused_by_name() {
        for (name, value) in [("@iterations", "0"), ("@iterations", "many"), ("@iteration_time", "1e12")] {
            let wrong = taken(&[(name, value)]).0.err().map(|wrong| wrong.field);
            assert_eq!(wrong.as_deref(), Some(name), "{value}");
        }
    }
}
