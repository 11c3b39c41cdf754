//! What is measured: work of a known size. The variable `WORK_PERMILLE` at the time of the build says how much of it is done, so
//! that two builds differ by a known share.

use std::hint::black_box;

const PERMILLE: u64 = match option_env!("WORK_PERMILLE") {
    Some(text) => number(text.as_bytes()),
    None => 1000,
};

const fn number(digits: &[u8]) -> u64 {
    let (mut value, mut place) = (0, 0);
    while place < digits.len() {
        value = 10 * value + (digits[place] - b'0') as u64;
        place += 1;
    }
    value
}

/// Steps that wait for each other: a shift, an exclusive or and a multiplication, some 1.5 ns.
#[inline(never)]
fn steps(count: u64) -> u64 {
    let mut state = black_box(0x853c_49e6_748f_ea9b_u64);
    for _ in 0..black_box(count * PERMILLE / 1000) {
        // Without the shift the compiler does many steps at once.
        state = (state ^ (state >> 29)).wrapping_mul(6_364_136_223_846_793_005);
    }
    state
}

/// About 5 ns.
pub fn ns5() -> u64 {
    steps(8)
}

/// About 1 µs.
pub fn us1() -> u64 {
    steps(700)
}

/// About 150 µs.
pub fn us150() -> u64 {
    steps(100_000)
}

/// About 5 ms.
pub fn ms5() -> u64 {
    steps(3_300_000)
}

/// How many characters are in the bytes, one byte after the other, because of the `black_box`. A short loop of this kind takes as
/// long as its place in memory lets it.
#[inline(never)]
pub fn one_by_one(bytes: &[u8]) -> usize {
    let mut count = 0;
    for byte in bytes {
        if black_box(*byte as i8) >= -64 {
            count += 1;
        }
    }
    count
}

/// Nothing at all.
pub fn nothing() {}

/// Bytes of text, three quarters of them of characters with several bytes.
pub fn text(length: usize) -> Vec<u8> {
    let mut state = 42_u64;
    let mut text = String::new();
    while text.len() < length + 4 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        text.push(['a', 'ß', '雪', '🦀'][(state >> 60) as usize % 4]);
    }
    text.into_bytes()
}

/// How many characters are in the bytes: those that continue none.
#[inline(never)]
pub fn characters(bytes: &[u8]) -> usize {
    let share = bytes.len() * PERMILLE as usize / 1000;
    bytes[..share].iter().filter(|byte| (**byte as i8) >= -64).count()
}
