//! A command that does a fixed amount of work: `victim STEPS`. No clock decides when it ends, so 1 % more steps are 1 %
//! more work. Without an argument it ends at once.

fn main() {
    let steps: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut state = 1_u64;
    for _ in 0..steps {
        // Each step needs the one before, so the compiler can neither skip nor reorder them.
        state = std::hint::black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    std::process::exit(i32::from(state == 0));
}
