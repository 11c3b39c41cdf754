//! Which trial does the user mean? A file or folder of results, or a trial of the archive by its id, its label or
//! `@last`.
//!
//! A word that is the path of something that exists means that; anything else is looked up in the archive.

use crate::sources::{Skip, nothing_recognised, sources};
use crate::{CliError, Stage};
use evenhand_analysis::words::counted;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_formats::import::Format;
use evenhand_report::message::Message;
use evenhand_trial::{Origin, Trial, TrialId};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

impl Stage<'_> {
    /// The archive's folder: the one asked for, or the one that is found from here.
    pub(crate) fn archive_folder(&self) -> Result<PathBuf, CliError> {
        match &self.archive {
            Some(folder) => Ok(folder.clone()),
            None => Ok(Archive::find(Path::new("."))?),
        }
    }

    /// The archive, for reading.
    pub(crate) fn archive_to_read(&self) -> Result<Archive, CliError> {
        Ok(Archive::open_read_only(&self.archive_folder()?)?)
    }

    /// The archive, for writing; made when there is none.
    /// Trials whose process was killed are taken over at this moment, and that is said.
    pub(crate) fn archive_to_write(&mut self) -> Result<Archive, CliError> {
        let archive = Archive::open(&self.archive_folder()?)?;
        for absorbed in archive.absorbed() {
            let id = absorbed.id.short();
            let kept = absorbed.rounds.map(|rounds| format!("{} kept", counted(rounds as usize, "round")));
            let reasons: Vec<String> = kept.into_iter().chain(absorbed.trouble.clone()).collect();
            let reasons = format_args!("trial {id} was interrupted: {}", reasons.join("; "));
            self.err.say(&Message::warning(reasons))?;
        }
        Ok(archive)
    }

    /// The archive, to change what is in it: one that is not there is not made.
    pub(crate) fn archive_to_change(&mut self) -> Result<Archive, CliError> {
        match Archive::open_read_only(&self.archive_folder()?) {
            Err(error @ ArchiveError::NoArchive { .. }) => Err(error.into()),
            _ => self.archive_to_write(),
        }
    }

    /// The trials that the user's words mean, each with a name that tells it from the others.
    pub(crate) fn trials(
        &self,
        words: &[OsString],
        format: Option<Format>,
    ) -> Result<Vec<(String, Trial)>, CliError> {
        let mut trials = Vec::new();
        let mut archive = None;
        for word in words {
            if word == "-" || Path::new(word).exists() {
                trials.extend(imported(word, format)?);
                continue;
            }
            let archive = match &archive {
                Some(archive) => archive,
                None => archive.insert(self.archive_for(word)?),
            };
            trials.push((word.to_string_lossy().into_owned(), archive.trial(&id(archive, word)?)?));
        }
        Ok(by_short_names(trials))
    }

    /// The archive that must hold what is no file; without one, the word was meant for a file.
    fn archive_for(&self, word: &OsStr) -> Result<Archive, CliError> {
        if looks_like_path(word) {
            return Err(CliError::new(format_args!("{}: no such file or folder", Path::new(word).display())));
        }
        self.archive_to_read().map_err(|failure| match failure {
            CliError::Archive(error) => CliError::new(format_args!(
                "\"{}\" is not a file here, and the archive cannot be searched for it: {error}",
                word.to_string_lossy().escape_debug()
            )),
            other => other,
        })
    }
}

/// The trials of a file or folder. Of several runs that a tool keeps in one folder the newest is last, as the candidate
/// of the older ones.
fn imported(word: &OsStr, format: Option<Format>) -> Result<Vec<(String, Trial)>, CliError> {
    let mut named = Vec::new();
    for source in sources(word, format) {
        let mut trials = match source.read(format) {
            Ok(trials) => trials,
            Err(Skip::NoResults | Skip::Unread(..)) => continue,
            Err(Skip::Wrong(error)) => return Err(CliError::new(error)),
        };
        trials.rotate_left(1);
        named.extend(trials.into_iter().map(|trial| match &trial.origin {
            Origin::Imported { file, .. } => (file.clone(), trial),
            _ => (Path::new(word).display().to_string(), trial),
        }));
    }
    if named.is_empty() {
        return Err(nothing_recognised(&Path::new(word).display().to_string(), "analyze"));
    }
    Ok(named)
}

