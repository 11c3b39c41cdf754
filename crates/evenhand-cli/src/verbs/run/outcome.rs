//! What is said at the end, and with which exit status does the program end?
//!
//! | status | when |
//! |---|---|
//! | 0 | done, or nothing to decide |
//! | 1 | a comparison meets `--fail-if` |
//! | 3 | a command failed |
//! | 4 | a verdict is unclear, or `--fail-if` could not be answered, and `--require-verdict` was given |
//! | 130 | interrupted |

use super::Closed;
use super::arguments::Arguments;
use super::fail_if::Answer;
use crate::{Failure, Stage, failure};
use evenhand_formats::export::{self, Format};
use evenhand_measure::command::Commands;
use evenhand_measure::rounds::{Ended, Ending};
use evenhand_report::claims::Claims;
use evenhand_report::plain::plain;
use evenhand_report::plots::Plots;
use evenhand_stats::randomised::Word;
use evenhand_trial::analysis::pictures::pictures;
use evenhand_trial::analysis::{Analysis, Settings, analyse};
use evenhand_trial::words::counted;
use evenhand_trial::{ArmId, Trial};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says what the trial shows, writes the exports, and answers the exit status.
pub(crate) fn tell(
    arguments: &Arguments,
    ended: &Result<Ending, Ended>,
    closed: &Closed,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<u8, Failure> {
    let trial = &closed.trial;
    tell_early_end(ended, closed, commands, stage)?;
    tell_who_never_succeeded(ended, trial, commands, stage)?;
    if trial.sample_count() == 0 {
        return Ok(status_of_end(ended, trial).unwrap_or(failure::COMMAND_FAILED));
    }
    let settings = Settings::of_plan(&trial.plan).map_err(Failure::new)?;
    let analysis = analyse(trial, &settings).map_err(Failure::new)?;
    if arguments.json || worth_showing(ended, &analysis) {
        print(arguments, trial, &analysis, stage)?;
    }
    tell_where_kept(arguments, closed, stage)?;
    write_exports(arguments, trial)?;
    tell_what_is_open(arguments, &analysis, stage)?;
    Ok(status_of_end(ended, trial).unwrap_or_else(|| status_of_verdicts(arguments, &analysis)))
}

/// After a failure there is a verdict only if both arms have run before.
fn worth_showing(ended: &Result<Ending, Ended>, analysis: &Analysis) -> bool {
    let compared = analysis.comparisons.iter().any(|comparison| comparison.rounds > 0);
    matches!(ended, Ok(Ending::Complete)) || compared || analysis.levels.iter().any(|level| level.samples > 1)
}

fn tell_early_end(
    ended: &Result<Ending, Ended>,
    closed: &Closed,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let err = &mut stage.err;
    match ended {
        Ok(Ending::Complete) => {}
        Ok(Ending::Interrupted) if closed.trial.sample_count() == 0 => {
            writeln!(err, "evenhand: interrupted before the first round was done")?;
        }
        Ok(Ending::Interrupted) => writeln!(err, "evenhand: interrupted; the rounds so far count")?,
        Ok(Ending::Failed(failed)) => {
            let name = closed.trial.arm(failed.arm).map_or("", |arm| arm.name.as_str());
            writeln!(err, "evenhand: {} {}", plain(name), failed.reason)?;
            quote(commands.last_words(failed.arm).iter().flat_map(|words| words.lines()), *err)?;
            writeln!(err, "          --ignore-failure goes on and keeps failed runs apart")?;
        }
        Err(ended) => {
            let told = ended.to_string();
            let mut lines = told.lines();
            writeln!(err, "evenhand: {}", plain(lines.next().unwrap_or_default()))?;
            quote(lines, err)?;
        }
    }
    Ok(())
}

/// What a command said, set apart.
fn quote<'a>(lines: impl Iterator<Item = &'a str>, err: &mut dyn Write) -> Result<(), Failure> {
    for line in lines {
        writeln!(err, "          | {}", plain(line))?;
    }
    Ok(())
}

/// With `--ignore-failure` a measurement can come to its end without a single sample of a command.
fn tell_who_never_succeeded(
    ended: &Result<Ending, Ended>,
    trial: &Trial,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let complete = matches!(ended, Ok(Ending::Complete));
    for arm in never_succeeded(trial).filter(|_| complete) {
        let mut failed = trial.failures.iter().filter(|failure| failure.arm == arm);
        let Some(first) = failed.next() else { continue };
        let name = trial.arm(arm).map_or("", |arm| arm.name.as_str());
        let runs = counted(1 + failed.count(), "run");
        writeln!(stage.err, "evenhand: {} never succeeded in {runs}: it {}", plain(name), first.reason)?;
        quote(commands.last_words(arm).iter().flat_map(|words| words.lines()), &mut *stage.err)?;
    }
    Ok(())
}

