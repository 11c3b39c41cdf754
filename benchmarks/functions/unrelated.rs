//! Functions that nobody calls. Each takes a slot of 16 bytes, so what stands behind them moves. The variable `UNRELATED` at the time
//! of the build says how many there are.

type Unrelated = fn(u64) -> u64;

#[used]
static KEPT: [Option<Unrelated>; 7] =
    [kept::<1>(), kept::<2>(), kept::<3>(), kept::<4>(), kept::<5>(), kept::<6>(), kept::<7>()];

const fn kept<const NUMBER: u8>() -> Option<Unrelated> {
    match option_env!("UNRELATED") {
        Some(text) if text.as_bytes()[0] >= b'0' + NUMBER => Some(unrelated::<NUMBER>),
        _ => None,
    }
}

#[inline(never)]
fn unrelated<const NUMBER: u8>(value: u64) -> u64 {
    value ^ NUMBER as u64
}
