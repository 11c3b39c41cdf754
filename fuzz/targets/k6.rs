//! Reads any bytes as points and summaries of k6.
#![no_main]

use evenhand_formats::import::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| evenhand_fuzz::read_as(Format::K6, bytes));
