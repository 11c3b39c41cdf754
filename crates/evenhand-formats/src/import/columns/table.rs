//! What do the rows of a table say? Shared by text columns and Parquet.
//!
//! - **long form**: a row is a sample. Known columns are `group`, `arm`, `launch`, `round`, `position`, `started_ns`,
//!   `iterations`, as our own CSV writes them; every other column is a metric.
//! - **wide form**: no column has one of those names. Then every column is an arm and every number in it a sample. What
//!   stands in one row need not belong together: rows are no rounds.
//!
//! A table with all the columns of our own export, in its order, is taken to the letter: a metric is named as its heading
//! says, and a series whose rounds do not rise any more has ended and another one begins. In other tables that is an
//! error, since there it mostly means that two runs were mixed up.
//!
//! Columns that measure nothing (see `beside.rs`) are passed over. In a long table times come before all other metrics,
//! as the verdict is on the first one.
//!
//! An empty cell is a number that is not known (long) or not there (wide). Rounds, positions and starts are kept, but
//! without a seed nothing shows that a coin decided them.
//!
//! Tests: `tests/formats/import/columns.rs`, `tests/formats/import/parquet.rs`.

use super::super::{Column, Draft, ImportErrorKind};
use super::beside::{date, is_no_heading, may_be_moments, measures_nothing};
use super::heading::Heading;
use crate::export::csv::HEAD;
use evenhand_trial::{Arm, ArmId, LaunchId, RoundId, Sample, Series, Whole};
use std::collections::HashMap;
use std::fmt;

/// One cell of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::import) enum Cell<'a> {
    /// Nothing.
    Empty,
    /// A whole number.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "text columns hold text"))]
    Whole(u64),
    /// Any number.
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "text columns hold text"))]
    Number(f64),
    /// Words, or a number not read yet.
    Text(&'a str),
}

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    Group,
    Arm,
    Launch,
    Round,
    Position,
    Started,
    Iterations,
    /// The how-manieth metric (long) or arm (wide).
    Numbers(usize),
    /// The same, where a cell may hold a date.
    Moments(usize),
    /// Row numbers under no heading.
    RowNumber,
}

const ROLES: [(&str, Role); 7] = [
    ("group", Role::Group),
    ("arm", Role::Arm),
    ("launch", Role::Launch),
    ("round", Role::Round),
    ("position", Role::Position),
    ("started_ns", Role::Started),
    ("iterations", Role::Iterations),
];

/// A table being read.
pub(in crate::import) struct Table {
    names: Vec<String>,
    roles: Vec<Role>,
    headings: Vec<Heading>,
    content: Content,
    /// The numbers of the row at hand, one a metric.
    values: Vec<f64>,
}

enum Content {
    Long(Long),
    /// A list of numbers for each arm.
    Wide(Vec<Vec<f64>>),
}

impl Table {
    /// A table whose columns have these names.
    pub(in crate::import) fn named(names: Vec<String>) -> Result<Self, ImportErrorKind> {
        let ours = names.iter().map(String::as_str).take(HEAD.len()).eq(HEAD);
        let mut headings = Vec::new();
        let mut roles: Vec<Role> = Vec::with_capacity(names.len());
        for name in &names {
            let role = match roles.is_empty() && names.len() > 1 && is_no_heading(name) {
                true => Some(Role::RowNumber),
                // A lone column holds numbers, whatever it is named.
                false => {
                    ROLES.iter().find(|(known, _)| known == name && names.len() > 1).map(|(_, role)| *role)
                }
            };
            if role.is_some_and(|role| roles.contains(&role)) {
                return Err(ImportErrorKind::wrong(
                    "header",
                    format_args!("two columns are named \"{name}\""),
                ));
            }
            roles.push(role.unwrap_or_else(|| {
                let heading = if ours { Heading::exact(name) } else { Heading::new(name) };
                let role = if !ours && may_be_moments(&heading) { Role::Moments } else { Role::Numbers };
                headings.push(heading);
                role(headings.len() - 1)
            }));
        }
        if headings.is_empty() {
            return Err(ImportErrorKind::wrong("header", "no column of numbers"));
        }
        let is_known = |role: &Role| !matches!(role, Role::Numbers(_) | Role::Moments(_) | Role::RowNumber);
        let content = match roles.iter().any(is_known) {
            true => Content::Long(Long { ours, ..Long::default() }),
            false => Content::Wide(vec![Vec::new(); headings.len()]),
        };
        Ok(Self { names, roles, values: vec![f64::NAN; headings.len()], headings, content })
    }

