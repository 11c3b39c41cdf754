//! And where no coin decided the order? First all runs of one arm, then all runs of the other, as other tools measure, given to the
//! whole of `evenhand analyze`: how often does it call identical arms different?
//!
//! Nothing can be promised here: what changes between two blocks looks like a difference. The table says how far it goes.

use crate::rule::{blocks, mann_whitney_blocks};
use crate::source::{Pair, Source, random};
use crate::table::Row;
use evenhand_trial::analysis::{Analysis, Settings};
use evenhand_trial::{Arm, ArmId, LaunchId, Metric, Origin, Series, Trial, TrialId, Unit, analyse};

const ALPHA: f64 = 0.01;
/// The fewest that hyperfine takes, what criterion takes, and many.
const RUNS: [usize; 3] = [10, 100, 1000];

/// False alarms of blocks of several lengths, beside those of a rank test that takes all runs for independent.
pub fn false_alarms(source: &Source, draws: usize) -> Vec<Row> {
    let fits = |runs: &usize| 2 * runs <= source.longest();
    RUNS.into_iter().filter(fits).flat_map(|runs| blocks_of(runs, source, draws)).collect()
}

fn blocks_of(runs: usize, source: &Source, draws: usize) -> [Row; 2] {
    let (mut called, mut refused, mut by_ranks) = (0, 0, 0);
    for draw in 0..draws {
        let pairs = source.draw(&mut random(4, draw as u64), 2 * runs);
        match judged(&pairs) {
            Some(true) => called += 1,
            Some(false) => {}
            None => refused += 1,
        }
        by_ranks += usize::from(mann_whitney_blocks(&pairs, 0.0) < ALPHA);
    }
    let share = |count: usize| Some(count as f64 / draws as f64);
    let row = |rule| Row {
        looking: "fixed",
        rounds: runs,
        ..Row::new("unpaired", &source.name(), rule, ALPHA, draws)
    };
    [
        Row { decided: share(called), refused: share(refused), ..row("evenhand") },
        Row { decided: share(by_ranks), ..row("Mann-Whitney") },
    ]
}

/// Whether the two blocks are called different; `None` where there is no interval.
fn judged(pairs: &[Pair]) -> Option<bool> {
    let (baseline, candidate) = blocks(pairs, 0.0);
    let analysis = analysed(&baseline, &candidate)?;
    let effect = &analysis.comparisons.first()?.effect;
    let (low, high) = (effect.low?, effect.high?);
    Some(low > 0.0 || high < 0.0)
}

fn analysed(baseline: &[f64], candidate: &[f64]) -> Option<Analysis> {
    let origin = Origin::Imported { format: "calibration".to_owned(), tool: None, file: "blocks".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(0), origin);
    trial.metrics.push(Metric::time("time", Unit::nanoseconds()));
    for (arm, logs) in (0..).map(ArmId).zip([baseline, candidate]) {
        trial.arms.push(Arm { name: arm.0.to_string(), ..Arm::default() });
        let mut series = Series::new(arm, LaunchId(0), 1);
        series.values[0].extend(logs.iter().map(|log| log.exp()));
        trial.series.push(series);
    }
    analyse(&trial, &Settings { confidence: 1.0 - ALPHA, ..Settings::default() }).ok()
}
