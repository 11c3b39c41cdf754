//! What is left of a name that is too long? Its beginning and its end: names of benchmarks often begin alike. Width is
//! that on the screen, where a character may take two columns.
//!
//! Tests: `tests/text.rs`, `tests/live.rs`.

use crate::Layout;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text, or its beginning and end around `…`.
pub fn shortened(text: &str, width: usize, layout: Layout) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let gap = layout.characters("…");
    if width == 0 {
        return String::new();
    }
    // In the narrowest room the three dots of ASCII would be all that is left.
    let gap = if gap.len() < width || layout.unicode { gap.as_ref() } else { "." };
    let room = width.saturating_sub(gap.width());
    let beginning = up_to(text.chars(), room.div_ceil(2));
    let end = up_to(text.chars().rev(), room.saturating_sub(columns(&beginning)));
    beginning + gap + &end.chars().rev().collect::<String>()
}

/// The most columns that a text may take: some terminals join the parts of an emoji and the letters of a ligature, others
/// print them side by side.
pub fn columns(text: &str) -> usize {
    text.width().max(text.chars().map(|character| character.width().unwrap_or(0)).sum())
}

/// The text with spaces behind it, to this width at least.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// As many characters as take no more than this width.
fn up_to(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut taken = 0;
    let fits = |character: &char| {
        taken += character.width().unwrap_or(0);
        taken <= width
    };
    characters.take_while(fits).collect()
}
