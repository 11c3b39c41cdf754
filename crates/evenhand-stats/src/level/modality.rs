//! How many kinds of behaviour are in the samples, where are they, and how common is each?
//!
//! The sorted samples are cut into bins that all hold equally many, so that density = count/width and a long tail is a
//! row of ever wider bins, not a row of empty ones with bumps (the idea of Akinshin's quantile-respectful density and
//! its lowland detector, "Lowland multimodality detection", 2020). Two neighbouring peaks are two modes when the
//! samples between them are too few: fewer than the lower peak's density would put there, by [`CLEAR`] standard errors
//! and by a share of [`LOWLAND`]. Otherwise the lower peak is given up, the least evident first.
//!
//! Wide bins see modes that overlap, narrow ones see many modes among few samples. Both are looked at, and the look that
//! sees more modes counts; how sure a lowland is must be reckoned more carefully where bins are narrow.
//!
//! Values that share a clock tick are first spread evenly over that tick.
//!
//! Tests: tests/modality.rs

use crate::error::{InputError, Rule, finite};

/// A bin holds at least 1/this of the samples; modes smaller than about two bins are not seen.
const MOST_BINS: usize = 64;
/// Samples in a narrow bin, unless there are too many for so many bins.
const NARROW: usize = 6;
/// Standard errors by which the samples between two modes must be missing.
const CLEAR: f64 = 4.0;
/// Share of the samples between two modes that must be missing.
const LOWLAND: f64 = 0.25;
/// Fewer samples than this are called one mode.
const SPEAKS_OF_MODES: usize = 50;

/// One kind of behaviour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mode {
    /// Where the samples are densest.
    pub place: f64,
    /// The part of all samples that belongs to this mode: those between the emptiest places on either side.
    pub share: f64,
}

/// The modes of ascending samples, from the lowest to the highest; always at least one.
///
/// Fewer than 50 samples and fewer than three different values are one mode: nobody could tell. Modes that hold less
/// than about 3 % of the samples are not seen. Samples out of order are refused with [`Rule::InRange`].
pub fn modes(sorted: &[f64]) -> Result<Vec<Mode>, InputError> {
    finite(sorted, "sorted")?;
    if !sorted.is_sorted() {
        return Err(InputError::new(Rule::InRange { low: sorted[0], high: f64::MAX }, "sorted"));
    }
    let one = vec![Mode { place: middle(sorted), share: 1.0 }];
    let scale = sorted[0].abs().max(sorted[sorted.len() - 1].abs());
    if sorted.len() < SPEAKS_OF_MODES || scale < f64::MIN_POSITIVE {
        return Ok(one);
    }
    let Some(tick) = tick(sorted, scale) else { return Ok(one) };
    let spread = spread_over_ticks(sorted, tick, scale);
    let (wide, narrow) = (Bins::of(&spread, spread.len().isqrt()), Bins::of(&spread, spread.len() / NARROW));
    let overlapping = wide.modes(&wide.clear_peaks(Lowland::by_counts), scale);
    let many = narrow.modes(&narrow.clear_peaks(Lowland::by_densities), scale);
    Ok(if many.len() > overlapping.len() { many } else { overlapping })
}

