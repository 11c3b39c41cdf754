//! Does a file of every earlier version open, and does a step that fails leave it whole?

use crate::common::{Scratch, assert_rounds, comparable, filled, imported};
use evenhand_archive::schema::STEPS;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::TrialId;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that a version wrote, see `files/ORIGIN.md`.
fn file_of(version: usize) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/files/version{version}.sqlite"))
}

fn with_file_of(version: usize, scratch: &Scratch) -> PathBuf {
    fs::create_dir_all(scratch.archive()).unwrap();
    fs::copy(file_of(version), scratch.archive().join("archive.sqlite")).unwrap();
    scratch.archive()
}

fn assert_content(archive: &Archive) {
    assert_eq!(archive.entries().unwrap().len(), 3);
    assert_rounds(&archive.trial(&TrialId::from_number(0xbbbb_0002)).unwrap(), 50);
    for (number, samples) in [(0xaaaa_0001, 20), (0xaaaa_0003, 2_000)] {
        let trial = archive.trial(&TrialId::from_number(number)).unwrap();
        assert_eq!(comparable(&trial), comparable(&imported(number, samples)));
    }
}

/// Writes the file that the other tests read: `cargo test -p evenhand-archive --test all -- --ignored write_this_version`.
#[test]
#[ignore = "writes a file that is checked in; only for a new version"]
fn write_this_version() {
    let scratch = Scratch::new("version");
    let mut archive = filled(&scratch.archive());
    archive.compact().unwrap();
    drop(archive);
    let file = file_of(STEPS.len());
    assert!(!file.exists(), "{} stands for all files of its version", file.display());
    fs::copy(scratch.archive().join("archive.sqlite"), file).unwrap();
}

#[test]
fn a_file_of_each_version_opens() {
    for version in 1..=STEPS.len() {
        let scratch = Scratch::new("migration");
        let dir = with_file_of(version, &scratch);
        assert_content(&Archive::open_read_only(&dir).unwrap());
        let archive = Archive::open(&dir).unwrap();
        assert_content(&archive);
        assert!(archive.check().unwrap().is_whole(), "version {version}");
    }
}

#[test]
fn later_steps_run_once_and_in_order() {
    let scratch = Scratch::new("migration");
    let dir = with_file_of(1, &scratch);
    let later =
        [STEPS, &["ALTER TABLE trial ADD COLUMN suite TEXT", "CREATE INDEX trial_by_suite ON trial (suite)"]]
            .concat();
    assert_content(&Archive::open_with(&dir, &later).unwrap());
    assert_content(&Archive::open_with(&dir, &later).unwrap());
    let error = Archive::open(&dir).unwrap_err();
    assert!(matches!(error, ArchiveError::Newer { version: 4, .. }), "{error}");
}

#[test]
fn a_step_that_fails_leaves_the_file_whole() {
    let scratch = Scratch::new("migration");
    let dir = with_file_of(1, &scratch);
    let failing =
        [STEPS, &["ALTER TABLE trial ADD COLUMN suite TEXT; DELETE FROM chunk; SELECT * FROM nowhere"]]
            .concat();
    let error = Archive::open_with(&dir, &failing).unwrap_err();
    assert!(matches!(error, ArchiveError::Migration { from: 2, .. }), "{error}");
    assert!(error.to_string().contains("from version 2 to the next"), "{error}");
    let archive = Archive::open(&dir).unwrap();
    assert_content(&archive);
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn an_empty_file_becomes_an_archive() {
    let scratch = Scratch::new("migration");
    fs::create_dir_all(scratch.archive()).unwrap();
    fs::write(scratch.archive().join("archive.sqlite"), "").unwrap();
    assert!(Archive::open(&scratch.archive()).unwrap().entries().unwrap().is_empty());
}
