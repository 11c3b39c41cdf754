//! Which benchmarks are compared with which? Those of the same name in the same program of both sides.

use super::side::Sides;
use crate::CliError;
use crate::verbs::functions::{Choice, Found, Lineup, look, useless, without_crate};
use evenhand_analysis::words::counted;
use evenhand_measure::command::Interrupt;
use evenhand_measure::worker::error::WorkerErrorKind;
use evenhand_trial::{Arm, Note};
use std::collections::BTreeSet;

/// `None`: the user had enough.
pub(crate) fn lineup(
    sides: &Sides,
    choice: &Choice,
    interrupt: &Interrupt,
) -> Result<Option<Lineup>, CliError> {
    let wanted = |name: &str| choice.wants(name, &sides.filters);
    let mut lineup = Lineup { notes: sides.notes.clone(), ..Lineup::default() };
    let [old, new] = &sides.sides;
    let mut listed = 0;
    for (of_old, of_new) in old.programs.iter().zip(&new.programs) {
        let look = |program| look(program, &wanted, interrupt).map_err(|fault| (program, fault));
        let mut both = match look(of_old).and_then(|found| Ok([found, look(of_new)?])) {
            Ok(both) => both,
            Err((_, fault)) if matches!(fault.what, WorkerErrorKind::Interrupted) => return Ok(None),
            Err((_, fault)) if old.programs.len() > 1 => {
                lineup.faults.push(fault);
                continue;
            }
            Err((program, fault)) => return Err(useless(program, fault)),
        };
        let [names_of_old, names_of_new] = both.each_ref().map(names);
        listed += names_of_old.union(&names_of_new).count();
        note_missing(&mut lineup, &names_of_old, &names_of_new, &new.name);
        note_missing(&mut lineup, &names_of_new, &names_of_old, &old.name);
        for name in names_of_old.intersection(&names_of_new) {
            let [found_old, found_new] = &mut both;
            let shown = if old.programs.len() == 1 { without_crate(name) } else { name };
            let arm =
                |side: &str| Arm { name: format!("{shown} ({side})"), group: name.clone(), ..Arm::default() };
            let old = found_old.take(name, of_old, arm(&old.name));
            let new = found_new.take(name, of_new, arm(&new.name));
            match (old, new) {
                (Some(Ok(old)), Some(Ok(new))) => {
                    [old, new].into_iter().for_each(|both| lineup.push(Ok(both)));
                }
                // What only one side can run is not compared.
                (old, new) => lineup.faults.extend([old, new].into_iter().flatten().filter_map(Result::err)),
            }
        }
    }
    if lineup.arms.is_empty() && lineup.faults.is_empty() {
        return Err(nothing(sides, choice, listed, &lineup.notes));
    }
    Ok(Some(lineup))
}

fn names(found: &Found) -> BTreeSet<String> {
    found.benchmarks.keys().cloned().collect()
}

fn note_missing(lineup: &mut Lineup, here: &BTreeSet<String>, there: &BTreeSet<String>, side: &str) {
    let benchmarks: Vec<String> = here.difference(there).cloned().collect();
    if !benchmarks.is_empty() {
        lineup.notes.push(Note::NotInSide { side: side.to_owned(), benchmarks });
    }
}

fn nothing(sides: &Sides, choice: &Choice, listed: usize, notes: &[Note]) -> CliError {
    if let (0, Some(why)) = (listed, choice.none_left(&sides.filters)) {
        return CliError::new(why);
    }
    let [old, new] = &sides.sides;
    let notes: String = notes.iter().map(|note| format!("; {note}")).collect();
    let among = counted(listed, "benchmark");
    CliError::new(format_args!(
        "{} and {} have no benchmark of the same name among {among}{notes}",
        old.name, new.name
    ))
}
