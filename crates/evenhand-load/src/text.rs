//! What varies in a request? A text with places in it that each request fills in anew, from a draw that its plan has made.
//!
//! | place | what |
//! |---|---|
//! | `{uniform:1..1000}` | a whole number, all alike likely; both ends belong to it |
//! | `{zipf:1..1000}` | one of which the first is asked for most often, as keys of real services are: the n-th with a weight of n^−0.99 |
//! | `{letters:20}` | 20 random letters |
//!
//! Everything else stays as it is, other braces too: `{"id": {uniform:1..9}}`.
//!
//! Tests: below.

use rand_core::{Rng, SeedableRng};
use rand_distr::{Distribution, Zipf};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

/// The exponent that YCSB has for its keys (Cooper et al., "Benchmarking cloud serving systems with YCSB", 2010).
const EXPONENT: f64 = 0.99;
/// More letters are nobody's key.
const MOST_LETTERS: u64 = 1 << 20;

/// Bytes with places in them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Text(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Bytes(Vec<u8>),
    Uniform { from: u64, count: u64 },
    Zipf { from: u64, zipf: Zipf<f64> },
    Letters(u64),
}

/// A place that cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {why}")]
pub struct TextError {
    place: String,
    why: &'static str,
}

impl Text {
    /// Reads a text.
    ///
    /// # Errors
    /// A place whose numbers are none, or in the wrong order.
    pub fn of(text: &[u8]) -> Result<Self, TextError> {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((&first, after)) = rest.split_first() {
            match place(rest)? {
                Some((piece, length)) => {
                    pieces.extend((!plain.is_empty()).then(|| Piece::Bytes(std::mem::take(&mut plain))));
                    pieces.push(piece);
                    rest = &rest[length..];
                }
                None => {
                    plain.push(first);
                    rest = after;
                }
            }
        }
        pieces.extend((!plain.is_empty()).then_some(Piece::Bytes(plain)));
        Ok(Self(pieces))
    }

    /// A text without places, whatever it looks like.
    pub fn plain(text: impl AsRef<[u8]>) -> Self {
        Self(vec![Piece::Bytes(text.as_ref().to_vec())])
    }

    /// Whether there is a place in it.
    pub fn varies(&self) -> bool {
        self.0.iter().any(|piece| !matches!(piece, Piece::Bytes(_)))
    }

    /// Writes it with all places filled in.
    pub(crate) fn write(&self, draws: &mut Xoshiro256PlusPlus, into: &mut Vec<u8>) {
        for piece in &self.0 {
            match piece {
                Piece::Bytes(bytes) => into.extend_from_slice(bytes),
                Piece::Uniform { from, count } => number(from + below(*count, draws), into),
                Piece::Zipf { from, zipf } => number(from + zipf.sample(draws) as u64 - 1, into),
                Piece::Letters(count) => into.extend((0..*count).map(|_| b'a' + below(26, draws) as u8)),
            }
        }
    }
}

/// What fills in the places of one request.
pub(crate) fn draws(draw: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(draw)
}

/// From 0, evenly: by the high bits of a product (Lemire, "Fast random integer generation in an interval", 2019), whose error is beyond
/// measure for the counts that there are.
fn below(count: u64, draws: &mut Xoshiro256PlusPlus) -> u64 {
    ((u128::from(draws.next_u64()) * u128::from(count)) >> 64) as u64
}

fn number(number: u64, into: &mut Vec<u8>) {
    into.extend_from_slice(number.to_string().as_bytes());
}

/// The place that a text begins with, and its length.
fn place(text: &[u8]) -> Result<Option<(Piece, usize)>, TextError> {
    let names: [&[u8]; 3] = [b"{uniform:", b"{zipf:", b"{letters:"];
    let Some(name) = names.into_iter().find(|name| text.starts_with(name)) else { return Ok(None) };
    let Some(end) = text.iter().position(|byte| *byte == b'}') else { return Ok(None) };
    let place = String::from_utf8_lossy(&text[..=end]).into_owned();
    let inside = String::from_utf8_lossy(&text[name.len()..end]).into_owned();
    let wrong = |why| TextError { place: place.clone(), why };
    let piece = match name {
        b"{letters:" => {
            let count = inside.parse().ok().filter(|count| (1..=MOST_LETTERS).contains(count));
            Piece::Letters(count.ok_or_else(|| wrong("write a number of letters, such as {letters:20}"))?)
        }
        _ => {
            let form = "write two whole numbers, the smaller one first, such as 1..1000";
            let (from, to) = inside.split_once("..").ok_or_else(|| wrong(form))?;
            let ends = from.trim().parse::<u64>().ok().zip(to.trim().parse::<u64>().ok());
            let (from, to) =
                ends.filter(|(from, to)| from <= to && *to < u64::MAX).ok_or_else(|| wrong(form))?;
            let count = to - from + 1;
            match name {
                b"{uniform:" => Piece::Uniform { from, count },
                _ => {
                    let zipf = Zipf::new(count as f64, EXPONENT).map_err(|_| wrong(form))?;
                    Piece::Zipf { from, zipf }
                }
            }
        }
    };
    Ok(Some((piece, end + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, draw: u64) -> String {
        let mut bytes = Vec::new();
        Text::of(text.as_bytes()).unwrap().write(&mut draws(draw), &mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn places_are_filled_in_and_all_else_stays() {
        let plain = r#"{"id": {7}, "a": "{zip:1..2}{uniform}{zipf:"#;
        assert_eq!(written(plain, 1), plain);
        assert!(!Text::of(plain.as_bytes()).unwrap().varies());
        assert_eq!(written("/items/{uniform:7..7}?x={zipf:9..9}", 3), "/items/7?x=9");
        let letters = written("<{letters:12}>", 5);
        assert!(
            letters.len() == 14 && letters[1..13].bytes().all(|byte| byte.is_ascii_lowercase()),
            "{letters}"
        );
        assert_eq!(written("{letters:12}", 5), letters[1..13], "the same draw, the same text");
        assert_ne!(written("{letters:12}", 6), letters[1..13]);
    }

    #[test]
    fn numbers_are_as_likely_as_they_should_be() {
        let count =
            |text: &str, wanted: &str| (0..20_000).filter(|draw| written(text, *draw) == wanted).count();
        // Of 20,000 draws a tenth: a standard deviation is 42.
        assert!(count("{uniform:1..10}", "1").abs_diff(2000) < 220);
        assert!(count("{uniform:1..10}", "10").abs_diff(2000) < 220);
        // 1/Σ n^−0.99 over ten, and that times 2^−0.99.
        let first = 1.0 / (1..=10).map(|n| f64::from(n).powf(-0.99)).sum::<f64>();
        for (wanted, share) in
            [("1", first), ("2", first * 2_f64.powf(-0.99)), ("10", first * 10_f64.powf(-0.99))]
        {
            let expected = (20_000.0 * share) as usize;
            assert!(count("{zipf:1..10}", wanted).abs_diff(expected) < 350, "{wanted}: {expected}");
        }
        assert_eq!(count("{uniform:1..10}", "11") + count("{zipf:1..10}", "11"), 0);
        assert_eq!(count("{uniform:1..10}", "0") + count("{zipf:1..10}", "0"), 0);
    }

    #[test]
    fn places_that_cannot_be_filled_in_are_named() {
        for wrong in
            ["{uniform:9..1}", "{uniform:9}", "{zipf:a..b}", "{zipf:}", "{letters:0}", "{letters:-1}"]
        {
            let error = Text::of(format!("/x{wrong}").as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{wrong}: write ")), "{error}");
        }
    }
}
