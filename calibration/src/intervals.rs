//! The rows of the interval bake-offs, in the form of the common table.

use crate::mean_error::{MeanErrorRow, PROCESSES, rows_of};
use crate::percentile::{self, PercentileRow};
use crate::table::Row;
use evenhand_stats::level::mean_error::MeanErrorRule;

/// The error of the mean, every process and rule; `sizes` pairs a length with how many runs to draw.
pub fn mean_errors(sizes: &[(usize, usize)]) -> Vec<Row> {
    let of_process = |process| sizes.iter().flat_map(move |(n, draws)| rows_of(process, *n, *draws));
    PROCESSES.into_iter().flat_map(of_process).map(mean_error_row).collect()
}

fn mean_error_row(row: MeanErrorRow) -> Row {
    let mark = if row.rule == MeanErrorRule::default() { "default: " } else { "" };
    Row {
        looking: "fixed".to_owned(),
        rounds: row.n,
        coverage: Some(row.coverage),
        refused: Some(row.too_few),
        ..Row::new(
            "mean error",
            &format!("{}, N = {}", row.process, row.n),
            &format!("{mark}{:?}", row.rule),
            0.05,
            row.draws,
        )
    }
}

/// Percentiles of one arm and of the ratio, and the band of the shift curve.
pub fn percentiles(draws: usize, sizes: &[usize]) -> Vec<Row> {
    percentile::rows(draws, sizes).into_iter().map(percentile_row).collect()
}

fn percentile_row(row: PercentileRow) -> Row {
    let what = if row.kind == "band" { row.kind } else { format!("{} P{}", row.kind, row.percentile) };
    Row {
        looking: "fixed".to_owned(),
        effect: 0.05,
        rounds: row.n,
        coverage: Some(row.coverage),
        refused: Some(row.refused),
        ..Row::new("percentiles", &format!("{}, n = {}", row.process, row.n), &what, 0.05, row.draws)
    }
}
