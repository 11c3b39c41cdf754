//! The table: one row a rule, a source and a setting; as JSON for programs and as Markdown for people.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// How often and how soon a rule decided, and how often an interval covered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which table of the report the row belongs to.
    pub part: String,
    /// The process or trace that the times came from.
    pub source: String,
    /// Who decides.
    pub rule: String,
    /// The nominal error rate.
    pub alpha: f64,
    /// `every-round` or `fixed`.
    pub looking: String,
    /// The planted effect, as a share: 0.01 is 1 % slower.
    pub effect: f64,
    /// Most rounds (or samples, or launches) of a draw.
    pub rounds: usize,
    /// Simulated trials.
    pub draws: usize,
    /// Share of draws with a verdict of a change (or with the word that the rule names).
    pub decided: Option<f64>,
    /// Rounds until half of all draws had decided; none if fewer than half did.
    pub median_rounds: Option<usize>,
    /// Share of draws in which the interval held the truth.
    pub coverage: Option<f64>,
    /// The median over draws of what the rule took the effect to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Share of draws in which the rule refused an interval: "too few independent samples".
    pub refused: Option<f64>,
}

impl Row {
    /// A row without figures yet.
    pub fn new(part: &str, source: &str, rule: &str, alpha: f64, draws: usize) -> Self {
        Self {
            part: part.to_owned(),
            source: source.to_owned(),
            rule: rule.to_owned(),
            alpha,
            looking: "every-round".to_owned(),
            effect: 0.0,
            rounds: 0,
            draws,
            decided: None,
            median_rounds: None,
            coverage: None,
            estimate: None,
            refused: None,
        }
    }

    /// Whether more draws decided than error rate `alpha` explains: the count lies above its mean by over 4 standard
    /// deviations and one draw, which chance alone does in about one row of 30,000.
    pub fn decides_too_often(&self) -> bool {
        let draws = self.draws as f64;
        let allowed = self.alpha * draws + 4.0 * (self.alpha * draws).sqrt() + 1.0;
        self.decided.is_some_and(|decided| decided * draws > allowed)
    }
}

/// The round by which half of all draws had decided.
pub fn median_of(decided: &mut [usize], draws: usize) -> Option<usize> {
    decided.sort_unstable();
    decided.get(draws.div_ceil(2) - 1).copied()
}

/// Everything as JSON.
pub fn json(command: &str, rows: &[Row]) -> Result<String, String> {
    #[derive(Serialize)]
    struct Results<'a> {
        command: &'a str,
        rows: &'a [Row],
    }
    let mut text = serde_json::to_string(&Results { command, rows }).map_err(|e| e.to_string())?;
    text = text.replace("},{", "},\n{");
    text.push('\n');
    Ok(text)
}

/// A percentage with as many digits as its size deserves.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 10.0 { format!("{percent:.1} %") } else { format!("{percent:.2} %") }
}

/// A Markdown table: a line a source, a column for each setting, cells by `cell`.
pub fn pivot(
    rows: &[Row],
    lines: impl Fn(&Row) -> String,
    columns: impl Fn(&Row) -> String,
    cell: impl Fn(&Row) -> String,
) -> String {
    let (line_names, column_names) = (distinct(rows, &lines), distinct(rows, &columns));
    let mut text = format!(
        "| |{}|\n",
        column_names.iter().map(|c| format!(" {c} |")).collect::<String>().trim_end_matches('|')
    );
    let _ = writeln!(text, "|---|{}", "---:|".repeat(column_names.len()));
    for line in &line_names {
        let _ = write!(text, "| {line} |");
        for column in &column_names {
            let found = rows.iter().find(|row| lines(row) == *line && columns(row) == *column);
            let _ = write!(text, " {} |", found.map_or_else(String::new, &cell));
        }
        text.push('\n');
    }
    text
}

fn distinct(rows: &[Row], name: impl Fn(&Row) -> String) -> Vec<String> {
    let mut names = Vec::new();
    for row in rows {
        let name = name(row);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
