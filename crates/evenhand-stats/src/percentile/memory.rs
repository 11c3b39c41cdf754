//! Does a series remember itself for so long that no interval of a percentile can be known?
//!
//! The noise of a rank is measured over the rounds of the run. Where the run holds but a few independent stretches, that is a guess, and
//! the intervals cover far less than 95 %. So they are refused as that of the mean is, but below twenty independent samples: at ten the band of a shift
//! curve still covers 78 %. The ranks of the samples decide, because spikes hide the memory of the values. For a ratio the difference of both arms' ranks counts: what
//! the arms share cancels.
//!
//! Long runs are folded to medians of neighbours, which have the same slow waves.
//!
//! Tests: tests/percentile.rs and tests/shift_curve.rs.

use super::Ranked;
use crate::level::mean_error::{MeanErrorRule, mean_error};
use crate::order::{median, midranks};

/// A run with fewer independent samples than this has no interval, unless it is merely short.
const ENOUGH: f64 = 20.0;
/// Runs are folded to at most this many medians.
const MOST_MEDIANS: usize = 2048;

/// Whether one arm remembers itself for too long.
pub(super) fn remembers_too_long(arm: &Ranked<'_>) -> bool {
    too_few_independent(&folded_ranks(arm))
}

/// Whether what parts the two arms does.
pub(super) fn ratio_remembers_too_long(baseline: &Ranked<'_>, candidate: &Ranked<'_>) -> bool {
    let (baseline, candidate) = (folded_ranks(baseline), folded_ranks(candidate));
    too_few_independent(&candidate.iter().zip(baseline).map(|(one, other)| one - other).collect::<Vec<_>>())
}

fn folded_ranks(arm: &Ranked<'_>) -> Vec<f64> {
    let block = arm.rounds().div_ceil(MOST_MEDIANS).max(1);
    let medians: Vec<f64> = arm.in_round_order.chunks(block).map(median).collect();
    midranks(&medians, 0.0).ranks
}

fn too_few_independent(series: &[f64]) -> bool {
    mean_error(series, MeanErrorRule::default())
        .is_ok_and(|error| error.has_fewer_independent_samples_than(ENOUGH))
}
