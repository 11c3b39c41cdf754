//! Real signals, sent to another process of this very program: it catches them while it measures a command that ignores
//! requests to end. One leads to an answer after the grace, two end it with code 130, and nothing is left of the command.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop at the first surprise")]

#[cfg(target_os = "linux")]
fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("measure") => linux::measure(),
        // What a test runner asks for.
        Some("--list") => {}
        _ => linux::tests(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod linux {
    use evenhand_measure::command::{Commands, Interrupt, Output, Pin, Program, Setting};
    use evenhand_measure::executor::{DueTurn, Endless, Executor};
    use evenhand_measure::finish::NoSample;
    use evenhand_trial::{ArmId, LaunchId, Round, RoundId, Seed};
    use rustix::process::{Pid, Signal, kill_process};
    use std::io::{BufRead, BufReader, Read};
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    const STUBBORN: &str = "trap 'echo asked' TERM; echo $$; while :; do :; done";

    /// Measures until a signal comes.
    pub(super) fn measure() {
        let interrupt = Interrupt::by_signals(|| println!("farewell")).unwrap();
        let words = ["sh", "-c", STUBBORN].map(Into::into).to_vec();
        let setting = Setting { output: Output::Inherit, pin: Pin::None, ..Setting::default() };
        let arm = Program { words, ..Program::default() };
        let mut commands = Commands::new(vec![arm], setting, interrupt).unwrap();
        commands.begin(&[ArmId(0)], &mut Endless).unwrap();
        let (launch, round) = (LaunchId(0), RoundId(0));
        let turn = DueTurn { arm: ArmId(0), launch, round, position: 0, payload: Seed(0) };
        let done = commands.turn(&turn, &mut Round::default(), &mut Endless);
        assert!(matches!(done, Err(NoSample::Interrupted)), "{done:?}");
        commands.end(&[ArmId(0)], &mut Endless).unwrap();
        println!("verdict so far");
    }

    pub(super) fn tests() {
        assert_eq!(after(&[Signal::INT]), (Some(0), "verdict so far\n".to_owned()));
        assert_eq!(after(&[Signal::TERM]), (Some(0), "verdict so far\n".to_owned()));
        assert_eq!(after(&[Signal::INT, Signal::INT]), (Some(130), "farewell\n".to_owned()));
        assert_eq!(after(&[Signal::HUP, Signal::TERM]), (Some(130), "farewell\n".to_owned()));
        // A terminal that is closed sends two.
        assert_eq!(after(&[Signal::HUP, Signal::HUP]), (Some(0), "verdict so far\n".to_owned()));
        assert_eq!(after(&[Signal::INT, Signal::HUP]), (Some(0), "verdict so far\n".to_owned()));
        println!("signals: ok");
    }

    /// The code and the words of a program that got these signals while it measured.
    fn after(signals: &[Signal]) -> (Option<i32>, String) {
        // Whoever runs tests in the background may ignore Ctrl-C, and what is ignored stays so.
        let mut program = Command::new("env");
        program.arg("--default-signal=INT,TERM,HUP").arg(std::env::current_exe().unwrap());
        let mut child = program.arg("measure").stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (mut process, mut said) = (String::new(), String::new());
        output.read_line(&mut process).unwrap();
        for signal in signals {
            kill_process(Pid::from_child(&child), *signal).unwrap();
            // The command is asked once. Two signals at once might be seen in another order.
            if said.is_empty() {
                output.read_line(&mut said).unwrap();
            }
        }
        let mut words = String::new();
        output.read_to_string(&mut words).unwrap();
        let code = child.wait().unwrap().code();
        assert!(ends(process.trim()), "{process} lives on");
        (code, words)
    }

    /// Whether a process is gone, or will be in a moment: killed, it still needs to die, and after a second signal nobody
    /// waits for that.
    fn ends(process: &str) -> bool {
        let stat = Path::new("/proc").join(process).join("stat");
        (0..2000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            std::fs::read_to_string(&stat).is_ok_and(|text| text.contains(") Z ")) || !stat.exists()
        })
    }
}
