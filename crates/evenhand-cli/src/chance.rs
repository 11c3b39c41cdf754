//! Where do seeds and ids come from? From a number that nobody can foresee: the standard library's hash maps get their
//! keys from the system's random numbers, each anew.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Another number each time.
pub(crate) fn chance() -> u64 {
    RandomState::new().build_hasher().finish()
}
