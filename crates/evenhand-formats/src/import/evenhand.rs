//! A trial in evenhand's own JSON, as `evenhand export --to json` writes it.
//!
//! Tests: `tests/formats/import/reading.rs`.

use super::{Draft, ImportErrorKind, Input, json_keys};
use evenhand_trial::json::{self, ReadError};

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
    let trial = json::read(input).map_err(|error| match error {
        ReadError::Json(error) => error.into(),
        ReadError::Broken(broken) => ImportErrorKind::Broken(broken),
    })?;
    draft.is_already(trial);
    Ok(())
}