    /// A table without a header.
    pub(in crate::import) fn unnamed(columns: usize) -> Result<Self, ImportErrorKind> {
        let name = |number| if columns == 1 { String::new() } else { format!("column {number}") };
        let mut table = Self::named((1..=columns).map(|number| format!("c{number}")).collect())?;
        table.headings.iter_mut().zip(1..).for_each(|(heading, number)| heading.name = name(number));
        Ok(table)
    }

    /// How many columns there are.
    pub(in crate::import) fn width(&self) -> usize {
        self.names.len()
    }

    /// Whether every column is an arm.
    pub(in crate::import) fn is_wide(&self) -> bool {
        matches!(self.content, Content::Wide(_))
    }

    /// Adds a row. `place` names it, as in `line 7`.
    pub(in crate::import) fn push<'a>(
        &mut self,
        place: impl fmt::Display,
        cells: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(), ImportErrorKind> {
        let mut row = Row::default();
        for ((cell, role), name) in cells.zip(&self.roles).zip(&self.names) {
            row.take(cell, *role, &mut self.values).map_err(|what| {
                let name = name.escape_debug();
                ImportErrorKind::wrong(format_args!("{place}, column \"{name}\""), what)
            })?;
        }
        match &mut self.content {
            Content::Long(long) => {
                long.push(&row, &self.values).map_err(|what| ImportErrorKind::wrong(place, what))
            }
            Content::Wide(arms) => {
                let known = arms.iter_mut().zip(&self.values).filter(|(_, value)| !value.is_nan());
                known.for_each(|(arm, value)| arm.push(*value));
                Ok(())
            }
        }
    }

    /// Hands everything over.
    pub(in crate::import) fn fill(self, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        if self.headings.iter().any(|heading| heading.unit.is_none()) {
            draft.note(NO_UNIT);
        }
        match self.content {
            Content::Long(long) => long.fill(&self.headings, draft),
            Content::Wide(arms) => fill_wide(arms, &self.headings, draft),
        }
    }
}

const NO_UNIT: &str = "the file does not give the unit of every number; lower is assumed to be better. Name the unit \
 in a heading, such as \"time_ns\" or \"wall (ms)\"";
const NOT_PAIRED: &str = "each column is compared with the first; numbers in one row are not treated as pairs, as \
 their order was not randomised";
const NO_COIN: &str = "a table has no seed: its rounds are stored, but not compared as randomised";

fn fill_wide(arms: Vec<Vec<f64>>, headings: &[Heading], draft: &mut Draft) -> Result<(), ImportErrorKind> {
    if arms.iter().all(Vec::is_empty) {
        return Err(ImportErrorKind::Nothing);
    }
    let lone = arms.len() == 1;
    let mut arms: Vec<(Vec<f64>, &Heading)> = arms.into_iter().zip(headings).collect();
    arms.retain(|(numbers, heading)| {
        let nothing = measures_nothing(heading, [numbers.as_slice()].into_iter()).filter(|_| !lone);
        nothing.inspect(|why| draft.note(passed_over(heading, why))).is_none()
    });
    if arms.len() > 1 {
        draft.note(NOT_PAIRED);
    }
    for (numbers, heading) in arms {
        let name = if heading.name.is_empty() { stem(draft) } else { heading.name.clone() };
        if numbers.is_empty() {
            draft.note(format!("the column \"{}\" has no number", name.escape_debug()));
            continue;
        }
        let metric = heading.metric(if heading.is_time() { "wall" } else { "value" });
        let column = draft.metric(metric);
        let arm = draft.arm(Arm { name, ..Arm::default() });
        let iterations = Whole::Same { same: 1 };
        draft.samples(arm, LaunchId(0), iterations, vec![(column, numbers)])?;
    }
    Ok(())
}

fn passed_over(heading: &Heading, why: &str) -> String {
    format!("the column \"{}\" {why}: it is passed over", heading.written.escape_debug())
}

/// A name for numbers without one: that of the file.
fn stem(draft: &Draft) -> String {
    let stem = draft.file_stem();
    if stem.is_empty() || stem == "-" { "samples".to_owned() } else { stem }
}

/// What the columns with known names say of one row.
#[derive(Default)]
struct Row<'a> {
    group: &'a str,
    arm: &'a str,
    launch: Option<u64>,
    round: Option<u64>,
    position: Option<u64>,
    started: Option<u64>,
    iterations: Option<u64>,
}

