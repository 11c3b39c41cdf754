//! With which files in memory does a command start? Usually with those of the run before. A cold run has none: the kernel
//! is told to forget all that it keeps of files if we may, otherwise at least the files that we know the command to use.
//! How it is told: [`platform::cache`](crate::platform::cache).
//!
//! Tests: `tests/command.rs`.

use crate::platform::cache::{forget, forget_all};
use evenhand_trial::note::Coldness;
use std::path::PathBuf;

/// Puts files out of memory: all of them if we may, else these.
pub fn cool(files: &[PathBuf]) -> Coldness {
    if forget_all().is_ok() {
        return Coldness::All;
    }
    let forgotten = files.iter().filter(|file| forget(file).is_ok());
    let files: Vec<String> = forgotten.map(|file| file.display().to_string()).collect();
    if files.is_empty() { Coldness::Nothing } else { Coldness::Some { files } }
}
