//! How is a count said? With its noun, in the plural where there is more than one.
//!
//! Tests: `tests/notes.rs`.

/// A count with its noun: `1 round`, `84 rounds`, `2 launches`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

/// A noun for a count.
pub fn plural(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("ch") || noun.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{noun}{ending}")
}
