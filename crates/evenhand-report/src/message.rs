//! How does the program speak to its user, beside its results? On standard error, as cargo does: `error:`, `warning:` or `note:`, then
//! what is the matter, and `hint:` with the next step.
//!
//! Tests: `tests/terminal.rs`.

use crate::plain::plain;
use anstyle::{AnsiColor, Style};
use std::fmt::{self, Display};
use std::io::{self, Write};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    Note,
    Hint,
}

impl Kind {
    fn label(self) -> &'static str {
        match self {
            Self::Error => "error:",
            Self::Warning => "warning:",
            Self::Note => "note:",
            Self::Hint => "hint:",
        }
    }

    fn style(self) -> Style {
        let colour = match self {
            Self::Error => AnsiColor::Red,
            Self::Warning => AnsiColor::Yellow,
            Self::Note => AnsiColor::Green,
            Self::Hint => AnsiColor::Cyan,
        };
        colour.on_default().bold()
    }
}

/// Something to say, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    kind: Kind,
    words: String,
    hint: Option<String>,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Message {
    /// The program could not do what it was asked to.
    pub fn error(words: impl Display) -> Self {
        Self::new(Kind::Error, words)
    }

    /// Something is not as the user may think.
    pub fn warning(words: impl Display) -> Self {
        Self::new(Kind::Warning, words)
    }

    /// What the program is doing.
    pub fn note(words: impl Display) -> Self {
        Self::new(Kind::Note, words)
    }

    /// A next step by itself.
    pub fn next_step(words: impl Display) -> Self {
        Self::new(Kind::Hint, words)
    }

    fn new(kind: Kind, words: impl Display) -> Self {
        Self { kind, words: words.to_string(), hint: None }
    }

    /// The same, with the next step.
    #[must_use]
    pub fn hint(self, hint: impl Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }
}

/// Standard error, or what stands for it. What is written to it directly passes through as it is.
pub struct Voice<'a> {
    to: &'a mut dyn Write,
    colour: bool,
}

impl<'a> Voice<'a> {
    /// A voice that speaks there, in colour or not.
    pub fn new(to: &'a mut dyn Write, colour: bool) -> Self {
        Self { to, colour }
    }

    /// From now on in colour, or not.
    pub fn set_colour(&mut self, colour: bool) {
        self.colour = colour;
    }

    /// The same voice for a shorter time.
    pub fn again(&mut self) -> Voice<'_> {
        Voice { to: &mut *self.to, colour: self.colour }
    }

    /// Says the message, safe to print, and its hint.
    pub fn say(&mut self, message: &Message) -> io::Result<()> {
        self.line(message.kind, &message.words)?;
        message.hint.iter().try_for_each(|hint| self.line(Kind::Hint, hint))
    }

    fn line(&mut self, kind: Kind, words: &str) -> io::Result<()> {
        let (label, words) = (kind.label(), plain(words));
        if self.colour {
            let style = kind.style();
            return writeln!(self.to, "{style}{label}{style:#} {words}");
        }
        writeln!(self.to, "{label} {words}")
    }

    /// What somebody else said, set apart.
    pub fn quote<'s>(&mut self, lines: impl IntoIterator<Item = &'s str>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| writeln!(self.to, "  | {}", plain(line)))
    }

    /// What the parser of the command line says, which knows our labels but not our colours.
    pub fn pass_on(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let hint = line.trim_start().strip_prefix("tip: ");
            match (line.strip_prefix("error: "), hint) {
                (Some(words), _) => self.line(Kind::Error, words)?,
                (_, Some(words)) => self.line(Kind::Hint, words)?,
                _ => writeln!(self.to, "{line}")?,
            }
        }
        Ok(())
    }
}

impl Write for Voice<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
