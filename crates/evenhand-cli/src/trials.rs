//! Which trial does the user mean? A file or folder of results, or a trial of the archive by its id, its label or
//! `@last`.
//!
//! A word that is the path of something that exists means that; anything else is looked up in the archive.

use crate::{Failure, Stage};
use evenhand_archive::Archive;
use evenhand_formats::import::{self, Format};
use evenhand_report::plain::plain;
use evenhand_trial::words::counted;
use evenhand_trial::{Origin, Trial, TrialId};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

impl Stage<'_> {
    /// The archive's folder: the one asked for, or the one that is found from here.
    pub(crate) fn archive_folder(&self) -> Result<PathBuf, Failure> {
        match &self.archive {
            Some(folder) => Ok(folder.clone()),
            None => Ok(Archive::find(Path::new("."))?),
        }
    }

    /// The archive, for reading.
    pub(crate) fn archive_to_read(&self) -> Result<Archive, Failure> {
        Ok(Archive::open_read_only(&self.archive_folder()?)?)
    }

    /// The archive, for writing; made when there is none.
    /// Trials whose process was killed are taken over at this moment, and that is said.
    pub(crate) fn archive_to_write(&mut self) -> Result<Archive, Failure> {
        let archive = Archive::open(&self.archive_folder()?)?;
        for absorbed in archive.absorbed() {
            let id = absorbed.id.short();
            let kept = absorbed.rounds.map(|rounds| format!("{} kept", counted(rounds as usize, "round")));
            let told: Vec<String> = kept.into_iter().chain(absorbed.trouble.clone()).collect();
            writeln!(self.err, "evenhand: trial {id} was cut off: {}", plain(&told.join("; ")))?;
        }
        Ok(archive)
    }

    /// The trials that the user's words mean, each with a name that tells it from the others.
    pub(crate) fn trials(
        &self,
        said: &[OsString],
        format: Option<Format>,
    ) -> Result<Vec<(String, Trial)>, Failure> {
        let mut trials = Vec::new();
        let mut archive = None;
        for word in said {
            if Path::new(word).exists() {
                trials.extend(self.imported(word, format)?);
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

    /// The trials of a file or folder. Of several runs that a tool keeps in one folder the newest is last, as the
    /// candidate of the older ones.
    fn imported(&self, word: &OsStr, format: Option<Format>) -> Result<Vec<(String, Trial)>, Failure> {
        let mut trials = import::import_path(Path::new(word), format).map_err(Failure::new)?;
        trials.rotate_left(1);
        let named = |trial: Trial| match &trial.origin {
            Origin::Imported { file, .. } => (file.clone(), trial),
            _ => (Path::new(word).display().to_string(), trial),
        };
        Ok(trials.into_iter().map(named).collect())
    }

    /// The archive that must hold what is no file; without one, the word was meant for a file.
    fn archive_for(&self, word: &OsStr) -> Result<Archive, Failure> {
        if looks_like_path(word) {
            return Err(Failure::new(format_args!("{}: there is no such file", Path::new(word).display())));
        }
        self.archive_to_read().map_err(|failure| match failure {
            Failure::Archive(error) => Failure::new(format_args!(
                "\"{}\" is no file here, and it cannot be looked up: {error}",
                word.to_string_lossy().escape_debug()
            )),
            other => other,
        })
    }
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
    path.components().count() > 1 || path.extension().is_some()
}

/// The trial of the archive that the user's word means.
pub(crate) fn id(archive: &Archive, word: &OsStr) -> Result<TrialId, Failure> {
    Ok(archive.resolve(&word.to_string_lossy())?)
}
