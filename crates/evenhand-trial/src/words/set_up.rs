//! How much of a sample is set-up, in words?
//!
//! Tests: `tests/analysis/set_up.rs`.

use super::numbers::{quantity, size};
use crate::analysis::{Analysis, SetUp};

/// More than this part of a sample is worth mending: the rule of Vaskovic's article.
const WORTH_MENDING: f64 = 0.05;

/// A line for each thing that was measured with several numbers of iterations.
pub fn set_ups(analysis: &Analysis) -> Vec<String> {
    analysis.set_ups.iter().map(|found| set_up(analysis, found)).collect()
}

fn set_up(analysis: &Analysis, found: &SetUp) -> String {
    let unit = &analysis.names.metric(found.metric).unit;
    let [few, many] = found.iterations;
    let of = format!("by the smallest samples with {few} and {many} iterations");
    if !found.evident {
        return format!("set-up of {}: none that stands out of the scatter, {of}", found.what);
    }
    let advice =
        if found.share > WORTH_MENDING { "; more than 5 %: move it out of what is measured" } else { "" };
    format!(
        "set-up of {}: {} in each sample, {} of the smallest with {few}, {of}; without it an iteration takes {}{advice}",
        found.what,
        quantity(found.set_up, unit),
        size(found.share),
        quantity(found.work, unit),
    )
}
