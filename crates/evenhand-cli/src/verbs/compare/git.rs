//! Which revisions are compared, and how are they built? Both in the same folder, one after the other, with the same flags and
//! versions: so that code that did not change becomes the same bytes. What was built is kept for the next time.

use super::arguments::Arguments;
use super::builds::{self, Build, keep, kept};
use super::cargo;
use super::golang;
use super::repository::{Repository, Tree, file_error, fingerprint};
use super::side::Sides;
use super::site::{Site, Variables, names};
use crate::{CliError, Stage};
use evenhand_report::message::Message;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many builds are kept for a repository.
const KEPT: usize = 12;

pub(crate) fn sides(
    arguments: &Arguments,
    revisions: &str,
    variables: &[Variables; 2],
    filters: Vec<String>,
    stage: &mut Stage<'_>,
) -> Result<Sides, CliError> {
    let (repository, lock) = locked(stage)?;
    let trees = trees(&repository, revisions)?;
    if variables[0] == variables[1] {
        refuse_identical(&trees)?;
    }
    let names = names(trees.each_ref().map(|tree| tree.name.as_str()), variables);
    let mut built = |side: usize| {
        let site = Site::of_repository(&repository, arguments, &variables[side]);
        build(&repository, &trees[side], &names[side], &site, stage)
    };
    let builds = [built(0)?, built(1)?];
    forget_old_builds(&repository, &builds);
    drop(lock);
    builds::sides(names.each_ref().map(String::as_str), &builds, filters, arguments)
}

/// The repository around the current folder, of which nobody else builds or writes a tree until the lock is dropped.
pub(crate) fn locked(stage: &mut Stage<'_>) -> Result<(Repository, File), CliError> {
    let repository = Repository::here(&cache()?)?;
    fs::create_dir_all(&repository.place).map_err(|error| file_error(&repository.place, &error))?;
    let lock = lock(&repository.place, stage)?;
    Ok((repository, lock))
}

/// `main`: that against the work tree. `v1..v2`: one against the other. `main...topic`: `topic` against where it left `main`. As in
/// git, nothing on a side of the dots is HEAD.
pub(crate) fn trees(repository: &Repository, revisions: &str) -> Result<[Tree; 2], CliError> {
    Ok(if let Some((ours, theirs)) = revisions.split_once("...") {
        let (ours, theirs) = (or_head(ours), or_head(theirs));
        [repository.merge_base(ours, theirs)?, repository.revision(theirs)?]
    } else if let Some((old, new)) = revisions.split_once("..") {
        [repository.revision(or_head(old))?, repository.revision(or_head(new))?]
    } else {
        [repository.revision(revisions)?, repository.work_tree()?]
    })
}

/// The same files on both sides, which nothing else tells apart.
pub(crate) fn refuse_identical([old, new]: &[Tree; 2]) -> Result<(), CliError> {
    if old.id == new.id {
        return Err(CliError::new(format_args!(
            "{} and {} are identical, so there is nothing to compare. To compare with the commit before: --git HEAD~",
            old.name, new.name
        )));
    }
    Ok(())
}

fn or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}

fn build(
    repository: &Repository,
    tree: &Tree,
    name: &str,
    site: &Site<'_>,
    stage: &mut Stage<'_>,
) -> Result<Build, CliError> {
    let folder = repository.place.join("builds").join(key(tree, site));
    if let Some(kept) = kept(&folder) {
        // The newest are kept.
        let _ = File::open(&folder).and_then(|folder| folder.set_modified(std::time::SystemTime::now()));
        return Ok(kept);
    }
    say_building(name, site, stage)?;
    repository.check_out(tree)?;
    let built = match (&site.arguments.build, &site.arguments.exe) {
        (Some(command), Some(program)) => cargo::build_by(command, program, site, stage),
        _ if is_go(site) => golang::build(site, stage),
        _ => cargo::build(site, stage),
    };
    keep(&folder, &blamed(built, name, stage)?)
}

pub(super) fn say_building(name: &str, site: &Site<'_>, stage: &mut Stage<'_>) -> Result<(), CliError> {
    match site.arguments.telling.quiet {
        true => Ok(()),
        false => Ok(stage.err.say(&Message::note(format_args!("building {name}")))?),
    }
}

