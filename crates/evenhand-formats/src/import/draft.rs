//! A trial in the making: what every parser fills.
//!
//! The draft keeps the rules that all formats share: names are unique, a metric has one unit in the whole trial, times
//! are neither negative nor infinite, and nobody pretends that a coin was tossed.
//!
//! Tests: `tests/formats/import/draft.rs`.

use super::error::ImportErrorKind;
use evenhand_trial::{
    Arm, ArmId, Environment, Failure, LaunchId, Metric, MetricId, Note, Origin, Reported, Series, Trial,
    TrialId, Unit, Whole,
};
use jiff::Timestamp;
use std::collections::HashMap;
use std::path::Path;

/// More different metrics are garbage, and would cost memory in every series.
const MOST_METRICS: usize = 1000;

/// Nobody reads more notes, and each new one is compared with all before it.
const MOST_NOTES: usize = 100;

/// Of the benchmarks that are left out, as many are named.
const MOST_NAMED: usize = 5;

/// A trial in the making.
#[derive(Debug)]
pub struct Draft {
    trial: Trial,
    /// The names taken, each with the number to try next for another arm that wants it.
    names: HashMap<String, usize>,
    /// The metrics by their names.
    metrics: HashMap<String, MetricId>,
    /// Whether the trial came as a whole, with its own id.
    whole: bool,
    /// What is wrong with the first benchmarks that were left out, and how many there were.
    left_out: Vec<ImportErrorKind>,
    left_out_count: usize,
    /// How many notes there was no room for.
    unsaid: usize,
}

/// A metric of the draft, and what its file's numbers are multiplied with to have the draft's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    pub metric: MetricId,
    /// 1 unless the file mixes units.
    factor: f64,
}

impl Draft {
    /// Nothing known but the format and the file.
    pub fn new(format: &str, file: &str) -> Self {
        let origin = Origin::Imported { format: format.to_owned(), tool: None, file: file.to_owned() };
        Self {
            trial: Trial::new(TrialId::from_number(0), origin),
            names: HashMap::new(),
            metrics: HashMap::new(),
            whole: false,
            left_out: Vec::new(),
            left_out_count: 0,
            unsaid: 0,
        }
    }

    /// The file holds a whole trial.
    pub(super) fn is_already(&mut self, trial: Trial) {
        self.trial = trial;
        self.whole = true;
    }

    /// The file, as the user named it: some tools put the benchmark's name there and nowhere else.
    pub fn file(&self) -> &str {
        match &self.trial.origin {
            Origin::Imported { file, .. } => file,
            Origin::Measured { .. } | Origin::Joined { .. } => "",
        }
    }

