//! A file changes in one step or not at all.

use evenhand_formats::export::{ExportError, FORMATS, Format, export, write_file};
use std::fs;
use std::io;
use std::path::Path;

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_trial_becomes_a_file_and_replaces_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial.csv");
    let mut expected = Vec::new();
    export(&crate::trials::small(), Format::Csv, &mut expected).unwrap();
    for _ in 0..2 {
        write_file(&path, |output| export(&crate::trials::small(), Format::Csv, output)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), expected);
        assert_eq!(names_in(folder.path()), ["trial.csv"]);
        fs::write(&path, "old").unwrap();
    }
}

#[test]
fn a_writer_that_fails_half_way_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial.csv");
    fs::write(&path, "old").unwrap();
    let error = write_file(&path, |output| {
        output.write_all(&[b'x'; 200_000])?;
        Err(ExportError::Write(io::Error::from(io::ErrorKind::StorageFull)))
    })
    .unwrap_err();
    assert_eq!(error.to_string(), format!("{}: cannot be written: no storage space", path.display()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names_in(folder.path()), ["trial.csv"]);
}

#[test]
fn until_the_end_the_old_file_is_what_others_see() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trial.csv");
    fs::write(&path, "old").unwrap();
    write_file(&path, |output| {
        output.write_all(&[b'x'; 200_000])?;
        output.flush()?;
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Ok(())
    })
    .unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 200_000);
}

#[test]
fn a_writer_that_fails_leaves_no_file_where_none_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.json");
    write_file(&path, |_| Err(ExportError::Write(io::Error::other("it broke")))).unwrap_err();
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere").join("trial.csv");
    let error = write_file(&path, |_| Ok(())).unwrap_err();
    assert_eq!(error.path, path);
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    let error = write_file(folder.path(), |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("directory"), "{error}");
}

// `/dev/full` is Linux.
#[cfg(target_os = "linux")]
mod on_linux {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    #[test]
    fn the_file_behind_a_link_changes_and_the_link_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
        fs::write(&file, "old").unwrap();
        symlink("real.csv", &link).unwrap();
        write_file(&link, |output| Ok(output.write_all(b"new")?)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_file_keeps_its_permissions_and_a_new_one_has_the_usual() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let [kept, new, usual] = ["kept", "new", "usual"].map(|name| folder.path().join(name));
        fs::write(&kept, "old").unwrap();
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).unwrap();
        fs::write(&usual, "").unwrap();
        for path in [&kept, &new] {
            write_file(path, |output| Ok(output.write_all(b"x")?)).unwrap();
        }
        assert_eq!(mode(&kept), 0o640);
        assert_eq!(mode(&new), mode(&usual));
    }

    #[test]
    fn a_named_pipe_is_written_to_and_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write_file(&pipe, |output| Ok(output.write_all(b"through the pipe")?)).unwrap();
        assert_eq!(reader.join().unwrap(), "through the pipe");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_full_device_is_an_error_in_every_form() {
        for format in FORMATS {
            let mut full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let error = export(&crate::trials::full(), format, &mut full).unwrap_err();
            let ExportError::Write(cause) = error else { panic!("{format}: {error}") };
            assert_eq!(cause.kind(), io::ErrorKind::StorageFull, "{format}");
        }
    }
}
