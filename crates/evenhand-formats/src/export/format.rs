//! In which form? The table of all forms, their names and the file endings that stand for them.
//!
//! Adding a form touches the four places in this file and two lines in `mod.rs`.
//!
//! Tests: `tests/formats/export/shared.rs`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A form that trials are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// evenhand's own JSON: everything.
    Json,
    /// Long CSV: one sample a row.
    Csv,
    /// The same in Apache Parquet; needs the cargo feature `parquet`.
    Parquet,
    /// OpenMetrics text for Prometheus and its relatives: figures of each arm.
    OpenMetrics,
    /// The JSON of hyperfine's --export-json.
    Hyperfine,
}

/// The forms that this build can write, the most complete first.
#[cfg(feature = "parquet")]
pub const FORMATS: [Format; 5] = ALL;
/// The forms that this build can write, the most complete first.
#[cfg(not(feature = "parquet"))]
pub const FORMATS: [Format; 4] = [Format::Json, Format::Csv, Format::OpenMetrics, Format::Hyperfine];

/// Every form, also one that this build cannot write: who asks for it is told so.
const ALL: [Format; 5] = [Format::Json, Format::Csv, Format::Parquet, Format::OpenMetrics, Format::Hyperfine];

impl Format {
    /// What the user types after `--to`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::OpenMetrics => "openmetrics",
            Self::Hyperfine => "hyperfine",
        }
    }

    /// The endings of file names that stand for this form. hyperfine's files end in `.json`, which means our own here.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json"],
            Self::Csv => &["csv"],
            Self::Parquet => &["parquet"],
            Self::OpenMetrics => &["om", "openmetrics", "prom"],
            Self::Hyperfine => &[],
        }
    }

    /// The form that a file's ending stands for, in whatever case. `None`: ask the user for a name.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        ALL.into_iter().find(|format| format.endings().contains(&ending.as_str()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = FORMATS.map(Self::name).join(", ");
            format!("\"{}\" is not a format to write: choose one of {names}", text.escape_debug())
        })
    }
}
