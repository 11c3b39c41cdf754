//! What is compared? An arm is one thing under comparison.
//!
//! Arms of one *group* are alternatives to each other: they are compared with the group's baseline. A program that
//! measures one question has a single group; a file with twenty benchmarks that have nothing to do with each other has
//! twenty groups of one arm.
//!
//! Tests: `tests/trial.rs`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The place of an arm in [`Trial::arms`](crate::Trial::arms), counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArmId(pub u32);

impl ArmId {
    /// The place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One thing under comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Unique within the trial; what people read.
    pub name: String,
    /// Arms with the same group are alternatives; the empty name is a group like any other.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Whether the others of the group are compared with this one. Without such an arm it is the group's first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub baseline: bool,
    /// Whether it is the baseline of the group once more, measured to see whether equals are found equal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Program and arguments as they were started, if it is a command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Parameters that tell this arm from others: size, threads, input.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// The samples are not in the order in which they were taken (a tool sorted them), so nothing can be said of how they
    /// follow each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub order_lost: bool,
}
