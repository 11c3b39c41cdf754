//! Are the definitions those of the article's stored tables, and is a claim judged by its figures?

use evenhand_experiments::Size;
use evenhand_experiments::sampling::{Extent, Load, Series, Summary, clean, document, measure, set_up};
use evenhand_report::Layout;
use std::fs;
use std::path::Path;
use std::time::Duration;

#[test]
fn quartiles_are_the_order_statistics_of_the_article() {
    let summary = Summary::of(&[8.0, 1.0, 7.0, 2.0, 6.0, 3.0, 5.0, 4.0]).unwrap();
    assert_eq!((summary.q1, summary.median, summary.q3), (3.0, 5.0, 7.0));
    assert_eq!((summary.n, summary.min, summary.max, summary.mean, summary.iqr()), (8, 1.0, 8.0, 4.5, 4.0));
    assert!((summary.sd - 6.0_f64.sqrt()).abs() < 1e-12);
    let odd = Summary::of(&[5.0, 1.0, 2.0, 3.0, 4.0, 6.0, 7.0]).unwrap();
    assert_eq!((odd.q1, odd.median, odd.q3), (2.0, 4.0, 5.0));
    assert_eq!(Summary::of(&[1.0]), None);
}

#[test]
fn an_outlier_is_strictly_above_the_fence_and_never_small() {
    // Q1 = 3, Q3 = 7: the fence is 13.
    let samples = [3.0, 3.0, 4.0, 5.0, 5.0, 6.0, 7.0, 13.0, 0.0, 13.1, 3.0, 7.0];
    let summary = Summary::of(&samples).unwrap();
    assert_eq!((summary.q1, summary.q3, summary.fence()), (3.0, 7.0, 13.0));
    let kept = clean(&samples);
    assert_eq!(kept.len(), 11);
    assert!(kept.contains(&13.0) && kept.contains(&0.0) && !kept.contains(&13.1));
}

#[test]
fn the_set_up_is_that_of_reversed_array() {
    // The article's minima follow 190 + 134/i.
    let series =
        |iterations: u64, least: f64| Series { iterations, samples: vec![least + 5.0, least, least + 1.0] };
    let found = |all: [Series; 2]| set_up(&all).map(|parts| (parts.set_up, parts.work));
    assert_eq!(found([series(1, 324.0), series(2, 257.0)]), Some((134.0, 190.0)));
    assert_eq!(found([series(2, 257.0), series(4, 223.5)]), Some((134.0, 190.0)));
    assert_eq!(set_up(&[series(1, 324.0)]), None);
    assert_eq!(set_up(&[series(1, 324.0), series(1, 320.0)]), None);
}

/// Work of 190 µs with a set-up of 134 µs; one sample in twelve is disturbed by so much.
fn load(beside: usize, slower: f64, disturbed: f64) -> Load {
    let series = |iterations: u64| {
        let base = slower * (190.0 + 134.0 / iterations as f64);
        let luck = |sample: u32| 1.0 + 2e-4 * f64::from(sample * 7 % 11) * iterations as f64;
        let hit = |sample: u32| if sample % 12 == 5 { disturbed } else { 0.0 };
        Series { iterations, samples: (0..48).map(|sample| base * luck(sample) + hit(sample)).collect() }
    };
    Load { beside, series: [1, 2, 4, 8].map(series).to_vec() }
}

fn plan() -> Extent {
    Extent { series: Duration::from_secs(1), iterations: vec![1, 2, 4, 8], loads: vec![0, 1, 3] }
}

#[test]
fn what_is_told_of_made_up_times() {
    let loads = [load(0, 1.0, 40.0), load(1, 1.01, 300.0), load(3, 1.02, 3000.0)];
    let shown = document(&plan(), &loads).shown(Layout::new(Some(120)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/sampling.txt");
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |loads: &[Load]| document(&plan(), loads).claims().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(&[load(0, 1.0, 40.0), load(3, 1.02, 3000.0)]), [Some(true); 3]);
    // Everything slower by the same: nothing is steadier than anything else; and outliers that make the mean steadier.
    let moved = held(&[load(0, 1.0, 3000.0), load(3, 1.5, 2800.0)]);
    assert_eq!(moved[..2], [Some(false), Some(false)]);
    assert!(held(&[load(0, 1.0, 40.0), load(0, 1.0, 40.0)]).is_empty(), "without a load nothing is claimed");
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let plan = Extent::of(Size::Tiny);
    let loads = measure(&plan, &mut |_| ());
    assert_eq!(loads.len(), 2);
    for load in &loads {
        let iterations: Vec<u64> = load.series.iter().map(|series| series.iterations).collect();
        assert_eq!(iterations, [1, 2, 4]);
        assert!(
            load.series
                .iter()
                .all(|series| series.samples.len() >= 2 && series.samples.iter().all(|time| *time > 0.0))
        );
    }
    assert!(document(&plan, &loads).shown(Layout::new(None)).contains("Published"));
}
