//! In which version of its form is a record written, and which are read?
//!
//! Tests: `tests/version_1.rs`, `tests/json.rs`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of a JSON form: written as `NEWEST`; it and all before are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormVersion<const NEWEST: u64>(u64);

/// The version of the form of trials.
pub type SchemaVersion = FormVersion<2>;

impl SchemaVersion {
    /// That of the first version, for what must stay as it was then.
    pub(crate) const FIRST: Self = Self(1);
}

impl<const NEWEST: u64> Default for FormVersion<NEWEST> {
    fn default() -> Self {
        Self(NEWEST)
    }
}

impl<const NEWEST: u64> Serialize for FormVersion<NEWEST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const NEWEST: u64> Deserialize<'de> for FormVersion<NEWEST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            // What is read has the newest form from here on.
            version if (1..=NEWEST).contains(&version) => Ok(Self::default()),
            newer if newer > NEWEST => Err(serde::de::Error::custom(format!(
                "written by a newer evenhand (schema version {newer}, this one reads up to {NEWEST}): update evenhand"
            ))),
            other => Err(serde::de::Error::custom(format!("there is no schema version {other}"))),
        }
    }
}
