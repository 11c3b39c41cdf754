//! Where is a side built, and which variables does it get? Both sides are built in the same folder; `--old-env` and `--new-env` set variables
//! for one of them, when it is built and when it runs.
//!
//! Tests: below, and `tests/program/golang.rs`.

use super::arguments::Arguments;
use super::repository::Repository;
use crate::CliError;
use crate::verbs::run::settle::variable;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variables of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Variables(pub BTreeMap<OsString, OsString>);

impl Variables {
    /// Those of both sides, the baseline first.
    pub(crate) fn of_both(arguments: &Arguments) -> Result<[Self; 2], CliError> {
        let of = |option: &str, given: &[OsString]| {
            given.iter().map(|word| variable(option, word)).collect::<Result<_, _>>().map(Self)
        };
        Ok([of("--old-env", &arguments.old_env)?, of("--new-env", &arguments.new_env)?])
    }

    /// What a program of this side finds under this name.
    pub(crate) fn get(&self, name: &str) -> Option<OsString> {
        self.0.get(&OsString::from(name)).cloned().or_else(|| std::env::var_os(name))
    }

    /// As they were typed.
    pub(crate) fn words(&self) -> Vec<String> {
        let pair = |(name, value): (&OsString, &OsString)| {
            format!("{}={}", name.to_string_lossy(), value.to_string_lossy())
        };
        self.0.iter().map(pair).collect()
    }
}

/// What two sides are called: where only the variables tell them apart, by these.
pub(crate) fn names(names: [&str; 2], variables: &[Variables; 2]) -> [String; 2] {
    let alike = names[0] == names[1];
    let name = |side: usize| match variables[side].words().join(" ") {
        none if none.is_empty() => names[side].to_owned(),
        words if alike => words,
        words => format!("{}, {words}", names[side]),
    };
    [name(0), name(1)]
}

/// Where a side is built, and with what.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub arguments: &'a Arguments,
    pub variables: &'a Variables,
    /// The top of the files that are built,
    pub files: PathBuf,
    /// the top of the user's checkout of them,
    pub top: PathBuf,
    /// and the folder below both in which the build runs.
    pub below: PathBuf,
    /// Our folder for what is built.
    pub place: PathBuf,
}

impl<'a> Site<'a> {
    /// Among the files of a revision.
    pub(crate) fn of_repository(
        repository: &Repository,
        arguments: &'a Arguments,
        variables: &'a Variables,
    ) -> Self {
        Self {
            arguments,
            variables,
            files: repository.files(),
            top: repository.top.clone(),
            below: repository.below.clone(),
            place: repository.place.clone(),
        }
    }

    /// The folder in which the build runs.
    pub(crate) fn here(&self) -> PathBuf {
        self.files.join(&self.below)
    }

    /// The user's own copy of a folder that is built.
    pub(crate) fn home(&self, folder: &Path) -> PathBuf {
        folder.strip_prefix(&self.files).map_or_else(|_| folder.to_owned(), |below| self.top.join(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Variables {
        Variables(pairs.iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    #[test]
    fn sides_are_called_by_their_variables_where_nothing_else_tells_them_apart() {
        let [none, v1, v3] = [
            variables(&[]),
            variables(&[("GOAMD64", "v1")]),
            variables(&[("GOAMD64", "v3"), ("GOGC", "off")]),
        ];
        let here = ["work tree", "work tree"];
        assert_eq!(names(here, &[v1.clone(), v3.clone()]), ["GOAMD64=v1", "GOAMD64=v3 GOGC=off"]);
        assert_eq!(names(here, &[none.clone(), v1.clone()]), ["work tree", "GOAMD64=v1"]);
        assert_eq!(names(["main", "work tree"], &[none.clone(), v1]), ["main", "work tree, GOAMD64=v1"]);
        assert_eq!(names(["main", "work tree"], &[none.clone(), none]), ["main", "work tree"]);
    }
}
