//! What is a trial? Everything recorded for one comparison: the arms, the coin, the samples, the machine.
//!
//! A trial that breaks a rule (an arm that does not exist, columns of different lengths) is refused by
//! [`Trial::check`]; everything that reads a trial from outside calls it.
//!
//! Tests: `tests/trial.rs`.

use crate::rule::is_finite;
use crate::version::SchemaVersion;
use crate::{
    Arm, ArmId, Environment, Failure, LaunchFacts, LaunchId, Metric, MetricId, Note, Plan, Reported,
    Schedule, Series, TrialError,
};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;
use twox_hash::XxHash3_64;

/// Everything recorded for one comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The version of this form.
    pub schema_version: SchemaVersion,
    /// What it is called in the archive.
    pub id: TrialId,
    /// A name that the user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// How long it took, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether it came to its end.
    pub state: State,
    pub origin: Origin,
    /// The coin. `None`: no coin decided the order, and the arms can only be compared as unpaired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// The settings of the measurement, for analysing it the same way again.
    #[serde(default, skip_serializing_if = "Plan::is_empty")]
    pub plan: Plan,
    /// The machine and the tools.
    #[serde(default)]
    pub environment: Environment,
    /// What was measured on every sample; the verdict is on the first.
    pub metrics: Vec<Metric>,
    pub arms: Vec<Arm>,
    /// What each launch drew; none of commands, which have one launch that draws nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<LaunchFacts>,
    pub series: Vec<Series>,
    /// The runs that gave no sample.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// Figures without samples, as another tool printed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<Reported>,
    /// What a reader should know of how this record came about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// Whether a trial came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is being measured now.
    Running,
    /// It came to its end.
    Complete,
    /// It was cut off: the rounds up to then are whole, and it can be resumed.
    Interrupted,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Who measured a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// evenhand itself.
    Measured {
        /// The version of evenhand.
        version: String,
    },
    /// Another tool, whose results were imported.
    Imported {
        /// The format of the file, such as `hyperfine`.
        format: String,
        /// The tool and its version, if the file says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The file, as the user named it.
        file: String,
    },
    /// Several trials laid beside each other, to compare arms of the same name.
    Joined { trials: Vec<TrialId> },
}

/// The short name of a trial: 4 to 32 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct TrialId(String);

