//! What is a regression? `slower` is a change beyond the margin; `slower > 2%` one that is surely larger than 2 %. The
//! same with `faster`. For other metrics than times read "worse" and "better". A difference without a ratio, as there is none to an error
//! rate of 0, has no size: it is worse, and not known to be worse by anything.

use crate::percent::percent;
use evenhand_analysis::Comparison;
use evenhand_stats::randomised::{LogRatio, Word};
use std::fmt;
use std::str::FromStr;

/// A condition on a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FailIf {
    direction: Direction,
    /// In percent; without one the margin counts.
    size: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Slower,
    Faster,
}

/// What a comparison says to a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    Yes,
    No,
    /// Neither is sure yet.
    Open,
}

impl FromStr for FailIf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "expected 'slower', 'faster', or one of them with a size, such as 'slower > 2%'".to_owned();
        let (word, size) = match text.split_once('>') {
            Some((word, size)) => (word, Some(percent(size).map_err(|_| wrong())?)),
            None => (text, None),
        };
        let direction = match word.trim() {
            "slower" | "worse" => Direction::Slower,
            "faster" | "better" => Direction::Faster,
            _ => return Err(wrong()),
        };
        match (direction, size) {
            (_, Some(size)) if size < 0.0 => Err("the size of a change must be at least 0%".to_owned()),
            (Direction::Faster, Some(size)) if size >= 100.0 => {
                Err("nothing can be 100% faster: give the share of the time saved, such as 50%".to_owned())
            }
            _ => Ok(Self { direction, size }),
        }
    }
}

/// As it is typed.
impl fmt::Display for FailIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.direction {
            Direction::Slower => "slower",
            Direction::Faster => "faster",
        })?;
        self.size.map_or(Ok(()), |size| write!(f, " > {size}%"))
    }
}

impl FailIf {
    /// The effect that must be told from the true one, if a size was given.
    pub(crate) fn threshold(self) -> Option<LogRatio> {
        let size = self.size?;
        LogRatio::from_percent(match self.direction {
            Direction::Slower => size,
            Direction::Faster => -size,
        })
    }

    /// Whether a comparison meets the condition.
    pub(crate) fn answer(self, comparison: &Comparison) -> Reached {
        match self.threshold() {
            Some(threshold) if comparison.signs().is_some() => {
                self.without_size(comparison.verdict, threshold)
            }
            Some(threshold) => self.beyond(comparison, threshold.factor() - 1.0),
            None => self.by_word(comparison.verdict),
        }
    }

    fn by_word(self, word: Word) -> Reached {
        let met = match self.direction {
            Direction::Slower => Word::Slower,
            Direction::Faster => Word::Faster,
        };
        match word {
            word if word == met => Reached::Yes,
            word if word.is_final() => Reached::No,
            _ => Reached::Open,
        }
    }

    /// A difference of unknown size is larger than none.
    fn without_size(self, word: Word, threshold: LogRatio) -> Reached {
        match self.by_word(word) {
            Reached::Yes if threshold.0 != 0.0 => Reached::Open,
            reached => reached,
        }
    }

    fn beyond(self, comparison: &Comparison, size: f64) -> Reached {
        let above = comparison.effect.low.is_some_and(|low| low > size);
        let below = comparison.effect.high.is_some_and(|high| high < size);
        let (met, not) = match self.direction {
            Direction::Slower => (above, below),
            Direction::Faster => (below, above),
        };
        match (met, not) {
            (true, _) => Reached::Yes,
            (_, true) => Reached::No,
            _ => Reached::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> FailIf {
        text.parse().unwrap()
    }

    #[test]
    fn a_word_with_or_without_a_size() {
        assert_eq!(parsed("slower"), FailIf { direction: Direction::Slower, size: None });
        assert_eq!(parsed(" slower>2% "), parsed("slower > 2"));
        assert_eq!(parsed(" slower>2 ").to_string(), "slower > 2%");
        assert_eq!(parsed("better").to_string(), "faster");
        assert_eq!(parsed("faster > 0.5 %"), FailIf { direction: Direction::Faster, size: Some(0.5) });
        for wrong in
            ["", "slow", "slower 2%", "slower > ", "slower > -1", "faster > 100", "slower > two", "same"]
        {
            assert!(wrong.parse::<FailIf>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_word_alone_follows_the_verdict() {
        let slower = parsed("slower");
        assert_eq!(slower.by_word(Word::Slower), Reached::Yes);
        assert_eq!(slower.by_word(Word::Faster), Reached::No);
        assert_eq!(slower.by_word(Word::Same), Reached::No);
        assert_eq!(slower.by_word(Word::SlightlySlower), Reached::Open);
        assert_eq!(parsed("faster").by_word(Word::Faster), Reached::Yes);
    }

    #[test]
    fn without_a_size_a_difference_is_larger_than_none() {
        let answer = |text: &str, word| parsed(text).without_size(word, parsed(text).threshold().unwrap());
        assert_eq!(answer("slower > 0%", Word::Slower), Reached::Yes);
        assert_eq!(answer("slower > 0%", Word::Unclear), Reached::Open);
        assert_eq!(answer("slower > 5%", Word::Slower), Reached::Open);
        assert_eq!(answer("slower > 5%", Word::Faster), Reached::No);
        assert_eq!(answer("faster > 5%", Word::Faster), Reached::Open);
    }

    #[test]
    fn the_threshold_of_a_size_lies_on_its_side() {
        let percent = |text: &str| parsed(text).threshold().map(LogRatio::percent);
        assert!((percent("slower > 2%").unwrap() - 2.0).abs() < 1e-12);
        assert!((percent("faster > 2%").unwrap() + 2.0).abs() < 1e-12);
        assert_eq!(percent("slower"), None);
    }
}
