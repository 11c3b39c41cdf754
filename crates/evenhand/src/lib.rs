//! Benchmarks of Rust functions: which build is faster, by how much, and is it sure?
//!
//! In `benches/sums.rs`, with `harness = false` for it in `Cargo.toml`:
//!
//! ```no_run
//! #[evenhand::bench]
//! fn sums() -> u64 {
//!     (0..1000_u64).map(std::hint::black_box).sum()
//! }
//! evenhand::main!();
//! ```
//!
//! Then `evenhand compare --git main` says what the last commits did to it, and `cargo bench` how long it takes.
//!
//! A function that needs an input asks for a [`Bench`]. Inputs are made outside the timed span, from random numbers that are the same for
//! both sides of a comparison and others in each round:
//!
//! ```no_run
//! #[evenhand::bench]
//! fn sorts(bench: evenhand::Bench<'_>) {
//!     bench
//!         .items(1000)
//!         .with_input(|rng| (0..1000).map(|_| rng.next_u64()).collect::<Vec<_>>())
//!         .run(|numbers| numbers.sort_unstable());
//! }
//! evenhand::main!();
//! ```
//!
//! | to say | write |
//! |---|---|
//! | what the function gets: `&mut`, its own, `&` | [`run`](WithInput::run), [`run_owned`](WithInput::run_owned), [`run_ref`](WithInput::run_ref) |
//! | that both sides must return the same | [`run_checked`](WithInput::run_checked) |
//! | that something of the result is measured, too | [`run_measured`](WithInput::run_measured) |
//! | how much is done | [`bytes`](Bench::bytes), [`items`](Bench::items), [`amount`](Bench::amount) |
//! | one benchmark for each value, type, constant, number of threads | [`args`, `types`, `consts`, `threads`](macro@bench) |
//! | alternatives that are compared with each other | [`group`, `baseline`](macro@bench) |
//! | how many calls make a sample | [`iterations`, `iteration_time`](macro@bench) |
//! | that it is `async` | `async fn`, with the feature `tokio` |
//! | that allocations count | [`Allocations`] |
#![warn(missing_docs)]

// Which file answers what: `bench`: what does a benchmark say? `registry`: which are there? `worker`: how is the host served? `program`: what if
// a person starts it? `allocations`: how much memory does a function ask for? `clock`, `delay`, `random`: time, waiting for a
// processor, luck.
mod allocations;
mod bench;
mod clock;
mod delay;
mod program;
mod random;
mod registry;
mod session;
mod worker;

pub use allocations::Allocations;
pub use bench::{Bench, WithInput};
pub use evenhand_macros::bench;
pub use random::Rng;
pub use std::hint::black_box;

/// What the macros write, and the tests of this repository. It changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::clock::{Clock, Ticks};
    pub use crate::program::main;
    pub use crate::registry::{Case, Entry, Function, Node, entries, threads, values};
}

/// Makes `main` of a benchmark program.
///
/// ```no_run
/// #[evenhand::bench]
/// fn nothing() {}
/// evenhand::main!();
/// ```
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::main()
        }
    };
}
