//! Which processor is the quietest: from readings, ticks and visits that are made up, and once on this machine.

use evenhand_measure::files::ticks::{self, Ticks};
use evenhand_measure::noise::{
    MOST_CANDIDATES, Visit, all_quiet, best, candidates, in_turn, lost_ns, quietest, visits,
};
use evenhand_measure::platform::{affinity, pinned::pin};
use evenhand_trial::LaunchId;
use proptest::prelude::*;

/// Readings with these steps.
fn readings(steps: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut now = 1_000;
    let later = steps.into_iter().map(|step| {
        now += step;
        now
    });
    [1_000].into_iter().chain(later).collect()
}

#[test]
fn what_is_above_the_usual_step_is_lost() {
    assert_eq!(lost_ns(readings([30; 1000])), 0);
    let mut steps = [30; 1000];
    steps[500] = 4_000_030;
    assert_eq!(lost_ns(readings(steps)), 4_000_000);
    steps[999] = 2_030;
    assert_eq!(lost_ns(readings(steps)), 4_002_000, "a gap may be the last step");
    steps[0] = 3_000_030;
    assert_eq!(lost_ns(readings(steps)), 7_002_000, "and the first");
}

#[test]
fn a_cache_miss_is_no_gap_and_a_slow_clock_has_none() {
    let mut steps = [30; 1000];
    steps[500] = 900;
    assert_eq!(lost_ns(readings(steps)), 0);
    // Each reading takes 2 µs, some 9.
    let slow = (0..500).map(|place| if place % 7 == 0 { 9_000 } else { 2_000 });
    assert_eq!(lost_ns(readings(slow)), 0);
    // A coarse clock stands still and jumps by its tick.
    let coarse = (0..500).map(|place| if place % 50 == 49 { 900 } else { 0 });
    assert_eq!(lost_ns(readings(coarse)), 0);
}

#[test]
fn few_readings_lose_nothing_or_all_between_them() {
    assert_eq!(lost_ns([]), 0);
    assert_eq!(lost_ns([5]), 0);
    assert_eq!(lost_ns([5, 10]), 0);
    assert_eq!(lost_ns([10, 5]), 0, "a clock that goes back");
    assert_eq!(lost_ns([0, 8_000_000]), 7_990_000, "a thread that was never let in");
}

const STAT: &str = "\
cpu  0 0 0 0 0 0 0 0
cpu0 10 0 0 90 0 0 0 0
cpu1 50 0 0 50 0 0 0 0
cpu2 10 0 0 90 0 0 0 0
cpu3 80 0 0 10 10 0 0 0
";

#[test]
fn isolated_processors_and_idle_ones_are_tried_first() {
    assert_eq!(candidates(&[0, 1, 2, 3], &[], STAT), [2, 0, 1, 3]);
    assert_eq!(candidates(&[0, 1, 2, 3], &[3], STAT), [3, 2, 0, 1]);
    assert_eq!(candidates(&[0, 1], &[3], STAT), [0, 1], "only what is allowed");
    assert_eq!(candidates(&[0, 1, 2], &[], ""), [1, 2, 0]);
    let many: Vec<u32> = (0..100).collect();
    assert_eq!(candidates(&many, &[98, 99], "").len(), MOST_CANDIDATES);
    assert_eq!(candidates(&many, &[98, 99], "")[..3], [98, 99, 1]);
}

#[test]
fn ticks_of_the_kernel() {
    let text = "intr 5\ncpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3\ncpux 1 2 3 4 5 6 7 8\n";
    let all = Ticks { busy: 1 + 2 + 3 + 6 + 7, idle: 4 + 5, stolen: 8 };
    assert_eq!((ticks::of_all(text), ticks::of_each(text)), (Some(all), vec![(0, all)]));
    assert_eq!((all.total(), all.share(9)), (36, Some(0.25)));
    assert_eq!(Ticks::default().share(0), None);
    assert_eq!(Ticks::default().since(all), Ticks::default(), "a counter that went back");
    assert_eq!((ticks::of_all("cpu 1 2 3 4"), ticks::of_all("cpu0 1 2 3 4 5 6 7 8")), (None, None));
    let huge = format!("cpu  {0} {0} {0} {0} {0} {0} {0} {0}", u64::MAX);
    assert_eq!(ticks::of_all(&huge).map(Ticks::total), Some(u64::MAX));
}

fn visit(processor: u32, lost_us: u64) -> Visit {
    Visit { processor, lost_ns: 1000 * lost_us }
}

#[test]
fn the_least_loss_wins_and_ties_have_rules() {
    assert_eq!(best(&[visit(0, 100), visit(1, 4_000)], &[]), Some(0));
    assert_eq!(best(&[visit(0, 100), visit(1, 130)], &[]), Some(1), "a tie: 0 serves the devices");
    assert_eq!(best(&[visit(2, 110), visit(1, 100)], &[]), Some(2), "a tie: the first in order");
    assert_eq!(best(&[visit(1, 10), visit(3, 60), visit(0, 0)], &[3]), Some(3), "a tie: isolated");
    assert_eq!(
        best(&[visit(1, 10), visit(3, 6_000)], &[3]),
        Some(1),
        "isolated, but somebody is pinned there"
    );
    assert_eq!(best(&[], &[]), None);
}

#[test]
fn quiet_are_all_that_nobody_else_uses() {
    let visits = [visit(2, 100), visit(0, 700), visit(1, 3_000), visit(3, 901)];
    assert_eq!(all_quiet(&visits, &[]), [2, 0], "a tenth of a visit more is a lot");
    assert_eq!(all_quiet(&visits, &[0, 1]), [0], "isolated, and quiet");
    assert_eq!(all_quiet(&visits, &[1]), [2, 0], "isolated, but used");
    assert_eq!(all_quiet(&[visit(1, 6_000), visit(0, 5_500)], &[]), [1, 0], "used alike");
    assert_eq!(all_quiet(&[], &[]), [0; 0]);
}

#[test]
fn launches_go_round_the_quiet_processors() {
    assert_eq!(in_turn(&[], LaunchId(0)), None);
    let of = |launch| in_turn(&[3, 9], LaunchId(launch)).unwrap();
    assert_eq!((0..10).map(of).collect::<Vec<_>>(), [3, 3, 3, 3, 3, 9, 9, 9, 9, 9], "ten launches see both");
    assert_eq!((of(10), of(u32::MAX)), (3, 9));
    assert!((0..100).all(|launch| in_turn(&[5], LaunchId(launch)) == Some(5)));
}

#[test]
fn nobody_allowed_is_nobody() {
    assert_eq!(quietest(&[]), None);
    assert_eq!(quietest(&[u32::MAX]), None);
    assert!(visits(&[u32::MAX]).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn the_answer_is_allowed_and_the_thread_is_free_again() {
    let now = || affinity::allowed().unwrap_or_default();
    let allowed = now();
    assert!(!allowed.is_empty());
    assert!(quietest(&allowed).is_some_and(|number| allowed.contains(&number)));
    assert_eq!(quietest(&allowed[..1]), Some(allowed[0]));
    assert_eq!(now(), allowed);
    let pinned = pin(&allowed[..1]);
    assert_eq!(now(), allowed[..1]);
    drop(pinned);
    assert_eq!(now(), allowed);
    assert!(pin(&[]).is_none() && pin(&[u32::MAX]).is_none());
}

proptest! {
    #[test]
    fn no_more_is_lost_than_passes(steps in prop::collection::vec(0..10_000_000_u64, 0..400)) {
        let total: u64 = steps.iter().sum();
        prop_assert!(lost_ns(readings(steps)) <= total);
    }
}
