//! Views: what was recorded and what is claimed, as text and pictures for people. A view never computes a statistic.
//!
//! | question | module |
//! |---|---|
//! | what is the verdict, and what does each arm cost? | [`claims`] |
//! | what did the doctor see? | [`doctor`] |
//! | what is in this trial? | [`record`] |
//! | how far is a measurement? | [`live`] |
//! | what did each benchmark of a suite do? | `suite` |
//! | what does a typical slice of load look like? | `services` |
//! | how did the verdict come about, seen as pictures? | [`plots`] |
//! | what goes into a pull request? | [`markdown`] |
//! | how does one picture look on paper? | [`figures`] |
//! | how does it look in a browser? | [`page`] |
//! | where does an interval lie? | [`bar`] |
//! | how do columns line up in a terminal? | [`table`] |
//! | where does a long sentence break? | [`wrap`] |
//! | which characters of a name are safe to print? | [`plain`] |
//! | what is left of a name that is too long? | [`shorten`] |
//! | which characters and colours may be used? | [`style`] |
//! | what do standard output and standard error lead to? | [`terminal`] |
//! | how are errors, warnings and hints said? | [`message`] |

pub mod bar;
pub mod claims;
pub mod doctor;
pub mod figures;
pub mod live;
pub mod markdown;
pub mod message;
pub mod page;
pub mod plain;
pub mod plots;
pub mod record;
mod services;
pub mod shorten;
pub mod style;
mod suite;
pub mod table;
pub mod terminal;
pub mod wrap;

use evenhand_analysis::words::TimeUnit;

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// Columns of the terminal; `None` when nobody wraps the lines.
    pub width: Option<usize>,
    /// Whether characters beyond ASCII may be used.
    pub unicode: bool,
    /// Whether colours may be used.
    pub colour: bool,
    /// The unit of all times in tables, instead of the one that suits each.
    pub time_unit: Option<TimeUnit>,
    /// How the rows of tables are ordered.
    pub order: Order,
}

/// How the rows of a table are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// As it suits the table: arms as they were named, benchmarks with what changed most first.
    #[default]
    Usual,
    /// As the arms were named.
    AsNamed,
    /// The smallest mean first.
    ByMean,
}
