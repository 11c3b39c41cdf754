//! A trial in evenhand's own JSON, as `evenhand export --to json` writes it.
//!
//! Tests: `tests/formats/import/reading.rs`.

use super::{Draft, ImportErrorKind, Input, draft, json_keys};
use evenhand_trial::{Note, Origin, Trial};
use std::collections::BTreeSet;

/// hyperfine 2 begins with `schema_version` too; ours goes on with the trial's `id`.
pub(super) fn looks_like(head: &[u8]) -> bool {
    let begins = head
        .trim_ascii_start()
        .strip_prefix(b"{")
        .unwrap_or_default()
        .trim_ascii_start()
        .starts_with(b"\"schema_version\"");
    begins && json_keys::first_keys(head, 2).get(1).is_none_or(|second| *second == "id")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let mut unknown = BTreeSet::new();
    let mut json = serde_json::Deserializer::from_reader(input);
    let mut trial: Trial = serde_ignored::deserialize(&mut json, |path| {
        // As many as anyone reads, however many there are.
        if unknown.len() < MOST_NAMED {
            unknown.insert(without_numbers(&path.to_string()));
        }
    })?;
    json.end()?;
    trial.check()?;
    refuse_negative(&trial)?;
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(|name| format!("\"{}\"", name.escape_debug())).collect();
        trial.note(Note::Said(format!(
            "this version of evenhand does not know these fields of the file, and left them out: {}",
            names.join(", ")
        )));
    }
    draft.is_already(trial);
    Ok(())
}

/// Of the fields that are not known, as many are named.
const MOST_NAMED: usize = 10;

/// `arms.0.colour` and `arms.1.colour` are one field.
fn without_numbers(path: &str) -> String {
    let is_name = |part: &&str| part.parse::<u64>().is_err();
    path.split('.').filter(is_name).collect::<Vec<_>>().join(".")
}

/// What another tool measured has been through these rules before it was written.
fn refuse_negative(trial: &Trial) -> Result<(), ImportErrorKind> {
    if !matches!(trial.origin, Origin::Imported { .. }) {
        return Ok(());
    }
    for series in &trial.series {
        for (metric, numbers) in trial.metrics.iter().zip(&series.values) {
            let name = trial.arm(series.arm).map_or("", |arm| &arm.name);
            draft::refuse_impossible(name, metric, numbers)?;
        }
    }
    Ok(())
}
