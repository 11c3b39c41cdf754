//! Reads any bytes as a chunk of samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(series) = evenhand_trial::columnar::decode(bytes) {
        let again = evenhand_trial::columnar::encode(&series);
        assert!(evenhand_trial::columnar::decode(&again).is_ok(), "a decoded chunk cannot be encoded again");
    }
});
