//! What is known on any operating system: little, by the standard library alone.
//!
//! Tests: `tests/probe.rs`.

use evenhand_trial::Environment;
use evenhand_trial::environment::Cpu;

/// The system's name and the number of processors that this process may use.
pub fn describe() -> Environment {
    let logical = std::thread::available_parallelism().ok().and_then(|count| u32::try_from(count.get()).ok());
    Environment {
        system: Some(std::env::consts::OS.to_owned()),
        cpu: Cpu { logical, ..Cpu::default() },
        ..Environment::default()
    }
}
