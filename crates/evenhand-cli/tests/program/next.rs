//! Does a person at a terminal learn the one most useful next step, and nobody else? The program is a function here, so that it can
//! be told that it prints to a terminal.

use crate::desk::Desk;
use evenhand_cli::{World, tool};
use evenhand_report::terminal::{Size, Terminal, When};
use std::ffi::OsString;

const TERMINAL: Option<Size> = Some((100, 24));

fn printed(out: Option<Size>, colour: When, words: &[&str]) -> String {
    let desk = Desk::new();
    let mut line: Vec<OsString> = vec!["evenhand".into(), "--archive".into(), desk.archive().into()];
    line.extend(words.iter().map(OsString::from));
    let (mut told, mut err) = (Vec::new(), Vec::new());
    let locale = |name: &str| (name == "LANG").then(|| "C.UTF-8".into());
    let world = World { terminal: Terminal::of(out, None, &locale).coloured(colour), ..World::here() };
    let code = tool(line, &world, &mut told, &mut err);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
    String::from_utf8(told).unwrap()
}

const OPEN: [&str; 5] = ["run", "--rounds", "3", "true", "true 2"];

fn steps(shown: &str) -> Vec<&str> {
    shown.lines().filter(|line| line.contains("next: ")).collect()
}

#[test]
fn what_is_open_goes_on_with_the_command_to_type() {
    let shown = printed(TERMINAL, When::Never, &OPEN);
    let steps = steps(&shown);
    let [step] = steps[..] else { panic!("{shown}") };
    assert!(step.starts_with("next: evenhand run --continue @last --max-time 5s, for about "), "{shown}");
    assert!(shown.ends_with(&format!("{step}\n")), "it is the last line: {shown}");
    assert_eq!(shown.matches("--continue").count(), 1, "{shown}");
    assert!(printed(TERMINAL, When::Always, &OPEN).contains("\u{1b}[2mnext: "), "it is dim");
}

#[test]
fn a_pipe_and_who_wants_less_get_no_next_step() {
    let piped = printed(None, When::Never, &OPEN);
    assert!(
        steps(&piped).is_empty() && piped.contains("; continue with evenhand run --continue @last"),
        "{piped}"
    );
    for option in ["--quiet", "--json"] {
        let shown = printed(TERMINAL, When::Never, &[&OPEN[..], &[option]].concat());
        assert!(steps(&shown).is_empty(), "{option}: {shown}");
    }
}

#[test]
fn what_is_not_kept_cannot_go_on() {
    let shown = printed(TERMINAL, When::Never, &[&OPEN[..], &["--no-save"]].concat());
    assert!(steps(&shown).is_empty(), "three rounds were what was asked for: {shown}");
}

#[test]
fn a_suite_ends_with_its_page() {
    let suite = ["run", "--rounds", "12", "--param", "n=1,2,3", "true {n}", "sleep 0.01{n}"];
    let shown = printed(TERMINAL, When::Never, &suite);
    assert_eq!(steps(&shown), ["next: evenhand report @last writes a page with every benchmark"], "{shown}");
    let page = tempfile::tempdir().unwrap();
    let file = page.path().join("suite.html");
    let shown =
        printed(TERMINAL, When::Never, &[&suite[..], &["--export-html", file.to_str().unwrap()]].concat());
    assert!(steps(&shown).is_empty(), "there is one already: {shown}");
}
