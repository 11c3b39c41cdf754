//! Which characters of a name are safe to print? Names come from other people's files. A control character could
//! move the cursor, colour the screen or forge a line, so it is printed as its escape; so are the marks that turn the
//! direction of text around. Everything else stays as it is.
//!
//! Tests: `tests/text.rs`.

use std::borrow::Cow;

/// The text with its control characters spelled out: a line end becomes `\n`, an escape `\u{1b}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(misleads) {
        return Cow::Borrowed(text);
    }
    let spelled = |character: char| -> String {
        if !misleads(character) {
            return character.to_string();
        }
        let short: String = character.escape_debug().collect();
        if short.chars().any(misleads) { character.escape_unicode().collect() } else { short }
    };
    Cow::Owned(text.chars().map(spelled).collect())
}

/// Control characters, and the marks that change the direction of text (Unicode's "Trojan source" list).
fn misleads(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}
