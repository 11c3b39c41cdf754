//! Machines that count other events, or none. The program is a function here, so that it can be given other machines.

use super::Machine;
use crate::desk::Desk;
use evenhand_cli::{World, tool};
use evenhand_measure::platform::counters::{Counters, Event, SOFTWARE};
use evenhand_report::terminal::Terminal;
use evenhand_victims::victim;
use serde_json::Value;
use std::ffi::OsString;

/// Runs the program on a machine that counts these events, with an archive at this desk.
fn on_machine(desk: &Desk, events: &'static [Event], words: &[&str]) -> (u8, String, String) {
    let mut line: Vec<OsString> = vec!["evenhand".into(), "--archive".into(), desk.archive().into()];
    line.extend(words.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code =
        tool(line, &World { terminal: Terminal::of(None, None, &|_| None), events }, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn metrics(shown: &str) -> Vec<String> {
    let analysis: Value = serde_json::from_str(shown).unwrap();
    let levels = analysis["levels"].as_array().unwrap();
    levels.iter().map(|level| level["metric"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_machine_that_counts_keeps_what_it_measured() {
    const LACKING: [Event; 2] = [Event::of_kernel("nothing", 999), SOFTWARE[1]];
    let command = format!("{} exit", victim().display());
    for events in [&[][..], &SOFTWARE, &LACKING] {
        let desk = Desk::new();
        let words = ["run", "--rounds", "9", "--json", &command, &command, "--name", "a", "--name", "b"];
        let (code, out, err) = on_machine(&desk, events, &words);
        assert_eq!((code, err.as_str()), (0, ""));
        let (code, kept, err) = on_machine(&desk, events, &["analyze", "--json", "@last"]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert_eq!(metrics(&kept), metrics(&out), "the stored trial has all that was measured");
        let counted = metrics(&kept).iter().filter(|name| *name == "page_faults").count();
        let counts = Counters::open(events, None).is_open().any(|is_open| is_open);
        assert_eq!(counted, if counts { 2 } else { 0 }, "{kept}");
        let (code, trial, _) = on_machine(&desk, events, &["export", "@last", "--to", "json"]);
        let trial: Value = serde_json::from_str(&trial).unwrap();
        assert_eq!((code, &trial["state"]), (0, &Value::from("complete")));
    }
}

#[test]
fn a_trial_without_a_sample_is_not_kept() {
    let desk = Desk::new();
    let good = format!("{} exit", victim().display());
    let bad = format!("{} exit 9", victim().display());
    assert_eq!(on_machine(&desk, &[], &["run", "--rounds", "3", &good, &good]).0, 0);
    let before = on_machine(&desk, &[], &["list"]);
    assert_eq!(on_machine(&desk, &[], &["run", "--rounds", "3", &bad]).0, 3);
    assert_eq!(on_machine(&desk, &[], &["run", "-i", "--rounds", "3", &bad, &bad]).0, 3);
    assert_eq!(on_machine(&desk, &[], &["list"]), before, "@last is what it was");
}

#[test]
fn a_system_that_refuses_counters_says_why_to_who_asks_for_them() {
    for (refused, why) in [
        ("perf_event_open=ENOSYS", "the kernel was built without them"),
        ("perf_event_open=EACCES", "the system forbids them"),
        ("perf_event_open=EPERM", "the system forbids them"),
    ] {
        let (machine, desk) = (Machine { refused: &[refused], ..Machine::default() }, Desk::new());
        machine.works(&desk);
        let command = format!("{} exit", victim().display());
        let done =
            machine.says(&desk, &["run", "--metric", "instructions", "--rounds", "5", &command, &command]);
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(why), "{}", done.err);
    }
}
