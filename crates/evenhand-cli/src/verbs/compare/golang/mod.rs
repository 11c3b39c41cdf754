//! How are Go's benchmarks built, so that they serve a host? As test binaries, with a package `testing` to which a worker is added
//! (`worker.go`) and in which a few places call it ([`CALLS`]). Benchmarks stay as they are. `go test -overlay` puts the changed files in the
//! place of the toolchain's, so nothing is written there.
//!
//! Tests: below, and `tests/program/golang.rs`.

pub(crate) mod launcher;

pub(super) use launcher::launcher;

use super::arguments::Arguments;
use super::cargo::{Built, Kind, run};
use super::repository::file_error;
use super::site::Site;
use crate::{CliError, Stage};
use evenhand_report::message::Message;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(super) const WORKER: &str = include_str!("worker.go");

/// The variable with what stands before the names of a program's benchmarks.
pub(super) const PREFIX: &str = "EVENHAND_GO_PREFIX";

/// In a file of the package `testing`: what stands there, how often, and what takes its place.
type Call = (&'static str, &'static str, usize, &'static str);

const CALLS: [Call; 12] = [
    (
        "testing.go",
        "\tif !flag.Parsed() {\n\t\tflag.Parse()\n\t}\n\n\tif chatty.json {",
        1,
        "\tif !flag.Parsed() {\n\t\tflag.Parse()\n\t}\n\tevenhandBegin()\n\n\tif chatty.json {",
    ),
    ("benchmark.go", "runtime.ReadMemStats(&memStats)", 3, "evenhandReadMemStats(&memStats)"),
    (
        "benchmark.go",
        "\tmain.runN(1)\n\treturn !main.failed\n",
        1,
        "\tif evenhandServing() {\n\t\treturn evenhandServe(main)\n\t}\n\tmain.runN(1)\n\treturn !main.failed\n",
    ),
    (
        "benchmark.go",
        "\tvar pc [maxStackLen]uintptr\n\tn := runtime.Callers(2, pc[:])\n\tsub := &B{",
        1,
        "\tif !evenhandWants(benchName) {\n\t\treturn true\n\t}\n\tvar pc [maxStackLen]uintptr\n\tn := runtime.Callers(2, pc[:])\n\tsub := &B{",
    ),
    (
        "benchmark.go",
        "\tif sub.run1() {\n\t\tsub.run()\n\t}\n",
        1,
        "\tif sub.run1() {\n\t\tsub.run()\n\t} else {\n\t\tevenhandLeft(sub)\n\t}\n",
    ),
    (
        "benchmark.go",
        "\t\tb.bstate.processBench(b) // Must call doBench.\n",
        1,
        "\t\tif evenhandServing() {\n\t\t\tb.doBench()\n\t\t} else {\n\t\t\tb.bstate.processBench(b)\n\t\t}\n",
    ),
    (
        "benchmark.go",
        "\t// b.Loop does its own ramp-up logic so we just need to run it once.\n",
        1,
        "\tif evenhandServing() {\n\t\tevenhandLaunch(b)\n\t\treturn\n\t}\n",
    ),
    (
        "benchmark.go",
        "\t\tb.N = 0\n\t\tb.ResetTimer()\n",
        1,
        "\t\tb.N = 0\n\t\tevenhandFirst()\n\t\tb.ResetTimer()\n",
    ),
    (
        "benchmark.go",
        "\tif !more {\n\t\tb.StopTimer()\n",
        1,
        "\tif !more {\n\t\tb.StopTimer()\n\t\tevenhandAfter()\n",
    ),
    (
        "benchmark.go",
        "\tnumProcs := b.parallelism * runtime.GOMAXPROCS(0)\n",
        1,
        "\tnumProcs := b.parallelism * runtime.GOMAXPROCS(0)\n\tevenhandThreads(numProcs)\n",
    ),
    (
        "benchmark.go",
        "\truntime.GC()\n\tb.resetRaces()\n",
        1,
        "\tif !evenhandServing() {\n\t\truntime.GC()\n\t}\n\tb.resetRaces()\n",
    ),
    (
        "benchmark.go",
        "\tb.ResetTimer()\n\tb.StartTimer()\n\tb.benchFunc(b)\n\tb.StopTimer()\n",
        1,
        "\tevenhandBefore()\n\tb.ResetTimer()\n\tb.StartTimer()\n\tevenhandCall(b)\n\tb.StopTimer()\n\tevenhandAfter()\n",
    ),
];

/// Whether what is nearest to a folder is a module of Go, and not a package of Rust.
pub(super) fn is_module(folder: &Path, top: &Path) -> bool {
    let within = folder.ancestors().take_while(|folder| folder.starts_with(top));
    let mut nearest = within.filter_map(|folder| {
        let has = |file: &str| folder.join(file).is_file();
        (has("go.mod") || has("Cargo.toml")).then(|| !has("Cargo.toml"))
    });
    nearest.next().unwrap_or(false)
}

/// What `go list` says of a package.
#[derive(Debug, PartialEq, Eq)]
struct Package {
    path: String,
    /// The path of its module; nothing for the standard library.
    module: String,
    folder: PathBuf,
    tests: Vec<String>,
}

/// The words behind `-args`, which are for the benchmarks themselves.
pub(super) fn words_for_tests(arguments: &Arguments) -> &[OsString] {
    let place = arguments.commands.iter().position(|word| word == "-args");
    place.map_or(&[], |place| &arguments.commands[place + 1..])
}

/// Builds a test binary of each package that has benchmarks.
pub(super) fn build(site: &Site<'_>, stage: &mut Stage<'_>) -> Result<Vec<Built>, CliError> {
    refuse_options_of_rust(site.arguments)?;
    let toolchain = Toolchain::of(site)?;
    let overlay = overlay(&toolchain, site, stage)?;
    let (flags, packages) = flags_and_packages(site.arguments);
    let about = "{{.ImportPath}}\t{{with .Module}}{{.Path}}{{end}}\t{{.Dir}}\t{{join .TestGoFiles \"\t\"}}\t{{join .XTestGoFiles \"\t\"}}";
    let list = [&["list".as_ref(), "-f".as_ref(), about.as_ref()], flags.as_slice(), &packages].concat();
    let listed = answer_of(site, &list)?;
    let packages: Vec<Package> = listed.lines().filter_map(package).filter(has_benchmarks).collect();
    let mut built = Vec::new();
    for (package, name) in packages.iter().zip(names(&packages)) {
        let program = site.place.join("go").join(format!("{name}.test"));
        let mut go = toolchain.go();
        go.args(["test", "-c", "-trimpath", "-o"]).arg(&program);
        if let Some(overlay) = &overlay {
            go.arg("-overlay").arg(overlay);
        }
        go.args(&flags).arg(&package.path);
        run(go, site, stage)?;
        let is = if overlay.is_some() { Kind::Worker } else { Kind::Whole };
        let home = site.home(&package.folder);
        built.push(Built { name, program, layouts: Vec::new(), home, is });
    }
    Ok(built)
}

/// The flags of go, and the packages: those of `--go` and the other words behind `--`; all, if none are named.
fn flags_and_packages(arguments: &Arguments) -> (Vec<&OsStr>, Vec<&OsStr>) {
    let words = arguments.commands.iter().take_while(|word| *word != "-args").map(OsString::as_os_str);
    let (flags, named): (Vec<_>, Vec<_>) = words.partition(|word| word.as_encoded_bytes().starts_with(b"-"));
    let packages: Vec<_> = arguments.go.iter().map(OsString::as_os_str).chain(named).collect();
    (flags, if packages.is_empty() { vec![OsStr::new("./...")] } else { packages })
}

fn refuse_options_of_rust(arguments: &Arguments) -> Result<(), CliError> {
    let given = [("--layouts", arguments.layouts.is_some()), ("--no-align", arguments.no_align)];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(CliError::new(format_args!("{option} is for Rust, and this is a module of Go")))
        }
        None => Ok(()),
    }
}

