//! The response of a service that does nothing, on this machine.
#![cfg(target_os = "linux")]

use evenhand_measure::doctor::load_floor::of_this_machine;
use std::time::Duration;

#[test]
fn a_service_that_does_nothing_answers_and_all_of_its_response_is_measured() {
    let floor = of_this_machine(Duration::from_secs(5), 3).unwrap();
    assert!((1000..1400).contains(&floor.requests), "1.2 s of 1,000 a second: {floor:?}");
    assert!(0 < floor.response_p50 && floor.late_p50 < floor.response_p50, "{floor:?}");
    let [response, late] = [floor.response_p99, floor.late_p99].map(Option::unwrap);
    assert!(floor.response_p50 <= response && floor.late_p50 <= late, "{floor:?}");
}

#[test]
fn a_short_time_has_no_tail() {
    let floor = of_this_machine(Duration::from_millis(100), 3).unwrap();
    assert!(floor.requests < 200 && floor.response_p99.is_none() && floor.late_p99.is_none(), "{floor:?}");
}
