//! Is an archive of version 1 read without loss, with its unfinished journals, and written again only where it has to be?
//! `files/version-1` was written by the last program of that version; the journals are of two that were killed.

use crate::common::Scratch;
use evenhand_archive::Archive;
use evenhand_trial::{Trial, TrialId};
use std::fs;
use std::path::{Path, PathBuf};

const JOURNALS: [&str; 2] = ["3705f85db74f83c1", "90d3538f2695f602"];
/// The trial with layouts.
const LAYOUTS: &str = "3912aced45ba884f";

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/version-1")
}

fn archive_of_version_1(scratch: &Scratch) -> PathBuf {
    let dir = scratch.archive();
    fs::create_dir_all(dir.join("journal")).unwrap();
    fs::copy(files().join("archive.sqlite"), dir.join("archive.sqlite")).unwrap();
    for journal in JOURNALS.map(|id| format!("journal/{id}.journal")) {
        fs::copy(files().join(&journal), dir.join(&journal)).unwrap();
    }
    dir
}

fn read(path: &Path) -> Trial {
    evenhand_trial::json::read(fs::File::open(path).unwrap()).unwrap()
}

/// The trials as the program of version 1 exported them, which are tests of evenhand-trial.
fn exported(name: &str) -> Trial {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../evenhand-trial/tests/fixtures/version-1");
    read(&path.join(format!("{name}.json")))
}

/// All of a trial: numbers that are missing are not equal to themselves.
fn value(trial: &Trial) -> serde_json::Value {
    serde_json::to_value(trial).unwrap()
}

#[test]
fn every_trial_of_an_archive_of_version_1_is_what_that_version_exported() {
    let scratch = Scratch::new("version-1");
    let dir = archive_of_version_1(&scratch);
    let archive = Archive::open_read_only(&dir).unwrap();
    for name in ["cold", "go", "hyper", "launches", "layouts", "one-launch", "run"] {
        let expected = exported(name);
        let found = archive.trial(&expected.id).unwrap();
        assert_eq!(value(&found), value(&expected), "{name}");
    }
    assert_eq!(
        fs::read(dir.join("archive.sqlite")).unwrap(),
        fs::read(files().join("archive.sqlite")).unwrap()
    );
}

#[test]
fn unfinished_journals_of_version_1_are_taken_in() {
    let scratch = Scratch::new("version-1");
    let dir = archive_of_version_1(&scratch);
    let archive = Archive::open(&dir).unwrap();
    assert_eq!(
        archive.absorbed().iter().map(|absorbed| absorbed.rounds).collect::<Vec<_>>(),
        [Some(19), Some(472)]
    );
    for id in JOURNALS {
        let trial = archive.trial(&id.parse().unwrap()).unwrap();
        let path = files().join(format!("{}.json", trial.id.short()));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            evenhand_trial::json::write(&trial, fs::File::create(&path).unwrap()).unwrap();
        }
        assert_eq!(value(&trial), value(&read(&path)), "{id}");
    }
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn a_torn_journal_of_version_1_loses_its_last_round_only() {
    let scratch = Scratch::new("version-1");
    let dir = archive_of_version_1(&scratch);
    let path = dir.join(format!("journal/{}.journal", JOURNALS[0]));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let archive = Archive::open(&dir).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, Some(18));
    assert_eq!(archive.trial(&JOURNALS[0].parse().unwrap()).unwrap().sample_count(), 2 * 18);
}

/// A new label writes the head again, in the form of today.
#[test]
fn a_head_of_version_1_that_is_written_again_loses_nothing() {
    let scratch = Scratch::new("version-1");
    let mut archive = Archive::open(&archive_of_version_1(&scratch)).unwrap();
    let id: TrialId = LAYOUTS.parse().unwrap();
    let before = archive.trial(&id).unwrap();
    archive.set_label(&id, Some("another")).unwrap();
    let after = archive.trial(&id).unwrap();
    assert_eq!(after.label.as_deref(), Some("another"));
    let after = Trial { label: before.label.clone(), ..after };
    assert_eq!(value(&after), value(&before));
    assert_eq!(after.plan.layouts, Some(3));
}
