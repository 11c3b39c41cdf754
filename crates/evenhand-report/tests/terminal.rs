//! Where does output go, in which colours, and how are errors and hints said there?

use evenhand_report::message::{Message, Voice};
use evenhand_report::terminal::{Size, Terminal, When};
use std::ffi::OsString;

const A_TERMINAL: Option<Size> = Some((80, 24));

fn terminal(size: Option<Size>, variables: &[(&str, &str)]) -> Terminal {
    let value = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| value.into());
    Terminal::of(size, size, &value)
}

#[test]
fn characters_are_those_of_the_locale() {
    for (variables, unicode) in [
        (&[("LANG", "en_GB.UTF-8")][..], true),
        (&[("LC_CTYPE", "de_DE.utf8"), ("LANG", "C")], true),
        (&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")], false),
        (&[("LC_ALL", ""), ("LANG", "C.UTF-8")], true),
        (&[], false),
    ] {
        assert_eq!(terminal(None, variables).out.unicode, unicode, "{variables:?}");
    }
}

#[test]
fn colours_follow_the_option_then_the_variables_then_the_terminal() {
    let xterm = ("TERM", "xterm");
    for (size, variables, coloured) in [
        (A_TERMINAL, &[xterm][..], true),
        (None, &[xterm], false),
        (A_TERMINAL, &[], false),
        (A_TERMINAL, &[("TERM", "dumb")], false),
        (A_TERMINAL, &[xterm, ("NO_COLOR", "")], true),
        (A_TERMINAL, &[xterm, ("NO_COLOR", "1")], false),
        (A_TERMINAL, &[xterm, ("CLICOLOR", "0")], false),
        (A_TERMINAL, &[xterm, ("CLICOLOR", "1")], true),
        (None, &[("CLICOLOR", "1")], false),
        (None, &[("CLICOLOR_FORCE", "1")], true),
        (None, &[("CLICOLOR_FORCE", "0")], false),
        (None, &[("FORCE_COLOR", "1"), ("CLICOLOR", "0")], true),
        (None, &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false),
    ] {
        let plain = terminal(size, variables);
        assert_eq!((plain.out.colour, plain.err.colour), (coloured, coloured), "{size:?} {variables:?}");
        let of = |when: When| (plain.coloured(when).out.colour, plain.coloured(when).err.colour);
        assert_eq!(of(When::Auto), (coloured, coloured));
        assert_eq!((of(When::Always), of(When::Never)), ((true, true), (false, false)));
    }
}

#[test]
fn a_dumb_terminal_is_not_drawn_over_even_in_colour() {
    let dumb = terminal(A_TERMINAL, &[("TERM", "dumb"), ("FORCE_COLOR", "1")]);
    assert_eq!((dumb.rows, dumb.err.colour, dumb.err.width), (None, true, Some(80)));
    assert_eq!(terminal(A_TERMINAL, &[("TERM", "xterm"), ("NO_COLOR", "1")]).rows, Some(24));
    assert_eq!(terminal(None, &[("TERM", "xterm")]).coloured(When::Always).rows, None);
}

#[test]
fn the_option_is_found_on_a_line_that_cannot_be_parsed() {
    let among = |words: &[&str]| When::among(&words.iter().map(OsString::from).collect::<Vec<_>>());
    assert_eq!(among(&["evenhand", "--color", "never", "--nonsense"]), When::Never);
    assert_eq!(among(&["evenhand", "run", "--color=always"]), When::Always);
    assert_eq!(among(&["evenhand", "--color", "sometimes"]), When::Auto);
    assert_eq!(among(&["evenhand", "experiment", "--", "--color=always"]), When::Auto);
}

fn said(colour: bool, say: impl Fn(&mut Voice<'_>)) -> String {
    let mut bytes = Vec::new();
    say(&mut Voice::new(&mut bytes, colour));
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_message_begins_with_its_kind_and_its_hint_stands_below() {
    let message = Message::error("no\u{1b}[2Jsuch file").hint("make it first");
    let plain = said(false, |voice| voice.say(&message).unwrap());
    assert_eq!(plain, "error: no\\u{1b}[2Jsuch file\nhint: make it first\n");
    let coloured = said(true, |voice| voice.say(&message).unwrap());
    let uncoloured = coloured.replace("\u{1b}[1m", "").replace("\u{1b}[31m", "").replace("\u{1b}[36m", "");
    assert_eq!(uncoloured.replace("\u{1b}[0m", ""), plain);
    assert_ne!(coloured, plain);
    let kinds = said(false, |voice| {
        for message in [Message::warning("w"), Message::note("n"), Message::next_step("h")] {
            voice.say(&message).unwrap();
        }
        voice.quote(["its", "last\twords"]).unwrap();
    });
    assert_eq!(kinds, "warning: w\nnote: n\nhint: h\n  | its\n  | last\\twords\n");
}

#[test]
fn what_clap_says_is_said_with_our_labels() {
    let told =
        "error: unexpected argument '--x' found\n\n  tip: a similar argument exists: '--y'\n\nUsage: z\n";
    let passed = said(false, |voice| voice.pass_on(told).unwrap());
    assert_eq!(passed, told.replace("  tip:", "hint:"));
}
