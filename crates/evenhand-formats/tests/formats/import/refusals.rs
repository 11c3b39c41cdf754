//! What is wrong with a file as a whole, in words that its owner can act on.

use super::{json, refusal};
use evenhand_formats::import::{Format, import};

#[test]
fn what_is_wrong_with_a_file_as_a_whole() {
    assert_eq!(refusal(b"", None), "some file: the file is empty");
    assert_eq!(refusal(b"", Some(Format::Jmh)), "some file (read as jmh): the file is empty");
    assert_eq!(refusal(b"\0\x01\x02", None), "some file: unknown format: name one with --from");
    let error = import(&b""[..], "two\nlines\x1b[31m", None).unwrap_err();
    assert_eq!(error.to_string(), "two\\nlines\\u{1b}[31m: the file is empty");
}

#[test]
fn a_forced_format_is_not_asked_whether_it_fits() {
    assert_eq!(
        refusal(b"hello", Some(Format::Evenhand)),
        "some file (read as evenhand): expected value at line 1 column 1"
    );
}

#[test]
fn a_file_cut_off_says_so() {
    let bytes = json(&crate::trials::small());
    assert_eq!(
        refusal(&bytes[..40], None),
        "some file (read as evenhand): ends too early: EOF while parsing a string at line 1 column 40; was the \
         tool cut off while writing it?"
    );
}

#[test]
fn a_file_of_a_newer_version_says_what_to_do() {
    let text = String::from_utf8(json(&crate::trials::small())).unwrap();
    let newer = text.replacen("\"schema_version\":2", "\"schema_version\":3", 1);
    assert_eq!(
        refusal(newer.as_bytes(), None),
        "some file (read as evenhand): written by a newer evenhand (schema version 3, this one reads up to 2): \
         update evenhand at line 1 column 20"
    );
}

#[test]
fn a_broken_rule_is_named() {
    let text = String::from_utf8(json(&crate::trials::small())).unwrap();
    assert_eq!(
        refusal(text.replacen("\"arm\":1", "\"arm\":9", 1).as_bytes(), None),
        "some file (read as evenhand): series 1 is of arm 9, which does not exist"
    );
}

#[test]
fn a_file_without_results_says_so() {
    let empty = br#"{"results": []}"#;
    assert_eq!(refusal(empty, Some(Format::Hyperfine)), "some file (read as hyperfine): holds no result");
    // A trial of our own that was cut off before its first round is one, and comes back.
    let mut own = crate::trials::small();
    own.series.clear();
    assert_eq!(import(json(&own).as_slice(), "own.json", None).unwrap(), own);
}
