//! What does a crate need? The library evenhand, and a bench target that uses it.
//!
//! Tests: `tests/program/init.rs`.

use super::{Project, Text, files};
use std::fs;
use std::path::Path;

const FILE: &str = "benches/evenhand.rs";

const EXAMPLE: &str = "\
/// Call a function of yours.
#[evenhand::bench]
fn example() -> u64 {
    (0..1000).map(std::hint::black_box).sum()
}

evenhand::main!();
";

const TARGET: &str = "
[[bench]]
name = \"evenhand\"
harness = false
";

pub(super) fn look(here: &Path) -> Option<Project> {
    let manifest = fs::read_to_string(here.join("Cargo.toml")).ok()?;
    if !manifest.contains("[package]") {
        return None;
    }
    let has_library = manifest.lines().any(|line| {
        line.starts_with("evenhand ")
            || line.starts_with("evenhand=")
            || line.ends_with("dependencies.evenhand]")
    });
    let programs = files(&here.join("benches"), &|name| name.ends_with(".rs"));
    let count = programs.iter().filter(|text| text.contains("evenhand::main!")).count();
    Some(Project {
        what: format!("Cargo.toml: a crate with {count} bench targets that use the library evenhand"),
        writes: if count > 0 { Vec::new() } else { texts(&manifest) },
        first: (!has_library).then(|| {
            "cargo add --dev evenhand --path COPY/crates/evenhand (COPY: a copy of evenhand's repository)"
                .to_owned()
        }),
        now: "cargo bench".to_owned(),
        compared: "",
    })
}

fn texts(manifest: &str) -> Vec<Text> {
    let text = |file: &str, text: &str| Text { file: file.to_owned(), text: text.to_owned() };
    let program = text(FILE, EXAMPLE);
    let is_target = manifest.contains("name = \"evenhand\"\nharness = false");
    if is_target { vec![program] } else { vec![program, text("Cargo.toml", TARGET)] }
}
