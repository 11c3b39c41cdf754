//! The coin: against the same rule in another language, for fairness, and for independence of everything that has a
//! coin of its own. Each test of fairness is shown to notice coins with a bias, so its threshold means something.

use evenhand_trial::{ArmId, LaunchId, RoundId, Schedule, Seed};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    seed: Seed,
    group: u32,
    launch: u32,
    round: String,
    arms: Vec<ArmId>,
    round_order: Vec<ArmId>,
    launch_order: Vec<ArmId>,
    payload: Seed,
}

#[test]
fn agrees_with_the_rule_in_another_language() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("fixtures/schedule.json")).unwrap();
    assert_eq!(cases.len(), 72);
    for case in cases {
        let (schedule, launch) = (Schedule::new(case.seed), LaunchId(case.launch));
        let round = RoundId(case.round.parse().unwrap());
        assert_eq!(schedule.round(case.group, &case.arms, launch, round), case.round_order);
        assert_eq!(schedule.launch(case.group, &case.arms, launch), case.launch_order);
        assert_eq!(schedule.payload(case.group, launch, round), case.payload);
    }
}

#[test]
fn no_arm_is_lost_or_doubled() {
    let schedule = Schedule::new(Seed(5));
    for count in 0..40 {
        let arms = arms(count);
        for round in 0..50 {
            for mut order in [
                schedule.round(1, &arms, LaunchId(2), RoundId(round)),
                schedule.launch(1, &arms, LaunchId(round as u32)),
            ] {
                order.sort();
                assert_eq!(order, arms);
            }
        }
    }
}

