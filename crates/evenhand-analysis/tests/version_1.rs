//! Is what version 1 wrote analysed to the same bytes as then? Its last program wrote the trials in `evenhand-trial` and what it claimed
//! of them, here in `fixtures/version-1`.

use evenhand_analysis::{Settings, analyse};
use evenhand_trial::json::{read, write};
use evenhand_trial::{LaunchFacts, LaunchId, Trial};
use std::fs;

const TRIALS: [&str; 7] = ["cold", "go", "hyper", "launches", "layouts", "one-launch", "run"];
/// Trials that were killed: `evenhand-archive` finishes their journals.
const UNFINISHED: [&str; 2] = ["3705f85d", "90d3538f"];

fn trial(of_crate: &str, name: &str) -> Trial {
    let file = format!("{}/../{of_crate}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    read(fs::read(file).unwrap().as_slice()).unwrap()
}

fn finished(name: &str) -> Trial {
    trial("evenhand-trial/tests/fixtures/version-1", name)
}

fn written_again(trial: &Trial) -> Trial {
    let mut json = Vec::new();
    write(trial, &mut json).unwrap();
    read(json.as_slice()).unwrap()
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
        assert_analysed(name, &finished(name));
        assert_analysed(name, &written_again(&finished(name)));
    }
}

#[test]
fn unfinished_journals_of_version_1_are_analysed_to_the_same_bytes() {
    for name in UNFINISHED {
        assert_analysed(name, &trial("evenhand-archive/tests/files/version-1", name));
    }
}

#[test]
fn trials_of_version_1_laid_beside_each_other_give_the_same_bytes() {
    let trials = ["launches", "one-launch"].map(|name| (format!("{name}.json"), finished(name)));
    assert_analysed("joined", &Trial::join(trials.into()).unwrap());
}

#[test]
fn the_layouts_of_version_1_went_round_and_those_of_version_2_are_recorded() {
    let mut trial = finished("layouts");
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
