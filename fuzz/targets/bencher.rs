//! Reads any bytes as results in the Bencher Metric Format.
#![no_main]

use evenhand_formats::import::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| evenhand_fuzz::read_as(Format::Bencher, bytes));
