//! Reading from any reader, to the end and from the first byte; our own JSON comes back as it went.

use super::{draft, json, refusal};
use evenhand_formats::import::{Draft, Format, HEAD_BYTES, ImportErrorKind, import};
use proptest::prelude::*;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Hands out one byte at a time.
struct Trickle<R>(R);

impl<R: Read> Read for Trickle<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let one = buffer.len().min(1);
        self.0.read(&mut buffer[..one])
    }
}

/// Fails after its bytes.
struct Breaks;

impl Read for Breaks {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn bytes_may_come_one_at_a_time() {
    let trial = crate::trials::full();
    let back = import(Trickle(json(&trial).as_slice()), "own.json", None).unwrap();
    assert_eq!(json(&back), json(&trial));
}

#[test]
fn a_reader_that_fails_is_named_wherever_it_fails() {
    let mut long = crate::trials::small();
    long.series[0].values[0] = vec![8_123_456.5; 20_000];
    let bytes = json(&long);
    assert!(bytes.len() > 2 * HEAD_BYTES, "{}", bytes.len());
    for length in [0, 1, 100, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, bytes.len() - 1] {
        let error = import(Cursor::new(&bytes[..length]).chain(Breaks), "own.json", Some(Format::Evenhand));
        let error = error.unwrap_err();
        assert!(matches!(error.problem, ImportErrorKind::Read(_)), "{length}: {error}");
        assert_eq!(
            error.to_string(),
            "own.json (read as evenhand): cannot be read: the disk is gone",
            "after {length} bytes"
        );
    }
}

#[test]
fn a_file_longer_than_what_the_recognisers_see_is_read_to_its_end() {
    let mut long = crate::trials::small();
    long.series[0].values[0] = vec![8_123_456.5; 20_000];
    assert_eq!(import(json(&long).as_slice(), "own.json", None).unwrap(), long);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let mut bytes = b"\xEF\xBB\xBF".to_vec();
    assert_eq!(refusal(&bytes, None), "some file: the file is empty");
    bytes.extend(json(&crate::trials::small()));
    assert_eq!(import(bytes.as_slice(), "own.json", None).unwrap(), crate::trials::small());
}

#[test]
fn everything_passes_through() {
    let trial = crate::trials::full();
    let back = import(json(&trial).as_slice(), "own.json", None).unwrap();
    assert_eq!(back.id, trial.id);
    assert_eq!(back.origin, trial.origin);
    assert_eq!(json(&back), json(&trial));
}

#[test]
fn an_imported_trial_keeps_its_id_even_after_it_was_labelled() {
    let mut trial = draft::filled(Draft::new("hyperfine", "a.json")).finish().unwrap();
    trial.label = Some("before".to_owned());
    let back = import(json(&trial).as_slice(), "own.json", None).unwrap();
    assert_eq!(back, trial);
}

/// The archive knows by the id that a file was imported before, whichever version of evenhand did it.
///
/// The id is made of what was read. So it changes when a reader learns to read more of a file, as it did for JMH's files without
/// raw data and for tables without a last line end: what is imported then says more than the trial of before, which is kept.
/// A change of `ids.txt` is such a change, and is told in the changelog.
#[test]
fn the_id_of_a_file_stays_the_same_from_version_to_version() {
    let without_raw_data = r#"[{"benchmark":"b","mode":"avgt","primaryMetric":{"score":2.5,"scoreError":0.5,
        "scorePercentiles":{"50.0":2.0},"scoreUnit":"ns/op"}}]"#;
    let table = "old (ms),new (ms)\n1.5,2.5\n3.5,4.5";
    let files: [(&str, Vec<u8>); 4] = [
        ("samples", crate::foreign::fixture("hyperfine/v1_two.json")),
        ("JMH without raw data", without_raw_data.into()),
        ("a table without a last line end", table.into()),
        ("the same table with one", format!("{table}\n").into()),
    ];
    let line = |(what, file): (&str, Vec<u8>)| {
        let trial = import(file.as_slice(), "a", None).unwrap();
        format!("{}  {what}\n", trial.id)
    };
    let ids: String = files.into_iter().map(line).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/import/ids.txt");
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        fs::write(&path, &ids).unwrap();
    }
    assert_eq!(ids, fs::read_to_string(&path).unwrap());
}

/// Trials as every version wrote them: those of version 1, and what they became.
fn written_by_all_versions() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = [
        "evenhand-trial/tests/fixtures/version-1",
        "evenhand-trial/tests/fixtures/json",
        "evenhand-archive/tests/files/version-1",
    ];
    let files = folders.iter().flat_map(|folder| fs::read_dir(crates.join(folder)).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let is_trial = |path: &PathBuf| {
        path.extension().is_some_and(|end| end == "json") && path.file_name().unwrap() != "defects.json"
    };
    files.filter(is_trial).collect()
}

#[test]
fn what_is_exported_and_imported_comes_back_byte_for_byte_whichever_version_wrote_it() {
    let files = written_by_all_versions();
    assert!(files.len() >= 12, "{files:?}");
    let mut as_they_were = 0;
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let first = import(bytes.as_slice(), "own.json", None).unwrap();
        let exported = json(&first);
        let back = import(exported.as_slice(), "another.json", None).unwrap();
        assert!(json(&back) == exported, "{}", path.display());
        assert_eq!((&back.id, back.fingerprint()), (&first.id, first.fingerprint()), "{}", path.display());
        as_they_were += usize::from(exported.trim_ascii() == bytes.trim_ascii());
    }
    assert!(as_they_were >= 2, "{as_they_were} are written as they were read");
}

proptest! {
    #[test]
    fn any_trial_comes_back_byte_for_byte(trial in crate::trials::any_trial()) {
        let exported = json(&trial);
        let back = import(exported.as_slice(), "own.json", None).unwrap();
        prop_assert!(json(&back) == exported);
    }
}

#[test]
fn fields_of_our_own_json_that_are_not_known_are_told() {
    let text = String::from_utf8(json(&crate::trials::small())).unwrap();
    let changed = text
        .replace("\"environment\":{}", "\"colour\":1,\"environment\":{\"mood\":\"good\"}")
        .replace("{\"name\":\"old\"", "{\"shape\":[1],\"name\":\"old\"")
        .replace("{\"name\":\"new\"", "{\"shape\":[1],\"name\":\"new\"");
    let trial = import(changed.as_bytes(), "own.json", None).unwrap();
    assert_eq!(
        crate::foreign::notes(&trial),
        "this version of evenhand does not know these fields of the file, and left them out: \"arms.shape\", \"colour\", \
         \"environment.mood\""
    );
    assert!(import(text.as_bytes(), "own.json", None).unwrap().notes.is_empty());
    let followed = text + "{}";
    assert!(import(followed.as_bytes(), "own.json", None).is_err());
}

#[test]
fn our_own_json_of_foreign_results_keeps_the_rules_of_imports() {
    let mut trial = draft::filled(Draft::new("hyperfine", "a.json")).finish().unwrap();
    trial.series[0].values[0][0] = -2.5;
    let said = refusal(&json(&trial), None);
    assert!(said.ends_with("sample 1: -2.5 is not a possible measurement"), "{said}");
}
