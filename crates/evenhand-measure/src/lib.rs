//! Making samples: rounds in coin order until the verdict stands, and the machine that they are taken on.
//!
//! | question | module |
//! |---|---|
//! | what shall be measured, and until when? | [`plan`] |
//! | how do rounds follow each other? | [`rounds`] |
//! | how do launches follow each other? | [`launches`] |
//! | what is known of a group? | [`book`] |
//! | who keeps the rounds, and who looks on? | [`observers`] |
//! | how did it end? | [`finish`] |
//! | how long may a group take? | [`budget`] |
//! | what was measured of this trial before? | [`past`] |
//! | has it been measured enough? | [`stop`] |
//! | what can be measured? | [`executor`] |
//! | which processor disturbs least? | [`noise`] |
//! | what on this machine disturbs, and how small a difference can it see? | [`doctor`] |
//! | which combinations of parameters? | [`grid`] |
//! | how is a command measured? | [`command`] |
//! | how is a function in a worker measured? | [`worker`] |
//! | how is a service under load measured? | [`service`] |
//! | on which machine, with which tools, started how? | [`probe`](mod@probe) |
//! | what does a reading of the clock cost, and how fine is it? | [`clock`] |
//! | what does a file of /proc or /sys say? | [`files`] |
//! | what must not be written down? | [`secrets`], [`variables`] |
//! | what does another program answer? | [`program`], [`tools`], [`source`] |
//! | what does only the operating system know? | [`platform`] |

mod book;
pub mod budget;
pub mod clock;
pub mod command;
pub mod doctor;
pub mod executor;
pub mod files;
pub mod finish;
pub mod grid;
pub mod launches;
pub mod noise;
pub mod observers;
pub mod past;
pub mod plan;
pub mod platform;
pub mod probe;
pub mod program;
pub mod rounds;
pub mod secrets;
pub mod service;
pub mod source;
pub mod stop;
pub mod tools;
pub mod variables;
#[cfg(target_os = "linux")]
pub mod worker;

pub use probe::{Question, probe};
