//! The system calls that neither the standard library nor rustix has in safe form: `posix_spawn(3)`, `wait4(2)`,
//! `perf_event_open(2)`, `getrusage(2)`, `signal(2)`, `personality(2)`, `clock_getcpuclockid(3)`. All unsafe code of this crate is here.
//!
//! Tests: `tests/command.rs` (also under the address sanitizer).

#![expect(unsafe_code, reason = "these calls take pointers; each block says why its pointers are good")]

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::ffi::{CStr, CString, c_char, c_int, c_short};
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;

/// A process that can be started without any further work.
pub(super) struct Ready<'a> {
    path: &'a CStr,
    argv: Vec<*mut c_char>,
    envp: Vec<*mut c_char>,
    actions: Actions,
    attributes: Attributes,
    /// The strings, and the descriptors that the actions name, live as long as this.
    borrowed: PhantomData<&'a ()>,
}

impl<'a> Ready<'a> {
    /// The leader of a new group, with signals as a fresh process has them. It gets the descriptors under the numbers beside
    /// them, which may be their own; those it has without that stay as they are.
    pub(super) fn new(
        path: &'a CStr,
        argv: impl Iterator<Item = &'a CString>,
        envp: impl Iterator<Item = &'a CString>,
        directory: Option<&'a CStr>,
        descriptors: impl Iterator<Item = (BorrowedFd<'a>, c_int)>,
    ) -> io::Result<Self> {
        let mut actions = Actions::new()?;
        if let Some(directory) = directory {
            actions.change_directory(directory)?;
        }
        for (descriptor, number) in descriptors {
            actions.place(descriptor, number)?;
        }
        let (argv, envp) = (pointers(argv), pointers(envp));
        Ok(Self { path, argv, envp, actions, attributes: Attributes::new()?, borrowed: PhantomData })
    }

    /// Starts it, and answers its number.
    pub(super) fn spawn(&self) -> io::Result<i32> {
        let mut pid = 0;
        // SAFETY: `path` ends with NUL; `argv` and `envp` end with a null pointer and point to strings that end with NUL
        // and outlive `self`, which posix_spawn only reads despite `*mut`; the actions and attributes are initialised.
        let code = unsafe {
            libc::posix_spawn(
                &raw mut pid,
                self.path.as_ptr(),
                self.actions.0.as_ptr(),
                self.attributes.0.as_ptr(),
                self.argv.as_ptr(),
                self.envp.as_ptr(),
            )
        };
        checked(code).map(|()| pid)
    }
}

fn pointers<'a>(strings: impl Iterator<Item = &'a CString>) -> Vec<*mut c_char> {
    strings.map(|text| text.as_ptr().cast_mut()).chain([ptr::null_mut()]).collect()
}

fn checked(code: c_int) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
}

/// What the new process does before it becomes the program.
struct Actions(Box<MaybeUninit<libc::posix_spawn_file_actions_t>>);

impl Actions {
    fn new() -> io::Result<Self> {
        let mut actions = Box::new(MaybeUninit::uninit());
        // SAFETY: the call initialises what it is given. If it fails, there is nothing to destroy.
        checked(unsafe { libc::posix_spawn_file_actions_init(actions.as_mut_ptr()) })?;
        Ok(Self(actions))
    }

    fn change_directory(&mut self, directory: &CStr) -> io::Result<()> {
        // SAFETY: initialised in `new`; the text ends with NUL and is copied.
        checked(unsafe {
            libc::posix_spawn_file_actions_addchdir_np(self.0.as_mut_ptr(), directory.as_ptr())
        })
    }

    /// A descriptor that keeps its number is not closed at `exec`, either.
    fn place(&mut self, descriptor: BorrowedFd<'_>, number: c_int) -> io::Result<()> {
        // SAFETY: initialised in `new`; both are only numbers to it.
        checked(unsafe {
            libc::posix_spawn_file_actions_adddup2(self.0.as_mut_ptr(), descriptor.as_raw_fd(), number)
        })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, destroyed only here.
        unsafe { libc::posix_spawn_file_actions_destroy(self.0.as_mut_ptr()) };
    }
}

/// How the new process differs from this one.
struct Attributes(Box<MaybeUninit<libc::posix_spawnattr_t>>);

impl Attributes {
    fn new() -> io::Result<Self> {
        let mut attributes = Box::new(MaybeUninit::uninit());
        // SAFETY: the call initialises what it is given. If it fails, there is nothing to destroy.
        checked(unsafe { libc::posix_spawnattr_init(attributes.as_mut_ptr()) })?;
        let mut made = Self(attributes);
        let at = made.0.as_mut_ptr();
        let flags = libc::POSIX_SPAWN_SETPGROUP | libc::POSIX_SPAWN_SETSIGMASK | libc::POSIX_SPAWN_SETSIGDEF;
        let (mut none, mut pipe) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: `at` was initialised above; the sets are initialised by sigemptyset before they are read.
        unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::sigemptyset(pipe.as_mut_ptr());
            // Rust's runtime ignores SIGPIPE, which no measured program should inherit.
            libc::sigaddset(pipe.as_mut_ptr(), libc::SIGPIPE);
            checked(libc::posix_spawnattr_setflags(at, flags as c_short))?;
            checked(libc::posix_spawnattr_setpgroup(at, 0))?;
            checked(libc::posix_spawnattr_setsigmask(at, none.as_ptr()))?;
            checked(libc::posix_spawnattr_setsigdefault(at, pipe.as_ptr()))?;
        }
        Ok(made)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, destroyed only here.
        unsafe { libc::posix_spawnattr_destroy(self.0.as_mut_ptr()) };
    }
}

