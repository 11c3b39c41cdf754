//! Do trials come back as they went in, and does every name mean the right one?

use crate::common::{Scratch, append, assert_rounds, comparable, filled, head, imported, samples_of};
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::{ArmId, LaunchId, Note, Origin, Series, State, Trial, TrialId, Whole};

#[test]
fn an_added_trial_comes_back() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let mut trial = imported(0x1234_5678, 300);
    trial.label = Some("before".to_owned());
    trial.notes.push(Note::Said("a note".to_owned()));
    trial.series[1].values[1] = vec![f64::NAN; 300];
    archive.add(&trial).unwrap();
    assert_eq!(comparable(&archive.trial(&trial.id).unwrap()), comparable(&trial));
    assert_eq!(comparable(&archive.head(&trial.id).unwrap()), comparable(&trial.head()));
    assert!(matches!(archive.add(&trial), Err(ArchiveError::Exists { .. })));
    drop(archive);
    let archive = Archive::open_read_only(&scratch.archive()).unwrap();
    assert_eq!(comparable(&archive.trial(&trial.id).unwrap()), comparable(&trial));
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn another_trial_of_the_same_id_is_refused_and_the_first_one_kept() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let trial = imported(0x1234_5678, 30);
    archive.add(&trial).unwrap();
    let mut other = trial.clone();
    other.series[0].values[0][7] += 1.0;
    let error = archive.add(&other).unwrap_err();
    assert!(matches!(&error, ArchiveError::Differs { id } if *id == trial.id));
    assert!(
        error.to_string().contains("already in the archive with other content, which is kept"),
        "{error}"
    );
    assert_eq!(comparable(&archive.trial(&trial.id).unwrap()), comparable(&trial));
    // A label and the place of a file are no content.
    let mut moved = trial.clone();
    moved.label = Some("before".to_owned());
    if let Origin::Imported { file, .. } = &mut moved.origin {
        file.push_str(".moved");
    }
    assert!(matches!(archive.add(&moved), Err(ArchiveError::Exists { .. })));
}

#[test]
fn a_trial_of_many_chunks_comes_back() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let mut trial = imported(0x1234_5678, 0);
    let mut series = Series::new(ArmId(0), LaunchId(0), 2);
    let count = 700_000;
    series.rounds = Whole::Counting { from: 5 };
    series.values = vec![(0..count).map(f64::from).collect(), Vec::new()];
    trial.series = vec![trial.series[0].clone(), series, trial.series[1].clone()];
    archive.add(&trial).unwrap();
    assert!(archive.trial(&trial.id).unwrap() == trial);
    assert_eq!(archive.check().unwrap().samples, u64::from(count as u32));
}

#[test]
fn a_trial_that_breaks_a_rule_is_refused() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let mut trial = imported(0x1234_5678, 3);
    trial.series[0].arm = ArmId(7);
    let error = archive.add(&trial).unwrap_err();
    assert_eq!(error.to_string(), "trial 00000000 is not stored: series 0 is of arm 7, which does not exist");
    trial.series[0].arm = ArmId(0);
    trial.state = State::Running;
    assert!(matches!(archive.add(&trial), Err(ArchiveError::Refused { .. })));
    assert!(archive.entries().unwrap().is_empty());
}

#[test]
fn a_measured_trial_can_be_seen_while_it_runs() {
    let scratch = Scratch::new("archive");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    (0..25).for_each(|round| append(&mut journal, 0, round).unwrap());
    let entries = archive.entries().unwrap();
    assert_eq!((entries.len(), entries[0].state), (1, State::Running));
    assert_eq!(entries[0].arms, ["old", "new"]);
    let so_far = archive.trial(&entries[0].id).unwrap();
    assert_eq!(so_far.state, State::Running);
    assert_rounds(&so_far, 25);
    assert!(matches!(archive.begin(&head(1)), Err(ArchiveError::Running { .. })));
    (25..40).for_each(|round| append(&mut journal, 0, round).unwrap());
    let mut changed = journal.head().clone();
    changed.seconds = Some(1.5);
    journal.set_head(&changed).unwrap();
    let id = journal.finish(State::Complete).unwrap();
    let trial = archive.trial(&id).unwrap();
    assert_eq!((trial.state, trial.seconds), (State::Complete, Some(1.5)));
    assert_rounds(&trial, 40);
    let entries = archive.entries().unwrap();
    assert_eq!((entries.len(), entries[0].samples), (1, samples_of(40)));
    assert_eq!(entries[0].started, trial.started);
    assert!(matches!(archive.begin(&head(1)), Err(ArchiveError::Exists { .. })));
}

