//! What did each benchmark of a suite do? A row for each comparison, what changed first, and the largest change first. The
//! parameters in names such as `sort/n=1000` are columns of their own.
//!
//! Tests: `tests/suite.rs`.

use crate::table::Table;
use crate::{Layout, Order};
use evenhand_analysis::words::{self, ends, quantity_in};
use evenhand_analysis::{Analysis, Comparison, Level};
use evenhand_stats::randomised::Word;
use evenhand_trial::{ArmId, MetricId};
use std::collections::{BTreeMap, BTreeSet};

/// What each benchmark did, as a table.
pub(crate) fn table(analysis: &Analysis, layout: Layout) -> Table {
    let names = RowNames::of(analysis);
    let interval = words::interval(analysis);
    let mut headings = names.headings();
    let times = headings.len();
    headings.extend(["baseline", "candidate", "change", &interval, "verdict"]);
    // In a narrow terminal: the absolute times.
    let mut table = Table::new(&headings, layout).giving_up_both([times, times + 1]);
    let median = |arm, metric| {
        let median = level_of(analysis, arm, metric).and_then(|level| level.figures.median);
        let unit = &analysis.names.metric(metric).unit;
        median.map_or_else(String::new, |median| quantity_in(layout.time_unit, median, unit))
    };
    for comparison in rows(analysis, layout.order) {
        let pair = comparison.pair;
        let mut cells = names.cells(comparison);
        cells.extend([
            median(pair.baseline, pair.metric),
            median(pair.candidate, pair.metric),
            words::change_of(comparison),
            ends(&comparison.effect),
            words::verdict(analysis, comparison) + if is_starred(comparison) { "*" } else { "" },
        ]);
        table.row(cells);
    }
    table
}

fn rows(analysis: &Analysis, order: Order) -> Vec<&Comparison> {
    let mut rows: Vec<&Comparison> = analysis.comparisons.iter().collect();
    let of_candidate = |Comparison { pair, .. }: &Comparison| {
        level_of(analysis, pair.candidate, pair.metric).map_or(f64::INFINITY, mean)
    };
    match order {
        Order::Usual => return ordered(analysis),
        Order::AsNamed => {}
        Order::ByMean => rows.sort_by(|a, b| of_candidate(a).total_cmp(&of_candidate(b))),
    }
    rows
}

/// What arms are ordered by; an arm without a figure comes last.
pub(crate) fn mean(level: &Level) -> f64 {
    level.figures.mean.or(level.figures.median).unwrap_or(f64::INFINITY)
}

/// The level of an arm, if it is known.
fn level_of(analysis: &Analysis, arm: ArmId, metric: MetricId) -> Option<&Level> {
    analysis.levels.iter().find(|level| (level.arm, level.metric) == (arm, metric))
}

/// Whether a change is one also when all comparisons are counted.
pub(crate) fn is_starred(comparison: &Comparison) -> bool {
    let changed = !matches!(comparison.verdict, Word::Same | Word::Unclear);
    changed && comparison.coin().is_some_and(|coin| coin.change_in_suite == Some(true))
}

/// All comparisons: those with a change by its size, then the inconclusive ones, then the others; alike ones by name.
pub(crate) fn ordered(analysis: &Analysis) -> Vec<&Comparison> {
    let mut all: Vec<&Comparison> = analysis.comparisons.iter().collect();
    let class = |comparison: &Comparison| match comparison.verdict {
        Word::Unclear => 1,
        Word::Same => 2,
        _ => 0,
    };
    // A ratio and its inverse are changes of one size.
    let size = |comparison: &Comparison| match class(comparison) {
        0 => comparison.effect.estimate.map_or(0.0, |estimate| estimate.ln_1p().abs()),
        _ => 0.0,
    };
    let name = |comparison: &Comparison| analysis.names.group(comparison.pair.candidate);
    all.sort_by(|a, b| {
        let by_size = || size(b).total_cmp(&size(a));
        class(a).cmp(&class(b)).then_with(by_size).then_with(|| pieces(name(a)).cmp(&pieces(name(b))))
    });
    all
}

/// A name in pieces that people order by: 9 comes before 10.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    Number(u128),
    Text(&'a str),
}

fn pieces(mut rest: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let other = |character: char| character.is_ascii_digit() != is_number;
        let (piece, after) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        let number = piece.parse().ok().filter(|_| is_number);
        pieces.push(number.map_or(Piece::Text(piece), Piece::Number));
        rest = after;
    }
    pieces
}

/// What the rows are called: by their benchmark and its parameters, by the candidate where a benchmark has several, and by the metric
/// where there are several.
struct RowNames<'a> {
    analysis: &'a Analysis,
    by_candidate: bool,
    by_metric: bool,
    /// Bytes in front that all have in common.
    alike: usize,
    /// The number behind all names, such as `-8`.
    number: &'a str,
    /// The names of the parameters that have a column.
    parameters: Vec<&'a str>,
    /// Whether parameters are all that tells the benchmarks apart.
    parameters_only: bool,
}

/// Names with more parameters than this stay whole.
const MOST_PARAMETERS: usize = 3;

