//! The user has had enough: before a run, during it, while it ignores the request, twice; and steps that put away run on.

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::{Commands, Interrupt, Output, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_measure::platform::process::portable;
use evenhand_measure::platform::process::{Limits, Listener, ProcessEnd, Start, Stream, Streams};
use evenhand_trial::ArmId;
use evenhand_victims::victim;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

fn file(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_file(&file);
    file
}

/// Waits until a file has a line.
fn line_of(file: &Path) -> String {
    let begun = Instant::now();
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text,
            _ if begun.elapsed() > PATIENCE => panic!("nothing was written to {}", file.display()),
            _ => thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn exists(process: &str) -> bool {
    Path::new("/proc").join(process).exists()
}

fn sh(script: &str) -> Program {
    let words = ["sh", "-c", script].map(Into::into).to_vec();
    Program { name: "sh".to_owned(), words, ..Program::default() }
}

fn commands(program: Program, interrupt: &Interrupt) -> Commands {
    let setting = Setting { pin: Pin::None, output: Output::Null, ..Setting::default() };
    let mut commands = Commands::new(vec![program], setting, interrupt.clone()).unwrap();
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    commands
}

fn is_interrupted(commands: &mut Commands) -> bool {
    matches!(one_turn(commands, &turn(0, 0)), Err(NoSample::Interrupted))
}

/// Runs a script that writes its number, and asks it to end so many times. Answers how long that took.
fn interrupted(name: &str, script: &str, times: u32) -> Duration {
    let numbers = file(name);
    let script = script.replace("FILE", numbers.to_str().unwrap());
    let interrupt = Interrupt::by_hand().unwrap();
    let mut commands = commands(sh(&script), &interrupt);
    let user = thread::spawn({
        let numbers = numbers.clone();
        move || {
            line_of(&numbers);
            let asked = Instant::now();
            for time in 0..times {
                thread::sleep(Duration::from_millis(20 * u64::from(time)));
                interrupt.request();
            }
            asked
        }
    });
    assert!(is_interrupted(&mut commands));
    let took = user.join().unwrap().elapsed();
    for process in line_of(&numbers).split_whitespace() {
        assert!(!exists(process), "{process} is neither alive nor a zombie");
    }
    assert!(is_interrupted(&mut commands), "nothing runs any more");
    commands.end(&[ArmId(0)], &mut Endless).unwrap();
    took
}

#[test]
fn a_request_ends_the_run_and_all_that_it_started() {
    interrupted("run", "sleep 600 & echo $! $$ > FILE; wait", 1);
}

#[test]
fn who_ignores_it_is_killed_after_the_grace() {
    let took = interrupted("ignores", "trap '' TERM; sleep 600 & echo $! $$ > FILE; wait; wait", 1);
    assert!(took >= Duration::from_millis(500), "{took:?}");
}

#[test]
fn a_second_request_does_not_wait_for_the_grace() {
    // The grace is half a second: a machine that needs as long for a kill is too busy to tell.
    let took =
        (0..5).map(|_| interrupted("twice", "trap '' TERM; echo $$ > FILE; while :; do sleep 1; done", 2));
    assert!(took.min().unwrap() < Duration::from_millis(500));
}

#[test]
fn what_was_begun_is_put_away() {
    let order = file("order");
    let write = |word: &str| Some(format!("echo {word} >> '{}'", order.display()).into());
    let interrupt = Interrupt::by_hand().unwrap();
    let program = Program {
        prepare: write("prepare"),
        conclude: write("conclude"),
        cleanup: write("cleanup"),
        ..sh("sleep 600")
    };
    let mut commands = commands(program, &interrupt);
    let user = thread::spawn({
        let order = order.clone();
        move || {
            line_of(&order);
            interrupt.request();
        }
    });
    assert!(is_interrupted(&mut commands));
    user.join().unwrap();
    commands.end(&[ArmId(0)], &mut Endless).unwrap();
    let written = fs::read_to_string(&order).unwrap();
    assert!(written == "prepare\nconclude\ncleanup\n" || written == "prepare\ncleanup\n", "{written}");
}

#[test]
fn a_request_during_a_preparation_ends_it() {
    let number = file("preparation");
    let interrupt = Interrupt::by_hand().unwrap();
    let prepare = Some(format!("echo $$ > '{}'; exec sleep 600", number.display()).into());
    let mut commands = commands(Program { prepare, ..sh("exit 0") }, &interrupt);
    let user = thread::spawn({
        let number = number.clone();
        move || {
            line_of(&number);
            interrupt.request();
        }
    });
    assert!(is_interrupted(&mut commands));
    user.join().unwrap();
    assert!(!exists(line_of(&number).trim()));
}

#[derive(Default)]
struct Heard(Vec<u8>);

impl Listener for Heard {
    fn hear(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// The way of other systems, on this one.
fn portably(words: &[&str], timeout: Option<Duration>, interrupt: &Interrupt) -> (ProcessEnd, u64, usize) {
    let words = std::iter::once(victim().into()).chain(words.iter().map(Into::into)).collect();
    let start = Start { program: victim().into(), words, environment: Vec::new(), directory: None };
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Heard };
    let limits = Limits { timeout, interrupt, patient: false };
    let clock = evenhand_measure::platform::Monotonic::start();
    let prepared = portable::Spawnable::new(start).unwrap();
    let (mut out, mut err) = (Heard::default(), Heard::default());
    let poised = portable::poise(&prepared, None, None, &streams).unwrap();
    let run = poised.run(&limits, &clock, [&mut out, &mut err], &mut |_| {}).unwrap();
    (run.end, run.wall, out.0.len())
}

#[test]
fn the_portable_way_knows_the_same_ends() {
    let interrupt = Interrupt::by_hand().unwrap();
    assert_eq!(portably(&["exit", "7"], None, &interrupt).0, ProcessEnd::Exit(7));
    assert_eq!(portably(&["kill-itself", "ABRT"], None, &interrupt).0, ProcessEnd::Signal(6));
    assert_eq!(portably(&["shout", "1000000"], None, &interrupt).2, 1_000_000);
    let (end, wall, _) = portably(&["ignore-term"], Some(Duration::from_millis(100)), &interrupt);
    assert_eq!(end, ProcessEnd::TimedOut);
    assert!(wall >= 600_000_000);
    interrupt.request();
    assert_eq!(portably(&["sleep", "600000"], None, &interrupt).0, ProcessEnd::Interrupted);
}
