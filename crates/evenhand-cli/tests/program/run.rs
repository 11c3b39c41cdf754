//! `evenhand run` with real commands: what it says of them, what it keeps, and how it ends.

use crate::desk::{Desk, Done};
use evenhand_victims::victim;
use serde_json::Value;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A desk where the victim can be called by its name, as if it lay in the user's path.
pub(crate) fn desk() -> Desk {
    let desk = Desk::new();
    let link = desk.path("victim");
    std::os::unix::fs::symlink(victim(), link).unwrap();
    desk
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", done.out, done.err))
}

#[test]
fn a_large_difference_is_found_and_kept() {
    let desk = desk();
    let done =
        desk.run(&["run", "./victim sleep 2", "./victim sleep 9", "--name", "short", "--name", "long"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with("long takes "), "{}", done.out);
    assert!(done.out.contains(" times as long as short ["), "{}", done.out);
    let kept = desk.run(&["analyze", "@last"]);
    let verdict = |text: &str| text.lines().next().unwrap().to_owned();
    assert_eq!(verdict(&kept.out), verdict(&done.out), "the stored trial says the same");
}

#[test]
fn json_is_alone_on_standard_output() {
    let desk = desk();
    let words = ["run", "--json", "--no-save", "--max-time", "5", "./victim sleep 9", "./victim sleep 2"];
    let done = desk.run(&words);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let found = json(&done);
    let comparison = &found["comparisons"][0];
    assert_eq!(comparison["baseline"], "./victim sleep 9");
    assert_eq!(comparison["candidate"], "./victim sleep 2");
    assert_eq!(comparison["verdict"], "faster");
    let effect = |name: &str| comparison["effect"][name].as_f64().unwrap();
    assert!(
        effect("low") <= effect("estimate") && effect("estimate") <= effect("high") && effect("high") < -0.01
    );
    assert_eq!(comparison["confidence"], 0.99);
    assert!(comparison["rounds"].as_u64().unwrap() >= 5 && comparison["launches"].as_u64().unwrap() >= 1);
    assert!(comparison["seconds"].as_f64().unwrap() > 0.0);
    let metrics: Vec<&str> =
        found["levels"].as_array().unwrap().iter().map(|level| level["metric"].as_str().unwrap()).collect();
    assert!(
        metrics[0] == "time"
            && metrics.contains(&"wall")
            && metrics.contains(&"cpu")
            && metrics.contains(&"minor_faults")
    );
    assert!(!desk.archive().exists(), "--no-save leaves nothing behind");
}

#[test]
fn a_seed_and_a_number_of_rounds_give_the_same_order_again() {
    let desk = desk();
    let orders: Vec<Vec<String>> = ["a.csv", "b.csv"]
        .iter()
        .map(|file| {
            let words =
                ["run", "--seed", "abc", "--rounds", "12", "--no-save", "--quiet", "--export-csv", file];
            let done = desk.run(&[&words[..], &["./victim exit", "./victim exit 0"]].concat());
            assert_eq!((done.code, done.err.as_str()), (0, ""));
            let text = fs::read_to_string(desk.path(file)).unwrap();
            let mut rows: Vec<(u64, u64, String)> = text.lines().skip(1).map(order_of).collect();
            rows.sort();
            rows.into_iter().map(|(.., arm)| arm).collect()
        })
        .collect();
    assert_eq!((orders[0].len(), &orders[0]), (24, &orders[1]));
    let first_in_round = orders[0].iter().step_by(2).filter(|arm| *arm == "./victim exit").count();
    assert!((1..12).contains(&first_in_round), "the coin falls on both sides");
}

/// Round, position and arm of a row of the long CSV.
pub(crate) fn order_of(row: &str) -> (u64, u64, String) {
    let cells: Vec<&str> = row.split(',').collect();
    (cells[3].parse().unwrap(), cells[4].parse().unwrap(), cells[1].to_owned())
}

/// What is planned, refused or failed, word by word.
#[test]
fn what_is_said_without_measuring() {
    let mut desk = desk();
    desk.write("empty.txt", "");
    for line in [
        "evenhand run",
        "evenhand run --dry-run --seed 1 './victim exit' './victim exit 0' --name old --name new",
        "evenhand run --dry-run --seed 1 --param n=1,2 './victim sleep {n}'",
        "evenhand run --dry-run --seed 1 -P n=1..3..2 --margin 2% --rounds 3 --baseline 2 './victim exit {n}' './victim sleep {n}'",
        "evenhand run --dry-run --seed 1 --control -P n=1,2 --baseline 2 './victim exit {n}' './victim sleep {n}' --name old --name new",
        "evenhand run --dry-run --seed 1 --control --param n=1,2 './victim sleep {n}'",
        "evenhand run './victim exit | cat' ls",
        "evenhand run 'A=1 ./victim exit' ls",
        "evenhand run 'nosuchprogram x' ls",
        "evenhand run ./nosuch ls",
        "evenhand run victim ls",
        "evenhand run './victim \"exit' ls",
        "evenhand run '' ls",
        "evenhand run --cwd nowhere ls ls",
        "evenhand run --input nowhere ls ls",
        "evenhand run --pin quiet ls ls",
        "evenhand run --env PATH ls ls",
        "evenhand run --margin -1 ls ls",
        "evenhand run --confidence 100 ls ls",
        "evenhand run --max-time soon ls ls",
        "evenhand run --rounds 0 ls ls",
        "evenhand run --fail-if bigger ls ls",
        "evenhand run --baseline 3 ls ls",
        "evenhand run --param n=1,2 ls ls",
        "evenhand run --param n ls ls",
        "evenhand run --prepare true --prepare false ls",
        "evenhand run --name a --name b ls",
        "evenhand run --export-json nowhere/x.json ls ls",
        "evenhand run --output nowhere/x.txt ls ls",
        "evenhand run --json --output inherit ls ls",
        "evenhand run --export-json - ls ls",
        "evenhand run --dry-run --json ls ls",
        "evenhand run --dry-run --seed 1 --prepare 'make clean' --env TOKEN=secret --env LANG=C ls ls",
        "evenhand run --shell bash 'ls | wc' ls",
        "evenhand run ./victim -4 exit",
        "evenhand run sleep 0.01",
        "evenhand run gzip -4 x",
        "evenhand run tar c -4 x",
        "evenhand run -w 2 'ls -l' -4",
        "evenhand run --dry-run --seed 1 -m 10 --max-runs 20 ls ls",
        "evenhand run --min-runs 10 -M 9 ls",
        "evenhand run --rounds 10 -M 9 ls",
        "evenhand run -P n 1 8 'ls {n}'",
        "evenhand run --parameter-scan n 1 8 'ls {n}'",
        "evenhand run -D 2 'ls {n}'",
        "evenhand run -u hour ls",
        "evenhand run --style none ls",
        "evenhand run --sort size ls",
        "evenhand run --export-orgmode x.org ls",
        "evenhand run --dry-run --seed 1 -L n 1..2,b -w 1 -r 3 -S bash -p 'echo {n}' -s true -c true -C true -i --show-output --command-name x --reference 'ls a' 'ls {n}'",
        "evenhand run --dry-run --seed 1 -L n 1,1 'ls {n}'",
        "evenhand run --dry-run --seed 1 -S none ls ls",
        "evenhand run --fail-if 'faster > 100%' ls ls",
    ] {
        desk.type_in(line);
    }
    desk.expect("run_plans");
}

#[test]
fn who_has_hyperfine_in_the_fingers_gets_unit_and_order() {
    let desk = desk();
    let asked = ["run", "--max-runs", "3", "--style", "basic", "-u", "microsecond", "--sort", "mean-time"];
    let done = desk.run(&[&asked[..], &["./victim sleep 20", "./victim sleep 1"]].concat());
    let rows: Vec<&str> =
        done.out.lines().filter(|line| line.starts_with("./victim sleep ") && line.contains(" µs")).collect();
    assert!(rows.len() == 2 && rows[0].starts_with("./victim sleep 1 "), "{}", done.out);
    assert!(!done.out.contains(" ms "), "{}", done.out);
}

#[test]
fn a_control_is_measured_beside_the_others_and_decides_on_no_status() {
    let desk = desk();
    let asked = ["run", "--control", "--require-verdict", "--fail-if", "slower"];
    let two = ["--json", "--rounds", "12", "./victim sleep 9", "./victim sleep 2"];
    let done = desk.run(&[&asked[..], &two].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let comparisons = json(&done)["comparisons"].clone();
    assert_eq!(
        (&comparisons[0]["candidate"], &comparisons[0]["control"]),
        (&"./victim sleep 2".into(), &Value::Null)
    );
    let control = &comparisons[1];
    assert_eq!(
        (&control["candidate"], &control["rounds"]),
        (&"./victim sleep 9 (control)".into(), &12.into())
    );
    assert_eq!((&control["baseline"], &control["control"]), (&"./victim sleep 9".into(), &true.into()));
    assert_eq!(control["change_in_suite"], Value::Null);
    let alone = desk.run(&[&asked[..], &["--rounds", "2", "./victim exit"]].concat());
    assert_eq!(alone.code, 0, "{}", alone.out);
    assert!(alone.err.contains("--fail-if has no effect"), "{}", alone.err);
}

#[test]
fn a_control_has_the_steps_of_the_baseline() {
    let desk = desk();
    let words = ["run", "--no-save", "--control", "--rounds", "3", "./victim exit", "./victim exit 0"];
    let steps = ["--baseline", "2", "--prepare", "echo first >> log", "--prepare", "echo second >> log"];
    let done = desk.run(&[&words[..], &steps].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let log = fs::read_to_string(desk.path("log")).unwrap();
    assert_eq!(log.matches("second").count(), 2 * log.matches("first").count(), "{log}");
}

#[test]
fn a_control_that_differs_from_the_baseline_is_warned_of() {
    let desk = desk();
    let words = ["run", "--quiet", "--rounds", "20", "./victim sleep 2", "./victim sleep 9"];
    assert_eq!(desk.run(&words).code, 0);
    let trial = desk.run(&["export", "@last"]).out;
    let said = |control: bool| {
        let arm = "\"name\":\"./victim sleep 9\"";
        assert_eq!(trial.matches(arm).count(), 1, "{trial}");
        desk.write("trial.json", trial.replace(arm, &format!("{arm},\"control\":{control}")));
        desk.run(&["analyze", "trial.json"]).out.replace("\n         ", " ")
    };
    let warning = "warning: ./victim sleep 9: ./victim sleep 2, measured twice, differs from itself by";
    assert!(!said(false).contains(warning));
    assert!(said(true).contains(warning), "{}", said(true));
}

/// What depends on the machine.
#[test]
fn what_this_machine_does_not_have_is_refused_by_name() {
    let desk = desk();
    for (words, told) in [
        (["--pin", "4096"], "no CPU 4096"),
        (["--metric", "speed"], "\"speed\" is not measured here: choose from time, wall, user, system, cpu"),
        (["--metric", "cpu,nonsense"], "\"nonsense\" is not measured here"),
    ] {
        let done = desk.run(&[&["run"], &words[..], &["ls", "ls"]].concat());
        assert_eq!(done.code, 2, "{words:?}");
        assert!(done.err.contains(told), "{}", done.err);
    }
}

#[test]
fn failing_commands_end_it_with_their_last_words() {
    let mut desk = desk();
    for line in [
        "evenhand run --no-save './victim exit' './victim complain 3'",
        "evenhand run --no-save './victim exit' './victim exit 9'",
        "evenhand run --no-save './victim exit' './victim secrets'",
        "evenhand run --no-save './victim exit' './victim needs-input'",
        "evenhand run --no-save --setup 'echo no room >&2; exit 3' ./victim ./victim",
        "evenhand run --no-save --ignore-failure --rounds 3 './victim exit 9' './victim exit 9'",
    ] {
        assert_eq!(desk.type_in(line).code, 3, "{line}");
    }
    desk.expect("run_failures");
}

#[test]
fn a_run_that_fails_now_and_then() {
    let desk = desk();
    let words =
        ["run", "--no-save", "--json", "--rounds", "9", "./victim exit", "./victim fail-every-third count"];
    let failed = desk.run(&words);
    assert_eq!(failed.code, 3);
    assert!(failed.err.contains("ended with code 3"), "{}", failed.err);
    assert_eq!(json(&failed)["comparisons"][0]["rounds"], 2, "the rounds before the failure are told");
    let ignored = desk.run(&[&words[..], &["--ignore-failure"]].concat());
    assert_eq!((ignored.code, ignored.err.as_str()), (0, ""));
    let levels = json(&ignored)["levels"].clone();
    let level = levels
        .as_array()
        .unwrap()
        .iter()
        .find(|level| level["arm"] != "./victim exit" && level["metric"] == "wall")
        .unwrap()
        .clone();
    assert_eq!((&level["samples"], &level["failed"]), (&Value::from(6), &Value::from(3)));
}

#[test]
fn a_faster_wrong_answer_is_no_win() {
    let desk = desk();
    let run = |other: &str| {
        desk.run(&["run", "--no-save", "--expect-same-output", "--rounds", "3", "./victim say 42", other])
    };
    assert_eq!(run("./victim say 42").code, 0);
    let wrong = run("./victim say 43");
    assert_eq!(wrong.code, 3);
    assert!(wrong.err.contains("./victim say 43 gave another result than the baseline"), "{}", wrong.err);
}

#[test]
fn a_timeout_is_a_failure_that_leaves_nothing_running() {
    let desk = desk();
    let words = ["run", "--no-save", "--timeout", "100ms", "./victim ignore-term 600", "./victim exit"];
    let done = desk.run(&words);
    assert_eq!(done.code, 3);
    assert!(done.err.contains("ran longer than the 0.1 s allowed"), "{}", done.err);
    assert_eq!(running(&desk), Vec::<String>::new());
}

#[test]
fn statuses_for_ci_have_their_reason_on_standard_error() {
    let desk = desk();
    let status = |more: &[&str], commands: [&str; 2]| {
        let words = ["run", "--no-save", "--quiet", "--max-time", "3"];
        let done = desk.run(&[&words[..], more, &commands].concat());
        let open = done.err.contains("--fail-if could not be decided");
        assert_eq!(
            open,
            more.contains(&"--rounds") && !more.contains(&"--require-verdict"),
            "{more:?}: {}",
            done.err
        );
        let reasons = ["error: --fail-if 'slower", "error: --fail-if 'faster", "error: --require-verdict: "];
        let reasoned = reasons.iter().any(|reason| done.err.contains(reason));
        assert_eq!(reasoned, done.code != 0, "{more:?}: {}", done.err);
        assert_eq!(done.err.contains("./victim sleep"), done.code != 0, "which one: {}", done.err);
        done.code
    };
    let (short, long) = ("./victim sleep 2", "./victim sleep 9");
    assert_eq!(status(&["--fail-if", "slower"], [short, long]), 1);
    assert_eq!(status(&["--fail-if", "slower"], [long, short]), 0);
    assert_eq!(status(&["--fail-if", "faster"], [long, short]), 1);
    assert_eq!(status(&["--fail-if", "slower > 20%"], [short, long]), 1);
    assert_eq!(status(&["--fail-if", "faster > 20%"], [long, short]), 1);
    assert_eq!(status(&["--fail-if", "faster > 99%"], [long, short]), 0);
    assert_eq!(status(&["--fail-if", "slower > 99%", "--rounds", "2"], [short, long]), 0, "not known yet");
    assert_eq!(
        status(&["--fail-if", "slower > 99%", "--rounds", "2", "--require-verdict"], [short, long]),
        4
    );
    assert_eq!(status(&["--require-verdict", "--rounds", "2"], [short, long]), 4);
    assert_eq!(status(&["--require-verdict"], [short, long]), 0);
}

#[test]
fn hooks_run_as_often_as_they_shall() {
    let desk = desk();
    let note = |name: &str| format!("echo {name} >> hooks.txt");
    let done = desk.run(&[
        "run",
        "--no-save",
        "--quiet",
        "--rounds",
        "4",
        "--warmup",
        "1",
        "--setup",
        &note("setup"),
        "--prepare",
        &note("prepare"),
        "--conclude",
        &note("conclude"),
        "--cleanup",
        &note("cleanup"),
        "./victim exit",
        "./victim exit 0",
    ]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let said = fs::read_to_string(desk.path("hooks.txt")).unwrap();
    let count = |name: &str| said.lines().filter(|line| *line == name).count();
    assert_eq!(["setup", "prepare", "conclude", "cleanup"].map(count), [2, 10, 10, 2]);
}

#[test]
fn surroundings_reach_the_command() {
    let desk = desk();
    fs::create_dir(desk.path("a b")).unwrap();
    desk.write("in.txt", "from the file");
    let run = |more: &[&str], command: &str| {
        let words = ["run", "--no-save", "--quiet", "--rounds", "1", "--output", "out.txt"];
        let done = desk.run(&[&words[..], more, &[command]].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{command}");
        fs::read_to_string(desk.path("out.txt")).unwrap()
    };
    let program = victim().to_str().unwrap();
    assert!(run(&["--cwd", "a b"], &format!("{program} directory")).ends_with("a b\n"));
    assert!(run(&["--env", "COLOUR=red green"], "./victim environment").contains("COLOUR=red green\n"));
    assert_eq!(run(&["--input", "in.txt"], "./victim needs-input"), "from the file");
    assert_eq!(run(&[], "./victim arguments 'a  b' c\\ d \"\""), "a  b\nc d\n\n");
    assert_eq!(run(&["--shell"], "./victim say a | tr a b"), "b\n");
    assert_eq!(run(&["--param", "n=7"], "./victim say '{n} {m}'"), "7 {m}\n");
}

#[test]
fn every_combination_is_compared_with_its_baseline() {
    let desk = desk();
    let words = ["run", "--no-save", "--json", "--rounds", "6", "-P", "ms=1,2", "./victim sleep {ms}"];
    let alone = json(&desk.run(&words));
    let comparisons = alone["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 1);
    assert_eq!(comparisons[0]["candidate"], "./victim sleep 2");
    let grid = json(&desk.run(&[&words[..], &["./victim sleep {ms}0"]].concat()));
    let pairs: Vec<[&str; 2]> = grid["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|comparison| ["baseline", "candidate"].map(|side| comparison[side].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [["./victim sleep 1", "./victim sleep 10"], ["./victim sleep 2", "./victim sleep 20"]]);
    assert_eq!(grid["comparisons"][0]["group"], "ms=1");
}

#[test]
fn several_metrics_have_a_verdict_each() {
    let desk = desk();
    let words = ["run", "--no-save", "--json", "--max-time", "60", "--metric", "rss,wall"];
    let found = json(&desk.run(&[&words[..], &["./victim rss-mib 40", "./victim rss-mib 80"]].concat()));
    let verdicts: Vec<[&str; 2]> = found["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|comparison| ["metric", "verdict"].map(|field| comparison[field].as_str().unwrap()))
        .collect();
    assert_eq!(verdicts[0], ["max_rss", "slower"]);
    assert_eq!(verdicts[1][0], "wall");
}

#[test]
fn an_archive_that_cannot_be_written_costs_no_verdict() {
    let desk = desk();
    desk.write("file", "no folder");
    let words =
        ["--archive", "file", "run", "--quiet", "--rounds", "6", "./victim sleep 1", "./victim sleep 5"];
    let done = desk.run(&words);
    assert_eq!(done.code, 0);
    assert!(done.out.contains("./victim sleep 5"), "{}", done.out);
    assert!(done.err.contains("this trial is not stored") && done.err.contains("--no-save"), "{}", done.err);
}

#[test]
fn a_command_that_looks_like_a_secret_is_not_written_down() {
    let desk = desk();
    let words = [
        "run",
        "--rounds",
        "2",
        "--export-json",
        "t.json",
        "./victim say --password=hunter2",
        "./victim exit",
    ];
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    let exported = fs::read_to_string(desk.path("t.json")).unwrap();
    assert!(!exported.contains("hunter2") && exported.contains("--password=***"), "{exported}");
    assert!(!done.out.contains("hunter2"));
}

/// A measurement that would take a minute, once its first rounds are journalled.
fn long_measurement(desk: &Desk, command: &str) -> Child {
    let words = ["run", "--max-time", "60", "--rounds", "100000", command, "./victim exit"];
    let mut child = desk.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journals = desk.archive().join("journal");
    let begun = || {
        let files = fs::read_dir(&journals).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).any(|file| file.len() > 8_000)
    };
    let deadline = Instant::now() + Duration::from_secs(30);
    while !begun() {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it does not measure");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, (name, _): (&str, u32)) {
    let sent = Command::new("/bin/kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// What it said, once it has ended. What it says is short, so it never waits for a reader.
fn ended(mut child: Child) -> Done {
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Done::of(child.wait_with_output().unwrap())
}

/// The command lines of the commands that run on this desk.
pub(crate) fn running(desk: &Desk) -> Vec<String> {
    let here = desk.path("").canonicalize().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
    let on_desk = processes.filter(|process| fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == here));
    let lines = on_desk.filter_map(|process| fs::read_to_string(process.join("cmdline")).ok());
    lines.filter(|line| line.contains("victim") && !line.contains("evenhand\0run")).collect()
}

/// The signals that ask for an end, with their numbers.
const INT: (&str, u32) = ("INT", 2);
const TERM: (&str, u32) = ("TERM", 15);
const HUP: (&str, u32) = ("HUP", 1);

/// Whether these tests, and so what they start, were told to ignore a signal: `nohup` does it with HUP, a script with INT for what it
/// starts in the background. Then nobody hears it, as it should be.
fn ignores((_, number): (&str, u32)) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    u64::from_str_radix(mask, 16).unwrap() & (1 << (number - 1)) != 0
}

#[test]
fn ctrl_c_keeps_what_was_measured_and_says_what_it_shows() {
    for sent in [INT, TERM, HUP].into_iter().filter(|sent| !ignores(*sent)) {
        let desk = desk();
        let child = long_measurement(&desk, "./victim sleep 3");
        signal(&child, sent);
        let done = ended(child);
        assert_eq!(done.code, 130, "{sent:?}: {}", done.err);
        assert!(done.err.contains("interrupted"), "{}", done.err);
        assert!(done.out.contains("./victim exit") && done.out.contains("99 % sure"), "{}", done.out);
        let kept = desk.run(&["analyze", "@last"]);
        assert_eq!(kept.code, 0);
        assert!(kept.out.contains("the run was interrupted"), "{}", kept.out);
        assert_eq!(running(&desk), Vec::<String>::new());
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let desk = desk();
    // The command ignores the polite request, so there is half a second for the second signal.
    let words = ["run", "--max-time", "60", "./victim ignore-term 600", "./victim exit"];
    let child = desk.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while running(&desk).iter().all(|line| !line.contains("sleep")) {
        assert!(Instant::now() < deadline, "the command does not run");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = if ignores(INT) { TERM } else { INT };
    signal(&child, sent);
    std::thread::sleep(Duration::from_millis(20));
    signal(&child, sent);
    let done = ended(child);
    assert_eq!((done.code, done.out.as_str()), (130, ""));
    let gone = Instant::now() + Duration::from_secs(5);
    while !running(&desk).is_empty() {
        assert!(Instant::now() < gone, "it runs on: {:?}", running(&desk));
    }
}

#[test]
fn what_kill_9_leaves_can_be_analysed() {
    let desk = desk();
    let mut child = long_measurement(&desk, "./victim sleep 3");
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = desk.run(&["list"]);
    assert!(listed.out.contains("interrupted"), "{} {}", listed.out, listed.err);
    assert!(
        listed.err.contains("was interrupted: ") && listed.err.contains(" rounds kept"),
        "{}",
        listed.err
    );
    let kept = desk.run(&["analyze", "@last"]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(kept.out.contains("./victim exit") && kept.out.contains("99 % sure"), "{}", kept.out);
}
