//! Does anybody but `words/` make a sentence of a verdict, or read one? The sources of the rooms around it are searched for the
//! words of a verdict in their string literals. What may stand there is listed: the verdict's own name, and what is said of the
//! method.

use std::fs;
use std::path::{Path, PathBuf};

const WORDS: [&str; 5] = ["slower", "faster", "unclear", "sure", "assuming"];

/// Where nobody makes sentences, but in a folder `words`.
const ROOMS: [&str; 5] = [
    "crates/evenhand-stats/src",
    "crates/evenhand-trial/src",
    "crates/evenhand-analysis/src",
    "crates/evenhand-report/src",
    "web/src",
];

/// Files that name verdicts, which is neither making nor reading a sentence.
const NAMES_OF_VERDICTS: [&str; 4] = [
    "crates/evenhand-stats/src/randomised/verdict.rs",
    "web/src/verdict.ts",
    "web/src/comparisons.ts",
    "web/src/suite.ts",
];
const VERDICTS: [&str; 5] = ["slower", "faster", "slightly slower", "slightly faster", "unclear"];

/// What the page says of the method.
const OF_THE_METHOD: [(&str, &str); 3] = [
    ("web/src/summary.ts", "u00a0% sure"),
    ("web/src/verdict.ts", "confidence, however often it was looked at during the measurement."),
    ("web/src/verdict.ts", "confidence if the assumption holds."),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // A chart of the page explains itself, and knows of no verdict.
        if path.ends_with("web/src/charts") || path.ends_with("src/words") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "ts") {
            found.push(path);
        }
    }
}

/// What stands in quotes outside of comments.
fn literals(source: &str) -> Vec<String> {
    let is_comment =
        |line: &&str| line.trim_start().starts_with("//") || line.trim_start().starts_with("/**");
    let code = source.lines().filter(|line| !is_comment(line));
    let code = code.collect::<Vec<_>>().join("\n").replace("'\"'", "");
    let (mut literals, mut open) = (Vec::new(), None);
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        open = match open.take() {
            None => ['"', '`'].contains(&character).then(|| (character, String::new())),
            Some((quote, literal)) if character == quote => {
                literals.push(literal);
                None
            }
            Some((quote, mut literal)) => {
                let next = if character == '\\' { characters.next() } else { Some(character) };
                literal.extend(next);
                Some((quote, literal))
            }
        };
    }
    literals
}

fn has_a_word(literal: &str) -> bool {
    literal.split(|character: char| !character.is_alphabetic()).any(|word| WORDS.contains(&word))
}

fn is_allowed(file: &str, literal: &str) -> bool {
    let name = NAMES_OF_VERDICTS.contains(&file) && VERDICTS.contains(&literal);
    name || OF_THE_METHOD.iter().any(|(place, part)| *place == file && literal.contains(part))
}

#[test]
fn only_the_room_of_words_makes_or_reads_a_sentence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for room in ROOMS {
        let mut files = Vec::new();
        sources(&root.join(room), &mut files);
        assert!(!files.is_empty(), "{room} has moved");
        for path in files {
            let file = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            let literals = literals(&fs::read_to_string(&path).unwrap());
            let told = literals.into_iter().filter(|it| has_a_word(it) && !is_allowed(&file, it));
            found.extend(told.map(|literal| format!("{file}: \"{literal}\"")));
        }
    }
    assert!(
        found.is_empty(),
        "sentences belong into crates/evenhand-analysis/src/words:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_search_sees_what_it_looks_for() {
    let source = "// \"faster\"\nlet a = '\"'; let b = \"is \\\"much\\\" slower\"; let c = `99 % sure`;";
    assert_eq!(literals(source), ["is \"much\" slower", "99 % sure"]);
    assert!(has_a_word("is much slower") && has_a_word("99 % sure") && !has_a_word("measured"));
}
