//! How was a trial to be measured? What decides is typed, so that the verdict while it is measured and the one on what is stored
//! follow from the same numbers; the rest is only said to people.
//!
//! ```json
//! {"margin":1.0,"confidence":99.0,"metric":["wall","cpu"],"max-time":20.0,"rounds":6,"pin":"none","warmup":"1"}
//! ```
//!
//! The names are those of the command line. Version 1 wrote every value as text, `"margin":"1"`, and is read, too. What is no value
//! of its setting stays text: it is shown as it is, and refused by who needs it. What decides and how a mean's error is estimated stay the
//! names that the user typed: the record knows no statistics.
//!
//! Tests: `tests/plan.rs`, `tests/version_1.rs`.

use crate::rule::is_finite;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The settings of a measurement; what is missing was as usual.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Plan {
    /// The smallest change worth acting on, in percent.
    #[serde(rename = "margin", skip_serializing_if = "Option::is_none")]
    pub margin_percent: Option<f64>,
    /// The confidence of the verdict, in percent.
    #[serde(rename = "confidence", skip_serializing_if = "Option::is_none")]
    pub confidence_percent: Option<f64>,
    /// How wide the interval of a change may be, in percent of the change.
    #[serde(rename = "precision", skip_serializing_if = "Option::is_none")]
    pub precision_percent: Option<f64>,
    /// The metrics that a verdict is wanted on; none: the first that was measured.
    #[serde(rename = "metric", skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// What decides, by its name, such as `P99`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// How the error of a mean is estimated, by the name of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_error: Option<String>,
    /// The time for a comparison, in seconds.
    #[serde(rename = "max-time", skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<f64>,
    /// The rounds of a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// How many launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launches: Option<u32>,
    /// The rounds of each launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds_per_launch: Option<u64>,
    /// How many layouts of a program there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<u32>,
    /// The layout of a launch is its number modulo `layouts`: so it was in version 1, which did not record it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub layouts_in_turns: bool,
    /// The benchmark program, and its package: trials of the same are about the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The folder of the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// What nobody but people reads.
    #[serde(flatten)]
    pub given: BTreeMap<String, String>,
}

impl Plan {
    /// All of it in words, under the names of the command line.
    pub fn in_words(&self) -> BTreeMap<String, String> {
        let typed = [
            ("margin", self.margin_percent.map(|percent| percent.to_string())),
            ("confidence", self.confidence_percent.map(|percent| percent.to_string())),
            ("precision", self.precision_percent.map(|percent| percent.to_string())),
            ("metric", Some(self.metrics.join(",")).filter(|names| !names.is_empty())),
            ("at", self.at.clone()),
            ("mean-error", self.mean_error.clone()),
            ("max-time", self.max_seconds.map(|seconds| format!("{seconds} s"))),
            ("rounds", self.rounds.map(|rounds| rounds.to_string())),
            ("launches", self.launches.map(|launches| launches.to_string())),
            ("rounds-per-launch", self.rounds_per_launch.map(|rounds| rounds.to_string())),
            ("layouts", self.layouts.map(|layouts| layouts.to_string())),
            ("program", self.program.clone()),
            ("package", self.package.clone()),
        ];
        let typed = typed.into_iter().filter_map(|(name, words)| Some((name.to_owned(), words?)));
        self.given.clone().into_iter().chain(typed).collect()
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether every figure is a finite number.
    pub(crate) fn is_finite(&self) -> bool {
        is_finite([self.margin_percent, self.confidence_percent, self.precision_percent, self.max_seconds])
    }

    fn take(&mut self, name: String, value: &Value) -> Result<(), String> {
        let is_taken = match name.as_str() {
            "margin" => set(&mut self.margin_percent, value),
            "confidence" => set(&mut self.confidence_percent, value),
            "precision" => set(&mut self.precision_percent, value),
            "metric" => self.take_metrics(value),
            "at" => set(&mut self.at, value),
            "mean-error" => set(&mut self.mean_error, value),
            "max-time" => set(&mut self.max_seconds, &without_unit(value)),
            "rounds" => set(&mut self.rounds, value),
            "launches" => set(&mut self.launches, value),
            "rounds-per-launch" => set(&mut self.rounds_per_launch, value),
            "layouts" => {
                self.layouts_in_turns |= value.is_string();
                set(&mut self.layouts, value)
            }
            "layouts-in-turns" => value.as_bool().map(|in_turns| self.layouts_in_turns = in_turns).is_some(),
            "program" => set(&mut self.program, value),
            "package" => set(&mut self.package, value),
            // A later version may have further settings.
            _ => !value.is_string(),
        };
        match value {
            _ if is_taken => Ok(()),
            Value::String(text) => {
                self.given.insert(name, text.clone());
                Ok(())
            }
            other => Err(format!("the trial's plan says {name} = {other}")),
        }
    }

    fn take_metrics(&mut self, value: &Value) -> bool {
        let names = match value {
            Value::String(names) => Some(names.split(',').map(str::to_owned).collect()),
            names => Vec::deserialize(names).ok(),
        };
        names.map(|names| self.metrics = names).is_some()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.in_words().into_iter().map(|(name, value)| format!("{name} = {value}"));
        f.write_str(&settings.collect::<Vec<_>>().join(", "))
    }
}

/// Sets a setting to a value of its kind, or to what its text means. Answers whether it is one.
fn set<T: FromStr + DeserializeOwned>(setting: &mut Option<T>, value: &Value) -> bool {
    *setting = match value {
        Value::String(text) => text.parse().ok(),
        other => T::deserialize(other).ok(),
    };
    setting.is_some()
}

/// Version 1 wrote `20 s`.
fn without_unit(value: &Value) -> Value {
    let number = value.as_str().and_then(|text| text.strip_suffix(" s"));
    number.map_or_else(|| value.clone(), Value::from)
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut plan = Self::default();
        for (name, value) in BTreeMap::<String, Value>::deserialize(deserializer)? {
            plan.take(name, &value).map_err(D::Error::custom)?;
        }
        Ok(plan)
    }
}
