//! Does a journal keep every whole round, wherever it is cut or damaged?

use crate::common::{Scratch, append, assert_rounds, head};
use evenhand_archive::journal::replay::{Rest, Unreadable, replay};
use evenhand_archive::{Archive, Journal};
use evenhand_trial::{ArmId, LaunchFacts, LaunchId, Metric, Round, RoundId, State, Trial, TrialId, Unit};
use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;

/// A journal of so many rounds whose owner is gone, and where each of its records ends.
fn orphan(scratch: &Scratch, rounds: u64) -> (PathBuf, Vec<u64>) {
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(0xdead)).unwrap();
    let length = |journal: &Journal| fs::metadata(journal.path()).unwrap().len();
    let mut ends = vec![length(&journal)];
    for round in 0..rounds {
        append(&mut journal, 0, round).unwrap();
        ends.push(length(&journal));
    }
    (journal.path().to_owned(), ends)
}

fn id() -> TrialId {
    TrialId::from_number(0xdead)
}

#[test]
fn a_journal_cut_at_every_byte_keeps_all_whole_rounds() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 12);
    let whole = fs::read(&path).unwrap();
    for cut in 0..=whole.len() as u64 {
        fs::write(&path, &whole[..cut as usize]).unwrap();
        let kept = ends.iter().filter(|&&end| end <= cut).count();
        match (replay(&mut File::open(&path).unwrap()), kept) {
            (Err(Unreadable::Empty), 0) => {}
            (Ok(replayed), 1..) => {
                assert_rounds(&replayed.trial, kept as u64 - 1);
                let torn = cut - ends[kept - 1];
                let rest = if torn == 0 { Rest::None } else { Rest::Torn { bytes: torn } };
                assert_eq!(replayed.rest, rest, "cut at {cut}");
            }
            (other, _) => panic!("cut at {cut}, {kept} records: {:?}", other.err()),
        }
    }
}

#[test]
fn every_cut_of_the_last_rounds_is_absorbed_and_can_be_resumed() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 11);
    let whole = fs::read(&path).unwrap();
    for cut in (ends[9]..=ends[11]).step_by(7).chain([ends[9], ends[10], ends[11]]) {
        fs::write(&path, &whole[..cut as usize]).unwrap();
        let kept = ends.iter().filter(|&&end| end <= cut).count() as u64 - 1;
        let mut archive = Archive::open(&scratch.archive()).unwrap();
        assert_eq!(archive.absorbed()[0].rounds, Some(kept));
        assert_eq!(archive.absorbed()[0].trouble, None);
        assert!(!path.exists());
        let trial = archive.trial(&id()).unwrap();
        assert_eq!(trial.state, State::Interrupted);
        assert_rounds(&trial, kept);
        let mut journal = archive.resume(&id()).unwrap();
        append(&mut journal, 1, 0).unwrap();
        journal.finish(State::Complete).unwrap();
        assert_eq!(archive.trial(&id()).unwrap().sample_count(), trial.sample_count() + 2);
        archive.remove(&id()).unwrap();
    }
}

#[test]
fn what_was_killed_before_its_first_round_leaves_no_trial() {
    let scratch = Scratch::new("journal");
    let (path, _) = orphan(&scratch, 0);
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, Some(0));
    assert!(!path.exists() && archive.entries().unwrap().is_empty());
    // The second session of a trial that has rounds ends without one: the trial stays.
    let mut first = archive.begin(&head(0xdead)).unwrap();
    append(&mut first, 0, 0).unwrap();
    first.finish(State::Complete).unwrap();
    drop(archive.resume(&id()).unwrap());
    archive = Archive::open(&scratch.archive()).unwrap();
    assert_rounds(&archive.trial(&id()).unwrap(), 1);
}

#[test]
fn a_changed_byte_keeps_all_rounds_before_it_and_says_so() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 6);
    let whole = fs::read(&path).unwrap();
    for at in ends[2]..ends[3] {
        let mut changed = whole.clone();
        changed[at as usize] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        let replayed = replay(&mut File::open(&path).unwrap()).unwrap();
        assert_rounds(&replayed.trial, 2);
        let bytes = whole.len() as u64 - ends[2];
        assert_eq!(replayed.rest, Rest::Damaged { offset: ends[2], bytes }, "byte {at}");
    }
}

#[test]
fn a_damaged_journal_is_set_aside_not_deleted() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 6);
    let mut bytes = fs::read(&path).unwrap();
    bytes[ends[4] as usize + 30] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert_rounds(&archive.trial(&id()).unwrap(), 4);
    let trouble = archive.absorbed()[0].trouble.clone().unwrap();
    assert!(
        trouble.contains(&format!("damaged at byte {}: the 4 rounds before are stored", ends[4])),
        "{trouble}"
    );
    let aside = path.with_extension("journal.damaged");
    assert_eq!(fs::read(&aside).unwrap(), bytes);
    let report = archive.check().unwrap();
    assert_eq!(report.problems.len(), 1);
    assert_eq!(report.problems[0].of, aside.display().to_string());
}

