//! `evenhand import FILE…`: results of other tools into the archive. What is wrong with one file does not keep the
//! others out, and neither does a reader of our output who goes away.

use crate::sources::{Skip, sources};
use crate::{Failure, Stage, trials};
use clap::Args;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_formats::import::{FORMATS, Format};
use evenhand_report::plain::plain;
use evenhand_trial::words::counted;
use evenhand_trial::{Origin, Trial};
use std::ffi::OsString;
use std::io;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand import results/                          every file in there that is recognised
  evenhand import bench.json --label 'before'       under a name
  go test -bench . -count 10 | evenhand import -    what a tool prints")]
pub(crate) struct Arguments {
    /// Files of results, or folders of them; `-` is standard input
    #[arg(required_unless_present = "formats", value_name = "FILE")]
    files: Vec<OsString>,
    /// Read as this format instead of recognising it
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Give the trial this name; of several trials, the second gets `NAME 2`
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// List the formats
    #[arg(long)]
    formats: bool,
}

/// What became of the files.
#[derive(Default)]
struct Tally {
    trials: usize,
    known: usize,
    wrong: usize,
    passed_over: usize,
    /// Output that could not be written: no reason to leave results out.
    unsaid: Option<io::Error>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    if arguments.formats {
        for format in FORMATS {
            writeln!(stage.out, "{format}")?;
        }
        return Ok(());
    }
    let mut archive = stage.archive_to_write()?;
    if let Some(label) = &arguments.label {
        trials::check_label(&archive, label, None)?;
    }
    let mut tally = Tally::default();
    for source in arguments.files.iter().flat_map(|said| sources(said, arguments.format)) {
        match source.read(arguments.format) {
            Ok(trials) => {
                for trial in trials {
                    keep(trial, arguments, &mut archive, &mut tally, stage)?;
                }
            }
            Err(Skip::NoResults) => tally.passed_over += 1,
            Err(Skip::Wrong(error)) => {
                tally.wrong += 1;
                // Nobody is left to tell when even this cannot be written.
                let _ = writeln!(stage.err, "evenhand: {}", plain(&error.to_string()));
            }
        }
    }
    tally.close(stage)
}

fn keep(
    mut trial: Trial,
    arguments: &Arguments,
    archive: &mut Archive,
    tally: &mut Tally,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    tally.trials += 1;
    if let Some(label) = &arguments.label {
        trial.label =
            Some(if tally.trials == 1 { label.clone() } else { format!("{label} {}", tally.trials) });
    }
    let known = match archive.add(&trial) {
        Ok(()) => false,
        Err(ArchiveError::Exists { id }) => {
            if arguments.label.is_some() {
                archive.set_label(&id, trial.label.as_deref())?;
            }
            true
        }
        Err(error) => return Err(error.into()),
    };
    tally.known += usize::from(known);
    if let Err(error) = writeln!(stage.out, "{}", line(&trial, known)) {
        tally.unsaid.get_or_insert(error);
    }
    Ok(())
}

fn line(trial: &Trial, known: bool) -> String {
    let samples = match trial.sample_count() {
        0 => "figures only".to_owned(),
        count => counted(count, "sample"),
    };
    let (format, file) = match &trial.origin {
        Origin::Imported { format, file, .. } => (format.as_str(), file.as_str()),
        _ => ("evenhand", trial.label.as_deref().unwrap_or_default()),
    };
    let known = if known { "  (was there already)" } else { "" };
    let arms = counted(trial.arms.len(), "arm");
    let line = format!("{}  {format:<16}  {arms:>7}  {samples:<12}  {}", trial.id.short(), plain(file));
    format!("{}{known}", line.trim_end())
}

impl Tally {
    /// The last line says what became of everything, so that nothing is left out in silence.
    fn close(self, stage: &mut Stage<'_>) -> Result<(), Failure> {
        if self.trials == 0 && self.wrong == 0 {
            return Err(Failure::new(
                "no file in there holds results of a known format; `evenhand import --formats` lists them",
            ));
        }
        if let Some(error) = self.unsaid {
            return Err(Failure::Output(error));
        }
        if self.trials + self.wrong + self.passed_over > 1 {
            writeln!(stage.out, "{}", self.in_words())?;
        }
        if self.wrong == 0 { Ok(()) } else { Err(Failure::AlreadyTold) }
    }

    fn in_words(&self) -> String {
        let mut words = vec![format!("{} taken in", counted(self.trials, "trial"))];
        if self.known > 0 {
            words.push(format!("{} of them there already", self.known));
        }
        if self.passed_over > 0 {
            words.push(format!("{} without results passed over", counted(self.passed_over, "file")));
        }
        if self.wrong > 0 {
            words.push(format!("{} not read, as said above", counted(self.wrong, "file")));
        }
        words.join(", ")
    }
}
