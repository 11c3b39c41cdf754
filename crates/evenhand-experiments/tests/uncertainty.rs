//! Does the experiment tell a series with memory from one without, and are the servers real?

use evenhand_experiments::Size;
use evenhand_experiments::uncertainty::schemes::covered;
use evenhand_experiments::uncertainty::thermometer::read;
use evenhand_experiments::uncertainty::{Extent, Measurements, NoPostgres, Postgres, ServiceRuns, measure};
use evenhand_report::Layout;
use std::fs;
use std::path::Path;

/// Forty runs whose latencies keep this share of their deviation from one request to the next.
fn asked(remains: f64, level: f64, seed: u64) -> ServiceRuns {
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
    let plan = Extent { runs: 40, requests: 1000, ..Extent::of(Size::Usual) };
    let runs = (0..plan.runs).map(|_| (0..plan.requests).map(|_| latency()).collect()).collect();
    ServiceRuns { plan, runs }
}

fn without_postgres(remains: f64, why: NoPostgres) -> Measurements {
    Measurements { server: asked(remains, 100_000.0, 7), postgres: Err(why) }
}

fn with_postgres() -> Measurements {
    let asked = asked(0.5, 400_000.0, 8);
    let postgres = Postgres { version: "15.18".to_owned(), checkpoints: 31, vacuums: 1, service: asked };
    Measurements { postgres: Ok(postgres), ..without_postgres(0.9, NoPostgres::Missing) }
}

fn told(seen: &Measurements, expected: &str) {
    let shown = seen.document().shown(Layout::new(Some(120)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(expected);
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn what_is_told_of_made_up_latencies() {
    told(&with_postgres(), "uncertainty.txt");
    told(&without_postgres(0.9, NoPostgres::Missing), "uncertainty_without_postgres.txt");
}

#[test]
fn a_postgres_that_does_not_start_is_quoted_and_the_rest_is_told() {
    let why = "initdb ended (exit status: 1). Its last words: no space left";
    let sheet = without_postgres(0.9, NoPostgres::Failed(why.to_owned())).document();
    assert_eq!(sheet.claims().count(), 4);
    let shown = sheet.shown(Layout::new(None));
    let sentence = format!("PostgreSQL is installed, but could not be measured: {why}\n");
    assert!(shown.contains(&sentence) && shown.contains("The thermometer"), "{shown}");
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |seen: &Measurements| seen.document().claims().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(&without_postgres(0.9, NoPostgres::Missing))[..2], [Some(true), Some(true)]);
    assert_eq!(
        held(&without_postgres(0.0, NoPostgres::Missing))[0],
        Some(false),
        "independent latencies scatter as s/√n says"
    );
    assert_eq!(held(&with_postgres()).len(), 6, "each service is judged by itself");
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
fn weights_and_cut_offs_cover_as_an_independent_program_found() {
    let all = covered();
    let names: Vec<&str> = all.iter().map(|covered| covered.name.as_str()).collect();
    assert_eq!(names, ["φ = 0", "φ = 0.5", "φ = 0.9", "φ = 0.99", "quiet trace", "busy trace"]);
    // A program in Python, 800 series of 1000: s/√n, and truncated, Bartlett and Parzen at √N.
    let reference = [
        [0.93625, 0.91, 0.93125, 0.93],
        [0.7725, 0.9325, 0.945, 0.95125],
        [0.3275, 0.90875, 0.8675, 0.86],
        [0.09125, 0.6325, 0.50125, 0.44375],
    ];
    for (covered, [naive, truncated, bartlett, parzen]) in all.iter().zip(reference) {
        let found = [covered.naive, covered.weighted[0][1], covered.weighted[1][1], covered.weighted[2][1]];
        for (found, right) in found.into_iter().zip([naive, truncated, bartlett, parzen]) {
            // 200 series against 800: four standard errors of the difference.
            let error = (right * (1.0 - right) / 160.0_f64).sqrt();
            assert!((found - right).abs() < 4.0 * error, "{}: {found} instead of {right}", covered.name);
        }
    }
    assert!(all[2].ours > all[2].naive + 0.5, "{:?}", all[2]);
}

#[test]
fn the_best_cut_off_is_told_for_each_series() {
    let sheet = without_postgres(0.9, NoPostgres::Missing).document();
    let best = sheet.claims().find(|claim| claim.says.starts_with("The best cut-off")).unwrap();
    assert_eq!(best.held, Some(true));
    assert_eq!(best.result.matches(" for ").count(), 6, "{}", best.result);
    // A longer memory needs more lags.
    assert!(best.result.contains("N^⅔ for φ = 0.99"), "{}", best.result);
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let mut told = Vec::new();
    let seen = measure(Extent::of(Size::Tiny), &mut |what| told.push(what.to_owned())).unwrap();
    // On a busy machine fewer fit into the time.
    let requests = seen.server.runs[0].len();
    assert!(seen.server.runs.len() == 6 && (100..=300).contains(&requests), "{requests} requests a run");
    let all: Vec<f64> = seen.server.runs.concat();
    let mut sorted = all.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    // Every 250th request waits for the garbage to be cleared away: many times the lookups of a quiet one.
    let slow = all
        .iter()
        .enumerate()
        .filter(|(_, latency)| **latency > 4.0 * sorted[all.len() / 2])
        .map(|(place, _)| place);
    let slow: Vec<usize> = slow.collect();
    let each_after = |first: usize| (first..all.len()).step_by(250).all(|place| slow.contains(&place));
    assert!((0..250).any(each_after), "not every 250th is slow, only {slow:?}");
    assert_eq!(told[0], "a small server: run 1 of 6");
    postgres_was_asked_where_it_is(&seen);
}

fn postgres_was_asked_where_it_is(seen: &Measurements) {
    match &seen.postgres {
        Err(NoPostgres::Missing) => println!("PostgreSQL was not asked: it is not on this machine"),
        Err(NoPostgres::Failed(why)) => panic!("PostgreSQL is here, but: {why}"),
        Ok(Postgres { version, service: asked, .. }) => {
            assert!(version.starts_with(|first: char| first.is_ascii_digit()), "{version}");
            assert_eq!(asked.runs.len(), 6);
            // A slow disk makes the runs shorter, and all runs are as long as the plan says.
            assert!((50..=300).contains(&asked.plan.requests), "{:?}", asked.plan);
            assert!(asked.runs.iter().all(|run| run.len() == asked.plan.requests));
            // Nothing that waits for a socket twice and changes a row takes less.
            assert!(asked.runs.concat().iter().all(|latency| *latency > 1000.0));
        }
    }
    let judged = if seen.postgres.is_ok() { 6 } else { 4 };
    assert_eq!(seen.document().claims().count(), judged);
}
