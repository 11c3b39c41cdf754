//! Does each noun of the code stand for one thing? docs/words.md has the nouns; the sources are searched for what goes against it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Field, ItemMod, PatIdent, Signature};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// A type or a function, and where it is.
#[derive(Debug, Clone)]
struct Declared {
    kind: String,
    name: String,
    place: String,
}

impl Declared {
    fn is_type(&self) -> bool {
        ["struct", "enum", "trait", "type"].contains(&self.kind.as_str())
    }
}

/// What a line declares, if it is not inside of an implementation of another's trait.
fn declared_in(line: &str) -> Option<(&str, &str)> {
    let mut words = line.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut next = || words.by_ref().find(|word| !word.is_empty());
    let mut word = next()?;
    while ["pub", "crate", "super", "const", "unsafe", "async"].contains(&word) {
        word = next()?;
    }
    ["struct", "enum", "trait", "type", "fn", "mod"].contains(&word).then_some(())?;
    Some((word, next()?))
}

/// All that the crates declare, their tests and benchmarks left out.
fn declared() -> Vec<Declared> {
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        sources(&folder.unwrap().path().join("src"), &mut files);
    }
    assert!(files.len() > 300, "{}", files.len());
    let mut all = Vec::new();
    for path in files {
        let place = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(&path).unwrap();
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        all.extend(code.filter_map(declared_in).map(|(kind, name)| Declared {
            kind: kind.to_owned(),
            name: name.to_owned(),
            place: place.clone(),
        }));
    }
    all
}

/// The table of docs/words.md: the types, each between backticks in the second column.
fn nouns() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/words.md")).unwrap();
    let table = page.split("| noun | type | what it is |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let types = rows.flat_map(|row| row.split('|').nth(2).unwrap().split('`').skip(1).step_by(2));
    types.map(|path| path.rsplit("::").next().unwrap().to_owned()).collect()
}

#[test]
fn each_noun_is_declared_once() {
    let nouns = nouns();
    assert!(nouns.len() > 30, "{nouns:?}");
    let mut places: BTreeMap<String, Vec<String>> = nouns.iter().map(|noun| (noun.clone(), vec![])).collect();
    for declared in declared().into_iter().filter(Declared::is_type) {
        places.entry(declared.name).and_modify(|places| places.push(declared.place));
    }
    let wrong: Vec<_> = places.iter().filter(|(_, places)| places.len() != 1).collect();
    assert!(wrong.is_empty(), "docs/words.md promises one of each: {wrong:#?}");
}

/// The words that a section of docs/words.md lists, before its colons.
fn words_under(heading: &str) -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/words.md")).unwrap();
    let section = page.split(&format!("## {heading}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let lists = section.lines().filter_map(|line| line.strip_prefix("- ")?.split(':').next());
    lists.flat_map(|list| list.split(", ")).map(str::to_owned).collect()
}

#[test]
fn words_that_say_nothing_name_no_type() {
    let words: BTreeSet<String> = ["Words that name no type", "Words that name nothing"]
        .map(words_under)
        .into_iter()
        .flatten()
        .collect();
    // What the check of an archive found stops nothing, so it is no error.
    let is_a_finding = |place: &str| place == "crates/evenhand-archive/src/check.rs";
    let named = |one: &Declared| words.contains(&one.name) && !is_a_finding(&one.place);
    let wrong: Vec<Declared> = declared().into_iter().filter(Declared::is_type).filter(named).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(words.contains("Told") && words.contains("Broken"), "{words:?}");
}

/// Names of functions, modules, variables, parameters and fields.
#[derive(Default)]
struct Named(Vec<String>);

impl<'a> Visit<'a> for Named {
    fn visit_signature(&mut self, signature: &'a Signature) {
        self.0.push(signature.ident.to_string());
        visit::visit_signature(self, signature);
    }

    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        // A test is named by a sentence.
        if module.ident != "tests" {
            self.0.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        self.0.push(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field(&mut self, field: &'a Field) {
        self.0.extend(field.ident.as_ref().map(ToString::to_string));
        visit::visit_field(self, field);
    }
}

/// The names in a source that have one of these words as a part.
fn names_with(words: &BTreeSet<String>, source: &str) -> Vec<String> {
    let mut named = Named::default();
    named.visit_file(&syn::parse_file(source).unwrap());
    let has_one = |name: &String| name.split('_').any(|part| words.contains(part));
    named.0.into_iter().filter(has_one).collect()
}

#[test]
fn a_name_says_who_speaks_or_what_is_in_it() {
    let words: BTreeSet<String> =
        words_under("Words that name nothing").iter().map(|word| word.to_lowercase()).collect();
    assert!(words.contains("told") && words.len() > 5, "{words:?}");
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        sources(&folder.unwrap().path().join("src"), &mut files);
    }
    let mut wrong = BTreeMap::new();
    for path in files {
        let place = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let names = names_with(&words, &fs::read_to_string(&path).unwrap());
        if !names.is_empty() {
            wrong.insert(place, names);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_name_is_found_wherever_it_is_given() {
    let words = BTreeSet::from(["told".to_owned()]);
    let source = "mod told; struct S { told: u8 } fn told_of(told: u8) { let is_told = |told| told; } \
                  mod tests { fn all_is_told() {} } // told\nconst A: &str = \"told\";";
    assert_eq!(names_with(&words, source), ["told", "told", "told_of", "told", "is_told", "told"]);
}

/// A type that ends in `Error` is one, for who has it in a box.
#[test]
fn what_is_called_an_error_is_one() {
    let mut wrong = Vec::new();
    for declared in declared().into_iter().filter(Declared::is_type) {
        let Declared { name, place, .. } = &declared;
        let is_error = declared.kind != "type" && name.len() > "Error".len() && name.ends_with("Error");
        if is_error && name != "MeanError" {
            let source = fs::read_to_string(root().join(place)).unwrap();
            let before = source.split(&format!("{} {name}", declared.kind)).next().unwrap();
            let derived = before.rsplit("\n\n").next().unwrap().contains("Error");
            if !derived && !source.contains(&format!("Error for {name}")) {
                wrong.push(format!("{place}: {name} is no std::error::Error"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_declaration_is_found_whoever_may_use_it() {
    for (line, found) in [
        ("pub struct Turn {", Some(("struct", "Turn"))),
        ("    pub(crate) const fn told() -> u8 {", Some(("fn", "told"))),
        ("enum Word<'a> {", Some(("enum", "Word"))),
        ("use crate::Turn;", None),
        ("let structure = 1;", None),
    ] {
        assert_eq!(declared_in(line), found, "{line}");
    }
}
