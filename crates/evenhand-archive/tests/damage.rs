//! Is damage to the SQLite file noticed, and is everything else saved from it?

use crate::common;
use crate::common::{Scratch, comparable, imported};
use evenhand_archive::salvage::{Report, salvage};
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::{ArmId, LaunchId, Note, Series, Trial, TrialId};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

const TRIALS: u64 = 12;

/// Numbers that do not compress to nothing, so that samples fill pages.
fn noisy(number: u64) -> Trial {
    let mut trial = imported(number, 0);
    trial.notes = vec![Note::Said("the head of this one is long ".repeat(30))];
    let mut series = Series::new(ArmId(0), LaunchId(0), 2);
    let mut state = number;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 12) as f64
    };
    series.values = vec![(0..1_500).map(|_| noise()).collect(), Vec::new()];
    trial.series = vec![series];
    trial
}

fn archive_of_noise(dir: &Path) -> HashMap<TrialId, String> {
    let mut archive = Archive::open(dir).unwrap();
    (1..=TRIALS)
        .map(|number| {
            let trial = noisy(number);
            archive.add(&trial).unwrap();
            (trial.id.clone(), comparable(&trial))
        })
        .collect()
}

/// Damages the file, salvages it, and asserts that what was saved is right or says what it lacks.
fn salvaged(dir: &Path, into: &Path, whole: &HashMap<TrialId, String>) -> (Report, usize) {
    let before = fs::read(dir.join("archive.sqlite")).unwrap();
    let report = salvage(dir, into).unwrap();
    assert_eq!(fs::read(dir.join("archive.sqlite")).unwrap(), before, "the damaged file was written to");
    let archive = Archive::open_read_only(into).unwrap();
    assert!(archive.check().unwrap().is_whole());
    let mut unhurt = 0;
    for saved in &report.saved {
        let trial = archive.trial(&saved.id).unwrap();
        if saved.lost.is_empty() {
            assert_eq!(&comparable(&trial), &whole[&saved.id]);
            unhurt += 1;
        } else {
            assert!(
                trial
                    .notes
                    .last()
                    .unwrap()
                    .to_string()
                    .starts_with("salvaged from a damaged archive, without: ")
            );
        }
    }
    (report, unhurt)
}

#[test]
fn a_whole_archive_is_salvaged_whole() {
    let scratch = Scratch::new("damage");
    let whole = archive_of_noise(&scratch.archive());
    let (report, unhurt) = salvaged(&scratch.archive(), &scratch.path.join("new"), &whole);
    assert_eq!((unhurt as u64, report.lost.len()), (TRIALS, 0));
}

/// Overwrites 64 bytes at many places of the file, one at a time.
#[test]
fn a_damaged_page_costs_little_and_is_named() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let file = dir.join("archive.sqlite");
    let bytes = fs::read(&file).unwrap();
    let pages = bytes.len() / 4096;
    assert!(pages > 40, "{pages} pages");
    let (mut noticed, mut saved, mut places) = (0, 0, 0);
    for page in (1..pages).step_by(3) {
        let mut damaged = bytes.clone();
        let at = page * 4096 + page * 97 % 4_000;
        damaged[at..at + 64].iter_mut().for_each(|byte| *byte ^= 0xa5);
        fs::write(&file, &damaged).unwrap();
        let seen = match Archive::open_read_only(&dir) {
            Ok(archive) => !archive.check().unwrap().is_whole(),
            Err(_) => true,
        };
        let into = scratch.path.join(format!("new {page}"));
        let (report, unhurt) = salvaged(&dir, &into, &whole);
        // Free room inside a page may change unseen; then nothing is missing.
        assert!(seen || unhurt as u64 == TRIALS, "page {page}: damage was not noticed");
        let named = !report.lost.is_empty()
            || !report.trouble.is_empty()
            || report.saved.iter().any(|saved| !saved.lost.is_empty());
        assert!(named || unhurt as u64 == TRIALS, "page {page}: a loss was not named");
        (noticed, saved, places) = (noticed + usize::from(seen), saved + unhurt, places + 1);
        fs::remove_dir_all(&into).unwrap();
    }
    assert!(noticed * 2 >= places, "{noticed} of {places} places noticed");
    assert!(
        saved * 10 >= places * TRIALS as usize * 8,
        "{saved} of {} trials saved",
        places * TRIALS as usize
    );
}

