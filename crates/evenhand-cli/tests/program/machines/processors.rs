//! Machines with one processor, and systems that say nothing of processors or keep no program on one.

use super::{Machine, can_be_made, notes};
use crate::desk::Desk;
use evenhand_measure::platform::affinity;
use evenhand_victims::victim;

#[test]
fn one_processor() {
    let Some(last) = affinity::allowed().and_then(|allowed| allowed.last().copied()) else {
        return eprintln!("skipped: this system does not say which processors are allowed");
    };
    let last = last.to_string();
    let starter = ["taskset", "-c", &last];
    if !can_be_made(&starter) {
        return;
    }
    let machine = Machine { starter: &starter, ..Machine::default() };
    let desk = Desk::new();
    let trial = machine.compares_commands(&desk);
    assert!(notes(&trial).contains(&format!("pinned to CPU {last}")), "{:?}", notes(&trial));
    machine.compares_functions(&desk);
    let seen = machine.is_looked_at(&desk);
    let findings = seen["findings"].as_array().unwrap();
    let found = |code: &str| findings.iter().any(|finding| finding["code"] == code);
    assert!(found("processors"), "{seen}");
}

#[test]
fn affinity_is_refused() {
    for (refused, said_to_pin) in [
        ("sched_setaffinity=EPERM", "cannot pin to 0: Operation not permitted"),
        ("sched_getaffinity=EPERM", "this system cannot pin: use --pin none"),
    ] {
        let machine = Machine { refused: &[refused], ..Machine::default() };
        let desk = Desk::new();
        let trial = machine.compares_commands(&desk);
        assert!(notes(&trial).iter().any(|note| note.starts_with("not pinned to one CPU: ")), "{trial}");
        let trial = machine.compares_functions(&desk);
        assert!(notes(&trial).iter().any(|note| note.starts_with("not pinned to one CPU: ")), "{trial}");
        machine.is_looked_at(&desk);
        let command = format!("{} exit", victim().display());
        let done = machine.says(&desk, &["run", "--pin", "0", &command]);
        assert_eq!(done.code, 3, "{}", done.out);
        assert!(done.err.contains(said_to_pin) && done.err.contains("--pin none"), "{}", done.err);
    }
}