impl<'a> Row<'a> {
    fn take(&mut self, cell: Cell<'a>, role: Role, values: &mut [f64]) -> Result<(), String> {
        match role {
            Role::Group => self.group = text(cell)?,
            Role::Arm => self.arm = text(cell)?,
            Role::Launch => self.launch = whole(cell)?,
            Role::Round => self.round = whole(cell)?,
            Role::Position => self.position = whole(cell)?,
            Role::Started => self.started = whole(cell)?,
            Role::Iterations => self.iterations = whole(cell)?,
            Role::Numbers(index) => values[index] = number(cell)?,
            Role::Moments(index) => values[index] = moment(cell)?,
            Role::RowNumber => drop(whole(cell).map_err(|what| format!("{what}; {NEEDS_HEADING}"))?),
        }
        Ok(())
    }
}

const NEEDS_HEADING: &str = "a first column without a heading is read as row numbers: give it a heading";

fn text(cell: Cell<'_>) -> Result<&str, String> {
    match cell {
        Cell::Text(text) => Ok(text),
        Cell::Empty => Ok(""),
        Cell::Whole(_) | Cell::Number(_) => Err("is a name and holds numbers".to_owned()),
    }
}

fn whole(cell: Cell<'_>) -> Result<Option<u64>, String> {
    match cell {
        Cell::Empty => Ok(None),
        Cell::Whole(number) => Ok(Some(number)),
        // 2^53: up to there a double holds every whole number.
        Cell::Number(number)
            if number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number) =>
        {
            Ok(Some(number as u64))
        }
        Cell::Number(number) => Err(format!("{number} is not a whole number from 0 on")),
        Cell::Text(text) => match text.parse() {
            // Nearly always: spaces are looked for afterwards only.
            Ok(number) => Ok(Some(number)),
            Err(_) if text.trim().is_empty() => Ok(None),
            Err(_) => text
                .trim()
                .parse()
                .map(Some)
                .map_err(|_| format!("\"{}\" is not a whole number from 0 on", shortened(text))),
        },
    }
}

/// NaN for an empty cell.
fn number(cell: Cell<'_>) -> Result<f64, String> {
    let number = match cell {
        Cell::Empty => return Ok(f64::NAN),
        Cell::Whole(number) => number as f64,
        Cell::Number(number) => number,
        Cell::Text(text) => match text.parse() {
            Ok(number) => number,
            Err(_) if text.trim().is_empty() => return Ok(f64::NAN),
            Err(_) => text.trim().parse().map_err(|_| not_a_number(text))?,
        },
    };
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(format!("{number} is not a possible measurement"))
}

/// A number, or a date as seconds since 1970.
fn moment(cell: Cell<'_>) -> Result<f64, String> {
    let dated = |words| match cell {
        Cell::Text(text) => date(text.trim()).ok_or(words),
        _ => Err(words),
    };
    number(cell).or_else(dated)
}

