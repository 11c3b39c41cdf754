//! What was built for a side? Its programs lie in a folder of our cache, with a list of them, so that a later comparison finds them there.
//!
//! Tests: `tests/program/compare.rs`, `tests/program/golang.rs`.

use super::arguments::Arguments;
use super::cargo::{Built, Kind};
use super::golang;
use super::repository::file_error;
use super::side::{Side, Sides};
use crate::CliError;
use evenhand_measure::worker::{VARIABLE, WorkerCommand};
use evenhand_trial::Note;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// What was built for a side.
#[derive(Debug)]
pub(super) struct Build {
    pub folder: PathBuf,
    /// Programs that speak our protocol.
    built: Vec<Built>,
    /// Names of other bench targets.
    others: Vec<String>,
}

impl Build {
    fn programs(&self) -> impl Iterator<Item = &str> {
        self.built.iter().map(|built| built.name.as_str())
    }

    /// The names of programs that both have.
    fn shared_with(&self, other: &Self) -> BTreeSet<&str> {
        self.programs().filter(|name| other.programs().any(|other| other == *name)).collect()
    }
}

/// The sides of two builds with these names: the programs that both have.
pub(super) fn sides(
    names: [&str; 2],
    builds: &[Build; 2],
    filters: Vec<String>,
    arguments: &Arguments,
) -> Result<Sides, CliError> {
    let [of_old, of_new] = builds;
    let shared = of_old.shared_with(of_new);
    if shared.is_empty() {
        return Err(CliError::new(no_programs(names, builds)));
    }
    let notes = same_bytes(builds, &shared)?.into_iter().collect();
    let more = golang::words_for_tests(arguments);
    let sides = [side(names[0], of_old, &shared, more)?, side(names[1], of_new, &shared, more)?];
    Ok(Sides { sides, filters, notes })
}

/// The shared programs of a side, in the order of their names.
fn side(name: &str, build: &Build, shared: &BTreeSet<&str>, more: &[OsString]) -> Result<Side, CliError> {
    let of_name = |name: &&str| build.built.iter().find(|built| built.name == *name);
    let built = shared.iter().filter_map(of_name);
    let programs =
        built.map(|built| launch(name, built, shared.len() == 1, more)).collect::<Result<_, _>>()?;
    Ok(Side { name: name.to_owned(), programs })
}

fn launch(side: &str, built: &Built, is_only: bool, more: &[OsString]) -> Result<WorkerCommand, CliError> {
    // Of one package alone, its name says nothing.
    let prefix = if is_only { String::new() } else { format!("{}.", built.name) };
    let program = built.program.clone().into_os_string();
    let words = if built.is == Kind::Whole { golang::launcher(program)? } else { vec![program] };
    Ok(WorkerCommand {
        name: format!("{} ({side})", built.name),
        words: [&words, more].concat(),
        layouts: built.layouts.clone(),
        directory: Some(built.home.clone()),
        environment: BTreeMap::from([
            ("CARGO_MANIFEST_DIR".into(), built.home.clone().into_os_string()),
            (golang::PREFIX.into(), prefix.into()),
        ]),
        ..WorkerCommand::default()
    })
}

fn no_programs([old, new]: [&str; 2], [of_old, of_new]: &[Build; 2]) -> String {
    let list = |build: &Build| match build.built.is_empty() && build.others.is_empty() {
        true => "no bench targets".to_owned(),
        false => build
            .programs()
            .map(str::to_owned)
            .chain(build.others.iter().map(|name| format!("{name} (not with evenhand)")))
            .collect::<Vec<_>>()
            .join(", "),
    };
    format!(
        "{old} and {new} share no bench target that is built with the library evenhand: {old} has {}; {new} has {}",
        list(of_old),
        list(of_new)
    )
}

/// The list of what is in a folder of builds: a line `name home` for each program, with `whole` behind it if that is how it is launched;
/// `name` alone for other targets.
const LIST: &str = "list";
const WHOLE: &str = "whole";

/// The file of another layout.
fn layout(name: &str, number: u32) -> String {
    format!("{name}.layout-{number}")
}

pub(super) fn kept(folder: &Path) -> Option<Build> {
    let list = fs::read_to_string(folder.join(LIST)).ok()?;
    let (mut built, mut others) = (Vec::new(), Vec::new());
    for line in list.lines() {
        let mut words = line.split('\t');
        match (words.next(), words.next()) {
            (Some(name), Some(home)) => {
                let layouts = (1..).map(|number| folder.join(layout(name, number)));
                let layouts = layouts.take_while(|layout| layout.is_file()).collect();
                built.push(Built {
                    name: name.to_owned(),
                    program: folder.join(name),
                    layouts,
                    home: home.into(),
                    is: if words.next() == Some(WHOLE) { Kind::Whole } else { Kind::Worker },
                });
            }
            _ => others.push(line.to_owned()),
        }
    }
    Some(Build { folder: folder.to_owned(), built, others })
}

/// Copies the programs to a folder that is there as a whole or not at all.
pub(super) fn keep(folder: &Path, built: &[Built]) -> Result<Build, CliError> {
    let unfinished = folder.with_extension("part");
    let _ = fs::remove_dir_all(&unfinished);
    fs::create_dir_all(&unfinished).map_err(|error| file_error(&unfinished, &error))?;
    let mut list = String::new();
    for built in built {
        let target = unfinished.join(&built.name);
        if built.is != Kind::Unknown || speaks_our_protocol(&built.program)? {
            fs::copy(&built.program, &target).map_err(|error| file_error(&target, &error))?;
            for (number, program) in (1..).zip(&built.layouts) {
                let target = unfinished.join(layout(&built.name, number));
                fs::copy(program, &target).map_err(|error| file_error(&target, &error))?;
            }
            let whole = if built.is == Kind::Whole { format!("\t{WHOLE}") } else { String::new() };
            list += &format!("{}\t{}{whole}\n", built.name, built.home.display());
        } else {
            list += &format!("{}\n", built.name);
        }
    }
    let list_file = unfinished.join(LIST);
    fs::write(&list_file, list).map_err(|error| file_error(&list_file, &error))?;
    // Of files that are built where they are, there is a build from before.
    let _ = fs::remove_dir_all(folder);
    fs::rename(&unfinished, folder).map_err(|error| file_error(folder, &error))?;
    kept(folder).ok_or_else(|| CliError::new(format_args!("{} cannot be read", folder.display())))
}

/// Programs of other harnesses must not be started: they would begin to measure. A worker has the name of our variable in it. A
/// script is taken at its word.
fn speaks_our_protocol(program: &Path) -> Result<bool, CliError> {
    let bytes = fs::read(program).map_err(|error| file_error(program, &error))?;
    let is_script = bytes.starts_with(b"#!");
    Ok(is_script || bytes.windows(VARIABLE.len()).any(|window| window == VARIABLE.as_bytes()))
}

/// A fact worth knowing before any verdict.
fn same_bytes([old, new]: &[Build; 2], shared: &BTreeSet<&str>) -> Result<Option<Note>, CliError> {
    let read = |build: &Build, name: &str| {
        let path = build.folder.join(name);
        fs::read(&path).map_err(|error| file_error(&path, &error))
    };
    let mut programs = Vec::new();
    for name in shared {
        if read(old, name)? == read(new, name)? {
            programs.push((*name).to_owned());
        }
    }
    Ok((!programs.is_empty()).then_some(Note::SameBytes { programs }))
}
