//! What do standard output and standard error lead to? A terminal or not, how wide, with which characters, and in colour or not.
//!
//! Colours follow, in this order: `--color`, `NO_COLOR` (<https://no-color.org>), `CLICOLOR_FORCE` and `FORCE_COLOR`, `CLICOLOR=0`
//! (<https://bixense.com/clicolors>); else they go to a terminal that is not a dumb one. What is drawn over needs such a terminal, too.
//!
//! Tests: `tests/terminal.rs`.

use crate::Layout;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::str::FromStr;
use terminal_size::{Height, Width, terminal_size_of};

/// Where the program prints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terminal {
    /// How to lay out what goes to standard output.
    pub out: Layout,
    /// How to lay out what goes to standard error.
    pub err: Layout,
    /// Lines of the terminal that standard error goes to; `None` if nothing can be drawn over there.
    pub rows: Option<usize>,
}

/// Columns and lines.
pub type Size = (usize, usize);

/// Columns and lines of a terminal that does not say.
const USUAL_SIZE: Size = (100, 24);

impl Terminal {
    /// What is there.
    pub fn here() -> Self {
        let size = |is_terminal: bool, size: Option<(Width, Height)>| {
            let known = size.map(|(width, height)| (usize::from(width.0), usize::from(height.0)));
            is_terminal.then(|| known.filter(|(width, rows)| *width > 0 && *rows > 0).unwrap_or(USUAL_SIZE))
        };
        let (out, err) = (io::stdout(), io::stderr());
        let out = size(out.is_terminal(), terminal_size_of(&out));
        let err = size(err.is_terminal(), terminal_size_of(&err));
        Self::of(out, err, &|name| std::env::var_os(name))
    }

    /// Outputs of these sizes, `None` being no terminal, with these variables. Characters follow POSIX: the first of `LC_ALL`,
    /// `LC_CTYPE` and `LANG` that says anything.
    pub fn of(out: Option<Size>, err: Option<Size>, variable: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let setting = |name: &str| variable(name).filter(|value| !value.is_empty());
        let unicode = cfg!(windows) || knows_unicode(&setting);
        let able = cfg!(windows) || setting("TERM").is_some_and(|terminal| terminal != "dumb");
        let layout = |size: Option<Size>| {
            let colour = colours(&setting).unwrap_or(size.is_some() && able);
            Layout { unicode, colour, ..Layout::new(size.map(|(width, _)| width)) }
        };
        Self { out: layout(out), err: layout(err), rows: err.filter(|_| able).map(|(_, rows)| rows) }
    }

    /// The same, with the colours that were asked for.
    #[must_use]
    pub fn coloured(self, when: When) -> Self {
        let chosen = match when {
            When::Auto => return self,
            When::Always => true,
            When::Never => false,
        };
        let with = |layout: Layout| Layout { colour: chosen, ..layout };
        Self { out: with(self.out), err: with(self.err), ..self }
    }
}

fn knows_unicode(setting: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(setting);
    locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// What the variables demand, wherever the output goes.
fn colours(setting: &dyn Fn(&str) -> Option<OsString>) -> Option<bool> {
    let is_on = |name: &str| setting(name).is_some_and(|value| value != "0");
    if setting("NO_COLOR").is_some() {
        return Some(false);
    }
    if is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR") {
        return Some(true);
    }
    setting("CLICOLOR").filter(|value| value == "0").map(|_| false)
}

/// When colours are used: the value of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Where they can be seen.
    #[default]
    Auto,
    /// In files and pipes, too.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    /// The values, as they are typed.
    pub const NAMES: [&str; 3] = ["auto", "always", "never"];

    /// What was asked for among words that are not parsed yet, or could not be.
    pub fn among(words: &[OsString]) -> Self {
        let mut words = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
        while let Some(word) = words.next() {
            let value = match word {
                "--color" => words.next(),
                _ => word.strip_prefix("--color="),
            };
            if let Some(when) = value.and_then(|value| value.parse().ok()) {
                return when;
            }
        }
        Self::Auto
    }
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(format!("expected one of {}", Self::NAMES.join(", "))),
        }
    }
}
