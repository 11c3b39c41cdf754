//! asv's results become a trial: every mapped field of real files, and what happens to broken ones.

use crate::foreign::{fixture, iterations, notes, numbers, refused, reported, trial, trial_of};
use evenhand_formats::import::Format;
use evenhand_trial::{Per, Reason};

const FORMAT: Format = Format::Asv;
const SMALL: &str = "sums.Sums.time_sum(100)";
const LARGE: &str = "sums.Sums.time_sum(1000)";

fn file(results: &str) -> String {
    format!(r#"{{"commit_hash":"c","result_columns":["result"],"results":{{{results}}},"version":2}}"#)
}

fn names(trial: &evenhand_trial::Trial) -> Vec<&str> {
    trial.arms.iter().map(|arm| arm.name.as_str()).collect()
}

#[test]
fn samples_arrive_for_each_combination() {
    let trial = trial("asv/samples.json");
    assert_eq!(names(&trial), [SMALL, LARGE]);
    assert_eq!(trial.groups().len(), 2);
    let small = &numbers(&trial, SMALL, "wall")[0];
    assert_eq!((small.len(), small[0], small[8]), (9, 1.8837136477082154e-05, 5.662049854717487e-07));
    assert_eq!(numbers(&trial, LARGE, "wall")[0][2], 0.00014301518010822973);
    assert_eq!(iterations(&trial, SMALL), [(0, vec![1927; 9])]);
    assert_eq!(iterations(&trial, LARGE), [(0, vec![111; 9])]);
    let wall = &trial.metrics[0];
    assert_eq!((wall.unit.symbol(), wall.per), ("s", Per::Iteration));
    assert_eq!(trial.arms[0].parameters["parameter 1"], "100");
}

#[test]
fn the_machine_and_the_commit_are_kept() {
    let trial = trial("asv/samples.json");
    let environment = &trial.environment;
    assert_eq!(environment.cpu.model.as_deref(), Some("AMD EPYC"));
    assert_eq!((environment.host.as_deref(), environment.cpu.logical), (Some("vm"), Some(2)));
    assert!(environment.git.as_ref().unwrap().commit.starts_with("c97d698b"));
    assert_eq!(trial.started.unwrap().as_millisecond(), 1_795_408_776_399);
}

#[test]
fn figures_without_samples_stay_figures() {
    let trial = trial("asv/figures.json");
    let small = reported(&trial, SMALL, "wall")[0];
    assert_eq!((small.median, small.samples), (Some(5.709274781510266e-07), Some(10)));
    assert_eq!(small.percentiles, [(25.0, 5.6865e-07), (75.0, 6.3e-07)]);
    assert_eq!((small.more["99 % lower"], small.more["99 % upper"]), (5.652e-07, 7.0469e-06));
    assert_eq!(trial.sample_count(), 0);
    assert!(notes(&trial).contains("run asv with --record-samples"));
}

#[test]
fn the_last_parameter_changes_first_and_failures_are_failures() {
    let trial = trial_of(
        &file(r#""a.mem_x":[[1,2,3,null],[["p","q"],["1","2"]]],"b.track_y":[[-5],[]],"c.time_z":[null,[]]"#),
        FORMAT,
    );
    let named = ["a.mem_x(p, 1)", "a.mem_x(p, 2)", "a.mem_x(q, 1)", "a.mem_x(q, 2)", "b.track_y", "c.time_z"];
    assert_eq!(names(&trial), named);
    assert_eq!(reported(&trial, "a.mem_x(q, 1)", "size")[0].median, Some(3.0));
    assert_eq!(reported(&trial, "b.track_y", "value")[0].median, Some(-5.0));
    let failed: Vec<u32> = trial.failures.iter().map(|failure| failure.arm.0).collect();
    assert_eq!(failed, [3, 5]);
    assert!(
        matches!(&trial.failures[0].reason, Reason::Other { message } if message == "failed, or was skipped")
    );
}

#[test]
fn broken_files_are_refused_and_broken_benchmarks_left_out() {
    crate::foreign::every_cut_is_refused("asv/samples.json", FORMAT);
    crate::foreign::no_damage_panics("asv/samples.json", FORMAT);
    let other =
        String::from_utf8(fixture("asv/figures.json")).unwrap().replace("\"version\": 2", "\"version\": 3");
    assert!(refused(other, FORMAT).contains("version: 3 is not 2"));
    assert!(refused(file(""), FORMAT).contains("holds no result"));
    let trial = trial_of(&file(r#""a.time_x":[[1],[]],"b.time_y":[[-1],[]]"#), FORMAT);
    assert_eq!(names(&trial), ["a.time_x"]);
    assert!(notes(&trial).contains("one benchmark left out: \"b.time_y\""), "{}", notes(&trial));
    let many = format!(r#""a.time_x":[[1],{}]"#, serde_json::json!(vec![vec!["v"; 1000]; 9]));
    assert!(trial_of(&file(&many), FORMAT).arms.len() <= 100_000);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("asv", FORMAT);
}
