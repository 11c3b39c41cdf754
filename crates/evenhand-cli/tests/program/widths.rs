//! What is seen in terminals of several widths? The program is a function here, so that it can be told a width.

use crate::desk::{Desk, expect};
use evenhand_cli::{World, tool};
use evenhand_report::terminal::Terminal;
use std::ffi::OsString;

fn seen(desk: &Desk, width: usize, words: &[&str]) -> String {
    let mut line: Vec<OsString> = vec!["evenhand".into(), "--archive".into(), desk.archive().into()];
    line.extend(words.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let locale = |name: &str| (name == "LANG").then(|| "C.UTF-8".into());
    let world = World { terminal: Terminal::of(Some((width, 24)), None, &locale), ..World::here() };
    let code = tool(line, &world, &mut out, &mut err);
    assert_eq!((code, String::from_utf8(err).unwrap().as_str()), (0, ""));
    desk.comparable(&String::from_utf8(out).unwrap())
}

#[test]
fn terminals_of_40_80_and_200_columns() {
    let desk = Desk::with_archive();
    let path = desk.path("new.json");
    let new = path.to_str().unwrap();
    let mut all = String::new();
    for width in [40, 80, 200] {
        for words in [&["list"][..], &["analyze", "@last"], &["analyze", "@last~1", new], &["show", "@last"]]
        {
            let shown = seen(&desk, width, words);
            for line in shown.lines() {
                assert!(line.chars().count() <= width, "{width} columns, {words:?}: {line}");
            }
            let typed = desk.comparable(&words.join(" "));
            all += &format!("{width} columns: evenhand {typed}\n{shown}\n");
        }
    }
    expect("widths", &all);
}

#[test]
fn the_id_of_a_trial_is_never_shortened() {
    let desk = Desk::with_archive();
    for width in [1, 8, 15, 25, 30] {
        let list = seen(&desk, width, &["list"]);
        assert!(list.lines().skip(1).all(|line| line.starts_with("xxxxxxxx")), "{width}: {list}");
    }
}
