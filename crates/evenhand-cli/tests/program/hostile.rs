//! Names come from other people's files. Do they stay names?

use crate::desk::Desk;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

fn hyperfine(names: &[&str]) -> String {
    let result = |name: &&str| {
        serde_json::json!({
            "command": name, "mean": 0.13, "stddev": 0.01, "median": 0.12, "user": 0.1, "system": 0.01,
            "min": 0.1, "max": 0.2, "times": [0.1, 0.2, 0.15, 0.12, 0.11], "exit_codes": [0, 0, 0, 0, 0],
        })
    };
    serde_json::json!({ "results": names.iter().map(result).collect::<Vec<_>>() }).to_string()
}

#[test]
fn names_that_would_move_the_cursor_or_turn_the_text_around() {
    let mut desk = Desk::new();
    let names = [
        "plain",
        "\u{1b}[31mred\u{1b}[0m",
        "two\nlines",
        "\u{202e}evil",
        "zero\u{200b}width",
        "日本語の名前",
        "a\u{7}",
    ];
    desk.write("hostile.json", hyperfine(&names));
    desk.type_in("evenhand import hostile.json --label 'right\u{200f}left'");
    for verb in ["list", "analyze @last", "show @last", "analyze @last --percentiles 50,99"] {
        let done = desk.type_in(&format!("evenhand {verb}"));
        assert_eq!(done.code, 0, "{verb}: {}", done.err);
        let bad = |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
        assert!(!done.out.contains(bad), "{verb}");
    }
    desk.expect("hostile_names");
    let refused = desk.run(&["label", "@last", "a\u{1b}[2Jb"]);
    assert!(refused.code == 2 && !refused.err.contains('\u{1b}'), "{}", refused.err);
    let unknown = desk.run(&["analyze", "a\u{1b}[2Jb"]);
    assert!(unknown.code == 2 && !unknown.err.contains('\u{1b}'), "{}", unknown.err);
}

#[test]
fn a_file_with_a_hostile_name() {
    let desk = Desk::new();
    for name in ["with space.json", "esc\u{1b}[31m.json", "new\nline.json", "-dash.json", "\u{202e}txt.json"]
    {
        desk.write(name, hyperfine(&["one", "two"]));
        let done = desk.run(&[OsString::from("import"), desk.path(name).into()]);
        assert_eq!(done.code, 0, "{name:?}: {}", done.err);
        assert_eq!(done.out.lines().count(), 1, "{name:?}");
        assert!(!done.out.contains(['\u{1b}', '\u{202e}']), "{name:?}");
    }
    desk.run(&["import", "--", "-dash.json"]);
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 1);
}

#[test]
fn a_file_whose_name_is_no_text() {
    let desk = Desk::new();
    let name = OsString::from_vec(b"bad\xff\xfe.json".to_vec());
    desk.write(&name, hyperfine(&["one", "two"]));
    for verb in ["import", "analyze", "show", "export"] {
        let done = desk.run(&[OsString::from(verb), name.clone()]);
        assert_eq!(done.code, 0, "{verb}: {}", done.err);
    }
    let missing = desk.run(&[OsString::from("analyze"), OsString::from_vec(b"no\xff".to_vec())]);
    assert_eq!(missing.code, 2);
    let exported = desk.run(&[
        OsString::from("export"),
        name.clone(),
        "-o".into(),
        OsString::from_vec(b"\xff.csv".to_vec()),
    ]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    assert!(desk.path(OsString::from_vec(b"\xff.csv".to_vec())).exists());
}

#[test]
fn names_of_ten_thousand_characters_and_thousands_of_arms() {
    let desk = Desk::new();
    let long = "x".repeat(10_000);
    desk.write("long.json", hyperfine(&["short", &long]));
    let names: Vec<String> = (0..5_000).map(|number| format!("arm {number}")).collect();
    desk.write("many.json", hyperfine(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(desk.run(&["import", "long.json", "many.json"]).code, 0);
    assert!(desk.run(&["list"]).out.contains("arm 0, arm 1 and 4998 more"));
    assert!(desk.run(&["analyze", "@last~1"]).out.contains(&long));
    assert!(desk.run(&["analyze", "@last"]).out.contains("\narm 4999 "));
}

#[test]
fn the_terminal_and_the_language_change_nothing() {
    let desk = Desk::with_archive();
    let plain = desk.run(&["analyze", "@last"]).out;
    for (name, value) in
        [("TERM", "dumb"), ("LC_ALL", "de_DE.UTF-8"), ("COLUMNS", "20"), ("TERM", ""), ("NO_COLOR", "1")]
    {
        let done = desk.command(&["analyze", "@last"]).env(name, value).output().unwrap();
        assert_eq!(String::from_utf8(done.stdout).unwrap(), plain, "{name}={value}");
    }
    // But for the characters, where the language has none but ASCII.
    let done = desk.command(&["analyze", "@last"]).env("LC_ALL", "C").output().unwrap();
    let ascii = plain.replace('µ', "u").replace("±", "+-");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&String::from_utf8(done.stdout).unwrap()), words(&ascii));
}
