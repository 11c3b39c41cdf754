//! `evenhand list`: which trials are in the archive?

use crate::{CliError, Stage};
use clap::Args;
use evenhand_analysis::{Analysis, Comparison, Settings, analyse, words};
use evenhand_archive::{Archive, ArchiveError, Entry};
use evenhand_report::message::Message;
use evenhand_report::table::Table;
use evenhand_stats::randomised::Word;
use evenhand_trial::State;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use std::num::NonZeroU32;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  evenhand list -n 10      the 10 newest")]
pub(crate) struct Arguments {
    /// List only the newest COUNT trials
    #[arg(long, short = 'n', value_name = "COUNT", value_parser = count)]
    newest: Option<NonZeroU32>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

fn count(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| "expected a whole number above 0, such as 10".to_owned())
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut entries = match stage.archive_to_read() {
        Ok(archive) => archive.entries()?,
        // Nothing was ever kept here; but a folder that the user named is expected to be one.
        Err(CliError::Archive(error))
            if stage.archive.is_none() && matches!(*error, ArchiveError::NoArchive { .. }) =>
        {
            Vec::new()
        }
        Err(failure) => return Err(failure),
    };
    // A trial that was cut off says how much it holds once it is taken over. Where that cannot be, it is listed as it is.
    if entries.iter().any(is_cut_off)
        && let Ok(archive) = stage.archive_to_write()
    {
        entries = archive.entries()?;
    }
    warn_of_unlisted(stage)?;
    entries.truncate(arguments.newest.map_or(usize::MAX, |newest| newest.get() as usize));
    if arguments.json {
        return as_json(&entries, stage);
    }
    if entries.is_empty() {
        writeln!(
            stage.out,
            "no trials yet: `evenhand run` measures commands, `evenhand import` imports results of other tools"
        )?;
        return Ok(());
    }
    let archive = stage.archive_to_read()?;
    let table = Table::new(&HEADINGS, stage.world.layout());
    let mut table = table.of_words().shortening(WHAT).giving_up(&[FROM, MEASURED]);
    for entry in &entries {
        table.row(cells(entry, verdict(entry, &archive)));
    }
    write!(stage.out, "{table}")?;
    Ok(())
}

/// A trial that is measured, or was left, by a newer evenhand is not in the list.
fn warn_of_unlisted(stage: &mut Stage<'_>) -> Result<(), CliError> {
    let Ok(archive) = stage.archive_to_read() else { return Ok(()) };
    for error in archive.unlisted()? {
        stage.err.say(&Message::warning(error))?;
    }
    Ok(())
}

fn is_cut_off(entry: &Entry) -> bool {
    entry.state == State::Interrupted && entry.samples == 0
}

const HEADINGS: [&str; 8] = ["trial", "added", "state", "samples", "verdict", "what", "measured", "from"];
const WHAT: usize = 5;
const MEASURED: usize = 6;
const FROM: usize = 7;

/// Thousands of samples are analysed in milliseconds, a million in seconds: too long for a line of a list.
const MOST_SAMPLES: u64 = 200_000;

/// What a trial shows, as short as can be; nothing where nothing is compared, or it cannot be read, as `archive check` would say.
fn verdict(entry: &Entry, archive: &Archive) -> String {
    if entry.samples > MOST_SAMPLES {
        return "…".to_owned();
    }
    analysed(entry, archive).map_or_else(String::new, |analysis| in_short(&analysis))
}

/// `None` of what is too large, or cannot be read.
fn analysed(entry: &Entry, archive: &Archive) -> Option<Analysis> {
    let trial = (entry.samples <= MOST_SAMPLES).then(|| archive.trial(&entry.id).ok()).flatten()?;
    analyse(&trial, &Settings::of_plan(&trial.plan).ok()?).ok()
}

fn in_short(analysis: &Analysis) -> String {
    let compared: Vec<&Comparison> = analysis.counted().collect();
    let are = |word: Word| compared.iter().filter(|comparison| comparison.verdict == word).count();
    let [more, less] = words::common_directions(analysis);
    match compared[..] {
        [] => String::new(),
        [only] => words::verdict(analysis, only),
        _ => format!("{} {more}, {} {less} of {}", are(Word::Slower), are(Word::Faster), compared.len()),
    }
}

/// A complete trial is the rule, and nothing is said of it: the column is there only when one is not.
fn cells(entry: &Entry, verdict: String) -> Vec<String> {
    let what = entry.label.clone().unwrap_or_else(|| arms(&entry.arms));
    vec![
        entry.id.short().to_owned(),
        local(entry.added),
        if entry.state == State::Complete { String::new() } else { entry.state.to_string() },
        entry.samples.to_string(),
        verdict,
        what,
        entry.started.map_or_else(String::new, local),
        entry.origin.clone(),
    ]
}

/// The first two arms and how many more there are.
fn arms(arms: &[String]) -> String {
    let named: Vec<&str> = arms.iter().take(2).map(String::as_str).collect();
    let more = arms.len().saturating_sub(2);
    if more == 0 { named.join(", ") } else { format!("{} and {more} more", named.join(", ")) }
}

fn local(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// What a trial shows is in the words of the analysis' JSON: `verdict` where one thing is compared, `verdicts` of all.
fn as_json(entries: &[Entry], stage: &mut Stage<'_>) -> Result<(), CliError> {
    if entries.is_empty() {
        return Ok(());
    }
    let archive = stage.archive_to_read()?;
    entries.iter().try_for_each(|entry| Ok(writeln!(stage.out, "{}", in_json(entry, &archive))?))
}

fn in_json(entry: &Entry, archive: &Archive) -> Value {
    let analysis = analysed(entry, archive);
    let verdicts: Option<Vec<String>> = analysis
        .map(|analysis| analysis.counted().map(|comparison| comparison.verdict.to_string()).collect());
    let only = verdicts.as_ref().and_then(|verdicts| match &verdicts[..] {
        [only] => Some(only.clone()),
        _ => None,
    });
    json!({
        "id": entry.id,
        "label": entry.label,
        "state": entry.state,
        "added": entry.added,
        "started": entry.started,
        "samples": entry.samples,
        "arms": entry.arms,
        "origin": entry.origin,
        "verdict": only,
        "verdicts": verdicts,
    })
}