/// Says which side it was that could not be built, behind the compiler's own words.
pub(super) fn blamed<T>(
    built: Result<T, CliError>,
    name: &str,
    stage: &mut Stage<'_>,
) -> Result<T, CliError> {
    if matches!(built, Err(CliError::AlreadyReported)) {
        stage.err.say(&Message::error(format_args!("{name} cannot be compared")))?;
    }
    built
}

/// Whether the user asked for Go, or the folder belongs to a module of Go.
fn is_go(site: &Site<'_>) -> bool {
    !site.arguments.go.is_empty() || golang::is_module(&site.top.join(&site.below), &site.top)
}

/// Another tree, other options, another compiler or other flags make another build.
fn key(tree: &Tree, site: &Site<'_>) -> String {
    let Site { arguments, variables, .. } = site;
    let [compiler, question] = if is_go(site) { ["go", "version"] } else { ["rustc", "-vV"] };
    let version = Command::new(compiler).arg(question).envs(&variables.0).output();
    let version = version.map(|output| output.stdout).unwrap_or_default();
    let mut all = OsString::from(String::from_utf8_lossy(&version).into_owned());
    if is_go(site) {
        all.push(golang::WORKER);
    }
    for variable in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CFLAGS",
        "CXXFLAGS",
        "CC",
        "CXX",
        "RUSTUP_TOOLCHAIN",
        "GOFLAGS",
        "GOAMD64",
        "GOTOOLCHAIN",
        "GOEXPERIMENT",
        "CGO_ENABLED",
    ] {
        all.push("\n");
        all.push(std::env::var_os(variable).unwrap_or_default());
    }
    for words in variables.words() {
        all.push("\n");
        all.push(words);
    }
    let exe = arguments.exe.clone().unwrap_or_default().into_os_string();
    let build = arguments.build.clone().unwrap_or_default();
    for option in arguments.commands.iter().chain(&arguments.go).chain([&build, &exe]) {
        all.push("\n");
        all.push(option);
    }
    all.push(arguments.layouts.map(|count| format!("\n{count} layouts")).unwrap_or_default());
    all.push(if arguments.no_align { "\nas they are" } else { "\naligned" });
    all.push(std::env::current_dir().unwrap_or_default());
    format!("{}-{:016x}", tree.id, fingerprint(&all))
}

fn forget_old_builds(repository: &Repository, used: &[Build; 2]) {
    forget_old(
        &repository.place.join("builds"),
        &used.each_ref().map(|build| build.folder.as_path()),
        |path| {
            // It is only a cache.
            let _ = fs::remove_dir_all(path);
        },
    );
}

/// Lets go of the oldest folders here, but of none that is used.
pub(super) fn forget_old(folder: &Path, used: &[&Path; 2], forget: impl Fn(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut folders: Vec<_> = entries
        .flatten()
        .filter(|entry| used.iter().all(|used| *used != entry.path()))
        .filter_map(|entry| Some((entry.metadata().ok()?, entry.path())))
        .filter(|(found, _)| found.is_dir())
        .filter_map(|(found, path)| Some((found.modified().ok()?, path)))
        .collect();
    folders.sort();
    let spare = folders.len().saturating_sub(KEPT - used.len());
    folders[..spare].iter().for_each(|(_, path)| forget(path));
}

/// Two at a time would check out over each other.
pub(super) fn lock(place: &Path, stage: &mut Stage<'_>) -> Result<File, CliError> {
    let path = place.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| file_error(&path, &error))?;
    if file.try_lock().is_err() {
        stage.err.say(&Message::note("waiting for another evenhand that is building here"))?;
        file.lock().map_err(|error| file_error(&path, &error))?;
    }
    Ok(file)
}

/// `$XDG_CACHE_HOME/evenhand`, or `~/.cache/evenhand`.
pub(super) fn cache() -> Result<PathBuf, CliError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("evenhand"))
        .ok_or_else(|| CliError::new("no folder for builds: set XDG_CACHE_HOME or HOME"))
}