#[test]
fn a_damaged_beginning_of_the_file_is_mended() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let mut bytes = fs::read(dir.join("archive.sqlite")).unwrap();
    bytes[..24].fill(0);
    fs::write(dir.join("archive.sqlite"), &bytes).unwrap();
    let error = Archive::open(&dir).unwrap_err();
    assert!(error.to_string().contains("its first bytes are not those of SQLite"), "{error}");
    assert!(error.to_string().contains("`evenhand archive salvage` copies it"), "{error}");
    let (_, unhurt) = salvaged(&dir, &scratch.path.join("new"), &whole);
    assert_eq!(unhurt as u64, TRIALS);
}

/// Without its first page SQLite finds nothing at all; without the root of a table, none of its rows.
#[test]
fn rows_that_sqlite_cannot_reach_are_found_in_their_pages() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let file = dir.join("archive.sqlite");
    let bytes = fs::read(&file).unwrap();
    let inner: Vec<usize> =
        (0..bytes.len() / 4096).filter(|&page| page == 0 || bytes[page * 4096] == 5).collect();
    assert!(inner.len() > 1, "no table has an inner page");
    for page in inner {
        let mut damaged = bytes.clone();
        damaged[page * 4096..(page + 1) * 4096].fill(0xff);
        fs::write(&file, &damaged).unwrap();
        let into = scratch.path.join(format!("new {page}"));
        let (report, unhurt) = salvaged(&dir, &into, &whole);
        assert_eq!(unhurt as u64, TRIALS, "page {page}: {report:?}");
        assert!(report.lost.is_empty() && !report.trouble.is_empty(), "{report:?}");
    }
}

#[test]
fn a_truncated_file_gives_what_is_left() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let file = dir.join("archive.sqlite");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 3 * 2 + 1_000]).unwrap();
    let read = Archive::open_read_only(&dir).and_then(|archive| Ok(archive.check()?.is_whole()));
    assert!(!matches!(read, Ok(true)));
    let (report, unhurt) = salvaged(&dir, &scratch.path.join("new"), &whole);
    assert!(unhurt >= 5, "{unhurt} trials: {report:?}");
    assert!(!report.trouble.is_empty() || report.saved.iter().any(|saved| !saved.lost.is_empty()));
}

#[test]
fn a_changed_chunk_is_named_and_the_rest_of_its_trial_saved() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let mut archive = Archive::open(&dir).unwrap();
    let mut trial = imported(1, 0);
    trial.series[0].values[0] = (0..600_000).map(f64::from).collect();
    trial.series[0].started = None;
    archive.add(&trial).unwrap();
    drop(archive);
    let connection = rusqlite::Connection::open(dir.join("archive.sqlite")).unwrap();
    connection
        .execute("UPDATE chunk SET bytes = CAST(substr(bytes, 1, 40) || x'00' || substr(bytes, 42) AS BLOB) WHERE number = 1", [])
        .unwrap();
    drop(connection);
    let archive = Archive::open(&dir).unwrap();
    let error = archive.trial(&trial.id).unwrap_err();
    assert!(matches!(error, ArchiveError::Damaged { .. }));
    let words = error.to_string();
    assert!(
        words.contains("chunk 1 of trial 00000000 does not match its checksum. `evenhand archive check`"),
        "{words}"
    );
    assert_eq!(archive.head(&trial.id).unwrap(), trial.head());
    let report = archive.check().unwrap();
    assert_eq!(report.problems.len(), 1, "{report:?}");
    let saved = salvage(&dir, &scratch.path.join("new")).unwrap().saved.remove(0);
    assert_eq!(saved.samples, 600_000 - (1 << 18));
    assert_eq!(saved.lost[0], "chunk 1, which does not match its checksum");
    assert_eq!(saved.lost[1], format!("{} of its 600000 samples", 1 << 18));
}

