//! Where are criterion's results? In a tree of folders, where each benchmark has one folder for each saved set.
//!
//! ```text
//! target/criterion/sum/loop/1000/new/     benchmark.json, sample.json, estimates.json
//!                               /base/    a copy of the last run, to compare the next one with
//!                               /before/  kept by --save-baseline before
//!                               /change/  estimates of a difference, no samples
//! ```
//!
//! Each set is a run of its own, so each becomes a trial: the newest first, then the others by name. A set that only
//! repeats the newest samples (`base` after a plain run) is left out with a note. A single set's folder and a
//! single `sample.json` are read too, with the `benchmark.json` beside them.
//!
//! Tests: `tests/formats/import/criterion.rs`.

use super::super::{Draft, Format, ImportError, ImportErrorKind};
use super::{WireBenchmark, WireEstimates, WireSamples, add_estimates, add_samples};
use evenhand_trial::{Arm, Note, Trial};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Folders deeper than this below the given one are not criterion's.
const DEEPEST: usize = 32;

/// The folders of a set, each of one benchmark.
type Folders = Vec<PathBuf>;

/// Whether this is a file that criterion leaves beside others.
pub(in crate::import) fn is_sample_file(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "sample.json")
        && path.parent().is_some_and(|folder| folder.join("benchmark.json").is_file())
}

/// The one benchmark that this `sample.json` is of.
pub(in crate::import) fn read_sample_file(path: &Path) -> Result<Trial, ImportError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    read_set(&path.display().to_string(), &[folder.to_path_buf()], None)
}

/// All sets below a folder, the newest first.
pub(in crate::import) fn read_tree(top: &Path) -> Result<Vec<Trial>, ImportError> {
    let mut sets = BTreeMap::new();
    find_sets(top, DEEPEST, &mut sets).map_err(|(path, problem)| failed(&path, problem))?;
    let newest = sets.remove("new");
    let mut read = Vec::new();
    let mut copies = Vec::new();
    if let Some(newest) = &newest {
        read.push(read_set(&named(top, "new"), newest, None));
    }
    for (name, folders) in &sets {
        if newest.is_some() && folders.iter().all(|folder| repeats_the_newest(folder)) {
            copies.push(name.as_str());
        } else {
            read.push(read_set(&named(top, name), folders, Some(name)));
        }
    }
    let mut remarks = Vec::new();
    if !copies.is_empty() {
        remarks
            .push(format!("Left out, as they hold the same samples as the newest: {}.", copies.join(", ")));
    }
    some_of(read, remarks).unwrap_or_else(|| Err(failed(top, ImportErrorKind::Nothing)))
}

/// The sets that could be read, the first of which says what was left out; the first error if none could. `None` if
/// there was no set.
fn some_of(
    read: Vec<Result<Trial, ImportError>>,
    mut remarks: Vec<String>,
) -> Option<Result<Vec<Trial>, ImportError>> {
    let mut trials = Vec::new();
    let mut errors = Vec::new();
    for set in read {
        match set {
            Ok(trial) => trials.push(trial),
            Err(error) => errors.push(error),
        }
    }
    let Some(first) = trials.first_mut() else { return errors.into_iter().next().map(Err) };
    remarks.extend(errors.iter().map(|error| format!("a set left out: {error}")));
    first.notes.extend(remarks.into_iter().map(Note::Said));
    Some(Ok(trials))
}

/// Whether this folder is a tree of criterion's, or inside one; not a folder that holds such trees among other things.
/// A benchmark says in which folder below the top it lies, and every set is one folder deeper.
pub(in crate::import) fn is_tree(folder: &Path) -> bool {
    let Some((set, place)) = first_set(folder, DEEPEST) else { return false };
    let below = set.strip_prefix(folder).map_or(0, |below| below.components().count());
    below <= Path::new(&place.directory_name).components().count() + 1
}

