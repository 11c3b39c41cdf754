//! Where is the program that misbehaves on demand? See `src/main.rs` for what it can do.

use std::path::Path;

/// The victim's file.
pub fn victim() -> &'static Path {
    Path::new(env!("VICTIM"))
}
