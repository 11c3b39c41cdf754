//! How long did it take? The processor's own counter where it runs at one speed whatever the clock of the core does
//! (invariant TSC), because nothing stands between it and us; else the system's monotonic clock.
//!
//! *Fences.* A processor may read its counter before work in front of it is done. `lfence` waits for that (Intel, *Software
//! Developer's Manual*, RDTSC). The second reading has one on both sides.
//!
//! *Ticks to nanoseconds.* Both clocks are read when the worker begins and when it answers; the quotient is good to the
//! cost of a reading over the time in between: after a millisecond, to some 0.003 %.
//!
//! Tests: `tests/clock.rs`.

use std::time::{Duration, Instant};

/// A clock that has begun.
#[derive(Debug, Clone)]
pub struct Clock {
    counter: bool,
    began: Instant,
    began_ticks: u64,
}

/// A reading, in ticks.
pub type Ticks = u64;

impl Clock {
    /// The best one here.
    pub fn start() -> Self {
        let mut clock = Self { counter: counter::is_steady(), began: Instant::now(), began_ticks: 0 };
        if clock.counter {
            let (now, ticks) = clock.both();
            clock.began += Duration::from_nanos(now);
            clock.began_ticks = ticks;
        }
        clock
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        if self.counter { "tsc" } else { "CLOCK_MONOTONIC" }
    }

    /// Just before the work.
    #[inline(always)]
    pub fn before(&self) -> Ticks {
        if self.counter { counter::before() } else { self.since_began() }
    }

    /// Just after the work.
    #[inline(always)]
    pub fn after(&self) -> Ticks {
        if self.counter { counter::after() } else { self.since_began() }
    }

    /// How many nanoseconds a tick has, as far as is known by now.
    pub fn scale(&self) -> f64 {
        if !self.counter {
            return 1.0;
        }
        let (now, ticks) = self.both();
        now as f64 / ticks.saturating_sub(self.began_ticks).max(1) as f64
    }

    /// Nanoseconds from one reading to another.
    pub fn nanoseconds(from: Ticks, to: Ticks, scale: f64) -> u64 {
        (to.saturating_sub(from) as f64 * scale) as u64
    }

    /// What a pair of readings around nothing says, in ticks: the mean of the middle half of many, because a clock with large steps
    /// says one of two numbers, and what disturbs adds to some.
    pub fn cost(&self) -> Ticks {
        const READINGS: usize = 400;
        let pair = || {
            let before = self.before();
            self.after().saturating_sub(before)
        };
        let mut pairs: Vec<Ticks> = (0..READINGS).map(|_| pair()).collect();
        pairs.sort_unstable();
        let middle = &pairs[READINGS / 4..3 * READINGS / 4];
        middle.iter().sum::<Ticks>() / middle.len() as Ticks
    }

    /// The step that it makes, in ticks. A counter may count many at once: the step is what all differences are multiples of.
    /// Of the system's clock, which rounds, it is the smallest difference that is seen.
    pub fn step(&self) -> Ticks {
        const READINGS: usize = 400;
        let readings: Vec<Ticks> = (0..READINGS).map(|_| self.before()).collect();
        let steps = readings.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).filter(|step| *step > 0);
        let step = if self.counter { steps.reduce(common_divisor) } else { steps.min() };
        step.unwrap_or(1)
    }

    /// Both clocks at the same moment: of a few pairs the closest, as the system may run something else between two readings.
    fn both(&self) -> (u64, Ticks) {
        const PAIRS: usize = 5;
        let pair = || {
            let before = counter::before();
            let now = self.since_began();
            (counter::before().saturating_sub(before), now, before)
        };
        let closest = (0..PAIRS).map(|_| pair()).min();
        closest.map_or((0, 0), |(apart, now, before)| (now, before + apart / 2))
    }

    fn since_began(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }
}

fn common_divisor(a: Ticks, b: Ticks) -> Ticks {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(target_arch = "x86_64")]
mod counter {
    #![expect(unsafe_code, reason = "reading the processor's counter; every x86-64 has these instructions")]

    use std::arch::x86_64::{__cpuid, _mm_lfence, _rdtsc};

    /// Whether the counter runs at one speed: bit 8 of EDX of leaf 0x80000007 (*Invariant TSC*).
    pub(super) fn is_steady() -> bool {
        const ADVANCED_POWER: u32 = 0x8000_0007;
        // SAFETY: every x86-64 has the instruction.
        #[allow(unused_unsafe, reason = "unsafe before Rust 1.91")]
        let (most, power) = unsafe { (__cpuid(0x8000_0000).eax, __cpuid(ADVANCED_POWER).edx) };
        most >= ADVANCED_POWER && power & (1 << 8) != 0
    }

    #[inline(always)]
    pub(super) fn before() -> u64 {
        // SAFETY: every x86-64 has these instructions.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }

    #[inline(always)]
    pub(super) fn after() -> u64 {
        // SAFETY: as above.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod counter {
    pub(super) fn is_steady() -> bool {
        false
    }

    pub(super) fn before() -> u64 {
        0
    }

    pub(super) fn after() -> u64 {
        0
    }
}
