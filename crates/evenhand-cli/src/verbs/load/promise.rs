//! Which promise is written on the command line, or in a file?

use crate::percent::percent;
use crate::seconds::Seconds;
use evenhand_measure::service::Promise;
use std::str::FromStr;

/// What a service has to keep: `p99 < 20ms, errors < 0.1%`. Without a word about errors there may be none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PromiseArgument(pub Promise);

impl FromStr for PromiseArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut promise = Promise { text: text.trim().to_owned(), ..Promise::default() };
        for part in text.split(',').map(str::trim) {
            let form = || format!("\"{part}\" is no condition: write 'p99 < 20ms' or 'errors < 0.1%'");
            let (what, limit) = part.split_once('<').ok_or_else(form)?;
            let (what, limit) = (what.trim().to_ascii_lowercase(), limit.trim());
            if what == "errors" {
                promise.errors = percent(limit)? / 100.0;
                continue;
            }
            let share: f64 =
                what.strip_prefix('p').and_then(|number| number.parse().ok()).ok_or_else(form)?;
            if !(1.0..=99.99).contains(&share) {
                return Err(format!("\"{what}\" is no percentile from p1 to p99.99"));
            }
            let limit: Seconds = limit.parse()?;
            promise.responses.push((share / 100.0, limit.0.as_nanos() as f64));
        }
        Ok(Self(promise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_is_read_or_refused() {
        let PromiseArgument(promise) = "p99 < 20ms, P50<1ms, errors < 0.1%".parse().unwrap();
        assert_eq!(promise.responses, [(0.99, 20e6), (0.5, 1e6)]);
        assert_eq!(promise.errors, 0.001);
        assert_eq!("errors < 1%".parse::<PromiseArgument>().unwrap().0.responses, []);
        for wrong in ["", "p99", "p99 > 20ms", "p100 < 1s", "p0 < 1s", "px < 1s", "p99 < soon", "errors < 2s"]
        {
            assert!(wrong.parse::<PromiseArgument>().is_err(), "{wrong}");
        }
    }
}
