//! Which times did both arms take? Their samples as bars on one axis, each arm by its own share:
//!
//! ```text
//! old, 84 samples, median 8.12 ms
//!     ▃█▅
//!    ▄███▇▃▁
//! 8 ms         9 ms
//! ```
//!
//! In a terminal narrower than the bins there is no such picture.
//!
//! Tests: `tests/plots.rs`.

use super::{heading, labels, width};
use crate::Layout;
use evenhand_analysis::charts::{Bins, Distribution, Distributions, Picture};
use evenhand_analysis::words::{counted, quantity};

/// Rows of a bar.
pub(super) const HIGH: usize = 3;
/// A bin wider than this looks like several.
const WIDEST_BIN: usize = 3;

/// What fills a cell, from nothing to all of it.
const UNICODE: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII: [char; 4] = [' ', '.', ':', '#'];

pub(super) fn distributions(picture: &Picture, layout: Layout) -> Option<String> {
    let bins = |both: &&Distributions| both.baseline.bins.counts.len();
    let both = picture.distributions.as_ref().filter(|both| (1..=width(layout)).contains(&bins(both)))?;
    let mut drawn = heading(&format!("all samples, by {}", picture.metric), layout);
    let highest = share(&both.baseline.bins).max(share(&both.candidate.bins));
    for (name, one) in [(&picture.baseline, &both.baseline), (&picture.candidate, &both.candidate)] {
        drawn += &heading(&about(name, one, both), layout);
        drawn += &bars(&one.bins, highest, layout);
    }
    Some(drawn + &under(both, columns(both.baseline.bins.counts.len(), layout), layout) + "\n")
}

fn about(name: &str, Distribution { bins, median }: &Distribution, both: &Distributions) -> String {
    let samples = counted(usize::try_from(bins.samples()).unwrap_or(usize::MAX), "sample");
    let mut about = format!("{name}, {samples}, median {}", quantity(*median, &both.unit));
    for (outside, side) in [(bins.below, "below"), (bins.above, "above")] {
        if outside > 0 {
            about += &format!(", {outside} {side} the axis");
        }
    }
    about
}

/// The largest share of an arm's samples in one bin.
fn share(bins: &Bins) -> f64 {
    bins.counts.iter().copied().max().unwrap_or(0) as f64 / bins.samples().max(1) as f64
}

fn bars(bins: &Bins, highest: f64, layout: Layout) -> String {
    let steps = HIGH * steps(layout);
    // A single sample is seen, however small its share.
    let height = |count: &u64| {
        let share = *count as f64 / bins.samples().max(1) as f64;
        ((share / highest * steps as f64).round() as usize).max(usize::from(*count > 0))
    };
    towers(&bins.counts.iter().map(height).collect::<Vec<_>>(), layout)
}

/// So many heights a cell can show.
pub(super) fn steps(layout: Layout) -> usize {
    if layout.unicode { UNICODE.len() - 1 } else { ASCII.len() - 1 }
}

/// Bars side by side, each of its height in steps, three rows in all.
pub(super) fn towers(heights: &[usize], layout: Layout) -> String {
    let levels: &[char] = if layout.unicode { &UNICODE } else { &ASCII };
    let steps = steps(layout);
    let wide = columns_a_bin(heights.len(), layout);
    let mut drawn = String::new();
    for row in (0..HIGH).rev() {
        let mut line = String::new();
        for height in heights {
            let level = levels[height.saturating_sub(row * steps).min(steps)];
            line.extend(std::iter::repeat_n(level, wide));
        }
        drawn += line.trim_end();
        drawn.push('\n');
    }
    drawn
}

fn columns_a_bin(bins: usize, layout: Layout) -> usize {
    (width(layout) / bins.max(1)).clamp(1, WIDEST_BIN)
}

pub(super) fn columns(bins: usize, layout: Layout) -> usize {
    bins * columns_a_bin(bins, layout)
}

/// The ends of the axis.
fn under(both: &Distributions, columns: usize, layout: Layout) -> String {
    let in_words = |value: f64| layout.characters(&quantity(value, &both.unit)).into_owned();
    let edges = &both.baseline.bins.edges;
    let end = |edge: Option<&f64>| in_words(edge.copied().unwrap_or_default());
    labels(&[(0, end(edges.first())), (columns - 1, end(edges.last()))], columns)
}
