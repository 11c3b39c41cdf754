//! Reads any bytes as whatever they look like.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| evenhand_fuzz::read_as_recognised(bytes));
