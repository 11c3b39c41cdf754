//! What version 1 wrote, is it read without loss? `fixtures/version-1` was written by its last
//! program; `evenhand-analysis` has what was claimed of it.

use evenhand_trial::json::{read, write};
use evenhand_trial::{LaunchFacts, LaunchId, Note, Trial};
use serde_json::Value;
use std::fs;

const TRIALS: [&str; 7] = ["cold", "go", "hyper", "launches", "layouts", "one-launch", "run"];

fn file(name: &str) -> String {
    fs::read_to_string(format!("{}/tests/fixtures/version-1/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn trial(name: &str) -> Trial {
    read(file(&format!("{name}.json")).as_bytes()).unwrap()
}

fn written(trial: &Trial) -> String {
    let mut json = Vec::new();
    write(trial, &mut json).unwrap();
    String::from_utf8(json).unwrap()
}

#[test]
fn what_version_1_wrote_is_the_same_trial_after_it_is_written_again() {
    for name in TRIALS {
        let trial = trial(name);
        let again = read(written(&trial).as_bytes()).unwrap();
        assert_eq!(written(&again), written(&trial), "{name}");
        assert_eq!(again.fingerprint(), trial.fingerprint(), "{name}");
    }
}

#[test]
fn only_the_version_and_the_plan_change_in_what_is_written() {
    for name in TRIALS {
        let [mut then, mut now] = [file(&format!("{name}.json")), written(&trial(name))]
            .map(|json| serde_json::from_str::<Value>(&json).unwrap());
        assert_eq!((&then["schema_version"], &now["schema_version"]), (&1.into(), &2.into()));
        for trial in [&mut then, &mut now] {
            let trial = trial.as_object_mut().unwrap();
            trial.remove("schema_version");
            trial.remove("plan");
        }
        assert_eq!(then, now, "{name}");
        let plan: Value =
            serde_json::from_str::<Value>(&file(&format!("{name}.json"))).unwrap()["plan"].take();
        let plan = if plan.is_null() { Value::Object(serde_json::Map::new()) } else { plan };
        assert_eq!(serde_json::to_value(trial(name).plan.in_words()).unwrap(), plan, "{name}");
    }
}

#[test]
fn the_layouts_of_version_1_went_round_and_those_of_version_2_are_recorded() {
    let mut trial = trial("layouts");
    let layout = trial.layouts(0);
    assert_eq!((0..5).map(|launch| layout(LaunchId(launch)).unwrap()).collect::<Vec<_>>(), [0, 1, 2, 0, 1]);
    trial.plan.layouts_in_turns = false;
    assert_eq!(trial.layouts(0)(LaunchId(0)), None, "without a record nothing is known");
    let recorded =
        |launch| LaunchFacts { group: 0, id: LaunchId(launch), layout: launch % 3, cpu: None, began: 0 };
    trial.launches = (0..8).map(recorded).collect();
    assert_eq!(trial.layouts(1)(LaunchId(7)), None, "each group counts its launches from 0");
    let layout = trial.layouts(0);
    assert_eq!(
        [7, 8].map(|launch| layout(LaunchId(launch))),
        [Some(1), None],
        "what is not known is not guessed at"
    );
}

#[test]
fn a_note_of_version_1_is_not_said_again_by_a_later_session() {
    let mut trial = trial("cold");
    let notes = trial.notes.len();
    trial.note(Note::PinnedTo { cpus: vec![0] });
    assert_eq!(trial.notes.len(), notes);
    trial.note(Note::PinnedTo { cpus: vec![1] });
    assert_eq!(trial.notes.len(), notes + 1);
}
