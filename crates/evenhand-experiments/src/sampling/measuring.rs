//! How are the samples taken? One micro-workload with a set-up, measured with 1, 2, 4 … 1024 iterations in a sample, each series for about a
//! second; and all of it again beside ever more busy processes.
//!
//! A sample is set-up and iterations together, divided by the iterations, in microseconds: as the article's driver reports it. So it
//! holds the set-up, divided by the iterations.

use crate::Size;
use crate::load::Hogs;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Elements of the array that is reversed.
const ELEMENTS: u64 = 150_000;
/// No more samples in a series.
const MOST_SAMPLES: usize = 2048;

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// How long a series takes, about.
    pub series: Duration,
    /// Iterations in a sample, ascending.
    pub iterations: Vec<u64>,
    /// Busy processes beside the measurement, for each load.
    pub loads: Vec<usize>,
}

impl Extent {
    /// The article: a second each, up to 1024 iterations, loads a to e.
    pub fn of(size: Size) -> Self {
        let iterations = (0..=10).map(|power| 1 << power).collect();
        match size {
            Size::Tiny => {
                Self { series: Duration::from_millis(10), iterations: vec![1, 2, 4], loads: vec![0, 1] }
            }
            Size::Usual | Size::Whole => {
                Self { series: Duration::from_secs(1), iterations, loads: vec![0, 0, 1, 2, 3] }
            }
        }
    }
}

/// The samples of one number of iterations, in microseconds for one iteration, in the order taken.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Iterations in a sample.
    pub iterations: u64,
    pub samples: Vec<f64>,
}

impl Series {
    pub(super) fn least(&self) -> Option<f64> {
        self.samples.iter().copied().reduce(f64::min)
    }
}

/// All series of one load.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Busy processes beside it.
    pub beside: usize,
    /// By iterations.
    pub series: Vec<Series>,
}

/// Takes all samples. `tell` hears how far it is.
pub fn measure(plan: &Extent, tell: &mut dyn FnMut(&str)) -> Vec<Load> {
    let letters = 'a'..='z';
    let one_load = |(letter, beside): (char, &usize)| {
        tell(&format!("load {letter}, busy processes: {beside}"));
        let hogs = Hogs::start(*beside);
        let series = plan.iterations.iter().map(|iterations| one_series(*iterations, plan.series)).collect();
        Load { beside: hogs.count(), series }
    };
    letters.zip(&plan.loads).map(one_load).collect()
}

/// Two samples at least.
fn one_series(iterations: u64, time: Duration) -> Series {
    let (began, mut samples) = (Instant::now(), Vec::new());
    while samples.len() < 2 || (began.elapsed() < time && samples.len() < MOST_SAMPLES) {
        samples.push(sample(iterations));
    }
    Series { iterations, samples }
}

fn sample(iterations: u64) -> f64 {
    let began = Instant::now();
    let mut array: Vec<u64> = (0..ELEMENTS).map(black_box).collect();
    for _ in 0..iterations {
        black_box(&mut array).reverse();
    }
    began.elapsed().as_secs_f64() * 1e6 / iterations as f64
}
