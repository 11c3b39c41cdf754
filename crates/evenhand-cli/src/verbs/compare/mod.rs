//! `evenhand compare OLD NEW`, `evenhand compare --git REV`: what did a change do to the benchmarks? Both sides run in turns, in
//! many short launches, until the verdict on each benchmark stands.
//!
//! | file | question |
//! |---|---|
//! | `arguments.rs` | what was said on the command line? |
//! | `sides.rs` | which two programs are compared? |
//! | `git.rs` | which revisions, and how are they built? |
//! | `repository.rs` | what does git say? |
//! | `cargo.rs` | what does cargo build? |
//! | `rustc.rs` | how do all crates get aligned functions? |
//! | `lineup.rs` | which benchmarks are compared with which? |
//!
//! Tests: `tests/program/compare.rs`.

mod arguments;
mod cargo;
mod git;
mod lineup;
mod repository;
pub(crate) mod rustc;
mod sides;

pub(crate) use arguments::Arguments;

use super::functions::{Asked, measured, measuring};
use super::run::pin;
use crate::{Failure, Stage};
use evenhand_measure::command::Interrupt;
use evenhand_measure::launches::Launching;
use evenhand_measure::worker::Manner;
use sides::{Side, Sides};
use std::collections::BTreeMap;

/// A start draws its own luck, which the coin inside it cannot share out.
const ONE_START: &str = "each side was started once, so this is about these two starts: two starts of the same program can \
                         differ. Without --launches 1 the verdict holds for the next start, too";

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, Failure> {
    arguments.telling.refuse_impossible_files()?;
    let asked = Asked {
        deciding: &arguments.deciding,
        telling: &arguments.telling,
        launching: Launching { launches: arguments.launches, rounds: arguments.rounds_per_launch },
        manner: Manner {
            pin: pin(&arguments.pin)?,
            same_results: !arguments.allow_other_results,
            lockstep: arguments.lockstep,
        },
        written: BTreeMap::new(),
    };
    let sides = sides::sides(arguments, stage)?;
    let asked = Asked { written: written(arguments, &sides), ..asked };
    let interrupt = Interrupt::by_signals(|| {}).map_err(Failure::new)?;
    match lineup::lineup(&sides, &arguments.choice, &interrupt)? {
        Some(mut lineup) => {
            lineup.notes.extend((arguments.launches == Some(1)).then(|| ONE_START.to_owned()));
            Ok(measured(asked, lineup, interrupt, stage)?.status)
        }
        None => measuring::interrupted(stage),
    }
}

/// The settings that are stored with the trial.
fn written(arguments: &Arguments, sides: &Sides) -> BTreeMap<String, String> {
    let [old, new] = sides.sides.each_ref().map(Side::programs_in_words);
    let entries = [
        ("old", Some(old)),
        ("new", Some(new)),
        ("git", arguments.git.clone()),
        ("launches", arguments.launches.map(|launches| launches.to_string())),
        ("rounds-per-launch", arguments.rounds_per_launch.map(|rounds| rounds.to_string())),
        ("pin", Some(arguments.pin.clone()).filter(|pin| pin != "auto")),
        ("layouts", arguments.layouts.map(|count| count.to_string())),
        ("no-align", arguments.no_align.then(|| "yes".to_owned())),
        ("lockstep", arguments.lockstep.then(|| "yes".to_owned())),
        ("allow-other-results", arguments.allow_other_results.then(|| "yes".to_owned())),
    ];
    let all = arguments.deciding.written().into_iter().chain(entries);
    all.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
