//! What several benchmarks say together.

use super::planted::{Draws, add, by_default, trial};
use evenhand_trial::{Arm, LaunchFacts, LaunchId, Trial};

/// Groups of two arms, whose second takes so much longer.
fn suite(effects: &[f64], seed: u64) -> Trial {
    let names: Vec<String> = (0..2 * effects.len()).map(|arm| format!("arm {arm}")).collect();
    let mut trial = trial(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut draws = Draws::new(seed);
    for (place, effect) in (0..).zip(effects) {
        for (arm, factor) in [(2 * place, 1.0), (2 * place + 1, 1.0 + effect)] {
            trial.arms[arm as usize].group = format!("group {place}");
            add(&mut trial, arm, 0, &draws.times(200, 1e6 * f64::from(place + 1) * factor, 0.01));
        }
    }
    trial
}

#[test]
fn the_geometric_mean_of_a_suite_is_told_with_its_interval() {
    let mut fixed = suite(&[0.10, 0.0, -0.05], 3);
    fixed.plan.rounds = Some(200);
    let analysis = by_default(&fixed);
    let found = analysis.suite.unwrap();
    let truth = (1.10_f64 * 0.95).powf(1.0 / 3.0) - 1.0;
    let (low, high) = (found.effect.low.unwrap(), found.effect.high.unwrap());
    assert!(low < truth && truth < high && high - low < 0.006, "{truth}: {found:?}");
    let widest = analysis.comparisons.iter().map(|one| one.effect.high.unwrap() - one.effect.low.unwrap());
    assert!(high - low < widest.fold(0.0, f64::max), "together they are surer than one alone");
    assert!(found.sentence.starts_with("geometric mean of 3 comparisons: +1."), "{}", found.sentence);
}

#[test]
fn the_other_way_round_it_is_the_reciprocal() {
    let forth = by_default(&suite(&[0.10, 0.30], 4)).suite.unwrap().effect;
    let mut turned = suite(&[0.10, 0.30], 4);
    turned.arms[1].baseline = true;
    turned.arms[3].baseline = true;
    let back = by_default(&turned).suite.unwrap().effect;
    let product = (1.0 + forth.estimate.unwrap()) * (1.0 + back.estimate.unwrap());
    assert!((product - 1.0).abs() < 1e-4, "{product}");
}

#[test]
fn where_each_benchmark_ended_on_its_own_evidence_only_rounds_that_were_sure_to_come_count() {
    let effects = [0.05; 20];
    let width = |trial: &Trial| {
        let effect = by_default(trial).suite.unwrap().effect;
        effect.high.unwrap() - effect.low.unwrap()
    };
    let mut fixed = suite(&effects, 8);
    let until_final = width(&fixed);
    fixed.plan.rounds = Some(200);
    // 10 rounds of 200: √20 times as wide, give or take; the intervals of the benchmarks themselves narrow it a little.
    assert!(until_final > 2.5 * width(&fixed), "{until_final} {}", width(&fixed));
}

#[test]
fn there_is_none_for_one_comparison_or_without_intervals() {
    assert_eq!(by_default(&suite(&[0.1], 5)).suite, None);
    let mut few = suite(&[0.1, 0.1], 6);
    few.series.iter_mut().for_each(|series| series.values[0].truncate(3));
    assert_eq!(by_default(&few).suite, None);
}

/// Launches that go round so many layouts, whose luck scatters by `luck` and that of a launch by `noise`.
fn laid_out(layouts: u32, launches: u32, luck: f64, noise: f64) -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.plan.layouts = Some(layouts);
    let mut draws = Draws::new(17);
    let lucks: Vec<f64> = (0..layouts).map(|_| luck * draws.normal()).collect();
    for launch in 0..launches {
        // In an order of its own, so that only the record knows.
        let layout = (launch * 7 + launch / layouts) % layouts;
        trial.launches.push(LaunchFacts { group: 0, id: LaunchId(launch), layout, cpu: None, began: 0 });
        let factor = (lucks[layout as usize] + noise * draws.normal()).exp();
        add(&mut trial, 0, launch, &draws.times(9, 1e6, 1e-4));
        add(&mut trial, 1, launch, &draws.times(9, 1e6 * factor, 1e-4));
    }
    trial
}

#[test]
fn the_luck_of_layouts_is_told_from_that_of_launches() {
    let luck = |trial: &Trial| by_default(trial).comparisons[0].layouts.unwrap();
    let found = luck(&laid_out(40, 400, 0.02, 0.01));
    assert!(found.layouts == 40 && (0.015..0.025).contains(&found.sd), "{found:?}");
    let none = luck(&laid_out(40, 400, 0.0, 0.01));
    assert!(none.sd < 0.004, "{none:?}");
    assert_eq!(
        by_default(&laid_out(8, 8, 0.02, 0.0)).comparisons[0].layouts,
        None,
        "one launch each tells nothing"
    );
    let mut usual = laid_out(8, 80, 0.02, 0.0);
    usual.launches.iter_mut().for_each(|launch| launch.layout = 0);
    assert_eq!(by_default(&usual).comparisons[0].layouts, None, "all had the same");
    let mut of_others = laid_out(8, 80, 0.02, 0.0);
    of_others.arms.push(Arm { name: "alone".to_owned(), group: "other".to_owned(), ..Arm::default() });
    of_others.launches.iter_mut().for_each(|launch| launch.group = 1);
    assert_eq!(by_default(&of_others).comparisons[0].layouts, None, "each group counts its launches from 0");
}
