//! A trial in evenhand's own JSON, as `evenhand export --format json` writes it.
//!
//! Tests: `tests/import.rs`.

use super::{Draft, Problem};
use evenhand_trial::json::{self, ReadError};
use std::io::{BufReader, Read};

pub(super) fn looks_like(head: &[u8]) -> bool {
    head.trim_ascii_start()
        .strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\"schema_version\""))
}

pub(super) fn read(input: BufReader<impl Read>, draft: &mut Draft) -> Result<(), Problem> {
    let trial = json::read(input).map_err(|error| match error {
        ReadError::Json(error) => error.into(),
        ReadError::Broken(broken) => Problem::Broken(broken),
    })?;
    draft.is_already(trial);
    Ok(())
}
