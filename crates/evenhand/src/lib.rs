//! Benchmarks of Rust functions that can be compared between two builds.
//!
//! ```no_run
//! #[evenhand::bench]
//! fn sums() -> u64 {
//!     (0..1000_u64).map(std::hint::black_box).sum()
//! }
//! evenhand::main!();
//! ```
//!
//! in `benches/sums.rs`, with `harness = false` for it in `Cargo.toml`. Then `evenhand compare --git main` says what the last
//! commits did to it.
//!
//! A function that needs an input asks for a [`Bench`] and makes it from luck that both builds get alike:
//!
//! ```no_run
//! #[evenhand::bench]
//! fn sorts(bench: evenhand::Bench<'_>) {
//!     bench
//!         .amount("items", 1000)
//!         .with_input(|rng| (0..1000).map(|_| rng.next_u64()).collect::<Vec<_>>())
//!         .run(|numbers| numbers.sort_unstable());
//! }
//! evenhand::main!();
//! ```
//!
//! | file | question |
//! |---|---|
//! | `bench` | what does a benchmark say? |
//! | `registry` | which benchmarks are there? |
//! | `worker` | how is the host served? |
//! | `program` | what if a person starts it? |
//! | `allocations` | how much memory does a function ask for? |
//! | `clock`, `delay`, `random` | time, waiting for a processor, luck |
#![warn(missing_docs)]

mod allocations;
mod bench;
pub mod clock;
mod delay;
pub mod program;
pub mod random;
pub mod registry;
mod worker;

pub use allocations::Allocations;
pub use bench::{Bench, WithInput};
pub use evenhand_macros::bench;
pub use random::Rng;
pub use std::hint::black_box;

/// Makes `main` of a benchmark program.
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::program::main()
        }
    };
}
