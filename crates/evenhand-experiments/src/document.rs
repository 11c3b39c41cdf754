//! What does an experiment tell? Text, tables, and claims with what became of them here.
//!
//! Tests: `tests/log_normal.rs`.

use evenhand_report::Layout;
use evenhand_report::table::Table;
use evenhand_report::wrap::wrapped;
use std::fmt::Write;

/// All that an experiment tells, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Heading(String),
    Text(String),
    Table { headings: Vec<String>, rows: Vec<Vec<String>>, given_up_first: Vec<usize> },
    Claim(Claim),
}

/// What an article says, and whether it held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub says: String,
    /// Whether it held; `None` where this machine could not tell.
    pub held: Option<bool>,
    /// The figures that show it.
    pub result: String,
}

impl Document {
    pub fn heading(&mut self, text: &str) {
        self.0.push(Part::Heading(text.to_owned()));
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.0.push(Part::Text(text.into()));
    }

    pub fn table(&mut self, headings: &[&str], rows: Vec<Vec<String>>) {
        self.wide_table(headings, rows, &[]);
    }

    /// With the places of the columns that go first where it is too narrow.
    pub fn wide_table(&mut self, headings: &[&str], rows: Vec<Vec<String>>, given_up_first: &[usize]) {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        self.0.push(Part::Table { headings, rows, given_up_first: given_up_first.to_vec() });
    }

    pub fn claim(&mut self, claim: Claim) {
        self.0.push(Part::Claim(claim));
    }

    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.0.iter().filter_map(|part| if let Part::Claim(claim) = part { Some(claim) } else { None })
    }

    /// As text.
    pub fn shown(&self, layout: Layout) -> String {
        let mut shown = String::new();
        for (place, part) in self.0.iter().enumerate() {
            if place > 0 {
                shown.push('\n');
            }
            part.show(layout, &mut shown);
        }
        shown
    }
}

impl Part {
    fn show(&self, layout: Layout, into: &mut String) {
        match self {
            Self::Heading(text) => {
                let underline = if layout.unicode { "─" } else { "-" };
                into.push_str(&format!("{text}\n{}\n", underline.repeat(text.chars().count())));
            }
            Self::Text(text) => into.push_str(&(wrapped(text, layout, 0) + "\n")),
            Self::Table { headings, rows, given_up_first } => {
                let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
                let mut table = Table::new(&headings, layout).giving_up(given_up_first);
                rows.iter().for_each(|row| table.row(row.clone()));
                // Writing to a string does not fail.
                let _ = write!(into, "{table}");
            }
            Self::Claim(claim) => {
                let held = match claim.held {
                    Some(true) => "held here",
                    Some(false) => "did not hold here",
                    None => "cannot be judged here",
                };
                let text = format!("{} It {held}: {}", claim.says, claim.result);
                into.push_str(&(wrapped(&text, layout, 2) + "\n"));
            }
        }
    }
}
