//! What version 1 wrote, is it read without loss and analysed to the same bytes? `fixtures/version-1` was written by its last program.

use evenhand_trial::analysis::{Settings, analyse};
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

fn analysed(trial: &Trial) -> String {
    let analysis = analyse(trial, &Settings::of_plan(&trial.plan).unwrap()).unwrap();
    serde_json::to_string(&analysis).unwrap() + "\n"
}

/// Better statistics change it: `UPDATE_FIXTURES=1` writes it again.
fn assert_analysed(name: &str, trial: &Trial) {
    let path = format!("{}/tests/fixtures/version-1/{name}.analysis", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        fs::write(&path, analysed(trial)).unwrap();
    }
    assert_eq!(analysed(trial), fs::read_to_string(path).unwrap(), "{name}");
}

#[test]
fn what_version_1_wrote_is_analysed_to_the_same_bytes_before_and_after_it_is_written_again() {
    for name in TRIALS {
        let trial = trial(name);
        assert_analysed(name, &trial);
        let again = read(written(&trial).as_bytes()).unwrap();
        assert_eq!(written(&again), written(&trial), "{name}");
        assert_eq!(analysed(&again), analysed(&trial), "{name}");
        assert_eq!(again.fingerprint(), trial.fingerprint(), "{name}");
    }
}

#[test]
fn trials_of_version_1_laid_beside_each_other_give_the_same_bytes() {
    let names = ["launches.json", "one-launch.json"];
    let trials = names.map(|name| (name.to_owned(), read(file(name).as_bytes()).unwrap()));
    assert_analysed("joined", &Trial::join(trials.into()).unwrap());
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
    let luck = |trial: &Trial| {
        let analysis = analyse(trial, &Settings::of_plan(&trial.plan).unwrap()).unwrap();
        analysis.comparisons[0].coin().unwrap().layouts
    };
    let went_round = luck(&trial);
    assert!(went_round.is_some());
    trial.plan.layouts_in_turns = false;
    assert_eq!(luck(&trial), None, "without a record nothing is known");
    let recorded =
        |launch| LaunchFacts { group: 0, id: LaunchId(launch), layout: launch % 3, cpu: None, began: 0 };
    trial.launches = (0..9).map(recorded).collect();
    assert_eq!(luck(&trial), went_round);
    trial.launches.pop();
    assert_eq!(luck(&trial), None, "a launch whose layout is not known is not guessed at");
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
