//! How does the kernel forget what it keeps of files in memory? All of it (`drop_caches`,
//! <https://docs.kernel.org/admin-guide/sysctl/vm.html>), which only root may ask for, or one file (`posix_fadvise(2)`).
//!
//! Tests: `tests/command.rs`.

use std::fs::{self, File};
use std::io;
use std::path::Path;

const SWITCH: &str = "/proc/sys/vm/drop_caches";

/// Puts all files out of memory.
///
/// # Errors
/// If we may not.
pub fn forget_all() -> io::Result<()> {
    // Opened first: who may not write there need not wait for the disks.
    let mut switch = fs::OpenOptions::new().write(true).open(SWITCH)?;
    #[cfg(target_os = "linux")]
    rustix::fs::sync();
    io::Write::write_all(&mut switch, b"3")
}

/// Puts one file out of memory, as far as nobody uses it.
///
/// # Errors
/// If it cannot be opened, or the system knows no way.
#[cfg(target_os = "linux")]
pub fn forget(file: &Path) -> io::Result<()> {
    let file = File::open(file)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // Only what is on the disk can be forgotten.
    file.sync_data()?;
    Ok(rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?)
}

/// No way is known here.
///
/// # Errors
/// Always, also if it cannot be opened.
#[cfg(not(target_os = "linux"))]
pub fn forget(file: &Path) -> io::Result<()> {
    File::open(file)?;
    Err(io::ErrorKind::Unsupported.into())
}
