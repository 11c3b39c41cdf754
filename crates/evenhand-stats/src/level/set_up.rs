//! How long does what precedes the iterations of a sample take?
//!
//! A sample of i iterations takes set-up + i·work, so for one iteration t_i = work + set-up/i. Two numbers of iterations tell the two
//! apart: set-up = i·j·(t_i − t_j)/(j − i), and work = t_i − set-up/i. The smallest samples of each number are taken, because what
//! disturbs only adds (P. Vaskovic, "Towards Robust Performance Measurement", 2018).
//!
//! Tests: tests/set_up.rs

/// A number of iterations, and what one of them took in the smallest of its samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smallest {
    /// Iterations in a sample.
    pub iterations: f64,
    /// The smallest sample over its iterations.
    pub each: f64,
}

/// A sample in its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetUp {
    /// What is in each sample once. Below 0 where more iterations took longer each.
    pub set_up: f64,
    /// What each iteration takes without it.
    pub work: f64,
}

/// The parts, if the numbers of iterations differ.
pub fn set_up(few: Smallest, many: Smallest) -> Option<SetUp> {
    let (i, j) = (few.iterations, many.iterations);
    let set_up = i * j * (few.each - many.each) / (j - i);
    (set_up.is_finite() && i > 0.0).then(|| SetUp { set_up, work: few.each - set_up / i })
}
