//! Is every worker served, and its fault named, in time? With real processes: this program is its own victim. Started as a worker,
//! its test `victims::victim` runs benchmarks, or misbehaves as the variable `VICTIM` says.
//!
//! | file | question |
//! |---|---|
//! | `victims.rs` | what do the workers run, and how do they misbehave? |
//! | `turns.rs` | do all get their turns, and are the results theirs? |
//! | `metrics.rs` | which number of a turn goes to which metric? |
//! | `faults.rs` | is a fault named, and does nobody wait for it in vain? |
//! | `refusals.rs` | are they served where the system refuses a call? |
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    unsafe_code,
    reason = "a test fails by panicking, and takes the descriptors that it is given"
)]

mod faults;
mod metrics;
mod refusals;
mod turns;
mod victims;

use evenhand_measure::command::Interrupt;
use evenhand_measure::finish::NoSample;
use evenhand_measure::launches::{DueRound, Launcher};
use evenhand_measure::worker::{Crew, Manner, Member, WorkerCommand, survey};
use evenhand_trial::{ArmId, LaunchId, Round, RoundId, Seed};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);
const A: ArmId = ArmId(0);
const B: ArmId = ArmId(1);

fn launch(name: &str, behaviour: Option<&str>) -> WorkerCommand {
    let me = std::env::current_exe().unwrap();
    let words = ["victims::victim", "--exact", "--ignored", "--nocapture"];
    WorkerCommand {
        name: name.to_owned(),
        words: [me.into_os_string()].into_iter().chain(words.map(Into::into)).collect(),
        environment: behaviour.iter().map(|behaviour| ("VICTIM".into(), behaviour.into())).collect(),
        ..WorkerCommand::default()
    }
}

fn nobody() -> Interrupt {
    Interrupt::by_hand().unwrap()
}

/// A benchmark of this program as an arm.
fn member(benchmark: &str) -> Member {
    member_of(launch(benchmark, None), benchmark)
}

fn member_of(launch: WorkerCommand, benchmark: &str) -> Member {
    let wanted = |name: &str| name.ends_with(&format!("::{benchmark}")) || name == benchmark;
    let found = survey(&launch, &wanted, &nobody()).unwrap();
    let [one] = <[_; 1]>::try_from(found.benchmarks).unwrap();
    Member {
        launch,
        benchmark: one.place,
        prepared: one.prepared.unwrap(),
        hello: found.hello,
        iterations: one.iterations,
    }
}

fn crew(members: Vec<Member>) -> Crew {
    Crew::new(members, Manner::default(), nobody())
}

fn due(from: u64, count: u64) -> Vec<DueRound> {
    let order = |round: u64| if round.is_multiple_of(3) { vec![B, A] } else { vec![A, B] };
    let due = |round| {
        let (launch, number, payload) = (LaunchId(0), RoundId(round), Seed(1000 + round));
        DueRound { launch, number, order: order(round), payload }
    };
    (from..from + count).map(due).collect()
}

/// Rounds of the arms that were started.
fn rounds(crew: &mut Crew, from: u64, count: u64) -> Result<Vec<Round>, NoSample> {
    let mut all = Vec::new();
    let mut keep = |round: &Round| {
        all.push(round.clone());
        Ok(())
    };
    crew.rounds(&due(from, count), &mut Round::default(), &mut keep)?;
    Ok(all)
}

/// A launch of two arms, and rounds of it.
fn measured(crew: &mut Crew, count: u64) -> Result<Vec<Round>, NoSample> {
    crew.begin(&[A, B]).unwrap();
    let done = crew.launch(&[B, A], LaunchId(0), Seed(5)).and_then(|_| rounds(crew, 0, count));
    crew.land();
    crew.end();
    done
}