/// Waits for a process (`pid` > 0) or any process of a group (−`group`) that is a child of ours, and reaps it. `None` if
/// there is none.
pub(super) fn reap(pid: i32) -> io::Result<Option<(c_int, libc::rusage)>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both point to room of the right size; all bytes zero is a good `rusage`, so it may be read in any case.
        let (reaped, used) =
            unsafe { (libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()), usage.assume_init()) };
        if reaped > 0 {
            return Ok(Some((status, used)));
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::ECHILD) => return Ok(None),
            Some(libc::EINTR) => {}
            _ => return Err(error),
        }
    }
}

/// The largest memory of this process, in KiB.
pub(super) fn own_peak() -> Option<i64> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the room is of the right size; all bytes zero is a good `rusage`, so it may be read in any case.
    let (code, used) =
        unsafe { (libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()), usage.assume_init()) };
    (code == 0).then_some(used.ru_maxrss)
}

/// Nanoseconds of processor time that a process has used, with its threads that have ended. `None` if there is no such process.
pub(super) fn processor_time(process: i32) -> Option<u64> {
    let mut clock = 0;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: it is given a number, and room for one.
    if unsafe { libc::clock_getcpuclockid(process, &raw mut clock) } != 0 {
        return None;
    }
    // SAFETY: the room is of the right size; all bytes zero is a good `timespec`, so it may be read in any case.
    let (code, time) = unsafe { (libc::clock_gettime(clock, time.as_mut_ptr()), time.assume_init()) };
    (code == 0).then_some(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

/// The program will be asked to end when the thread that starts it has ended.
pub(super) fn end_with_starter(command: &mut Command) {
    let prepare =
        || Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?);
    // SAFETY: between fork and exec it makes one system call, which takes no lock and no memory of ours.
    unsafe { command.pre_exec(prepare) };
}

/// What this thread starts from now on gets no random addresses.
pub(super) fn refuse_random_addresses() -> io::Result<()> {
    const ASK: libc::c_ulong = 0xffff_ffff;
    // SAFETY: it takes and gives numbers only.
    let before = unsafe { libc::personality(ASK) };
    let wanted = (before | libc::ADDR_NO_RANDOMIZE) as libc::c_ulong;
    // SAFETY: as above.
    if before == -1 || unsafe { libc::personality(wanted) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// The program will start without random addresses, with this limit on its stack.
pub(super) fn start_at(command: &mut Command, stack: u64) {
    let prepare = move || {
        refuse_random_addresses()?;
        let maximum = getrlimit(Resource::Stack).maximum;
        Ok(setrlimit(Resource::Stack, Rlimit { current: Some(stack), maximum })?)
    };
    // SAFETY: between fork and exec it makes three system calls, which take no lock and no memory of ours.
    unsafe { command.pre_exec(prepare) };
}

/// SIGCHLD as a fresh process has it.
pub(super) fn heed_children() {
    // SAFETY: the default is no function of ours. It cannot fail for this signal.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// The first form of `struct perf_event_attr` in <linux/perf_event.h> (`PERF_ATTR_SIZE_VER0`), which all kernels take.
#[repr(C)]
struct CounterAttributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// `PERF_FORMAT_TOTAL_TIME_ENABLED` and `PERF_FORMAT_TOTAL_TIME_RUNNING`.
const WITH_TIMES: u64 = 1 | 1 << 1;
/// The bits `disabled`, `inherit` and `enable_on_exec`.
const FROM_EXEC_ON: u64 = 1 | 1 << 1 | 1 << 12;
/// The bits `exclude_kernel` and `exclude_hv`.
const WITHOUT_KERNEL: u64 = 1 << 5 | 1 << 6;

/// A counter of the processes that a process will start; that this thread will start, if it is 0.
pub(super) fn open_counter(starter: i32, kind: u32, number: u64, with_kernel: bool) -> io::Result<OwnedFd> {
    let attributes = CounterAttributes {
        kind,
        size: size_of::<CounterAttributes>() as u32,
        config: number,
        sample_period: 0,
        sample_type: 0,
        read_format: WITH_TIMES,
        flags: FROM_EXEC_ON | if with_kernel { 0 } else { WITHOUT_KERNEL },
        wakeup_events: 0,
        breakpoint_type: 0,
        config1: 0,
    };
    let (starter, any_cpu, no_group): (c_int, c_int, c_int) = (starter, -1, -1);
    // SAFETY: the attributes live through the call, are of the size that they name, and are only read.
    let descriptor = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            starter,
            any_cpu,
            no_group,
            PERF_FLAG_FD_CLOEXEC,
        )
    };
    match c_int::try_from(descriptor) {
        // SAFETY: the kernel has just opened it, so nobody else has it.
        Ok(descriptor @ 0..) => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

const PERF_FLAG_FD_CLOEXEC: libc::c_ulong = 1 << 3;