#[test]
fn a_complete_trial_goes_on_and_is_complete_again() {
    let scratch = Scratch::new("archive");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(9)).unwrap();
    (0..10).for_each(|round| append(&mut journal, 0, round).unwrap());
    let id = journal.finish(State::Complete).unwrap();
    let mut journal = archive.resume(&id).unwrap();
    assert_eq!(archive.entries().unwrap()[0].state, State::Running);
    (10..25).for_each(|round| append(&mut journal, 0, round).unwrap());
    journal.finish(State::Complete).unwrap();
    let trial = archive.trial(&id).unwrap();
    assert_eq!((trial.state, trial.sample_count() as u64), (State::Complete, samples_of(25)));
    // Nothing was measured this time: it stays as it was.
    archive.resume(&id).unwrap().discard().unwrap();
    assert_eq!(archive.trial(&id).unwrap().fingerprint(), trial.fingerprint());
}

#[test]
fn an_imported_trial_does_not_go_on() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let format = "hyperfine".to_owned();
    let origin = Origin::Imported { format, tool: None, file: "old.json".to_owned() };
    let imported = Trial { state: State::Complete, origin, ..head(9) };
    archive.add(&imported).unwrap();
    assert!(matches!(archive.resume(&imported.id), Err(ArchiveError::NotMeasured { .. })));
}

#[test]
fn an_interrupted_trial_is_resumed() {
    let scratch = Scratch::new("archive");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(9)).unwrap();
    (0..30).for_each(|round| append(&mut journal, 0, round).unwrap());
    let id = journal.finish(State::Interrupted).unwrap();
    // Twice more: once ended by its process's death, then completed.
    let mut journal = archive.resume(&id).unwrap();
    assert_eq!(journal.head().schedule, head(9).schedule);
    (0..20).for_each(|round| append(&mut journal, 1, round).unwrap());
    assert_eq!(archive.entries().unwrap()[0].state, State::Running);
    assert_eq!(archive.trial(&id).unwrap().sample_count() as u64, samples_of(30) + samples_of(20));
    assert!(matches!(archive.resume(&id), Err(ArchiveError::Running { .. })));
    drop(journal);
    drop(archive);
    let archive = Archive::open(&scratch.archive()).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, Some(20));
    let mut journal = archive.resume(&id).unwrap();
    (0..10).for_each(|round| append(&mut journal, 2, round).unwrap());
    journal.finish(State::Complete).unwrap();
    let trial = archive.trial(&id).unwrap();
    assert_eq!(trial.state, State::Complete);
    assert_eq!(trial.failures.len(), 3 + 2 + 1);
    let lengths: Vec<(u32, usize)> =
        trial.series.iter().map(|series| (series.launch.0, series.len())).collect();
    assert_eq!(lengths, [(0, 30), (0, 27), (1, 20), (1, 18), (2, 10), (2, 9)]);
    assert!(archive.check().unwrap().is_whole());
    assert_eq!(archive.entries().unwrap().len(), 1);
}

#[test]
fn a_round_that_breaks_a_rule_is_refused_and_the_rest_goes_on() {
    let scratch = Scratch::new("archive");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    append(&mut journal, 0, 3).unwrap();
    let error = append(&mut journal, 0, 3).unwrap_err();
    assert!(error.to_string().contains("round 3 of arm 0 is not above the one before"), "{error}");
    append(&mut journal, 0, 4).unwrap();
    append(&mut journal, 1, 0).unwrap();
    let mut other = journal.head().clone();
    other.arms.pop();
    assert!(matches!(journal.set_head(&other), Err(ArchiveError::Refused { .. })));
    let id = journal.finish(State::Complete).unwrap();
    assert_eq!(archive.trial(&id).unwrap().sample_count(), 6);
}

