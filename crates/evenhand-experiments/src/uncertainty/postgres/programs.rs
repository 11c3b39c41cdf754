//! Where are the programs of PostgreSQL? On Debian each version has a folder of its own, which is not on the PATH; elsewhere they mostly are on the PATH.
//! The newest version wins.
//!
//! Tests: below.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const DEBIAN: &str = "/usr/lib/postgresql";
/// Makes a cluster, runs it, asks it.
const NAMES: [&str; 3] = ["initdb", "postgres", "pgbench"];

/// A folder with the programs of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Programs {
    pub(super) folder: PathBuf,
    pub(super) version: Vec<u32>,
}

impl Programs {
    /// Such as `15.18`.
    pub(super) fn version(&self) -> String {
        self.version.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
    }
}

/// The newest on this machine.
pub(super) fn newest() -> Option<Programs> {
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty());
    let found =
        folders_of_versions(Path::new(DEBIAN)).into_iter().chain(on_path).filter(|folder| is_whole(folder));
    newest_of(found.filter_map(|folder| Some(Programs { version: version(&folder.join(NAMES[1]))?, folder })))
}

/// Of equals the first: Debian's own comes before the PATH.
fn newest_of(found: impl Iterator<Item = Programs>) -> Option<Programs> {
    found.reduce(|newest, other| if other.version > newest.version { other } else { newest })
}

/// `15/bin` and the like.
fn folders_of_versions(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders
}

fn is_whole(folder: &Path) -> bool {
    NAMES.iter().all(|name| folder.join(name).is_file())
}

/// As the program says it: a folder may be called anything.
fn version(program: &Path) -> Option<Vec<u32>> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// The numbers of `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, of `18beta1` the first.
fn version_in(text: &str) -> Option<Vec<u32>> {
    let (_, number) = text.split_once("(PostgreSQL) ")?;
    let number = number.split(|c: char| c != '.' && !c.is_ascii_digit()).next()?;
    number.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_says_of_its_version() {
        let debian = "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(version_in(debian), Some(vec![15, 18]));
        assert_eq!(version_in("postgres (PostgreSQL) 9.6.24\n"), Some(vec![9, 6, 24]));
        assert_eq!(version_in("postgres (PostgreSQL) 18beta1\n"), Some(vec![18]));
        assert_eq!(version_in("postgres (PostgreSQL) devel\n"), None);
        assert_eq!(version_in("something else\n"), None);
    }

    #[test]
    fn the_newest_wins_by_number_and_not_by_letter() {
        let found = [(vec![9, 6, 24], "9.6"), (vec![15, 3], "15"), (vec![15, 3], "b")];
        let found = || found.clone().map(|(version, folder)| Programs { version, folder: folder.into() });
        let newest = newest_of(found().into_iter()).unwrap();
        assert_eq!((newest.folder.as_path(), newest.version()), (Path::new("15"), "15.3".to_owned()));
        assert_eq!(newest_of(found().into_iter().take(0)), None);
    }

    #[test]
    fn a_folder_needs_all_programs() {
        let root = tempfile::tempdir().unwrap();
        for (version, names) in [("15", &NAMES[..]), ("9.6", &NAMES[1..])] {
            let folder = root.path().join(version).join("bin");
            fs::create_dir_all(&folder).unwrap();
            names.iter().for_each(|name| fs::write(folder.join(name), "").unwrap());
        }
        let folders = folders_of_versions(root.path());
        assert_eq!(folders.len(), 2);
        let whole: Vec<&PathBuf> = folders.iter().filter(|folder| is_whole(folder)).collect();
        assert_eq!(whole, [&root.path().join("15/bin")]);
        assert!(folders_of_versions(&root.path().join("not there")).is_empty());
    }
}
