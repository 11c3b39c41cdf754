//! What does starting a process cost: with the starter, without it, and with the standard library? They take turns, in
//! random order, with the same program:
//! `cargo run --release -p evenhand-measure --example spawning -- /bin/true 2000`
//!
//! It also shows what the kernel says of the memory of a small program while we are large.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use evenhand_measure::command::{Commands, Interrupt, Pin, Program, Setting};
use evenhand_measure::executor::{DueTurn, Endless, Executor};
use evenhand_trial::{ArmId, LaunchId, Round, RoundId, Seed};
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Nanoseconds of each run: as recorded, and with all around it.
#[derive(Default)]
struct Times {
    recorded: Vec<f64>,
    whole: Vec<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args_os().skip(1);
    let program = words.next().unwrap_or("/bin/true".into());
    let times: u64 = words.next().and_then(|word| word.to_str()?.parse().ok()).unwrap_or(2000);
    let mut ours = [commands(&program)?, commands(&program)?.without_starter()];
    for commands in &mut ours {
        commands.begin(&[ArmId(0)], &mut Endless)?;
    }
    let mut seen: [Times; 3] = Default::default();
    for round in 0..times {
        let luck = (round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        for place in 0..3 {
            let who = if luck & 1 == 0 { (luck + place) % 3 } else { (luck + 3 - place) % 3 };
            let before = Instant::now();
            let recorded = match ours.get_mut(who) {
                Some(commands) => by_us(commands, round),
                None => Some(by_standard_library(&program)?),
            };
            seen[who].recorded.extend(recorded);
            seen[who].whole.push(before.elapsed().as_nanos() as f64);
        }
    }
    for (name, Times { recorded, whole }) in
        ["by the starter", "by this program", "by the standard library"].iter().zip(&seen)
    {
        let told = |times: &[f64]| {
            format!("median {:.0}, fastest {:.0}", nth(times, 0.5) / 1e3, nth(times, 0.0) / 1e3)
        };
        println!("{name}, in us: recorded {}; with all around it {}", told(recorded), told(whole));
    }
    for commands in ours {
        println!("notes: {:?}", commands.notes(true));
    }
    Ok(())
}

fn commands(program: &OsString) -> Result<Commands, Box<dyn std::error::Error>> {
    let cpu = evenhand_measure::platform::affinity::allowed().and_then(|cpus| cpus.last().copied());
    let pin = cpu.map_or(Pin::None, |cpu| Pin::Cpus(vec![cpu]));
    let setting = Setting { pin, padding: false, ..Setting::default() };
    let arm = Program { name: "ours".into(), words: vec![program.clone()], ..Program::default() };
    Ok(Commands::new(vec![arm], setting, Interrupt::by_hand()?)?)
}

fn by_us(commands: &mut Commands, round: u64) -> Option<f64> {
    let turn =
        DueTurn { arm: ArmId(0), launch: LaunchId(0), round: RoundId(round), position: 0, payload: Seed(0) };
    let mut measured = Round::default();
    commands.turn(&turn, &mut measured, &mut Endless).ok()?;
    measured.values(ArmId(0))?.get(1).copied()
}

fn by_standard_library(program: &OsString) -> std::io::Result<f64> {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let before = Instant::now();
    let mut child = command.spawn()?;
    child.wait()?;
    Ok(before.elapsed().as_nanos() as f64)
}

fn nth(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN)
}
