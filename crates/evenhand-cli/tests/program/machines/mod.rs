//! What does the program say on machines that this one is not? Each capability is there, missing, refused or lost, by
//! stand-ins that need no hardware: filters of the kernel ([`confined`]), namespaces, limits, and other ways of starting.
//! On each machine the program gives a verdict or a clear refusal, and what is kept is whole.
//!
//! | file | what differs |
//! |---|---|
//! | `counters.rs` | the processor's counters |
//! | `processes.rs` | how processes are started and awaited, and how many there may be |
//! | `processors.rs` | on which processors a program may run |
//! | `files.rs` | /proc, /sys, homes, disks |
//!
//! A machine that cannot be made here is skipped, and that is printed.

mod counters;
mod files;
mod processes;
mod processors;

use crate::desk::{Desk, Done};
use evenhand_trial::Note;
use evenhand_victims::confined::confined;
use evenhand_victims::victim;
use serde_json::Value;
use std::process::Command;

/// A machine, as the program finds it.
#[derive(Clone, Copy, Default)]
struct Machine<'a> {
    /// Calls that the system refuses, as in `pidfd_open=ENOSYS`.
    refused: &'a [&'a str],
    /// A program and arguments before ours, which start ours elsewhere.
    starter: &'a [&'a str],
}

impl Machine<'_> {
    /// What the program says there.
    fn says(&self, desk: &Desk, words: &[impl AsRef<str> + Sync]) -> Done {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        confined(self.refused, || Done::of(desk.started_by(self.starter, &words).output().unwrap()))
    }

    /// Two commands are compared there, and what is kept says the same. What was measured.
    fn compares_commands(&self, desk: &Desk) -> Value {
        let [quick, slow] =
            ["exit", "sleep 5"].map(|behaviour| format!("{} {behaviour}", victim().display()));
        let done = self.says(desk, &["run", "--rounds", "5", "--json", &quick, &slow]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        is_whole(desk, &done.out, 10)
    }

    /// Two workers are compared there, and what is kept says the same. What was measured.
    fn compares_functions(&self, desk: &Desk) -> Value {
        let [old, new] = ["old", "new"].map(crate::compare::worker);
        let launches = ["--launches", "2", "--rounds-per-launch", "8"];
        let done = self.says(desk, &[&["compare", "--json"][..], &launches, &[&old, &new, "stays"]].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        is_whole(desk, &done.out, 32)
    }

    /// The doctor looks at it and measures.
    fn is_looked_at(&self, desk: &Desk) -> Value {
        let busy = format!("{} spin 200", victim().display());
        let words: Vec<&str> = busy.split(' ').collect();
        let done = self.says(desk, &[&["doctor", "--time", "0.1", "--json", "--"], &words[..]].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        let answer: Value = serde_json::from_str(&done.out).unwrap();
        assert!(answer["noise_floor"]["rounds"].as_u64().unwrap() > 0, "{answer}");
        answer
    }

    /// All of it.
    fn works(&self, desk: &Desk) {
        self.compares_commands(desk);
        self.compares_functions(desk);
        self.is_looked_at(desk);
    }
}

/// The trial that was kept: complete, with so many samples, a number in each of them for each metric, and it says what was
/// said when it was measured.
fn is_whole(desk: &Desk, said: &str, samples: usize) -> Value {
    let kept = desk.run(&["analyze", "--json", "@last"]);
    assert_eq!((kept.code, kept.err.as_str()), (0, ""));
    let parts = |text: &str| {
        let analysis: Value = serde_json::from_str(text).unwrap();
        ["levels", "comparisons"].map(|part| analysis[part].clone())
    };
    assert_eq!(parts(&kept.out), parts(said), "the stored trial says what was said");
    let trial = desk.run(&["export", "@last", "--to", "json"]);
    let trial: Value = serde_json::from_str(&trial.out).unwrap();
    assert_eq!(trial["state"], "complete");
    let names: Vec<&Value> =
        trial["metrics"].as_array().unwrap().iter().map(|metric| &metric["name"]).collect();
    let (metrics, wall) = (names.len(), names.iter().position(|name| *name == "wall").unwrap());
    let mut found = 0;
    for series in trial["series"].as_array().unwrap() {
        let columns = series["values"].as_array().unwrap();
        assert_eq!(columns.len(), metrics, "{series}");
        let lengths: Vec<usize> = columns.iter().map(|column| column.as_array().unwrap().len()).collect();
        assert!(lengths.iter().all(|length| *length == lengths[0]), "{series}");
        assert!(
            columns[wall].as_array().unwrap().iter().all(|wall| wall.as_f64().unwrap() > 0.0),
            "{series}"
        );
        found += lengths[0];
    }
    assert_eq!(found, samples, "{trial}");
    trial
}

/// What is noted of a trial.
fn notes(trial: &Value) -> Vec<String> {
    let notes: Vec<Note> = serde_json::from_value(trial["notes"].clone()).unwrap_or_default();
    notes.iter().map(ToString::to_string).collect()
}

/// Whether a machine can be made by this starter; if not, that is printed.
fn can_be_made(starter: &[&str]) -> bool {
    let tried = Command::new(starter[0]).args(&starter[1..]).arg("true").output();
    let done = tried.as_ref().is_ok_and(|done| done.status.success());
    if !done {
        let why = tried.map_or_else(|error| error.to_string(), |done| Done::of(done).err);
        eprintln!("skipped: {starter:?} cannot be done here: {why}");
    }
    done
}
