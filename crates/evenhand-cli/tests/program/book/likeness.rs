//! Is what a command said what the book shows of it?
//!
//! Every line that is shown has to come, in this order; a line `…` lets others come before the next one, and at the end of a line it lets any
//! words follow. Without `…` nothing else may come. What was measured is masked: a word with a digit in it becomes `#`, and the unit behind it
//! goes, because one machine's milliseconds are another's microseconds. From twice the time on, "slower" becomes "takes # times as long",
//! and a busy machine may be on the other side of that; there the far end of an interval may be missing, too.

const UNITS: [&str; 12] = ["ns", "µs", "ms", "s", "min", "h", "B", "kB", "MB", "GB", "TB", "%"];

/// What is wrong, if anything is.
pub(super) fn difference(shown: &[String], said: &str, measured: bool) -> Option<String> {
    let plain = |line: &str| if measured { masked(line) } else { spaced(line) };
    let mut said = said.lines().map(plain).filter(|line| !line.is_empty()).peekable();
    let mut may_skip = false;
    for line in shown.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()) {
        if line.trim() == "…" {
            may_skip = true;
            continue;
        }
        let (start, open) = line.strip_suffix('…').map_or((line, false), |start| (start.trim_end(), true));
        let expected = plain(start);
        let fits = |found: &String| if open { found.starts_with(&expected) } else { *found == expected };
        let found = if may_skip { said.find(fits) } else { said.next_if(fits) };
        if found.is_none() {
            return Some(match said.peek() {
                Some(instead) => format!("shown: {expected}\nsaid:  {instead}"),
                None => format!("never said: {expected}"),
            });
        }
        may_skip = false;
    }
    said.next().filter(|_| !may_skip && !shown.is_empty()).map(|more| format!("said, but not shown: {more}"))
}

fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn masked(line: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in line.split_whitespace() {
        let bare = word.trim_matches(|character: char| "[](),.;:".contains(character));
        let after_figure = words.last() == Some(&"#");
        if bare.chars().any(|character| character.is_ascii_digit()) {
            words.push("#");
        } else if !(after_figure && (UNITS.contains(&bare) || bare == "?")) {
            words.push(if bare == "?" { "#" } else { word });
        }
    }
    words.join(" ").replace("takes # times as long as", "is # slower than").replace("# or more],", "# #")
}

#[test]
fn figures_may_differ_and_words_may_not() {
    let shown = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let said = "a is 3.0 % slower than b [1 ms, 2 s], sure\n\nmin  4 µs\nnote: x\n";
    assert_eq!(difference(&shown(&["a is 29 % slower than b [1, 7], sure", "…"]), said, true), None);
    assert_eq!(difference(&shown(&["…", "min 17 s", "note: …"]), said, true), None);
    assert_eq!(difference(&shown(&["a takes 3 times as long as b [1, 7], sure", "…"]), said, true), None);
    assert_eq!(
        difference(&shown(&["a takes 3 times as long as b [2.1 or more], sure", "…"]), said, true),
        None
    );
    assert_eq!(difference(&shown(&[]), said, true), None);
    let wrong = |lines: &[&str], measured| difference(&shown(lines), said, measured).unwrap();
    assert!(wrong(&["a is 3.0 % faster than b [1 ms, 2 s], sure", "…"], true).contains("slower"));
    assert_eq!(wrong(&["…", "min 4 µs", "…", "warning: y"], true), "never said: warning: y");
    assert_eq!(wrong(&["…", "min 4 µs"], true), "said, but not shown: note: x");
    assert_eq!(wrong(&["…", "min 5 µs", "…"], false), "never said: min 5 µs");
}
