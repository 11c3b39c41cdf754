//! Is the house as it is drawn? The rooms build on each other as docs/architecture.md says, and every file of tests belongs to a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folders_of_crates() -> impl Iterator<Item = PathBuf> {
    fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path())
}

/// What a crate of ours builds on, and what its tests build on besides.
#[derive(Debug, Default, PartialEq)]
struct BuildsOn {
    itself: BTreeSet<String>,
    tests: BTreeSet<String>,
}

fn of_manifest(manifest: &str) -> BuildsOn {
    let mut found = BuildsOn::default();
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if section.ends_with("dependencies]") && name.starts_with("evenhand") {
            let of_tests = section.contains("dev-dependencies");
            let names = if of_tests { &mut found.tests } else { &mut found.itself };
            names.insert(name.to_owned());
        }
    }
    found.tests = &found.tests - &found.itself;
    found
}

/// The table of docs/architecture.md, in which the names of rooms are without `evenhand-`.
fn drawn() -> BTreeMap<String, BuildsOn> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let table = page.split("| room | builds on | its tests also on |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let names = |cell: &str| -> BTreeSet<String> {
        let names = cell.split(',').map(str::trim).filter(|name| !name.is_empty());
        names
            .map(|name| if name == "evenhand" { name.to_owned() } else { format!("evenhand-{name}") })
            .collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].trim_matches('`').to_owned(), BuildsOn { itself: names(cells[2]), tests: names(cells[3]) })
    })
    .collect()
}

#[test]
fn rooms_build_on_each_other_as_the_page_on_architecture_says() {
    let folders = folders_of_crates().chain([root().join("calibration")]);
    let built: BTreeMap<String, BuildsOn> = folders
        .map(|folder| {
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            (name, of_manifest(&fs::read_to_string(folder.join("Cargo.toml")).unwrap()))
        })
        .collect();
    assert_eq!(built, drawn());
}

#[test]
fn a_manifest_is_read_with_every_kind_of_dependency() {
    let manifest = "[package]\nname = \"evenhand-x\"\n[dependencies]\nserde = \"1\"\nevenhand-a.workspace = true\n\
                    [target.'cfg(unix)'.dependencies]\nevenhand-b = { path = \"b\" }\n\
                    [dev-dependencies]\nevenhand.workspace = true\nevenhand-a.workspace = true\n";
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let expected = BuildsOn { itself: names(&["evenhand-a", "evenhand-b"]), tests: names(&["evenhand"]) };
    assert_eq!(of_manifest(manifest), expected);
}

/// Cargo looks for no test files where `tests/main.rs` names them: one that it leaves out would never run. Some are programs of their own.
#[test]
fn every_test_file_is_part_of_its_program() {
    let folders = folders_of_crates().map(|folder| folder.join("tests"));
    let mut files = 0;
    for folder in folders.filter(|folder| folder.join("main.rs").exists()) {
        let main = fs::read_to_string(folder.join("main.rs")).unwrap();
        let manifest = fs::read_to_string(folder.join("../Cargo.toml")).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|ending| ending == "rs") && name != "main" {
                let is_program = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
                assert!(is_program || main.contains(&format!("mod {name};\n")), "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 90, "{files}");
}
