//! What did the same experiment see on another day? Its trial is kept in the archive of `evenhand`, and found there by the next one.
//!
//! Tests: `tests/program.rs`.

use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::{State, Trial, TrialId};
use jiff::Timestamp;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

/// So many trials are looked through.
const LOOKED_THROUGH: usize = 100;

/// Keeps a trial that was measured just now, and answers the newest one before it of the same plan.
///
/// # Errors
/// The archive cannot be opened or written.
pub fn exchange(trial: &mut Trial, folder: Option<&Path>) -> Result<Option<Trial>, ArchiveError> {
    let mut archive = match folder {
        Some(folder) => Archive::open(folder)?,
        None => Archive::open(&Archive::find(Path::new("."))?)?,
    };
    let before = newest_like(&archive, trial)?;
    trial.id = TrialId::from_number(RandomState::new().build_hasher().finish());
    trial.started = Some(Timestamp::now());
    archive.add(trial)?;
    Ok(before)
}

/// One that cannot be read is passed over.
fn newest_like(archive: &Archive, now: &Trial) -> Result<Option<Trial>, ArchiveError> {
    let is_like = |trial: &Trial| trial.plan == now.plan && trial.metrics == now.metrics;
    let entries = archive.entries()?;
    let complete = entries.iter().filter(|entry| entry.state == State::Complete).take(LOOKED_THROUGH);
    let mut like = complete.filter(|entry| archive.head(&entry.id).is_ok_and(|head| is_like(&head)));
    Ok(like.find_map(|entry| archive.trial(&entry.id).ok()))
}
