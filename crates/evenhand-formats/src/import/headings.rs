//! Is this a table with these headings?
//!
//! Tests: `tests/formats/import/recognising.rs`, `tests/formats/import/unread.rs`.

/// Whether a table begins with these headings, with others between them or not.
pub(super) fn begin_with(head: &[u8], headings: &[&str]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut cells = line.trim_end().split(separator(line)).map(|cell| cell.trim_matches('"'));
    let first = cells.next() == headings.first().copied();
    first && headings[1..].iter().all(|heading| cells.any(|cell| cell == *heading))
}

/// The character between the cells of a line.
pub(super) fn separator(line: &str) -> char {
    if line.contains(',') { ',' } else { ';' }
}
