//! How do two trials compare that were not measured together? They are laid beside each other: arms of the same name
//! become alternatives, and as no coin was tossed between them, the comparison is unpaired and says so.
//!
//! Tests: `tests/join.rs`.

use crate::note::Differing;
use crate::{
    Arm, ArmId, LaunchId, Metric, Note, Origin, Reported, Series, State, Trial, TrialError, TrialId,
};
use std::collections::{BTreeMap, BTreeSet};

impl Trial {
    /// Lays trials beside each other; the first is the baseline. `names` tell them apart for people, such as the files
    /// they came from. Arms that only one of them has are left out, and a note says so.
    ///
    /// # Errors
    /// Fewer than two trials, or nothing to compare: no arm of the same name, unless each has only one.
    pub fn join(trials: Vec<(String, Self)>) -> Result<Self, TrialError> {
        if trials.len() < 2 {
            return Err(TrialError("at least two trials are needed to compare them together".to_owned()));
        }
        let names = distinct(trials.iter().map(|(name, _)| name.as_str()));
        let groups = groups(&trials)?;
        let ids = trials.iter().map(|(_, trial)| trial.id.clone()).collect();
        let mut joined = Self::new(TrialId::from_number(0), Origin::Joined { trials: ids });
        joined.environment = trials[0].1.environment.clone();
        joined.notes = notes(&trials, &names, &groups);
        let sole = groups.values().collect::<BTreeSet<_>>().len() == 1;
        for ((_, trial), name) in trials.into_iter().zip(&names) {
            joined.take_in(trial, name, &groups, sole);
        }
        joined.order_by_group();
        joined.id = TrialId::from_number(joined.fingerprint());
        joined.check()?;
        Ok(joined)
    }

    fn take_in(&mut self, trial: Self, name: &str, groups: &BTreeMap<String, String>, sole: bool) {
        let mut taken: BTreeSet<String> = self.arms.iter().map(|arm| arm.name.clone()).collect();
        let mut columns: Vec<(usize, f64)> = Vec::with_capacity(trial.metrics.len());
        for metric in &trial.metrics {
            columns.push(self.column_for(metric, &columns));
        }
        let mut arms: BTreeMap<ArmId, ArmId> = BTreeMap::new();
        for (index, arm) in trial.arms.into_iter().enumerate() {
            let Some(group) = groups.get(&arm.name) else { continue };
            arms.insert(ArmId(index as u32), ArmId(self.arms.len() as u32));
            let shown =
                if sole && *group == arm.name { name.to_owned() } else { format!("{name}: {}", arm.name) };
            let shown = free_name(shown, &taken);
            taken.insert(shown.clone());
            self.arms.push(Arm { name: shown, group: group.clone(), baseline: false, control: false, ..arm });
        }
        for series in trial.series {
            if let Some(&arm) = arms.get(&series.arm) {
                self.series.push(moved(series, arm, &columns, self.metrics.len()));
            }
        }
        let failures = trial.failures.into_iter();
        self.failures.extend(
            failures.filter_map(|failure| Some(crate::Failure { arm: *arms.get(&failure.arm)?, ..failure })),
        );
        let reported = trial.reported.into_iter();
        self.reported.extend(reported.filter_map(|known| converted(known, &arms, &columns)));
    }

    /// The place of a metric, and what converts its numbers to the unit it has there. Metrics of one name that
    /// measure different things stay apart, the later ones with their unit behind the name; `taken` are the places of
    /// the same trial's other metrics.
    fn column_for(&mut self, metric: &Metric, taken: &[(usize, f64)]) -> (usize, f64) {
        let mut name = metric.name.clone();
        while let Some((place, known)) = self.metric(&name) {
            let alike = known.per == metric.per && known.better == metric.better;
            let free = taken.iter().all(|(other, _)| *other != place.index());
            if let Some(factor) = metric.unit.factor_to(&known.unit).filter(|_| alike && free) {
                return (place.index(), factor);
            }
            name = format!("{name} ({})", metric.unit);
        }
        self.metrics.push(Metric { name, ..metric.clone() });
        let metrics = self.metrics.len();
        self.series.iter_mut().for_each(|series| series.values.resize_with(metrics, Vec::new));
        (metrics - 1, 1.0)
    }

    /// Arms of one group stand together, in the order of the first trial.
    fn order_by_group(&mut self) {
        let order: Vec<ArmId> = self.groups().into_iter().flat_map(|(_, arms)| arms).collect();
        let mut place = vec![ArmId(0); order.len()];
        for (index, arm) in order.iter().enumerate() {
            place[arm.index()] = ArmId(index as u32);
        }
        self.arms = order.iter().map(|arm| self.arms[arm.index()].clone()).collect();
        self.series.iter_mut().for_each(|series| series.arm = place[series.arm.index()]);
        self.failures.iter_mut().for_each(|failure| failure.arm = place[failure.arm.index()]);
        self.reported.iter_mut().for_each(|reported| reported.arm = place[reported.arm.index()]);
    }
}

/// Names that tell trials apart: `a.json`, `a.json (2)`.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut free = |name: &str| {
        let found = free_name(name.to_owned(), &taken);
        taken.insert(found.clone());
        found
    };
    names.map(&mut free).collect()
}

