//! Which format is it? Found by name and by content; garbage is none and makes nothing panic.

use super::json;
use evenhand_formats::import::{FORMATS, Format, import, recognise};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_format_is_found_by_its_name() {
    for format in FORMATS {
        assert_eq!(format.to_string().parse(), Ok(*format));
    }
    let words = "excel\n".parse::<Format>().unwrap_err();
    assert!(words.starts_with("no format \"excel\\n\": choose one of evenhand, hyperfine, "), "{words}");
    assert!(
        words.contains(", columns") && words.ends_with("parquet") == cfg!(feature = "parquet"),
        "{words}"
    );
}

/// The table of the book is that of the program, and nothing is listed without a page.
#[test]
fn the_book_lists_every_format_with_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    let book = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = book.lines().filter(|line| line.starts_with("| ") && line.contains(".md)"));
    // Versions and what is read stand behind.
    let listed: BTreeSet<String> =
        rows.map(|line| line.split('|').take(4).collect::<Vec<_>>().join("|") + "|").collect();
    // It is listed whether this build reads it or not.
    let all: BTreeSet<Format> = FORMATS.iter().copied().chain([Format::Parquet]).collect();
    let row = |format: &Format| {
        let page = format.page();
        assert!(folder.join(page).is_file(), "{format} has no page {page}");
        format!("| {} | [{}]({page}) | `{format}` |", format.results_of(), page.trim_end_matches(".md"))
    };
    let rows: Vec<String> = all.iter().filter(|format| **format != Format::Evenhand).map(row).collect();
    assert_eq!(listed, rows.into_iter().collect());
}

#[test]
fn our_own_file_is_ours_wherever_its_head_is_cut() {
    let bytes = json(&crate::trials::full());
    let key = br#"{"schema_version":1,"id":"#.len();
    for length in 0..bytes.len() {
        let found = recognise(&bytes[..length]);
        if length >= key {
            assert_eq!(found, Some(Format::Evenhand), "cut after {length} bytes");
        }
    }
}

#[test]
fn garbage_is_no_format() {
    for garbage in [&b"\0\x01\x02"[..], b"{}", b"[]", b"hello world\n", b"\xFF\xFE{\0}\0"] {
        assert_eq!(recognise(garbage), None, "{}", garbage.escape_ascii());
    }
}

proptest! {
    #[test]
    fn no_head_makes_a_recogniser_or_a_parser_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        text in "[\\[{\"a-z0-9:,.eE\\-\n \\]}<>/=]{0,80}",
    ) {
        for head in [bytes.as_slice(), text.as_bytes()] {
            recognise(head);
            for format in FORMATS {
                if let Ok(trial) = import(head, "garbage", Some(*format)) {
                    prop_assert_eq!(trial.check(), Ok(()));
                }
            }
        }
    }
}
