//! Foreign formats: results of other tools become trials, and trials are written for other programs to read.
//!
//! | question | module |
//! |---|---|
//! | what is in this file, and what does it say? | [`import`] |
//! | how do others read our trials? | [`export`] |

pub mod export;
pub mod import;
