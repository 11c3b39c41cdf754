//! Which command comes next? "next: evenhand plot @last draws the distributions".
//!
//! Tests: `tests/analysis/next.rs`, `crates/evenhand-cli/tests/program/next.rs`.

use super::numbers::rounded;
use crate::{Next, Piece};
use evenhand_trial::words::plural;
use std::fmt::Display;

/// The next step after a result. `trial`: what to call it; `goes_on`: whether it can be measured longer, rather than anew; `time`: how
/// long that takes, as one types it.
pub fn next_step(next: &Next, trial: &str, goes_on: bool, time: &dyn Display) -> String {
    match next {
        Next::Longer(to_do) => {
            let command =
                if goes_on { format!("evenhand run --continue {trial}") } else { "repeat with".to_owned() };
            let noun = if to_do.of == Piece::Launch { "launch" } else { "round" };
            let pieces = format!("{} more {}", rounded(to_do.more), plural(to_do.more as usize, noun));
            format!("next: {command} --max-time {time}, for about {pieces}")
        }
        Next::Distributions => format!("next: evenhand plot {trial} draws the distributions"),
        Next::Page => format!("next: evenhand report {trial} writes a page with every benchmark"),
    }
}
