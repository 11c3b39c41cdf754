//! How did the verdict come about, seen as pictures in a terminal? Every number is that of a
//! [`Picture`]; a view only decides in which column and row it stands.
//!
//! | file | question |
//! |---|---|
//! | `intervals.rs` | what did all comparisons find, how did an interval narrow over the rounds, and did it matter who ran first? |
//! | `distributions.rs` | which times did both arms take? |
//! | `course.rs` | did their levels move while they were measured? |
//!
//! No plotting crate fits: textplots draws lines on a Braille canvas only, rasciigraph one series of lines in box characters,
//! neither has intervals, a shared axis with our units, or ASCII.
//!
//! Tests: `tests/plots.rs`.

mod course;
mod distributions;
mod intervals;

use crate::Layout;
use crate::plain::plain;
use crate::wrap::wrapped;
use evenhand_analysis::charts::Picture;
use std::fmt;

/// Pictures of comparisons, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Plots<'a> {
    pub pictures: &'a [Picture],
    /// How.
    pub layout: Layout,
}

impl fmt::Display for Plots<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = self.layout;
        let of_one = |picture: &Picture| {
            [
                intervals::over_rounds(picture, layout),
                distributions::distributions(picture, layout),
                course::course(picture, layout),
                intervals::by_order(picture, layout),
            ]
        };
        let parts = [intervals::forest_of(self.pictures, layout)]
            .into_iter()
            .chain(self.pictures.iter().flat_map(of_one));
        for (place, part) in parts.flatten().enumerate() {
            write!(f, "{}{part}", if place > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

/// As wide as a picture gets, however wide the terminal is.
const WIDEST: usize = 120;
/// As narrow as one gets, however narrow the terminal is.
const NARROWEST: usize = 24;

fn width(layout: Layout) -> usize {
    layout.width.unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

fn heading(text: &str, layout: Layout) -> String {
    wrapped(&plain(text), layout, 2) + "\n"
}

/// Texts under an axis, each around its column; one that would touch the one before is left out.
fn labels(wanted: &[(usize, String)], columns: usize) -> String {
    let mut line = String::new();
    let mut taken = 0;
    for (place, (column, text)) in wanted.iter().enumerate() {
        let wide = text.chars().count();
        let start = column.saturating_sub(wide / 2).min(columns.saturating_sub(wide));
        if place > 0 && start < taken + 2 {
            continue;
        }
        line.push_str(&" ".repeat(start - taken));
        line.push_str(text);
        taken = start + wide;
    }
    line
}