#[test]
fn a_damaged_head_stays_where_it_is() {
    let scratch = Scratch::new("journal");
    let (path, _) = orphan(&scratch, 3);
    let mut bytes = fs::read(&path).unwrap();
    bytes[60] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, None);
    assert!(archive.absorbed()[0].trouble.as_ref().unwrap().contains("damaged head"));
    assert!(!archive.check().unwrap().is_whole());
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_file_that_is_no_journal_stays_where_it_is() {
    let scratch = Scratch::new("journal");
    drop(Archive::open(&scratch.archive()).unwrap());
    let path = scratch.archive().join("journal/0123abcd.journal");
    fs::write(&path, "something of the user's").unwrap();
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert!(archive.absorbed()[0].trouble.as_ref().unwrap().contains("does not begin like a journal"));
    assert_eq!(fs::read(&path).unwrap(), b"something of the user's");
}

#[test]
fn a_journal_that_was_stored_but_not_deleted_is_not_stored_twice() {
    let scratch = Scratch::new("journal");
    for rounds in [1, 5] {
        let (path, _) = orphan(&scratch, rounds);
        let copy = fs::read(&path).unwrap();
        let archive = Archive::open(&scratch.archive()).unwrap();
        // As if the process had died between the commit and the removal; first alone, then after a session more.
        fs::write(&path, &copy).unwrap();
        assert_eq!(archive.entries().unwrap().len(), 1);
        let mut archive = Archive::open(&scratch.archive()).unwrap();
        assert_rounds(&archive.trial(&id()).unwrap(), rounds);
        let journal = archive.resume(&id()).unwrap();
        journal.finish(State::Complete).unwrap();
        fs::write(&path, &copy).unwrap();
        assert_eq!(archive.trial(&id()).unwrap().state, State::Complete);
        let again = Archive::open(&scratch.archive()).unwrap();
        assert!(!path.exists());
        let trial = again.trial(&id()).unwrap();
        assert_rounds(&trial, rounds);
        assert_eq!(trial.state, State::Complete);
        archive.remove(&id()).unwrap();
    }
}

#[test]
fn a_journal_that_ended_but_was_not_stored_is_complete() {
    let scratch = Scratch::new("journal");
    let (path, _) = orphan(&scratch, 5);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 1;
    fs::write(&path, &bytes).unwrap();
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert_eq!(archive.trial(&id()).unwrap().state, State::Complete);
}

#[test]
fn a_huge_length_is_not_believed() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 2);
    let mut bytes = fs::read(&path).unwrap();
    let at = ends[1] as usize;
    bytes[at..at + 8].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    fs::write(&path, &bytes).unwrap();
    let replayed = replay(&mut OpenOptions::new().read(true).open(&path).unwrap()).unwrap();
    assert_rounds(&replayed.trial, 1);
}

fn facts(number: u32) -> LaunchFacts {
    LaunchFacts { group: 0, id: LaunchId(number), layout: number % 3, cpu: Some(1), began: u64::from(number) }
}

#[test]
fn a_journal_cut_at_every_byte_keeps_what_all_whole_launches_drew() {
    let scratch = Scratch::new("journal");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(0xdead)).unwrap();
    let mut ends = Vec::new();
    for launch in 0..3 {
        journal.launch(&facts(launch)).unwrap();
        ends.push(fs::metadata(journal.path()).unwrap().len());
        append(&mut journal, launch, 0).unwrap();
    }
    let path = journal.path().to_owned();
    drop(journal);
    let whole = fs::read(&path).unwrap();
    for cut in ends[0]..=whole.len() as u64 {
        fs::write(&path, &whole[..cut as usize]).unwrap();
        let kept = ends.iter().filter(|end| **end <= cut).count() as u32;
        let replayed = replay(&mut File::open(&path).unwrap()).unwrap();
        assert_eq!(replayed.trial.launches, (0..kept).map(facts).collect::<Vec<_>>(), "cut at {cut}");
        assert!(matches!(replayed.rest, Rest::None | Rest::Torn { .. }));
    }
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert_eq!(archive.trial(&id()).unwrap().launches.len(), 3);
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn launches_are_kept_when_the_head_changes_and_in_the_session_that_follows() {
    let scratch = Scratch::new("journal");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(0xdead)).unwrap();
    journal.launch(&facts(0)).unwrap();
    append(&mut journal, 0, 0).unwrap();
    journal.set_head(&Trial { seconds: Some(1.0), ..head(0xdead) }).unwrap();
    journal.finish(State::Interrupted).unwrap();
    let mut journal = archive.resume(&id()).unwrap();
    journal.launch(&facts(1)).unwrap();
    append(&mut journal, 1, 0).unwrap();
    assert_eq!(archive.trial(&id()).unwrap().launches, [facts(0), facts(1)], "while it is measured");
    journal.finish(State::Complete).unwrap();
    let trial = archive.trial(&id()).unwrap();
    assert_eq!((trial.launches.as_slice(), trial.seconds), ([facts(0), facts(1)].as_slice(), Some(1.0)));
}

