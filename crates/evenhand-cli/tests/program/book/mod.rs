//! Is the book true? Every command in `docs/` is typed, page by page, where the files of `docs/examples` lie; what a page shows as
//! output is compared. And every link leads somewhere, and every workflow would run.

mod likeness;
mod page;
mod workflows;

use crate::desk::Desk;
use crate::python;
use likeness::difference;
use page::{Command, Step, steps};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

/// Pages that are read one after the other at the same desk: the later go on with the crate of the first.
const WITH_THE_CRATE: [&str; 4] = ["start.md", "launches.md", "compare.md", "ci.md"];
/// Pages that measure commands.
const WITH_COMMANDS: [&str; 13] = [
    "why.md",
    "run.md",
    "choosing.md",
    "coming-from.md",
    "doctor.md",
    "install.md",
    "faq.md",
    "languages.md",
    "load.md",
    "long-commands.md",
    "json.md",
    "metrics.md",
    "troubleshooting.md",
];
/// Pages with a block of `sh`: lines that need other tools than the tests have, such as Go or jq. They are not typed.
const WITH_OTHER_TOOLS: [&str; 6] =
    ["install.md", "go.md", "languages.md", "long-commands.md", "json.md", "troubleshooting.md"];
/// The experiments take a while even when they are tiny.
const WITH_EXPERIMENTS: [&str; 1] = ["experiments.md"];
/// A page that needs python3.
const WITH_PYTHON: [&str; 1] = ["python.md"];
/// What prints figures of this machine and this moment.
const MEASURES: [&str; 7] = ["run", "compare", "bench", "load", "doctor", "experiment", "cargo"];

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// All pages, as they are named from the folder of the book.
fn pages() -> BTreeSet<String> {
    let files = |folder: &str| -> Vec<String> {
        let names = fs::read_dir(book().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let pages = names.map(|name| format!("{folder}{}", name.to_str().unwrap()));
        pages.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect()
    };
    ["", "formats/", "examples/"].into_iter().flat_map(files).collect()
}

fn text(page: &str) -> String {
    fs::read_to_string(book().join(page)).unwrap()
}

#[test]
fn the_crate_of_the_quick_start_works_as_told() {
    read_at(&Desk::with_examples(), &WITH_THE_CRATE);
}

#[test]
fn pages_that_measure_commands_are_true() {
    for page in WITH_COMMANDS {
        read_at(&Desk::with_examples(), &[page]);
    }
}

#[test]
fn the_page_on_python_is_true() {
    match python::python() {
        Some(_) => drop(read_at(&Desk::with_examples(), &WITH_PYTHON)),
        None => python::say_skipped("book::the_page_on_python_is_true", python::NO_PYTHON),
    }
}

#[test]
fn the_page_on_the_experiments_is_true() {
    read_at(&Desk::with_examples(), &WITH_EXPERIMENTS);
}

#[test]
fn all_other_pages_are_true() {
    let elsewhere = [&WITH_THE_CRATE[..], &WITH_COMMANDS, &WITH_EXPERIMENTS, &WITH_PYTHON].concat();
    let typed: usize = pages()
        .iter()
        .filter(|page| !elsewhere.contains(&page.as_str()))
        .map(|page| read_at(&Desk::with_examples(), &[page]))
        .sum();
    assert!(typed >= 30, "{typed} commands found");
}

/// Does what the pages ask for, and answers how many commands that were.
fn read_at(desk: &Desk, pages: &[&str]) -> usize {
    let mut typed = 0;
    let mut here = desk.path("");
    for page in pages {
        for step in steps(&text(page)) {
            match step {
                Step::Write { name, text } => {
                    let file = here.join(name);
                    fs::create_dir_all(file.parent().unwrap()).unwrap();
                    fs::write(file, as_here(&text)).unwrap();
                }
                Step::Type(command) => {
                    here = type_in(desk, &here, page, &command);
                    typed += 1;
                }
            }
        }
    }
    typed
}

/// A path of this copy of the project where a page can only say `…`.
fn as_here(text: &str) -> String {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    text.replace("…/crates", crates.to_str().unwrap())
}

/// The program of the experiments, beside ours: for these tests cargo builds that of this package alone.
fn build_experiments() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let ours = Path::new(env!("CARGO_BIN_EXE_evenhand")).parent().unwrap();
        let mut cargo = process::Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--locked", "-p", "evenhand-experiments", "--target-dir"]);
        cargo.arg(ours.parent().unwrap()).args(ours.ends_with("release").then_some("--release"));
        assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    });
}

/// Types a command in this folder, and answers in which one the reader is then.
fn type_in(desk: &Desk, here: &Path, page: &str, command: &Command) -> PathBuf {
    if command.line.contains("evenhand experiment") {
        build_experiments();
    }
    let mut shell = process::Command::new("sh");
    let place = desk.path("../place");
    let line = format!("trap 'pwd > \"$PLACE\"' EXIT\n{}", command.line);
    shell.arg("-c").arg(format!("{{ {line}\n}} 2>&1")).current_dir(here).env("PLACE", &place);
    shell.env("FIXTURES", crate::desk::fixtures());
    desk.with_tools(&mut shell);
    if WITH_PYTHON.contains(&page) {
        python::found_by(&mut shell);
    }
    let done = shell.output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    let told = format!("{page}: $ {}\n{said}", command.line);
    assert_eq!(done.status.code(), Some(command.status), "{told}");
    let measured = command.line.split_whitespace().take(2).any(|word| MEASURES.contains(&word));
    let shown: Vec<String> = command.shown.iter().map(|line| desk.comparable(line)).collect();
    if let Some(wrong) = difference(&shown, &desk.comparable(&said), measured) {
        panic!("{told}\n{wrong}");
    }
    PathBuf::from(fs::read_to_string(place).unwrap().trim_end())
}

