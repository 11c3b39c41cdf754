//! What counts as results in a folder that was searched.

use evenhand_formats::import::{Format, import_found, import_path};
use std::fs;

#[test]
fn in_a_folder_plain_numbers_need_a_name_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let found = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        assert!(import_path(&path, None).is_ok(), "{name} that was named is read");
        assert!(
            import_found(&path, Some(Format::Columns)).is_ok(),
            "{name} is read when the format is named"
        );
        import_found(&path, None).map(|trials| trials.len()).map_err(|error| error.to_string())
    };
    for name in [".python-version", "VERSION", ".node-version", "port.pid", "weights.md"] {
        let error = found(name, "3.12\n").unwrap_err();
        assert!(error.ends_with("unknown format: name one with --from"), "{error}");
    }
    assert!(found("version.txt", "3.12\n").is_err(), "one number in a text");
    assert!(found("times", "1\n2\n3\n4\n").is_err());
    for name in ["times.txt", "TIMES.TXT", "times.log", "times.dat"] {
        assert_eq!(found(name, "3.1\n3.2\n3.3\n"), Ok(1), "{name}");
    }
    for name in ["one.csv", "one.tsv", "one.csv.gz"] {
        assert_eq!(found(name, "3.12\n"), Ok(1), "{name}");
    }
}

#[test]
fn in_a_folder_results_of_a_tool_count_under_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("VERSION");
    fs::write(&path, "BenchmarkSort 100 5.5 ns/op\n").unwrap();
    assert_eq!(import_found(&path, None).unwrap().len(), 1);
}
