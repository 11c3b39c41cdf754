//! Which benchmarks of a program are wanted? As with cargo's own tests: those with one of these parts in their names, or with
//! `--exact` those called so, but for those to be skipped.
//!
//! Tests: below, and `tests/program/compare.rs`.

use super::without_crate;
use crate::CliError;
use clap::Args;
use std::ffi::OsStr;

/// What the command line says beside the filters.
#[derive(Debug, Default, Args)]
pub(crate) struct Choice {
    /// Match each FILTER against whole names instead of parts of them
    #[arg(long)]
    exact: bool,
    /// Skip benchmarks with this in their name
    #[arg(long, value_name = "FILTER")]
    skip: Vec<String>,
}

/// A part of a benchmark's name, as it was typed.
pub(crate) fn filter(word: &OsStr) -> Result<String, CliError> {
    let wrong = || format!("\"{}\" is not part of a benchmark name", word.to_string_lossy().escape_debug());
    word.to_str().map(str::to_owned).ok_or_else(|| CliError::new(wrong()))
}

impl Choice {
    /// Whether a benchmark is wanted; without filters all are.
    pub(crate) fn wants(&self, name: &str, filters: &[String]) -> bool {
        (filters.is_empty() || self.fits(name, filters)) && !self.fits(name, &self.skip)
    }

    /// A whole name may leave out the program's, as it is left out where results are shown.
    fn fits(&self, name: &str, filters: &[String]) -> bool {
        filters.iter().any(|filter| match self.exact {
            true => name == filter || without_crate(name) == filter,
            false => name.contains(filter.as_str()),
        })
    }

    /// That there is none, in words; `None` if all were asked for.
    pub(crate) fn none_left(&self, filters: &[String]) -> Option<String> {
        let quoted: Vec<String> =
            filters.iter().map(|filter| format!("\"{}\"", filter.escape_debug())).collect();
        let names = quoted.join(" or ");
        let among = if self.skip.is_empty() { "" } else { " and is not skipped" };
        match (filters, self.exact) {
            ([], _) if self.skip.is_empty() => None,
            ([], _) => Some("every benchmark is skipped".to_owned()),
            (_, true) => Some(format!("no benchmark is named {names}{among}")),
            (_, false) => Some(format!("no benchmark name contains {names}{among}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(exact: bool, skip: &[&str], filters: &[&str]) -> Vec<&'static str> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let choice = Choice { exact, skip: owned(skip) };
        let all = ["sums::few", "sums::few_more", "sums::many"];
        all.into_iter().filter(|name| choice.wants(name, &owned(filters))).collect()
    }

    #[test]
    fn parts_whole_names_and_what_is_left_out() {
        assert_eq!(chosen(false, &[], &[]).len(), 3);
        assert_eq!(chosen(false, &[], &["few"]), ["sums::few", "sums::few_more"]);
        assert_eq!(chosen(true, &[], &["few"]), ["sums::few"]);
        assert_eq!(chosen(true, &[], &["sums::few_more", "many"]), ["sums::few_more", "sums::many"]);
        assert_eq!(chosen(false, &["few_"], &["few"]), ["sums::few"]);
        assert_eq!(chosen(true, &["few"], &[]), ["sums::few_more", "sums::many"]);
    }
}
