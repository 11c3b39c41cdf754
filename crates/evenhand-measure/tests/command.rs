//! Real processes: every way in which a command can end, what is measured of it, and that nothing is left of it.

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::metrics::Layout;
use evenhand_measure::command::{Commands, Input, Interrupt, Output, Pin, Program, Setting};
use evenhand_measure::executor::{DueTurn, Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_trial::note::Coldness;
use evenhand_trial::{ArmId, Note, Reason, Round};
use evenhand_victims::victim;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn words(words: &[&str]) -> Vec<OsString> {
    std::iter::once(victim().into()).chain(words.iter().map(OsString::from)).collect()
}

/// A victim, called by its behaviour.
fn arm(behaviour: &[&str]) -> Program {
    Program { name: behaviour[0].to_owned(), words: words(behaviour), ..Program::default() }
}

fn sh(script: &str) -> Program {
    let words = ["sh", "-c", script].map(OsString::from).to_vec();
    Program { name: script.to_owned(), words, ..Program::default() }
}

fn free() -> Setting {
    Setting { pin: Pin::None, events: &[], ..Setting::default() }
}

fn commands(arms: Vec<Program>, setting: Setting) -> Commands {
    Commands::new(arms, setting, Interrupt::by_hand().unwrap()).unwrap()
}

fn refusal(program: Program, setting: Setting) -> String {
    Commands::new(vec![program], setting, Interrupt::by_hand().unwrap()).unwrap_err().0
}

/// One run of one arm in a group of its own.
fn once(program: Program, setting: Setting) -> (Result<Round, NoSample>, Commands) {
    let mut commands = commands(vec![program], setting);
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    let done = one_turn(&mut commands, &turn(0, 0));
    commands.end(&[ArmId(0)], &mut Endless).unwrap();
    (done, commands)
}

fn reason(done: Result<Round, NoSample>) -> Reason {
    match done {
        Err(NoSample::Failed { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

fn value(round: &Round, name: &str) -> f64 {
    let metrics = Layout::new(&[]).metrics();
    let values = round.values(ArmId(0)).unwrap();
    assert_eq!(metrics.len(), values.len(), "a number for each metric");
    let place = metrics.iter().position(|metric| metric.name == name).unwrap();
    values[place]
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a run writes to its standard output.
fn output(program: Program, setting: Setting) -> Vec<u8> {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let file = folder("output").with_file_name(format!("output-{}-{number}", std::process::id()));
    let setting = Setting { output: Output::File(file.clone()), ..setting };
    once(program, setting).0.unwrap();
    let written = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    written
}

fn text(program: Program, setting: Setting) -> String {
    String::from_utf8(output(program, setting)).unwrap()
}

/// The notes but those that depend on the machine, or on what other tests do meanwhile.
fn notes(commands: &Commands) -> Vec<String> {
    let other = |note: &Note| !matches!(note, Note::LostPeaks { .. } | Note::Counters { .. });
    commands.notes(true).into_iter().filter(other).map(|note| note.to_string()).collect()
}

/// Whether a process exists, as a zombie or alive.
fn exists(process: &str) -> bool {
    PathBuf::from("/proc").join(process.trim()).exists()
}

#[test]
fn an_empty_program_is_a_sample() {
    let (done, commands) = once(arm(&["exit"]), free());
    let round = done.unwrap();
    let (_, sample) = round.samples().next().unwrap();
    assert_eq!(sample.iterations, 1);
    assert!(sample.started.is_some());
    assert!(value(&round, "wall") > 1000.0, "a process takes more than a microsecond");
    let sum = value(&round, "user") + value(&round, "system");
    assert_eq!(value(&round, "cpu"), sum);
    assert!(value(&round, "minor_faults") > 0.0);
    assert_eq!(commands.last_words(ArmId(0)), None);
}

#[test]
fn times_are_at_least_what_was_slept_or_worked() {
    let slept = once(arm(&["sleep", "50"]), free()).0.unwrap();
    assert!(value(&slept, "wall") >= 50e6);
    assert!(value(&slept, "voluntary_switches") >= 1.0);
    let worked = once(arm(&["spin", "30000"]), free()).0.unwrap();
    assert!(value(&worked, "wall") >= 30e6);
    assert!(value(&worked, "user") > 0.0);
}

#[test]
fn the_peak_of_memory_is_that_of_the_process() {
    let (done, _) = once(arm(&["rss-mib", "1024"]), free());
    let peak = value(&done.unwrap(), "max_rss");
    assert!((1024.0..1100.0).contains(&(peak / 1048576.0)), "{peak}");
}

#[test]
fn what_a_process_waited_for_counts() {
    let touched = once(arm(&["grandchild-touches", "300"]), free()).0.unwrap();
    assert!(value(&touched, "max_rss") >= 300.0 * 1048576.0, "{touched:?}");
}

#[test]
fn a_code_and_a_signal_are_failures_with_last_words() {
    let (done, commands) = once(arm(&["complain", "40"]), free());
    assert_eq!(reason(done), Reason::Exit { code: 4 });
    let last = commands.last_words(ArmId(0)).unwrap();
    let lines: Vec<&str> = last.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[9]), (10, "complaint 31", "complaint 40"));

    let (done, _) = once(arm(&["kill-itself", "ABRT"]), free());
    assert_eq!(reason(done), Reason::Signal { number: 6 });

    let (done, commands) = once(arm(&["secrets"]), free());
    assert_eq!(reason(done), Reason::Exit { code: 6 });
    assert_eq!(commands.last_words(ArmId(0)).unwrap(), "token: hunter2", "without its colours");
}

#[test]
fn the_last_words_of_many_are_few() {
    let (_, commands) = once(arm(&["complain", "200000"]), free());
    assert!(commands.last_words(ArmId(0)).unwrap().ends_with("complaint 199999\ncomplaint 200000"));
}

#[test]
fn in_a_trial_that_goes_on_runs_start_as_late_as_it_began_ago() {
    let hour = 3_600_000_000_000;
    let mut commands = commands(vec![arm(&["exit"])], free());
    let started = |round: Round| round.samples().next().and_then(|(_, sample)| sample.started).unwrap();
    let first = started(one_turn(&mut commands, &turn(0, 0)).unwrap());
    commands.go_on_after(hour);
    let later = started(one_turn(&mut commands, &turn(0, 1)).unwrap());
    assert!(first < hour && later > hour + first, "{first} and {later} ns");
}

#[test]
fn every_third_run_fails_and_the_others_count() {
    let file = folder("third").join("count");
    let mut commands = commands(vec![arm(&["fail-every-third", file.to_str().unwrap()])], free());
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    let failed: Vec<bool> = (0..6)
        .map(|round| {
            let done = one_turn(&mut commands, &turn(0, round));
            matches!(done, Err(NoSample::Failed { reason: Reason::Exit { code: 3 }, .. }))
        })
        .collect();
    assert_eq!(failed, [false, false, true, false, false, true]);
}

#[test]
fn what_is_left_behind_is_ended_and_reaped() {
    let file = folder("left").join("pid");
    let setting = Setting { output: Output::File(file.clone()), ..free() };
    let (done, commands) = once(arm(&["grandchild"]), setting);
    done.unwrap();
    let process = fs::read_to_string(&file).unwrap();
    assert!(process.trim().parse::<u32>().unwrap() > 1);
    assert!(!exists(&process), "neither alive nor a zombie");
    assert_eq!(
        notes(&commands),
        ["`grandchild` left 1 process running in 1 run; it was killed, and its usage until then is included"]
    );
}

#[test]
fn a_timeout_ends_the_whole_group() {
    let file = folder("timeout").join("pids");
    let script = format!("sleep 600 & echo $! $$ > '{}'; wait", file.display());
    let setting = Setting { timeout: Some(Duration::from_millis(100)), ..free() };
    let before = Instant::now();
    let (done, commands) = once(sh(&script), setting);
    assert!(before.elapsed() >= Duration::from_millis(100));
    let Err(NoSample::Failed { reason: Reason::Timeout { allowed }, seconds: Some(seconds), .. }) = done
    else {
        panic!("{done:?}")
    };
    assert_eq!(allowed, 0.1);
    assert!(seconds >= 0.1);
    for process in fs::read_to_string(&file).unwrap().split_whitespace() {
        assert!(!exists(process), "{process}");
    }
    assert_eq!(notes(&commands), [""; 0], "what was ended by us was not left behind");
}

#[test]
fn who_ignores_the_request_is_killed_after_the_grace() {
    let setting = Setting { timeout: Some(Duration::from_millis(200)), ..free() };
    let (done, _) = once(arm(&["ignore-term"]), setting);
    let Err(NoSample::Failed { reason: Reason::Timeout { .. }, seconds: Some(seconds), .. }) = done else {
        panic!("{done:?}")
    };
    assert!(seconds >= 0.7, "{seconds}");
}

#[test]
fn a_loud_program_is_heard_out() {
    let setting = Setting { output: Output::Pipe, ..free() };
    once(arm(&["shout", "104857600"]), setting.clone()).0.unwrap();
    let setting = Setting { same_output: true, ..setting };
    once(arm(&["shout", "104857600"]), setting).0.unwrap();
}

#[test]
fn input_is_a_file_from_its_beginning_or_nothing() {
    let file = folder("input").join("text");
    fs::write(&file, "some text").unwrap();
    assert_eq!(reason(once(arm(&["needs-input"]), free()).0), Reason::Exit { code: 5 });
    let setting = Setting { input: Input::File(file.clone()), ..free() };
    let mut commands = commands(vec![arm(&["needs-input"])], setting.clone());
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    for round in 0..2 {
        one_turn(&mut commands, &turn(0, round)).unwrap();
    }
    assert_eq!(text(arm(&["needs-input"]), setting), "some text");
    let setting = Setting { input: Input::File(file.with_extension("missing")), ..free() };
    let refused = refusal(arm(&["exit"]), setting);
    assert!(refused.starts_with("cannot read `") && refused.ends_with("Check --input"), "{refused}");
}

#[test]
fn the_environment_is_ours_the_users_and_the_padding() {
    let variable = |name: &str, value: &str| (name.into(), value.into());
    let environment = vec![variable("NEW", "1"), variable("PATH", "/usr/bin"), variable("NEW", "2 words")];
    let written = text(arm(&["environment"]), Setting { environment, ..free() });
    let lines: Vec<&str> = written.lines().collect();
    assert!(lines.contains(&"NEW=2 words") && !lines.contains(&"NEW=1"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("PATH=")).collect::<Vec<_>>(), [&"PATH=/usr/bin"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("EVENHAND_PADDING=")).count(), 1);
    let written = text(arm(&["environment"]), Setting { padding: false, ..free() });
    assert!(!written.contains("EVENHAND_PADDING"));
    let bad = Setting { environment: vec![variable("A=B", "")], ..free() };
    assert_eq!(refusal(arm(&["exit"]), bad), "`A=B` is not a variable name: write --env NAME=value");
}

#[test]
fn the_padding_belongs_to_the_place_and_not_to_the_arm() {
    use evenhand_measure::command::environment::padding;
    let length = |turn: DueTurn| padding(&turn).as_bytes().len();
    let lengths: Vec<usize> = (0..1000).map(|round| length(turn(0, round))).collect();
    let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    let name = "EVENHAND_PADDING=".len();
    assert!(*least < name + 100 && *most > name + 4000 && *most < name + 4096, "{least} {most}");
    assert_eq!(length(turn(0, 7)), length(DueTurn { arm: ArmId(5), ..turn(0, 7) }));
    assert!((0..20).any(|round| length(turn(0, round)) != length(turn(1, round))));
}

#[test]
fn words_are_passed_as_they_are_and_run_where_told() {
    let odd = OsString::from_vec(b"b\xff\xfe d".to_vec());
    let mut program = arm(&["arguments", "a  b", "", "$HOME *"]);
    program.words.push(odd);
    assert_eq!(output(program, free()), b"a  b\n\n$HOME *\nb\xff\xfe d\n");

    let mut name = b"odd \xf0 folder-".to_vec();
    name.extend(std::process::id().to_string().into_bytes());
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(OsString::from_vec(name));
    fs::create_dir_all(&place).unwrap();
    fs::copy(victim(), place.join("a program")).unwrap();
    let program = Program { words: vec!["./a program".into(), "directory".into()], ..arm(&["directory"]) };
    let setting = Setting { directory: Some(place.clone()), ..free() };
    let written = text(program, setting);
    assert!(written.contains("/odd \u{fffd} folder-"), "{written}");
    fs::remove_dir_all(&place).unwrap();
    let refused = refusal(arm(&["exit"]), Setting { directory: Some("/no/such".into()), ..free() });
    assert_eq!(refused, "no directory `/no/such` to run in: check --cwd");
}

#[test]
fn programs_that_cannot_be_run_are_refused_before_anything_runs() {
    let named = |word: &str| Program { words: vec![word.into()], ..arm(&["x"]) };
    let folder = folder("refused");
    let plain = folder.join("plain file");
    fs::write(&plain, "no program").unwrap();
    let plain = plain.to_str().unwrap();
    let says = |word: &str| refusal(named(word), free());
    assert_eq!(
        says("no-such-program"),
        "no program `no-such-program` in PATH: check the spelling, give its path (./no-such-program), or add --shell \
         if it is a shell builtin"
    );
    assert_eq!(says("./no/such"), "no program `./no/such`: check the path, or build it first");
    assert_eq!(says("/tmp/"), "`/tmp/` is a directory: name a program in it");
    assert_eq!(
        says(plain),
        format!("`{plain}` is not executable: run `chmod +x '{plain}'`, or name its interpreter before it")
    );
    let elsewhere = Setting { directory: Some(folder.clone()), ..free() };
    let refused = refusal(named("./there"), elsewhere.clone());
    let place = folder.display();
    assert_eq!(
        refused,
        format!("no program `./there` in `{place}`, where the command runs: check --cwd and the path")
    );
    fs::set_permissions(plain, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(
        refusal(named("plain file"), elsewhere),
        "no program `plain file` in PATH, but there is one here: write `./plain file`"
    );
    // It looks like a program until it is started.
    let reason = reason(once(named(plain), free()).0);
    let message = format!(
        "`{plain}` is not a program this machine can run: a script needs a first line like `#!/bin/sh`"
    );
    assert_eq!(reason, Reason::NotStarted { message });
    assert!(refusal(named("a\0b"), free()).starts_with("no program `a\0b`"));
}

#[test]
fn steps_run_in_order_around_the_runs() {
    let file = folder("steps").join("order");
    let write = |word: &str| Some(format!("echo {word} >> '{}'", file.display()).into());
    let program = Program {
        prepare: write("prepare"),
        conclude: write("conclude"),
        setup: write("setup"),
        cleanup: write("cleanup"),
        ..arm(&["copy", file.to_str().unwrap()])
    };
    let mut commands = commands(vec![program], free());
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    (0..2).for_each(|round| drop(one_turn(&mut commands, &turn(0, round)).unwrap()));
    commands.end(&[ArmId(0)], &mut Endless).unwrap();
    let order = fs::read_to_string(&file).unwrap();
    let once = "prepare ran conclude ";
    assert_eq!(order.replace('\n', " "), format!("setup {once}{once}cleanup "));
}

#[test]
fn a_step_that_fails_breaks_the_measurement() {
    let script = "echo why >&2; exit 9";
    let says = |option: &str| format!("{option} `{script}` of `exit` failed with exit code 9:\nwhy");
    let broken = |program: Program| match once(program, free()).0 {
        Err(NoSample::Error(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let script = Some(OsString::from(script));
    assert_eq!(broken(Program { prepare: script.clone(), ..arm(&["exit"]) }), says("--prepare"));
    assert_eq!(broken(Program { conclude: script.clone(), ..arm(&["exit"]) }), says("--conclude"));

    let program = Program { setup: script.clone(), cleanup: script, ..arm(&["exit"]) };
    let mut commands = commands(vec![program], free());
    assert_eq!(commands.begin(&[ArmId(0)], &mut Endless).unwrap_err().0, says("--setup"));
    assert_eq!(commands.end(&[ArmId(0)], &mut Endless).unwrap_err().0, says("--cleanup"));
    assert!(commands.end(&[ArmId(0)], &mut Endless).is_ok(), "once");
}

#[test]
fn outputs_are_compared_with_that_of_the_baseline() {
    let setting = Setting { same_output: true, ..free() };
    let arms = vec![arm(&["say", "123"]), arm(&["say", "12"]), arm(&["say", "124"]), arm(&["say", "123"])];
    let mut commands = commands(arms, setting.clone());
    let all = [0, 1, 2, 3].map(ArmId);
    commands.begin(&all, &mut Endless).unwrap();
    // The candidates come first, and are found out nevertheless.
    let wrong = |message: &str| Reason::WrongResult { message: message.to_owned() };
    assert_eq!(
        reason(one_turn(&mut commands, &turn(1, 0))),
        wrong("its standard output differs from that of `say`: 3 bytes against 4")
    );
    assert_eq!(
        reason(one_turn(&mut commands, &turn(2, 0))),
        wrong("its standard output differs from that of `say`: 4 bytes in both, but not the same ones")
    );
    one_turn(&mut commands, &turn(3, 0)).unwrap();
    one_turn(&mut commands, &turn(0, 0)).unwrap();
    commands.end(&all, &mut Endless).unwrap();

    let file = folder("changing").join("count");
    let mut commands = self::commands(vec![arm(&["changing", file.to_str().unwrap()])], setting);
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    assert_eq!(
        reason(one_turn(&mut commands, &turn(0, 0))),
        wrong("the output of `changing` changes from run to run, so it cannot be compared")
    );
}

fn allowed() -> Vec<u32> {
    evenhand_measure::platform::affinity::allowed().unwrap()
}

#[test]
fn processors_can_be_named_and_unknown_ones_are_refused() {
    let cpu = allowed()[0];
    let status = |setting| text(sh("grep Cpus_allowed_list /proc/self/status"), setting);
    let written = status(Setting { pin: Pin::Cpus(vec![cpu]), ..Setting::default() });
    assert_eq!(written.split_whitespace().last(), Some(cpu.to_string().as_str()));
    let mut commands = commands(vec![arm(&["exit"])], Setting { pin: Pin::Cpus(vec![4000]), ..free() });
    let refused = commands.begin(&[ArmId(0)], &mut Endless).unwrap_err().0;
    assert!(refused.starts_with("no CPU 4000 to pin to: choose from "), "{refused}");
}

#[test]
fn a_cold_run_says_how_cold_it_was() {
    let (done, commands) = once(arm(&["exit"]), Setting { cold: true, ..free() });
    done.unwrap();
    let notes = commands.notes(true);
    assert!(matches!(notes[0], Note::Cold(Coldness::All | Coldness::Some { .. })), "{notes:?}");
    evenhand_measure::platform::cache::forget(victim()).unwrap();
    assert!(evenhand_measure::platform::cache::forget("/no/such/file".as_ref()).is_err());
}

#[test]
fn signals_are_as_in_a_fresh_process() {
    let status = text(sh("grep -E 'Sig(Blk|Ign)' /proc/self/status"), free());
    let bits =
        status.lines().filter_map(|line| u64::from_str_radix(line.split_whitespace().last()?, 16).ok());
    let pipe = 1 << (13 - 1);
    let bits: Vec<u64> = bits.collect();
    assert_eq!(bits[0], 0, "nothing is blocked");
    assert_eq!(bits[1] & pipe, 0, "SIGPIPE is not ignored, as it is in this program");
}
