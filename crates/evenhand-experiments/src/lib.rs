//! The experiments of the articles that evenhand builds on, to be run again on the reader's machine: does what they say hold here?
//!
//! | experiment | article | module |
//! |---|---|---|
//! | `log-normal` | D. Lemire, "Are your memory-bound benchmarking timings normally distributed?" (2023) | [`log_normal`] |
//! | `percentiles` | BenchmarkDotNet, "Percentiles" (2016) | [`percentiles`] |
//! | `uncertainty` | P. Kołaczkowski, "Estimating benchmark results uncertainty" (2020) | [`uncertainty`] |
//! | `sampling` | P. Vaskovic, "Towards Robust Performance Measurement" (2018) | [`sampling`] |
//! | `paired` | D. Bazhenov, "Paired benchmarking" (2023) | [`paired`] |
//!
//! Each measures first ([`log_normal::measure`]), which needs a clock, and tells then ([`log_normal::Measurements::document`]), which is pure. What it
//! tells: the article's own table from this machine, published figures beside it, and for each claim a plain sentence on whether it
//! held. The code is ours, the figures are cited.
//!
//! Tests: `tests/`.

pub mod document;
mod draws;
pub mod kept;
mod load;
pub mod log_normal;
pub mod paired;
pub mod percentiles;
pub mod sampling;
mod trial;
pub mod uncertainty;

/// How large an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Seconds: enough to see that it works, not enough to believe.
    Tiny,
    /// Under two minutes on two processors.
    Usual,
    /// As the article did it.
    Whole,
}