#[derive(Deserialize)]
struct WirePlace {
    directory_name: String,
}

/// The first set whose description can be read.
fn first_set(folder: &Path, depth: usize) -> Option<(PathBuf, WirePlace)> {
    let described = folder.join("benchmark.json");
    if described.is_file() {
        return Some((folder.to_path_buf(), read_json(&described).ok()??));
    }
    let mut below: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    below.sort();
    let deeper = depth.checked_sub(1)?;
    below.iter().find_map(|folder| first_set(folder, deeper))
}

fn find_sets(
    folder: &Path,
    depth: usize,
    sets: &mut BTreeMap<String, Folders>,
) -> Result<(), (PathBuf, ImportErrorKind)> {
    if folder.join("benchmark.json").is_file() {
        let name = folder.file_name().map_or_else(|| "new".into(), |name| name.to_string_lossy());
        sets.entry(name.into_owned()).or_default().push(folder.to_path_buf());
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    let fails = |error: std::io::Error| (folder.to_path_buf(), ImportErrorKind::Read(error));
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).map_err(fails)? {
        let entry = entry.map_err(fails)?;
        // Links are not followed: they can lead in a circle.
        if entry.file_type().map_err(fails)?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    below.iter().try_for_each(|folder| find_sets(folder, depth - 1, sets))
}

fn repeats_the_newest(folder: &Path) -> bool {
    let newest = folder.with_file_name("new");
    ["benchmark.json", "sample.json"].iter().all(|file| {
        let (one, other) = (fs::read(folder.join(file)), fs::read(newest.join(file)));
        matches!((one, other), (Ok(one), Ok(other)) if one == other)
    })
}

fn read_set(name: &str, folders: &[PathBuf], saved_as: Option<&str>) -> Result<Trial, ImportError> {
    let mut draft = Draft::new(Format::Criterion.name(), name);
    draft.tool("criterion");
    draft.note(
        "criterion's files do not say which version wrote them, when, on which machine, or in which order.",
    );
    if let Some(saved_as) = saved_as {
        draft.note(format!("This is the set that was saved as \"{}\".", saved_as.escape_debug()));
    }
    for folder in folders {
        draft.add_or_leave_out(|draft| {
            read_benchmark(draft, folder).map_err(|error| ImportErrorKind::wrong(error.file, error.problem))
        });
    }
    draft.finish().map_err(|problem| failed(Path::new(name), problem))
}

fn read_benchmark(draft: &mut Draft, folder: &Path) -> Result<(), ImportError> {
    let [described, sampled, estimated] =
        ["benchmark.json", "sample.json", "estimates.json"].map(|file| folder.join(file));
    let arm = match read_json::<WireBenchmark>(&described)? {
        Some(benchmark) => benchmark.arm(),
        None => Arm::default(),
    };
    let arm = draft.arm(arm);
    if let Some(samples) = read_json::<WireSamples>(&sampled)? {
        return add_samples(draft, arm, samples).map_err(|problem| failed(&sampled, problem));
    }
    match read_json::<WireEstimates>(&estimated)? {
        Some(estimates) => {
            add_estimates(draft, arm, &estimates).map_err(|problem| failed(&estimated, problem))
        }
        None => {
            Err(failed(folder, ImportErrorKind::wrong("sample.json", "is missing, and so is estimates.json")))
        }
    }
}

/// The content of a file; `None` if there is no such file.
fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ImportError> {
    match File::open(path) {
        Ok(file) => serde_json::from_reader(BufReader::new(file))
            .map(Some)
            .map_err(|error| failed(path, ImportErrorKind::from(error))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, ImportErrorKind::Read(error))),
    }
}

fn named(top: &Path, set: &str) -> String {
    format!("{} ({set})", top.display())
}

fn failed(path: &Path, problem: ImportErrorKind) -> ImportError {
    ImportError { file: path.display().to_string(), format: Some(Format::Criterion.name()), problem }
}
