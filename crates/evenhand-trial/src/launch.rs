//! What did each launch draw? A launch starts all arms of a group afresh, and what it gets then, it keeps for all its rounds.
//!
//! Tests: `tests/trial.rs`.

use crate::LaunchId;
use serde::{Deserialize, Serialize};

/// One launch, as it was recorded when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchFacts {
    /// The place of its group in [`Trial::groups`](crate::Trial::groups): each group counts its launches from 0.
    pub group: u32,
    /// Its number.
    pub id: LaunchId,
    /// Which of the layouts its programs had.
    pub layout: u32,
    /// The processor, if there was one for all arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u32>,
    /// Nanoseconds from the start of the trial.
    pub began: u64,
}
