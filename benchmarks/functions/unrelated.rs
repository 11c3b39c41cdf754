//! Functions that nobody calls. Each takes a slot of 16 bytes, so what stands behind them moves. The variable `UNRELATED` at the time
//! of the build says how many there are.

type Unrelated = fn(u64) -> u64;

#[rustfmt::skip]
#[used]
static KEPT: [Option<Unrelated>; 15] = [
    kept::<1>(), kept::<2>(), kept::<3>(), kept::<4>(), kept::<5>(), kept::<6>(), kept::<7>(), kept::<8>(),
    kept::<9>(), kept::<10>(), kept::<11>(), kept::<12>(), kept::<13>(), kept::<14>(), kept::<15>(),
];

const fn kept<const NUMBER: u8>() -> Option<Unrelated> {
    if NUMBER <= wanted() { Some(unrelated::<NUMBER>) } else { None }
}

const fn wanted() -> u8 {
    let Some(text) = option_env!("UNRELATED") else { return 0 };
    let (digits, mut number, mut place) = (text.as_bytes(), 0, 0);
    while place < digits.len() {
        number = 10 * number + (digits[place] - b'0');
        place += 1;
    }
    number
}

#[inline(never)]
fn unrelated<const NUMBER: u8>(value: u64) -> u64 {
    value ^ NUMBER as u64
}
