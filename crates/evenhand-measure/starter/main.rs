//! Which process does a measured command come from? This one, a page of code without a library, so that nothing of
//! evenhand's own size shows in what the kernel says of the command: the peak memory of a process (`ru_maxrss`) is never
//! less than what the process it was made from had at `exec` (`exec_mmap` in fs/exec.c of Linux).
//!
//! It inherits the streams, the directory, the variables and the signals of the command. Its arguments are:
//!
//! ```text
//! PROGRAM SOCKET WORD...      the file to execute, the number of a socket to evenhand, the command's own arguments
//! ```
//!
//! It writes one byte to the socket when it is ready, and waits for one. Then it reads the clock and makes the command, as
//! a child of evenhand (`CLONE_PARENT`, clone(2)), which leads a group of its own; writes a [`Report`]; and waits until the
//! socket is closed, so that its own end does not disturb the command.
//!
//! `build.rs` compiles this file; `src/platform/process/starter.rs` is its other side. Tests: `tests/starter.rs`.

#![no_std]
#![no_main]

use core::arch::{asm, global_asm};

/// What evenhand is told: three numbers of eight bytes.
#[repr(C)]
struct Report {
    /// The number of the new process; not above 0 if none could be made.
    process: i64,
    /// The error code of the call that stopped the process from becoming the command, or 0.
    error: i64,
    /// `CLOCK_MONOTONIC` just before it was made, in nanoseconds.
    started: i64,
}

/// What the new process needs to become the command, and where it says why it could not.
#[repr(C)]
struct Command {
    program: *const u8,
    words: *const *const u8,
    variables: *const *const u8,
    error: i64,
}

#[cfg(target_arch = "x86_64")]
mod number {
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLONE: usize = 56;
    pub const EXECVE: usize = 59;
    pub const EXIT_GROUP: usize = 231;
    pub const FCNTL: usize = 72;
    pub const SETPGID: usize = 109;
    pub const CLOCK_GETTIME: usize = 228;
}

#[cfg(target_arch = "aarch64")]
mod number {
    pub const READ: usize = 63;
    pub const WRITE: usize = 64;
    pub const CLONE: usize = 220;
    pub const EXECVE: usize = 221;
    pub const EXIT_GROUP: usize = 94;
    pub const FCNTL: usize = 25;
    pub const SETPGID: usize = 154;
    pub const CLOCK_GETTIME: usize = 113;
}

const CLOCK_MONOTONIC: usize = 1;
const F_SETFD: usize = 2;
const FD_CLOEXEC: usize = 1;
/// `CLONE_VM`, `CLONE_VFORK`, `CLONE_PARENT`: the child of our parent, in our memory while we wait until it has its own.
/// The signal of its end is that of ours.
const AS_A_SIBLING: usize = 0x100 | 0x4000 | 0x8000;

// The stack begins with the number of words, the words, a null pointer, the variables.
#[cfg(target_arch = "x86_64")]
global_asm!(".globl _start", "_start:", "mov rdi, rsp", "and rsp, -16", "call {}", sym begin);
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x0, sp", "bl {}", sym begin);

unsafe extern "C" fn begin(stack: *const usize) -> ! {
    // SAFETY: so the kernel lays out the stack of a new program, and the words are there unless someone else has called.
    unsafe {
        let (count, words) = (*stack, stack.add(1).cast::<*const u8>());
        if count < 3 {
            exit(2);
        }
        let variables = words.add(count + 1);
        let mut command = Command { program: *words, words: words.add(2), variables, error: 0 };
        serve(number_in(*words.add(1)), &raw mut command)
    }
}

/// The number that a text of digits says.
unsafe fn number_in(mut text: *const u8) -> usize {
    let mut number = 0_usize;
    // SAFETY: the text ends with a NUL, which is no digit.
    unsafe {
        while (*text).is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add((*text - b'0') as usize);
            text = text.add(1);
        }
    }
    number
}

unsafe fn serve(socket: usize, command: *mut Command) -> ! {
    let mut byte = 0_u8;
    let mut time = [0_i64; 2];
    let at = (&raw mut byte) as usize;
    // SAFETY: the calls get room of the right size; see `make` for the rest.
    unsafe {
        call(number::FCNTL, [socket, F_SETFD, FD_CLOEXEC]);
        if call(number::WRITE, [socket, at, 1]) != 1 || call(number::READ, [socket, at, 1]) != 1 {
            exit(0);
        }
        call(number::CLOCK_GETTIME, [CLOCK_MONOTONIC, (&raw mut time) as usize, 0]);
        let process = make(command) as i64;
        let error = if process < 0 { -process } else { (&raw const (*command).error).read_volatile() };
        let started = time[0].wrapping_mul(1_000_000_000).wrapping_add(time[1]);
        let report = Report { process, error, started };
        call(number::WRITE, [socket, (&raw const report) as usize, size_of::<Report>()]);
        call(number::READ, [socket, at, 1]);
    }
    exit(0)
}

/// Makes the new process, and comes back when it has become the command or ended. It runs on a stack of its own, as both
/// are in the same memory until then.
unsafe fn make(command: *mut Command) -> isize {
    #[repr(align(16))]
    struct Stack {
        _room: [usize; 64],
    }
    let mut stack = core::mem::MaybeUninit::<Stack>::uninit();
    let top = stack.as_mut_ptr().wrapping_add(1);
    let process: isize;
    // SAFETY: the new process has all of the stack for itself and never comes back from `become_command`; this one sleeps
    // until the other has left its memory, and finds its registers as the kernel's convention promises. Without their flags
    // the other arguments of clone(2) are not read.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "syscall", "test rax, rax", "jnz 2f", "mov rdi, r9", "call {}", "2:",
            sym become_command,
            inlateout("rax") number::CLONE as isize => process,
            in("rdi") AS_A_SIBLING, in("rsi") top, in("r9") command,
            lateout("rcx") _, lateout("r11") _,
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
            "svc 0", "cbnz x0, 2f", "mov x0, x9", "bl {}", "2:",
            sym become_command,
            in("x8") number::CLONE, inlateout("x0") AS_A_SIBLING as isize => process,
            in("x1") top, in("x9") command, lateout("x30") _,
        );
    }
    process
}

unsafe extern "C" fn become_command(command: *mut Command) -> ! {
    // SAFETY: `command` is on the stack of the process that waits; its texts and lists are those that it was called with.
    unsafe {
        let Command { program, words, variables, .. } = *command;
        call(number::SETPGID, [0, 0, 0]);
        let failed = call(number::EXECVE, [program as usize, words as usize, variables as usize]);
        (&raw mut (*command).error).write_volatile(-failed as i64);
    }
    exit(127)
}

fn exit(code: usize) -> ! {
    loop {
        // SAFETY: the process ends; nothing of it is left to be harmed.
        unsafe { call(number::EXIT_GROUP, [code, 0, 0]) };
    }
}

/// A system call, as the kernel's convention has it: a number, or the negative code of an error.
unsafe fn call(number: usize, [first, second, third]: [usize; 3]) -> isize {
    let result: isize;
    // SAFETY: the registers that the kernel changes are named; what the call does is the caller's to argue.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") first, in("rsi") second, in("rdx") third,
            lateout("rcx") _, lateout("r11") _,
        );
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
            "svc 0",
            in("x8") number, inlateout("x0") first as isize => result, in("x1") second, in("x2") third,
        );
    }
    result
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(2)
}
