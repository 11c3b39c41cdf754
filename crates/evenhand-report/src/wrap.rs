//! Where does a long sentence break? Between words, with the following lines set in. A word longer than the terminal
//! stays whole: it can be copied. Where nobody wraps, nothing is broken, so that a line is a line for `grep`.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::style::Tone;
use evenhand_analysis::words::{Part, Phrase};
use unicode_width::UnicodeWidthStr;

/// The text in lines that fit, each but the first after `indent` spaces. Spaces in front of the text stay.
pub fn wrapped(text: &str, layout: Layout, indent: usize) -> String {
    broken(&layout.characters(text), None, layout, indent)
}

/// A phrase in such lines, its verdict in its tone.
pub(crate) fn wrapped_phrase(
    phrase: &Phrase<'_>,
    tone: Option<Tone>,
    layout: Layout,
    indent: usize,
) -> String {
    let (mut text, mut verdict) = (String::new(), None);
    for part in &phrase.0 {
        if matches!(part, Part::Verdict(_)) {
            verdict = Some(text.len()).zip(tone);
        }
        text += &layout.characters(&plain(part.as_str()));
    }
    broken(&text, verdict, layout, indent)
}

/// `toned`: where the word begins that has a tone.
fn broken(text: &str, toned: Option<(usize, Tone)>, layout: Layout, indent: usize) -> String {
    let width = layout.width.filter(|width| text.width() > *width).unwrap_or(usize::MAX);
    let mut lines = String::with_capacity(text.len() + 16);
    let (mut taken, mut start) = (0, 0);
    for word in words(text) {
        let (shown, space) = word.split_at(word.trim_end().len());
        let is_first = lines.trim_start().is_empty();
        if !is_first && taken + shown.width() > width {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            taken = indent;
        }
        let tone = toned.filter(|(place, _)| *place == start).map(|(_, tone)| tone);
        lines += &layout.toned(tone, shown);
        lines += space;
        taken += word.width();
        start += word.len();
    }
    lines
}

/// The words with the space after them. A percent sign belongs to its number.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (place, _) in text.match_indices(' ') {
        if !text[place + 1..].starts_with('%') {
            words.push(&text[start..=place]);
            start = place + 1;
        }
    }
    words.push(&text[start..]);
    words
}
