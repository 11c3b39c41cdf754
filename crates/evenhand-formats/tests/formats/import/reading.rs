//! Reading from any reader, to the end and from the first byte; our own JSON comes back as it went.

use super::{draft, json, refusal};
use evenhand_formats::import::{Draft, Format, HEAD_BYTES, ImportErrorKind, import};
use std::io::{self, Cursor, Read};

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
#[test]
fn the_id_of_a_file_stays_the_same_from_version_to_version() {
    let trial = import(crate::foreign::fixture("hyperfine/v1_two.json").as_slice(), "a", None).unwrap();
    assert_eq!(trial.id.to_string(), "442e788802e1d325");
}
