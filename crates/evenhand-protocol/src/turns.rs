//! Whose turn is it? Arms take turns without asking the host in between: each waits for its number in its own slot, runs,
//! and shows the next number to whoever comes next.
//!
//! A slot is a 32-bit number that one waits for and others write. Who waits sleeps in the kernel until it changes (Franke,
//! Russell and Kirkwood 2002, *Fuss, Futexes and Furwocks*), so that nothing is taken from the one whose turn it is, which
//! may run on the same core.
//!
//! A larger number than the awaited one will do, too: two that run at the same time show each other the next number when they have
//! done this one, and one of them may be done before the other has looked.
//!
//! Numbers only grow, so before they run out the page begins again, while nobody waits.
//!
//! *The end.* Whoever must stop it says so in a place of its own and then shows [`STOP`] in every slot. Either alone would
//! not do: a sleeper sees only its slot, and a hand-over on its way may write over it, but then its sleeper is awake, and
//! sees the place before it sleeps again, or runs a last turn.
//!
//! Tests: `tests/turns.rs`; all interleavings of two workers and a host that stops them, by loom, in `tests/loom.rs`.

use crate::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// No turn has this number.
pub const STOP: u32 = u32::MAX;
/// So many arms can take turns. Loom tries every interleaving, so it gets no more than it needs.
pub const SLOTS: usize = if cfg!(loom) { 2 } else { 60 };
/// A sleeper looks up so often: whoever should wake it may be dead.
pub const NAP: Duration = Duration::from_millis(50);

/// A number in a cache line of its own.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Word(pub AtomicU32);

/// What lies in the shared memory, all zero at the beginning.
#[derive(Debug)]
#[repr(C)]
pub struct Turns {
    /// Not zero: it is over.
    stopped: Word,
    slots: [Word; SLOTS],
}

/// How one sleeps until a number changes.
pub trait Sleep {
    /// Sleeps while the word is `value`, at most so long; it may wake earlier for no reason.
    fn sleep(&self, word: &AtomicU32, value: u32, at_most: Duration);
    /// Wakes who sleeps on this word.
    fn wake(&self, word: &AtomicU32);
}

/// How waiting for a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// It is the turn.
    Come,
    /// Somebody has stopped it.
    Stopped,
    /// Nobody is there any more who could hand it on.
    Alone,
}

impl Turns {
    /// A page on which nothing has happened.
    pub fn new() -> Self {
        let zero = || Word(AtomicU32::new(0));
        Self { stopped: zero(), slots: std::array::from_fn(|_| zero()) }
    }

    /// Waits until the slot shows the number, or a later one. `is_alone` is asked after every nap.
    pub fn wait(
        &self,
        slot: u8,
        number: u32,
        sleep: &impl Sleep,
        mut is_alone: impl FnMut() -> bool,
    ) -> Waited {
        let Some(Word(word)) = self.slots.get(usize::from(slot)) else { return Waited::Stopped };
        loop {
            let shown = word.load(Ordering::Acquire);
            if shown != STOP && shown >= number {
                return Waited::Come;
            }
            if shown == STOP || self.is_stopped() {
                return Waited::Stopped;
            }
            sleep.sleep(word, shown, NAP);
            if word.load(Ordering::Acquire) == shown && is_alone() {
                return Waited::Alone;
            }
        }
    }

    /// Shows a number in a slot: from now on it is that one's turn. What was done before is seen by it. A larger number stays: of two
    /// that begin at the same time, one may have shown the other the next number before whoever begins has come to that slot.
    pub fn hand(&self, slot: u8, number: u32, sleep: &impl Sleep) {
        if let Some(Word(word)) = self.slots.get(usize::from(slot)) {
            word.fetch_max(number, Ordering::Release);
            sleep.wake(word);
        }
    }

    /// Shows 0 in every slot, so that numbers begin again with 1. Only while nobody waits and no turn is on its way.
    pub fn begin_again(&self) {
        for Word(word) in &self.slots {
            word.store(0, Ordering::Release);
        }
    }

    /// Ends all waiting, now and later.
    pub fn stop(&self, sleep: &impl Sleep) {
        self.stopped.0.store(1, Ordering::Release);
        for Word(word) in &self.slots {
            word.store(STOP, Ordering::Release);
            sleep.wake(word);
        }
    }

    /// Whether it is over.
    pub fn is_stopped(&self) -> bool {
        self.stopped.0.load(Ordering::Acquire) != 0
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self::new()
    }
}
