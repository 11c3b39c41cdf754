//! Reads any bytes as Parquet.
//!
//! The library that decodes the pages panics on some damaged ones; the parser catches that and refuses the file. The
//! fuzzer would abort at the panic itself, so its hook is taken away: a panic that nobody catches still ends the run.
#![no_main]

use evenhand_formats::import::Format;
use std::sync::Once;

static QUIET: Once = Once::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    QUIET.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    evenhand_fuzz::read_as(Format::Parquet, bytes);
});
