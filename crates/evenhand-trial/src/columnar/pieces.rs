//! How many series go into one chunk? Long series are cut, short ones are put together.
//!
//! [`join`] undoes [`split`]: the same series come back, in the same shapes.
//!
//! Tests: `tests/columnar.rs`.

use super::MOST_NUMBERS;
use crate::{Series, Whole};
use std::ops::Range;

/// What one chunk holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Whether the first series goes on with the last one of the piece before.
    pub continues: bool,
    pub series: Vec<Series>,
}

/// What a series costs in a chunk beside its samples.
pub(super) const NUMBERS_PER_SERIES: usize = 7;

/// How many numbers a sample of a series costs in a chunk.
pub(super) fn numbers_per_sample(series: &Series) -> usize {
    let wholes = super::wholes(series).into_iter().flatten();
    let spelled_out = wholes.filter(|whole| matches!(whole, Whole::Each(_))).count();
    spelled_out + series.values.iter().filter(|column| !column.is_empty()).count()
}

/// Cuts series into pieces of at most `max_samples` samples, fewer if that would be more than
/// [`MOST_NUMBERS`] numbers. One piece at a time is copied. Nothing in, nothing out.
pub fn split(series: &[Series], max_samples: usize) -> impl Iterator<Item = Piece> + '_ {
    // The next sample to hand out: the place of its series, and its place in there.
    let mut at = (0_usize, 0_usize);
    std::iter::from_fn(move || {
        let mut piece = Piece { continues: at.1 > 0, series: Vec::new() };
        let mut samples = max_samples.max(1);
        let mut numbers = MOST_NUMBERS;
        while let Some(whole) = series.get(at.0) {
            let fits = numbers.saturating_sub(NUMBERS_PER_SERIES) / numbers_per_sample(whole).max(1);
            let end = whole.len().min(at.1.saturating_add(samples.min(fits)));
            let nothing_new = end == at.1 && !whole.is_empty();
            if (nothing_new || numbers < NUMBERS_PER_SERIES) && !piece.series.is_empty() {
                break;
            }
            // A sample of more metrics than a chunk may hold goes in alone, and `encode` refuses it.
            let end = if nothing_new { end + 1 } else { end };
            piece.series.push(part(whole, at.1..end));
            samples -= (end - at.1).min(samples);
            numbers = numbers.saturating_sub(NUMBERS_PER_SERIES + numbers_per_sample(whole) * (end - at.1));
            if end < whole.len() {
                at.1 = end;
                break;
            }
            at = (at.0 + 1, 0);
        }
        (!piece.series.is_empty()).then_some(piece)
    })
}

/// Adds the series of the next piece to those of the pieces before.
pub fn join(series: &mut Vec<Series>, piece: Piece) {
    let mut added = piece.series.into_iter();
    if piece.continues
        && let Some(last) = series.last_mut()
        && let Some(first) = added.next()
    {
        extend(last, first);
    }
    series.extend(added);
}

fn part(series: &Series, range: Range<usize>) -> Series {
    Series {
        arm: series.arm,
        launch: series.launch,
        rounds: part_of_whole(&series.rounds, &range),
        positions: series.positions.as_ref().map(|whole| part_of_whole(whole, &range)),
        started: series.started.as_ref().map(|whole| part_of_whole(whole, &range)),
        iterations: part_of_whole(&series.iterations, &range),
        values: series.values.iter().map(|column| slice(column, &range)).collect(),
    }
}

fn part_of_whole(whole: &Whole, range: &Range<usize>) -> Whole {
    match whole {
        Whole::Same { same } => Whole::Same { same: *same },
        Whole::Counting { from } => Whole::Counting { from: from.saturating_add(range.start as u64) },
        Whole::Each(each) => Whole::Each(slice(each, range)),
    }
}

fn slice<T: Copy>(column: &[T], range: &Range<usize>) -> Vec<T> {
    column.get(range.clone()).map(<[T]>::to_vec).unwrap_or_default()
}

fn extend(series: &mut Series, more: Series) {
    let (before, added) = (series.len(), more.len());
    extend_whole(&mut series.rounds, before, more.rounds, added);
    extend_known(&mut series.positions, before, more.positions, added);
    extend_known(&mut series.started, before, more.started, added);
    extend_whole(&mut series.iterations, before, more.iterations, added);
    for (column, more) in series.values.iter_mut().zip(more.values) {
        column.extend(more);
    }
}

fn extend_known(whole: &mut Option<Whole>, before: usize, more: Option<Whole>, added: usize) {
    match (whole.as_mut(), more) {
        (Some(whole), Some(more)) => extend_whole(whole, before, more, added),
        _ => *whole = None,
    }
}

fn extend_whole(whole: &mut Whole, before: usize, more: Whole, added: usize) {
    let goes_on = match (&*whole, &more) {
        (Whole::Same { same }, Whole::Same { same: more }) => same == more,
        (Whole::Counting { from }, Whole::Counting { from: more }) => {
            from.saturating_add(before as u64) == *more
        }
        _ => false,
    };
    if goes_on {
        return;
    }
    match whole {
        Whole::Each(each) => each.extend(more.iter(added)),
        Whole::Same { .. } | Whole::Counting { .. } => {
            *whole = Whole::Each(whole.iter(before).chain(more.iter(added)).collect());
        }
    }
}
