//! What can be said when there is no coin.
//!
//! Imported results were not measured in rounds, so nothing vouches for their order. This module compares two
//! such series by estimators that a few wild values cannot move (medians over all pairs, after Pragmastat) with
//! bounds that assume no distribution, and by the difference of the means with an error on effective sample
//! sizes. Every comparison carries the assumption it rests on (docs/method.md).
//!
//! All bounds and tests here assume that the values are independent draws, or that the caller hands in how many
//! independent draws they are worth ([`comparison`], [`worth`]).

pub mod bounds;
pub mod comparison;
pub mod margins;
pub mod pairwise;
pub mod pragmatic;
pub mod rank_null;
pub mod rank_tests;
pub mod sign_test;
mod spread;
pub mod welch;
pub mod worth;
