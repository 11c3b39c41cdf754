//! Is anything lost when the disk is full? On a real one: a tmpfs of one or two megabytes.

use crate::common::{Mount, Scratch, append, assert_rounds, filled, head, imported};
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::State;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

fn small_disk(scratch: &Scratch, size: &str) -> Option<Mount> {
    Mount::new(&scratch.path.join("disk"), &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
}

/// Fills the disk to its last byte.
fn fill(at: &Path) {
    let mut file = File::create(at).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    while file.write_all(&[0]).is_ok() {}
}

#[test]
fn a_full_disk_while_measuring_keeps_every_round_before() {
    let scratch = Scratch::new("full");
    let Some(disk) = small_disk(&scratch, "1m") else { return };
    let dir = disk.path.join(".evenhand");
    let archive = Archive::open(&dir).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    let (rounds, error) =
        (0..).find_map(|round| append(&mut journal, 0, round).err().map(|error| (round, error))).unwrap();
    assert!(rounds > 1_000);
    assert_eq!(journal.rounds(), rounds);
    let words = error.to_string();
    let path = journal.path().display().to_string();
    assert!(words.contains(&format!("no disk space for {path}: free some")), "{words}");
    assert!(words.contains(&format!("the {rounds} rounds before are kept")), "{words}");
    // The journal is whole, and storing fails for want of room, too: it says that nothing is lost.
    assert_rounds(&archive.trial(&head(1).id).unwrap(), rounds);
    let error = journal.finish(State::Complete).unwrap_err();
    assert!(matches!(error, ArchiveError::NotStored { .. }), "{error}");
    assert!(error.to_string().contains("the trial is complete in"), "{error}");
    drop(archive);
    // Opened again, the archive can still be listed and the trial read.
    let archive = Archive::open(&dir).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, None);
    assert_rounds(&archive.trial(&head(1).id).unwrap(), rounds);
    assert_eq!(archive.entries().unwrap().len(), 1);
    drop(archive);
    // With room again, the next one to open it stores it, as complete as it was.
    let resized =
        std::process::Command::new("mount").args(["-o", "remount,size=8m"]).arg(&disk.path).status().unwrap();
    assert!(resized.success());
    let archive = Archive::open(&dir).unwrap();
    assert_eq!(archive.absorbed()[0].rounds, Some(rounds));
    let trial = archive.trial(&head(1).id).unwrap();
    assert_rounds(&trial, rounds);
    assert_eq!(trial.state, State::Complete);
}

#[test]
fn a_round_may_be_tried_again_once_there_is_room() {
    let scratch = Scratch::new("full");
    let Some(disk) = small_disk(&scratch, "2m") else { return };
    let archive = Archive::open(&disk.path.join(".evenhand")).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    append(&mut journal, 0, 0).unwrap();
    let filler = disk.path.join("filler");
    fill(&filler);
    let failed = (1..).find(|&round| append(&mut journal, 0, round).is_err()).unwrap();
    assert!(append(&mut journal, 0, failed).is_err());
    fs::remove_file(&filler).unwrap();
    (failed..failed + 100).for_each(|round| append(&mut journal, 0, round).unwrap());
    let id = journal.finish(State::Complete).unwrap();
    assert_rounds(&archive.trial(&id).unwrap(), failed + 100);
}

#[test]
fn a_full_disk_while_adding_leaves_the_archive_as_it_was() {
    let scratch = Scratch::new("full");
    let Some(disk) = small_disk(&scratch, "2m") else { return };
    let dir = disk.path.join(".evenhand");
    let mut archive = filled(&dir);
    let before: Vec<_> = archive.entries().unwrap();
    fill(&disk.path.join("filler"));
    let error = archive.add(&imported(5, 200_000)).unwrap_err();
    assert!(matches!(error, ArchiveError::DiskFull { .. }), "{error}");
    let error = archive.begin(&head(6)).unwrap_err();
    assert!(matches!(error, ArchiveError::DiskFull { .. }), "{error}");
    assert_eq!(archive.entries().unwrap(), before);
    assert!(archive.check().unwrap().is_whole());
    drop(archive);
    fs::remove_file(disk.path.join("filler")).unwrap();
    let archive = Archive::open(&dir).unwrap();
    assert_eq!(archive.entries().unwrap(), before);
    assert!(archive.check().unwrap().is_whole());
}
