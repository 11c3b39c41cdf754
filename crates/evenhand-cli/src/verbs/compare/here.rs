//! `--go`: how are the files as they are now built for both sides, if only variables tell the sides apart? Where they lie, with
//! no repository: packages of the standard library are of none.
//!
//! Tests: `tests/program/golang.rs`.

use super::arguments::Arguments;
use super::builds::{self, Build, keep};
use super::git::{blamed, cache, lock, say_building};
use super::golang;
use super::repository::{file_error, fingerprint};
use super::side::Sides;
use super::site::{Site, Variables, names};
use crate::{CliError, Stage};
use std::fs;
use std::path::PathBuf;

pub(super) fn sides(
    arguments: &Arguments,
    variables: &[Variables; 2],
    filters: Vec<String>,
    stage: &mut Stage<'_>,
) -> Result<Sides, CliError> {
    let here = std::env::current_dir().map_err(CliError::new)?;
    let place = cache()?.join(format!("{:016x}", fingerprint(here.as_os_str())));
    fs::create_dir_all(&place).map_err(|error| file_error(&place, &error))?;
    let lock = lock(&place, stage)?;
    let names = if variables[0] == variables[1] {
        ["old".to_owned(), "new".to_owned()]
    } else {
        names(["as is"; 2], variables)
    };
    let mut built = |side: usize| {
        let site = Site {
            arguments,
            variables: &variables[side],
            files: here.clone(),
            top: here.clone(),
            below: PathBuf::new(),
            place: place.clone(),
        };
        build_one(&names[side], ["old", "new"][side], &site, stage)
    };
    let builds = [built(0)?, built(1)?];
    drop(lock);
    builds::sides(names.each_ref().map(String::as_str), &builds, filters, arguments)
}

/// go keeps what it compiles, so that an unchanged side takes no longer than linking it.
fn build_one(name: &str, folder: &str, site: &Site<'_>, stage: &mut Stage<'_>) -> Result<Build, CliError> {
    say_building(name, site, stage)?;
    let built = golang::build(site, stage);
    keep(&site.place.join("here").join(folder), &blamed(built, name, stage)?)
}
