//! Which revisions are compared, and how are they built? Both in the same folder, one after the other, with the same flags and
//! versions: so that code that did not change becomes the same bytes. What was built is kept for the next time.

use super::arguments::Arguments;
use super::cargo::{self, Built};
use super::golang;
use super::repository::{Repository, Tree, fingerprint, told};
use super::sides::{Side, Sides};
use crate::{CliError, Stage};
use evenhand_measure::worker::{VARIABLE, WorkerCommand};
use evenhand_report::message::Message;
use evenhand_trial::Note;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// So many builds are kept for a repository.
const KEPT: usize = 12;

pub(crate) fn sides(
    arguments: &Arguments,
    revisions: &str,
    filters: Vec<String>,
    stage: &mut Stage<'_>,
) -> Result<Sides, CliError> {
    let (repository, lock) = locked(stage)?;
    let [old, new] = trees(&repository, revisions)?;
    let builds = [build(&repository, &old, arguments, stage)?, build(&repository, &new, arguments, stage)?];
    forget_old_builds(&repository, &builds);
    drop(lock);
    let [of_old, of_new] = &builds;
    let shared = of_old.shared_with(of_new);
    if shared.is_empty() {
        return Err(CliError::new(no_programs(&old, of_old, &new, of_new)));
    }
    let notes = same_bytes(&builds, &shared)?.into_iter().collect();
    let sides = [side(&old, of_old, &shared), side(&new, of_new, &shared)];
    Ok(Sides { sides, filters, notes })
}

/// The repository around the current folder, of which nobody else builds or writes a tree until the lock is dropped.
pub(crate) fn locked(stage: &mut Stage<'_>) -> Result<(Repository, File), CliError> {
    let repository = Repository::here(&cache()?)?;
    fs::create_dir_all(&repository.place).map_err(|error| told(&repository.place, &error))?;
    let lock = lock(&repository, stage)?;
    Ok((repository, lock))
}

/// The shared programs of a tree, in the order of their names.
fn side(tree: &Tree, build: &Build, shared: &BTreeSet<&str>) -> Side {
    let of_name = |name: &&str| build.built.iter().find(|built| built.name == *name);
    let programs =
        shared.iter().filter_map(of_name).map(|built| launch(tree, built, shared.len() == 1)).collect();
    Side { name: tree.name.clone(), programs }
}

fn launch(tree: &Tree, built: &Built, is_only: bool) -> WorkerCommand {
    // Of one package alone, its name says nothing.
    let prefix = if is_only { String::new() } else { format!("{}.", built.name) };
    WorkerCommand {
        name: format!("{} ({})", built.name, tree.name),
        words: vec![built.program.clone().into_os_string()],
        layouts: built.layouts.clone(),
        directory: Some(built.home.clone()),
        environment: BTreeMap::from([
            ("CARGO_MANIFEST_DIR".into(), built.home.clone().into_os_string()),
            (golang::PREFIX.into(), prefix.into()),
        ]),
        ..WorkerCommand::default()
    }
}

fn no_programs(old: &Tree, of_old: &Build, new: &Tree, of_new: &Build) -> String {
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
        "{} and {} share no bench target that is built with the library evenhand: {} has {}; {} has {}",
        old.name,
        new.name,
        old.name,
        list(of_old),
        new.name,
        list(of_new)
    )
}

/// `main`: that against the work tree. `v1..v2`: one against the other. `main...topic`: `topic` against where it left `main`. As in
/// git, nothing on a side of the dots is HEAD.
pub(crate) fn trees(repository: &Repository, revisions: &str) -> Result<[Tree; 2], CliError> {
    let [old, new] = if let Some((ours, theirs)) = revisions.split_once("...") {
        let (ours, theirs) = (or_head(ours), or_head(theirs));
        [repository.merge_base(ours, theirs)?, repository.revision(theirs)?]
    } else if let Some((old, new)) = revisions.split_once("..") {
        [repository.revision(or_head(old))?, repository.revision(or_head(new))?]
    } else {
        [repository.revision(revisions)?, repository.work_tree()?]
    };
    if old.id == new.id {
        return Err(CliError::new(format_args!(
            "{} and {} are identical, so there is nothing to compare. To compare with the commit before: --git HEAD~",
            old.name, new.name
        )));
    }
    Ok([old, new])
}

fn or_head(name: &str) -> &str {
    if name.is_empty() { "HEAD" } else { name }
}