#[test]
fn a_launch_of_no_group_is_refused_before_it_is_written() {
    let scratch = Scratch::new("journal");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(0xdead)).unwrap();
    let refused = journal.launch(&LaunchFacts { group: 1, ..facts(0) }).unwrap_err().to_string();
    assert!(refused.contains("a launch is of group 1, which does not exist"), "{refused}");
    append(&mut journal, 0, 0).unwrap();
    journal.finish(State::Complete).unwrap();
    assert_rounds(&archive.trial(&id()).unwrap(), 1);
}

/// The layout is read by later versions. The same bytes are in `docs/archive.md`.
#[test]
fn the_bytes_of_a_round() {
    let scratch = Scratch::new("journal");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut trial = head(1);
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    let mut journal = archive.begin(&trial).unwrap();
    let before = fs::metadata(journal.path()).unwrap().len() as usize;
    let mut round = Round::default();
    round.begin(LaunchId(2), RoundId(300));
    round.push(ArmId(0), Some(1), Some(5_000), 1, [8.0]);
    round.push(ArmId(1), Some(0), Some(100), 1, [f64::NAN]);
    journal.append(&round).unwrap();
    let file = fs::read(journal.path()).unwrap();
    assert_eq!(file[..16], *b"EVNHJRN\x02\0\0\0\0\0\0\0\0");
    let record = &file[before..];
    assert_eq!(record[..8], [35, 0, 0, 0, 0xdc, 0xff, 0xff, 0xff]);
    let payload = [
        [2, 2].as_slice(),
        &[0, 2, 0xac, 0x02, 3, 1, 0x88, 0x27, 1, 0, 0, 0, 0, 0, 0, 0x20, 0x40],
        &[1, 2, 0xac, 0x02, 3, 0, 100, 1, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    ]
    .concat();
    assert_eq!(record[16..], payload);
    assert_eq!(record[8..16], twox_hash::XxHash3_64::oneshot(&payload).to_le_bytes());
}

/// The layout has a launch and a round for each sample, and whoever writes a round says the same of all.
#[test]
fn samples_of_two_launches_are_no_round() {
    let scratch = Scratch::new("journal");
    let (path, ends) = orphan(&scratch, 2);
    let whole = fs::read(&path).unwrap();
    // Kind and count, then the first sample up to its two numbers; then the arm, the launch and the round of the second.
    let payload = ends[0] as usize + 16;
    let second = payload + 2 + 7 + 16;
    assert_eq!(whole[second..second + 3], [1, 0, 0]);
    for (at, is_whole) in [(None, true), (Some(second + 1), false), (Some(second + 2), false)] {
        let mut bytes = whole.clone();
        if let Some(at) = at {
            bytes[at] += 1;
        }
        let checksum = twox_hash::XxHash3_64::oneshot(&bytes[payload..ends[1] as usize]);
        bytes[payload - 8..payload].copy_from_slice(&checksum.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let replayed = replay(&mut File::open(&path).unwrap()).unwrap();
        assert_eq!(replayed.rounds, if is_whole { 2 } else { 0 }, "{at:?}");
        assert_eq!(matches!(replayed.rest, Rest::Damaged { .. }), !is_whole, "{at:?}");
    }
}

#[test]
fn a_journal_of_a_newer_version_is_named_and_left_as_it_is() {
    let scratch = Scratch::new("newer-journal");
    let (path, _) = orphan(&scratch, 5);
    let mut bytes = fs::read(&path).unwrap();
    bytes[7] = 3;
    fs::write(&path, &bytes).unwrap();
    let archive = Archive::open_read_only(&scratch.archive()).unwrap();
    assert!(archive.entries().unwrap().is_empty());
    let unlisted = archive.unlisted().unwrap();
    let words = unlisted[0].to_string();
    assert!(words.contains("was written by a newer evenhand (version 3, this one knows 2)"), "{words}");
    assert!(words.contains(path.to_str().unwrap()) && unlisted.len() == 1, "{words}");
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert!(archive.absorbed()[0].trouble.as_ref().unwrap().contains("written by a newer evenhand"));
    assert_eq!(fs::read(&path).unwrap(), bytes);
}
