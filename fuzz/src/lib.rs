//! What must hold for every input, however hostile: nothing panics, hangs or eats memory, and what was taken in is a
//! whole trial that can be written, read back and analysed.

use evenhand_formats::export::{self, FORMATS};
use evenhand_formats::import::{Format, import, recognise};
use evenhand_analysis::{Settings, analyse};
use evenhand_trial::{Trial, json};

/// Larger trials are not analysed: the fuzzer would spend its time there.
const MOST_ANALYSED: usize = 64;

/// Of so many inputs, one is analysed as well: an analysis takes a hundred times as long as reading.
const ANALYSED: usize = 16;

/// Reads the bytes as a format, and follows what comes of it to the end.
pub fn read_as(format: Format, bytes: &[u8]) {
    if let Ok(trial) = import(bytes, "fuzz", Some(format)) {
        follow(&trial, bytes);
    }
}

/// Reads the bytes as whatever they look like.
pub fn read_as_recognised(bytes: &[u8]) {
    let head = &bytes[..bytes.len().min(evenhand_formats::import::HEAD_BYTES)];
    if let (Some(format), Ok(trial)) = (recognise(head), import(bytes, "fuzz", None)) {
        assert!(!format.name().is_empty());
        follow(&trial, bytes);
    }
}

fn follow(trial: &Trial, bytes: &[u8]) {
    assert_eq!(trial.check(), Ok(()), "an imported trial breaks a rule");
    let written = as_json(trial);
    let back = json::read(&written[..]).unwrap_or_else(|error| panic!("its own JSON cannot be read back: {error}"));
    assert!(as_json(&back) == written, "its own JSON comes back changed");
    for format in FORMATS {
        // A form may refuse a trial that it has no place for.
        let _ = export::export(trial, format, &mut std::io::sink());
    }
    let chosen = bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>().is_multiple_of(ANALYSED);
    if chosen && trial.sample_count() <= MOST_ANALYSED && trial.arms.len() <= MOST_ANALYSED {
        let analysis = analyse(trial, &Settings::default()).unwrap_or_else(|refused| panic!("refused: {refused}"));
        serde_json::to_vec(&analysis).unwrap_or_else(|error| panic!("not to be written: {error}"));
    }
}

fn as_json(trial: &Trial) -> Vec<u8> {
    let mut written = Vec::new();
    json::write(trial, &mut written).unwrap_or_else(|error| panic!("a checked trial cannot be written: {error}"));
    written
}
