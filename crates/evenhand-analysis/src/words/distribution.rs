//! Are the times normally distributed? "not normal: maximum at 13.2 sigma (n = 200); log-normal fits better".
//!
//! Tests: `tests/analysis/worded.rs`.

use evenhand_stats::level::distribution::{Family, Fits};
use evenhand_stats::level::summary::SigmaDistances;

/// What both fits say.
pub fn distribution(fits: &Fits) -> String {
    let SigmaDistances { bottom, top, n } = fits.sigmas;
    let (end, sigma) = if top >= bottom { ("maximum", top) } else { ("minimum", bottom) };
    let extreme = format!("{end} at {sigma:.1} sigma (n = {n})");
    if !fits.normal.is_refuted() {
        return format!("consistent with normal: {extreme}");
    }
    let alternative = match fits.better() {
        Family::Normal => "log-normal fits worse",
        Family::LogNormal if fits.log_normal.is_refuted() => "log-normal fits better, though not well",
        Family::LogNormal => "log-normal fits better",
    };
    format!("not normal: {extreme}; {alternative}")
}