/// The name, with the first number behind it that nobody has yet if somebody has the name.
fn free_name(name: String, taken: &BTreeSet<String>) -> String {
    if !taken.contains(&name) {
        return name;
    }
    let mut numbered = (2_usize..).map(|n| format!("{name} ({n})"));
    numbered.find(|candidate| !taken.contains(candidate)).unwrap_or(name)
}

/// For each arm that is compared, its name and the group it gets: its name, if another trial has it too. Single arms of
/// different names are taken for the same question.
fn groups(trials: &[(String, Trial)]) -> Result<BTreeMap<String, String>, TrialError> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for arm in trials.iter().flat_map(|(_, trial)| &trial.arms) {
        *counts.entry(&arm.name).or_default() += 1;
    }
    let shared: BTreeMap<String, String> = counts
        .iter()
        .filter(|(_, times)| **times > 1)
        .map(|(name, _)| ((*name).to_owned(), (*name).to_owned()))
        .collect();
    if !shared.is_empty() {
        return Ok(shared);
    }
    if trials.iter().all(|(_, trial)| trial.arms.len() == 1) {
        let all = trials.iter().flat_map(|(_, trial)| &trial.arms);
        return Ok(all.map(|arm| (arm.name.clone(), "all".to_owned())).collect());
    }
    let mut names: Vec<String> =
        counts.keys().take(8).map(|name| format!("\"{}\"", name.escape_debug())).collect();
    if counts.len() > names.len() {
        names.push("…".to_owned());
    }
    Err(TrialError(format!("no benchmark name is in two of them: there are {}", names.join(", "))))
}

fn notes(trials: &[(String, Trial)], names: &[String], groups: &BTreeMap<String, String>) -> Vec<Note> {
    let mut notes = Vec::new();
    let has_note = |trial: &Trial, note: &Note| trial.notes.iter().any(|known| known.says(note));
    let is_shared = |note: &&Note| trials.iter().all(|(_, trial)| has_note(trial, note));
    for ((_, trial), name) in trials.iter().zip(names) {
        let mut alone = trial.arms.iter().filter(|arm| !groups.contains_key(&arm.name));
        if let Some(first) = alone.next() {
            let (trial, arm) = (name.clone(), first.name.clone());
            notes.push(Note::OnlyIn { trial, arm, others: alone.count() as u64 });
        }
        if trial.state != State::Complete {
            notes.push(Note::CutOff { trial: name.clone() });
        }
        let own = trial.notes.iter().filter(|note| !is_shared(note)).cloned();
        notes.extend(own.map(|note| Note::Of { trial: name.clone(), note: Box::new(note) }));
    }
    notes.extend(trials[0].1.notes.iter().filter(|note| is_shared(note)).cloned());
    notes.extend(differing_machines(trials, names));
    notes
}

/// A part of the machine, if the trial knows it.
type Part = fn(&Trial) -> Option<&String>;

/// The parts of the machines that are known to differ, and what they are. The joined trial keeps the first environment
/// only.
fn differing_machines(trials: &[(String, Trial)], names: &[String]) -> Option<Note> {
    let parts: [(&str, Part); 6] = [
        ("host", |trial| trial.environment.host.as_ref()),
        ("processor", |trial| trial.environment.cpu.model.as_ref()),
        ("architecture", |trial| trial.environment.architecture.as_ref()),
        ("governor", |trial| trial.environment.cpu.governor.as_ref()),
        ("kernel", |trial| trial.environment.kernel.as_ref()),
        ("system", |trial| trial.environment.system.as_ref()),
    ];
    let differ = |part: &Part| {
        let known: BTreeSet<&String> = trials.iter().filter_map(|(_, trial)| part(trial)).collect();
        known.len() > 1
    };
    let each = |part: Part| {
        let all = trials.iter().zip(names);
        all.filter_map(|((_, trial), name)| Some((name.clone(), part(trial)?.trim().to_owned()))).collect()
    };
    let differing = parts.into_iter().filter(|(_, part)| differ(part));
    let parts: Vec<_> =
        differing.map(|(what, part)| Differing { part: what.to_owned(), each: each(part) }).collect();
    (!parts.is_empty()).then_some(Note::MachinesDiffer { parts })
}

fn moved(series: Series, arm: ArmId, columns: &[(usize, f64)], metrics: usize) -> Series {
    let mut values = vec![Vec::new(); metrics];
    for (mut column, &(place, factor)) in series.values.into_iter().zip(columns) {
        if factor != 1.0 {
            column.iter_mut().for_each(|value| *value *= factor);
        }
        values[place] = column;
    }
    Series { arm, launch: LaunchId(series.launch.0), values, ..series }
}

fn converted(
    reported: Reported,
    arms: &BTreeMap<ArmId, ArmId>,
    columns: &[(usize, f64)],
) -> Option<Reported> {
    let &(place, factor) = columns.get(reported.metric.index())?;
    let arm = *arms.get(&reported.arm)?;
    let mut reported = Reported { arm, metric: crate::MetricId(place as u32), ..reported };
    if factor != 1.0 {
        reported.scale(factor);
    }
    Some(reported)
}
