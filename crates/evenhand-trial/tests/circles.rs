//! Do the files of a crate build on each other in one direction? A file builds on another if it imports or calls by path what is declared
//! there, through re-exports too. A file and the modules below it are not looked at: they are one thing in several parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, UseTree};

/// The names on the way from the root of a crate to a module or an item.
type Names = Vec<String>;

/// What a file imports and names, as it is written.
#[derive(Default)]
struct Mentions {
    imports: Vec<Names>,
    paths: Vec<Names>,
}

impl<'a> Visit<'a> for Mentions {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        import(&item.tree, &Vec::new(), &mut self.imports);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }
}

fn import(tree: &UseTree, before: &Names, imports: &mut Vec<Names>) {
    let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Names>();
    match tree {
        UseTree::Path(path) => import(&path.tree, &with(&path.ident), imports),
        UseTree::Group(group) => group.items.iter().for_each(|tree| import(tree, before, imports)),
        UseTree::Name(name) => imports.push(with(&name.ident)),
        UseTree::Rename(renamed) => imports.push(with(&renamed.ident)),
        UseTree::Glob(_) => imports.push(before.clone()),
    }
}

fn in_full(module: &Names, path: &Names) -> Names {
    let up = path.iter().take_while(|name| *name == "super").count();
    let base = if path[0] == "crate" { &[][..] } else { &module[..module.len().saturating_sub(up)] };
    let names = path.iter().filter(|name| !["crate", "self", "super"].contains(&name.as_str()));
    base.iter().chain(names).cloned().collect()
}

type Files = BTreeMap<Names, Mentions>;

/// No name is passed on so often; what comes back to itself is a name of another crate.
const MOST_RE_EXPORTS: usize = 5;

/// The file that declares what a path leads to: the last module of the path, or where that has it from.
fn home(files: &Files, path: &Names) -> Option<Names> {
    let mut path = path.clone();
    for _ in 0..MOST_RE_EXPORTS {
        let length = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length]))?;
        let module = path[..length].to_vec();
        let name = path.get(length);
        let passed_on = files[&module].imports.iter().find(|import| import.last() == name);
        match passed_on {
            Some(import) => path = in_full(&module, import),
            None => return Some(module),
        }
    }
    None
}

/// The files that a file builds on.
fn below(files: &Files, module: &Names) -> BTreeSet<Names> {
    let Mentions { imports, paths } = &files[module];
    let paths = paths.iter().filter(|path| path.len() > 1);
    let homes = imports.iter().chain(paths).filter_map(|path| home(files, &in_full(module, path)));
    homes.filter(|home| !home.starts_with(module) && !module.starts_with(home)).collect()
}

/// The files from which one comes back to themselves.
fn circles(files: &Files) -> Vec<&Names> {
    let below: BTreeMap<&Names, BTreeSet<Names>> =
        files.keys().map(|module| (module, below(files, module))).collect();
    let returns = |start: &Names| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(module) = open.pop() {
            open.extend(below[module].iter().filter(|next| reached.insert(*next)));
        }
        reached.contains(start)
    };
    files.keys().filter(|module| returns(module)).collect()
}

fn read(folder: &Path, module: &Names, files: &mut Files) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let with_name: Names = module.iter().cloned().chain([name.clone()]).collect();
        if path.is_dir() {
            read(&path, &with_name, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let is_root = ["lib", "main", "mod"].contains(&name.as_str());
            let mentions = mentions(&fs::read_to_string(&path).unwrap());
            files.insert(if is_root { module.clone() } else { with_name }, mentions);
        }
    }
}

fn mentions(source: &str) -> Mentions {
    let mut found = Mentions::default();
    found.visit_file(&syn::parse_file(source).unwrap());
    found
}

#[test]
fn the_files_of_a_crate_build_on_each_other_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut wrong = Vec::new();
    for folder in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src")) {
        let mut files = Files::new();
        read(&folder, &Names::new(), &mut files);
        let found = circles(&files);
        wrong.extend(found.iter().map(|module| format!("{}: {}", folder.display(), module.join("::"))));
    }
    assert!(wrong.is_empty(), "these files build on themselves, by way of others:\n{}", wrong.join("\n"));
}

#[test]
fn a_circle_is_found_through_a_re_export() {
    let named = |name: &str| -> Names {
        name.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let files = |of_b: &str| {
        let sources = [
            ("", "mod a; mod b; pub use a::{A, Other};"),
            ("a", "use super::b; fn f() { b::g() }"),
            ("b", of_b),
        ];
        sources.map(|(name, source)| (named(name), mentions(source))).into_iter().collect::<Files>()
    };
    assert_eq!(circles(&files("use crate::Other as Same;")), [&named("a"), &named("b")]);
    assert_eq!(circles(&files("fn h() { super::a::f() }")), [&named("a"), &named("b")]);
    assert!(circles(&files("mod tests { use crate::A; }")).is_empty());
}
