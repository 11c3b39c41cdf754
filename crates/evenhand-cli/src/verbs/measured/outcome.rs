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

use super::fail_if::Answer;
use super::{Closed, Deciding, Telling};
use crate::{Failure, Stage, failure};
use evenhand_report::claims::Claims;
use evenhand_report::plain::plain;
use evenhand_report::plots::Plots;
use evenhand_stats::randomised::Word;
use evenhand_trial::Trial;
use evenhand_trial::analysis::pictures::pictures;
use evenhand_trial::analysis::{Analysis, Settings, analyse};
use evenhand_trial::words::{self, counted};
use std::io::Write;

/// Says what the trial shows if that is worth it, writes the exports, and answers the exit status. `goes_on`: what to call
/// the trial to go on with it, if that is possible.
pub(crate) fn tell(
    deciding: &Deciding,
    telling: &Telling,
    closed: &Closed,
    worth_showing: &dyn Fn(&Analysis) -> bool,
    goes_on: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<u8, Failure> {
    let trial = &closed.trial;
    let settings = Settings::of_plan(&trial.plan).map_err(Failure::new)?;
    let analysis = analyse(trial, &settings).map_err(Failure::new)?;
    if telling.json || worth_showing(&analysis) {
        print(telling, trial, &analysis, stage)?;
    }
    let is_unclear = analysis.counted().any(|comparison| comparison.verdict == Word::Unclear);
    tell_where_kept(telling, closed, goes_on.filter(|_| is_unclear), stage)?;
    telling.write_exports(trial, &analysis)?;
    tell_what_is_open(deciding, &analysis, stage)?;
    Ok(status_of_verdicts(deciding, &analysis))
}

fn print(
    telling: &Telling,
    trial: &Trial,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    if telling.json {
        serde_json::to_writer(&mut *stage.out, analysis).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let layout = stage.world.layout();
    let claims = Claims { analysis, layout, verbose: telling.verbose, percentiles: false, means: false };
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
        let pictures = pictures(trial, analysis);
        write!(stage.out, "\n{}", Plots { pictures: &pictures, layout })?;
    }
    Ok(())
}

fn tell_where_kept(
    telling: &Telling,
    closed: &Closed,
    goes_on: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    if let Some(trouble) = &closed.trouble {
        let told = plain(&trouble.to_string()).into_owned();
        writeln!(stage.err, "evenhand: this trial is not kept as it should be: {told}")?;
    }
    if closed.kept && !telling.json && !telling.quiet {
        let samples = counted(closed.trial.sample_count(), "sample");
        let more = goes_on
            .map_or_else(String::new, |trial| format!("; evenhand run --continue {} goes on", plain(trial)));
        writeln!(stage.out, "\ntrial {}, {samples} kept{more}", closed.trial.id.short())?;
    }
    Ok(())
}

/// What somebody else said, set apart.
pub(crate) fn quote<'a>(lines: impl Iterator<Item = &'a str>, err: &mut dyn Write) -> Result<(), Failure> {
    for line in lines {
        writeln!(err, "          | {}", plain(line))?;
    }
    Ok(())
}

fn answers(deciding: &Deciding, analysis: &Analysis) -> Vec<Answer> {
    let condition = deciding.fail_if;
    analysis.counted().filter_map(|comparison| Some(condition?.answer(comparison))).collect()
}

/// A condition that could not be answered passes, which nobody should take for "no regression".
fn tell_what_is_open(deciding: &Deciding, analysis: &Analysis, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let answers = answers(deciding, analysis);
    if answers.contains(&Answer::Open) && !answers.contains(&Answer::Yes) && !deciding.require_verdict {
        writeln!(
            stage.err,
            "evenhand: --fail-if could not be answered in this time: measure longer (--max-time),"
        )?;
        writeln!(stage.err, "          or let --require-verdict make it status {}", failure::NO_VERDICT)?;
    }
    if deciding.fail_if.is_some() && analysis.counted().next().is_none() {
        writeln!(stage.err, "evenhand: --fail-if has nothing to decide: there is nothing to compare with")?;
    }
    Ok(())
}

fn status_of_verdicts(deciding: &Deciding, analysis: &Analysis) -> u8 {
    let answers = answers(deciding, analysis);
    let unclear = analysis.counted().any(|comparison| comparison.verdict == Word::Unclear);
    if answers.contains(&Answer::Yes) {
        failure::REGRESSION
    } else if deciding.require_verdict && (unclear || answers.contains(&Answer::Open)) {
        failure::NO_VERDICT
    } else {
        failure::DONE
    }
}
