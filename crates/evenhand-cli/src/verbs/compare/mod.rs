//! `evenhand compare OLD NEW`, `evenhand compare --git REV`: what did a change do to the benchmarks? Both sides run in turns, in
//! many short launches, until the verdict on each benchmark stands.
//!
//! | file | question |
//! |---|---|
//! | `arguments.rs` | what was said on the command line? |
//! | `side.rs` | what is one side? |
//! | `sides.rs` | which two programs are compared? |
//! | `site.rs` | where is a side built, and which variables does it get? |
//! | `git.rs` | which revisions, and how are they built? |
//! | `builds.rs` | what was built for a side? |
//! | `here.rs` | how are the files as they are built for both sides? |
//! | `revisions.rs` | which revisions, if nothing is built? |
//! | `packages.rs` | which two sides do two versions of a package make? |
//! | `repository.rs` | what does git say? |
//! | `cargo.rs` | what does cargo build? |
//! | `golang/` | how are Go's benchmarks built, so that they serve a host? |
//! | `rustc.rs` | how do all crates get aligned functions? |
//! | `lineup.rs` | which benchmarks are compared with which? |
//!
//! Tests: `tests/program/compare.rs`.

mod arguments;
mod builds;
mod cargo;
pub(crate) mod git;
pub(crate) mod golang;
mod here;
mod lineup;
mod packages;
pub(crate) mod repository;
pub(crate) mod revisions;
pub(crate) mod rustc;
mod side;
mod sides;
mod site;

pub(crate) use arguments::Arguments;

use super::functions::{FunctionsTask, measured, measuring};
use super::measured::control::add_controls;
use super::measured::given;
use super::run::pin;
use crate::{CliError, Stage};
use arguments::Layout;
use evenhand_measure::command::Interrupt;
use evenhand_measure::platform::addresses;
use evenhand_measure::worker::Manner;
use evenhand_trial::Plan;
use side::{Side, Sides};
use std::ffi::OsString;

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    arguments.telling.refuse_impossible_files()?;
    let manner = Manner {
        pin: pin(&arguments.pin)?,
        same_results: !arguments.allow_other_results,
        lockstep: arguments.lockstep,
        shared_layout: shares_layout(arguments)?,
    };
    let sides = sides::sides(arguments, stage)?;
    let task = FunctionsTask {
        deciding: &arguments.deciding,
        telling: &arguments.telling,
        manner,
        plan: plan(arguments, &sides),
    };
    let interrupt = Interrupt::by_signals(|| {}).map_err(CliError::new)?;
    match lineup::lineup(&sides, &arguments.choice, &interrupt)? {
        Some(mut lineup) => {
            arguments.sampling.settle(&mut lineup);
            if arguments.control {
                add_controls(&mut lineup.arms, &mut lineup.members, |member| &mut member.launch.name);
            }
            Ok(measured(task, lineup, interrupt, stage)?.status)
        }
        None => measuring::interrupted(stage),
    }
}

/// What cannot be shared is not measured as if it were.
fn shares_layout(arguments: &Arguments) -> Result<bool, CliError> {
    if arguments.layout == Layout::Own {
        return Ok(false);
    }
    let refused = |why| {
        CliError::with_hint(
            format_args!("--layout shared is not possible here: {why}"),
            "omit it: each side then draws its own layout, and a small change takes more launches",
        )
    };
    addresses::can_be_chosen().map(|()| true).map_err(refused)
}

/// Words that were given, if any were.
fn listed(words: &[OsString]) -> Option<String> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The settings that are stored with the trial.
fn plan(arguments: &Arguments, sides: &Sides) -> Plan {
    let [old, new] = sides.sides.each_ref().map(Side::programs_in_words);
    let [iterations, iteration_time] = arguments.sampling.given();
    let given = given([
        iterations,
        iteration_time,
        ("old", Some(old)),
        ("new", Some(new)),
        ("git", arguments.git.clone()),
        ("go", listed(&arguments.go)),
        ("old-env", listed(&arguments.old_env)),
        ("new-env", listed(&arguments.new_env)),
        ("pin", Some(arguments.pin.clone()).filter(|pin| pin != "auto")),
        ("layout", (arguments.layout == Layout::Shared).then(|| "shared".to_owned())),
        ("no-align", arguments.no_align.then(|| "yes".to_owned())),
        ("lockstep", arguments.lockstep.then(|| "yes".to_owned())),
        ("allow-other-results", arguments.allow_other_results.then(|| "yes".to_owned())),
    ]);
    Plan {
        launches: arguments.sampling.launches,
        rounds_per_launch: arguments.sampling.rounds_per_launch,
        layouts: arguments.layouts,
        given,
        ..arguments.deciding.plan()
    }
}
