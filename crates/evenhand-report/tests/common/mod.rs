//! What several of these tests need.

pub(crate) mod expected;
pub(crate) mod groups;
