//! The shift curve, its band, and where its tail tells another story.

use evenhand_stats::Rule;
use evenhand_stats::percentile::{
    Bounds, Direction, PercentileSettings, Ranked, ShiftCurve, ShiftPoint, SureRange, WHOLE_PERCENTS,
    shift_curve, shift_curve_at, sure_ranges, tail_ranges,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn curve_of(baseline: &[f64], candidate: &[f64]) -> ShiftCurve {
    let (below, above) = (sorted(baseline), sorted(candidate));
    let settings = PercentileSettings { draws: 1_000, ..PercentileSettings::default() };
    shift_curve(&Ranked::new(baseline, &below).unwrap(), &Ranked::new(candidate, &above).unwrap(), &settings)
        .unwrap()
}

fn uniform(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The three methods of BenchmarkDotNet's article, in milliseconds, with a little overshoot of the timer.
fn seed_methods(n: usize) -> [Vec<f64>; 3] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let constant = (0..n).map(|_| 20.0 + 0.5 * uniform(&mut rng)).collect();
    let random =
        (0..n).map(|_| 10.0 + (20.0 * uniform(&mut rng)).trunc() + 0.5 * uniform(&mut rng)).collect();
    let rare = (0..n)
        .map(|_| if uniform(&mut rng) > 0.85 { 40.0 } else { 10.0 } + 0.5 * uniform(&mut rng))
        .collect();
    [constant, random, rare]
}

/// A curve with these directions at P10, P20, ...: 'f', 's', '?' (unsure) or '-' (open band).
fn drawn(directions: &str, at: &[f64]) -> ShiftCurve {
    let band = |direction| match direction {
        'f' => Bounds { low: Some(0.8), high: Some(0.9) },
        's' => Bounds { low: Some(1.1), high: Some(1.2) },
        '?' => Bounds { low: Some(0.9), high: Some(1.1) },
        _ => Bounds::UNBOUNDED,
    };
    let point = |(direction, percentile): (char, &f64)| ShiftPoint {
        percentile: *percentile,
        ratio: 1.0,
        band: band(direction),
    };
    ShiftCurve { points: directions.chars().zip(at).map(point).collect(), confidence: 0.95 }
}

const TENS: [f64; 9] = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0];

/// The ranges of the tail, such as "f10-60 s80-90".
fn tail(directions: &str) -> String {
    let told = |range: &SureRange| {
        let direction = if range.direction == Direction::Faster { 'f' } else { 's' };
        format!("{direction}{}-{}", range.from, range.to)
    };
    let ranges: Vec<String> = tail_ranges(&drawn(directions, &TENS), 0.0).iter().map(told).collect();
    ranges.join(" ")
}

#[test]
fn rare_delays_are_faster_in_the_middle_and_slower_in_the_tail() {
    let [constant, _, rare] = seed_methods(2_000);
    let curve = curve_of(&constant, &rare);
    let ranges = sure_ranges(&curve, 0.01);
    assert_eq!(ranges.len(), 2);
    assert_eq!((ranges[0].direction, ranges[0].from), (Direction::Faster, 1.0));
    assert!((80.0..=84.0).contains(&ranges[0].to), "the jump is at P85: {ranges:?}");
    assert_eq!(ranges[1].direction, Direction::Slower);
    assert!((85.0..=89.0).contains(&ranges[1].from), "{ranges:?}");
    assert_eq!(tail_ranges(&curve, 0.01), ranges);
    let mirrored = tail_ranges(&curve_of(&rare, &constant), 0.01);
    let directions: Vec<Direction> = mirrored.iter().map(|range| range.direction).collect();
    assert_eq!(directions, [Direction::Slower, Direction::Faster]);
    assert!(mirrored[0].holds_median() && mirrored[1].from == ranges[1].from, "{mirrored:?}");
}

#[test]
fn random_delays_cross_in_the_middle() {
    let [constant, random, _] = seed_methods(2_000);
    let tail = tail_ranges(&curve_of(&constant, &random), 0.01);
    assert_eq!((tail[0].direction, tail[0].from), (Direction::Faster, 1.0));
    assert!((40.0..50.0).contains(&tail[0].to), "{tail:?}");
    assert_eq!(tail[1].direction, Direction::Slower);
    assert!((50.0..60.0).contains(&tail[1].from), "{tail:?}");
}

#[test]
fn the_seeds_own_sample_size_sees_the_middle() {
    // 80 samples per method: the tail of 12 slow rounds is on the edge, the middle is not.
    let [constant, _, rare] = seed_methods(80);
    let ranges = sure_ranges(&curve_of(&constant, &rare), 0.01);
    let faster_in_the_middle =
        ranges[0].direction == Direction::Faster && (ranges[0].from..=ranges[0].to).contains(&50.0);
    assert!(faster_in_the_middle, "{ranges:?}");
}

#[test]
fn an_equal_shift_has_no_tail_story() {
    let [_, random, rare] = seed_methods(1_000);
    let slower: Vec<f64> = random.iter().map(|time| 1.1 * time).collect();
    let curve = curve_of(&random, &slower);
    let whole = SureRange { direction: Direction::Slower, from: 1.0, to: 99.0 };
    let sure = sure_ranges(&curve, 0.05);
    assert!(sure.first().is_some_and(|range| *range == whole || range.from <= 3.0), "{sure:?}");
    assert_eq!(tail_ranges(&curve, 0.05), []);
    assert_eq!(sure_ranges(&curve_of(&rare, &rare), 0.0), vec![]);
}

