//! Does a file of every earlier version open, and does a step that fails leave it whole?

use crate::common::{Scratch, assert_rounds, comparable, filled, imported};
use evenhand_archive::schema::STEPS;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::TrialId;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that version 1 wrote, see `files/ORIGIN.md`.
fn version_1() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/version1.sqlite")
}

fn with_version_1(scratch: &Scratch) -> PathBuf {
    fs::create_dir_all(scratch.archive()).unwrap();
    fs::copy(version_1(), scratch.archive().join("archive.sqlite")).unwrap();
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

/// Writes the file that the other tests read: `cargo test -p evenhand-archive --test migration -- --ignored`.
#[test]
#[ignore = "writes a file that is checked in; only for a new version"]
fn write_version_1() {
    let scratch = Scratch::new("version1");
    let mut archive = filled(&scratch.archive());
    archive.compact().unwrap();
    drop(archive);
    fs::create_dir_all(version_1().parent().unwrap()).unwrap();
    fs::copy(scratch.archive().join("archive.sqlite"), version_1()).unwrap();
}

#[test]
fn a_file_of_version_1_opens() {
    let scratch = Scratch::new("migration");
    let dir = with_version_1(&scratch);
    assert_content(&Archive::open_read_only(&dir).unwrap());
    let archive = Archive::open(&dir).unwrap();
    assert_content(&archive);
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn later_steps_run_once_and_in_order() {
    let scratch = Scratch::new("migration");
    let dir = with_version_1(&scratch);
    let later =
        [STEPS, &["ALTER TABLE trial ADD COLUMN suite TEXT", "CREATE INDEX trial_by_suite ON trial (suite)"]]
            .concat();
    assert_content(&Archive::open_with(&dir, &later).unwrap());
    assert_content(&Archive::open_with(&dir, &later).unwrap());
    let error = Archive::open(&dir).unwrap_err();
    assert!(matches!(error, ArchiveError::Newer { version: 3, .. }), "{error}");
}

#[test]
fn a_step_that_fails_leaves_the_file_whole() {
    let scratch = Scratch::new("migration");
    let dir = with_version_1(&scratch);
    let failing =
        [STEPS, &["ALTER TABLE trial ADD COLUMN suite TEXT; DELETE FROM chunk; SELECT * FROM nowhere"]]
            .concat();
    let error = Archive::open_with(&dir, &failing).unwrap_err();
    assert!(matches!(error, ArchiveError::Migration { from: 1, .. }), "{error}");
    assert!(error.to_string().contains("from version 1 to the next"), "{error}");
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
