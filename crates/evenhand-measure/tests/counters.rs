//! Counters follow a process from its start to its end, and nothing else. The kernel's own events, as this machine may
//! have no others.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use evenhand_measure::platform::Monotonic;
use evenhand_measure::platform::counters::{Counters, HARDWARE, SOFTWARE};
use evenhand_measure::platform::interrupt::Interrupt;
use evenhand_measure::platform::process::{End, Limits, Listener, Prepared, Start, Stream, Streams, run};
use evenhand_victims::victim;
use std::fs::File;
use std::hint::black_box;

struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _: &[u8]) {}
}

fn ran(words: &[&str]) {
    let words = std::iter::once(victim().into()).chain(words.iter().map(Into::into)).collect();
    let start = Start { program: victim().into(), words, environment: Vec::new(), directory: None };
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Heard };
    let interrupt = Interrupt::by_hand().unwrap();
    let limits = Limits { timeout: None, interrupt: &interrupt, patient: false };
    let prepared = Prepared::new(start).unwrap();
    let run = run(&prepared, None, &streams, &limits, &Monotonic::start(), [&mut Deaf, &mut Deaf]).unwrap();
    assert_eq!(run.end, End::Exit(0));
}

/// What was counted in a run.
fn counted(words: &[&str]) -> Vec<f64> {
    let counters = Counters::open(&SOFTWARE);
    ran(words);
    counters.counts()
}

#[test]
fn only_the_process_counts_and_all_of_it() {
    let counters = Counters::open(&SOFTWARE);
    if let Some(note) = &counters.note {
        assert!(note.contains("counters"), "{note}");
        return;
    }
    let names: Vec<_> = counters.events().map(|event| event.name).collect();
    assert_eq!(names, ["task_clock", "page_faults", "context_switches"]);
    // Our own faults do not count, and who has not run has not counted.
    black_box(vec![1_u8; 64 << 20]);
    assert!(counters.counts()[1].is_nan());
    // Often, because events can be lost to the next run: see the module.
    for _ in 0..20 {
        let few = counted(&["exit"])[1];
        assert!(few > 10.0 && few < 10_000.0, "{few}");
    }
    // What the process starts and waits for counts, too.
    let [clock, many, _] = counted(&["grandchild-touches", "64"])[..] else { unreachable!() };
    assert!(many > 100.0 && clock > 1000.0, "{many} faults, {clock} ns");
}

#[test]
fn hardware_counts_or_the_reason_is_said() {
    let counters = Counters::open(&HARDWARE);
    match &counters.note {
        Some(note) if counters.events().next().is_none() => {
            assert!(note.starts_with("no hardware counters here: "), "{note}");
        }
        _ => {
            ran(&["exit"]);
            assert!(counters.counts()[0] > 1000.0, "an empty program has a thousand instructions");
        }
    }
}
