//! Which number of a turn goes to which metric?

use evenhand_measure::worker::Prepared;
use evenhand_measure::worker::metrics::{Layout, Turned};
use evenhand_protocol::message;
use evenhand_trial::ArmId;

fn prepared(amounts: &[(&str, f64)], own: &[&str]) -> Prepared {
    let metric =
        |name: &&str| message::Metric { name: (*name).to_owned(), unit: String::new(), more_is_better: true };
    Prepared {
        once: 1.0,
        threads: 1,
        amounts: amounts.iter().map(|(what, amount)| ((*what).to_owned(), *amount)).collect(),
        metrics: own.iter().map(metric).collect(),
    }
}

/// What an arm gives, by the name of the metric; `None` is NaN.
fn numbers(layout: &Layout, arm: u32, turned: Turned<'_>) -> Vec<(String, Option<f64>)> {
    let names = layout.metrics().iter().map(|metric| metric.name.clone());
    let known = |number: f64| Some(number).filter(|number| !number.is_nan());
    names.zip(layout.values(ArmId(arm), turned).map(known)).collect()
}

#[test]
fn each_number_goes_to_the_metric_that_it_is_of() {
    let both =
        [prepared(&[("bytes", 8.0), ("items", 2.0)], &["kept", "lost"]), prepared(&[], &["lost", "wall"])];
    let layout = Layout::new(both.iter());
    let turned = Turned { iterations: 10, time: 100.0, wall: 200.0, values: &[5.0, 6.0] };
    let of = |names: [(&str, Option<f64>); 6]| names.map(|(name, number)| (name.to_owned(), number));
    assert_eq!(
        numbers(&layout, 0, turned),
        of([
            ("time", Some(100.0)),
            ("wall", Some(200.0)),
            ("bytes a second", Some(80.0 / (100.0 * 1e-9))),
            ("items a second", Some(20.0 / (100.0 * 1e-9))),
            ("kept", Some(5.0)),
            ("lost", Some(6.0)),
        ])
    );
    assert_eq!(
        numbers(&layout, 1, turned),
        of([
            ("time", Some(100.0)),
            ("wall", Some(200.0)),
            ("bytes a second", None),
            ("items a second", None),
            ("kept", None),
            ("lost", Some(5.0)),
        ])
    );
}

#[test]
fn a_rate_is_of_the_wall_time_where_the_time_is_not_known_and_is_missing_where_there_is_none() {
    let layout = Layout::new([prepared(&[("bytes", 8.0)], &[])].iter());
    let rate = |time, wall| {
        let turned = Turned { iterations: 1, time, wall, values: &[] };
        numbers(&layout, 0, turned).pop().and_then(|(_, number)| number)
    };
    assert_eq!(rate(f64::NAN, 4.0), Some(8.0 / (4.0 * 1e-9)));
    assert_eq!(rate(f64::NAN, 0.0), None);
}
