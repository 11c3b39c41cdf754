//! Is the luck of inputs the same everywhere, and is it luck?

use evenhand::Rng;

#[test]
fn the_numbers_are_those_of_splitmix64() {
    // The first outputs for the seed 1234567 of the authors' program, <https://prng.di.unimi.it/splitmix64.c>.
    let mut rng = Rng::new(1_234_567);
    let numbers: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
    let expected = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(numbers, expected);
}

#[test]
fn ranges_are_kept_and_filled() {
    let mut rng = Rng::new(1);
    let mut seen = [0; 10];
    (0..10_000).for_each(|_| seen[rng.in_range(0..10)] += 1);
    assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
    assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
    assert_eq!((rng.in_range(5..5), rng.below(0), rng.below(1)), (5, 0, 0));
}

#[test]
fn bytes_of_any_length_are_filled_and_orders_are_permutations() {
    let mut rng = Rng::new(3);
    for length in [0, 1, 7, 8, 9, 100] {
        let mut bytes = vec![0; length];
        rng.fill(&mut bytes);
        assert!(length < 7 || bytes.iter().filter(|byte| **byte == 0).count() < length / 2, "{bytes:?}");
    }
    let mut places = [0; 4];
    for _ in 0..4000 {
        let mut order = [0, 1, 2, 3];
        rng.shuffle(&mut order);
        places[order.iter().position(|item| *item == 0).map_or(0, |place| place)] += 1;
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
    }
    assert!(places.iter().all(|count| (850..1150).contains(count)), "{places:?}");
}
