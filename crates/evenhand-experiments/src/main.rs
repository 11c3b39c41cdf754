//! `evenhand-experiment NAME`: does what an article says of timings hold on this machine? `evenhand experiment NAME` starts it.
//!
//! It measures, tells what it saw beside what was published, and writes its trial for `evenhand` to read.
//!
//! Tests: `tests/program.rs`.

use clap::{Parser, ValueEnum};
use evenhand_analysis::{Settings, analyse};
use evenhand_experiments::document::Document;
use evenhand_experiments::{Size, kept, log_normal, paired, percentiles, sampling, uncertainty};
use evenhand_formats::export::{self, Format, write_file};
use evenhand_report::message::{Message, Voice};
use evenhand_report::page::Page;
use evenhand_report::terminal::{Terminal, When};
use evenhand_trial::Trial;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Repeat the experiment of an article on this machine
#[derive(Debug, Parser)]
#[command(
    name = "evenhand-experiment",
    bin_name = "evenhand experiment",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  evenhand experiment log-normal            are timings normally distributed? (a minute)
  evenhand experiment log-normal --whole    with runs as long as the article's
  evenhand experiment percentiles           what do percentiles show? (a minute)
  evenhand experiment uncertainty           how uncertain is a mean? (two minutes)
  evenhand experiment sampling              few or many iterations per sample? (a minute)
  evenhand experiment paired --export-html paired.html      a page with all that was measured
  evenhand experiment paired                does it help to measure in pairs? (seconds)"
)]
struct Arguments {
    /// Experiment to run
    name: Name,
    /// Run at the size of the article
    #[arg(long)]
    whole: bool,
    /// Run at the smallest size, to check that it works
    #[arg(long, conflicts_with = "whole")]
    tiny: bool,
    /// Write an HTML page with all samples
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
    /// Write all samples as a trial, in JSON
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Keep the sessions of log-normal in this archive [default: as evenhand does]
    #[arg(long, value_name = "DIRECTORY")]
    archive: Option<PathBuf>,
    /// Do not keep this session, nor compare it with an earlier one
    #[arg(long, conflicts_with = "archive")]
    no_save: bool,
    /// Use colours: auto, always or never [default: auto]
    #[arg(long, value_name = "WHEN")]
    color: Option<When>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// Lemire 2023: the times of walks through memory, 1 to 40 at once
    LogNormal,
    /// BenchmarkDotNet 2016: delays that are constant, random and rare
    Percentiles,
    /// Kołaczkowski 2020: the error of a mean latency, of a small server, and of PostgreSQL where it is installed
    Uncertainty,
    /// Vaskovic 2018: one to 1024 iterations in a sample, beside ever more busy processes
    Sampling,
    /// Bazhenov 2023: ways to count characters, in pairs and one after the other
    Paired,
}

/// As it is typed.
impl Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        formatter.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let terminal = Terminal::here().coloured(When::among(&words));
    let mut err = io::stderr();
    let mut voice = Voice::new(&mut err, terminal.err.colour);
    let done = match Arguments::try_parse_from(&words) {
        Ok(arguments) => run(&arguments, terminal, &mut voice),
        Err(message) if message.use_stderr() => return wrong(voice.pass_on(&message.render().to_string())),
        Err(help) => printed(&help.render()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => wrong(voice.say(&message)),
    }
}

/// It was said what is wrong. Nobody is left to tell when even that could not be written.
fn wrong(_written: io::Result<()>) -> ExitCode {
    ExitCode::from(2)
}

/// Prints a result. A reader that had enough of it (`| head`) is no failure of ours.
fn printed(text: &dyn Display) -> Result<(), Message> {
    match write!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(failed(error)),
        _ => Ok(()),
    }
}

fn run(arguments: &Arguments, terminal: Terminal, voice: &mut Voice<'_>) -> Result<(), Message> {
    let files = [&arguments.export_html, &arguments.export_json];
    files.into_iter().flatten().try_for_each(|file| folder_is_there(file))?;
    // The experiment goes on where nobody reads its progress.
    let mut tell = |what: &str| drop(voice.say(&Message::note(what)));
    let (mut document, mut trial) = measured(arguments.name, size(arguments), &mut tell)?;
    if matches!(arguments.name, Name::LogNormal) && !arguments.no_save {
        beside_another_day(arguments, &mut trial, &mut document, voice)?;
    }
    printed(&document.shown(terminal.out))?;
    export_all(arguments, trial)
}

fn size(arguments: &Arguments) -> Size {
    match (arguments.tiny, arguments.whole) {
        (true, _) => Size::Tiny,
        (_, true) => Size::Whole,
        _ => Size::Usual,
    }
}

fn measured(name: Name, size: Size, tell: &mut dyn FnMut(&str)) -> Result<(Document, Trial), Message> {
    Ok(match name {
        Name::LogNormal => {
            let measurements = log_normal::measure(log_normal::Extent::of(size), tell);
            (measurements.document(), measurements.trial())
        }
        Name::Percentiles => {
            let measurements = percentiles::measure(percentiles::Extent::of(size), tell);
            (measurements.document(), measurements.calls)
        }
        Name::Uncertainty => {
            let measurements =
                uncertainty::measure(uncertainty::Extent::of(size), tell).map_err(|error| {
                    Message::error(format_args!("the experiment cannot start a server on 127.0.0.1: {error}"))
                })?;
            (measurements.document(), measurements.trial())
        }
        Name::Sampling => {
            let plan = sampling::Extent::of(size);
            let loads = sampling::measure(&plan, tell);
            (sampling::document(&plan, &loads), sampling::trial(&loads))
        }
        Name::Paired => {
            let measurements = paired::measure(paired::Extent::of(size), tell);
            (measurements.document(), measurements.trial())
        }
    })
}

/// An archive that cannot be written loses nothing that was measured: it is said.
fn beside_another_day(
    arguments: &Arguments,
    trial: &mut Trial,
    document: &mut Document,
    voice: &mut Voice<'_>,
) -> Result<(), Message> {
    match kept::exchange(trial, arguments.archive.as_deref()) {
        Ok(before) => log_normal::another_day::write(before.as_ref(), trial, document),
        Err(error) => {
            let message = Message::warning(format_args!("this session is not kept: {error}"));
            voice
                .say(&message.hint("use --no-save to measure without keeping the session"))
                .map_err(failed)?;
        }
    }
    Ok(())
}

/// Said before anything is measured for nothing.
fn folder_is_there(file: &Path) -> Result<(), Message> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(failed(format_args!("{}: no folder {}: create it first", file.display(), folder.display())))
        }
        _ => Ok(()),
    }
}

fn export_all(arguments: &Arguments, mut trial: Trial) -> Result<(), Message> {
    if let Some(file) = &arguments.export_json {
        write_file(file, |out| export::export(&trial, Format::Json, out)).map_err(failed)?;
    }
    if let Some(file) = &arguments.export_html {
        // Not in the archive, where it would be somebody's own.
        trial.label = Some(format!("experiment {}", arguments.name));
        let analysis = &analyse(&trial, &Settings::default()).map_err(failed)?;
        let page =
            Page { trial: &trial, analysis, written_by: concat!("evenhand ", env!("CARGO_PKG_VERSION")) };
        write_file(file, |out| Ok(page.write(out)?)).map_err(failed)?;
    }
    Ok(())
}

fn failed(why: impl Display) -> Message {
    Message::error(why)
}
