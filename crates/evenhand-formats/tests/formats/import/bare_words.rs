//! NaN and Infinity bare in JSON: missing wherever they stand, and never touched in quotes.

use crate::foreign::{notes, trial_of};
use evenhand_formats::import::{Format, HEAD_BYTES, import};

const FORMAT: Format = Format::PytestBenchmark;

/// A file whose extra figures are these, and one sample.
fn file(extra: &str) -> String {
    format!(
        r#"{{"machine_info":{{}},"benchmarks":[{{"name":"t","extra_info":{{{extra}}},"stats":{{"data":[1.5]}}}}]}}"#
    )
}

#[test]
fn every_spelling_is_missing() {
    for word in ["NaN", "-NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"] {
        let trial = trial_of(&file(&format!(r#""a":{word},"b":[{word},-2]"#)), FORMAT);
        assert_eq!(trial.sample_count(), 1, "{word}");
        assert!(!trial.environment.other.contains_key("a"), "{word}");
        assert_eq!(trial.environment.other["b"], "[null,-2]", "{word}");
        assert!(notes(&trial).contains("NaN and Infinity in the file are read as missing"), "{word}");
    }
}

#[test]
fn words_in_quotes_and_words_alike_are_left_alone() {
    let trial = trial_of(&file(r#""a":"x \": NaN, \\","b":"-Infinity","c":null"#), FORMAT);
    assert_eq!(trial.environment.other["a"], "x \": NaN, \\");
    assert_eq!(trial.environment.other["b"], "-Infinity");
    assert!(!notes(&trial).contains("NaN"));
    for word in ["NaNo", "-", "nil", "Infinit", "--inf", "infinitely"] {
        assert!(import(file(&format!(r#""a":{word}"#)).as_bytes(), "text", Some(FORMAT)).is_err(), "{word}");
    }
}

#[test]
fn a_word_may_lie_across_the_places_where_the_file_is_read_in_parts() {
    for part in [HEAD_BYTES, 2 * HEAD_BYTES] {
        for shift in 0..14 {
            let start = file("").find("\"extra_info\":{").unwrap() + 14;
            let padding = "x".repeat(part - start - 12 + shift);
            let trial = trial_of(&file(&format!(r#""p":"{padding}","a":-Infinity,"b":"\"","c":-7"#)), FORMAT);
            assert_eq!(trial.environment.other["b"], "\"", "{part} {shift}");
            assert_eq!(trial.environment.other["c"], "-7", "{part} {shift}");
        }
    }
}
