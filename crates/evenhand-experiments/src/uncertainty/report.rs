//! What came of it, beside what was published?
//!
//! The mean that a run of any length would come to is not known; the mean over all runs stands for it. Errors are of
//! `evenhand_stats::level::mean_error`.
//!
//! Tests: `tests/uncertainty.rs`.

use super::{Measurements, Postgres, ServiceRuns, schemes, thermometer};
use crate::document::{Claim, Document};
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
    by_rule: [RuleResult; 3],
}

impl Run {
    fn of(latencies: &[f64]) -> Option<Self> {
        let mut by_rule = Vec::new();
        let mut mean = 0.0;
        for rule in RULES {
            let error = mean_error(latencies, rule).ok()?;
            mean = error.mean;
            by_rule.push(RuleResult {
                half: error.half_width(CONFIDENCE).ok()?,
                effective: error.effective_samples,
                standard_error: error.standard_error,
            });
        }
        Some(Self { mean, by_rule: by_rule.try_into().ok()? })
    }
}

impl Measurements {
    /// All that it says.
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        document.heading("How uncertain is a mean?");
        document.text(
            "After P. Kołaczkowski, \"Estimating benchmark results uncertainty\" (2020). Each run sends requests to a server, \
             one after the other. The table shows the mean latency of each run with its 95 % error, computed by three rules.",
        );
        document.text(
            "Published, for six runs of a million requests at 99.9 % confidence: 2.45, 2.51, 2.48, 2.57, 2.42 and 2.47 ms, each \
             ± 0.01 ms by s/√n. Those means scatter 17 times as much.",
        );
        document.heading("A small server");
        document.text(format!(
            "From time to time it collects garbage and compacts its data. {}",
            how_often(&self.server)
        ));
        write(&self.server, &mut document);
        match &self.postgres {
            Ok(postgres) => write_postgres(postgres, &mut document),
            Err(why) => {
                document.heading("PostgreSQL");
                document.text(why.to_string());
            }
        }
        document.text(
            "No rule can detect, within one run, changes that are slower than the run itself: a machine whose speed drifts needs \
             several runs, or rounds in which both sides share the drift.",
        );
        schemes::write(&mut document);
        thermometer::write(&mut document);
        document
    }
}

fn write_postgres(postgres: &Postgres, document: &mut Document) {
    document.heading(&format!("PostgreSQL {}", postgres.version));
    document.text(format!(
        "Each request changes one random row of a table and waits until the change is on disk, as is the default. {} The server \
         is configured to do its housekeeping far more often than usual, so that short runs contain some of it: {}, each of \
         which makes the next change of a page write the whole page, and {} of the table.",
        how_often(&postgres.service),
        counted(postgres.checkpoints, "checkpoint"),
        counted(postgres.vacuums, "vacuum"),
    ));
    write(&postgres.service, document);
}

fn how_often(service: &ServiceRuns) -> String {
    format!("{} runs of {} requests.", service.plan.runs, service.plan.requests)
}

/// The table and the claims of one service.
fn write(service: &ServiceRuns, document: &mut Document) {
    let runs: Vec<Run> = service.runs.iter().filter_map(|run| Run::of(run)).collect();
    let headings = ["run", "mean", "s/√n", "the article's", "evenhand's", "effective requests"];
    document.table(&headings, runs.iter().take(SHOWN).enumerate().map(row).collect());
    over_runs(&runs, document);
    claims(&runs, document);
}

/// The error over all runs, beside what each rule says inside of one.
fn over_runs(runs: &[Run], document: &mut Document) {
    let means: Vec<f64> = runs.iter().map(|run| run.mean).collect();
    let Ok(over) = mean_error(&means, MeanErrorRule::Naive) else { return };
    let Ok(half) = over.half_width(CONFIDENCE) else { return };
    let time = |nanoseconds: f64| quantity(nanoseconds, &Unit::nanoseconds());
    let inside = |rule: usize| runs.iter().map(|run| run.by_rule[rule].half).sum::<f64>() / runs.len() as f64;
    let one = half * (runs.len() as f64).sqrt();
    document.text(format!(
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
    let [naive, article, ours] = run.by_rule.map(|by_rule| format!("± {}", time(by_rule.half)));
    let worth = format!("{:.0}", run.by_rule[2].effective);
    vec![(number + 1).to_string(), time(run.mean), naive, article, ours, worth]
}

fn claims(runs: &[Run], document: &mut Document) {
    let means: Vec<f64> = runs.iter().map(|run| run.mean).collect();
    let Some(moments) = Moments::of(&means).ok().filter(|_| means.len() > 2) else { return };
    let (Some(centre), Some(scatter)) = (moments.mean(), moments.sd()) else { return };
    let count = runs.len() as f64;
    let typical = |rule: usize| runs.iter().map(|run| run.by_rule[rule].standard_error).sum::<f64>() / count;
    let covers =
        |rule: usize| runs.iter().filter(|run| (run.mean - centre).abs() <= run.by_rule[rule].half).count();
    let factor = scatter / typical(0);
    let [naive, article, ours] = [0, 1, 2].map(covers);
    let all = runs.len();
    document.claim(Claim {
        says: "Runs differ far more than s/√n predicts.".to_owned(),
        held: Some(factor > 2.0),
        result: format!(
            "the means of {all} runs scatter {factor:.1} times as much (published: 17 times); evenhand's error predicts {:.1} \
             times.",
            typical(2) / typical(0)
        ),
    });
    let share = |covered: usize| covered as f64 / all as f64;
    document.claim(Claim {
        says: "If the rule accounts for autocorrelation, the interval keeps its confidence.".to_owned(),
        held: Some(share(ours) >= 0.85 && share(naive) < share(ours)),
        result: format!(
            "of {all} intervals at 95 %, {naive} by s/√n, {article} by the article's rule and {ours} by evenhand's contain the mean \
             over all runs."
        ),
    });
}
