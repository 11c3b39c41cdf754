//! Which characters and colours may be used? Unicode or ASCII, colour or none, as the terminal and its user want it:
//! the caller finds out, every view asks here.
//!
//! ASCII: `±` becomes `+-`, `…` becomes `...`, `µs` becomes `us`. Names keep their other
//! characters: a name in Japanese without its characters would be no name.
//!
//! Tests: `tests/text.rs`, `tests/live.rs`.

use crate::{Layout, Order};
use anstyle::{AnsiColor, Style};
use evenhand_stats::randomised::Word;
use std::borrow::Cow;

/// What a colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Faster, better.
    Good,
    /// Slower, worse.
    Bad,
    /// Not known yet.
    Doubtful,
}

impl Tone {
    /// The tone of a verdict; `same` has none.
    pub fn of(word: Word) -> Option<Self> {
        match word {
            Word::Faster | Word::SlightlyFaster => Some(Self::Good),
            Word::Slower | Word::SlightlySlower => Some(Self::Bad),
            Word::Unclear => Some(Self::Doubtful),
            Word::Same => None,
        }
    }

    fn style(self) -> Style {
        let colour = match self {
            Self::Good => AnsiColor::Green,
            Self::Bad => AnsiColor::Red,
            Self::Doubtful => AnsiColor::Yellow,
        };
        colour.on_default().bold()
    }
}

/// Our own characters beyond ASCII, and what stands for them.
const IN_ASCII: [(char, &str); 4] = [('±', "+-"), ('…', "..."), ('µ', "u"), ('≤', "<=")];

impl Layout {
    /// Unicode without colour.
    pub const fn new(width: Option<usize>) -> Self {
        Self { width, unicode: true, colour: false, time_unit: None, order: Order::Usual }
    }

    /// The text in characters that the terminal has.
    pub fn characters(self, text: &str) -> Cow<'_, str> {
        if self.unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let mut ascii = String::with_capacity(text.len());
        for character in text.chars() {
            match IN_ASCII.iter().find(|(ours, _)| *ours == character) {
                Some((_, instead)) => ascii.push_str(instead),
                None => ascii.push(character),
            }
        }
        Cow::Owned(ascii)
    }

    /// The text in faint letters, if there are colours.
    pub fn dimmed(self, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let style = Style::new().dimmed();
        format!("{style}{text}{style:#}")
    }

    /// The text in its colour, if there are colours. It takes no more room than before.
    pub fn toned(self, tone: Option<Tone>, text: &str) -> String {
        match tone.filter(|_| self.colour) {
            Some(tone) => format!("{style}{text}{style:#}", style = tone.style()),
            None => text.to_owned(),
        }
    }
}
