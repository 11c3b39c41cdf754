//! Which command comes next? One faint line for a person at a terminal, if anything helps.
//!
//! Tests: `tests/program/next.rs`.

use super::{Closed, Telling};
use crate::seconds::Seconds;
use crate::typed::as_typed;
use crate::{CliError, Stage};
use evenhand_analysis::{Analysis, Next, next, words};
use evenhand_report::plain::plain;
use evenhand_report::wrap::wrapped;
use evenhand_trial::{State, Trial};
use std::time::Duration;

/// The next step, as it is printed.
pub(crate) struct NextStep {
    what: Next,
    line: String,
}

/// The one most useful next step: not what was done already, and nothing that needs a trial which is not kept. `goes_on`: what to
/// call the trial to go on with it, if that is possible.
pub(crate) fn next_step(
    telling: &Telling,
    closed: &Closed,
    analysis: &Analysis,
    goes_on: Option<&str>,
    stage: &Stage<'_>,
) -> Option<NextStep> {
    let is_terminal = stage.world.layout().width.is_some();
    let Closed { trial, kept, .. } = closed;
    let wanted = is_terminal && !telling.quiet && !telling.json && trial.state == State::Complete;
    let what = next(analysis).filter(|_| wanted)?;
    let goes_on = goes_on.filter(|_| *kept);
    let helps = match what {
        Next::Longer(_) => goes_on.is_some() || !is_fixed(trial),
        Next::Distributions => *kept && !telling.plot,
        Next::Page => *kept && telling.export_html.is_none(),
    };
    let name = goes_on.map_or_else(|| "@last".to_owned(), as_typed);
    let line = words::next_step(&what, &name, goes_on.is_some(), &time_for(&what, trial, goes_on));
    helps.then_some(NextStep { what, line })
}

/// Whether the user said how much to measure, so that more time changes nothing.
fn is_fixed(Trial { plan, .. }: &Trial) -> bool {
    plan.rounds.is_some() || plan.rounds_per_launch.is_some() || plan.launches.is_some()
}

/// How long to measure for it: with a quarter to spare, and from the beginning if it cannot go on.
fn time_for(next: &Next, trial: &Trial, goes_on: Option<&str>) -> Seconds {
    let more = if let Next::Longer(to_do) = next { to_do.seconds.unwrap_or_default() } else { 0.0 };
    let again = trial.seconds.filter(|_| goes_on.is_none()).unwrap_or_default();
    Seconds::at_least(Duration::try_from_secs_f64(1.25 * (more + again)).unwrap_or_default())
}

impl NextStep {
    /// Whether it is to measure more.
    pub(crate) fn measures(&self) -> bool {
        matches!(self.what, Next::Longer(_))
    }

    pub(crate) fn tell(&self, stage: &mut Stage<'_>) -> Result<(), CliError> {
        let layout = stage.world.layout();
        let line = wrapped(&plain(&self.line), layout, "next: ".len());
        Ok(writeln!(stage.out, "{}", layout.dimmed(&line))?)
    }
}
