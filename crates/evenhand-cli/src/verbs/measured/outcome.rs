//! What is said at the end, and with which exit status does the program end?
//!
//! | status | when |
//! |---|---|
//! | 0 | done, or nothing to decide |
//! | 1 | a comparison meets `--fail-if` |
//! | 3 | a command or a function failed |
//! | 4 | a verdict is unclear, or `--fail-if` could not be answered, and `--require-verdict` was given |
//! | 130 | interrupted |
//!
//! A control decides on none of them.

use super::fail_if::Reached;
use super::next::{NextStep, next_step};
use super::{Closed, Deciding, Telling};
use crate::{CliError, Stage, error};
use evenhand_analysis::charts::pictures;
use evenhand_analysis::words::{self, counted};
use evenhand_analysis::{Analysis, Comparison, Settings, Study};
use evenhand_report::claims::Claims;
use evenhand_report::message::Message;
use evenhand_report::plain::plain;
use evenhand_report::plots::Plots;
use evenhand_stats::randomised::Word;

/// Says what the trial shows if that is worth it, writes the exports, and answers the exit status. `goes_on`: what to call
/// the trial to go on with it, if that is possible.
pub(crate) fn tell(
    deciding: &Deciding,
    telling: &Telling,
    closed: &Closed,
    worth_showing: &dyn Fn(&Analysis) -> bool,
    goes_on: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let trial = &closed.trial;
    let mut settings = Settings::of_plan(&trial.plan).map_err(CliError::new)?;
    if let Some(percentiles) = &telling.percentiles {
        settings.percentiles.clone_from(percentiles);
    }
    let study = Study::of(trial);
    let analysis = study.analyse(&settings).map_err(CliError::new)?;
    if telling.json || worth_showing(&analysis) {
        print(telling, &study, &analysis, stage)?;
    }
    let is_unclear = analysis.counted().any(|comparison| comparison.verdict == Word::Unclear);
    let next = next_step(telling, closed, &analysis, goes_on, stage);
    // Once is enough.
    let goes_on = goes_on.filter(|_| is_unclear && !next.as_ref().is_some_and(NextStep::measures));
    tell_where_kept(telling, closed, goes_on, stage)?;
    next.map_or(Ok(()), |next| next.tell(stage))?;
    telling.write_exports(trial, &analysis)?;
    // Where both go to one place, the verdict comes before what is said of it.
    stage.out.flush()?;
    let judgement = judged(deciding, &analysis);
    match judgement.status {
        error::DONE => tell_what_is_open(deciding, &analysis, stage)?,
        _ => tell_why_it_fails(&judgement, &analysis, stage)?,
    }
    Ok(judgement.status)
}

fn print(
    telling: &Telling,
    study: &Study<'_>,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    if telling.json {
        serde_json::to_writer(&mut *stage.out, analysis).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let layout = telling.of_tables(stage.world.layout());
    let percentiles = telling.percentiles.is_some();
    let claims = Claims { analysis, layout, verbose: telling.verbose, percentiles, means: telling.mean };
    if telling.quiet && !analysis.comparisons.is_empty() {
        for comparison in &analysis.comparisons {
            let sentence = words::statement(analysis, comparison).sentence().to_string();
            writeln!(stage.out, "{}", plain(&sentence))?;
            for limit in words::limits(analysis, comparison) {
                writeln!(stage.out, "  {}", plain(&limit.to_string()))?;
            }
        }
        return Ok(());
    }
    write!(stage.out, "{claims}")?;
    if telling.plot {
        let pictures = pictures(study, analysis);
        write!(stage.out, "\n{}", Plots { pictures: &pictures, layout })?;
    }
    Ok(())
}

fn tell_where_kept(
    telling: &Telling,
    closed: &Closed,
    goes_on: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    if let Some(trouble) = &closed.trouble {
        let warning = format_args!("this trial is not stored completely: {trouble}");
        stage.err.say(&Message::warning(warning))?;
    }
    if closed.kept && !telling.json && !telling.quiet {
        let samples = counted(closed.trial.sample_count(), "sample");
        let more = goes_on.map_or_else(String::new, |trial| {
            format!("; continue with evenhand run --continue {}", plain(trial))
        });
        writeln!(stage.out, "\ntrial {}, {samples} kept{more}", closed.trial.id.short())?;
    }
    Ok(())
}

/// With which status it ends, and the comparisons that are the reason.
struct Judgement<'a> {
    status: u8,
    reason: String,
    because: Vec<&'a Comparison>,
}

fn judged<'a>(deciding: &Deciding, analysis: &'a Analysis) -> Judgement<'a> {
    let answer = |comparison: &Comparison| Some(deciding.fail_if?.answer(comparison));
    let met: Vec<_> = analysis.counted().filter(|both| answer(both) == Some(Reached::Yes)).collect();
    if let (Some(condition), false) = (deciding.fail_if, met.is_empty()) {
        let reason = format!("--fail-if '{condition}'");
        return Judgement { status: error::REGRESSION, reason, because: met };
    }
    let is_open = |both: &&Comparison| both.verdict == Word::Unclear || answer(both) == Some(Reached::Open);
    let open: Vec<_> = analysis.counted().filter(|both| deciding.require_verdict && is_open(both)).collect();
    let status = if open.is_empty() { error::DONE } else { error::NO_VERDICT };
    Judgement { status, reason: "--require-verdict".to_owned(), because: open }
}

/// So many comparisons are named before it is enough.
const MOST_NAMED: usize = 5;

/// A status that is not 0 has its reason on standard error.
fn tell_why_it_fails(
    judgement: &Judgement<'_>,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let Judgement { reason, because, .. } = judgement;
    for comparison in because.iter().take(MOST_NAMED) {
        let claim = words::statement(analysis, comparison).claim;
        stage.err.say(&Message::error(format_args!("{reason}: {claim}")))?;
    }
    match because.len().saturating_sub(MOST_NAMED) {
        0 => Ok(()),
        more => Ok(stage
            .err
            .say(&Message::error(format_args!("{reason}: {} more", counted(more, "comparison"))))?),
    }
}

/// A condition that could not be answered passes, which nobody should take for "no regression".
fn tell_what_is_open(
    deciding: &Deciding,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let Some(condition) = deciding.fail_if else { return Ok(()) };
    let open = analysis.counted().filter(|comparison| condition.answer(comparison) == Reached::Open);
    let (without_size, undecided): (Vec<&Comparison>, Vec<&Comparison>) =
        open.partition(|comparison| comparison.signs().is_some() && comparison.verdict.is_final());
    for comparison in without_size {
        let claim = words::statement(analysis, comparison).claim;
        let warning = format!("--fail-if '{condition}' is not met, as there is no ratio: {claim}");
        stage
            .err
            .say(&Message::warning(warning).hint("--fail-if slower is met by a difference of any size"))?;
    }
    if !undecided.is_empty() {
        let warning = Message::warning("--fail-if could not be decided in this time");
        let status = error::NO_VERDICT;
        stage.err.say(&warning.hint(format_args!(
            "--max-time measures longer; --require-verdict exits with status {status} in this case"
        )))?;
    }
    if analysis.counted().next().is_none() {
        let warning = "--fail-if has no effect: there is no comparison";
        stage.err.say(&Message::warning(warning))?;
    }
    Ok(())
}
