//! How does a trial survive while it is measured? Every round goes to a file of its own, in one `write`, before the
//! next round begins. Whatever kills the process then, the kernel has all rounds but the one in progress.
//!
//! The writer holds the lock on its journal for its life (see [`lock`]); a journal without an owner is of an interrupted
//! trial. There is no `fsync` a round: a power cut may cost the last seconds, and the rest is still read.
//!
//! [`Journal::finish`] reads the file again, so what is stored is what was journalled, and deletes it only once the
//! commit is on the disk. If that fails the journal stays as it is, and the next [`Archive::open`](crate::Archive::open)
//! takes it over.
//!
//! Tests: `tests/journal.rs`, `tests/processes.rs`, `tests/full_disk.rs`.

pub(crate) mod lock;
mod record;
pub mod replay;

use crate::absorb;
use crate::place::DATABASE;
use crate::{ArchiveError, schema};
use evenhand_trial::{
    ArmId, LaunchFacts, LaunchId, Round, RoundId, Sample, State, Trial, TrialError, TrialId,
};
use lock::DirectoryLock;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A trial that is being measured.
#[derive(Debug)]
pub struct Journal {
    dir: PathBuf,
    path: PathBuf,
    file: File,
    head: Trial,
    session: u64,
    added: i64,
    rounds: u64,
    last_rounds: HashMap<(ArmId, LaunchId), RoundId>,
    buffer: Vec<u8>,
    /// Where the next record goes.
    end: u64,
}

