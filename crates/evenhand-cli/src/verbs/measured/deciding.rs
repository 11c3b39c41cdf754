//! Which verdict is wanted, and until when is it measured?

use super::fail_if::FailIf;
use crate::CliError;
use crate::percent::percent;
use crate::seconds::Seconds;
use clap::Args;
use evenhand_analysis::{Decides, Settings};
use evenhand_measure::plan::{Judged, Precision, StopRule};
use evenhand_trial::{Metric, MetricId, Plan, Seed};
use std::time::Duration;

const MARGIN_PERCENT: f64 = 1.0;
const CONFIDENCE_PERCENT: f64 = 99.0;
const PRECISION_PERCENT: f64 = 20.0;

#[derive(Debug, Clone, Args)]
pub(crate) struct Deciding {
    /// Decide on this metric instead of time: wall, cpu, user, system, max_rss, instructions…; repeatable
    #[arg(long, value_name = "NAME", help_heading = VERDICT)]
    pub metric: Vec<String>,
    /// Decide on the mean or a percentile such as P99, instead of the typical round
    #[arg(long, value_name = "WHAT", help_heading = VERDICT)]
    pub at: Option<Decides>,
    /// The smallest change worth acting on [default: 1%]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true, help_heading = VERDICT)]
    pub margin: Option<f64>,
    /// Confidence level [default: 99%]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true, help_heading = VERDICT)]
    pub confidence: Option<f64>,
    /// Stop a comparison after this time, with or without a verdict; a run in progress is killed [default: 30s, up to 10m
    /// for slow commands; 15s for functions]
    #[arg(long, short = 't', value_name = "TIME", help_heading = VERDICT)]
    pub max_time: Option<Seconds>,
    /// Continue after a change is proven until its interval is at most this share of it wide [default: 20%, for at most
    /// 5s, in a suite 1s per benchmark]; 1000% stops at once
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true, help_heading = VERDICT)]
    pub precision: Option<f64>,
    /// Exit with status 1 if this is proven: 'slower', 'slower > 2%', 'faster > 5%'
    #[arg(long, value_name = "WHAT", help_heading = VERDICT)]
    pub fail_if: Option<FailIf>,
    /// Exit with status 4 if a verdict is inconclusive
    #[arg(long, help_heading = VERDICT)]
    pub require_verdict: bool,
    /// Randomise with this seed, to repeat the order of another trial
    #[arg(long, value_name = "HEX", help_heading = VERDICT)]
    pub seed: Option<Seed>,
}

/// The time that a comparison has if the user says nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsualTime {
    pub time: Duration,
    /// What it may be extended to for what is slow.
    pub longest: Duration,
}

/// The heading of the help that these stand under.
pub(crate) const VERDICT: &str = "When to stop";

fn judging(metric: MetricId, definition: &Metric) -> Judged {
    let timed = definition.unit.in_seconds().is_some();
    Judged { metric, instead: None, better: definition.better, timed }
}

/// What is judged when nobody said what: the first metric, and where that is not known the second, as the stored trial is analysed.
fn usual(metrics: &[Metric]) -> Option<Judged> {
    let instead = (metrics.len() > 1).then_some(MetricId(1));
    metrics.first().map(|first| Judged { instead, ..judging(MetricId(0), first) })
}

/// Other names that people have for some metrics.
const ALIASES: [(&str, &str); 6] = [
    ("user+sys", "cpu"),
    ("user+system", "cpu"),
    ("sys", "system"),
    ("rss", "max_rss"),
    ("memory", "max_rss"),
    ("branch-misses", "branch_misses"),
];

impl Deciding {
    /// What decides, as it is stored with the trial; what is only said is to be added.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            margin_percent: Some(self.margin.unwrap_or(MARGIN_PERCENT)),
            confidence_percent: Some(self.confidence.unwrap_or(CONFIDENCE_PERCENT)),
            metrics: self.metric_names(),
            at: self.at.map(|at| at.to_string()),
            precision_percent: self.precision,
            max_seconds: self.max_time.map(|time| time.0.as_secs_f64()),
            ..Plan::default()
        }
    }

    /// The metrics asked for, by their names in the trial, each once.
    pub(crate) fn metric_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for typed in self.metric.iter().flat_map(|list| list.split(',')).map(str::trim) {
            let alias = ALIASES.iter().find(|(alias, _)| *alias == typed);
            let name = alias.map_or(typed, |(_, name)| name).to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The rule to stop by that follows from a plan for so many groups. `why_missing` knows why some metric is not measured here.
    pub(crate) fn stop_rule(
        &self,
        plan: &Plan,
        metrics: &[Metric],
        groups: usize,
        usual: UsualTime,
        why_missing: &dyn Fn(&str) -> Option<String>,
    ) -> Result<StopRule, CliError> {
        let confidence = plan.confidence_percent.unwrap_or(CONFIDENCE_PERCENT);
        if !(50.0..100.0).contains(&confidence) {
            return Err(CliError::new(format_args!(
                "--confidence must be at least 50 and below 100 percent, not {confidence}"
            )));
        }
        let settings = Settings::of_plan(plan).map_err(CliError::new)?;
        let no_margin = |_| {
            let margin = settings.margin_percent;
            CliError::new(format_args!("--margin must be at least 0 and below 100 percent, not {margin}"))
        };
        let time = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let max_time = plan.max_seconds.map(time);
        Ok(StopRule {
            max_time: max_time.unwrap_or(usual.time),
            longest: max_time.unwrap_or(usual.longest),
            rounds: plan.rounds,
            fewest: 0,
            most: None,
            margin: settings.margin().map_err(no_margin)?,
            alpha: settings.alpha(),
            at: settings.at.0,
            metrics: judged(&settings.metrics, metrics, why_missing)?,
            tell_from: self.fail_if.and_then(FailIf::threshold),
            precision: precision(plan.precision_percent, groups)?,
        })
    }
}

/// Who asks for a precision has all the time for it.
fn precision(percent: Option<f64>, groups: usize) -> Result<Precision, CliError> {
    let usual = if groups > 1 { Duration::from_secs(1) } else { Duration::from_secs(5) };
    let time = percent.map_or(usual, |_| Duration::MAX);
    let percent = percent.unwrap_or(PRECISION_PERCENT);
    if percent <= 0.0 {
        return Err(CliError::new(format_args!("--precision must be above 0 percent, not {percent}")));
    }
    Ok(Precision { part: percent / 100.0, time })
}

fn judged(
    wanted: &[String],
    metrics: &[Metric],
    why_missing: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Judged>, CliError> {
    if wanted.is_empty() {
        return Ok(usual(metrics).into_iter().collect());
    }
    let find = |name: &String| {
        let place = metrics.iter().position(|metric| metric.name == *name).ok_or_else(|| {
            let known: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
            let why = why_missing(name).map_or_else(String::new, |why| format!(" ({why})"));
            CliError::new(format_args!(
                "\"{}\" is not measured here{why}: choose from {}",
                name.escape_debug(),
                known.join(", ")
            ))
        })?;
        Ok(judging(MetricId(place as u32), &metrics[place]))
    };
    wanted.iter().map(find).collect()
}
