//! Does the experiment tell a series with memory from one without, and is the server real?

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use evenhand_experiments::Size;
use evenhand_experiments::uncertainty::thermometer::read;
use evenhand_experiments::uncertainty::{Asked, Plan, Seen, measure};
use evenhand_report::Layout;
use std::fs;
use std::path::Path;

/// Forty runs whose latencies keep this share of their deviation from one request to the next.
fn asked(remains: f64, level: f64, seed: u64) -> Asked {
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut deviation = 0.0;
    let mut latency = || {
        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        deviation = remains * deviation + normal;
        level + 0.02 * level * deviation
    };
    let plan = Plan { runs: 40, requests: 1000, ..Plan::of(Size::Usual) };
    let runs = (0..plan.runs).map(|_| (0..plan.requests).map(|_| latency()).collect()).collect();
    Asked { plan, runs }
}

fn seen(remains: f64) -> Seen {
    Seen { server: asked(remains, 100_000.0, 7) }
}

fn told(seen: &Seen, expected: &str) {
    let shown = seen.sheet().shown(Layout::new(Some(120)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(expected);
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn what_is_told_of_made_up_latencies() {
    told(&seen(0.9), "uncertainty.txt");
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |seen: &Seen| seen.sheet().claims().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(&seen(0.9)), [Some(true), Some(true)]);
    assert_eq!(held(&seen(0.0))[0], Some(false), "independent latencies scatter as s/√n says");
}

#[test]
fn reading_more_often_makes_the_naive_error_smaller_and_the_true_one_hardly() {
    let (seldom, often) = (read(48, 5), read(1, 5));
    assert_eq!((seldom.readings, often.readings), (30, 1440));
    assert!(often.naive < 0.3 * seldom.naive, "{seldom:?} {often:?}");
    assert!(often.true_error > 0.8 * seldom.true_error);
    assert!(often.true_error > 5.0 * often.naive && often.true_error < 1.6 * often.corrected);
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let mut told = Vec::new();
    let seen = measure(Plan::of(Size::Tiny), &mut |what| told.push(what.to_owned())).unwrap();
    assert_eq!((seen.server.runs.len(), seen.server.runs[0].len()), (6, 300));
    let all: Vec<f64> = seen.server.runs.concat();
    let mut sorted = all.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    // Every 250th request waits for the garbage to be cleared away: many times the lookups of a quiet one.
    let slow =
        all.iter().enumerate().filter(|(_, latency)| **latency > 4.0 * sorted[900]).map(|(place, _)| place);
    let slow: Vec<usize> = slow.collect();
    let each_after = |first: usize| (first..1800).step_by(250).all(|place| slow.contains(&place));
    assert!((0..250).any(each_after), "not every 250th is slow, only {slow:?}");
    assert_eq!(told[0], "a small server: run 1 of 6");
    assert_eq!(seen.sheet().claims().count(), 2);
}
