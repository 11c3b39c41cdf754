//! What does starting a process cost, our way and that of the standard library? The two take turns, in random order, with
//! the same program: `cargo run --release -p evenhand-measure --example spawning -- /bin/true 2000`
//!
//! It also shows what the kernel says of the memory of a small program while we are large.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use evenhand_measure::command::{Commands, Interrupt, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor, Outcome, Turn};
use evenhand_trial::{ArmId, LaunchId, RoundId, Seed};
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args_os().skip(1);
    let program = words.next().unwrap_or("/bin/true".into());
    let times: u64 = words.next().and_then(|word| word.to_str()?.parse().ok()).unwrap_or(2000);
    let cpu = evenhand_measure::platform::affinity::allowed().and_then(|cpus| cpus.last().copied());
    let pin = cpu.map_or(Pin::None, |cpu| Pin::Cpus(vec![cpu]));
    let setting = Setting { pin, padding: false, ..Setting::default() };
    let arm = Program { name: "ours".into(), words: vec![program.clone()], ..Program::default() };
    let mut commands = Commands::new(vec![arm], setting, Interrupt::by_hand()?)?;
    commands.begin(&[ArmId(0)], &mut Endless)?;
    let (mut ours, mut whole, mut standard) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..times {
        let turn =
            Turn { arm: ArmId(0), launch: LaunchId(0), round: RoundId(round), position: 0, payload: Seed(0) };
        let ours_first = (round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63) == 0;
        for our_turn in [ours_first, !ours_first] {
            let before = Instant::now();
            if our_turn {
                if let Outcome::Sample(reading) = commands.turn(&turn, &mut Endless) {
                    ours.extend(reading.values.first());
                    whole.push(before.elapsed().as_nanos() as f64);
                }
            } else {
                standard.push(by_standard_library(&program)?);
            }
        }
    }
    for (name, times) in [
        ("ours, as recorded", ours),
        ("standard library, as recorded", standard),
        ("ours, with all around it", whole),
    ] {
        println!("{name}: median {:.0} us, fastest {:.0} us", nth(&times, 0.5) / 1e3, nth(&times, 0.0) / 1e3);
    }
    println!("notes: {:?}", commands.notes(true));
    Ok(())
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