    /// The file's name without folders and its last extension, for what has no name in the file.
    pub(super) fn file_stem(&self) -> String {
        Path::new(self.file()).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Which tool wrote the file, with its version if known: `hyperfine 1.20.0`.
    pub fn tool(&mut self, name: &str) {
        if let Origin::Imported { tool, .. } = &mut self.trial.origin {
            *tool = Some(name.to_owned());
        }
    }

    /// When the measurement began.
    pub fn started(&mut self, at: Timestamp) {
        self.trial.started = Some(at);
    }

    /// A sentence on what the file does not say, or what was done with something unusual. Said once.
    pub fn note(&mut self, sentence: impl Into<String>) {
        let note = Note::Said(sentence.into());
        match self.trial.notes.contains(&note) {
            true => {}
            false if self.trial.notes.len() < MOST_NOTES => self.trial.notes.push(note),
            false => self.unsaid += 1,
        }
    }

    /// The machine and the tools, to fill in.
    pub fn environment(&mut self) -> &mut Environment {
        &mut self.trial.environment
    }

    /// Adds one benchmark whole or, if it cannot be read, nothing of it: the others of the file are kept.
    pub(super) fn add_or_leave_out<T: Default>(
        &mut self,
        add: impl FnOnce(&mut Self) -> Result<T, ImportErrorKind>,
    ) -> T {
        let Trial { arms, series, reported, failures, notes, .. } = &self.trial;
        let before = [arms.len(), series.len(), reported.len(), failures.len(), notes.len()];
        let added = add(self).and_then(|added| self.tidy_from(before[2]).map(|()| added));
        added.unwrap_or_else(|problem| {
            self.go_back(before);
            self.left_out_count += 1;
            if self.left_out.len() < MOST_NAMED {
                self.left_out.push(problem);
            }
            T::default()
        })
    }

    fn go_back(&mut self, [arms, series, reported, failures, notes]: [usize; 5]) {
        for arm in self.trial.arms.drain(arms..) {
            self.names.remove(&arm.name);
        }
        self.trial.series.truncate(series);
        self.trial.reported.truncate(reported);
        self.trial.failures.truncate(failures);
        self.trial.notes.truncate(notes);
    }

    /// The column for a metric. A file may mix units of time: the first one seen is kept, the others are converted. A
    /// second metric of the same name that measures something else gets its unit into its name.
    pub fn metric(&mut self, mut metric: Metric) -> Column {
        while let Some(&id) = self.metrics.get(&metric.name) {
            let known = &self.trial.metrics[id.index()];
            let alike = known.per == metric.per && known.better == metric.better;
            if let Some(factor) = metric.unit.factor_to(&known.unit).filter(|_| alike) {
                return Column { metric: id, factor };
            }
            metric.name = format!("{} ({}{})", metric.name, metric.unit, per_word(&metric));
        }
        let id = MetricId(self.trial.metrics.len() as u32);
        self.metrics.insert(metric.name.clone(), id);
        self.trial.metrics.push(metric);
        Column { metric: id, factor: 1.0 }
    }

    /// Adds an arm. A name that is taken gets a number, `sort (2)`, and so does its group if it is named alike.
    pub fn arm(&mut self, mut arm: Arm) -> ArmId {
        let name = self.free_name(&arm.name);
        if arm.group == arm.name {
            arm.group.clone_from(&name);
        }
        self.names.insert(name.clone(), 2);
        arm.name = name;
        self.trial.arms.push(arm);
        ArmId(self.trial.arms.len() as u32 - 1)
    }

    /// Adds the samples of an arm in a launch. All columns have one number a sample, NaN where it is missing;
    /// `iterations` as the file says, or `Whole::Same { same: 1 }`.
    pub fn samples(
        &mut self,
        arm: ArmId,
        launch: LaunchId,
        iterations: Whole,
        columns: Vec<(Column, Vec<f64>)>,
    ) -> Result<(), ImportErrorKind> {
        self.samples_in_rounds(arm, launch, Whole::Counting { from: 0 }, iterations, columns)
    }

    /// As [`Draft::samples`], where some runs gave no sample: `rounds` are the places of those that did, rising.
    pub fn samples_in_rounds(
        &mut self,
        arm: ArmId,
        launch: LaunchId,
        rounds: Whole,
        iterations: Whole,
        columns: Vec<(Column, Vec<f64>)>,
    ) -> Result<(), ImportErrorKind> {
        let mut series = Series::new(arm, launch, 0);
        series.rounds = rounds;
        series.iterations = iterations;
        self.series(series, columns)
    }

    /// Adds a series of which the file knows more: rounds, positions, starts. Its numbers come as in [`Draft::samples`].
    pub fn series(
        &mut self,
        mut series: Series,
        columns: Vec<(Column, Vec<f64>)>,
    ) -> Result<(), ImportErrorKind> {
        let arm = series.arm;
        for (column, mut numbers) in columns {
            self.refuse_impossible(arm, column, &numbers)?;
            if column.factor != 1.0 {
                numbers.iter_mut().for_each(|number| *number *= column.factor);
            }
            let place = column.metric.index();
            self.refuse_clash(&series, place)?;
            if series.values.len() <= place {
                series.values.reserve_exact(self.trial.metrics.len().saturating_sub(series.values.len()));
                series.values.resize_with(place + 1, Vec::new);
            }
            series.values[place] = numbers;
        }
        self.trial.series.push(series);
        Ok(())
    }

    /// The tool sorted the samples of an arm, so their order says nothing.
    pub fn order_is_lost(&mut self, arm: ArmId) {
        if let Some(arm) = self.trial.arms.get_mut(arm.index()) {
            arm.order_lost = true;
        }
    }

    /// Adds a run that failed.
    pub fn failure(&mut self, failure: Failure) {
        self.trial.failures.push(failure);
    }

    /// Adds figures without samples, in the column's unit of the file.
    pub fn reported(&mut self, column: Column, mut reported: Reported) {
        reported.metric = column.metric;
        if column.factor != 1.0 {
            reported.scale(column.factor);
        }
        self.trial.reported.push(reported);
    }

    /// The trial, if all its rules hold.
    pub fn finish(mut self) -> Result<Trial, ImportErrorKind> {
        let Trial { series, reported, failures, .. } = &self.trial;
        // A trial of our own that was cut off before its first round is one.
        if !self.whole && series.is_empty() && reported.is_empty() && failures.is_empty() {
            return Err(self.left_out.into_iter().next().unwrap_or(ImportErrorKind::Nothing));
        }
        self.note_left_out();
        let metrics = self.trial.metrics.len();
        for series in &mut self.trial.series {
            series.values.resize_with(metrics, Vec::new);
        }
        if !self.whole {
            self.tidy_from(0)?;
        }
        self.trial.check()?;
        if !self.whole {
            self.trial.id = TrialId::from_number(self.trial.fingerprint());
        }
        Ok(self.trial)
    }

    fn tidy_from(&mut self, first: usize) -> Result<(), ImportErrorKind> {
        let Trial { reported, arms, metrics, .. } = &mut self.trial;
        reported.iter_mut().skip(first).try_for_each(|reported| tidy(reported, arms, metrics))
    }

    fn note_left_out(&mut self) {
        let mut last: Vec<String> =
            self.left_out.iter().map(|problem| format!("one benchmark left out: {problem}")).collect();
        last.dedup();
        if self.left_out_count > self.left_out.len() {
            last.push(format!("{} more benchmarks left out", self.left_out_count - self.left_out.len()));
        }
        if self.unsaid > 0 {
            last.push(format!("{} more notes on this file are left out", self.unsaid));
        }
        self.trial.notes.extend(last.into_iter().map(Note::Said));
    }

    /// A second column of a metric would take the place of the first, and every series has a place for each metric.
    fn refuse_clash(&self, series: &Series, place: usize) -> Result<(), ImportErrorKind> {
        let taken = series.values.get(place).is_some_and(|column| !column.is_empty());
        if !taken && place < MOST_METRICS {
            return Ok(());
        }
        let arm = self.trial.arm(series.arm).map_or("", |arm| &arm.name);
        let metric = self.trial.metrics.get(place).map_or("", |metric| &metric.name);
        let what = if taken { "is measured twice on the same samples" } else { "is one metric too many" };
        Err(ImportErrorKind::wrong(
            format_args!("\"{}\", {}", arm.escape_debug(), metric.escape_debug()),
            format_args!("{what} (a trial has at most {MOST_METRICS}, each of its own name)"),
        ))
    }

    fn refuse_impossible(&self, arm: ArmId, column: Column, numbers: &[f64]) -> Result<(), ImportErrorKind> {
        let name = self.trial.arm(arm).map_or("", |arm| &arm.name);
        let metric = self.trial.metrics.get(column.metric.index());
        metric.map_or(Ok(()), |metric| refuse_impossible(name, metric, numbers))
    }

    /// The name, or the name with the first number from 2 on that makes it free.
    fn free_name(&mut self, name: &str) -> String {
        let Some(&(mut number)) = self.names.get(name) else { return name.to_owned() };
        loop {
            let free = format!("{name} ({number})");
            number += 1;
            if !self.names.contains_key(&free) {
                self.names.insert(name.to_owned(), number);
                return free;
            }
        }
    }
}

/// Times and sizes are finite and not negative; NaN stands for a missing number.
pub(super) fn refuse_impossible(arm: &str, metric: &Metric, numbers: &[f64]) -> Result<(), ImportErrorKind> {
    let least = least(metric);
    let Some(index) = numbers.iter().position(|number| number.is_infinite() || *number < least) else {
        return Ok(());
    };
    Err(ImportErrorKind::wrong(
        format_args!("\"{}\", {}, sample {}", arm.escape_debug(), metric.name.escape_debug(), index + 1),
        format_args!("{} is not a possible measurement", numbers[index]),
    ))
}

fn per_word(metric: &Metric) -> &'static str {
    match metric.per {
        evenhand_trial::Per::Sample => "",
        evenhand_trial::Per::Iteration => " each",
    }
}