#[test]
fn no_command_hides_from_these_tests() {
    for page in pages() {
        let other_tools = WITH_OTHER_TOOLS.contains(&page.as_str());
        for line in without_scripts(&text(&page)).0 {
            let hidden = ["    $ ", "    cargo ", "```bash"].iter().any(|start| line.starts_with(start))
                || line.starts_with("```sh") && !other_tools
                || line.starts_with("    evenhand ") && !line.starts_with("    evenhand =");
            assert!(!hidden, "{page}: {line}");
        }
    }
}

#[test]
fn a_shell_can_read_the_scripts_that_are_not_typed() {
    for page in WITH_OTHER_TOOLS {
        let text = text(page);
        let (_, scripts) = without_scripts(&text);
        assert!(!scripts.is_empty(), "{page} has no block of sh");
        for script in scripts {
            let shell = process::Command::new("sh").args(["-n", "-c", &script]).output().unwrap();
            assert!(shell.status.success(), "{page}:\n{script}\n{}", String::from_utf8_lossy(&shell.stderr));
        }
    }
}

/// The lines outside of the blocks of `sh`, their first ones included, and the blocks.
fn without_scripts(page: &str) -> (Vec<&str>, Vec<String>) {
    let (mut outside, mut scripts) = (Vec::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        outside.push(line);
        if line == "```sh" {
            scripts.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    (outside, scripts)
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let listed: BTreeSet<String> = links(&text("SUMMARY.md")).into_iter().collect();
    let outside: Vec<&String> = listed.iter().filter(|link| link.starts_with("../")).collect();
    assert!(!outside.is_empty());
    let inside: BTreeSet<String> = listed.iter().filter(|link| !link.starts_with("../")).cloned().collect();
    assert_eq!(inside, pages());
    // What a page links to outside of the book has to be in it, too, or the site has a hole.
    for page in pages() {
        for link in links(&text(&page)).iter().filter(|link| link.contains("../")) {
            let file = link.split('#').next().unwrap();
            let path = Path::new(&page).parent().unwrap().join(file);
            let found = listed.iter().any(|listed| same_file(&book().join(listed), &book().join(&path)));
            let inside =
                fs::canonicalize(book().join(&path)).unwrap().starts_with(fs::canonicalize(book()).unwrap());
            assert!(found || inside, "{page}: {link} is not in SUMMARY.md");
        }
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).unwrap() == fs::canonicalize(other).unwrap()
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages().into_iter().chain(["SUMMARY.md".to_owned(), "../README.md".to_owned()]) {
        for link in links(&text(&page)) {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let path = match file {
                "" => book().join(&page),
                _ => book().join(&page).parent().unwrap().join(file),
            };
            assert!(path.exists(), "{page}: {link}");
            let known = || headings(&fs::read_to_string(&path).unwrap()).contains(heading);
            assert!(heading.is_empty() || known(), "{page}: {link}");
        }
    }
}

#[test]
fn the_tests_that_the_page_of_the_articles_names_are_there() {
    let crates = book().join("../crates");
    let mut sources = String::new();
    let mut folders = vec![crates];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(ending) if ending == "rs" => sources += &fs::read_to_string(path).unwrap(),
                _ => {}
            }
        }
    }
    let page = text("seeds.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| claim "));
    let mut named = 0;
    for row in rows {
        let last = row.trim_end_matches('|').rsplit(" | ").next().unwrap();
        let tests: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test holds it: {row}");
        for test in tests {
            assert!(sources.contains(&format!("fn {test}(")), "there is no test {test}: {row}");
            named += 1;
        }
    }
    assert!(named > 60, "{named}");
}

#[test]
fn the_readme_quotes_the_run_in_its_picture() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let picture = fs::read_to_string(book().join("media/run.svg")).unwrap();
    let between_tags: Vec<&str> = picture.split('<').filter_map(|tag| Some(tag.split_once('>')?.1)).collect();
    let shown = words(&between_tags.join(" "));
    let readme = text("../README.md");
    let quoted = readme.lines().skip_while(|line| !line.starts_with("    $ evenhand run")).take(2);
    assert_eq!(quoted.clone().count(), 2);
    for line in quoted.map(words) {
        assert!(shown.contains(&line), "not in the picture (`make picture` draws it): {line}\n{shown}");
    }
}

/// The targets of links and pictures, other than those to the web.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace)).collect()
}

/// What a link to a heading is called.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = text.lines().filter(|line| line.starts_with('#'));
    let word = |character: char| match character {
        ' ' => Some('-'),
        _ if character.is_alphanumeric() || "-_".contains(character) => Some(character.to_ascii_lowercase()),
        _ => None,
    };
    titles.map(|title| title.trim_start_matches('#').trim().chars().filter_map(word).collect()).collect()
}