impl TrialId {
    /// The name made from a number; 16 digits.
    pub fn from_number(number: u64) -> Self {
        Self(format!("{number:016x}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 8 digits, for people.
    pub fn short(&self) -> &str {
        &self.0[..self.0.len().min(8)]
    }
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TrialId {
    type Err = TrialError;

    fn from_str(text: &str) -> Result<Self, TrialError> {
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !digits || !(4..=32).contains(&text.len()) {
            return Err(TrialError(format!(
                "a trial's id is 4 to 32 lower-case hexadecimal digits, not \"{}\"",
                text.escape_debug()
            )));
        }
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for TrialId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Trial {
    /// A trial with nothing in it yet.
    pub fn new(id: TrialId, origin: Origin) -> Self {
        Self {
            schema_version: SchemaVersion::default(),
            id,
            label: None,
            started: None,
            seconds: None,
            state: State::Complete,
            origin,
            schedule: None,
            plan: Plan::default(),
            environment: Environment::default(),
            metrics: Vec::new(),
            arms: Vec::new(),
            launches: Vec::new(),
            series: Vec::new(),
            failures: Vec::new(),
            reported: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// How many samples it holds.
    pub fn sample_count(&self) -> usize {
        self.series.iter().map(Series::len).sum()
    }

    /// The trial without its samples: what is small enough to keep beside them.
    pub fn head(&self) -> Self {
        Self {
            schema_version: self.schema_version,
            id: self.id.clone(),
            label: self.label.clone(),
            started: self.started,
            seconds: self.seconds,
            state: self.state,
            origin: self.origin.clone(),
            schedule: self.schedule,
            plan: self.plan.clone(),
            environment: self.environment.clone(),
            metrics: self.metrics.clone(),
            arms: self.arms.clone(),
            launches: self.launches.clone(),
            series: Vec::new(),
            failures: self.failures.clone(),
            reported: self.reported.clone(),
            notes: self.notes.clone(),
        }
    }

    /// A number that changes with anything in the trial but its id: two imports of one file are recognised by it.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = XxHash3_64::with_seed(0);
        // A head holds strings, numbers and maps with string keys: serde_json writes all of them.
        hasher.write(&serde_json::to_vec(&self.head_of_version_1()).unwrap_or_default());
        self.launches.iter().for_each(|launch| hasher.write(&serde_json::to_vec(launch).unwrap_or_default()));
        self.series.iter().for_each(|series| series.hash_into(&mut hasher));
        hasher.finish()
    }

    /// Without its id, and written as version 1 did: so a file that was imported by then is still recognised.
    fn head_of_version_1(&self) -> Self {
        let in_words = |note: &Note| Note::Said(note.to_string());
        Self {
            schema_version: SchemaVersion::FIRST,
            id: TrialId::from_number(0),
            plan: Plan { given: self.plan.in_words(), ..Plan::default() },
            notes: self.notes.iter().map(in_words).collect(),
            launches: Vec::new(),
            ..self.head()
        }
    }

    /// Adds a note that is not there yet.
    pub fn note(&mut self, note: Note) {
        if !self.notes.iter().any(|known| known.says(&note)) {
            self.notes.push(note);
        }
    }

    /// Which layout the programs of a group had in each launch, where that is known.
    pub fn layouts(&self, group: u32) -> impl Fn(LaunchId) -> Option<u32> + use<> {
        let in_turns = self.plan.layouts.filter(|_| self.plan.layouts_in_turns);
        let of_group = self.launches.iter().filter(|launch| launch.group == group);
        let recorded: HashMap<LaunchId, u32> = of_group.map(|launch| (launch.id, launch.layout)).collect();
        move |launch| match in_turns {
            Some(layouts) => launch.0.checked_rem(layouts),
            None => recorded.get(&launch).copied(),
        }
    }

    /// An arm by its id.
    pub fn arm(&self, id: ArmId) -> Option<&Arm> {
        self.arms.get(id.index())
    }

    /// A metric by its name.
    pub fn metric(&self, name: &str) -> Option<(MetricId, &Metric)> {
        let index = self.metrics.iter().position(|metric| metric.name == name)?;
        Some((MetricId(index as u32), &self.metrics[index]))
    }

    /// The groups in the order of their first arms, each with its arms, the baseline first.
    pub fn groups(&self) -> Vec<(&str, Vec<ArmId>)> {
        let mut groups: Vec<(&str, Vec<ArmId>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, arm) in self.arms.iter().enumerate() {
            let place = *places.entry(&arm.group).or_insert_with(|| {
                groups.push((&arm.group, Vec::new()));
                groups.len() - 1
            });
            let members = &mut groups[place].1;
            let at = if arm.baseline { 0 } else { members.len() };
            members.insert(at, ArmId(index as u32));
        }
        groups
    }

    /// Refuses a trial that breaks a rule, and says which.
    pub fn check(&self) -> Result<(), TrialError> {
        self.check_names()?;
        for (index, series) in self.series.iter().enumerate() {
            self.check_arm(series.arm, format_args!("series {index}"))?;
            if let Some(rule) = series.broken_rule(self.metrics.len()) {
                return Err(TrialError(format!("series {index} {rule}")));
            }
        }
        for (index, failure) in self.failures.iter().enumerate() {
            self.check_arm(failure.arm, format_args!("failure {index}"))?;
        }
        self.check_launches()?;
        for (index, reported) in self.reported.iter().enumerate() {
            self.check_arm(reported.arm, format_args!("reported figure {index}"))?;
            if reported.metric.index() >= self.metrics.len() {
                return Err(TrialError(format!(
                    "reported figure {index} is of metric {}, which does not exist",
                    reported.metric.0
                )));
            }
        }
        self.check_figures()
    }

    /// JSON has no word for NaN or infinity, so a figure that is not finite would be lost or could not be read again.
    fn check_figures(&self) -> Result<(), TrialError> {
        let refused = |what: String| Err(TrialError(format!("{what} holds a number that is not finite")));
        if !is_finite([self.seconds]) {
            return refused("the trial's length in seconds".to_owned());
        }
        if !self.plan.is_finite() {
            return refused("the plan".to_owned());
        }
        if !self.environment.is_finite() {
            return refused("the environment".to_owned());
        }
        if let Some(index) = self.failures.iter().position(|failure| !failure.is_finite()) {
            return refused(format!("failure {index}"));
        }
        match self.reported.iter().position(|reported| !reported.is_finite()) {
            Some(index) => refused(format!("reported figure {index}")),
            None => Ok(()),
        }
    }

    fn check_names(&self) -> Result<(), TrialError> {
        if self.metrics.is_empty() {
            return Err(TrialError("the trial has no metric".to_owned()));
        }
        if let Some(twice) = first_repeated(self.metrics.iter().map(|metric| metric.name.as_str())) {
            return Err(TrialError(format!("two metrics have the name \"{}\"", twice.escape_debug())));
        }
        if let Some(twice) = first_repeated(self.arms.iter().map(|arm| arm.name.as_str())) {
            return Err(TrialError(format!("two arms have the name \"{}\"", twice.escape_debug())));
        }
        let baselines = self.arms.iter().filter(|arm| arm.baseline).map(|arm| arm.group.as_str());
        match first_repeated(baselines) {
            Some(group) => {
                Err(TrialError(format!("the group \"{}\" has two baselines", group.escape_debug())))
            }
            None => Ok(()),
        }
    }

    fn check_launches(&self) -> Result<(), TrialError> {
        let groups = self.groups().len();
        match self.launches.iter().find(|launch| launch.group as usize >= groups) {
            Some(LaunchFacts { group, id, .. }) => {
                Err(TrialError(format!("launch {} is of group {group}, which does not exist", id.0)))
            }
            None => Ok(()),
        }
    }

    fn check_arm(&self, arm: ArmId, of: fmt::Arguments<'_>) -> Result<(), TrialError> {
        match self.arm(arm) {
            Some(_) => Ok(()),
            None => Err(TrialError(format!("{of} is of arm {}, which does not exist", arm.0))),
        }
    }
}

fn first_repeated<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut known = HashSet::new();
    names.into_iter().find(|name| !known.insert(*name))
}
