//! How are Go's benchmarks built, so that they serve a host? As test binaries, with a package `testing` to which a worker is added
//! (`worker.go`) and in which a few places call it ([`CALLS`]). Benchmarks stay as they are. `go test -overlay` puts the changed files in the
//! place of the toolchain's, so nothing is written there.
//!
//! Tests: below, and `tests/program/golang.rs`.

use super::arguments::Arguments;
use super::cargo::{Built, run};
use super::repository::{Repository, told};
use crate::{CliError, Stage};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const WORKER: &str = include_str!("worker.go");

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
        "\tevenhandBefore()\n\tb.ResetTimer()\n\tb.StartTimer()\n\tb.benchFunc(b)\n\tb.StopTimer()\n\tevenhandAfter()\n",
    ),
];

/// What can be done about a toolchain that is not known.
const INSTEAD: &str = "run the benchmarks of both sides by `go test -bench . -count 20`, and compare the files: evenhand analyze old.txt new.txt";

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
    folder: PathBuf,
    tests: Vec<String>,
}

/// Builds a test binary of each package that has benchmarks.
pub(super) fn build(
    arguments: &Arguments,
    repository: &Repository,
    stage: &mut Stage<'_>,
) -> Result<Vec<Built>, CliError> {
    refuse_options_of_rust(arguments)?;
    let here = repository.files().join(&repository.below);
    let overlay = overlay(&here, repository)?;
    let (flags, packages): (Vec<&OsStr>, Vec<&OsStr>) = arguments
        .commands
        .iter()
        .map(|word| word.as_os_str())
        .partition(|word| word.as_encoded_bytes().starts_with(b"-"));
    let packages = if packages.is_empty() { vec![OsStr::new("./...")] } else { packages };
    let module = asked(&here, &["list", "-m", "-f", "{{.Path}}"].map(OsStr::new))?;
    let module = module.lines().next().unwrap_or_default();
    let about = "{{.ImportPath}}\t{{.Dir}}\t{{join .TestGoFiles \"\\t\"}}\t{{join .XTestGoFiles \"\\t\"}}";
    let list =
        [&["list".as_ref(), "-f".as_ref(), about.as_ref()], flags.as_slice(), packages.as_slice()].concat();
    let mut built = Vec::new();
    for package in asked(&here, &list)?.lines().filter_map(package).filter(has_benchmarks) {
        let name = name(&package.path, module);
        let program = repository.place.join("go").join(format!("{name}.test"));
        let mut go = Command::new("go");
        go.args(["test", "-c", "-trimpath", "-overlay"]).arg(&overlay).arg("-o").arg(&program);
        go.args(&flags).arg(&package.path);
        run(go, arguments, repository, stage)?;
        let home = match package.folder.strip_prefix(repository.files()) {
            Ok(below) => repository.top.join(below),
            Err(_) => package.folder,
        };
        built.push(Built { name, program, layouts: Vec::new(), home });
    }
    Ok(built)
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
    let mut words = line.split('\t');
    let (path, folder) = (words.next()?.to_owned(), PathBuf::from(words.next()?));
    Some(Package { path, folder, tests: words.filter(|word| !word.is_empty()).map(str::to_owned).collect() })
}

fn has_benchmarks(package: &Package) -> bool {
    package.tests.iter().any(|file| {
        fs::read_to_string(package.folder.join(file)).is_ok_and(|text| text.contains("func Benchmark"))
    })
}

/// `sub.pkg` of `example.com/module/sub/pkg`, `module` of the module itself.
fn name(path: &str, module: &str) -> String {
    let below = path.strip_prefix(module).map(|below| below.trim_start_matches('/'));
    let below = below.filter(|below| !below.is_empty());
    let last = || path.rsplit('/').next().unwrap_or(path);
    below.unwrap_or_else(last).replace('/', ".")
}

/// Asks go. What it complains of is the user's to read.
fn asked(here: &Path, words: &[&OsStr]) -> Result<String, CliError> {
    let mut go = Command::new("go");
    go.args(words).current_dir(here).stdin(Stdio::null());
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

/// Writes the changed package for the toolchain that builds here. Answers the file that names its parts.
fn overlay(here: &Path, repository: &Repository) -> Result<PathBuf, CliError> {
    let said = asked(here, &["env", "GOVERSION", "GOROOT"].map(OsStr::new))?;
    let mut lines = said.lines();
    let (version, root) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let testing = Path::new(root).join("src").join("testing");
    let folder = repository.place.join("go").join(version);
    fs::create_dir_all(&folder).map_err(|error| told(&folder, &error))?;
    let mut replace = BTreeMap::new();
    let mut put = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, text).map_err(|error| told(&file, &error))?;
        replace.insert(testing.join(name), file);
        Ok::<(), CliError>(())
    };
    for name in ["testing.go", "benchmark.go"] {
        let theirs = testing.join(name);
        let text = fs::read_to_string(&theirs).map_err(|error| told(&theirs, &error))?;
        let Some(text) = with_calls(name, text) else {
            return Err(CliError::with_hint(
                format_args!("{version} is a release of Go whose package testing is not known here"),
                INSTEAD,
            ));
        };
        put(name, &text)?;
    }
    put("evenhand.go", WORKER)?;
    let list = folder.join("overlay.json");
    let text = serde_json::to_string(&Overlay { replace }).map_err(CliError::new)?;
    fs::write(&list, text).map_err(|error| told(&list, &error))?;
    Ok(list)
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
        assert_eq!(name("strings", "std"), "strings");
        assert_eq!(name("encoding/json", "std"), "json");
    }

    #[test]
    fn another_package_testing_is_refused_and_not_half_changed() {
        let once = "\t\tb.N = 0\n\t\tb.ResetTimer()\n";
        assert_eq!(with_calls("benchmark.go", once.to_owned()), None);
        assert_eq!(with_calls("testing.go", "package testing\n".to_owned()), None);
    }
}