fn print(
    arguments: &Arguments,
    trial: &Trial,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    if arguments.json {
        serde_json::to_writer(&mut *stage.out, analysis).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let layout = stage.world.layout();
    let claims = Claims { analysis, layout, percentiles: false };
    if arguments.quiet && !analysis.comparisons.is_empty() {
        for comparison in &analysis.comparisons {
            writeln!(stage.out, "{}", plain(&comparison.sentence))?;
            for limit in &comparison.limits {
                writeln!(stage.out, "  {}", plain(limit))?;
            }
        }
        return Ok(());
    }
    write!(stage.out, "{claims}")?;
    if arguments.plot {
        let pictures = pictures(trial, analysis);
        write!(stage.out, "\n{}", Plots { pictures: &pictures, layout })?;
    }
    Ok(())
}

fn tell_where_kept(arguments: &Arguments, closed: &Closed, stage: &mut Stage<'_>) -> Result<(), Failure> {
    if let Some(trouble) = &closed.trouble {
        let told = plain(&trouble.to_string()).into_owned();
        writeln!(stage.err, "evenhand: this trial is not kept as it should be: {told}")?;
    }
    if closed.kept && !arguments.json && !arguments.quiet {
        let samples = counted(closed.trial.sample_count(), "sample");
        writeln!(stage.out, "\ntrial {}, {samples} kept", closed.trial.id.short())?;
    }
    Ok(())
}

fn exports(arguments: &Arguments) -> impl Iterator<Item = (&PathBuf, Format)> {
    let wanted = [
        (&arguments.export_json, Format::Json),
        (&arguments.export_csv, Format::Csv),
        (&arguments.export_openmetrics, Format::OpenMetrics),
        (&arguments.export_hyperfine, Format::Hyperfine),
    ];
    wanted.into_iter().filter_map(|(file, format)| Some((file.as_ref()?, format)))
}

/// Before anything is measured: a file that cannot be written would be found out too late.
pub(crate) fn refuse_impossible_outputs(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json && arguments.output.as_deref() == Some(Path::new("inherit")) {
        return Err(Failure::new(
            "--output inherit would mix what the commands print with the JSON: give a file, or leave out --json",
        ));
    }
    if exports(arguments).any(|(file, _)| file == Path::new("-")) {
        return Err(Failure::new(
            "\"-\" is no file: --json prints the analysis, and `evenhand export @last` the trial",
        ));
    }
    exports(arguments)
        .map(|(file, _)| file)
        .chain(&arguments.output)
        .try_for_each(|file| crate::verbs::export::folder_is_there(file))
}

fn write_exports(arguments: &Arguments, trial: &Trial) -> Result<(), Failure> {
    for (file, format) in exports(arguments) {
        export::write_file(file, |out| export::export(trial, format, out)).map_err(Failure::new)?;
    }
    Ok(())
}

/// The status of a measurement that did not come to its end, or in which a command never succeeded.
fn status_of_end(ended: &Result<Ending, Ended>, trial: &Trial) -> Option<u8> {
    match ended {
        Ok(Ending::Interrupted) => Some(failure::INTERRUPTED),
        Ok(Ending::Failed(_)) => Some(failure::COMMAND_FAILED),
        Err(Ended::Trouble(_)) => Some(failure::COMMAND_FAILED),
        Err(Ended::NotRecorded(_)) => Some(failure::WRONG),
        Ok(Ending::Complete) => never_succeeded(trial).next().map(|_| failure::COMMAND_FAILED),
    }
}

/// The arms without a sample.
fn never_succeeded(trial: &Trial) -> impl Iterator<Item = ArmId> {
    let measured = |arm: &ArmId| trial.series.iter().any(|series| series.arm == *arm && !series.is_empty());
    (0..trial.arms.len() as u32).map(ArmId).filter(move |arm| !measured(arm))
}

fn answers(arguments: &Arguments, analysis: &Analysis) -> Vec<Answer> {
    let condition = arguments.fail_if;
    analysis.comparisons.iter().filter_map(|comparison| Some(condition?.answer(comparison))).collect()
}

/// A condition that could not be answered passes, which nobody should take for "no regression".
fn tell_what_is_open(
    arguments: &Arguments,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let answers = answers(arguments, analysis);
    if answers.contains(&Answer::Open) && !answers.contains(&Answer::Yes) && !arguments.require_verdict {
        writeln!(
            stage.err,
            "evenhand: --fail-if could not be answered in this time: measure longer (--max-time),"
        )?;
        writeln!(stage.err, "          or let --require-verdict make it status {}", failure::NO_VERDICT)?;
    }
    if arguments.fail_if.is_some() && analysis.comparisons.is_empty() {
        writeln!(stage.err, "evenhand: --fail-if has nothing to decide: there is only one command")?;
    }
    Ok(())
}

fn status_of_verdicts(arguments: &Arguments, analysis: &Analysis) -> u8 {
    let answers = answers(arguments, analysis);
    let unclear = analysis.comparisons.iter().any(|comparison| comparison.verdict == Word::Unclear);
    if answers.contains(&Answer::Yes) {
        failure::REGRESSION
    } else if arguments.require_verdict && (unclear || answers.contains(&Answer::Open)) {
        failure::NO_VERDICT
    } else {
        failure::DONE
    }
}
