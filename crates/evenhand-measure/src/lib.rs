//! Making samples. Today: the machine they are taken on, and what its clock costs.
//!
//! | question | module |
//! |---|---|
//! | on which machine, with which tools, started how? | [`probe`](mod@probe) |
//! | what does a reading of the clock cost, and how fine is it? | [`clock`] |
//! | what does a file of /proc or /sys say? | [`files`] |
//! | what must not be written down? | [`secrets`], [`variables`] |
//! | what does another program answer? | [`program`], [`tools`], [`source`] |
//! | what does only the operating system know? | [`platform`] |

pub mod clock;
pub mod files;
pub mod platform;
pub mod probe;
pub mod program;
pub mod secrets;
pub mod source;
pub mod tools;
pub mod variables;

pub use probe::{Question, probe};
