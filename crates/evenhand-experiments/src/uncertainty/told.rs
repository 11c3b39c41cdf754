//! What came of it, beside what was published?
//!
//! The mean that a run of any length would come to is not known; the mean over all runs stands for it. Errors are of
//! `evenhand_stats::level::mean_error`.
//!
//! Tests: `tests/uncertainty.rs`.

use super::{Measurements, Postgres, ServiceRuns, schemes, thermometer};
use crate::sheet::{Claim, Document};
use evenhand_analysis::words::{counted, quantity};
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::moments::Moments;
use evenhand_trial::Unit;

/// The rules beside each other: s/√n, the article's, ours.
const RULES: [MeanErrorRule; 3] =
    [MeanErrorRule::Naive, MeanErrorRule::Kolaczkowski, MeanErrorRule::EvidentMemory];
const CONFIDENCE: f64 = 0.95;
/// So many runs have a row, as in the article.
const SHOWN: usize = 6;

/// What one rule says of one run.
#[derive(Debug, Clone, Copy)]
struct RuleResult {
    /// Half of the interval.
    half: f64,
    effective: f64,
    standard_error: f64,
}

struct Run {
    mean: f64,
    said: [RuleResult; 3],
}

impl Run {
    fn of(latencies: &[f64]) -> Option<Self> {
        let mut said = Vec::new();
        let mut mean = 0.0;
        for rule in RULES {
            let error = mean_error(latencies, rule).ok()?;
            mean = error.mean;
            said.push(RuleResult {
                half: error.half_width(CONFIDENCE).ok()?,
                effective: error.effective_samples,
                standard_error: error.standard_error,
            });
        }
        Some(Self { mean, said: said.try_into().ok()? })
    }
}

impl Measurements {
    /// All that it says.
    pub fn sheet(&self) -> Document {
        let mut sheet = Document::default();
        sheet.heading("How uncertain is a mean?");
        sheet.text(
            "After P. Kołaczkowski, \"Estimating benchmark results uncertainty\" (2020). Each run sends requests to a server, \
             one after the other. The table shows the mean latency of each run with its 95 % error, computed by three rules.",
        );
        sheet.text(
            "Published, for six runs of a million requests at 99.9 % confidence: 2.45, 2.51, 2.48, 2.57, 2.42 and 2.47 ms, each \
             ± 0.01 ms by s/√n. Those means scatter 17 times as much.",
        );
        sheet.heading("A small server");
        sheet.text(format!(
            "From time to time it collects garbage and compacts its data. {}",
            how_often(&self.server)
        ));
        told(&self.server, &mut sheet);
        match &self.postgres {
            Ok(postgres) => told_of_postgres(postgres, &mut sheet),
            Err(why) => {
                sheet.heading("PostgreSQL");
                sheet.text(why.to_string());
            }
        }
        sheet.text(
            "No rule can detect, within one run, changes that are slower than the run itself: a machine whose speed drifts needs \
             several runs, or rounds in which both sides share the drift.",
        );
        schemes::told(&mut sheet);
        thermometer::told(&mut sheet);
        sheet
    }
}

fn told_of_postgres(postgres: &Postgres, sheet: &mut Document) {
    sheet.heading(&format!("PostgreSQL {}", postgres.version));
    sheet.text(format!(
        "Each request changes one random row of a table and waits until the change is on disk, as is the default. {} The server \
         is configured to do its housekeeping far more often than usual, so that short runs contain some of it: {}, each of \
         which makes the next change of a page write the whole page, and {} of the table.",
        how_often(&postgres.asked),
        counted(postgres.checkpoints, "checkpoint"),
        counted(postgres.vacuums, "vacuum"),
    ));
    told(&postgres.asked, sheet);
}

fn how_often(asked: &ServiceRuns) -> String {
    format!("{} runs of {} requests.", asked.plan.runs, asked.plan.requests)
}

/// The table and the claims of one service.
fn told(asked: &ServiceRuns, sheet: &mut Document) {
    let runs: Vec<Run> = asked.runs.iter().filter_map(|run| Run::of(run)).collect();
    let headings = ["run", "mean", "s/√n", "the article's", "evenhand's", "effective requests"];
    sheet.table(&headings, runs.iter().take(SHOWN).enumerate().map(row).collect());
    over_runs(&runs, sheet);
    claims(&runs, sheet);
}

/// The error over all runs, beside what each rule says inside of one.
fn over_runs(runs: &[Run], sheet: &mut Document) {
    let means: Vec<f64> = runs.iter().map(|run| run.mean).collect();
    let Ok(over) = mean_error(&means, MeanErrorRule::Naive) else { return };
    let Ok(half) = over.half_width(CONFIDENCE) else { return };
    let time = |nanoseconds: f64| quantity(nanoseconds, &Unit::nanoseconds());
    let inside = |rule: usize| runs.iter().map(|run| run.said[rule].half).sum::<f64>() / runs.len() as f64;
    let one = half * (runs.len() as f64).sqrt();
    sheet.text(format!(
        "Over {} runs: {} ± {} at 95 %, from the scatter of their means; this is ± {} for a single run. Within one run: ± {} by \
         s/√n, ± {} by the article's rule, ± {} by evenhand's.",
        runs.len(),
        time(over.mean),
        time(half),
        time(one),
        time(inside(0)),
        time(inside(1)),
        time(inside(2)),
    ));
}

fn row((number, run): (usize, &Run)) -> Vec<String> {
    let time = |nanoseconds: f64| quantity(nanoseconds, &Unit::nanoseconds());
    let [naive, article, ours] = run.said.map(|said| format!("± {}", time(said.half)));
    let worth = format!("{:.0}", run.said[2].effective);
    vec![(number + 1).to_string(), time(run.mean), naive, article, ours, worth]
}

fn claims(runs: &[Run], sheet: &mut Document) {
    let means: Vec<f64> = runs.iter().map(|run| run.mean).collect();
    let Some(moments) = Moments::of(&means).ok().filter(|_| means.len() > 2) else { return };
    let (Some(centre), Some(scatter)) = (moments.mean(), moments.sd()) else { return };
    let count = runs.len() as f64;
    let typical = |rule: usize| runs.iter().map(|run| run.said[rule].standard_error).sum::<f64>() / count;
    let covers =
        |rule: usize| runs.iter().filter(|run| (run.mean - centre).abs() <= run.said[rule].half).count();
    let factor = scatter / typical(0);
    let [naive, article, ours] = [0, 1, 2].map(covers);
    let all = runs.len();
    sheet.claim(Claim {
        says: "Runs differ far more than s/√n predicts.".to_owned(),
        held: Some(factor > 2.0),
        seen: format!(
            "the means of {all} runs scatter {factor:.1} times as much (published: 17 times); evenhand's error predicts {:.1} \
             times.",
            typical(2) / typical(0)
        ),
    });
    let share = |covered: usize| covered as f64 / all as f64;
    sheet.claim(Claim {
        says: "If the rule accounts for autocorrelation, the interval keeps its confidence.".to_owned(),
        held: Some(share(ours) >= 0.85 && share(naive) < share(ours)),
        seen: format!(
            "of {all} intervals at 95 %, {naive} by s/√n, {article} by the article's rule and {ours} by evenhand's contain the mean \
             over all runs."
        ),
    });
}
