//! Reads any bytes as results and reports of vegeta.
#![no_main]

use evenhand_formats::import::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| evenhand_fuzz::read_as(Format::Vegeta, bytes));
