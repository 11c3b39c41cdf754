//! Is every worker served, and its fault named, in time? With real processes: this program is its own victim. Started as a worker,
//! its test `victims::victim` runs benchmarks, or misbehaves as the variable `VICTIM` says.
//!
//! | file | question |
//! |---|---|
//! | `victims.rs` | what do the workers run, and how do they misbehave? |
//! | `turns.rs` | do all get their turns, and are the results theirs? |
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
mod refusals;
mod turns;
mod victims;

use evenhand_measure::command::Interrupt;
use evenhand_measure::launches::{Launcher, Readings, Round, Stopped};
use evenhand_measure::worker::{Crew, Launch, Manner, Member, survey};
use evenhand_trial::{ArmId, LaunchId, RoundId, Seed};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);
const A: ArmId = ArmId(0);
const B: ArmId = ArmId(1);

fn launch(name: &str, behaviour: Option<&str>) -> Launch {
    let me = std::env::current_exe().unwrap();
    let words = ["victims::victim", "--exact", "--ignored", "--nocapture"];
    Launch {
        name: name.to_owned(),
        words: [me.into_os_string()].into_iter().chain(words.map(Into::into)).collect(),
        environment: behaviour.iter().map(|behaviour| ("VICTIM".into(), behaviour.into())).collect(),
        ..Launch::default()
    }
}

fn nobody() -> Interrupt {
    Interrupt::by_hand().unwrap()
}

/// A benchmark of this program as an arm.
fn member(benchmark: &str) -> Member {
    member_of(launch(benchmark, None), benchmark)
}

fn member_of(launch: Launch, benchmark: &str) -> Member {
    let wanted = |name: &str| name.ends_with(&format!("::{benchmark}")) || name == benchmark;
    let found = survey(&launch, &wanted, &nobody()).unwrap();
    let [one] = <[_; 1]>::try_from(found.benchmarks).unwrap();
    Member { launch, benchmark: one.place, prepared: one.prepared.unwrap(), hello: found.hello }
}

fn crew(members: Vec<Member>) -> Crew {
    Crew::new(members, Manner::default(), nobody())
}

fn rounds(from: u64, count: u64) -> Vec<Round> {
    let order = |round: u64| if round.is_multiple_of(3) { vec![B, A] } else { vec![A, B] };
    let round = |round| Round { round: RoundId(round), order: order(round), payload: Seed(1000 + round) };
    (from..from + count).map(round).collect()
}

/// A launch of two arms, and rounds of it.
fn measured(crew: &mut Crew, count: u64) -> Result<Vec<Readings>, Stopped> {
    crew.begin(&[A, B]).unwrap();
    let done = crew.launch(&[B, A], LaunchId(0), Seed(5)).and_then(|_| crew.rounds(&rounds(0, count)));
    crew.land();
    crew.end();
    done
}