/// What a coin is asked for: the five numbers that it may depend on.
#[derive(Clone, Copy)]
struct Place {
    seed: u64,
    stream: Stream,
    group: u32,
    launch: u32,
    round: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Stream {
    Rounds,
    Launches,
}

type Coin<'a> = &'a dyn Fn(Place, &[ArmId]) -> Vec<ArmId>;

fn real(place: Place, arms: &[ArmId]) -> Vec<ArmId> {
    let schedule = Schedule::new(Seed(place.seed));
    match place.stream {
        Stream::Rounds => schedule.round(place.group, arms, LaunchId(place.launch), RoundId(place.round)),
        Stream::Launches => schedule.launch(place.group, arms, LaunchId(place.launch)),
    }
}

/// The n-th place of a test: rounds count up, with a new launch after each 1000.
fn place(n: u64) -> Place {
    Place { seed: 0xc0ffee, stream: Stream::Rounds, group: 0, launch: (n / 1000) as u32, round: n % 1000 }
}

/// The n-th start of a launch.
fn start(n: u64) -> Place {
    Place { seed: 0xc0ffee, stream: Stream::Launches, group: 0, launch: n as u32, round: 0 }
}

fn is_uniform(coin: Coin<'_>, count: usize, tosses: u64, place: fn(u64) -> Place) -> bool {
    let arms = arms(count);
    let mut seen = vec![0_u64; factorial(count)];
    (0..tosses).for_each(|n| seen[rank(&coin(place(n), &arms))] += 1);
    fits(&seen)
}

#[test]
fn all_orders_of_a_round_are_equally_frequent() {
    for (count, tosses) in [(2, 1_000_000), (3, 2_000_000), (4, 1_000_000)] {
        assert!(is_uniform(&real, count, tosses, place), "{count} arms");
    }
}

#[test]
fn all_orders_of_the_starts_of_a_launch_are_equally_frequent() {
    for count in [2, 3, 4] {
        assert!(is_uniform(&real, count, 500_000, start), "{count} arms");
    }
}

/// Shuffles with a given draw of the place to swap with; the last arm first.
fn shuffled_with(place: Place, arms: &[ArmId], draw: impl Fn(u64, u64) -> u64) -> Vec<ArmId> {
    let mut order = arms.to_vec();
    for last in (1..order.len()).rev() {
        let bits = Schedule::new(Seed(place.seed ^ last as u64))
            .payload(place.group, LaunchId(place.launch), RoundId(place.round))
            .0;
        order.swap(last, draw(bits, last as u64) as usize);
    }
    order
}

#[test]
fn a_biased_shuffle_would_be_noticed() {
    let fair = |place, arms: &[ArmId]| shuffled_with(place, arms, |bits, last| bits % (last + 1));
    assert!(is_uniform(&fair, 3, 2_000_000, place), "the fair coin that the biased ones are made from");
    // 256 is no multiple of 3: a share of 86/256 where 85.33/256 is fair.
    let byte = |place, arms: &[ArmId]| shuffled_with(place, arms, |bits, last| bits % 256 % (last + 1));
    assert!(!is_uniform(&byte, 3, 2_000_000, place), "a remainder of a byte");
    let never_stays = |place, arms: &[ArmId]| shuffled_with(place, arms, |bits, last| bits % last);
    assert!(!is_uniform(&never_stays, 3, 10_000, place), "no arm ever stays in its place");
    let any_place = |place, arms: &[ArmId]| {
        let count = arms.len() as u64;
        shuffled_with(place, arms, |bits, _| bits % count)
    };
    assert!(!is_uniform(&any_place, 3, 10_000, place), "swaps with any place");
    let one_in_a_hundred =
        |at: Place, arms: &[ArmId]| if at.round.is_multiple_of(100) { arms.to_vec() } else { real(at, arms) };
    assert!(!is_uniform(&one_in_a_hundred, 2, 1_000_000, place), "the first order comes 0.5 % too often");
}

/// Two places whose coins have nothing to do with each other.
type Neighbours = (&'static str, fn(Place) -> (Place, Place));

const NEIGHBOURS: [Neighbours; 12] = [
    ("the next round", |at| (at, Place { round: at.round + 1, ..at })),
    ("the round after the next", |at| (at, Place { round: at.round + 2, ..at })),
    ("the 64th round from it", |at| (at, Place { round: at.round + 64, ..at })),
    ("the next group", |at| (at, Place { group: at.group + 1, ..at })),
    ("the next launch", |at| (at, Place { launch: at.launch + 1, ..at })),
    ("the next seed", |at| (at, Place { seed: at.seed + 1, ..at })),
    ("small seeds that count up", |at| {
        let seed = at.round + 1000 * u64::from(at.launch);
        (Place { seed, launch: 0, round: 0, ..at }, Place { seed: seed + 1, launch: 0, round: 0, ..at })
    }),
    ("the seed and the round exchanged", |at| {
        (Place { seed: at.seed + 1, ..at }, Place { round: at.round + 1, ..at })
    }),
    ("the launch and the round exchanged", |at| {
        (Place { launch: at.launch + 1, ..at }, Place { round: at.round + 1, ..at })
    }),
    ("the group and the launch exchanged", |at| {
        (Place { group: at.group + 1, ..at }, Place { launch: at.launch + 1, ..at })
    }),
    ("the first round and the start of its launch", |at| {
        let launch = at.launch * 1000 + at.round as u32;
        let first = Place { launch, round: 0, ..at };
        (first, Place { stream: Stream::Launches, ..first })
    }),
    ("the start of the next launch", |at| {
        let launch = at.launch * 1000 + at.round as u32;
        let first = Place { stream: Stream::Launches, launch, round: 0, ..at };
        (first, Place { launch: launch + 1, ..first })
    }),
];

/// Whether the coins of neighbours hang together: by a 6 × 6 table of the orders of three arms.
fn hang_together(coin: Coin<'_>, neighbours: fn(Place) -> (Place, Place)) -> bool {
    let arms = arms(3);
    let mut seen = vec![0_u64; 36];
    for n in 0..100_000 {
        let (one, other) = neighbours(place(n));
        seen[6 * rank(&coin(one, &arms)) + rank(&coin(other, &arms))] += 1;
    }
    !fits(&seen)
}

#[test]
fn coins_of_rounds_groups_launches_and_seeds_are_independent() {
    for (name, neighbours) in NEIGHBOURS {
        assert!(!hang_together(&real, neighbours), "{name}");
    }
}

#[test]
fn coins_that_hang_together_would_be_noticed() {
    let noticed = |coin: Coin<'_>, name: &str| {
        let (_, neighbours) = NEIGHBOURS.iter().find(|(known, _)| *known == name).unwrap();
        assert!(hang_together(coin, *neighbours), "{name}");
    };
    let one_stream = |at: Place, arms: &[ArmId]| real(Place { stream: Stream::Rounds, ..at }, arms);
    noticed(&one_stream, "the first round and the start of its launch");
    let one_group = |at: Place, arms: &[ArmId]| real(Place { group: 0, ..at }, arms);
    noticed(&one_group, "the next group");
    let one_launch = |at: Place, arms: &[ArmId]| real(Place { launch: 0, ..at }, arms);
    noticed(&one_launch, "the next launch");
    noticed(&one_launch, "the start of the next launch");
    let one_seed = |at: Place, arms: &[ArmId]| real(Place { seed: 0, ..at }, arms);
    noticed(&one_seed, "the next seed");
    let added = |at: Place, arms: &[ArmId]| real(Place { seed: at.seed + at.round, round: 0, ..at }, arms);
    noticed(&added, "the seed and the round exchanged");
    let sum = |at: Place, arms: &[ArmId]| {
        real(
            Place { round: at.round + u64::from(at.launch) + u64::from(at.group), launch: 0, group: 0, ..at },
            arms,
        )
    };
    noticed(&sum, "the launch and the round exchanged");
    noticed(&sum, "the group and the launch exchanged");
    let in_pairs = |at: Place, arms: &[ArmId]| real(Place { round: at.round / 2, ..at }, arms);
    noticed(&in_pairs, "the next round");
    // An order that is turned back every second round: fair on average, yet known half of the time.
    let there_and_back = |at: Place, arms: &[ArmId]| {
        let mut order = real(Place { round: at.round / 2, ..at }, arms);
        if at.round % 2 == 1 {
            order.reverse();
        }
        order
    };
    noticed(&there_and_back, "the next round");
}

#[test]
fn the_payload_is_new_in_every_round_and_says_nothing_of_the_order() {
    let schedule = Schedule::new(Seed(7));
    let arms = arms(2);
    let mut payloads = std::collections::HashSet::new();
    let mut seen = vec![0_u64; 4];
    for round in 0..100_000 {
        let payload = schedule.payload(0, LaunchId(0), RoundId(round)).0;
        assert!(payloads.insert(payload), "round {round} has the payload of an earlier one");
        let order = schedule.round(0, &arms, LaunchId(0), RoundId(round));
        seen[2 * (payload >> 63) as usize + rank(&order)] += 1;
    }
    assert!(fits(&seen), "{seen:?}");
    let others =
        [(1, 0), (0, 1)].map(|(group, launch)| schedule.payload(group, LaunchId(launch), RoundId(0)).0);
    assert!(others.iter().all(|payload| !payloads.contains(payload)));
}

#[test]
fn a_seed_is_written_with_all_its_digits_and_read_from_few() {
    assert_eq!(Seed(0xaa).to_string(), "00000000000000aa");
    assert_eq!(serde_json::to_string(&Seed(u64::MAX)).unwrap(), "\"ffffffffffffffff\"");
    assert_eq!("aA".parse(), Ok(Seed(0xaa)));
    assert_eq!(serde_json::from_str::<Seed>("\"1\"").unwrap(), Seed(1));
    for wrong in ["", "+1", "-1", "0x1", "g", " 1", "00000000000000000", "é"] {
        let said = wrong.parse::<Seed>().unwrap_err().to_string();
        assert_eq!(said, format!("a seed is 1 to 16 hexadecimal digits, not \"{wrong}\""));
    }
    let said = serde_json::from_str::<Seed>("\"a\\u001b[31m\"").unwrap_err().to_string();
    assert!(said.contains(r#"not "a\u{1b}[31m""#), "{said}");
    assert!(serde_json::from_str::<Seed>("170").is_err(), "a number is no seed: other readers round it");
}

fn arms(count: usize) -> Vec<ArmId> {
    (0..count as u32).map(ArmId).collect()
}

fn factorial(n: usize) -> usize {
    (1..=n).product()
}

/// The place of an order among all orders of its arms.
fn rank(order: &[ArmId]) -> usize {
    let smaller_later = |i: usize| order[i + 1..].iter().filter(|arm| **arm < order[i]).count();
    (0..order.len()).map(|i| smaller_later(i) * factorial(order.len() - 1 - i)).sum()
}

/// Whether the counts go with equal shares: the chi-square test at 3 in a million (4.5 standard deviations, after
/// Wilson and Hilferty 1931).
fn fits(seen: &[u64]) -> bool {
    let expected = seen.iter().sum::<u64>() as f64 / seen.len() as f64;
    let chi_square: f64 = seen.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = (seen.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    chi_square < freedom * (1.0 - spread + 4.5 * spread.sqrt()).powi(3)
}
