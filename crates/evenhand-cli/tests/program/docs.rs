//! Is the manual true? Every command in `docs/trials.md`, `docs/report.md` and `docs/run.md` is run, in its order, where the files lie that
//! it names; what the first shows as output is compared.

use crate::desk::{Desk, words};
use std::fs;
use std::path::Path;

fn manual() -> String {
    page("trials.md")
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The indented lines, without their indentation.
fn indented(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("    "))
}

#[test]
fn every_command_of_the_manuals_works() {
    all_work(&manual());
    all_work(&page("report.md"));
}

fn all_work(manual: &str) {
    let desk = Desk::with_results();
    let mut run = 0;
    for line in indented(manual).filter(|line| line.starts_with("evenhand ")) {
        let command = line.split(" #").next().unwrap();
        let done = desk.run(&words(command)[1..]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{line}");
        run += 1;
    }
    assert!(run >= 5, "{run} commands found");
}

#[test]
fn the_session_of_the_manual_is_real() {
    let manual = manual();
    let desk = Desk::with_results();
    let mut shown: Vec<(&str, String)> = Vec::new();
    for block in manual.split("\n\n").filter(|block| block.starts_with("    ")) {
        for line in indented(block) {
            match (line.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => shown.push((command, String::new())),
                (None, Some((_, output))) if !line.starts_with("evenhand ") => {
                    *output += &format!("{line}\n");
                }
                _ => {}
            }
        }
    }
    assert!(shown.len() >= 3, "{} commands with output", shown.len());
    for (command, output) in shown {
        let done = desk.run(&words(command)[1..]);
        let found: String =
            done.out.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
        assert_eq!(desk.comparable(&found), desk.comparable(&output), "{command}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_command_of_the_page_on_run_works() {
    let (page, desk) = (page("run.md"), Desk::new());
    for name in ["old", "new", "main", "branch"] {
        std::os::unix::fs::symlink("/bin/true", desk.path(name)).unwrap();
    }
    let mut run = 0;
    for line in indented(&page).filter(|line| line.starts_with("evenhand ")) {
        let command = line.split(" #").next().unwrap();
        // So short a time finds no regression.
        let short = ["--max-time", "50ms", "--confidence", "99.99"].map(str::to_owned);
        let done = desk.run(&[&words(command)[1..], &short].concat());
        let open = line.contains("--fail-if") && done.err.contains("--fail-if could not be answered");
        assert_eq!((done.code, done.err.is_empty() || open), (0, true), "{line}: {}", done.err);
        run += 1;
    }
    assert!(run >= 8, "{run} commands found");
}
