//! How do columns line up in a terminal? By the width that characters take on the screen, not by their bytes.
//!
//! Too wide for the terminal, a table gives up its columns from the last to the third, and then shortens its first.
//!
//! Tests: `tests/text.rs`.

use crate::plain::plain;
use std::fmt;
use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

const GAP: usize = 2;
/// A name is not shortened below this.
const SHORTEST_NAME: usize = 12;

/// Rows under headings. The first column is text and stands left, the others stand right.
#[derive(Debug, Clone)]
pub struct Table {
    rows: Vec<Vec<String>>,
    width: Option<usize>,
    text_columns: usize,
}

impl Table {
    /// A table with these headings, for a terminal of `width` columns.
    pub fn new(headings: &[&str], width: Option<usize>) -> Self {
        Self {
            rows: vec![headings.iter().map(|heading| (*heading).to_owned()).collect()],
            width,
            text_columns: 1,
        }
    }

    /// Sets all columns to the left, for tables of words.
    pub fn of_words(mut self) -> Self {
        self.text_columns = usize::MAX;
        self
    }

    /// Adds a row; it has as many cells as there are headings.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| plain(cell).into_owned()).collect());
    }

    /// Whether there is nothing under the headings.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// Columns in which no row has anything are left out.
    fn used_columns(&self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let used = |column: &usize| {
            *column == 0
                || self.rows[1..].iter().any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()))
        };
        (0..columns).filter(used).collect()
    }

    fn widest(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    }

    /// The columns that fit, each with its width.
    fn fitted(&self) -> Vec<(usize, usize)> {
        let mut columns: Vec<(usize, usize)> =
            self.used_columns().into_iter().map(|column| (column, self.widest(column))).collect();
        let Some(width) = self.width else { return columns };
        let total = |columns: &[(usize, usize)]| {
            columns.iter().map(|(_, wide)| wide + GAP).sum::<usize>() - GAP.min(columns.len() * GAP)
        };
        while columns.len() > 2 && total(&columns) > width + columns[0].1.saturating_sub(SHORTEST_NAME) {
            columns.pop();
        }
        let over = total(&columns).saturating_sub(width);
        if let Some(first) = columns.first_mut() {
            first.1 = first.1.saturating_sub(over).max(SHORTEST_NAME.min(first.1));
        }
        columns
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.fitted();
        for row in &self.rows {
            let mut line = String::new();
            for (place, &(column, width)) in columns.iter().enumerate() {
                let cell = shortened(row.get(column).map_or("", String::as_str), width);
                let padding = " ".repeat(width - cell.width().min(width));
                if place > 0 {
                    line.push_str(&" ".repeat(GAP));
                }
                let left = column < self.text_columns;
                line.push_str(&if left { format!("{cell}{padding}") } else { format!("{padding}{cell}") });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The text, or its beginning with `…`.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut taken = 0;
    for character in text.chars() {
        taken += character.width().unwrap_or(0);
        if taken + 1 > width {
            break;
        }
        kept.push(character);
    }
    kept + "…"
}