fn package(line: &str) -> Option<Package> {
    let mut words = line.split('\t').map(str::to_owned);
    let (path, module, folder) = (words.next()?, words.next()?, PathBuf::from(words.next()?));
    Some(Package { path, module, folder, tests: words.filter(|word| !word.is_empty()).collect() })
}

fn has_benchmarks(package: &Package) -> bool {
    package.tests.iter().any(|file| {
        fs::read_to_string(package.folder.join(file)).is_ok_and(|text| text.contains("func Benchmark"))
    })
}

/// What each package is called: as short as possible, unless two modules have packages of the same name.
fn names(packages: &[Package]) -> Vec<String> {
    let short: Vec<String> = packages.iter().map(|package| name(&package.path, &package.module)).collect();
    let are_different = short.iter().collect::<BTreeSet<_>>().len() == short.len();
    if are_different { short } else { packages.iter().map(|package| name(&package.path, "")).collect() }
}

/// `sub.pkg` of `example.com/module/sub/pkg`, `module` of the module itself.
fn name(path: &str, module: &str) -> String {
    let below = path.strip_prefix(module).map_or(path, |below| below.trim_start_matches('/'));
    let last = path.rsplit('/').next().unwrap_or(path);
    if below.is_empty() { last.to_owned() } else { below.replace('/', ".") }
}

