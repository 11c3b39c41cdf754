//! How uncertain is a mean? P. Kołaczkowski, "Estimating benchmark results uncertainty" (2020): latencies that follow each other resemble each
//! other, so s/√n promises far more than it holds.
//!
//! | file | question |
//! |---|---|
//! | `server.rs` | what is asked? A small real server |
//! | `thermometer.rs` | the article's thought experiment, as a simulation |
//! | here | how are latencies measured, and what came of it, beside what was published? |
//!
//! Each run asks one request after the other and takes the mean of the latencies. The mean that a run of any length would come to is not
//! known; the mean over all runs stands for it. Errors are of `evenhand_stats::level::mean_error`.
//!
//! Tests: `tests/uncertainty.rs`.

mod server;
pub mod thermometer;

use crate::Size;
use crate::sheet::{Claim, Sheet};
use crate::trial::{add, blank};
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::moments::Moments;
use evenhand_trial::words::quantity;
use evenhand_trial::{Trial, Unit};
use server::Server;
use std::io::{self, Read, Write};
use std::time::Instant;

/// The rules beside each other: s/√n, the article's, ours.
const RULES: [MeanErrorRule; 3] =
    [MeanErrorRule::Naive, MeanErrorRule::Kolaczkowski, MeanErrorRule::PrewhitenedCosine];
const CONFIDENCE: f64 = 0.95;
/// So many runs have a row, as in the article.
const SHOWN: usize = 6;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Runs.
    pub runs: usize,
    /// Requests in each.
    pub requests: usize,
}

impl Plan {
    /// The article's runs had a million requests each; so many are not needed to see it.
    pub fn of(size: Size) -> Self {
        match size {
            Size::Tiny => Self { runs: 6, requests: 300 },
            Size::Usual => Self { runs: 40, requests: 10_000 },
            Size::Whole => Self { runs: 40, requests: 1_000_000 },
        }
    }
}

/// Latencies in nanoseconds, run by run.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What was done.
    pub plan: Plan,
    /// Each run.
    pub runs: Vec<Vec<f64>>,
}

/// Asks for all of it. `tell` hears how far it is.
///
/// # Errors
/// No socket on the loopback interface.
pub fn measure(plan: Plan, tell: &mut dyn FnMut(&str)) -> io::Result<Seen> {
    let server = Server::start(3)?;
    let mut client = server.connect()?;
    let mut ask = || {
        let (began, mut byte) = (Instant::now(), [0]);
        client.write_all(&byte)?;
        client.read_exact(&mut byte)?;
        Ok(began.elapsed().as_secs_f64() * 1e9)
    };
    let mut runs = Vec::new();
    for run in 0..plan.runs {
        if run % SHOWN == 0 {
            tell(&format!("run {} of {}", run + 1, plan.runs));
        }
        runs.push((0..plan.requests).map(|_| ask()).collect::<io::Result<Vec<f64>>>()?);
    }
    drop(client);
    Ok(Seen { plan, runs })
}

/// What one rule says of one run.
#[derive(Debug, Clone, Copy)]
struct Said {
    /// Half of the interval.
    half: f64,
    effective: f64,
    standard_error: f64,
}

struct Run {
    mean: f64,
    said: [Said; 3],
}

impl Run {
    fn of(latencies: &[f64]) -> Option<Self> {
        let mut said = Vec::new();
        let mut mean = 0.0;
        for rule in RULES {
            let error = mean_error(latencies, rule).ok()?;
            mean = error.mean;
            said.push(Said {
                half: error.half_width(CONFIDENCE).ok()?,
                effective: error.effective_samples,
                standard_error: error.standard_error,
            });
        }
        Some(Self { mean, said: said.try_into().ok()? })
    }
}

impl Seen {
    /// All latencies as a trial: a launch for each run.
    pub fn trial(&self) -> Trial {
        let mut trial = blank(Unit::nanoseconds(), false);
        let runs: Vec<&[f64]> = self.runs.iter().map(Vec::as_slice).collect();
        add(&mut trial, "request".to_owned(), "", &runs);
        trial
    }

    /// All that it says.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.heading("How uncertain is a mean?");
        sheet.text(format!(
            "After P. Kołaczkowski, \"Estimating benchmark results uncertainty\" (2020). A small server on this machine clears its garbage away \
             every now and then, and compacts at times. {} runs of {} requests, one after the other; the mean latency of each, with its error \
             for 95 % by three rules.",
            self.plan.runs, self.plan.requests
        ));
        let runs: Vec<Run> = self.runs.iter().filter_map(|run| Run::of(run)).collect();
        let headings =
            ["run", "mean", "s/√n", "the article's", "evenhand's", "worth so many independent requests"];
        sheet.table(&headings, runs.iter().take(SHOWN).enumerate().map(row).collect());
        sheet.text(
            "Published, six runs of a million requests, 99.9 % sure: 2.45, 2.51, 2.48, 2.57, 2.42 and 2.47 ms, each ± 0.01 ms by s/√n. Those means \
             scatter 17 times as far as that.",
        );
        claims(&runs, &mut sheet);
        sheet.text(
            "No rule sees in one run what moves more slowly than the run takes: a machine whose speed drifts from second to second needs \
             several runs, or rounds in which both arms share the drift.",
        );
        thermometer::told(&mut sheet);
        sheet
    }
}

fn row((number, run): (usize, &Run)) -> Vec<String> {
    let time = |nanoseconds: f64| quantity(nanoseconds, &Unit::nanoseconds());
    let [naive, article, ours] = run.said.map(|said| format!("± {}", time(said.half)));
    let worth = format!("{:.0}", run.said[2].effective);
    vec![(number + 1).to_string(), time(run.mean), naive, article, ours, worth]
}

fn claims(runs: &[Run], sheet: &mut Sheet) {
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
        says: "Runs differ by far more than s/√n says.".to_owned(),
        held: Some(factor > 2.0),
        seen: format!(
            "the means of {all} runs scatter {factor:.1} times as far (published 17 times); evenhand's error says {:.1} times.",
            typical(2) / typical(0)
        ),
    });
    let share = |covered: usize| covered as f64 / all as f64;
    sheet.claim(Claim {
        says: "With the memory of the latencies counted, the interval holds what it promises.".to_owned(),
        held: Some(share(ours) >= 0.85 && share(naive) < share(ours)),
        seen: format!(
            "of {all} intervals for 95 %, the mean over all runs lies in {naive} by s/√n, in {article} by the article's rule, in {ours} by evenhand's."
        ),
    });
}
