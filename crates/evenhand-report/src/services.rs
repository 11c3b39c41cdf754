//! What does a typical slice of load on each service look like? One row a service, with the median of each metric over its slices.
//!
//! Tests: `tests/services.rs`.

use crate::Layout;
use crate::table::Table;
use evenhand_analysis::words::{quantity_in, size};
use evenhand_analysis::{Analysis, Level};
use evenhand_trial::{ArmId, Metric, MetricId};

/// The table; `None` if no services were loaded.
pub(crate) fn table(analysis: &Analysis, layout: Layout) -> Option<Table> {
    let columns = columns(analysis);
    columns.iter().find(|(_, column)| matches!(column, Column::Late(_)))?;
    let headings: Vec<String> = columns.iter().map(|(_, column)| column.heading()).collect();
    let headings: Vec<&str> =
        ["typical slice"].into_iter().chain(headings.iter().map(String::as_str)).collect();
    let mut table = Table::new(&headings, layout);
    let mut arms: Vec<ArmId> = Vec::new();
    for level in &analysis.levels {
        if !arms.contains(&level.arm) {
            arms.push(level.arm);
        }
    }
    arms.sort_unstable();
    for arm in arms {
        let cells = columns.iter().map(|(metric, column)| cell(analysis, layout, arm, *metric, *column));
        table.row([analysis.names.arm(arm).to_owned()].into_iter().chain(cells).collect());
    }
    Some(table)
}

/// What a metric of a slice is, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column<'a> {
    Capacity,
    Response(u32),
    OfOperation(&'a str, u32),
    Throughput,
    Errors,
    Stall,
    Processor,
    Memory,
    Service(u32),
    Late(u32),
}

impl<'a> Column<'a> {
    fn of(metric: &'a Metric) -> Option<Self> {
        let percent = |prefix: &str| metric.name.strip_prefix(prefix)?.parse().ok();
        let percentile = || match metric.response() {
            Some((percent, None)) => Some(Self::Response(percent)),
            Some((percent, Some(operation))) => Some(Self::OfOperation(operation, percent)),
            None => percent("service_p").map(Self::Service),
        };
        match metric.name.as_str() {
            "capacity" => Some(Self::Capacity),
            "throughput" => Some(Self::Throughput),
            "errors" => Some(Self::Errors),
            "stall" => Some(Self::Stall),
            "cpu_per_request" => Some(Self::Processor),
            "memory" => Some(Self::Memory),
            _ => percentile().or_else(|| percent("late_p").map(Self::Late)),
        }
    }

    fn heading(self) -> String {
        match self {
            Self::Response(percent) => format!("P{percent}"),
            Self::OfOperation(operation, percent) => format!("{operation} P{percent}"),
            Self::Capacity => "capacity".to_owned(),
            Self::Throughput => "served".to_owned(),
            Self::Errors => "errors".to_owned(),
            Self::Stall => "stall".to_owned(),
            Self::Processor => "CPU/request".to_owned(),
            Self::Memory => "memory".to_owned(),
            Self::Service(percent) => format!("service P{percent}"),
            Self::Late(percent) => format!("evenhand late P{percent}"),
        }
    }
}

fn columns(analysis: &Analysis) -> Vec<(MetricId, Column<'_>)> {
    let mut columns: Vec<(MetricId, Column<'_>)> = Vec::new();
    for level in &analysis.levels {
        let column = Column::of(analysis.names.metric(level.metric)).map(|column| (level.metric, column));
        columns.extend(column.filter(|column| !columns.contains(column)));
    }
    columns.sort_by_key(|(_, column)| *column);
    columns
}

fn cell(analysis: &Analysis, layout: Layout, arm: ArmId, metric: MetricId, column: Column<'_>) -> String {
    let is_it = |level: &&Level| (level.arm, level.metric) == (arm, metric);
    let median = analysis.levels.iter().find(is_it).and_then(|level| level.figures.median);
    median.map_or_else(String::new, |median| match column {
        Column::Errors => size(median),
        _ => quantity_in(layout.time_unit, median, &analysis.names.metric(metric).unit),
    })
}
