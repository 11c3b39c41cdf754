//! Are the columns those of the article, and is a claim judged by what was seen?

use evenhand_experiments::Size;
use evenhand_experiments::paired::{Blocks, Extent, Measurements, Rounds, measure};
use evenhand_report::Layout;
use std::fs;
use std::path::Path;

const PLAN: Extent = Extent { rounds: 400, block: 100, blocks: 2, hogs: 2 };

/// Rounds with moods that both arms share; the candidate takes this factor, with luck of its own.
fn rounds(factor: f64, luck: f64) -> Rounds {
    let mood = |round: u32| 1000.0 * (1.0 + 0.2 * f64::from(round * 37 % 101) / 101.0);
    let lucky = |round: u32, apart: u32| 1.0 + luck * (f64::from(round * apart % 97) / 97.0 - 0.5);
    Rounds {
        baseline: (0..400).map(|round| mood(round) * lucky(round, 31)).collect(),
        candidate: (0..400).map(|round| mood(round) * factor * lucky(round, 59)).collect(),
    }
}

fn seen(factors: [f64; 6], luck: f64, blocks: [f64; 2]) -> Measurements {
    let all = || factors.iter().map(|factor| rounds(*factor, luck)).collect();
    let block = |factor: f64| [vec![1000.0; 2000], vec![1000.0 * factor; 2000]];
    Measurements { plan: PLAN, quiet: all(), loaded: all(), blocks: Blocks(blocks.map(block).to_vec()) }
}

#[test]
fn what_is_told_of_made_up_times() {
    let shown =
        seen([1.0, 1.0, 1.0, 0.985, 1.02, 5.0], 0.02, [0.985, 1.01]).document().shown(Layout::new(Some(120)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/paired.txt");
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &shown).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), shown);
}

#[test]
fn claims_are_held_or_not_by_what_was_seen() {
    let held = |seen: Measurements| seen.document().claims().map(|claim| claim.held).collect::<Vec<_>>();
    assert_eq!(held(seen([1.0, 1.0, 1.0, 0.985, 1.02, 5.0], 0.02, [0.98, 1.01])), [Some(true); 5]);
    // A function that differs from itself, a loss that is not found, blocks that agree.
    let unlike = held(seen([1.0, 1.1, 1.0, 1.0, 1.02, 5.0], 0.02, [1.0, 1.0]));
    assert_eq!(unlike, [Some(false), Some(false), Some(true), Some(true), Some(false)]);
    // A change that comes and goes: blocks in which nothing varies know more of it.
    let mut moody = seen([1.0; 6], 0.0, [1.0, 1.0]);
    moody.quiet[3].candidate.iter_mut().take(200).for_each(|time| *time *= 1.05);
    moody.quiet[3].candidate.iter_mut().skip(200).for_each(|time| *time *= 0.95);
    assert_eq!(held(moody)[3], Some(false));
    let mut without_load = seen([1.0; 6], 0.02, [1.0, 1.0]);
    without_load.loaded.clear();
    assert_eq!(without_load.document().claims().count(), 4);
    // Blocks too short for an estimate leave that claim out.
    let mut short = seen([1.0; 6], 0.02, [1.0, 1.0]);
    short.blocks.0.iter_mut().flatten().for_each(|times| times.truncate(999));
    assert_eq!(short.document().claims().count(), 4);
}

#[test]
fn a_tiny_one_is_measured_here_and_now() {
    let seen = measure(Extent::of(Size::Tiny), &mut |_| ());
    assert_eq!((seen.quiet.len(), seen.loaded.len(), seen.blocks.0.len()), (6, 0, 4));
    assert!(seen.quiet.iter().all(|rounds| rounds.baseline.len() == 200 && rounds.candidate.len() == 200));
    // Counting one by one takes many times as long as counting many at once, on any machine.
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least(&seen.quiet[5].candidate) > 2.0 * least(&seen.quiet[5].baseline));
    assert!(seen.document().shown(Layout::new(None)).contains("std / std_count"));
}
