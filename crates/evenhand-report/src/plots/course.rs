//! Did the levels move while they were measured? The medians of some stretches of each arm, from the first sample to the last, both
//! on one axis that does not begin at zero:
//!
//! ```text
//! in the order taken, by wall: 8.01 ms to 8.35 ms
//! old
//! ▁▁▂▁▁▁▇█▇▁▁▁
//! new
//! ▂▂▂▁▂▂██▇▂▂▁
//! ```
//!
//! Bars are three rows high. Where both move alike, the machine moved; the coin cancels that.
//!
//! Tests: `tests/plots.rs`.

use super::distributions::{HIGH, steps, towers};
use super::{heading, width};
use crate::Layout;
use evenhand_analysis::charts::{Course, Picture};
use evenhand_analysis::words::quantity;

pub(super) fn course(picture: &Picture, layout: Layout) -> Option<String> {
    let course = picture.course.as_ref()?;
    let all = || course.baseline.iter().chain(&course.candidate).copied();
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let longest = course.baseline.len().max(course.candidate.len());
    // Fewer stretches than four are no course.
    if !(4..=width(layout)).contains(&longest) || low >= high {
        return None;
    }
    let ends = format!("{} to {}", quantity(low, &course.unit), quantity(high, &course.unit));
    let mut drawn = heading(&format!("in the order taken, by {}: {ends}", picture.metric), layout);
    for (name, levels) in sides(picture, course) {
        drawn += &heading(name, layout);
        drawn += &towers(&heights(levels, [low, high], layout), layout);
    }
    Some(drawn)
}

fn sides<'a>(picture: &'a Picture, course: &'a Course) -> [(&'a str, &'a [f64]); 2] {
    [(&picture.baseline, &course.baseline), (&picture.candidate, &course.candidate)]
        .map(|(name, levels)| (name.as_str(), levels.as_slice()))
}

/// The lowest is seen too.
fn heights(levels: &[f64], [low, high]: [f64; 2], layout: Layout) -> Vec<usize> {
    let steps = (HIGH * steps(layout)) as f64;
    let height = |level: &f64| ((level - low) / (high - low) * (steps - 1.0)).round() as usize + 1;
    levels.iter().map(height).collect()
}
