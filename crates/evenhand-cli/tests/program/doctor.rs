//! Does the doctor look at this machine and answer in its form? Figures differ from machine to machine; what is said of
//! known machines is tested where it is decided, in `evenhand-measure`.

use crate::desk::Desk;
use serde_json::Value;

#[test]
fn a_look_and_a_noise_floor() {
    let done = Desk::new().run(&["doctor", "--time", "200ms"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let (seen, floor) = done.out.split_once("\n\n").unwrap();
    let words = ["matters  ", "notice   ", "fine     "];
    let severities: Vec<usize> =
        seen.lines().filter_map(|line| words.iter().position(|word| line.starts_with(word))).collect();
    assert!(!severities.is_empty() && severities.is_sorted(), "worst first: {seen}");
    assert!(floor.starts_with("In "), "{floor}");
    assert!(floor.contains("Self-check: ") && floor.contains(" in 200 "), "{floor}");
    assert!(floor.contains("Measured: the same command on both sides, "), "{floor}");
    let idle = "Under load: a service that does nothing answers in ";
    assert!(!cfg!(target_os = "linux") || floor.contains(idle), "{floor}");
}

#[test]
fn the_answer_for_another_program() {
    let done = Desk::new().run(&["doctor", "--time=0.5", "--json", "--", "true"]);
    assert_eq!((done.code, done.err.as_str(), done.out.lines().count()), (0, "", 1));
    let answer: Value = serde_json::from_str(&done.out).unwrap();
    assert!(answer["facts"]["machine"]["clock"]["cost_ns"].as_f64().unwrap() > 0.0);
    for finding in answer["findings"].as_array().unwrap() {
        assert!(["fine", "notice", "matters"].contains(&finding["severity"].as_str().unwrap()));
        assert!(finding["code"].is_string() && finding["seen"].is_string() && finding["why"].is_string());
        assert!(finding.get("advice").is_some() && finding.get("command").is_some());
    }
    let floor = &answer["noise_floor"];
    assert!(floor["rounds"].as_u64().unwrap() > 0 && floor["tosses"] == 200);
    assert!(floor["false_alarms"].as_u64().unwrap() <= 200);
    assert!(floor["visible"].as_f64().is_none_or(|visible| visible > 0.0));
    assert_eq!(floor["seed"].as_str().unwrap().len(), 16);
    assert!(answer["load_floor"].is_null(), "what was asked for is the command");
}

#[test]
fn what_is_fine_in_full() {
    let done = Desk::new().run(&["doctor", "--time", "0.1", "--all", "--", "true"]);
    assert_eq!(done.code, 0);
    assert!(!done.out.contains("--all") && done.out.contains("fine     clock: "), "{}", done.out);
    assert!(done.out.contains("this command of") && !done.out.contains("Under load"), "{}", done.out);
}

#[test]
fn what_cannot_be_done_is_said() {
    let desk = Desk::new();
    for (words, told) in [
        (&["doctor", "--time", "0"][..], "expected a time above 0"),
        (&["doctor", "--time", "-1"], "expected a time above 0"),
        (&["doctor", "--time", "50ms"], "--time must be between 100ms and 24h"),
        (&["doctor", "--time", "25h"], "--time must be between 100ms and 24h"),
        (&["doctor", "--", "false"], "false: the command ended with code 1"),
        (&["doctor", "--", "no-such-program"], "no program"),
    ] {
        let done = desk.run(words);
        assert_eq!(done.code, 2, "{words:?}");
        assert!(done.err.starts_with("error: ") && done.err.contains(told), "{words:?}: {}", done.err);
    }
    assert!(!desk.archive().exists(), "the doctor keeps nothing");
}

#[test]
fn help_hides_the_busy_work() {
    let desk = Desk::new();
    assert!(!desk.run(&["--help"]).out.contains("busy-work"));
    assert!(desk.run(&["doctor", "--help"]).out.contains("Examples:"));
    assert_eq!(desk.run(&["busy-work", "1000"]).out, "");
}
