//! Texts become words as in a shell, or are refused for what only a shell can do.

use evenhand_measure::command::words::{in_shell, split};
use proptest::prelude::*;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

fn words(text: &str) -> Vec<String> {
    split(OsStr::new(text)).unwrap().into_iter().map(|word| word.into_string().unwrap()).collect()
}

fn refused(text: &str) -> String {
    split(OsStr::new(text)).unwrap_err().to_string()
}

#[test]
fn quotes_and_backslashes() {
    assert_eq!(words("./old --input x"), ["./old", "--input", "x"]);
    assert_eq!(words("  a\t b  "), ["a", "b"]);
    assert_eq!(words(r#"grep 'a b' "c 'd'" e\ f '' x"y"'z'"#), ["grep", "a b", "c 'd'", "e f", "", "xyz"]);
    assert_eq!(
        words(r#"awk '{ print $1 | "sort" }' a\|b "a;b*" \$HOME "\$x""#),
        ["awk", r#"{ print $1 | "sort" }"#, "a|b", "a;b*", "$HOME", "$x"]
    );
    assert_eq!(
        words("git show HEAD~1 a#b x=1 [x] {a,b} !"),
        ["git", "show", "HEAD~1", "a#b", "x=1", "[x]", "{a,b}", "!"]
    );
}

#[test]
fn what_needs_a_shell_is_named() {
    for (text, sign) in [
        ("a | b", "|"),
        ("a && b", "&"),
        ("a; b", ";"),
        ("a < b", "<"),
        ("a 2> b", ">"),
        ("a $HOME", "$"),
        ("a \"$HOME\"", "$"),
        ("a `b`", "`"),
        ("a \"`b`\"", "`"),
        ("a *.txt", "*"),
        ("a b?", "?"),
        ("a ~/b", "~"),
        ("(a)", "("),
        ("a)", ")"),
        ("a # b", "#"),
    ] {
        let expected =
            format!("`{sign}` needs a shell: add --shell, or quote it ('{sign}') if it is only text");
        assert_eq!(refused(text), expected, "{text}");
    }
    assert!(refused("a\nb").starts_with("a new line needs a shell"));
    assert_eq!(
        refused(" LC_ALL=C sort x"),
        "`LC_ALL=C` sets a variable, which needs a shell: add --env 'LC_ALL=C' instead, or --shell"
    );
    assert_eq!(words("'A=1' x"), ["A=1", "x"]);
}

#[test]
fn what_is_no_command_is_refused() {
    for text in ["a 'b", "a \"b", "a b\\"] {
        assert!(refused(text).contains("unclosed quote or trailing `\\`"), "{text}");
    }
    for text in ["", "  ", "''", "'' a"] {
        assert!(refused(text).starts_with(&format!("`{text}` names no program")), "{text}");
    }
}

#[test]
fn bytes_that_are_no_text_stay() {
    let text = OsStr::from_bytes(b"a '\xff \xfe' \xf0");
    assert_eq!(split(text).unwrap(), [&b"a"[..], b"\xff \xfe", b"\xf0"].map(OsStr::from_bytes));
}

#[test]
fn a_shell_gets_the_text_as_it_is() {
    assert_eq!(in_shell(OsStr::new("a | b"), OsStr::new("sh")), ["sh", "-c", "a | b"]);
}

proptest! {
    #[test]
    fn words_that_were_quoted_come_back(words in prop::collection::vec(prop::collection::vec(1_u8..=255, 0..12), 1..6)) {
        prop_assume!(!words[0].is_empty());
        let quoted: Vec<Vec<u8>> = words.iter().map(|word| {
            let inner = word.iter().flat_map(|byte| if *byte == b'\'' { b"'\\''".to_vec() } else { vec![*byte] });
            [b"'".to_vec(), inner.collect(), b"'".to_vec()].concat()
        }).collect();
        let text = OsString::from_vec(quoted.join(&b' '));
        let expected: Vec<OsString> = words.into_iter().map(OsString::from_vec).collect();
        prop_assert_eq!(split(&text).unwrap(), expected);
    }

    #[test]
    fn no_text_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = split(OsStr::from_bytes(&bytes));
    }
}