/// The smallest number a metric can have: what a benchmark reports of its own, neither a time nor a size, can be below
/// zero.
fn least(metric: &Metric) -> f64 {
    let is_amount = metric.unit == Unit::bytes() || metric.unit.in_seconds().is_some();
    if is_amount { 0.0 } else { f64::MIN }
}

/// Figures are finite and not negative, as samples are. NaN is how some tools say that they have no figure.
fn tidy(reported: &mut Reported, arms: &[Arm], metrics: &[Metric]) -> Result<(), ImportErrorKind> {
    let metric = metrics.get(reported.metric.index());
    let least = metric.map_or(0.0, least);
    let mut figures = [
        ("min", &mut reported.min),
        ("mean", &mut reported.mean),
        ("median", &mut reported.median),
        ("max", &mut reported.max),
        ("standard deviation", &mut reported.sd),
        ("error of the mean", &mut reported.mean_error),
    ];
    figures.iter_mut().for_each(|(_, figure)| **figure = figure.filter(|figure| !figure.is_nan()));
    reported.percentiles.retain(|(_, value)| !value.is_nan());
    reported.more.retain(|_, figure| figure.is_finite());

    let percentiles = reported.percentiles.iter().flat_map(|&(percent, value)| [percent, value]);
    let levels = reported.histogram.iter().map(|&(value, _)| value);
    let named = figures.iter().filter_map(|(name, figure)| Some((*name, (**figure)?)));
    let impossible = named
        .chain(percentiles.map(|number| ("percentile", number)))
        .chain(levels.map(|number| ("histogram", number)))
        .find(|(_, number)| !number.is_finite() || *number < least);
    let Some((figure, number)) = impossible else { return Ok(()) };
    let name = arms.get(reported.arm.index()).map_or("", |arm| &arm.name);
    Err(ImportErrorKind::wrong(
        format_args!(
            "\"{}\", {}, reported {figure}",
            name.escape_debug(),
            metric.map_or("", |metric| &metric.name).escape_debug()
        ),
        format_args!("{number} is not a possible measurement"),
    ))
}
