//! Numbers in, claims out.
#![allow(clippy::cast_precision_loss)]

mod error;
pub mod level;
pub mod paired;
pub mod percentile;
pub mod randomised;
pub mod unpaired;

pub use error::{InputError, Rule};
