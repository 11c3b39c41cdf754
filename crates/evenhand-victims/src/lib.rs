//! Where is the program that misbehaves on demand? See `src/main.rs` for what it can do. And how does a test make this
//! machine a poorer one? See [`confined`].

#[cfg(target_os = "linux")]
pub mod confined;

use std::path::Path;

/// The victim's file.
pub fn victim() -> &'static Path {
    Path::new(env!("VICTIM"))
}