#[test]
fn a_trial_outlives_its_head_by_the_names_beside_its_chunks() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let connection = rusqlite::Connection::open(dir.join("archive.sqlite")).unwrap();
    connection.execute("UPDATE head SET json = replace(json, 'old', 'odd') WHERE trial = 4", []).unwrap();
    connection.execute("DELETE FROM head WHERE trial = 5", []).unwrap();
    drop(connection);
    let archive = Archive::open(&dir).unwrap();
    let id = TrialId::from_number(4);
    let error = archive.head(&id).unwrap_err();
    assert!(error.to_string().contains("the head of trial number 4 does not match its checksum"), "{error}");
    assert_eq!(archive.check().unwrap().problems.len(), 2);
    let into = scratch.path.join("new");
    let report = salvage(&dir, &into).unwrap();
    assert_eq!((report.saved.len() as u64, report.lost.len()), (TRIALS, 0));
    let left_out = "label, settings, environment, failures and notes";
    assert_eq!(report.saved[3].lost, [format!("its head, which does not match its checksum: {left_out}")]);
    assert_eq!(report.saved[4].lost, [format!("its head, which is not there: {left_out}")]);
    let saved = Archive::open_read_only(&into).unwrap().trial(&id).unwrap();
    let (notes, before) = (noisy(4).notes, noisy(4));
    assert_eq!(comparable(&Trial { notes, ..saved }), comparable(&before));
    assert_eq!(comparable(&before), whole[&id]);
}

#[test]
fn a_head_of_an_archive_of_version_1_takes_its_trial_along() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    archive_of_noise(&dir);
    let connection = rusqlite::Connection::open(dir.join("archive.sqlite")).unwrap();
    connection.execute("UPDATE chunk SET names = NULL, names_checksum = NULL", []).unwrap();
    connection.execute("UPDATE head SET json = replace(json, 'old', 'odd') WHERE trial = 4", []).unwrap();
    drop(connection);
    assert_eq!(Archive::open(&dir).unwrap().check().unwrap().problems.len(), 1);
    let report = salvage(&dir, &scratch.path.join("new")).unwrap();
    assert_eq!(report.saved.len() as u64, TRIALS - 1);
    assert_eq!(
        report.lost,
        ["trial 0000000000000004 with 1500 samples: its head does not match its checksum".to_owned()]
    );
}

#[test]
fn changed_names_beside_a_chunk_are_noticed_and_cost_nothing() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let whole = archive_of_noise(&dir);
    let connection = rusqlite::Connection::open(dir.join("archive.sqlite")).unwrap();
    let of_another = "names = (SELECT names FROM chunk WHERE trial = 1), names_checksum = (SELECT names_checksum FROM \
                      chunk WHERE trial = 1)";
    connection.execute("UPDATE chunk SET names = replace(names, 'old', 'odd') WHERE trial = 4", []).unwrap();
    connection.execute(&format!("UPDATE chunk SET {of_another} WHERE trial = 5"), []).unwrap();
    drop(connection);
    let problems = Archive::open(&dir).unwrap().check().unwrap().problems;
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "trial 0000000000000004: the copy of its head beside chunk number 4 does not match its checksum",
            "trial 0000000000000005: the copy of its head beside chunk number 5 is of trial 0000000000000001",
        ]
    );
    let (_, unhurt) = salvaged(&dir, &scratch.path.join("new"), &whole);
    assert_eq!(unhurt as u64, TRIALS);
}

#[test]
fn a_changed_row_of_the_list_is_noticed() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    archive_of_noise(&dir);
    let connection = rusqlite::Connection::open(dir.join("archive.sqlite")).unwrap();
    for (seq, change) in [
        (1, "label = 'odd'"),
        (2, "state = 'interrupted'"),
        (3, "samples = 7"),
        (4, "arms = '[]'"),
        (5, "started = 1"),
        (6, "origin = 'joined'"),
    ] {
        connection.execute(&format!("UPDATE trial SET {change} WHERE seq = {seq}"), []).unwrap();
    }
    let problems = Archive::open(&dir).unwrap().check().unwrap().problems;
    assert_eq!(problems.len(), 6, "{problems:?}");
    assert_eq!(
        problems[0].to_string(),
        "trial 0000000000000001: its entry in the list does not match its head and samples"
    );
}

#[test]
fn journals_are_salvaged_too() {
    let scratch = Scratch::new("damage");
    let dir = scratch.archive();
    let archive = Archive::open(&dir).unwrap();
    let mut journal = archive.begin(&common::head(1)).unwrap();
    (0..10).for_each(|round| common::append(&mut journal, 0, round).unwrap());
    journal.finish(evenhand_trial::State::Interrupted).unwrap();
    let mut journal = archive.resume(&TrialId::from_number(1)).unwrap();
    (0..10).for_each(|round| common::append(&mut journal, 1, round).unwrap());
    let report = salvage(&dir, &scratch.path.join("new")).unwrap();
    assert_eq!(report.lost, Vec::<String>::new());
    assert_eq!(report.saved[0].samples, 2 * common::samples_of(10));
}
