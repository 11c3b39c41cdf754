//! With which files in memory does a command start? Usually with those of the run before. A cold run has none: the kernel
//! is told to forget all that it keeps of files if we may, otherwise at least the files that we know the command to use.
//! How it is told: [`platform::cache`](crate::platform::cache).
//!
//! Tests: `tests/command.rs`.

use crate::platform::cache::{forget, forget_all};
use std::path::PathBuf;

/// How cold a run was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coldness {
    /// No file was in memory.
    All,
    /// These files were not, or had their pages in use elsewhere.
    Some(Vec<PathBuf>),
    /// No way is known here.
    Unknown,
}

impl Coldness {
    /// What a reader of the record should know.
    pub fn note(&self) -> String {
        match self {
            Self::All => "before each run the kernel forgot all files that it kept in memory".to_owned(),
            Self::Some(files) => {
                let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                format!(
                    "before each run only these files were put out of memory: {}. To put out all, run as root",
                    names.join(", ")
                )
            }
            Self::Unknown => "files could not be put out of memory here, so no run was cold".to_owned(),
        }
    }
}

/// Puts files out of memory: all of them if we may, else these.
pub fn cool(files: &[PathBuf]) -> Coldness {
    if forget_all().is_ok() {
        return Coldness::All;
    }
    let forgotten: Vec<_> = files.iter().filter(|file| forget(file).is_ok()).cloned().collect();
    if forgotten.is_empty() { Coldness::Unknown } else { Coldness::Some(forgotten) }
}
