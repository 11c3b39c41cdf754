//! What does git say? The user's checkout, index and branches are only read: files of a revision are written to a folder of
//! ours with an index of ours, and the work tree as it is now becomes a tree among objects of ours.

use crate::CliError;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The user's repository, and our folder for it.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The top of the user's checkout.
    pub top: PathBuf,
    /// The folder below it in which evenhand was called.
    pub below: PathBuf,
    /// git's own folder.
    git: PathBuf,
    /// The user's objects.
    objects: PathBuf,
    /// Ours: files, index, objects, and what is built.
    pub place: PathBuf,
}

/// A tree of files, by git's name for it, and what people call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub id: String,
    pub name: String,
}

/// How `git merge-base` ends if there is none.
const NO_MERGE_BASE: i32 = 1;

impl Repository {
    /// The repository around the current folder.
    pub(crate) fn here(cache: &Path) -> Result<Self, CliError> {
        let ask = |what: &str| answer(git().args(["rev-parse", what]));
        let top = PathBuf::from(ask("--show-toplevel")?);
        let absolute = |path: String| std::path::absolute(path).map_err(CliError::new);
        let git = absolute(ask("--git-dir")?)?;
        let objects = absolute(answer(self::git().args(["rev-parse", "--git-path", "objects"]))?)?;
        let place = cache.join(format!("{:016x}", fingerprint(top.as_os_str())));
        Ok(Self { top, below: PathBuf::from(ask("--show-prefix")?), git, objects, place })
    }

    /// Where the files of the tree that is built lie.
    pub(crate) fn files(&self) -> PathBuf {
        self.place.join("tree")
    }

    /// A revision, by any name that git knows.
    pub(crate) fn revision(&self, name: &str) -> Result<Tree, CliError> {
        Ok(Tree { id: self.object(name, "tree")?, name: name.to_owned() })
    }

    /// The commit at which the histories of two revisions parted.
    pub(crate) fn merge_base(&self, ours: &str, theirs: &str) -> Result<Tree, CliError> {
        let commits = [self.object(ours, "commit")?, self.object(theirs, "commit")?];
        let output = self.git().arg("merge-base").args(commits).output().map_err(no_git)?;
        if output.status.code() == Some(NO_MERGE_BASE) {
            return Err(CliError::new(format_args!(
                "\"{0}\" and \"{1}\" have no common ancestor: compare them with {0}..{1}, or fetch more history if this clone is shallow",
                ours.escape_debug(),
                theirs.escape_debug()
            )));
        }
        Ok(Tree {
            id: self.object(&answer_of(&output)?, "tree")?,
            name: format!("merge base of {ours} and {theirs}"),
        })
    }

    /// The commit or the tree that a name stands for.
    fn object(&self, name: &str, kind: &str) -> Result<String, CliError> {
        let object = format!("{name}^{{{kind}}}");
        let output =
            self.git().args(["rev-parse", "--verify", "--quiet", "--end-of-options", &object]).output();
        answer_of(&output.map_err(no_git)?).map_err(|_| {
            CliError::new(format_args!(
                "git finds no revision \"{}\" in this repository",
                name.escape_debug()
            ))
        })
    }

    /// The work tree as it is now, with files that git does not know yet, without those that it ignores.
    pub(crate) fn work_tree(&self) -> Result<Tree, CliError> {
        let index = self.place.join("work-index");
        // The user's own index says which files are unchanged, so that not all need to be read.
        let _ = copy_of_the_same_age(&self.git.join("index"), &index);
        let with_index = || {
            let mut git = self.git();
            git.env("GIT_INDEX_FILE", &index).arg("--work-tree").arg(&self.top).current_dir(&self.top);
            git
        };
        answer(with_index().args(["add", "--all"]))?;
        let id = answer(with_index().arg("write-tree"))?;
        Ok(Tree { id, name: "work tree".to_owned() })
    }

    /// Writes the files of a tree to where it is built; what is not of the tree goes away.
    pub(crate) fn check_out(&self, tree: &Tree) -> Result<(), CliError> {
        self.write(tree, &self.files(), &self.place.join("index"), &[])
    }

    /// The folder of a tree as it was left, and a file that says what was built in it.
    pub(crate) fn kept_folder_of(&self, tree: &Tree) -> (PathBuf, PathBuf) {
        let folder = self.trees().join(&tree.id);
        let built = folder.with_extension("built");
        (folder, built)
    }

    /// Writes the files of a tree to a folder of its own, whose path is as long as that of any other tree; what Python has compiled stays there.
    pub(crate) fn folder_of(&self, tree: &Tree) -> Result<PathBuf, CliError> {
        let (trees, (folder, built)) = (self.trees(), self.kept_folder_of(tree));
        // What was built there goes away.
        let _ = fs::remove_file(built);
        self.write(tree, &folder, &trees.join(format!("{}.index", tree.id)), &["-e", "__pycache__"])?;
        Ok(folder)
    }

    /// Where the folders of trees lie.
    pub(crate) fn trees(&self) -> PathBuf {
        self.place.join("trees")
    }

    fn write(&self, tree: &Tree, files: &Path, index: &Path, kept: &[&str]) -> Result<(), CliError> {
        let below = files.join(&self.below);
        fs::create_dir_all(files).map_err(|error| file_error(files, &error))?;
        let with_index = || {
            let mut git = self.git();
            git.env("GIT_INDEX_FILE", index).arg("--work-tree").arg(files).current_dir(files);
            git
        };
        answer(with_index().args(["read-tree", "--reset", "-u", &tree.id]))?;
        answer(with_index().args(["clean", "-ffdxq"]).args(kept))?;
        if below.is_dir() {
            return Ok(());
        }
        Err(CliError::new(format_args!("{} has no folder {}", tree.name, self.below.display())))
    }

    /// git, with objects of ours on top of the user's.
    fn git(&self) -> Command {
        let mut command = git();
        let ours = self.place.join("objects");
        command.arg("--git-dir").arg(&self.git);
        if fs::create_dir_all(&ours).is_ok() {
            command.env("GIT_OBJECT_DIRECTORY", ours).env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.objects);
        }
        command
    }
}

/// git reads a file again that is no older than its index: it may have changed in the same second. A copy that is younger than the index would
/// pass it for unchanged.
fn copy_of_the_same_age(index: &Path, copy: &Path) -> std::io::Result<()> {
    fs::copy(index, copy)?;
    let age = fs::metadata(index)?.modified()?;
    fs::File::options().write(true).open(copy)?.set_modified(age)
}

/// A number for a text that stays the same from one run to the next: FNV-1a (Fowler, Noll, Vo).
pub(crate) fn fingerprint(text: &OsStr) -> u64 {
    text.as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

pub(crate) fn file_error(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(format_args!("{}: {error}", path.display()))
}

fn git() -> Command {
    let mut git = Command::new("git");
    // A git that has called us would mean its own repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    git
}

fn answer(command: &mut Command) -> Result<String, CliError> {
    answer_of(&command.output().map_err(no_git)?)
}

fn no_git(error: std::io::Error) -> CliError {
    CliError::new(format_args!("git, which --git needs, could not be started: {error}"))
}

fn answer_of(output: &Output) -> Result<String, CliError> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let words = words.trim().trim_start_matches("fatal: ");
    Err(CliError::new(if words.is_empty() {
        format!("git failed: {}", output.status)
    } else {
        format!("git: {words}")
    }))
}
