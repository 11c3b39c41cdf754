//! Is the set-up of a sample found from two numbers of iterations? With the figures of the article, and with samples made of known parts.

use evenhand_stats::level::set_up::{Smallest, set_up};

fn smallest(iterations: f64, each: f64) -> Smallest {
    Smallest { iterations, each }
}

#[test]
fn the_articles_array_has_a_set_up_of_134_microseconds() {
    // ReversedArray: 324 µs with one iteration, 257 with two; the measured median without set-up is 190.
    let found = set_up(smallest(1.0, 324.0), smallest(2.0, 257.0)).unwrap();
    assert_eq!((found.set_up, found.work), (134.0, 190.0));
    // Of 4 and 8 iterations, 223.5 and 206.75, the same parts.
    let found = set_up(smallest(4.0, 223.5), smallest(8.0, 206.75)).unwrap();
    assert_eq!((found.set_up, found.work), (134.0, 190.0));
}

#[test]
fn samples_of_known_parts_come_apart_again_in_either_order() {
    let sample = |iterations: f64| smallest(iterations, 3.0 + 40.0 / iterations);
    for (i, j) in [(1.0, 2.0), (2.0, 64.0), (16.0, 3.0)] {
        let found = set_up(sample(i), sample(j)).unwrap();
        assert!((found.set_up - 40.0).abs() < 1e-9 && (found.work - 3.0).abs() < 1e-9, "{i} {j}: {found:?}");
    }
}

#[test]
fn one_number_of_iterations_tells_nothing() {
    assert_eq!(set_up(smallest(4.0, 5.0), smallest(4.0, 5.0)), None);
    assert_eq!(set_up(smallest(4.0, 5.0), smallest(4.0, 6.0)), None);
    assert_eq!(set_up(smallest(0.0, 5.0), smallest(4.0, 6.0)), None);
}
