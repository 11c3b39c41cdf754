//! Where are the files in which a machine describes itself? Below the root, or in a folder to which those of another machine were copied.
//!
//! Tests: `tests/machines.rs`.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

/// No file that is read here is longer; /proc/cpuinfo of a thousand processors is half of it.
const LONGEST_FILE: u64 = 4 << 20;

/// The files of a machine.
#[derive(Debug, Clone)]
pub struct Files {
    root: PathBuf,
}

impl Files {
    /// The files of the machine that this program runs on.
    pub fn of_this_machine() -> Self {
        Self::below("/")
    }

    /// Files of a machine that were copied to a folder.
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.root.join(path)).ok()?.take(LONGEST_FILE).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The text of a file; what is not UTF-8 is replaced, NUL ends a line.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes(path)?).replace('\0', "\n");
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    pub(crate) fn number(&self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Names of what is in a folder, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}
