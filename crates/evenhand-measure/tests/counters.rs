//! Counters follow a process from its start to its end, and nothing else. The kernel's own events, as this machine may
//! have no others.

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::metrics::Layout;
use evenhand_measure::command::{Commands, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor};
use evenhand_measure::platform::Monotonic;
use evenhand_measure::platform::counters::{Counters, Event, HARDWARE, SOFTWARE};
use evenhand_measure::platform::interrupt::Interrupt;
use evenhand_measure::platform::process::{
    Limits, Listener, ProcessEnd, ProcessRun, Spawnable, Start, Starter, Stream, Streams, Usage, poise,
};
use evenhand_trial::ArmId;
use evenhand_victims::victim;
use std::fs::File;
use std::hint::black_box;

struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _: &[u8]) {}
}

/// What is counted in a run, and what the kernel accounts for it.
fn counted(starter: Option<&Starter>, events: &[Event], words: &[&str]) -> (Vec<f64>, Usage) {
    let words = std::iter::once(victim().into()).chain(words.iter().map(Into::into)).collect();
    let start = Start { program: victim().into(), words, environment: Vec::new(), directory: None };
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Heard };
    let interrupt = Interrupt::by_hand().unwrap();
    let limits = Limits { timeout: None, interrupt: &interrupt, patient: false };
    let prepared = Spawnable::new(start).unwrap();
    let poised = poise(&prepared, starter, None, &streams).unwrap();
    let mut counters = Counters::open(events, poised.starter());
    assert!(counters.counts().iter().all(|count| count.is_nan()), "who has not run has not counted");
    let run = poised.run(&limits, &Monotonic::start(), [&mut Deaf, &mut Deaf], &mut |_| {}).unwrap();
    assert_eq!(run.end, ProcessEnd::Exit(0));
    (counters.counts(), run.usage.unwrap())
}

#[test]
fn only_the_process_counts_and_all_of_it() {
    let mut counters = Counters::open(&SOFTWARE, None);
    if let Some(note) = &counters.note {
        assert!(note.contains("counters"), "{note}");
        return;
    }
    assert!(counters.is_open().all(|is_open| is_open));
    // Our own faults do not count.
    black_box(vec![1_u8; 64 << 20]);
    assert!(counters.counts()[1].is_nan());
    let starter = Starter::new();
    for starter in [starter.as_ref(), None] {
        // Often, because events can be lost to the next run: see the module.
        for _ in 0..20 {
            let (counts, used) = counted(starter, &SOFTWARE, &["exit"]);
            let (few, all) = (counts[1], (used.minor_faults + used.major_faults) as f64);
            // Some faults come before it is the program.
            assert!(few > 10.0 && few <= all && few > all / 2.0, "{few} of {all}");
        }
        // What the process starts and waits for counts, too.
        let (counts, _) = counted(starter, &SOFTWARE, &["grandchild-touches", "64"]);
        let [clock, many, _] = counts[..] else { unreachable!() };
        assert!(many > 100.0 && clock > 1000.0, "{many} faults, {clock} ns");
    }
}

#[test]
fn hardware_counts_or_the_reason_is_said() {
    let counters = Counters::open(&HARDWARE, None);
    match &counters.note {
        Some(note) if counters.is_open().all(|is_open| !is_open) => {
            assert!(note.starts_with("no hardware counters here: "), "{note}");
        }
        _ => {
            let (counts, _) = counted(Starter::new().as_ref(), &HARDWARE, &["exit"]);
            assert!(counts[0] > 1000.0, "an empty program has a thousand instructions");
        }
    }
}

/// A sample has a number for each metric of the trial, whatever of the counters is there, at the start and later.
#[test]
fn every_sample_has_a_number_for_each_metric() {
    const UNKNOWN: [Event; 1] = [Event::of_kernel("unknown", 999)];
    const SOME: [Event; 2] = [UNKNOWN[0], SOFTWARE[1]];
    for (events, counted) in [(&[][..], 0), (&UNKNOWN, 0), (&SOME, 1), (&SOFTWARE, 3)] {
        let words = vec![victim().into(), "exit".into()];
        let program = Program { name: "exit".to_owned(), words, ..Program::default() };
        let setting = Setting { pin: Pin::None, events, ..Setting::default() };
        let mut commands = Commands::new(vec![program], setting, Interrupt::by_hand().unwrap()).unwrap();
        let metrics = commands.metrics();
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        let uncounted = Layout::new(&[]).metrics().len();
        assert!(names.len() == uncounted + counted || names.len() == uncounted, "{names:?}");
        commands.begin(&[ArmId(0)], &mut Endless).unwrap();
        let round = one_turn(&mut commands, &turn(0, 0)).unwrap();
        let values = round.values(ArmId(0)).unwrap();
        assert_eq!(values.len(), metrics.len());
        if let Some(faults) = names.iter().position(|name| *name == "page_faults") {
            assert!(values[faults] > 10.0, "the last column is the event that is counted");
        }
    }
}

#[test]
fn a_layout_gives_as_many_numbers_as_metrics() {
    for events in [&[][..], &HARDWARE[..2], &HARDWARE] {
        let layout = Layout::new(events);
        for counts in [&[][..], &[1.0], &[1.0, 2.0, 3.0, 4.0, 5.0]] {
            let (end, counts) = (ProcessEnd::Exit(0), counts.to_vec());
            let (usage, waited, left_behind, floor) = (None, None, 0, 0);
            let run = ProcessRun { end, started: 0, wall: 7, usage, waited, left_behind, floor, counts };
            let values: Vec<f64> = layout.values(&run, None).collect();
            assert_eq!(values.len(), layout.metrics().len());
            let lost = events.len().saturating_sub(run.counts.len());
            assert!(values.iter().rev().take(lost).all(|value| value.is_nan()), "{values:?}");
        }
    }
}
