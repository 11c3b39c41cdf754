//! Which benchmarks are measured, and what can each worker run?

use super::python;
use crate::CliError;
use evenhand_measure::command::Interrupt;
use evenhand_measure::worker::error::WorkerErrorKind;
use evenhand_measure::worker::{Hello, Member, Surveyed, WorkerCommand, WorkerError, survey};
use evenhand_report::message::Message;
use evenhand_trial::{Arm, Note};
use std::collections::BTreeMap;

/// The arms with their workers, in the same order, and what cannot be measured.
#[derive(Debug, Default)]
pub(crate) struct Lineup {
    pub arms: Vec<Arm>,
    pub members: Vec<Member>,
    /// Benchmarks that could not even be made ready.
    pub faults: Vec<WorkerError>,
    pub notes: Vec<Note>,
}

/// What a program can run, by name.
#[derive(Debug)]
pub(crate) struct Found {
    pub benchmarks: BTreeMap<String, Surveyed>,
    hello: Hello,
}

/// Asks a program what it can run of what is wanted.
pub(crate) fn look(
    program: &WorkerCommand,
    wanted: &dyn Fn(&str) -> bool,
    interrupt: &Interrupt,
) -> Result<Found, WorkerError> {
    let found = survey(program, wanted, interrupt)?;
    let by_name = found.benchmarks.into_iter().map(|found| (found.benchmark.name.clone(), found));
    Ok(Found { benchmarks: by_name.collect(), hello: found.hello })
}

/// That a program is of no use as a worker, with its last words, and with the next step where it is known.
pub(crate) fn useless(program: &WorkerCommand, fault: WorkerError) -> CliError {
    let ended = matches!(&fault.what, WorkerErrorKind::Ended(status) if status.success());
    let words = fault.last_words.clone().unwrap_or_default();
    let message = Message::error(WorkerError { last_words: None, ..fault });
    let message = match python::advice(&program.words).filter(|_| ended) {
        Some(advice) => message.hint(advice),
        None => message,
    };
    CliError::Quoted(message, words)
}

/// `sums::of_squares` without the name of its program, which says nothing where there is only one.
pub(crate) fn without_crate(name: &str) -> &str {
    name.split_once("::").map_or(name, |(_, rest)| rest)
}

impl Found {
    /// A benchmark as an arm of this name, with its worker. `None` if there is none; its fault, if it could not be made ready.
    pub(crate) fn take(
        &mut self,
        benchmark: &str,
        program: &WorkerCommand,
        arm: Arm,
    ) -> Option<Result<(Arm, Member), WorkerError>> {
        let Surveyed { place, benchmark, iterations, prepared } = self.benchmarks.remove(benchmark)?;
        let mut launch = WorkerCommand { name: arm.name.clone(), ..program.clone() };
        // For workers that would have to run all of them to know which they are.
        launch.environment.insert("EVENHAND_BENCHMARK".into(), benchmark.name.clone().into());
        let arm = Arm { parameters: benchmark.parameters.into_iter().collect(), ..arm };
        Some(match prepared {
            Ok(prepared) => Ok((
                arm,
                Member { launch, benchmark: place, prepared, hello: self.hello.clone(), iterations },
            )),
            Err(fault) => Err(WorkerError { worker: arm.name, ..fault }),
        })
    }
}

impl Lineup {
    /// Puts the arms of each group one behind the other.
    pub(crate) fn in_groups(&mut self) {
        let mut both: Vec<(Arm, Member)> = self.arms.drain(..).zip(self.members.drain(..)).collect();
        both.sort_by(|(one, _), (other, _)| one.group.cmp(&other.group));
        (self.arms, self.members) = both.into_iter().unzip();
    }

    /// Takes in what can be measured, and the fault of what cannot.
    pub(crate) fn push(&mut self, taken: Result<(Arm, Member), WorkerError>) {
        match taken {
            Ok((arm, member)) => {
                self.arms.push(arm);
                self.members.push(member);
            }
            Err(fault) => self.faults.push(fault),
        }
    }
}
