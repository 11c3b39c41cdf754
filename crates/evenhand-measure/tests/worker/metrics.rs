//! Which number of a turn goes to which metric?

use evenhand_measure::worker::Prepared;
use evenhand_measure::worker::metrics::Layout;
use evenhand_protocol::message::Metric;
use evenhand_trial::ArmId;

fn prepared(amounts: &[(&str, f64)], own: &[&str]) -> Prepared {
    let metric = |name: &&str| Metric { name: (*name).to_owned(), unit: String::new(), more_is_better: true };
    Prepared {
        once: 1.0,
        threads: 1,
        amounts: amounts.iter().map(|(what, amount)| ((*what).to_owned(), *amount)).collect(),
        metrics: own.iter().map(metric).collect(),
    }
}

/// `None` is NaN.
fn known(values: impl Iterator<Item = f64>) -> Vec<Option<f64>> {
    values.map(|number| Some(number).filter(|number| !number.is_nan())).collect()
}

#[test]
fn each_number_goes_to_the_metric_that_it_is_of() {
    let first = prepared(&[("bytes", 8.0), ("items", 2.0)], &["kept", "lost"]);
    let second = prepared(&[], &["lost", "wall"]);
    let layout = Layout::new([first, second].iter());
    let names: Vec<&str> = layout.metrics().iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["time", "wall", "bytes a second", "items a second", "kept", "lost"]);
    let values = |arm| known(layout.values(ArmId(arm), 10, 100.0, 200.0, &[5.0, 6.0]));
    let (bytes, items) = (Some(80.0 / (100.0 * 1e-9)), Some(20.0 / (100.0 * 1e-9)));
    assert_eq!(values(0), [Some(100.0), Some(200.0), bytes, items, Some(5.0), Some(6.0)]);
    assert_eq!(values(1), [Some(100.0), Some(200.0), None, None, None, Some(5.0)], "the wall is the clock's");
}

#[test]
fn a_rate_is_of_the_wall_time_where_the_time_is_not_known_and_is_missing_where_there_is_none() {
    let layout = Layout::new([prepared(&[("bytes", 8.0)], &[])].iter());
    let rate = |wall| known(layout.values(ArmId(0), 1, f64::NAN, wall, &[]))[2];
    assert_eq!(rate(4.0), Some(8.0 / (4.0 * 1e-9)));
    assert_eq!(rate(0.0), None);
}