impl Journal {
    /// Makes the journal of a trial. `session`: how many journals of this trial came before.
    pub(crate) fn begin(dir: &Path, head: &Trial, session: u64, added: i64) -> Result<Self, ArchiveError> {
        let path = lock::path_of(dir, &head.id);
        let _lock = DirectoryLock::take(dir)?;
        let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(ArchiveError::Running { id: head.id.clone() });
            }
            Err(error) => return Err(ArchiveError::io(&path, "making", error)),
        };
        file.lock().map_err(|error| ArchiveError::io(&path, "locking", error))?;
        let mut journal = Self {
            dir: dir.to_owned(),
            path,
            file,
            head: head.head(),
            session,
            added,
            rounds: 0,
            last_rounds: HashMap::new(),
            buffer: Vec::new(),
            end: 0,
        };
        match journal.write_beginning() {
            Ok(()) => Ok(journal),
            Err(error) => {
                // Nothing was measured yet: leave no empty file behind.
                let _ = std::fs::remove_file(&journal.path);
                Err(error)
            }
        }
    }

    /// The trial without its samples.
    pub fn head(&self) -> &Trial {
        &self.head
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many rounds it holds.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Adds a round. When it returns, the round survives this process.
    ///
    /// After an error everything before is kept, the journal is whole, and the same round may be tried again.
    pub fn append(&mut self, round: &Round) -> Result<(), ArchiveError> {
        self.check(round)?;
        record::begin(&mut self.buffer);
        let written = record::put_round(&mut self.buffer, round);
        written.map_err(|error| self.refused(error.to_string()))?;
        self.write_record().map_err(|error| self.not_appended(error))?;
        self.rounds += 1;
        for (arm, _) in round.samples() {
            self.last_rounds.insert((arm, round.launch()), round.number());
        }
        Ok(())
    }

    /// Adds a launch that begins now. When it returns, what it drew survives this process.
    ///
    /// After an error everything before is kept, and the journal is whole.
    pub fn launch(&mut self, launch: &LaunchFacts) -> Result<(), ArchiveError> {
        if launch.group as usize >= self.head.groups().len() {
            return Err(self.refused(format!("a launch is of group {}, which does not exist", launch.group)));
        }
        record::begin(&mut self.buffer);
        let written = record::put_launch(&mut self.buffer, launch);
        written.map_err(|error| self.refused(error.to_string()))?;
        self.write_record().map_err(|error| self.not_appended(error))
    }

    /// Says something new of the trial: how long it took, a note. Arms, metrics, launches, samples and failures stay as they are.
    pub fn set_head(&mut self, head: &Trial) -> Result<(), ArchiveError> {
        if head.id != self.head.id || head.arms != self.head.arms || head.metrics != self.head.metrics {
            return Err(self.refused("id, arms and metrics cannot change while it is measured".to_owned()));
        }
        let head = head.head();
        self.write_head(&head).map_err(|error| self.not_appended(error))?;
        self.head = head;
        Ok(())
    }

    /// Ends the measuring: `Complete`, or `Interrupted` to go on another day. Moves the trial to the archive.
    pub fn finish(mut self, state: State) -> Result<TrialId, ArchiveError> {
        if state == State::Running {
            return Err(self.refused("a trial that ends is complete or interrupted".to_owned()));
        }
        let stored = self.note_end(state).and_then(|()| self.store());
        let journal = self.path.clone();
        stored
            .map(|()| self.head.id.clone())
            .map_err(|cause| ArchiveError::NotStored { journal, cause: Box::new(cause) })
    }

    /// Forgets everything measured in this session.
    pub fn discard(self) -> Result<(), ArchiveError> {
        absorb::remove(&self.dir, &self.path)
    }

    fn store(&mut self) -> Result<(), ArchiveError> {
        let database = self.dir.join(DATABASE);
        let mut connection = {
            let _lock = DirectoryLock::take(&self.dir)?;
            schema::open(&database, schema::STEPS)?
        };
        absorb::settle(&mut connection, &self.dir, &self.path, &mut self.file).map(|_| ())
    }

    /// Marks the file in place, which takes no room: a full disk cannot turn a complete trial into an interrupted one.
    fn note_end(&mut self, state: State) -> Result<(), ArchiveError> {
        let ended = u8::from(state == State::Complete);
        self.file
            .seek(SeekFrom::Start(record::ENDED_AT))
            .and_then(|_| self.file.write_all(&[ended]))
            .map_err(|error| ArchiveError::io(&self.path, "writing", error))
    }

    fn write_beginning(&mut self) -> Result<(), ArchiveError> {
        self.file
            .write_all(&record::header())
            .map_err(|error| ArchiveError::io(&self.path, "writing", error))?;
        self.end = record::HEADER_BYTES as u64;
        let head = self.head.clone();
        self.write_head(&head)
    }

    fn write_head(&mut self, head: &Trial) -> Result<(), ArchiveError> {
        record::begin(&mut self.buffer);
        let written = record::put_head(&mut self.buffer, self.session, self.added, head);
        written.map_err(|error| self.refused(error.to_string()))?;
        self.write_record()
    }

    /// Writes the buffer as one record with one `write`. If it fails, what was written of it is cut off again.
    fn write_record(&mut self) -> Result<(), ArchiveError> {
        record::seal(&mut self.buffer)
            .ok_or_else(|| self.refused("a round of more than 4 GiB".to_owned()))?;
        let written =
            self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&self.buffer));
        if let Err(error) = written {
            // Should the cut fail too, the next record is written over the torn one: `end` has not moved.
            let _ = self.file.set_len(self.end);
            return Err(ArchiveError::io(&self.path, "writing", error));
        }
        self.end += self.buffer.len() as u64;
        Ok(())
    }

    /// Refuses what [`Trial::check`] would refuse at the end, when it is too late.
    fn check(&self, round: &Round) -> Result<(), ArchiveError> {
        let sampled = round.samples().map(|(arm, _)| arm);
        for arm in sampled.chain(round.failures.iter().map(|failure| failure.arm)) {
            if self.head.arm(arm).is_none() {
                return Err(self.refused(format!("a sample is of arm {}, which does not exist", arm.0)));
            }
        }
        for (place, (arm, sample)) in round.samples().enumerate() {
            let number = round.number().0;
            let is_twice = round.samples().take(place).any(|(earlier, _)| earlier == arm);
            let last = self.last_rounds.get(&(arm, round.launch()));
            if is_twice || last.is_some_and(|last| *last >= round.number()) {
                return Err(
                    self.refused(format!("round {number} of arm {} is not above the one before", arm.0))
                );
            }
            if let Some(rule) = broken_rule(&sample, self.head.metrics.len()) {
                return Err(self.refused(format!("the sample of arm {} in round {number} {rule}", arm.0)));
            }
        }
        Ok(())
    }

    fn not_appended(&self, cause: ArchiveError) -> ArchiveError {
        ArchiveError::NotAppended { path: self.path.clone(), kept: self.rounds, cause: Box::new(cause) }
    }

    fn refused(&self, why: String) -> ArchiveError {
        ArchiveError::Refused { id: self.head.id.clone(), broken: TrialError(why) }
    }
}

fn broken_rule(sample: &Sample<'_>, metrics: usize) -> Option<&'static str> {
    if sample.values.len() != metrics {
        return Some("does not have a number for each metric");
    }
    if sample.values.iter().any(|value| value.is_infinite()) {
        return Some("holds an infinite number");
    }
    (sample.iterations == 0).then_some("is of 0 iterations")
}
