//! Do the charts of services show each slice where it was, and the typical slice with its interval?

use super::planted::{add, trial};
use evenhand_analysis::charts::{Charts, charts};
use evenhand_analysis::{Settings, Study};
use evenhand_trial::{Metric, Trial, Unit, Whole};

const SECOND: u64 = 1_000_000_000;

fn drawn(trial: &Trial) -> Charts {
    let study = Study::of(trial);
    charts(&study, &study.analyse(&Settings::default()).unwrap())
}

/// Two services with ten slices each, in turns, a second apart; the response at P50 and P99 in milliseconds.
fn services() -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.metrics = ["response_p99", "response_p50", "response_p99_order", "errors", "stall"]
        .map(|name| Metric::time(name, Unit::nanoseconds()))
        .to_vec();
    for arm in 0..2_u32 {
        let slices = |of: f64| (0..10).map(|slice| (of + f64::from(slice)) * 1e6).collect::<Vec<_>>();
        add(&mut trial, arm, 0, &slices(20.0 + 10.0 * f64::from(arm)));
        let series = &mut trial.series[arm as usize];
        series.values[1] = slices(2.0);
        series.values[2] = vec![7.0; 10];
        series.values[3] = vec![0.0; 10];
        series.values[3][4] = 0.25;
        series.values[4] = vec![f64::from(arm) * 5e8; 10];
        let start = |slice: u64| 3 * SECOND + (2 * slice + u64::from(arm)) * SECOND;
        series.started = Some(Whole::Each((0..10).map(start).collect()));
    }
    trial
}

#[test]
fn each_slice_has_its_moment_its_percentiles_its_errors_and_its_stall() {
    let charts = drawn(&services());
    let [old, new] = &charts.services[..] else { panic!("{:?}", charts.services) };
    let read = |column| charts.columns.read(column);
    assert_eq!((old.arm.as_str(), new.arm.as_str()), ("old", "new"));
    let seconds = |from: u32| (0..10).map(|slice| f64::from(2 * slice + from)).collect::<Vec<_>>();
    assert_eq!((read(&old.started), read(&new.started)), (seconds(0), seconds(1)));
    let percents: Vec<f64> = old.responses.iter().map(|response| response.percent).collect();
    assert_eq!(percents, [50.0, 99.0], "the lowest first, and none of one operation");
    assert_eq!(read(&new.responses[1].slices)[..3], [30e6, 31e6, 32e6]);
    assert_eq!(read(&old.errors)[3..6], [0.0, 0.25, 0.0]);
    assert_eq!((read(&old.stalls)[0], read(&new.stalls)[9]), (0.0, 5e8));
}

#[test]
fn a_typical_slice_is_the_median_with_an_interval_once_there_are_enough() {
    let charts = drawn(&services());
    let typical = charts.services[0].responses[1].typical;
    assert_eq!(typical.estimate, Some(24.5e6));
    // With ten slices the smallest and the largest enclose a median with 1 − 2·2⁻¹⁰.
    assert_eq!((typical.low, typical.high), (Some(20e6), Some(29e6)));
    let mut few = services();
    few.series.iter_mut().for_each(|series| {
        series.values.iter_mut().for_each(|column| column.truncate(5));
        let Some(Whole::Each(started)) = &mut series.started else { panic!() };
        started.truncate(5);
    });
    let typical = drawn(&few).services[0].responses[1].typical;
    assert_eq!((typical.estimate, typical.low, typical.high), (Some(22e6), None, None));
}

#[test]
fn nothing_is_drawn_of_commands_nor_of_slices_without_a_moment() {
    let mut commands = trial(&["old", "new"]);
    add(&mut commands, 0, 0, &[1.0, 2.0]);
    add(&mut commands, 1, 0, &[1.0, 2.0]);
    assert!(drawn(&commands).services.is_empty());
    let mut unknown = services();
    unknown.series[0].started = None;
    let services = drawn(&unknown).services;
    assert_eq!(services.iter().map(|service| service.arm.as_str()).collect::<Vec<_>>(), ["new"]);
}
