//! The same work for a harness in another language that runs both builds in one process: each is loaded as a library.

use std::ffi::{CStr, c_char};
use std::hint::black_box;
use std::sync::OnceLock;

type Function = extern "C" fn() -> u64;

/// The function of a name, or null.
///
/// # Safety
/// The name is a string that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn function(name: *const c_char) -> Option<Function> {
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"ns5" => Some(ns5),
        b"us1" => Some(us1),
        b"us150" => Some(us150),
        b"ms5" => Some(ms5),
        b"utf8_5000" => Some(utf8_5000),
        b"utf8_100000" => Some(utf8_100000),
        _ => None,
    }
}

extern "C" fn ns5() -> u64 {
    work::ns5()
}

extern "C" fn us1() -> u64 {
    work::us1()
}

extern "C" fn us150() -> u64 {
    work::us150()
}

extern "C" fn ms5() -> u64 {
    work::ms5()
}

extern "C" fn utf8_5000() -> u64 {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    work::characters(black_box(TEXT.get_or_init(|| work::text(5000)))) as u64
}

extern "C" fn utf8_100000() -> u64 {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    work::characters(black_box(TEXT.get_or_init(|| work::text(100_000)))) as u64
}
