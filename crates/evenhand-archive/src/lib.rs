//! Trials on disk: one SQLite file, a journal for each trial while it is measured, and nothing lost.
//!
//! ```text
//! .evenhand/
//!   archive.sqlite            all trials: a row, a head and compressed chunks for each
//!   journal/lock              held for a moment by whoever begins, takes over or removes a journal
//!   journal/<id>.journal      a trial that is being measured, or was cut off and is not taken over yet
//! ```
//!
//! | question | module |
//! |---|---|
//! | what can be done with an archive? | [`archive`] |
//! | where is it? | [`place`] |
//! | what is in it, and which trial is meant? | [`entry`] |
//! | how does a trial survive while it is measured? | [`journal`] |
//! | is all of it whole, and what if not? | [`check`], [`salvage`] |
//! | what went wrong, and what now? | [`error`] |
//! | what does the SQLite file hold? | [`schema`], [`store`] |
//!
//! The layout, the faults and the figures are in `docs/archive.md`.

mod absorb;
pub mod archive;
pub mod check;
pub mod entry;
pub mod error;
pub mod journal;
pub mod place;
pub mod salvage;
pub mod schema;
mod store;

pub use absorb::Absorbed;
pub use archive::Archive;
pub use check::Problem;
pub use entry::Entry;
pub use error::ArchiveError;
pub use journal::Journal;