fn not_a_number(text: &str) -> String {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once(',') {
        Some((before, after)) if digits(before) && digits(after) => {
            format!("\"{}\" has a decimal comma; write numbers with a point", shortened(text))
        }
        _ => format!("\"{}\" is not a number", shortened(text)),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect::<String>().escape_debug().to_string()
}

/// The long form: series as they come up.
#[derive(Default)]
struct Long {
    /// Whether our own export wrote it.
    ours: bool,
    series: Vec<Series>,
    last_rounds: Vec<u64>,
    /// Group and name of each arm, in the order in which they come up.
    arms: Vec<(String, String)>,
    arm_places: HashMap<(String, String), usize>,
    series_places: HashMap<(usize, u32), usize>,
    /// The arm and launch of the row before, and the place of their series: rows mostly come in runs.
    previous: Option<(usize, u32, usize)>,
}

impl Long {
    fn push(&mut self, row: &Row<'_>, values: &[f64]) -> Result<(), String> {
        let launch =
            u32::try_from(row.launch.unwrap_or(0)).map_err(|_| "the launch is beyond 2^32".to_owned())?;
        let mut place = self.place(row, launch, values.len());
        if self.ours && self.has_ended(place, row) {
            place = self.begin_again(place, launch, values.len());
        }
        let series = &mut self.series[place];
        let index = series.len();
        let round = row.round.unwrap_or(index as u64);
        if index > 0 && round <= self.last_rounds[place] {
            return Err(format!(
                "round {round} of \"{}\" in launch {launch} comes after round {}: rounds must rise within a column and launch",
                row.arm.escape_debug(),
                self.last_rounds[place]
            ));
        }
        self.last_rounds[place] = round;
        let position = row.position.map(u32::try_from).transpose();
        let position = position.map_err(|_| "the position is beyond 2^32".to_owned())?;
        let iterations = row.iterations.unwrap_or(1);
        if iterations == 0 {
            return Err("a sample of 0 iterations has no time".to_owned());
        }
        series.push(Sample { round: RoundId(round), position, started: row.started, iterations, values });
        Ok(())
    }

    /// Whether a row of our own export cannot belong to the series that its arm and launch have so far.
    fn has_ended(&self, place: usize, row: &Row<'_>) -> bool {
        let series = &self.series[place];
        let known = (series.positions.is_some(), series.started.is_some());
        !series.is_empty()
            && (row.round.is_some_and(|round| round <= self.last_rounds[place])
                || known != (row.position.is_some(), row.started.is_some()))
    }

    /// Another series of the same arm and launch.
    fn begin_again(&mut self, ended: usize, launch: u32, metrics: usize) -> usize {
        let arm = self.series[ended].arm;
        self.series.push(Series::new(arm, LaunchId(launch), metrics));
        self.last_rounds.push(0);
        let place = self.series.len() - 1;
        self.series_places.insert((arm.index(), launch), place);
        self.previous = Some((arm.index(), launch, place));
        place
    }

    fn place(&mut self, row: &Row<'_>, launch: u32, metrics: usize) -> usize {
        if let Some((arm, last_launch, place)) = self.previous {
            let (group, name) = &self.arms[arm];
            if last_launch == launch && same(name, row.arm) && same(group, row.group) {
                return place;
            }
        }
        let key = (row.group.to_owned(), row.arm.to_owned());
        let arm = *self.arm_places.entry(key).or_insert_with_key(|key| {
            self.arms.push(key.clone());
            self.arms.len() - 1
        });
        let place = *self.series_places.entry((arm, launch)).or_insert_with(|| {
            self.series.push(Series::new(ArmId(arm as u32), LaunchId(launch), metrics));
            self.last_rounds.push(0);
            self.series.len() - 1
        });
        self.previous = Some((arm, launch, place));
        place
    }

    fn fill(self, headings: &[Heading], draft: &mut Draft) -> Result<(), ImportErrorKind> {
        draft.note(NO_COIN);
        let columns = self.columns(headings, draft);
        let mut ids = Vec::with_capacity(self.arms.len());
        for (group, name) in self.arms {
            let name = if name.is_empty() { stem(draft) } else { name };
            ids.push(draft.arm(Arm { name, group, ..Arm::default() }));
        }
        for mut series in self.series {
            let mut values = std::mem::take(&mut series.values);
            let numbers =
                columns.iter().map(|(place, column)| (*column, std::mem::take(&mut values[*place])));
            let measured = |(_, numbers): &(Column, Vec<f64>)| numbers.iter().any(|number| !number.is_nan());
            let (mut columns, unmeasured): (Vec<_>, Vec<_>) = numbers.partition(measured);
            if self.ours && columns.is_empty() {
                // The export had samples here, each without a number: a column of gaps keeps them.
                columns.extend(unmeasured.into_iter().next());
            }
            series.arm = ids[series.arm.index()];
            // Without a number in any row there is nothing to keep.
            if !columns.is_empty() {
                draft.series(series, columns)?;
            }
        }
        Ok(())
    }

    /// The metrics with their places in the rows: the verdict is on the first, so times come first.
    fn columns(&self, headings: &[Heading], draft: &mut Draft) -> Vec<(usize, Column)> {
        let mut places: Vec<usize> = (0..headings.len()).collect();
        if !self.ours {
            places.retain(|&place| {
                let parts = self.series.iter().map(|series| series.values[place].as_slice());
                let nothing = measures_nothing(&headings[place], parts).filter(|_| headings.len() > 1);
                nothing.inspect(|why| draft.note(passed_over(&headings[place], why))).is_none()
            });
            places.sort_by_key(|&place| !headings[place].is_time());
        }
        places.into_iter().map(|place| (place, draft.metric(headings[place].own_metric()))).collect()
    }
}

/// Whether two names are the same. An empty text has no address, and comparing "nothing" at none takes a processor with
/// masked loads longer than all the rest of a row.
fn same(left: &str, right: &str) -> bool {
    left.len() == right.len() && (left.is_empty() || left == right)
}

/// Whether a text is a number, as the header's cells are not.
pub(in crate::import) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}