/// What was built of a tree.
#[derive(Debug)]
struct Build {
    folder: PathBuf,
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

fn build(
    repository: &Repository,
    tree: &Tree,
    arguments: &Arguments,
    stage: &mut Stage<'_>,
) -> Result<Build, CliError> {
    let folder = repository.place.join("builds").join(key(repository, tree, arguments));
    if let Some(kept) = kept(&folder) {
        // The newest are kept.
        let _ = File::open(&folder).and_then(|folder| folder.set_modified(std::time::SystemTime::now()));
        return Ok(kept);
    }
    if !arguments.telling.quiet {
        stage.err.say(&Message::note(format_args!("building {}", tree.name)))?;
    }
    repository.check_out(tree)?;
    let built = match (&arguments.build, &arguments.exe) {
        (Some(command), Some(program)) => cargo::build_by(command, program, arguments, repository, stage),
        _ if is_go(repository) => golang::build(arguments, repository, stage),
        _ => cargo::build(arguments, repository, stage),
    };
    if matches!(built, Err(CliError::AlreadyReported)) {
        stage.err.say(&Message::error(format_args!("{} cannot be compared", tree.name)))?;
    }
    keep(&folder, &built?)
}

/// Whether the user's folder belongs to a module of Go.
fn is_go(repository: &Repository) -> bool {
    golang::is_module(&repository.top.join(&repository.below), &repository.top)
}

/// Another tree, other options, another compiler or other flags make another build.
fn key(repository: &Repository, tree: &Tree, arguments: &Arguments) -> String {
    let [compiler, question] = if is_go(repository) { ["go", "version"] } else { ["rustc", "-vV"] };
    let version =
        Command::new(compiler).arg(question).output().map(|output| output.stdout).unwrap_or_default();
    let mut all = OsString::from(String::from_utf8_lossy(&version).into_owned());
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
    let exe = arguments.exe.clone().unwrap_or_default().into_os_string();
    for option in arguments.commands.iter().chain([&arguments.build.clone().unwrap_or_default(), &exe]) {
        all.push("\n");
        all.push(option);
    }
    all.push(arguments.layouts.map(|count| format!("\n{count} layouts")).unwrap_or_default());
    all.push(if arguments.no_align { "\nas they are" } else { "\naligned" });
    all.push(std::env::current_dir().unwrap_or_default());
    format!("{}-{:016x}", tree.id, fingerprint(&all))
}

/// The list of what is in a folder of builds: a line `name home` for each program, `name` alone for other targets.
const LIST: &str = "list";

/// The file of another layout.
fn layout(name: &str, number: u32) -> String {
    format!("{name}.layout-{number}")
}

fn kept(folder: &Path) -> Option<Build> {
    let list = fs::read_to_string(folder.join(LIST)).ok()?;
    let (mut built, mut others) = (Vec::new(), Vec::new());
    for line in list.lines() {
        match line.split_once('\t') {
            Some((name, home)) => {
                let layouts = (1..).map(|number| folder.join(layout(name, number)));
                let layouts = layouts.take_while(|layout| layout.is_file()).collect();
                built.push(Built {
                    name: name.to_owned(),
                    program: folder.join(name),
                    layouts,
                    home: home.into(),
                });
            }
            None => others.push(line.to_owned()),
        }
    }
    Some(Build { folder: folder.to_owned(), built, others })
}

/// Copies the programs to a folder that is there as a whole or not at all.
fn keep(folder: &Path, built: &[Built]) -> Result<Build, CliError> {
    let unfinished = folder.with_extension("part");
    let _ = fs::remove_dir_all(&unfinished);
    fs::create_dir_all(&unfinished).map_err(|error| told(&unfinished, &error))?;
    let mut list = String::new();
    for built in built {
        let target = unfinished.join(&built.name);
        if speaks_our_protocol(&built.program)? {
            fs::copy(&built.program, &target).map_err(|error| told(&target, &error))?;
            for (number, program) in (1..).zip(&built.layouts) {
                let target = unfinished.join(layout(&built.name, number));
                fs::copy(program, &target).map_err(|error| told(&target, &error))?;
            }
            list += &format!("{}\t{}\n", built.name, built.home.display());
        } else {
            list += &format!("{}\n", built.name);
        }
    }
    let list_file = unfinished.join(LIST);
    fs::write(&list_file, list).map_err(|error| told(&list_file, &error))?;
    fs::rename(&unfinished, folder).map_err(|error| told(folder, &error))?;
    kept(folder).ok_or_else(|| CliError::new(format_args!("{} cannot be read", folder.display())))
}

/// Programs of other harnesses must not be started: they would begin to measure. A worker has the name of our variable in it. A
/// script is taken at its word.
fn speaks_our_protocol(program: &Path) -> Result<bool, CliError> {
    let bytes = fs::read(program).map_err(|error| told(program, &error))?;
    let is_script = bytes.starts_with(b"#!");
    Ok(is_script || bytes.windows(VARIABLE.len()).any(|window| window == VARIABLE.as_bytes()))
}

/// A fact worth knowing before any verdict.
fn same_bytes([old, new]: &[Build; 2], shared: &BTreeSet<&str>) -> Result<Option<Note>, CliError> {
    let read = |build: &Build, name: &str| {
        let path = build.folder.join(name);
        fs::read(&path).map_err(|error| told(&path, &error))
    };
    let mut programs = Vec::new();
    for name in shared {
        if read(old, name)? == read(new, name)? {
            programs.push((*name).to_owned());
        }
    }
    Ok((!programs.is_empty()).then_some(Note::SameBytes { programs }))
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
fn lock(repository: &Repository, stage: &mut Stage<'_>) -> Result<File, CliError> {
    let path = repository.place.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| told(&path, &error))?;
    if file.try_lock().is_err() {
        stage.err.say(&Message::note("waiting for another evenhand that is building here"))?;
        file.lock().map_err(|error| told(&path, &error))?;
    }
    Ok(file)
}

/// `$XDG_CACHE_HOME/evenhand`, or `~/.cache/evenhand`.
fn cache() -> Result<PathBuf, CliError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("evenhand"))
        .ok_or_else(|| CliError::new("no folder for builds: set XDG_CACHE_HOME or HOME"))
}
