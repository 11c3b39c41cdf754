//! Does every wrong directory and file end in a clear error that leaves it as it was?

use crate::common::{Mount, Scratch, append, assert_rounds, filled, head};
use evenhand_archive::{Archive, ArchiveError};
use evenhand_trial::State;
use std::fs;
use std::path::Path;
use std::process::Command;

fn contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut contents: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    contents.sort();
    contents
}

#[test]
fn a_file_from_a_newer_version_is_left_as_it_is() {
    let scratch = Scratch::new("newer");
    drop(filled(&scratch.archive()));
    let database = scratch.archive().join("archive.sqlite");
    rusqlite::Connection::open(&database).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = contents(&scratch.archive());
    for error in [
        Archive::open(&scratch.archive()).unwrap_err(),
        Archive::open_read_only(&scratch.archive()).unwrap_err(),
    ] {
        assert!(matches!(error, ArchiveError::Newer { version: 99, known: 2, .. }));
        let words = error.to_string();
        assert!(
            words.ends_with("(version 99, this one knows 2) and was left unchanged: update evenhand"),
            "{words}"
        );
    }
    assert_eq!(contents(&scratch.archive()), before);
}

#[test]
fn what_is_no_archive_is_left_as_it_is() {
    let scratch = Scratch::new("foreign");
    let foreign = scratch.path.join("foreign");
    fs::create_dir(&foreign).unwrap();
    let other = rusqlite::Connection::open(foreign.join("archive.sqlite")).unwrap();
    other.execute_batch("CREATE TABLE books (title TEXT); INSERT INTO books VALUES ('mine')").unwrap();
    drop(other);
    let text = scratch.path.join("text");
    fs::create_dir(&text).unwrap();
    fs::write(text.join("archive.sqlite"), "a diary ".repeat(100)).unwrap();
    let short = scratch.path.join("short");
    fs::create_dir(&short).unwrap();
    fs::write(short.join("archive.sqlite"), "a note").unwrap();
    let full = scratch.path.join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("thesis.tex"), "years of work").unwrap();
    for dir in [&foreign, &text, &short, &full] {
        let before = contents(dir);
        let error = Archive::open(dir).unwrap_err();
        assert!(matches!(error, ArchiveError::NotAnArchive { .. }), "{}: {error}", dir.display());
        assert!(Archive::open_read_only(dir).is_err());
        assert_eq!(contents(dir), before);
        assert!(!dir.join("journal").exists());
    }
    let error = Archive::open(&full.join("thesis.tex")).unwrap_err();
    assert!(matches!(error, ArchiveError::NotAnArchive { .. }), "{error}");
}

#[test]
fn a_file_without_its_tables_is_damaged_and_says_what_to_do() {
    let scratch = Scratch::new("no-tables");
    let dir = scratch.archive();
    drop(filled(&dir));
    rusqlite::Connection::open(dir.join("archive.sqlite"))
        .unwrap()
        .execute_batch("DROP TABLE chunk; DROP TABLE trial")
        .unwrap();
    let empty = scratch.path.join("empty/.evenhand");
    fs::create_dir_all(&empty).unwrap();
    fs::write(empty.join("archive.sqlite"), "").unwrap();
    for dir in [&dir, &empty] {
        let error = Archive::open_read_only(dir).unwrap().entries().unwrap_err();
        assert!(matches!(error, ArchiveError::Damaged { .. }), "{error}");
        let words = error.to_string();
        assert!(
            words.contains("is damaged: no such table: trial") && words.contains("archive salvage"),
            "{words}"
        );
    }
}

#[test]
#[cfg(unix)]
fn an_archive_that_cannot_be_looked_at_is_not_told_as_none() {
    let scratch = Scratch::new("loop");
    let dir = scratch.archive();
    fs::create_dir_all(&dir).unwrap();
    // Whoever runs the tests may look at anything, but not through a circle of links.
    std::os::unix::fs::symlink("archive.sqlite", dir.join("archive.sqlite")).unwrap();
    let error = Archive::open_read_only(&dir).unwrap_err();
    assert!(matches!(error, ArchiveError::Io { .. }), "{error}");
}

