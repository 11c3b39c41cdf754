//! What is seen in terminals of several widths? The program is a function here, so that it can be told a width.

use crate::desk::{Desk, expect};
use evenhand_cli::{World, tool};
use std::ffi::OsString;

fn seen(desk: &Desk, width: usize, words: &[&str]) -> String {
    let mut line: Vec<OsString> = vec!["evenhand".into(), "--archive".into(), desk.archive().into()];
    line.extend(words.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let world = World { unicode: true, ..World::of(Some(width), &|_| None) };
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

#[test]
fn characters_and_colours_are_those_that_the_user_wants() {
    let world = |width: Option<usize>, variables: &[(&str, &str)]| {
        let value =
            |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| value.into());
        let world = World::of(width, &value);
        (world.unicode, world.colour)
    };
    let terminal = Some(80);
    for (width, variables, seen) in [
        (terminal, &[("LANG", "en_GB.UTF-8"), ("TERM", "xterm")][..], (true, true)),
        (terminal, &[("LC_CTYPE", "de_DE.utf8"), ("LANG", "C"), ("TERM", "xterm")], (true, true)),
        (terminal, &[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8"), ("TERM", "xterm")], (false, true)),
        (terminal, &[("LC_ALL", ""), ("LANG", "C.UTF-8"), ("TERM", "dumb")], (true, false)),
        (terminal, &[("TERM", "xterm"), ("NO_COLOR", "")], (false, true)),
        (terminal, &[("TERM", "xterm"), ("NO_COLOR", "1")], (false, false)),
        (terminal, &[], (false, false)),
        (None, &[("LANG", "C.UTF-8"), ("TERM", "xterm")], (true, false)),
    ] {
        assert_eq!(world(width, variables), seen, "{variables:?}");
    }
}