#[test]
fn two_runs_of_the_same_seldom_differ_anywhere() {
    // The band is simultaneous: of 100 pairs of equal arms about 5 may be called different somewhere.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut arm = || -> Vec<f64> { (0..300).map(|_| 1.0 - (1.0 - uniform(&mut rng)).ln()).collect() };
    let settings = PercentileSettings { draws: 500, ..PercentileSettings::default() };
    let percents: Vec<f64> = (1..20).map(|i| 5.0 * f64::from(i)).collect();
    let mut called = 0;
    for _ in 0..100 {
        let (first, second) = (arm(), arm());
        let (below, above) = (sorted(&first), sorted(&second));
        let arms = (Ranked::new(&first, &below).unwrap(), Ranked::new(&second, &above).unwrap());
        let curve = shift_curve_at(&arms.0, &arms.1, &percents, &settings).unwrap();
        called += usize::from(!sure_ranges(&curve, 0.0).is_empty());
    }
    assert!((1..=12).contains(&called), "{called} of 100");
}

#[test]
fn the_curve_has_every_percent_in_order() {
    let [constant, random, _] = seed_methods(100);
    let curve = curve_of(&constant, &random);
    assert_eq!(curve.points.iter().map(|point| point.percentile).collect::<Vec<_>>(), WHOLE_PERCENTS);
    assert_eq!((WHOLE_PERCENTS[0], WHOLE_PERCENTS[98], curve.confidence), (1.0, 99.0, 0.95));
    let arms = (sorted(&constant), sorted(&random));
    let arms = (Ranked::new(&constant, &arms.0).unwrap(), Ranked::new(&random, &arms.1).unwrap());
    let chosen =
        shift_curve_at(&arms.0, &arms.1, &[90.0, 0.0, 50.0, 100.0], &PercentileSettings::default()).unwrap();
    assert_eq!(
        chosen.points.iter().map(|point| point.percentile).collect::<Vec<_>>(),
        [0.0, 50.0, 90.0, 100.0]
    );
    assert_eq!((chosen.points[0].band, chosen.points[3].band), (Bounds::UNBOUNDED, Bounds::UNBOUNDED));
    let few = sorted(&constant[..15]);
    let few = Ranked::new(&few, &few).unwrap();
    let refused = shift_curve(&few, &few, &PercentileSettings::default()).unwrap_err();
    assert_eq!(refused.rule, Rule::AtLeast { needed: 16, got: 15 });
}

#[test]
fn ranges_are_runs_of_one_direction() {
    let range = |direction, from, to| SureRange { direction, from, to };
    let (faster, slower) = (Direction::Faster, Direction::Slower);
    assert_eq!(
        sure_ranges(&drawn("ff?fs-ss?", &TENS), 0.0),
        [
            range(faster, 10.0, 20.0),
            range(faster, 40.0, 40.0),
            range(slower, 50.0, 50.0),
            range(slower, 70.0, 80.0)
        ]
    );
    assert_eq!(sure_ranges(&drawn("?????????", &TENS), 0.0), []);
}

#[test]
fn the_margin_must_be_passed_and_not_only_reached() {
    let at = |low, high| ShiftCurve {
        points: vec![ShiftPoint { percentile: 50.0, ratio: 1.0, band: Bounds { low, high } }],
        confidence: 0.95,
    };
    assert!(sure_ranges(&at(Some(1.0), Some(1.5)), 0.0).is_empty());
    assert_eq!(sure_ranges(&at(Some(1.000_001), None), 0.0).len(), 1);
    assert!(sure_ranges(&at(Some(1.25), Some(1.5)), 0.25).is_empty());
    assert_eq!(sure_ranges(&at(Some(1.26), Some(1.5)), 0.25)[0].direction, Direction::Slower);
    assert!(sure_ranges(&at(Some(0.5), Some(0.8)), 0.25).is_empty());
    assert_eq!(sure_ranges(&at(None, Some(0.79)), 0.25)[0].direction, Direction::Faster);
}

#[test]
fn a_tail_is_told_where_it_goes_another_way_than_the_middle() {
    assert_eq!(tail("ffffff?ss"), "f10-60 s80-90");
    assert_eq!(tail("fff???sss"), "f10-30 s70-90");
    assert_eq!(tail("???????ss"), "s80-90");
    assert_eq!(tail("???????s?"), "s80-80");
    assert_eq!(tail("ffffff?s-"), "f10-60 s80-80");
    assert_eq!(tail("ffff?sfss"), "f10-40 s60-60 f70-70 s80-90");
    assert_eq!(tail("sssssssss"), "", "all of it agrees with P50");
    assert_eq!(tail("????ss???"), "", "and so does this");
    assert_eq!(tail("fffff????"), "", "a range that ends at P50 holds it");
    assert_eq!(tail("?????????"), "");
    // Unsure percentiles between two of one direction do not part them.
    assert_eq!(tail("fffff?s?s"), "f10-50 s70-90");
    assert_eq!(tail(""), "");
}
