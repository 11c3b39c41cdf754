//! What do the means say, for who reports means, and over what is their error? Smallest times, means, the paired z-test with "CHANGE DETECTED", and what is left
//! without the rounds that stand out, as in Bazhenov's article; and what that assumes.
//!
//! Tests: `tests/analysis/worded.rs`.

use super::counted;
use super::numbers::{quantity, size};
use crate::{Analysis, Comparison, Level, MeanComparison};
use evenhand_trial::Unit;

/// The heading of a column of means: their error does not cover another run unless it is over launches.
pub fn mean_heading<'a>(levels: impl IntoIterator<Item = &'a Level>) -> &'static str {
    let mut errors = levels.into_iter().filter_map(|level| level.mean_error);
    if errors.any(|error| !error.over_launches) { "mean ± within run" } else { "mean ± error" }
}

/// Each a line; none without means of the same rounds.
pub fn means(analysis: &Analysis, comparison: &Comparison) -> Vec<String> {
    let Some(mean) = comparison.coin().and_then(|coin| coin.mean) else { return Vec::new() };
    let names = &analysis.names;
    let unit = &names.metric(comparison.pair.metric).unit;
    let [old, new] = [comparison.pair.baseline, comparison.pair.candidate].map(|arm| names.arm(arm));
    let difference = |new: f64, old: f64| signed(new - old, unit);
    let both = |old: f64, new: f64| format!("{} and {}", quantity(old, unit), quantity(new, unit));
    let detected = if mean.change_detected { "CHANGE DETECTED" } else { "no change detected" };
    let z = mean.z.map_or_else(String::new, |z| format!(", z = {z:.2}"));
    let sign = if mean.difference < 0.0 { "-" } else { "+" };
    let percent = format!("{sign}{}", size(mean.difference_percent / 100.0));
    vec![
        format!(
            "minima of {old} and {new}: {}, difference {}",
            both(mean.baseline_min, mean.candidate_min),
            difference(mean.candidate_min, mean.baseline_min)
        ),
        format!(
            "means: {}, difference {} ({percent}){z}: {detected}",
            both(mean.baseline_mean, mean.candidate_mean),
            signed(mean.difference, unit)
        ),
        excursions(&mean, unit),
        "this assumes independent rounds and a single look at the end; the verdict assumes neither"
            .to_owned(),
    ]
}

/// Rounds that stand out are left out only where nothing says that they are the candidate's.
fn excursions(mean: &MeanComparison, unit: &Unit) -> String {
    let [below, above] = mean.excursions;
    let outlying = counted(below + above, "outlying round");
    match mean.without_excursions {
        _ if below + above == 0 => "no outlying round".to_owned(),
        Some(rest) => {
            let rest = signed(rest, unit);
            format!("without {outlying}, similar in number and size on both sides: difference {rest}")
        }
        None => format!(
            "{outlying}, {below} low and {above} high: none is left out, as they may be due to the candidate"
        ),
    }
}

fn signed(difference: f64, unit: &Unit) -> String {
    let sign = if difference < 0.0 { "-" } else { "+" };
    format!("{sign}{}", quantity(difference.abs(), unit))
}
