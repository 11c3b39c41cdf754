//! What is in this trial? Who measured it, when, on which machine, and how much of what.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::table::Table;
use crate::wrap::wrapped;
use evenhand_analysis::words::{counted, quantity, symbol};
use evenhand_trial::environment::Cpu;
use evenhand_trial::{ArmId, Environment, Origin, Trial, Unit};
use std::fmt::{self, Write};

/// The record of a trial, to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The trial; its samples are only counted.
    pub trial: &'a Trial,
    /// How to lay it out.
    pub layout: Layout,
}

impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in about(self.trial).into_iter().chain(machine(&self.trial.environment)) {
            writeln!(f, "{}", wrapped(&format!("{name:<12} {}", plain(&value)), self.layout, 13))?;
        }
        write!(f, "\n{}", arms(self.trial, self.layout))?;
        for (place, (name, command)) in named_commands(self.trial).enumerate() {
            let text = format!("{} runs: {}", plain(name), plain(&command));
            let apart = if place == 0 { "\n" } else { "" };
            writeln!(f, "{apart}{}", wrapped(&text, self.layout, 2))?;
        }
        if !self.trial.notes.is_empty() {
            f.write_char('\n')?;
        }
        for note in &self.trial.notes {
            writeln!(f, "{}", wrapped(&format!("note: {}", plain(&note.to_string())), self.layout, 6))?;
        }
        Ok(())
    }
}

/// The commands that are called otherwise than they are typed.
fn named_commands(trial: &Trial) -> impl Iterator<Item = (&str, String)> {
    let commands = trial.arms.iter().map(|arm| (arm.name.as_str(), arm.command.join(" ")));
    commands.filter(|(name, command)| !command.is_empty() && name != command)
}

pub(crate) fn about(trial: &Trial) -> Vec<(&'static str, String)> {
    let metric = |metric: &evenhand_trial::Metric| match symbol(&metric.unit) {
        "" => metric.name.clone(),
        symbol => format!("{} ({symbol})", metric.name),
    };
    let metrics: Vec<String> = trial.metrics.iter().map(metric).collect();
    let mut about = vec![("trial", trial.id.to_string())];
    about.extend(trial.label.clone().map(|label| ("label", label)));
    about.push(("state", trial.state.to_string()));
    about.push(("from", origin(&trial.origin)));
    about.extend(trial.started.map(|started| ("started", started.to_string())));
    about.extend(trial.seconds.map(|seconds| ("took", quantity(seconds, &Unit::seconds()))));
    about.push((
        "order",
        match &trial.schedule {
            Some(schedule) => format!("randomised, seed {}", schedule.seed),
            None => "not randomised".to_owned(),
        },
    ));
    about.push(("metrics", metrics.join(", ")));
    about.extend(Some(("plan", trial.plan.to_string())).filter(|(_, plan)| !plan.is_empty()));
    about
}

/// Who measured a trial, in a few words.
pub fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Measured { version } => format!("evenhand {version}"),
        Origin::Imported { format, tool, file } => {
            format!("{}, {file}", tool.as_ref().unwrap_or(format))
        }
        Origin::Joined { trials } => format!("{} compared together", counted(trials.len(), "trial")),
    }
}

pub(crate) fn machine(environment: &Environment) -> Vec<(&'static str, String)> {
    let bytes = |bytes: u64| quantity(bytes as f64, &Unit::bytes());
    let mut machine = Vec::new();
    machine.extend(environment.host.clone().map(|host| ("host", host)));
    machine.extend(processor(&environment.cpu).map(|processor| ("processor", processor)));
    let limit = environment.memory_limit_bytes.map(|limit| format!(", limited to {}", bytes(limit)));
    let memory = environment.memory_bytes.map(|all| bytes(all) + &limit.unwrap_or_default());
    machine.extend(memory.map(|memory| ("memory", memory)));
    let system: Vec<String> =
        [&environment.system, &environment.kernel].into_iter().flatten().cloned().collect();
    machine.extend((!system.is_empty()).then(|| ("system", system.join(", "))));
    machine.extend(environment.git.as_ref().map(|git| {
        let dirty = if git.dirty { ", with changes" } else { "" };
        ("source", format!("{}{dirty}", git.commit))
    }));
    let tools: Vec<String> =
        environment.tools.iter().map(|(name, version)| format!("{name} {version}")).collect();
    machine.extend((!tools.is_empty()).then(|| ("tools", tools.join(", "))));
    machine
}

/// Its model, how many there are, and how many of them may be used.
pub(crate) fn processor(cpu: &Cpu) -> Option<String> {
    let parts = [
        cpu.model.clone(),
        cpu.logical.map(|logical| counted(logical as usize, "processor")),
        cpu.limit.map(|limit| format!("limited to {limit:.2}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn arms(trial: &Trial, layout: Layout) -> Table {
    let mut table = Table::new(&["name", "samples", "launches", "failed", "figures only"], layout);
    for (index, arm) in trial.arms.iter().enumerate() {
        let id = ArmId(index as u32);
        let series = || trial.series.iter().filter(|series| series.arm == id);
        let mut launches: Vec<_> = series().map(|series| series.launch).collect();
        launches.sort_unstable();
        launches.dedup();
        let failed = trial.failures.iter().filter(|failure| failure.arm == id).count();
        let figures = trial.reported.iter().any(|reported| reported.arm == id);
        table.row(vec![
            arm.name.clone(),
            series().map(evenhand_trial::Series::len).sum::<usize>().to_string(),
            launches.len().to_string(),
            if failed > 0 { failed.to_string() } else { String::new() },
            if figures { "yes".to_owned() } else { String::new() },
        ]);
    }
    table
}
