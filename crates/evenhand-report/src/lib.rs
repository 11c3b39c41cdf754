//! Views: what was recorded and what is claimed, as text for people. A view never computes a statistic.
//!
//! | question | module |
//! |---|---|
//! | what is the verdict, and what does each arm cost? | [`claims`] |
//! | what did the doctor see? | [`doctor`] |
//! | what is in this trial? | [`record`] |
//! | how do columns line up in a terminal? | [`table`] |
//! | where does a long sentence break? | [`wrap`] |
//! | which characters of a name are safe to print? | [`plain`] |

pub mod claims;
pub mod doctor;
pub mod plain;
pub mod record;
pub mod table;
pub mod wrap;

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the terminal; `None` when nobody wraps the lines.
    pub width: Option<usize>,
}
