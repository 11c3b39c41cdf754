//! What do all comparisons say together, and why can they be trusted?
//!
//! Tests: `tests/analysis/together.rs`, `crates/evenhand-report/tests/text.rs`.

use super::{counted, effect};
use crate::analysis::{Analysis, Suite};

/// "geometric mean of 3 comparisons: +1.2 % [+0.4 %, +2.0 %]".
pub fn suite(suite: &Suite) -> String {
    let all = counted(suite.comparisons, "comparison");
    format!("geometric mean of {all}: {}", effect(&suite.effect))
}

/// Why a verdict can be trusted, where a coin decided the order.
pub fn reason(analysis: &Analysis) -> Option<String> {
    analysis.comparisons.iter().find(|comparison| comparison.rounds() > 0)?;
    let percent = ((1.0 - analysis.settings.confidence) * 1e8).round() / 1e6;
    Some(format!(
        "order randomised in every round: identical programs are called different in at most {percent} % of trials"
    ))
}
