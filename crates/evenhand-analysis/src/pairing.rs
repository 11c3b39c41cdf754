//! Which arms are compared with each other? Those of one group; in another tool's file, only where they got the same
//! input.
//!
//! A tool that prints benchmarks in groups (pytest-benchmark, mitata) puts `test_sort[20]` and `test_sort[200]` into one.
//! That sorting 200 numbers takes longer than sorting 20 is no verdict on anything. So:
//!
//! | arms of a group | compared |
//! |---|---|
//! | all with the same parameters | with the first |
//! | one of them marked as the baseline in the file | with that one |
//! | some with the same, others not | those with the same, with the first of them |
//! | each with its own, in a group without a name: one call's alternatives, as of hyperfine | with the first |
//! | each with its own, in a group with a name | not at all |
//!
//! A baseline that the user names is compared with the whole of its group, and if it stands alone there with all others.
//!
//! Tests: `tests/analysis/pairing.rs`.

use super::settings::{Settings, SettingsError};
use evenhand_trial::{Arm, ArmId, Origin, Trial};
use std::collections::{BTreeSet, HashSet};

/// A baseline and what is compared with it, which may be nothing.
pub(super) type Pairing = (ArmId, Vec<ArmId>);

/// Arms of one group that got different inputs, and were not all compared for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Apart {
    /// The arms, the group's baseline first.
    pub arms: Vec<ArmId>,
    /// The parameters in which they differ.
    pub differ_in: Vec<String>,
    /// Whether some got the same input and were compared.
    pub some_compared: bool,
}

/// Parameters that formats write for the code itself, or for the unit in which its cost is told: no inputs.
const NO_INPUTS: [&str; 4] = ["function", "title", "batch", "throughput"];

/// Each baseline with its candidates.
pub(super) fn pairings(trial: &Trial, settings: &Settings) -> Result<Vec<Pairing>, SettingsError> {
    let named = named(trial, settings)?;
    let mut pairings: Vec<Pairing> = Vec::new();
    for (group, arms) in trial.groups() {
        match named.filter(|named| arms.contains(named)) {
            Some(named) => pairings.push(with(named, &arms)),
            None => pairings.extend(
                alternatives(trial, group, arms)
                    .iter()
                    .filter_map(|rivals| Some(with(*rivals.first()?, rivals))),
            ),
        }
    }
    let stands_alone = |named: ArmId| {
        pairings.iter().any(|(baseline, candidates)| *baseline == named && candidates.is_empty())
    };
    match named.filter(|named| stands_alone(*named)) {
        Some(named) => Ok(vec![with(named, &(0..trial.arms.len() as u32).map(ArmId).collect::<Vec<_>>())]),
        None => Ok(pairings),
    }
}

/// The pairs of a group's baseline and its control, either way round. With another baseline a control is an arm like any.
pub(super) fn controls(trial: &Trial) -> HashSet<[ArmId; 2]> {
    let is_control = |arm: &ArmId| trial.arm(*arm).is_some_and(|arm| arm.control);
    let pairs = trial.groups().into_iter().flat_map(|(_, arms)| {
        let baseline = arms[0];
        let controls = arms.into_iter().skip(1).filter(is_control);
        controls.flat_map(move |control| [[baseline, control], [control, baseline]]).collect::<Vec<_>>()
    });
    pairs.collect()
}

/// The groups whose arms were kept apart.
pub(super) fn kept_apart(trial: &Trial, settings: &Settings) -> Vec<Apart> {
    let named = named(trial, settings).ok().flatten();
    let groups =
        trial.groups().into_iter().filter(|(_, arms)| named.is_none_or(|named| !arms.contains(&named)));
    groups.filter_map(|(group, arms)| apart(trial, group, arms)).collect()
}

fn named(trial: &Trial, settings: &Settings) -> Result<Option<ArmId>, SettingsError> {
    settings.baseline.as_deref().map(|name| find_baseline(trial, name)).transpose()
}

fn with(baseline: ArmId, arms: &[ArmId]) -> Pairing {
    (baseline, arms.iter().copied().filter(|arm| *arm != baseline).collect())
}

fn apart(trial: &Trial, group: &str, arms: Vec<ArmId>) -> Option<Apart> {
    let parts = alternatives(trial, group, arms.clone());
    let some_compared = parts.iter().any(|rivals| rivals.len() > 1);
    (parts.len() > 1).then(|| Apart { differ_in: differ_in(trial, &arms), arms, some_compared })
}

/// The arms of a group, those together that are alternatives to each other. What was measured, laid beside each other
/// or given a baseline at the user's wish is never parted.
fn alternatives(trial: &Trial, group: &str, arms: Vec<ArmId>) -> Vec<Vec<ArmId>> {
    let has_baseline = arms.iter().filter_map(|arm| trial.arm(*arm)).any(|arm| arm.baseline);
    if has_baseline || !matches!(trial.origin, Origin::Imported { .. }) {
        return vec![arms];
    }
    let mut parts: Vec<(Vec<Input<'_>>, Vec<ArmId>)> = Vec::new();
    for &id in &arms {
        let inputs = trial.arm(id).map_or_else(Vec::new, inputs);
        match parts.iter_mut().find(|(known, _)| *known == inputs) {
            Some((_, rivals)) => rivals.push(id),
            None => parts.push((inputs, vec![id])),
        }
    }
    if group.is_empty() && parts.len() == arms.len() {
        return vec![arms];
    }
    parts.into_iter().map(|(_, rivals)| rivals).collect()
}

/// Name and value of a parameter.
type Input<'a> = (&'a str, &'a str);

fn inputs(arm: &Arm) -> Vec<Input<'_>> {
    let all = arm.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    all.filter(|(name, _)| !NO_INPUTS.contains(name)).collect()
}

fn differ_in(trial: &Trial, arms: &[ArmId]) -> Vec<String> {
    let arms: Vec<&Arm> = arms.iter().filter_map(|arm| trial.arm(*arm)).collect();
    let names: BTreeSet<&str> = arms.iter().flat_map(|arm| inputs(arm)).map(|(name, _)| name).collect();
    let values = |name: &str| arms.iter().map(|arm| arm.parameters.get(name)).collect::<BTreeSet<_>>().len();
    names.into_iter().filter(|name| values(name) > 1).map(str::to_owned).collect()
}

fn find_baseline(trial: &Trial, name: &str) -> Result<ArmId, SettingsError> {
    if let Some(index) = trial.arms.iter().position(|arm| arm.name == name) {
        return Ok(ArmId(index as u32));
    }
    Err(SettingsError(format!(
        "no command or benchmark \"{}\" to use as the baseline: {}",
        name.escape_debug(),
        listed(trial.arms.iter().map(|arm: &Arm| arm.name.as_str()))
    )))
}

/// The first dozen, and how many more.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = names.map(|name| format!("\"{}\"", name.escape_debug())).collect();
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    format!("there are {}{more}", names[..names.len().min(MOST)].join(", "))
}
