//! What does a project in Python need? A file of benchmarks.
//!
//! Tests: `tests/program/init.rs`.

use super::{Project, Text};
use std::fs;
use std::path::Path;

const FILE: &str = "bench.py";

const EXAMPLE: &str = "\
import evenhand


@evenhand.bench
def example():
    # Call a function of yours.
    return sorted(range(1000, 0, -1))
";

pub(super) fn look(here: &Path) -> Option<Project> {
    fs::metadata(here.join("pyproject.toml")).ok()?;
    let is_there = here.join(FILE).exists();
    let example = Text { file: FILE.to_owned(), text: EXAMPLE.to_owned() };
    Some(Project {
        what: format!(
            "pyproject.toml: a project in Python, {} {FILE}",
            if is_there { "with" } else { "without" }
        ),
        writes: if is_there { Vec::new() } else { vec![example] },
        first: None,
        now: format!("evenhand bench {FILE}"),
        compared: " bench.py",
    })
}
