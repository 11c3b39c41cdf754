//! Where does a long sentence break? Between words, with the following lines set in. A word longer than the terminal
//! stays whole: it can be copied. Where nobody wraps, nothing is broken, so that a line is a line for `grep`.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use unicode_width::UnicodeWidthStr;

/// The text in lines that fit, each but the first after `indent` spaces. Spaces in front of the text stay.
pub fn wrapped(text: &str, layout: Layout, indent: usize) -> String {
    let text = layout.characters(text);
    let Some(width) = layout.width.filter(|width| text.width() > *width) else { return text.into_owned() };
    let mut lines = String::with_capacity(text.len() + 16);
    let mut taken = 0;
    for word in words(&text) {
        let wide = word.trim_end().width();
        let is_first = lines.trim_start().is_empty();
        if !is_first && taken + wide > width {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            taken = indent;
        }
        lines.push_str(word);
        taken += word.width();
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
