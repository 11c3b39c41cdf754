//! `evenhand import FILE…`: results of other tools into the archive. What is wrong with one file does not keep the
//! others out, and neither does a reader of our output who goes away.

use crate::sources::{Skip, nothing_recognised, sources};
use crate::typed::as_typed;
use crate::{CliError, Stage, trials};
use clap::Args;
use evenhand_analysis::words::counted;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_formats::import::{FORMATS, Format, ImportError, Unread};
use evenhand_report::message::Message;
use evenhand_report::plain::plain;
use evenhand_trial::{Origin, Trial, TrialId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::Path;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand import results/                          all recognised files in a folder
  evenhand import bench.json --label 'before'       with a name
  go test -bench . -count 10 | evenhand import -    what a tool prints
  evenhand import --formats                         list the supported formats
  evenhand import times.txt --from columns          name the format yourself")]
pub(crate) struct Arguments {
    /// Files or folders of results; `-` is standard input
    #[arg(required_unless_present = "formats", value_name = "FILE")]
    files: Vec<OsString>,
    /// Read files as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Name the trial; of several trials, the second is named `NAME 2`
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// List the supported formats
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
    /// What is in the archive now, in the order in which it is to be compared.
    kept: Vec<Kept>,
    /// Files of formats that this program knows of and was built without, by format.
    left_out: Vec<(&'static str, String)>,
    /// Files in folders whose tools are known and not read, by tool.
    unread: BTreeMap<&'static str, (Vec<String>, &'static Unread)>,
    /// Output that could not be written: no reason to leave results out.
    unsaid: Option<io::Error>,
}

/// As much of a trial as tells with which others it can be compared.
struct Kept {
    id: TrialId,
    arms: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    if arguments.formats {
        let width = FORMATS.iter().map(|format| format.name().len()).max().unwrap_or(0);
        for format in FORMATS {
            writeln!(stage.out, "{:<width$}  {}", format.name(), format.results_of())?;
        }
        return Ok(());
    }
    arguments.label.iter().try_for_each(|label| trials::check_form_of_label(label))?;
    // Made only once there is something to keep.
    let mut archive = None;
    let mut tally = Tally::default();
    for source in arguments.files.iter().flat_map(|word| sources(word, arguments.from)) {
        match source.read(arguments.from) {
            Ok(trials) => {
                tally.remember(&trials);
                for trial in trials {
                    let archive = match &mut archive {
                        Some(open) => open,
                        None => archive.insert(open_archive(arguments, stage)?),
                    };
                    keep(trial, arguments, archive, &mut tally, stage)?;
                }
            }
            Err(Skip::NoResults) => tally.passed_over += 1,
            Err(Skip::Unread(file, unread)) => {
                tally.unread.entry(unread.tool).or_insert_with(|| (Vec::new(), unread)).0.push(file);
            }
            Err(Skip::Wrong(error)) => tally.refuse(error, stage),
        }
    }
    tally.close(arguments, stage)
}

fn open_archive(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<Archive, CliError> {
    let archive = stage.archive_to_write()?;
    if let Some(label) = &arguments.label {
        trials::check_label(&archive, label, None)?;
    }
    Ok(archive)
}

fn keep(
    mut trial: Trial,
    arguments: &Arguments,
    archive: &mut Archive,
    tally: &mut Tally,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    tally.trials += 1;
    if let Some(label) = &arguments.label {
        trial.label =
            Some(if tally.trials == 1 { label.clone() } else { format!("{label} {}", tally.trials) });
    } else {
        drop_bad_label(&mut trial, archive, stage)?;
    }
    let known = match archive.add(&trial) {
        Ok(()) => false,
        Err(error @ ArchiveError::Differs { .. }) => {
            tally.trials -= 1;
            tally.wrong += 1;
            // Nobody is left to tell when even this cannot be written.
            drop(stage.err.say(&Message::error(error)));
            return Ok(());
        }
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

/// A file of our own brings its label along.
fn drop_bad_label(trial: &mut Trial, archive: &Archive, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let Some(label) = &trial.label else { return Ok(()) };
    if let Some(why_not) = trials::why_no_label(archive, label, Some(&trial.id))? {
        let words = format_args!(
            "trial {} is imported without its label \"{}\", because {why_not}",
            trial.id.short(),
            label.escape_debug()
        );
        // Nobody is left to tell when even this cannot be written.
        drop(stage.err.say(&Message::warning(words)));
        trial.label = None;
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
    let known = if known { "  (already there)" } else { "" };
    let arms = counted(trial.arms.len(), "benchmark");
    let line = format!("{}  {format:<16}  {arms:>13}  {samples:<12}  {}", trial.id.short(), plain(file));
    format!("{}{known}", line.trim_end())
}

impl Tally {
    /// Of several runs that a tool keeps in one folder the newest is first; it is compared with the older ones.
    fn remember(&mut self, trials: &[Trial]) {
        let newest_last = trials.iter().skip(1).chain(trials.first());
        self.kept.extend(newest_last.map(|trial| Kept {
            id: trial.id.clone(),
            arms: trial.arms.iter().map(|arm| arm.name.clone()).collect(),
        }));
    }

    /// What is wrong with a file is said at once; that a whole format is missing is said once, at the end.
    fn refuse(&mut self, error: ImportError, stage: &mut Stage<'_>) {
        self.wrong += 1;
        let built_in = |name: &str| FORMATS.iter().any(|format| format.name() == name);
        match error.format.filter(|format| !built_in(format)) {
            Some(format) => self.left_out.push((format, error.file)),
            // Nobody is left to tell when even this cannot be written.
            None => drop(stage.err.say(&Message::error(error))),
        }
    }

    /// The last lines say what became of everything, so that nothing is left out in silence, and what to do with it.
    fn close(self, arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
        if self.trials == 0 && self.wrong == 0 {
            let places: Vec<_> =
                arguments.files.iter().map(|word| Path::new(word).display().to_string()).collect();
            return Err(nothing_recognised(&places.join(", "), "import"));
        }
        for words in self.missing_format().into_iter().chain(self.unread_files()) {
            // Nobody is left to tell when even this cannot be written.
            drop(stage.err.say(&words));
        }
        if let Some(error) = self.unsaid {
            return Err(CliError::Output(error));
        }
        if self.trials + self.wrong + self.passed_over > 1 {
            writeln!(stage.out, "{}", self.in_words())?;
        }
        if let Some(words) = self.next_step(arguments) {
            writeln!(stage.out, "{words}")?;
        }
        if self.wrong == 0 { Ok(()) } else { Err(CliError::AlreadyReported) }
    }

    fn in_words(&self) -> String {
        let mut words = vec![format!("{} imported", counted(self.trials, "trial"))];
        if self.known > 0 {
            words.push(format!("{} of them already there", self.known));
        }
        if self.passed_over > 0 {
            words.push(format!("{} without results skipped", counted(self.passed_over, "file")));
        }
        if self.wrong > 0 {
            words.push(format!("{} not read (listed above)", counted(self.wrong, "file")));
        }
        words.join(", ")
    }

    /// What was found and passed over, with the reason.
    fn unread_files(&self) -> impl Iterator<Item = Message> {
        self.unread.values().map(|(files, unread)| {
            let files_of = counted(files.len(), "file");
            let message = format!(
                "{files_of} of {} skipped, which evenhand does not read: {}",
                unread.tool,
                some(files)
            );
            Message::warning(message).hint(unread.way_out)
        })
    }

    fn missing_format(&self) -> Option<Message> {
        let (format, _) = self.left_out.first()?;
        let files: Vec<&str> = self.left_out.iter().map(|(_, file)| file.as_str()).collect();
        let message = Message::error(format_args!(
            "{} in the format {format} skipped, because this evenhand was built without it: {}",
            counted(files.len(), "file"),
            some(&files)
        ));
        Some(message.hint(format_args!(
            "build it with `cargo install --path crates/evenhand-cli --features {format}`, or write the tables as CSV"
        )))
    }

    /// How to see together what came together.
    fn next_step(&self, arguments: &Arguments) -> Option<String> {
        let all = self.distinct();
        if all.len() < 2 {
            return None;
        }
        let rivals = rivals(&all);
        let what = if rivals.len() == all.len() { "them" } else { "those with the same benchmarks" };
        Some(match (rivals.as_slice(), arguments.files.as_slice()) {
            ([], _) => format!(
                "no benchmark is in two of them; to see each by itself: evenhand analyze {}",
                all.last()?.id.short()
            ),
            (few, _) if few.len() <= MOST_IDS => {
                let ids: Vec<&str> = few.iter().map(|kept| kept.id.short()).collect();
                format!("to compare {what}: evenhand analyze {}", ids.join(" "))
            }
            (_, [folder]) if self.wrong == 0 && Path::new(folder).is_dir() => {
                format!("to compare {what}: evenhand analyze {}", as_typed(&folder.to_string_lossy()))
            }
            (many, _) => {
                format!(
                    "to compare {what}: evenhand analyze {} and other ids above",
                    many.first()?.id.short()
                )
            }
        })
    }

    /// A file that was named twice is one trial.
    fn distinct(&self) -> Vec<&Kept> {
        let mut ids = HashSet::new();
        self.kept.iter().filter(|kept| ids.insert(&kept.id)).collect()
    }
}

/// More names of files than this fill a line and tell nobody more.
const MOST_NAMED: usize = 4;
/// As many ids fit into a line.
const MOST_IDS: usize = 6;

/// The first names, and how many there are more.
fn some(files: &[impl AsRef<str>]) -> String {
    let named: Vec<&str> = files.iter().take(MOST_NAMED).map(AsRef::as_ref).collect();
    match files.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// The trials that can be laid beside each other: a benchmark of theirs is in another as well, or each has a single
/// one. As [`Trial::join`] has it.
fn rivals<'a>(all: &[&'a Kept]) -> Vec<&'a Kept> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for name in all.iter().flat_map(|kept| &kept.arms) {
        *times.entry(name).or_default() += 1;
    }
    let shares = |kept: &&&Kept| kept.arms.iter().any(|name| times.get(name.as_str()) > Some(&1));
    let sharing: Vec<&Kept> = all.iter().filter(shares).copied().collect();
    if sharing.is_empty() && all.iter().all(|kept| kept.arms.len() == 1) { all.to_vec() } else { sharing }
}
