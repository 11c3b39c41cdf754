//! Vitest's figures become a trial: every mapped field of a real file, and what happens to broken ones.

use crate::foreign::{notes, refused, reported, trial, trial_of};
use evenhand_formats::import::Format;
use evenhand_trial::{Origin, Per, Reason};

const FORMAT: Format = Format::Vitest;

#[test]
fn the_figures_of_each_benchmark_are_reported() {
    let trial = trial("vitest/sums.json");
    assert!(matches!(&trial.origin, Origin::Imported { tool, .. } if tool.as_deref() == Some("Vitest")));
    let names: Vec<(&str, &str)> = trial.arms.iter().map(|arm| (&*arm.name, &*arm.group)).collect();
    let group = "sums.bench.mjs > sum";
    let expected = ["loop", "reduce", "throws"].map(|name| (format!("{group} > {name}"), group));
    assert_eq!(names, expected.each_ref().map(|(name, group)| (name.as_str(), *group)));
    let wall = &trial.metrics[0];
    assert_eq!((&*wall.name, wall.unit.symbol(), wall.per), ("wall", "ms", Per::Sample));
    let figures = reported(&trial, &expected[0].0, "wall")[0];
    assert_eq!((figures.samples, figures.mean), (Some(5807), Some(0.0008610724987085384)));
    assert_eq!(
        (figures.median, figures.mean_error),
        (Some(0.0007009999999922911), Some(0.0002979324498125244))
    );
    assert_eq!(figures.percentiles[0], (75.0, 0.0007010000000207128));
    assert!(notes(&trial).contains("Vitest writes no samples"), "{}", notes(&trial));
}

#[test]
fn a_benchmark_that_threw_is_a_failure() {
    let trial = trial("vitest/sums.json");
    assert_eq!((trial.failures.len(), trial.failures[0].arm.0, trial.reported.len()), (1, 2, 2));
    assert_eq!(
        trial.failures[0].reason,
        Reason::Other { message: "Vitest has no figures for it".to_owned() }
    );
}

#[test]
fn samples_count_if_a_version_writes_them() {
    let text = r#"{"files":[{"filepath":"f","groups":[{"fullName":"g","benchmarks":[
        {"name":"a","samples":[1.5,2.5],"mean":2,"sampleCount":2}]}]}]}"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!((&trial.series[0].values[0], trial.arms[0].order_lost), (&vec![1.5, 2.5], true));
}

#[test]
fn broken_files_are_refused_and_broken_benchmarks_left_out() {
    crate::foreign::every_cut_is_refused("vitest/sums.json", FORMAT);
    crate::foreign::no_damage_panics("vitest/sums.json", FORMAT);
    assert!(refused(r#"{"files":[]}"#, FORMAT).contains("holds no result"));
    let text = String::from_utf8(crate::foreign::fixture("vitest/sums.json")).unwrap();
    let broken = trial_of(&text.replacen("0.0006609999999795946", "-1", 1), FORMAT);
    assert_eq!(broken.arms.len(), 2);
    assert!(
        notes(&broken)
            .contains("one benchmark left out: \"sums.bench.mjs > sum > loop\", wall, reported min: -1")
    );
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("vitest", FORMAT);
}