#[test]
fn a_discarded_journal_leaves_nothing() {
    let scratch = Scratch::new("archive");
    let archive = Archive::open(&scratch.archive()).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    append(&mut journal, 0, 0).unwrap();
    journal.discard().unwrap();
    assert!(archive.entries().unwrap().is_empty());
    assert!(archive.begin(&head(1)).is_ok());
}

#[test]
fn names() {
    let scratch = Scratch::new("archive");
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    let ids: Vec<TrialId> =
        ["abcd1111", "abcd2222", "beef", "0123456789abcdef"].iter().map(|id| id.parse().unwrap()).collect();
    for id in &ids {
        archive.add(&evenhand_trial::Trial { id: id.clone(), ..imported(0, 2) }).unwrap();
    }
    archive.set_label(&ids[0], Some("nightly")).unwrap();
    archive.set_label(&ids[1], Some("nightly")).unwrap();
    archive.set_label(&ids[2], Some("abcd1")).unwrap();
    let running = archive.begin(&head(0xffff)).unwrap();
    let name = |name: &str| archive.resolve(name);
    assert_eq!(name("@last").unwrap(), ids[3]);
    assert_eq!(name("@last~3").unwrap(), ids[0]);
    assert_eq!(name("0123").unwrap(), ids[3]);
    assert_eq!(name("beef").unwrap(), ids[2]);
    assert_eq!(name("nightly").unwrap(), ids[1]);
    // A label goes before the beginning of an id, and a whole id before a label.
    assert_eq!(name("abcd1").unwrap(), ids[2]);
    assert_eq!(name("abcd11").unwrap(), ids[0]);
    assert_eq!(name(running.head().id.as_str()).unwrap(), running.head().id);
    let error = name("abcd").unwrap_err().to_string();
    assert_eq!(error, "\"abcd\" may be abcd2222, abcd1111: give more digits");
    for missing in ["@last~4", "012", "0999", "Nightly", "x y"] {
        let error = name(missing).unwrap_err();
        assert!(matches!(error, ArchiveError::NoTrial { .. }), "{missing}: {error}");
    }
    for bad in ["@last~", "@last~-1", "@last2", ""] {
        let error = name(bad).unwrap_err();
        assert!(matches!(error, ArchiveError::BadName { .. }), "{bad}: {error}");
    }
}

#[test]
fn labels_removal_and_room() {
    let scratch = Scratch::new("archive");
    let mut archive = filled(&scratch.archive());
    let ids: Vec<TrialId> = archive.entries().unwrap().into_iter().map(|entry| entry.id).collect();
    assert_eq!(ids.len(), 3);
    archive.set_label(&ids[0], Some("kept")).unwrap();
    assert_eq!(archive.trial(&ids[0]).unwrap().label.as_deref(), Some("kept"));
    archive.set_label(&ids[0], None).unwrap();
    assert_eq!(archive.head(&ids[0]).unwrap().label, None);
    archive.remove(&ids[2]).unwrap();
    assert!(matches!(archive.remove(&ids[2]), Err(ArchiveError::NoTrial { .. })));
    assert!(matches!(archive.trial(&ids[2]), Err(ArchiveError::NoTrial { .. })));
    let running = archive.begin(&head(5)).unwrap();
    assert!(matches!(archive.remove(&running.head().id), Err(ArchiveError::Running { .. })));
    let (before, after) = archive.compact().unwrap();
    assert!(after <= before, "{before} {after}");
    let report = archive.check().unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!((report.trials, report.journals), (2, 1));
}

#[test]
fn reading_only_changes_nothing() {
    let scratch = Scratch::new("archive");
    drop(filled(&scratch.archive()));
    let before = std::fs::read(scratch.archive().join("archive.sqlite")).unwrap();
    let mut archive = Archive::open_read_only(&scratch.archive()).unwrap();
    let id = archive.resolve("@last").unwrap();
    assert!(matches!(archive.remove(&id), Err(ArchiveError::OpenedReadOnly { .. })));
    assert!(matches!(archive.begin(&head(3)), Err(ArchiveError::OpenedReadOnly { .. })));
    drop(archive);
    assert_eq!(std::fs::read(scratch.archive().join("archive.sqlite")).unwrap(), before);
    assert!(matches!(
        Archive::open_read_only(&scratch.path.join("nowhere")),
        Err(ArchiveError::NoArchive { .. })
    ));
}