#[test]
fn a_read_only_directory_can_be_read_and_says_so_when_written() {
    let scratch = Scratch::new("read-only");
    let dir = scratch.archive();
    let archive = filled(&dir);
    let mut journal = archive.begin(&head(0xcccc)).unwrap();
    (0..5).for_each(|round| append(&mut journal, 0, round).unwrap());
    drop((journal, archive));
    // A second, read-only view of the same directory: root may write to anything else.
    let Some(view) = Mount::new(&scratch.path.join("view"), &["--bind", dir.to_str().unwrap()]) else {
        return;
    };
    let read_only = Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&view.path).status().unwrap();
    assert!(read_only.success());
    let error = Archive::open(&view.path).unwrap_err();
    assert!(matches!(error, ArchiveError::ReadOnly { .. }), "{error}");
    assert!(
        error.to_string().contains("cannot be written: change its permissions or name another"),
        "{error}"
    );
    let archive = Archive::open_read_only(&view.path).unwrap();
    let entries = archive.entries().unwrap();
    assert_eq!(entries.len(), 4);
    assert_eq!(entries[0].state, State::Interrupted);
    assert_rounds(&archive.trial(&entries[0].id).unwrap(), 5);
    assert_eq!(archive.trial(&entries[3].id).unwrap().sample_count(), 40);
    assert!(archive.check().unwrap().is_whole());
    drop(archive);
    // Nothing was lost on the way: the owner of the directory stores the trial.
    assert_eq!(Archive::open(&dir).unwrap().absorbed()[0].rounds, Some(5));
}

#[test]
fn a_directory_that_turns_read_only_while_measuring_loses_nothing() {
    let scratch = Scratch::new("read-only");
    let dir = scratch.path.join("disk");
    let Some(disk) = Mount::new(&dir, &["-t", "tmpfs", "-o", "size=4m", "tmpfs"]) else { return };
    let home = disk.path.join(".evenhand");
    let archive = Archive::open(&home).unwrap();
    let mut journal = archive.begin(&head(1)).unwrap();
    (0..30).for_each(|round| append(&mut journal, 0, round).unwrap());
    drop(archive);
    // The journal is open for writing, so the whole disk cannot be made read-only; its name above can.
    let Some(view) = Mount::new(&home, &["--bind", home.to_str().unwrap()]) else { return };
    assert!(
        Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&view.path).status().unwrap().success()
    );
    (30..50).for_each(|round| append(&mut journal, 0, round).unwrap());
    let error = journal.finish(State::Complete).unwrap_err();
    assert!(error.to_string().contains("the trial is complete in"), "{error}");
    drop(view);
    let archive = Archive::open(&home).unwrap();
    let trial = archive.trial(&head(1).id).unwrap();
    assert_rounds(&trial, 50);
    assert_eq!(trial.state, State::Complete);
}

#[test]
fn a_log_that_cannot_be_merged_says_so() {
    let scratch = Scratch::new("unmerged");
    let archive = filled(&scratch.archive());
    // As a killed writer leaves it: the file and its log.
    let killed = scratch.path.join("killed/.evenhand");
    fs::create_dir_all(&killed).unwrap();
    for name in ["archive.sqlite", "archive.sqlite-wal"] {
        fs::copy(scratch.archive().join(name), killed.join(name)).unwrap();
    }
    let expected = archive.entries().unwrap();
    let Some(view) = Mount::new(&killed, &["--bind", killed.to_str().unwrap()]) else { return };
    assert!(
        Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&view.path).status().unwrap().success()
    );
    let error = Archive::open_read_only(&killed).unwrap_err();
    assert!(matches!(error, ArchiveError::Unmerged { .. }), "{error}");
    assert!(error.to_string().ends_with("copy the whole directory to one and open it there"));
    drop(view);
    assert_eq!(Archive::open_read_only(&killed).unwrap().entries().unwrap(), expected);
    assert_eq!(Archive::open(&killed).unwrap().entries().unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn a_path_with_spaces_and_bytes_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new("path");
    let dir = scratch.path.join(OsStr::from_bytes(b"my \xff\xfe trials % ? # 'x'")).join(".evenhand");
    let archive = filled(&dir);
    let before = archive.entries().unwrap();
    drop(archive);
    assert_eq!(Archive::open_read_only(&dir).unwrap().entries().unwrap(), before);
    let found = Archive::find(dir.parent().unwrap()).unwrap();
    assert_eq!(found, dir);
    assert!(Archive::open(&dir).unwrap().check().unwrap().is_whole());
    let Some(view) = Mount::new(&dir, &["--bind", scratch.path.to_str().unwrap()]) else { return };
    drop(view);
    let status = Command::new("mount").arg("--bind").arg(&dir).arg(&dir).status().unwrap();
    assert!(status.success());
    let _unmount = Mount { path: dir.clone() };
    assert!(Command::new("mount").args(["-o", "remount,bind,ro"]).arg(&dir).status().unwrap().success());
    assert_eq!(Archive::open_read_only(&dir).unwrap().entries().unwrap(), before);
}