/// Without the folders, if the names still differ: they go into every line of the answer.
fn by_short_names(trials: Vec<(String, Trial)>) -> Vec<(String, Trial)> {
    let short = |name: &str| {
        Path::new(name).file_name().map_or_else(|| name.to_owned(), |file| file.display().to_string())
    };
    let names: HashSet<String> = trials.iter().map(|(name, _)| short(name)).collect();
    if names.len() < trials.len() {
        return trials;
    }
    trials.into_iter().map(|(name, trial)| (short(&name), trial)).collect()
}

fn looks_like_path(word: &OsStr) -> bool {
    let path = Path::new(word);
    path.extension().is_some() || word.to_string_lossy().contains(std::path::MAIN_SEPARATOR)
}

/// The trial of the archive that the user's word means.
pub(crate) fn id(archive: &Archive, word: &OsStr) -> Result<TrialId, CliError> {
    let name = word.to_string_lossy();
    match archive.resolve(&name) {
        Err(ArchiveError::NoTrial { .. }) => {
            Err(CliError::new(why_none(&name, archive.entries()?.len(), archive.dir())))
        }
        found => Ok(found?),
    }
}

/// Why a name stands for none of the trials, and what to do.
fn why_none(name: &str, trials: usize, dir: &Path) -> String {
    let (name_shown, dir) = (name.escape_debug(), dir.display());
    if trials == 0 {
        return format!(
            "no trial in {dir} yet: measure with `evenhand run`, or import results with `evenhand import FILE`"
        );
    }
    if is_beginning_of_id(name) && name.len() < FEWEST_DIGITS {
        return format!("\"{name}\" is too short for an id: give four digits or more");
    }
    if name.starts_with("@last") {
        return format!(
            "{name_shown} does not exist; {dir} has only {}: `evenhand list` lists them",
            counted(trials, "trial")
        );
    }
    format!("\"{name_shown}\" is neither a file here nor a trial in {dir}: `evenhand list` lists the trials")
}

const FEWEST_DIGITS: usize = 4;

fn is_beginning_of_id(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Refuses a label that could not be typed, or that would hide another trial.
pub(crate) fn check_label(archive: &Archive, label: &str, of: Option<&TrialId>) -> Result<(), CliError> {
    match why_no_label(archive, label, of)? {
        None => Ok(()),
        Some(why_not) => Err(no_label(label, why_not)),
    }
}

/// As [`check_label`], as far as it can be said without an archive.
pub(crate) fn check_form_of_label(label: &str) -> Result<(), CliError> {
    why_not_typed(label).map_or(Ok(()), |why_not| Err(no_label(label, why_not)))
}

/// Why a trial cannot have this label.
pub(crate) fn why_no_label(
    archive: &Archive,
    label: &str,
    of: Option<&TrialId>,
) -> Result<Option<&'static str>, CliError> {
    Ok(match why_not_typed(label) {
        None if hides_a_trial(archive, label, of)? => Some("the id of another trial begins with it"),
        why_not => why_not,
    })
}

fn why_not_typed(label: &str) -> Option<&'static str> {
    if label.trim().is_empty() {
        Some("it is empty")
    } else if label.starts_with('@') {
        Some("names beginning with @ are reserved for the newest trials")
    } else if label.chars().any(char::is_control) {
        Some("it contains control characters")
    } else {
        None
    }
}

fn no_label(label: &str, why_not: &str) -> CliError {
    CliError::new(format_args!(
        "\"{}\" cannot be a label, because {why_not}: choose another",
        label.escape_debug()
    ))
}

fn hides_a_trial(archive: &Archive, label: &str, of: Option<&TrialId>) -> Result<bool, CliError> {
    if label.len() < FEWEST_DIGITS || !is_beginning_of_id(label) {
        return Ok(false);
    }
    Ok(archive.entries()?.iter().any(|entry| Some(&entry.id) != of && entry.id.as_str().starts_with(label)))
}
