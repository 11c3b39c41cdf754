//! The calibration program.
fn main() {}
