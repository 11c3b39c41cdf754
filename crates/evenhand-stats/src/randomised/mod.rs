//! What the coin proves: verdicts from rounds whose order a fair coin decided (docs/method.md: "the coin makes the
//! test exact").
//!
//! If the two arms are the same, the coin alone decided which arm got which time. So the sign of each
//! difference is a fair coin given its magnitude, whatever the machine did. Every claim in this folder
//! uses the signs in that way and nothing else about the machine.
//!
//! Read in this order: [`effect`] (what is estimated), [`score`] (how much a round counts),
//! [`e_process`] (the evidence against one hypothetical effect), [`confidence_sequence`] (all effects not
//! yet refuted), [`position`] (what a place in the round costs), [`verdict`] (the words), [`launches`] (the same one level up),
//! [`mean_and_tails`] (what the typical round does not show), [`at`] (where that decides), [`signs`] (where there is no ratio), [`suite`] (many comparisons).

pub mod at;
mod bets;
pub mod confidence_sequence;
pub mod e_process;
pub mod effect;
pub mod launches;
pub mod mean_and_tails;
pub mod position;
mod reference;
pub mod score;
pub mod signs;
pub mod suite;
pub mod suite_mean;
mod tally;
pub mod verdict;

pub use confidence_sequence::ConfidenceSequence;
pub use e_process::EProcess;
pub use effect::{LogRatio, differences};
pub use verdict::{Verdict, Word};
