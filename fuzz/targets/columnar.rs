//! Reads any bytes as a chunk of samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(series) = evenhand_trial::columnar::decode(bytes) {
        let again = evenhand_trial::columnar::encode(&series).unwrap_or_else(|error| panic!("not to be written again: {error}"));
        assert!(evenhand_trial::columnar::decode(&again).is_ok(), "what was written cannot be read");
    }
});
