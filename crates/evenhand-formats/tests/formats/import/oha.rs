//! oha's JSON: figures of one run.

use crate::foreign::{
    every_cut_is_refused, no_damage_panics, notes, only_its_own_folder_is_recognised, reported, trial,
};
use evenhand_formats::import::Format;

const FORMAT: Format = Format::Oha;

#[test]
fn the_figures_of_a_run_are_kept_and_nothing_is_claimed_of_them() {
    let trial = trial("oha/run.json");
    let wall = reported(&trial, "run", "wall")[0];
    assert_eq!((wall.min, wall.mean, wall.max), (Some(0.0004), Some(0.0011), Some(0.0161)));
    assert_eq!(wall.samples, Some(20_000));
    assert_eq!((wall.percentiles.len(), wall.percentiles[7]), (8, (99.9, 0.0152)));
    assert_eq!(reported(&trial, "run", "throughput")[0].mean, Some(4393.65));
    assert_eq!(trial.metrics[0].unit.symbol(), "s");
    assert!(notes(&trial).contains("2 requests failed: aborted due to deadline"), "{}", notes(&trial));
    assert!(notes(&trial).contains("no interval and no comparison"));
}

#[test]
fn damage_is_refused_and_no_other_file_is_taken_for_one() {
    every_cut_is_refused("oha/run.json", FORMAT);
    no_damage_panics("oha/run.json", FORMAT);
    only_its_own_folder_is_recognised("oha", FORMAT);
}
