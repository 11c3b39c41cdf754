//! The vocabulary of evenhand: what was compared, in which order, on which machine, and what was seen.
//!
//! A [`Trial`] is everything recorded for one comparison. It is the only thing that crosses from measuring to the
//! rest, and the only thing stored. Results of other tools become trials too, with no coin behind them.
//!
//! | question | module |
//! |---|---|
//! | what is a trial made of? | [`trial`], [`arm`], [`metric`], [`series`], [`failure`], [`reported`], [`note`] |
//! | how was it to be measured? | [`plan`] |
//! | what does one round give? | [`round`](mod@round) |
//! | who goes first, and what did each launch draw? | [`schedule`], [`launch`] |
//! | on which machine, with which tools? | [`environment`] |
//! | how is it written as JSON? | [`json`] |
//! | how do two trials become one that were not measured together? | `join` |
//! | how are notes said to people? | [`words`] |
//! | how do its samples take little room? | [`columnar`] |
//!
//! What may be claimed of a trial is the business of `evenhand-analysis`; nothing here computes a statistic.

pub mod arm;
pub mod columnar;
pub mod environment;
pub mod failure;
mod join;
pub mod json;
pub mod launch;
pub mod metric;
pub mod note;
pub mod plan;
pub mod reported;
pub mod round;
mod rule;
pub mod schedule;
pub mod series;
pub mod trial;
mod version;
pub mod words;

pub use arm::{Arm, ArmId};
pub use environment::Environment;
pub use failure::{Failure, Reason};
pub use launch::LaunchFacts;
pub use metric::{Better, Metric, MetricId, Per, Unit};
pub use note::Note;
pub use plan::Plan;
pub use reported::Reported;
pub use round::Round;
pub use rule::TrialError;
pub use schedule::{Schedule, Seed};
pub use series::{LaunchId, RoundId, Sample, Series, Whole};
pub use trial::{Origin, State, Trial, TrialId};
