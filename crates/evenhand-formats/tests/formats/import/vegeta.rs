//! vegeta: each request of an attack, and the figures of its report.

use crate::foreign::{
    no_damage_panics, notes, numbers, only_its_own_folder_is_recognised, refused, reported, series, trial,
    trial_of,
};
use evenhand_formats::import::Format;

const FORMAT: Format = Format::Vegeta;
const SMALL: &str = "small GET http://127.0.0.1:8017/";

#[test]
fn the_requests_of_an_attack_are_samples() {
    let trial = trial("vegeta/results.json");
    let wall = &numbers(&trial, SMALL, "wall")[0];
    assert_eq!((wall.len(), wall[0], wall[17]), (18, 5_954_166.0, 1_960_543.0));
    assert_eq!(series(&trial, SMALL)[0].rounds.iter(7).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 7]);
    assert_eq!(trial.metrics[0].unit.symbol(), "ns");
    assert_eq!(trial.started.unwrap().to_string(), "2026-11-23T07:54:07.960575073Z");
}

#[test]
fn samples_stand_in_the_order_in_which_requests_were_sent() {
    let of = |seq, latency| {
        format!(
            r#"{{"attack":"","seq":{seq},"code":301,"timestamp":"2026-06-05T10:00:00Z","latency":{latency},"method":"GET","url":"u"}}"#
        )
    };
    let trial = trial_of(&[of(1, 15), of(0, 12)].join("\n"), FORMAT);
    assert_eq!(numbers(&trial, "GET u", "wall"), [[12.0, 15.0]]);
}

#[test]
fn what_vegeta_counts_as_failed_is_a_failure() {
    let trial = trial("vegeta/results.json");
    let failed: Vec<_> =
        trial.failures.iter().map(|failure| (failure.round.0, failure.reason.to_string())).collect();
    let why = "503 Service Unavailable".to_owned();
    assert_eq!(failed, [(6, why.clone()), (13, why)]);
    assert_eq!(trial.failures[0].seconds, Some(0.001843173));
    let none = r#"{"attack":"a","seq":0,"code":404,"timestamp":"2026-06-05T10:00:00Z","latency":1}"#;
    let trial = trial_of(none, FORMAT);
    assert_eq!((trial.sample_count(), trial.arms[0].name.as_str()), (0, "a"));
    assert_eq!(trial.failures[0].reason.to_string(), "status 404");
}

#[test]
fn a_report_gives_figures() {
    let trial = trial("vegeta/report.json");
    let wall = reported(&trial, "report", "wall")[0];
    assert_eq!((wall.samples, wall.mean, wall.max), (Some(20), Some(2_506_072.0), Some(6_099_358.0)));
    assert_eq!(
        wall.percentiles,
        [(50.0, 1_863_833.0), (90.0, 5_742_721.0), (95.0, 6_026_762.0), (99.0, 6_099_358.0)]
    );
    assert!(notes(&trial).contains("10.00 % of the requests failed"), "{}", notes(&trial));
}

#[test]
fn damage_panics_nowhere_and_no_other_file_is_taken_for_one() {
    assert!(refused("{\"attack\":\"\",\"seq\":0,", FORMAT).contains("ends too early"));
    no_damage_panics("vegeta/results.json", FORMAT);
    no_damage_panics("vegeta/report.json", FORMAT);
    only_its_own_folder_is_recognised("vegeta", FORMAT);
}
