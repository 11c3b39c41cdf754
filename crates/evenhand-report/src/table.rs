//! How do columns line up in a terminal? By the width that characters take on the screen, not by their bytes.
//!
//! Too wide for the terminal, a table gives up whole columns, and then shortens the one of names. A number is never
//! shortened: `12…` would be another number.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::shorten::shortened;
use std::collections::BTreeSet;
use std::fmt;
use unicode_width::UnicodeWidthStr;

const GAP: usize = 2;
/// A name is not shortened below this, nor until it reads like another, while other columns can be given up instead.
const SHORTEST_NAME: usize = 12;

/// Rows under headings. The first column is text and stands left, the others stand right.
#[derive(Debug, Clone)]
pub struct Table {
    rows: Vec<Vec<String>>,
    layout: Layout,
    text_columns: usize,
    names: usize,
    given_up_first: Vec<usize>,
    pair: Option<[usize; 2]>,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str], layout: Layout) -> Self {
        Self {
            rows: vec![headings.iter().map(|heading| shown(heading, layout)).collect()],
            layout,
            text_columns: 1,
            names: 0,
            given_up_first: Vec::new(),
            pair: None,
        }
    }

    /// Sets all columns to the left, for tables of words.
    pub fn of_words(mut self) -> Self {
        self.text_columns = usize::MAX;
        self
    }

    /// The column that may be shortened, if it is not the first.
    pub fn shortening(mut self, column: usize) -> Self {
        self.names = column;
        self
    }

    /// Columns that are given up before the others, which go from the last to the second.
    pub fn giving_up(mut self, columns: &[usize]) -> Self {
        self.given_up_first = columns.to_vec();
        self
    }

    /// Two columns that are given up before the others, and none without the other.
    pub fn giving_up_both(mut self, pair: [usize; 2]) -> Self {
        self.given_up_first = pair.to_vec();
        self.pair = Some(pair);
        self
    }

    /// Adds a row; it has as many cells as there are headings.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| shown(cell, self.layout)).collect());
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
        let Some(width) = self.layout.width.filter(|width| total(&columns) > *width) else { return columns };
        let shortest = self.shortest_names();
        for column in self.order_of_giving_up() {
            if columns.len() <= 2 || self.least(&columns, shortest) <= width {
                break;
            }
            let pair = self.pair.filter(|pair| pair.contains(&column));
            let goes = |other: &usize| *other == column || pair.is_some_and(|pair| pair.contains(other));
            columns.retain(|(kept, _)| !goes(kept));
        }
        let over = total(&columns).saturating_sub(width);
        if let Some(names) = columns.iter_mut().find(|(column, _)| *column == self.names) {
            names.1 = names.1.saturating_sub(over).max(1);
        }
        columns
    }

    /// The first column stays, and so does the one of names.
    fn order_of_giving_up(&self) -> Vec<usize> {
        let others = (1..self.rows.first().map_or(0, Vec::len)).rev();
        let others = others.filter(|column| !self.given_up_first.contains(column));
        self.given_up_first.iter().copied().chain(others).filter(|column| *column != self.names).collect()
    }

    /// The width of these columns with the names as short as they may be.
    fn least(&self, columns: &[(usize, usize)], shortest: usize) -> usize {
        let names = columns.iter().find(|(column, _)| *column == self.names).map_or(0, |(_, wide)| *wide);
        total(columns) - names.saturating_sub(shortest)
    }

    /// The width down to which names can be shortened and told apart.
    fn shortest_names(&self) -> usize {
        let widest = self.widest(self.names);
        let names: BTreeSet<&String> = self.rows.iter().filter_map(|row| row.get(self.names)).collect();
        let are_apart = |width: &usize| {
            let shown: BTreeSet<String> =
                names.iter().map(|name| shortened(name, *width, self.layout)).collect();
            shown.len() == names.len()
        };
        (SHORTEST_NAME..widest).find(are_apart).unwrap_or(widest)
    }
}

fn shown(cell: &str, layout: Layout) -> String {
    layout.characters(&plain(cell)).into_owned()
}

fn total(columns: &[(usize, usize)]) -> usize {
    let gaps = GAP * columns.len().saturating_sub(1);
    columns.iter().map(|(_, wide)| wide).sum::<usize>() + gaps
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.fitted();
        for row in &self.rows {
            let mut line = String::new();
            for (place, &(column, width)) in columns.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let fits = cell.width() <= width;
                let cell = if fits { cell.to_owned() } else { shortened(cell, width, self.layout) };
                let padding = " ".repeat(width.saturating_sub(cell.width()));
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
