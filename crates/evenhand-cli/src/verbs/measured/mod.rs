//! What do all verbs that measure have in common? What they are asked, where the rounds go, what is seen meanwhile, and what is
//! said at the end.
//!
//! | file | question |
//! |---|---|
//! | `deciding.rs` | what verdict is wanted, and until when? |
//! | `telling.rs` | what shall come out, and where is it kept? |
//! | `fail_if.rs` | how is a condition typed? |
//! | `control.rs` | how is the baseline measured once more? |
//! | `notebook.rs` | where do the rounds go? |
//! | `onlooker.rs` | what is seen while it is measured? |
//! | `notices.rs` | what is said while it is measured? |
//! | `next.rs` | which command comes next? |
//! | `outcome.rs` | what is said at the end, and with which exit status? |

pub(crate) mod control;
pub(crate) mod deciding;
pub(crate) mod fail_if;
pub(crate) mod next;
pub(crate) mod notebook;
pub(crate) mod notices;
pub(crate) mod onlooker;
pub(crate) mod outcome;
pub(crate) mod telling;

pub(crate) use deciding::Deciding;
pub(crate) use notebook::{Closed, Notebook};
pub(crate) use onlooker::Onlooker;
pub(crate) use telling::Telling;

use crate::chance::chance;
use evenhand_measure::plan::Group;
use evenhand_measure::{Question, probe};
use evenhand_trial::{Arm, ArmId, Metric, Origin, Plan, Schedule, Seed, Trial, TrialId};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// A trial that begins now, without its samples.
pub(crate) fn head(
    telling: &Telling,
    seed: Option<Seed>,
    plan: Plan,
    metrics: Vec<Metric>,
    arms: Vec<Arm>,
) -> Trial {
    let origin = Origin::Measured { version: env!("CARGO_PKG_VERSION").to_owned() };
    let command_line: Vec<_> = std::env::args_os().collect();
    Trial {
        label: telling.label.clone(),
        started: Some(Timestamp::now()),
        schedule: Some(Schedule::new(seed.unwrap_or_else(|| Seed(chance())))),
        plan,
        environment: probe(&Question { arguments: &command_line, ..Question::default() }),
        metrics,
        arms,
        ..Trial::new(TrialId::from_number(chance()), origin)
    }
}

/// Settings that are only said, by their names, but for those that were not given.
pub(crate) fn given<const N: usize>(settings: [(&str, Option<String>); N]) -> BTreeMap<String, String> {
    settings.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The groups of a trial, the baseline of each first.
pub(crate) fn groups(trial: &Trial) -> Vec<Group> {
    let is_control = |arm: &ArmId| trial.arm(*arm).is_some_and(|arm| arm.control);
    let group = |(number, arms): (u32, Vec<ArmId>)| {
        let control = arms.iter().copied().find(is_control);
        Group { number, arms, control }
    };
    (0..).zip(trial.groups().into_iter().map(|(_, arms)| arms)).map(group).collect()
}
