//! How much of a sample is set-up, in words?
//!
//! Tests: `tests/analysis/set_up.rs`.

use super::counted;
use super::numbers::{quantity, size};
use crate::{Analysis, LEAST_SHARE, SetUp};

/// A line for each thing that was measured with several numbers of iterations.
pub fn set_ups(analysis: &Analysis) -> Vec<String> {
    analysis.set_ups.iter().map(|found| set_up(analysis, found)).collect()
}

fn set_up(analysis: &Analysis, found: &SetUp) -> String {
    let unit = &analysis.names.metric(found.metric).unit;
    let [few, many] = found.iterations;
    let source = format!("estimated from the smallest samples with {few} and {many} iterations");
    if !found.evident {
        return format!("set-up of {}: too small to tell from the noise, {source}", found.what);
    }
    let advice = if found.share > LEAST_SHARE {
        "; this is more than 5 %: move it out of the measured code"
    } else {
        ""
    };
    format!(
        "set-up of {}: {} in each sample, {} of the smallest sample with {}, {source}; without it an iteration takes {}{advice}",
        found.what,
        quantity(found.set_up, unit),
        size(found.share),
        counted(few as usize, "iteration"),
        quantity(found.work, unit),
    )
}
