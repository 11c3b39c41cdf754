//! How many launches, rounds in each launch, and iterations in a sample of a function?
//!
//! Tests: `tests/program/compare.rs`.

use super::Lineup;
use crate::seconds::Seconds;
use crate::verbs::measured::deciding::VERDICT;
use clap::Args;
use evenhand_analysis::ITERATIONS;
use evenhand_measure::worker::iterations::MOST;
use evenhand_measure::worker::{Iterations, Member};
use evenhand_trial::{Arm, Note};
use std::collections::BTreeSet;

#[derive(Debug, Default, Args)]
pub(crate) struct Sampling {
    /// Start each program exactly N times, unless --max-time ends first. With 1 the verdict holds for that start only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = VERDICT)]
    pub launches: Option<u32>,
    /// Measure exactly N rounds in each launch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = VERDICT)]
    pub rounds_per_launch: Option<u64>,
    /// Call each function N times in a sample, with 1 only once [default: as often as the clock needs]. With several
    /// numbers, such as 1,2,4, measure with each of them and print the set-up in a sample
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=MOST), help_heading = VERDICT)]
    iterations: Vec<u64>,
    /// Call each function as many times in a sample as fill this time, such as 25ms
    #[arg(long, value_name = "TIME", conflicts_with = "iterations", help_heading = VERDICT)]
    iteration_time: Option<Seconds>,
}

impl Sampling {
    /// Makes the arms do as the user wants, whatever their authors want.
    pub(crate) fn settle(&self, lineup: &mut Lineup) {
        lineup.notes.extend((self.launches == Some(1)).then_some(Note::OneStart));
        let counts: BTreeSet<u64> = self.iterations.iter().copied().collect();
        if counts.len() > 1 {
            return with_each(counts, lineup);
        }
        let time = self.iteration_time.map(|time| Iterations::For(time.0));
        if let Some(iterations) = counts.first().map(|count| Iterations::Exactly(*count)).or(time) {
            lineup.members.iter_mut().for_each(|member| member.iterations = Some(iterations));
        }
    }

    /// As it is stored with the trial.
    pub(crate) fn given(&self) -> [(&'static str, Option<String>); 2] {
        let counts: Vec<String> = self.iterations.iter().map(ToString::to_string).collect();
        let time = self.iteration_time.map(|time| format!("{:?}", time.0));
        [(ITERATIONS, Some(counts.join(",")).filter(|counts| !counts.is_empty())), ("iteration-time", time)]
    }
}

/// All arms once for each number of iterations: `sorts i1`, `sorts i2`, in groups of their own.
fn with_each(counts: BTreeSet<u64>, lineup: &mut Lineup) {
    let (arms, members) = (std::mem::take(&mut lineup.arms), std::mem::take(&mut lineup.members));
    for count in counts {
        for (arm, member) in arms.iter().zip(&members) {
            let name = format!("{} i{count}", arm.name);
            let mut parameters = arm.parameters.clone();
            parameters.insert(ITERATIONS.to_owned(), count.to_string());
            let mut launch = member.launch.clone();
            launch.name.clone_from(&name);
            let iterations = Some(Iterations::Exactly(count));
            lineup.members.push(Member { launch, iterations, ..member.clone() });
            lineup.arms.push(Arm {
                name,
                group: format!("{} i{count}", arm.group),
                parameters,
                ..arm.clone()
            });
        }
    }
}
