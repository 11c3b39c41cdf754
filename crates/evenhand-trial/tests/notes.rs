//! Is every note said as it should be, and does it come back from JSON as it was?

use crate::sample_trial::every_note;
use evenhand_trial::Note;
use evenhand_trial::words::counted;

/// Each note in JSON, and as it is said.
#[test]
fn every_note_has_its_form_and_its_sentence() {
    let mut written = String::new();
    for note in &every_note() {
        let json = serde_json::to_string(note).unwrap();
        assert_eq!(serde_json::from_str::<Note>(&json).unwrap(), *note, "{json}");
        written += &format!("{json}\n    {note}\n");
    }
    let path = format!("{}/tests/fixtures/notes.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    assert_eq!(written, std::fs::read_to_string(&path).unwrap());
}

#[test]
fn an_unknown_kind_is_refused_and_not_taken_for_a_sentence() {
    assert!(serde_json::from_str::<Note>(r#"{"kind":"from_the_future","cpus":[1]}"#).is_err());
    assert!(serde_json::from_str::<Note>(r#"{"kind":"pinned_to"}"#).is_err());
    assert!(serde_json::from_str::<Note>("1").is_err());
}

#[test]
fn a_sentence_of_an_earlier_version_says_the_same() {
    let said = Note::Said("pinned to CPU 0".to_owned());
    assert!(said.says(&Note::PinnedTo { cpus: vec![0] }));
    assert!(!said.says(&Note::PinnedTo { cpus: vec![1] }));
}

#[test]
fn a_count_agrees_with_its_noun() {
    let said = [(0, "round"), (1, "round"), (84, "run"), (2, "launch"), (2, "process")];
    assert_eq!(
        said.map(|(count, noun)| counted(count, noun)),
        ["0 rounds", "1 round", "84 runs", "2 launches", "2 processes"]
    );
}
