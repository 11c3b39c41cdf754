//! BenchmarkTools of Julia: every mapped field of real trials.

use crate::foreign::{
    every_cut_is_refused, iterations, no_damage_panics, notes, numbers, only_its_own_folder_is_recognised,
    refused, reported, trial, trial_of,
};
use evenhand_formats::import::Format;
use evenhand_trial::{Origin, Per};

const FORMAT: Format = Format::Julia;
const SECOND_ORDER: &str = "fvgq/fvgq/second_order_p";

#[test]
fn a_trial_of_nested_groups_is_an_arm_with_its_samples() {
    for file in ["julia/saved.json", "julia/package.json"] {
        let trial = trial(file);
        assert_eq!(trial.arms.len(), 2, "{file}");
        let wall = &numbers(&trial, SECOND_ORDER, "wall")[0];
        assert_eq!((wall.len(), wall[0], wall[12]), (13, 4.14969e8, 3.7172e8));
        assert_eq!(numbers(&trial, SECOND_ORDER, "gc")[0][2], 2.5785e7);
        assert_eq!(iterations(&trial, SECOND_ORDER), [(0, vec![1; 13])]);
        assert_eq!((trial.metrics[0].name.as_str(), trial.metrics[0].unit.symbol()), ("wall", "ns"));
        assert_eq!(trial.metrics[0].per, Per::Iteration);
        assert_eq!(reported(&trial, SECOND_ORDER, "memory")[0].mean, Some(158_853_536.0));
        assert_eq!(reported(&trial, SECOND_ORDER, "allocs")[0].mean, Some(300_681.0));
        assert_eq!(trial.environment.tools["julia"], "1.6.4");
        let Origin::Imported { tool, .. } = &trial.origin else { panic!("{:?}", trial.origin) };
        assert_eq!(tool.as_deref(), Some("BenchmarkTools 1.0.0"));
        assert!(trial.arms.iter().all(|arm| !arm.order_lost));
    }
}

fn saved(value: &str) -> String {
    format!(r#"[{{"Julia":"1.0.0","BenchmarkTools":"0.4.3"}},[{value}]]"#)
}

fn one(times: &str, gctimes: &str) -> String {
    let fields = r#""allocs":0,"memory":0,"params":["BenchmarkTools.Parameters",{"evals":990.0}]"#;
    saved(&format!(r#"["BenchmarkTools.Trial",{{{fields},"times":[{times}],"gctimes":[{gctimes}]}}]"#))
}

#[test]
fn sorted_times_have_lost_their_order() {
    let trial = trial_of(&one("1,2,3,4,5,6,7,7", "0,0"), FORMAT);
    assert!(trial.arms[0].order_lost);
    assert!(notes(&trial).contains("BenchmarkTools sorted the samples"));
    assert_eq!(iterations(&trial, "benchmark"), [(0, vec![990; 8])]);
    assert!(trial.metric("gc").is_none(), "as many times of the collector as samples, or none");
    assert!(!trial_of(&one("1,2,3,4,5,6,7", ""), FORMAT).arms[0].order_lost, "seven may rise by chance");
}

#[test]
fn what_is_no_trial_is_left_out_with_the_reason() {
    let estimate = r#"["TrialEstimate",{"time":1,"params":["Parameters",{"evals":1}]}]"#;
    let said = refused(saved(estimate), FORMAT);
    assert!(said.contains("is a TrialEstimate and no Trial; save what `run` returns"), "{said}");
    assert!(refused(one("1,-2", ""), FORMAT).contains("-2 is not a possible measurement"));
}

#[test]
fn damage_is_refused_and_no_other_file_is_taken_for_one() {
    every_cut_is_refused("julia/saved.json", FORMAT);
    no_damage_panics("julia/saved.json", FORMAT);
    only_its_own_folder_is_recognised("julia", FORMAT);
}
