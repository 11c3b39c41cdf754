//! What does a module of Go need? Benchmarks, and nothing else: those of `go test` are taken as they are.
//!
//! Tests: `tests/program/init.rs`.

use super::{Project, Text, files};
use std::fs;
use std::path::Path;

const FILE: &str = "evenhand_test.go";

pub(super) fn look(here: &Path) -> Option<Project> {
    let module = fs::read_to_string(here.join("go.mod")).ok()?;
    let with_benchmarks = files(here, &|name| name.ends_with("_test.go"));
    let count = with_benchmarks.iter().map(|text| text.matches("\nfunc Benchmark").count()).sum::<usize>();
    let writes = if count > 0 { Vec::new() } else { vec![example(here, &module)] };
    Some(Project {
        what: format!("go.mod: a module of Go with {count} benchmark functions"),
        writes,
        first: None,
        now: "evenhand compare --go ./...".to_owned(),
        compared: "",
    })
}

fn example(here: &Path, module: &str) -> Text {
    let text = format!(
        "package {}\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\n\
         // Call a function of yours in the loop.\n\
         func BenchmarkExample(b *testing.B) {{\n\ttext := strings.Repeat(\"a b \", 1000)\n\t\
         for b.Loop() {{\n\t\tstrings.Fields(text)\n\t}}\n}}\n",
        package(here).unwrap_or_else(|| last_of_path(module))
    );
    Text { file: FILE.to_owned(), text }
}

/// The package that the files of the folder belong to.
fn package(here: &Path) -> Option<String> {
    let files = fs::read_dir(here).ok()?.flatten().map(|entry| entry.path());
    let mut texts =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "go")).map(fs::read_to_string);
    texts.find_map(|text| {
        let text = text.ok()?;
        let name = text.lines().find_map(|line| line.strip_prefix("package "))?;
        Some(name.split_whitespace().next()?.to_owned())
    })
}

fn last_of_path(module: &str) -> String {
    let path = module.lines().find_map(|line| line.strip_prefix("module ")).unwrap_or_default();
    let last = path.trim().rsplit('/').next().unwrap_or_default();
    let name: String = last.chars().filter(|letter| letter.is_ascii_alphanumeric()).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { "main".to_owned() }
}
