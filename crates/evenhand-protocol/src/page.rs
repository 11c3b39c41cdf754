//! How do processes share the turns? A page of memory without a name, `memfd_create(2)`, that the host makes and the
//! worker finds among its descriptors; and `futex(2)`, which works between processes. The page is sealed: no side can cut it, or
//! the other would end by SIGBUS when it looks at its slot.
//!
//! Tests: `tests/turns.rs`, also under the address and thread sanitizers.

#![expect(unsafe_code, reason = "mapping memory and sleeping on it; each block says why it is sound")]

use crate::turns::{Sleep, Turns};
use std::io;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Turns in memory that other processes see.
#[derive(Debug)]
pub struct TurnPage {
    turns: NonNull<Turns>,
    file: OwnedFd,
}

// SAFETY: what lies there is atomic, and the mapping belongs to no thread.
unsafe impl Send for TurnPage {}
// SAFETY: as above.
unsafe impl Sync for TurnPage {}

const LENGTH: usize = size_of::<Turns>();
/// It is as long as it is for ever.
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

impl TurnPage {
    /// A new page, all zero and sealed. Its descriptor is closed in new processes unless it is handed on.
    ///
    /// # Errors
    /// What the system says.
    pub fn new() -> io::Result<Self> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a string that ends with NUL.
        let number = done(unsafe { libc::memfd_create(c"evenhand-turns".as_ptr(), flags) })?;
        // SAFETY: the system just gave it to us, and nobody else has it.
        let file = unsafe { OwnedFd::from_raw_fd(number) };
        // SAFETY: a descriptor and a number.
        done(unsafe { libc::ftruncate(file.as_raw_fd(), LENGTH as libc::off_t) })?;
        // SAFETY: a descriptor and numbers.
        done(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, SEALS) })?;
        Self::of(file)
    }

    /// The page behind a descriptor that somebody has handed on.
    ///
    /// # Errors
    /// What the system says; or it is too short for turns, or may become so.
    pub fn of(file: OwnedFd) -> io::Result<Self> {
        // SAFETY: a descriptor and a number. A file that cannot be sealed is an error.
        let seals = done(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) })?;
        if seals & libc::F_SEAL_SHRINK == 0 {
            return Err(io::Error::other("the turn page is not sealed against shrinking"));
        }
        let length = std::fs::File::from(file.try_clone()?).metadata()?.len();
        if length < LENGTH as u64 {
            return Err(io::Error::other("the turn page is too short"));
        }
        // SAFETY: no address is asked for, and the file is at least so long and cannot be cut, so that no access ends in SIGBUS.
        let address = unsafe {
            libc::mmap(
                ptr::null_mut(),
                LENGTH,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let turns = NonNull::new(address.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { turns, file })
    }
}

/// The answer of a system call that says -1 when it has failed.
fn done(answer: libc::c_int) -> io::Result<libc::c_int> {
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}

impl Deref for TurnPage {
    type Target = Turns;

    fn deref(&self) -> &Turns {
        // SAFETY: mapped in `of` at the start of a page, which is aligned to more than 64 bytes, and until `drop`; every
        // bit pattern is a `Turns`, which is only atomic numbers.
        unsafe { self.turns.as_ref() }
    }
}

impl AsFd for TurnPage {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for TurnPage {
    fn drop(&mut self) {
        // SAFETY: mapped in `of` with this length, and nobody borrows it any more.
        unsafe { libc::munmap(self.turns.as_ptr().cast(), LENGTH) };
    }
}

/// Sleeps in the kernel.
#[derive(Debug, Clone, Copy, Default)]
pub struct Futex;

impl Sleep for Futex {
    fn sleep(&self, word: &AtomicU32, value: u32, at_most: Duration) {
        let at_most = libc::timespec {
            tv_sec: at_most.as_secs() as libc::time_t,
            tv_nsec: at_most.subsec_nanos().into(),
        };
        // SAFETY: the word lives as long as the call, and the time is read only. Whatever it answers, the caller looks again.
        unsafe {
            libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &raw const at_most);
        }
    }

    fn wake(&self, word: &AtomicU32) {
        // SAFETY: the word lives as long as the call.
        unsafe {
            libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1);
        }
    }
}

/// Whether nobody writes to this pipe any more: the other side is gone.
pub fn has_hung_up(pipe: BorrowedFd<'_>) -> bool {
    let mut polled = libc::pollfd { fd: pipe.as_raw_fd(), events: 0, revents: 0 };
    // SAFETY: one entry that lives as long as the call, which does not wait.
    let count = unsafe { libc::poll(&raw mut polled, 1, 0) };
    count > 0 && polled.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0
}
