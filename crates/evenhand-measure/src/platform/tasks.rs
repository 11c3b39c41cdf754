//! How many tasks (threads and processes) were made on this machine meanwhile?
//!
//! The kernel numbers them in order, and the fifth field of `/proc/loadavg` is the last number that it gave
//! (`proc_loadavg(5)`), in this container if there is one. So two readings tell how many were made between them. When the
//! largest number is reached they begin again; then nothing is told.
//!
//! Tests: `tests/pinning.rs`.

use std::fs;

/// The number of the last task. `None` if the system does not say.
pub fn last() -> Option<u64> {
    last_in(&fs::read_to_string("/proc/loadavg").ok()?)
}

/// The last number in the text of that file.
pub fn last_in(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(4)?.parse().ok()
}

/// How many were made between two readings.
pub fn made(before: Option<u64>, after: Option<u64>) -> Option<u64> {
    after?.checked_sub(before?)
}
