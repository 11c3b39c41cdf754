//! Are the tables those of the article, and is a claim judged by its figures?

use evenhand_experiments::Size;
use evenhand_experiments::percentiles::{Extent, Measurements, measure};
use evenhand_report::Layout;
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, RoundId, Sample, Schedule, Seed, Series, Trial, TrialId, Unit,
};
use std::fs;
use std::path::Path;

/// Four launches of these samples, each in milliseconds and of so many calls.
fn trial(iterations: u64, samples: [Vec<f64>; 3]) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(7)));
    trial.metrics = vec![Metric::time("time", Unit::nanoseconds())];
    trial.arms = ["ConstantDelays", "RandomDelays", "RareDelays"]
        .map(|name| Arm { name: name.to_owned(), ..Arm::default() })
        .to_vec();
    for launch in (0..4).map(LaunchId) {
        for (arm, samples) in (0..).map(ArmId).zip(&samples) {
            let mut series = Series::new(arm, launch, 1);
            for (round, milliseconds) in (0..).map(RoundId).zip(samples) {
                let luck = 1.0 + 1e-3 * f64::from((round.0 as u32 * 7 + launch.0 * 3 + arm.0) % 11);
                let values = &[milliseconds * 1e6 * iterations as f64 * luck];
                series.push(Sample { round, position: None, started: None, iterations, values });
            }
            trial.series.push(series);
        }
    }
    trial
}

fn seen(rare: f64) -> Measurements {
    let random = (0..20).map(|call| f64::from(10 + call * 7 % 20)).collect();
    let rarely =
        (0..20).map(|call| if call % 7 == 6 { rare } else { 10.0 }).chain([rare]).collect::<Vec<_>>();
    Measurements {
        plan: Extent::of(Size::Usual),
        calls: trial(1, [vec![20.0; 20], random, rarely[..20].to_vec()]),
        batches: trial(
            25,
            [vec![20.0; 5], vec![18.0, 19.0, 20.0, 19.5, 20.4], vec![14.0, 15.0, 13.0, 16.0, 18.0]],
        ),
    }
}

#[test]
fn what_is_told_of_made_up_times() {
    let shown = seen(40.0).document().shown(Layout::new(Some(120)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/percentiles.txt");
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |seen: Measurements| seen.document().claims().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(seen(40.0)), [Some(true); 3]);
    assert_eq!(held(seen(12.0)), [Some(true), Some(false), Some(true)], "no tail, no claim");
    let told = seen(40.0).document().claims().last().unwrap().result.clone();
    assert!(told.contains("of these samples warns about it"), "{told}");
    let mut single = seen(40.0);
    single.batches = single.calls.clone();
    let told = single.document().claims().last().unwrap().clone();
    assert!(told.held == Some(false) && told.result.contains("does not warn about it"), "{told:?}");
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let seen = measure(Extent::of(Size::Tiny), &mut |_| ());
    assert_eq!((seen.calls.sample_count(), seen.batches.sample_count()), (3 * 80, 3 * 8));
    seen.calls.check().unwrap();
    seen.batches.check().unwrap();
    // 1 ms, 0.5 to 1.45 ms, 0.5 ms: a sleep takes at least as long as it was asked to.
    let least = |arm: u32| {
        let of_arm = seen.calls.series.iter().filter(|series| series.arm.0 == arm);
        of_arm.flat_map(|series| &series.values[0]).copied().fold(f64::INFINITY, f64::min)
    };
    assert!(least(0) >= 1e6 && least(1) >= 0.5e6 && least(2) >= 0.5e6);
    assert_eq!(seen.document().claims().count(), 3);
}
