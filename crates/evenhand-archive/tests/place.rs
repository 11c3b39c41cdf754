//! Is the archive found like git finds `.git`, and else in the user's data directory?

use crate::common::Scratch;
use evenhand_archive::ArchiveError;
use evenhand_archive::place::find_with;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

fn os(text: &str) -> Option<OsString> {
    Some(text.into())
}

#[test]
fn the_nearest_directory_upwards() {
    let scratch = Scratch::new("place");
    let deep = scratch.path.join("a/b/c");
    fs::create_dir_all(&deep).unwrap();
    fs::create_dir_all(scratch.path.join(".evenhand")).unwrap();
    assert_eq!(find_with(&deep, os("/data"), os("/home/me")).unwrap(), scratch.path.join(".evenhand"));
    fs::create_dir_all(scratch.path.join("a/b/.evenhand")).unwrap();
    assert_eq!(find_with(&deep, None, None).unwrap(), scratch.path.join("a/b/.evenhand"));
    // A file of that name is none.
    fs::write(scratch.path.join("a/b/c/.evenhand"), "").unwrap();
    assert_eq!(find_with(&deep, None, None).unwrap(), scratch.path.join("a/b/.evenhand"));
}

#[test]
fn else_the_data_directory() {
    let scratch = Scratch::new("place");
    let find = |data, home| find_with(&scratch.path, data, home);
    assert_eq!(find(os("/data"), os("/home/me")).unwrap(), PathBuf::from("/data/evenhand"));
    assert_eq!(find(None, os("/home/me")).unwrap(), PathBuf::from("/home/me/.local/share/evenhand"));
    assert_eq!(
        find(os("relative"), os("/home/me")).unwrap(),
        PathBuf::from("/home/me/.local/share/evenhand")
    );
    let error = find(os(""), None).unwrap_err();
    assert!(matches!(error, ArchiveError::NoPlace { .. }));
    assert!(error.to_string().ends_with("name the archive's directory with --archive"), "{error}");
}
