//! Are the definitions those of the article, and is a claim judged by its figures?

use evenhand_experiments::Size;
use evenhand_experiments::document::{Claim, Document};
use evenhand_experiments::log_normal::another_day;
use evenhand_experiments::log_normal::model::{MODELS, Model, precision};
use evenhand_experiments::log_normal::{Extent, Lane, Measurements, measure};
use evenhand_report::Layout;
use std::fs;
use std::path::Path;

/// Thirty runs around a second, the slowest this much slower, all shortened by this factor.
fn runs(slowest: f64, factor: f64) -> Vec<f64> {
    let mut runs: Vec<f64> = (0..29).map(|run| factor * (1.0 + 0.001 * f64::from(run * 7 % 29))).collect();
    runs.insert(11, factor * (1.0 + slowest));
    runs
}

fn seen(memory: Vec<Lane>) -> Measurements {
    let lanes = memory.iter().map(|lane| lane.lanes).collect();
    let plan = Extent { words: 256 << 17, loads: 1 << 24, lanes, runs: 30 };
    Measurements { plan, memory, computing: runs(0.01, 0.5) }
}

fn lane(lanes: usize, slowest: f64, factor: f64) -> Lane {
    Lane { lanes, seconds: runs(slowest, factor) }
}

#[test]
fn what_is_told_of_made_up_times() {
    let told = seen(vec![
        lane(1, 0.2, 1.0),
        lane(2, 0.05, 0.5),
        lane(3, 0.01, 0.4),
        lane(4, 0.3, 0.399),
        lane(6, 0.2, 0.3),
    ]);
    let shown = told.document().shown(Layout::new(Some(100)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/log_normal.txt");
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn sigma_distances_have_divisor_n_and_the_speed_up_is_that_of_minima() {
    let told = seen(vec![lane(1, 0.2, 1.0), lane(2, 0.2, 0.25)]).document().shown(Layout::new(None));
    let row: Vec<&str> =
        told.lines().find(|line| line.starts_with("2 ")).unwrap().split_whitespace().collect();
    let times = runs(0.2, 0.25);
    let mean = times.iter().sum::<f64>() / 30.0;
    let sd = (times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / 30.0).sqrt();
    let (bottom, top) = ((mean - 0.25) / sd, (0.3 - mean) / sd);
    assert!(
        row.contains(&format!("{bottom:.1}").as_str()) && row.contains(&format!("{top:.1}").as_str()),
        "{row:?}"
    );
    assert!(row.contains(&"4.0"), "four times as fast: {row:?}");
}

#[test]
fn the_knee_is_before_the_first_lane_that_gains_less_than_a_percent() {
    let at = |factors: &[f64]| {
        let lanes = factors.iter().zip(1..).map(|(factor, lanes)| lane(lanes, 0.1, *factor)).collect();
        seen(lanes).document().shown(Layout::new(None))
    };
    assert!(
        at(&[1.0, 0.5, 0.4, 0.399, 0.2])
            .contains("from the knee (where one more lane gains less than 1 %): about 3;")
    );
    assert!(at(&[1.0, 0.5, 0.4]).contains("above the largest number of lanes"));
    // Where numbers are left out, nothing is said between them.
    let gap = seen(vec![lane(1, 0.1, 1.0), lane(4, 0.1, 0.999)]).document().shown(Layout::new(None));
    assert!(gap.contains("above the largest number of lanes"), "{gap}");
    // Of the published minima: 19 times the bandwidth of one lane, so 19 loads in flight.
    assert!(at(&[1.0, 1.0 / 19.0]).contains("(best bandwidth times the latency of one lane): 19.0."));
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |memory| seen(memory).document().claims().map(|claim| claim.held).collect::<Vec<_>>();
    let wild = vec![lane(1, 0.9, 1.0), lane(2, 0.9, 0.5)];
    assert_eq!(held(wild)[..3], [Some(true), Some(true), Some(false)]);
    // Turned around: a run that is far faster than the others, none far slower.
    let fast =
        |lanes: usize| Lane { lanes, seconds: runs(0.03, 1.0).into_iter().map(|time| 2.0 - time).collect() };
    assert_eq!(held(vec![fast(1), fast(2)])[..2], [Some(false), Some(false)]);
    assert_eq!(held(Vec::new())[..3], [None, None, None]);
}

#[test]
fn more_lanes_are_more_accurate_if_their_means_are_nearer_to_the_minima() {
    let held = |slowest: [f64; 6]| {
        let lanes = (1..).zip(slowest).map(|(lanes, slowest)| lane(lanes, slowest, 1.0)).collect();
        let sheet = seen(lanes).document();
        sheet.claims().find(|claim| claim.says.starts_with("With more lanes")).unwrap().clone()
    };
    let better = held([0.9, 0.9, 0.5, 0.5, 0.1, 0.1]);
    assert_eq!(better.held, Some(true), "{better:?}");
    assert!(
        better
            .result
            .contains("4.4 % above the minimum in the third of the rows with the fewest lanes, and 1.7 % in"),
        "{better:?}"
    );
    assert_eq!(held([0.1, 0.1, 0.5, 0.5, 0.9, 0.9]).held, Some(false));
    assert_eq!(seen(vec![lane(1, 0.9, 1.0)]).document().claims().nth(3).unwrap().held, None);
}

/// What is told of a session beside an earlier one, whose times are longer by such parts, of minimum and mean.
fn beside(min: f64, mean: f64) -> Vec<Claim> {
    let session =
        |factor: f64, slowest: f64| seen((1..=5).map(|lanes| lane(lanes, slowest, factor)).collect()).trial();
    let mut sheet = Document::default();
    another_day::write(Some(&session(1.0, 0.03)), &session(1.0 + min, 0.03 + 30.0 * mean), &mut sheet);
    sheet.claims().cloned().collect()
}

#[test]
fn another_day_is_compared_lane_by_lane() {
    let held = |claims: Vec<Claim>| claims.iter().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(beside(0.002, 0.01)), [Some(true), Some(true)]);
    assert_eq!(held(beside(0.03, 0.0)), [Some(false), Some(false)]);
    let told = beside(0.03, 0.0);
    assert!(
        told[0].result.starts_with("0 of 5 minima stayed within 1 %; the largest change was +3.00 %"),
        "{told:?}"
    );
}

#[test]
fn without_an_earlier_session_nothing_is_judged() {
    let mut sheet = Document::default();
    another_day::write(None, &seen(vec![lane(1, 0.2, 1.0)]).trial(), &mut sheet);
    assert_eq!(sheet.claims().count(), 0);
    assert!(sheet.shown(Layout::new(None)).contains("had no earlier session of this size. This one is kept"));
}

#[test]
fn the_model_is_as_precise_as_an_independent_program_found() {
    // NumPy, 20,000 repetitions of 30 samples: relative standard errors of minimum, median and mean.
    let reference = [
        (Model { shift: 0.0, scale: 1.0, sigma: 0.1 }, [0.0491, 0.0225, 0.0184]),
        (Model { shift: 0.0, scale: 1.0, sigma: 0.5 }, [0.2357, 0.1117, 0.0972]),
        (Model { shift: 1.0, scale: 0.1, sigma: 0.5 }, [0.0085, 0.0103, 0.0099]),
        (Model { shift: 1.0, scale: 0.1, sigma: 1.0 }, [0.0065, 0.021, 0.034]),
    ];
    for (model, [min, median, mean]) in reference {
        assert!(MODELS.contains(&model));
        let found = precision(model, 20_000, 3);
        for (found, right) in [(found.min, min), (found.median, median), (found.mean, mean)] {
            assert!((found / right - 1.0).abs() < 0.05, "{model:?}: {found} instead of {right}");
        }
    }
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let mut told = Vec::new();
    let seen = measure(Extent::of(Size::Tiny), &mut |what| told.push(what.to_owned()));
    assert_eq!(seen.memory.iter().map(|lane| lane.lanes).collect::<Vec<_>>(), [1, 2, 4]);
    assert!(
        seen.memory.iter().all(|lane| lane.seconds.len() == 8 && lane.seconds.iter().all(|time| *time > 0.0))
    );
    assert_eq!((seen.computing.len(), told.len()), (8, 5));
    assert_eq!(seen.document().claims().count(), 7);
}
