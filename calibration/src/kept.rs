//! The rows of finished jobs in a file beside the program, so that a whole proof that was stopped goes on where it was.
//!
//! The first line names the program by its bytes: another build begins anew. A line that was cut off is left out.

use crate::table::Row;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What jobs of this build have found so far.
pub struct Kept {
    finished: Vec<Finished>,
    file: Mutex<File>,
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Finished {
    job: usize,
    rows: Vec<Row>,
}

impl Kept {
    /// The file of this program.
    pub fn beside_the_program() -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let bytes = std::fs::read(&program).map_err(|e| format!("{}: {e}", program.display()))?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Self::open(&program.with_extension("rows"), &format!("{:016x}", hasher.finish()))
    }

    fn open(path: &Path, program: &str) -> Result<Self, String> {
        let named = |e: std::io::Error| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let is_ours = lines.next() == Some(program);
        let finished: Vec<Finished> =
            lines.filter(|_| is_ours).filter_map(|line| serde_json::from_str(line).ok()).collect();
        // Written anew, so that no cut-off line swallows the next.
        let file = OpenOptions::new().create(true).write(true).truncate(true).open(path).map_err(named)?;
        let kept = Self { finished: Vec::new(), file: Mutex::new(file), path: path.to_owned() };
        kept.write(program).map_err(named)?;
        for done in &finished {
            kept.keep(done.job, &done.rows);
        }
        Ok(Self { finished, ..kept })
    }

    /// The rows of a job that an earlier run of this program finished.
    pub fn rows_of(&self, job: usize) -> Option<Vec<Row>> {
        self.finished.iter().find(|done| done.job == job).map(|done| done.rows.clone())
    }

    /// Keeps the rows of a job. Where that fails the run goes on, and only could not be continued.
    pub fn keep(&self, job: usize, rows: &[Row]) {
        let line = serde_json::to_string(&Finished { job, rows: rows.to_vec() });
        let written = line.map_err(std::io::Error::from).and_then(|line| self.write(&line));
        if let Err(error) = written {
            eprintln!("calibration: {}: {error}", self.path.display());
        }
    }

    fn write(&self, line: &str) -> std::io::Result<()> {
        let mut file = self.file.lock().map_err(|_| std::io::Error::other("another job panicked"))?;
        file.write_all(format!("{line}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(decided: f64) -> Row {
        Row { decided: Some(decided), ..Row::new("printed", "normal", "wrong word", 0.01, 3) }
    }

    #[test]
    fn a_run_that_was_killed_goes_on_and_another_build_begins_anew() {
        let path = std::env::temp_dir().join(format!("calibration-{}.rows", std::process::id()));
        let first = Kept::open(&path, "one").expect("a writable folder");
        assert_eq!(first.rows_of(7), None);
        // A third has no short decimal form: what is read must be what was found, to the digit.
        first.keep(7, &[row(1.0 / 3.0), row(0.1)]);
        first.keep(2, &[row(0.0)]);
        drop(first);
        let cut = std::fs::read_to_string(&path).expect("the file");
        std::fs::write(&path, &cut[..cut.len() - 5]).expect("a writable file");

        let second = Kept::open(&path, "one").expect("a readable file");
        assert_eq!(second.rows_of(7), Some(vec![row(1.0 / 3.0), row(0.1)]));
        assert_eq!(second.rows_of(2), None, "its line was cut off");
        second.keep(2, &[row(0.5)]);
        drop(second);
        assert_eq!(Kept::open(&path, "one").expect("a readable file").rows_of(2), Some(vec![row(0.5)]));

        assert_eq!(Kept::open(&path, "two").expect("a readable file").rows_of(7), None);
        std::fs::remove_file(&path).expect("its own file");
    }
}
