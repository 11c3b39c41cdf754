//! In every interleaving: turns come one after the other, and a stop ends every wait. `make loom` runs it.
#![cfg(loom)]
#![expect(unsafe_code, reason = "what a turn touches is not atomic: loom sees whether two turns may overlap")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use turns::{Sleep, Turns, Waited};

mod atomic {
    pub(crate) use loom::sync::atomic::{AtomicU32, Ordering};
}
/// The real file, with loom's numbers.
#[path = "../src/turns.rs"]
#[expect(unreachable_pub, dead_code, reason = "a part of a library elsewhere")]
mod turns;

/// A futex as its manual describes it: comparing and going to sleep are one step. Naps never end by themselves here, so
/// that a wake-up that is lost would be a deadlock, which loom reports.
struct Kernel {
    lock: Mutex<()>,
    changed: Condvar,
}

impl Kernel {
    fn new() -> Self {
        Self { lock: Mutex::new(()), changed: Condvar::new() }
    }
}

impl Sleep for Kernel {
    fn sleep(&self, word: &AtomicU32, seen: u32, _: Duration) {
        let held = self.lock.lock().unwrap();
        if word.load(Ordering::SeqCst) == seen {
            drop(self.changed.wait(held).unwrap());
        }
    }

    fn wake(&self, _: &AtomicU32) {
        drop(self.lock.lock().unwrap());
        self.changed.notify_all();
    }
}

struct Shared {
    turns: Turns,
    kernel: Kernel,
    count: UnsafeCell<u32>,
}

// SAFETY: whose turn it is has `count` for itself; that this is so, is what is tested.
unsafe impl Sync for Shared {}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self { turns: Turns::new(), kernel: Kernel::new(), count: UnsafeCell::new(0) })
    }

    /// One turn, if it comes.
    fn turn(&self, slot: u8, number: u32, next: u8) -> Waited {
        let waited = self.turns.wait(slot, number, &self.kernel, || false);
        if waited == Waited::Come {
            // SAFETY: as above.
            self.count.with_mut(|count| unsafe { *count += 1 });
            self.turns.hand(next, number + 1, &self.kernel);
        }
        waited
    }
}

#[test]
fn turns_come_one_after_the_other() {
    loom::model(|| {
        let shared = Shared::new();
        let other = {
            let shared = Arc::clone(&shared);
            loom::thread::spawn(move || assert_eq!(shared.turn(1, 2, 0), Waited::Come))
        };
        shared.turns.hand(0, 1, &shared.kernel);
        assert_eq!(shared.turn(0, 1, 1), Waited::Come);
        assert_eq!(shared.turn(0, 3, 0), Waited::Come);
        other.join().unwrap();
    });
}

#[test]
fn two_that_run_at_the_same_time_both_come_to_the_end() {
    // With no bound it takes longer than anybody waits; a late number is one preemption.
    let mut some = loom::model::Builder::new();
    some.preemption_bound = Some(2);
    some.check(|| {
        let shared = Shared::new();
        let both = [0_u8, 1].map(|slot| {
            let shared = Arc::clone(&shared);
            loom::thread::spawn(move || {
                for number in 1..=2 {
                    let waited = shared.turns.wait(slot, number, &shared.kernel, || false);
                    assert_eq!(waited, Waited::Come);
                    shared.turns.hand(1 - slot, number + 1, &shared.kernel);
                }
            })
        });
        // Slot 0 may be done with its first turn, and have shown slot 1 the second number, before slot 1 is shown the first.
        [0, 1].into_iter().for_each(|slot| shared.turns.hand(slot, 1, &shared.kernel));
        both.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn a_stop_ends_every_wait() {
    loom::model(|| {
        let shared = Shared::new();
        let other = {
            let shared = Arc::clone(&shared);
            loom::thread::spawn(move || {
                // Whatever came: it ends.
                shared.turn(1, 2, 0);
                assert_eq!(shared.turn(1, 9, 0), Waited::Stopped);
            })
        };
        shared.turns.hand(1, 2, &shared.kernel);
        shared.turns.stop(&shared.kernel);
        other.join().unwrap();
    });
}
