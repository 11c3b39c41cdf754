//! How is a group of processes ended? It may have ended by itself; then there is nothing to do.
//!
//! Tests: `tests/interrupt.rs`, `tests/command.rs`.

/// Ends all processes of a group at once.
pub(crate) fn kill_group(group: i32) {
    signal_group(group, Severity::AtOnce);
}

/// Asks all processes of a group to end.
pub(crate) fn end_group_politely(group: i32) {
    signal_group(group, Severity::Politely);
}

/// How a group is asked to end.
#[derive(Debug, Clone, Copy)]
enum Severity {
    Politely,
    AtOnce,
}

#[cfg(unix)]
fn signal_group(group: i32, severity: Severity) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match severity {
        Severity::Politely => Signal::TERM,
        Severity::AtOnce => Signal::KILL,
    };
    if let Some(group) = Pid::from_raw(group) {
        let _ = kill_process_group(group, signal);
    }
}

/// There are no groups here; the process itself is ended by whoever waits for it.
#[cfg(not(unix))]
fn signal_group(_: i32, _: Severity) {}