/// Asks go. What it complains of is the user's to read.
fn answer_of(site: &Site<'_>, words: &[&OsStr]) -> Result<String, CliError> {
    let mut go = Command::new("go");
    go.args(words).current_dir(site.here()).envs(&site.variables.0).stdin(Stdio::null());
    let output = go.output().map_err(|error| {
        CliError::with_hint(
            format_args!("go, which builds the benchmarks of this module, could not be started: {error}"),
            "install Go, or put its folder into PATH",
        )
    })?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(CliError::new(format_args!("go {} failed: {}", words_of(&go), words.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn words_of(command: &Command) -> String {
    command.get_args().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
struct Overlay {
    #[serde(rename = "Replace")]
    replace: BTreeMap<PathBuf, PathBuf>,
}

/// The toolchain that builds here.
struct Toolchain {
    version: String,
    root: PathBuf,
    /// Whether `root` is a link of ours, because go replaces no file of a toolchain that it has downloaded.
    is_linked: bool,
}

impl Toolchain {
    fn of(site: &Site<'_>) -> Result<Self, CliError> {
        let answer = answer_of(site, &["env", "GOVERSION", "GOROOT", "GOMODCACHE"].map(OsStr::new))?;
        let mut lines = answer.lines().map(str::to_owned);
        let (version, root) =
            (lines.next().unwrap_or_default(), PathBuf::from(lines.next().unwrap_or_default()));
        let is_linked = lines.next().is_some_and(|cache| !cache.is_empty() && root.starts_with(cache));
        if !is_linked {
            return Ok(Self { version, root, is_linked });
        }
        let link = site.place.join("go").join(format!("root-{version}"));
        fs::create_dir_all(site.place.join("go")).map_err(|error| file_error(&link, &error))?;
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&root, &link).map_err(|error| file_error(&link, &error))?;
        Ok(Self { version, root: link, is_linked })
    }

    fn go(&self) -> Command {
        if !self.is_linked {
            return Command::new("go");
        }
        let mut go = Command::new(self.root.join("bin").join("go"));
        go.env("GOROOT", &self.root).env("GOTOOLCHAIN", "local");
        go
    }
}

/// Writes the changed package for a toolchain. Answers the file that names its parts, or nothing, if the package testing of this release is
/// not known.
fn overlay(
    toolchain: &Toolchain,
    site: &Site<'_>,
    stage: &mut Stage<'_>,
) -> Result<Option<PathBuf>, CliError> {
    let Toolchain { version, root, .. } = toolchain;
    let testing = root.join("src").join("testing");
    let Some(mut files) = changed(&testing)? else {
        stage.err.say(&Message::warning(format_args!(
            "the package testing of {version} is not known here: each turn starts its test binary anew, which takes longer; Go 1.25 and 1.26 are known"
        )))?;
        return Ok(None);
    };
    files.push(("evenhand.go", WORKER.to_owned()));
    let folder = site.place.join("go").join(version);
    fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error))?;
    let mut replace = BTreeMap::new();
    for (name, text) in files {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| file_error(&file, &error))?;
        replace.insert(testing.join(name), file);
    }
    let list = folder.join("overlay.json");
    let text = serde_json::to_string(&Overlay { replace }).map_err(CliError::new)?;
    fs::write(&list, text).map_err(|error| file_error(&list, &error))?;
    Ok(Some(list))
}

/// The files of the package testing with our calls. `None`: they are not the files that we know.
fn changed(testing: &Path) -> Result<Option<Vec<(&'static str, String)>>, CliError> {
    let change = |name: &'static str| {
        let theirs = testing.join(name);
        let text = fs::read_to_string(&theirs).map_err(|error| file_error(&theirs, &error))?;
        Ok(with_calls(name, text).map(|text| (name, text)))
    };
    ["testing.go", "benchmark.go"].into_iter().map(change).collect()
}

/// `None`: it is not the file that we know.
fn with_calls(name: &str, text: String) -> Option<String> {
    let mut calls = CALLS.iter().filter(|(file, ..)| *file == name);
    calls.try_fold(text, |text, (_, theirs, count, ours)| {
        (text.matches(theirs).count() == *count).then(|| text.replace(theirs, ours))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_called_by_what_is_below_the_module() {
        assert_eq!(name("example.com/m/sub/pkg", "example.com/m"), "sub.pkg");
        assert_eq!(name("example.com/m", "example.com/m"), "m");
        assert_eq!(name("encoding/json", ""), "encoding.json");
    }

    #[test]
    fn packages_of_two_modules_are_told_apart() {
        let package = |line: &str| package(line).unwrap();
        let packages = [package("a.com/one/sub\ta.com/one\t/one/sub"), package("b.com/sub\tb.com\t/two/sub")];
        assert_eq!(names(&packages), ["a.com.one.sub", "b.com.sub"]);
        assert_eq!(names(&packages[..1]), ["sub"]);
    }

    #[test]
    fn another_package_testing_is_refused_and_not_half_changed() {
        let once = "\t\tb.N = 0\n\t\tb.ResetTimer()\n";
        assert_eq!(with_calls("benchmark.go", once.to_owned()), None);
        assert_eq!(with_calls("testing.go", "package testing\n".to_owned()), None);
    }
}
