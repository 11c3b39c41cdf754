//! Into which consecutive parts does a series fall, if it falls into so many?
//!
//! Of all ways to cut the series into k + 1 parts, the one with the least sum of squared distances from the mean of each part is
//! found by dynamic programming (Bellman and Roth, *JASA* 64 (1969); Auger and Lawrence, *Bulletin of Mathematical Biology* 51
//! (1989)), so that no step hides another. One more cut costs a pass over all pairs of places: m²/2 sums for m values.
//!
//! Tests: `tests/stationarity.rs`.

/// The best partitions of a series, one cut more at a time.
pub(crate) struct Partitions {
    shortest: usize,
    /// Sums of the first values and of their squares, about the mean of all.
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// 1/length, for the lengths that occur.
    shares: Vec<f64>,
    /// The least sum of squares of the first `end` values with the cuts made so far.
    least: Vec<f64>,
    /// For each cut made, where it lies in the best partition of the first `end` values.
    cuts: Vec<Vec<usize>>,
}

impl Partitions {
    /// Of parts that hold at least `shortest` values each.
    pub(crate) fn of(values: &[f64], shortest: usize) -> Self {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let running = |of: fn(f64) -> f64| -> Vec<f64> {
            let mut sum = 0.0;
            let next = values.iter().map(|value| {
                sum += of(value - mean);
                sum
            });
            std::iter::once(0.0).chain(next).collect()
        };
        let mut whole = Self {
            shortest,
            sums: running(|value| value),
            squares: running(|value| value * value),
            shares: (0..=values.len()).map(|length| 1.0 / length as f64).collect(),
            least: Vec::new(),
            cuts: Vec::new(),
        };
        let first = |end| if end < shortest { f64::INFINITY } else { whole.cost(0, end) };
        whole.least = (0..=values.len()).map(first).collect();
        whole
    }

    /// The places of the best partition with one cut more than before; `None` when the series is too short for it.
    pub(crate) fn cut_again(&mut self) -> Option<Vec<usize>> {
        let n = self.sums.len() - 1;
        if n < (self.cuts.len() + 2) * self.shortest {
            return None;
        }
        let before: Vec<f64> =
            self.least.iter().zip(&self.squares).map(|(least, square)| least - square).collect();
        let (least, cuts) = (0..=n).map(|end| self.best_cut(&before, end)).unzip();
        self.least = least;
        self.cuts.push(cuts);
        Some(self.places())
    }

    /// The least sum of squares of the first `end` values with one cut more, and the place of that cut.
    fn best_cut(&self, before: &[f64], end: usize) -> (f64, usize) {
        let mut best = (f64::INFINITY, 0);
        let places = self.shortest..(end + 1).saturating_sub(self.shortest).max(self.shortest);
        let shares = self.shares[..=end - places.start.min(end)].iter().rev();
        for (((before, sum), share), place) in
            before[places.clone()].iter().zip(&self.sums[places.clone()]).zip(shares).zip(places)
        {
            let distance = self.sums[end] - sum;
            let squares = before - distance * distance * share;
            if squares < best.0 {
                best = (squares, place);
            }
        }
        (best.0 + self.squares[end], best.1)
    }

    /// The squared distances of values `start..end` from their mean.
    fn cost(&self, start: usize, end: usize) -> f64 {
        let sum = self.sums[end] - self.sums[start];
        self.squares[end] - self.squares[start] - sum * sum * self.shares[end - start]
    }

    fn places(&self) -> Vec<usize> {
        let mut end = self.sums.len() - 1;
        let mut places: Vec<usize> = self
            .cuts
            .iter()
            .rev()
            .map(|cuts| {
                end = cuts[end];
                end
            })
            .collect();
        places.reverse();
        places
    }
}