impl<'a> RowNames<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let groups = || analysis.counted().map(|comparison| analysis.names.group(comparison.pair.candidate));
        let distinct: BTreeSet<&str> = groups().collect();
        let number = common_number(&distinct);
        let groups = || groups().map(|group| group.strip_suffix(number).unwrap_or(group));
        let path = |group: &'a str| group.rfind("::").map_or("", |end| &group[..end + 2]);
        let alike = groups().map(path).reduce(in_common).map_or(0, str::len);
        let pairs: BTreeSet<_> =
            analysis.counted().map(|Comparison { pair, .. }| (pair.baseline, pair.candidate)).collect();
        let metrics: BTreeSet<MetricId> =
            analysis.comparisons.iter().map(|comparison| comparison.pair.metric).collect();
        let parameters = common_parameters(groups());
        let parameters_only =
            !parameters.is_empty() && groups().all(|group| Parted::of(group).benchmark.is_empty());
        Self {
            analysis,
            by_candidate: distinct.len() < pairs.len(),
            by_metric: metrics.len() > 1,
            alike,
            number,
            parameters,
            parameters_only,
        }
    }

    fn headings(&self) -> Vec<&str> {
        let named = ["benchmark"].into_iter().filter(|_| self.has_names());
        let metric = ["metric"].into_iter().filter(|_| self.by_metric);
        named.chain(self.parameters.iter().copied()).chain(metric).collect()
    }

    fn cells(&self, comparison: &Comparison) -> Vec<String> {
        let Comparison { pair, .. } = comparison;
        let group = self.analysis.names.group(pair.candidate);
        let group = group.strip_suffix(self.number).unwrap_or(group);
        let parted = if self.parameters.is_empty() { Parted::whole(group) } else { Parted::of(group) };
        let named = self.has_names().then(|| self.name(comparison, parted.benchmark));
        let value = |name: &&str| parted.value(name).unwrap_or_default().to_owned();
        let metric = self.by_metric.then(|| self.analysis.names.metric(pair.metric).name.clone());
        named.into_iter().chain(self.parameters.iter().map(value)).chain(metric).collect()
    }

    /// Controls are told from the others by their names.
    fn has_names(&self) -> bool {
        let controls = self.analysis.comparisons.iter().any(|comparison| comparison.control);
        !self.parameters_only || self.by_candidate || controls
    }

    fn name(&self, comparison: &Comparison, benchmark: &str) -> String {
        let benchmark = benchmark.get(self.alike..).unwrap_or(benchmark);
        let arm = self.analysis.names.arm(comparison.pair.candidate);
        match (benchmark, self.by_candidate || comparison.control) {
            ("", _) => arm.to_owned(),
            (benchmark, true) => format!("{benchmark}: {arm}"),
            (benchmark, false) => benchmark.to_owned(),
        }
    }
}

/// A benchmark and its parameters: `sort/n=1000` is `sort` with `n` = `1000`, and so is `sort, n=1000`.
struct Parted<'a> {
    benchmark: &'a str,
    /// The last comes first.
    parameters: Vec<(&'a str, &'a str)>,
}

impl<'a> Parted<'a> {
    fn whole(name: &'a str) -> Self {
        Self { benchmark: name, parameters: Vec::new() }
    }

    fn of(name: &'a str) -> Self {
        let mut parted = Self::whole(name);
        while let Some(last) = parted.benchmark.rsplit(['/', ',']).next()
            && let Some(parameter) = last.trim().split_once('=').filter(|(name, _)| is_word(name))
        {
            parted.parameters.push(parameter);
            let rest = &parted.benchmark[..parted.benchmark.len() - last.len()];
            parted.benchmark = rest.strip_suffix(['/', ',']).unwrap_or(rest);
        }
        parted
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

fn is_word(name: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || "_-".contains(character);
    !name.is_empty() && name.chars().all(part)
}

/// The names of the parameters, in their order; none where rows of one benchmark have different ones, or there are many.
fn common_parameters<'a>(groups: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut of_benchmark: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut all: Vec<&str> = Vec::new();
    for group in groups {
        let parted = Parted::of(group);
        let names: Vec<&str> = parted.parameters.iter().rev().map(|(name, _)| *name).collect();
        all.extend(names.iter().filter(|name| !all.contains(name)).copied().collect::<Vec<_>>());
        if *of_benchmark.entry(parted.benchmark).or_insert_with(|| names.clone()) != names {
            return Vec::new();
        }
    }
    if all.len() > MOST_PARAMETERS { Vec::new() } else { all }
}

/// `-8`, if every name of several ends so: Go adds how many processors a benchmark may use. It belongs to no parameter.
fn common_number<'a>(groups: &BTreeSet<&'a str>) -> &'a str {
    let number = |group: &'a str| {
        let (name, number) = group.rsplit_once('-')?;
        let counts = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (counts && !name.ends_with('=')).then(|| &group[name.len()..])
    };
    let numbers: BTreeSet<Option<&str>> = groups.iter().copied().map(number).collect();
    let only = numbers.first().copied().flatten().filter(|_| groups.len() > 1 && numbers.len() == 1);
    only.unwrap_or_default()
}

/// The beginning of both, in whole steps of their paths.
fn in_common<'a>(a: &'a str, b: &str) -> &'a str {
    let steps = a.split_inclusive("::").zip(b.split_inclusive("::"));
    let length = steps.take_while(|(a, b)| a == b).map(|(step, _)| step.len()).sum();
    &a[..length]
}
