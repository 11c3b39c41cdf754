//! Which variables does a command see? Those of this program, then those that the user adds, then the padding.
//!
//! The environment lies on the stack, so its length moves the stack: a program can run some percent faster or slower
//! with the name of another user in it (Mytkowicz, Diwan, Hauswirth, Sweeney: Producing Wrong Data Without Doing
//! Anything Obviously Wrong!, ASPLOS 2009). So every run has a variable of random length, drawn from the luck of the
//! round and the place within it, never from the arm: whichever arm the coin sends there gets it.
//!
//! Tests: `tests/command.rs`.

use crate::executor::DueTurn;
use evenhand_trial::Seed;
use std::ffi::{CString, OsString};

/// The variable that is only long.
pub const PADDING: &str = "EVENHAND_PADDING";
/// Its value is shorter than this.
const LONGEST: u64 = 4096;

/// All variables but the padding.
pub fn variables(added: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let is_new = |name: &OsString| name != PADDING && !added.iter().any(|(other, _)| other == name);
    let inherited = std::env::vars_os().filter(|(name, _)| is_new(name));
    // Of a variable that is given twice the last counts.
    let last = added
        .iter()
        .enumerate()
        .filter(|(place, (name, _))| added[place + 1..].iter().all(|(later, _)| later != name));
    inherited.chain(last.map(|(_, variable)| variable.clone())).collect()
}

/// The padding of a turn, as it stands in the environment.
pub fn padding(turn: &DueTurn) -> CString {
    let text = [PADDING.as_bytes(), b"=", value(turn.payload, turn.position).as_bytes()].concat();
    CString::new(text).unwrap_or_default()
}

/// The value of the padding, from luck and the place within what shares that luck.
pub fn value(draw: Seed, position: u32) -> String {
    let length = mixed(draw.0 ^ u64::from(position).rotate_left(32)) % LONGEST;
    "x".repeat(length as usize)
}

/// Neighbouring numbers become far ones: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
/// Number Generators, 2014).
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
