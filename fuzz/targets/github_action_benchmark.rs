//! Reads any bytes as data of github-action-benchmark.
#![no_main]

use evenhand_formats::import::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| evenhand_fuzz::read_as(Format::GithubActionBenchmark, bytes));
