//! Which characters of a name are safe to print? Names come from other people's files. A control character could
//! move the cursor, colour the screen or forge a line; a mark of direction could turn the text around; a character
//! without width makes two names look the same. They are printed as their escapes. Everything else stays as it is.
//!
//! Unicode's "Default_Ignorable_Code_Point" and "Bidi_Control" say which: <https://www.unicode.org/reports/tr44/>.
//!
//! Tests: `tests/text.rs`.

use std::borrow::Cow;

/// The text with its misleading characters spelled out: a line end becomes `\n`, an escape `\u{1b}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|character| misleads(character) || joins(character)) {
        return Cow::Borrowed(text);
    }
    let characters: Vec<char> = text.chars().collect();
    let foreign = |place: Option<usize>| {
        place
            .and_then(|place| characters.get(place))
            .is_some_and(|other| !other.is_ascii() && !misleads(*other))
    };
    let mut plain = String::with_capacity(text.len() + 16);
    for (place, &character) in characters.iter().enumerate() {
        let has_work = || foreign(place.checked_sub(1)) && foreign(Some(place + 1));
        if misleads(character) || (joins(character) && !has_work()) {
            spell(character, &mut plain);
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

fn spell(character: char, into: &mut String) {
    match character {
        '\n' | '\r' | '\t' => into.extend(character.escape_debug()),
        other => into.extend(other.escape_unicode()),
    }
}

/// Control characters, marks of direction, and what takes no room on the screen.
fn misleads(character: char) -> bool {
    character.is_control() || turns_around(character) || is_invisible(character)
}

/// Unicode's "Trojan source" list, and the two ends of line that are no control characters.
fn turns_around(character: char) -> bool {
    matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The two joiners, which Persian words and emoji need between their letters, and ASCII never.
fn joins(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}