fn middle(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

/// The smallest distance of two different values, in units of `scale`; none for fewer than three different values.
/// Distances below a billionth of the scale are rounding, not ticks.
fn tick(sorted: &[f64], scale: f64) -> Option<f64> {
    let gaps = sorted.windows(2).map(|pair| pair[1] / scale - pair[0] / scale).filter(|gap| *gap > 1e-9);
    let (count, least) = gaps.fold((0, f64::INFINITY), |(count, least), gap| (count + 1, least.min(gap)));
    (count >= 2).then_some(least)
}

/// Equal values spread evenly over one tick around them, all in units of `scale`.
fn spread_over_ticks(sorted: &[f64], tick: f64, scale: f64) -> Vec<f64> {
    let mut spread = Vec::with_capacity(sorted.len());
    for equal in sorted.chunk_by(|a, b| a == b) {
        let count = equal.len() as f64;
        spread.extend((0..equal.len()).map(|r| equal[0] / scale + tick * ((r as f64 + 0.5) / count - 0.5)));
    }
    // Neighbours nearer than a tick may now overlap a little.
    spread.sort_unstable_by(f64::total_cmp);
    spread
}

/// Bins of equally many samples.
struct Bins {
    /// One more than bins.
    edges: Vec<f64>,
    per_bin: f64,
    /// Samples per unit of width, over a bin and its neighbours.
    smooth: Vec<f64>,
}

impl Bins {
    fn of(values: &[f64], count: usize) -> Self {
        let n = values.len();
        let count = count.min(MOST_BINS);
        let edges: Vec<f64> = (0..=count).map(|i| values[(i * (n - 1)) / count]).collect();
        let least = (edges[count] - edges[0]) * 1e-12;
        let density = |i: usize| {
            let (low, high) = (i.saturating_sub(1), (i + 2).min(count));
            (high - low) as f64 / (edges[high] - edges[low]).max(least)
        };
        let per_bin = n as f64 / count as f64;
        let smooth = (0..count).map(|i| per_bin * density(i)).collect();
        Self { edges, per_bin, smooth }
    }

    /// Local maxima of the density, without those that no lowland parts from a higher one.
    fn clear_peaks(&self, sure: fn(&Lowland) -> f64) -> Vec<usize> {
        let at = |i: usize| self.smooth[i];
        let last = self.smooth.len() - 1;
        let mut peaks: Vec<usize> = (0..=last)
            .filter(|i| (*i == 0 || at(*i) > at(i - 1)) && (*i == last || at(*i) >= at(i + 1)))
            .collect();
        loop {
            let evidence = peaks.windows(2).map(|pair| self.lowland(pair[0], pair[1]));
            let evidence = evidence.map(|lowland| lowland.as_ref().map_or(0.0, sure)).enumerate();
            let Some((weakest, least)) = evidence.min_by(|a, b| a.1.total_cmp(&b.1)) else { return peaks };
            if least >= CLEAR {
                return peaks;
            }
            let lower = if at(peaks[weakest]) < at(peaks[weakest + 1]) { weakest } else { weakest + 1 };
            peaks.remove(lower);
        }
    }

    /// The stretch between two peaks that is emptier than the lower peak; none when the missing share is small.
    fn lowland(&self, left: usize, right: usize) -> Option<Lowland> {
        let water = self.smooth[left].min(self.smooth[right]);
        let (mut expected, mut held) = (0.0, 0.0);
        for i in left + 1..right {
            let room = water * (self.edges[i + 1] - self.edges[i]);
            if room > self.per_bin {
                expected += room;
                held += self.per_bin;
            }
        }
        // The water level is itself known from three bins.
        let lowland = Lowland { expected, held, peak: 3.0 * self.per_bin };
        (held < (1.0 - LOWLAND) * expected).then_some(lowland)
    }

    /// The widest bin between neighbouring peaks.
    fn borders(&self, peaks: &[usize]) -> Vec<usize> {
        let width = |i: usize| self.edges[i + 1] - self.edges[i];
        let widest = |pair: &[usize]| {
            (pair[0] + 1..pair[1]).max_by(|a, b| width(*a).total_cmp(&width(*b))).unwrap_or(pair[0])
        };
        peaks.windows(2).map(widest).collect()
    }

    fn modes(&self, peaks: &[usize], scale: f64) -> Vec<Mode> {
        let borders = self.borders(peaks);
        let count = self.smooth.len() as f64;
        let end_of = |i: usize| borders.get(i).map_or(1.0, |bin| (*bin as f64 + 0.5) / count);
        let start_of = |i: usize| if i == 0 { 0.0 } else { end_of(i - 1) };
        let mode = |(i, peak): (usize, &usize)| Mode {
            place: f64::midpoint(self.edges[*peak], self.edges[peak + 1]) * scale,
            share: end_of(i) - start_of(i),
        };
        peaks.iter().enumerate().map(mode).collect()
    }
}

/// A stretch with fewer samples than the peaks beside it would have.
struct Lowland {
    /// Samples at the density of the lower peak.
    expected: f64,
    held: f64,
    /// Samples that the density of the peak is known from.
    peak: f64,
}

impl Lowland {
    /// Standard errors by which samples are missing.
    fn by_counts(&self) -> f64 {
        let error = (self.held + self.held * self.held / self.peak).sqrt();
        (self.expected - self.held) / error
    }

    /// Standard errors by which the density is lower: about normal for few samples, too.
    fn by_densities(&self) -> f64 {
        let error = (1.0 / self.held + 1.0 / self.peak).sqrt();
        (self.expected / self.held).ln() / error
    }
}
