//! Every warning appears when it should, and none does when it should not.

use super::planted::{Draws, add, by_default, imported, pair, trial};
use super::read::Warning;
use evenhand_trial::environment::Clock;
use evenhand_trial::{ArmId, Metric, MetricId, Origin, Reported, State, Trial, Unit, Whole};

/// One arm of quiet samples, measured.
fn quiet() -> Trial {
    let mut trial = trial(&["arm"]);
    let times = Draws::new(60).times(300, 1e6, 0.01);
    add(&mut trial, 0, 0, &times);
    trial
}

fn codes(trial: &Trial) -> Vec<String> {
    by_default(trial).warnings.into_iter().map(|one| one.code).collect()
}

fn the(trial: &Trial, code: &str) -> Warning {
    let mut warnings = by_default(trial).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].code, code);
    warnings.remove(0)
}

#[test]
fn a_quiet_trial_has_none() {
    assert!(codes(&quiet()).is_empty(), "{:?}", codes(&quiet()));
    assert!(codes(&pair(300, 0.05, 0.01, 61)).is_empty());
    let mut environment = quiet();
    environment.environment.steal_share = Some(0.01);
    environment.environment.load_average = Some([8.0, 9.0, 9.0]);
    environment.environment.cpu.logical = Some(8);
    environment.environment.cpu.governor = Some("performance".to_owned());
    environment.environment.clock =
        Some(Clock { source: "tsc".to_owned(), cost_ns: 20.0, resolution_ns: 9000.0 });
    assert!(codes(&environment).is_empty(), "all of them just within");
}

#[test]
fn the_machine() {
    let mut trial = quiet();
    trial.state = State::Interrupted;
    assert_eq!(the(&trial, "interrupted").arm, None);
    let mut trial = quiet();
    trial.environment.steal_share = Some(0.034);
    assert_eq!(the(&trial, "steal").message, "the hypervisor gave 3.40 % of CPU time to others");
    let mut trial = quiet();
    trial.environment.load_average = Some([8.5, 1.0, 1.0]);
    trial.environment.cpu.logical = Some(8);
    assert_eq!(the(&trial, "busy").message, "the machine was busy: load 8.5 on 8 CPUs");
    assert_eq!(the(&trial, "busy").advice.as_deref(), Some("these are the times of a busy machine"));
    let mut two = pair(300, 0.05, 0.01, 61);
    two.environment = trial.environment.clone();
    assert!(the(&two, "busy").advice.unwrap().starts_with("the comparison is still valid"));
    let mut trial = quiet();
    trial.environment.cpu.governor = Some("powersave".to_owned());
    assert_eq!(the(&trial, "governor").advice.as_deref(), Some("sudo cpupower frequency-set -g performance"));
}

#[test]
fn the_clock() {
    let mut trial = quiet();
    trial.environment.clock =
        Some(Clock { source: "tsc".to_owned(), cost_ns: 20.0, resolution_ns: 20_000.0 });
    assert!(the(&trial, "clock").message.ends_with("is close to the clock's step of 20000 ns"));
    trial.series[0].iterations = Whole::Same { same: 4 };
    trial.metrics[0].per = evenhand_trial::Per::Iteration;
    assert_eq!(codes(&trial), ["batched"], "four iterations are long enough for the clock");
    trial.metrics[0] = Metric::time("bytes", Unit::bytes());
    trial.series[0].iterations = Whole::Same { same: 1 };
    assert!(codes(&trial).is_empty(), "bytes have no clock");
}

#[test]
fn work_that_was_optimised_away() {
    let mut trial = quiet();
    trial.series[0].iterations = Whole::Same { same: 4000 };
    assert!(!codes(&trial).contains(&"no-work".to_owned()));
    trial.series[0].values[0].iter_mut().for_each(|value| *value *= 1e-4);
    assert_eq!(codes(&trial), ["no-work", "batched"]);
    trial.series[0].iterations = Whole::Same { same: 1 };
    assert!(!codes(&trial).contains(&"no-work".to_owned()), "one run may be too short for the clock");
}

#[test]
fn a_command_too_short_to_time() {
    let mut trial = quiet();
    trial.arms[0].command = vec!["true".to_owned()];
    // Samples of one millisecond, half of them a little less.
    trial.series[0].values[0].iter_mut().for_each(|value| *value *= 1.1);
    assert!(codes(&trial).is_empty());
    trial.series[0].values[0].iter_mut().for_each(|value| *value *= 0.5);
    let warning = the(&trial, "too-short");
    assert!(warning.message.starts_with("a run takes 5"), "{}", warning.message);
    assert!(warning.message.ends_with("most of it process start"));
    assert!(warning.advice.unwrap().starts_with("benchmark a function inside the program"));
    // No command, another metric, another tool: nothing was started, or its tool knows.
    let mut function = trial.clone();
    function.arms[0].command.clear();
    assert!(codes(&function).is_empty());
    let mut other = trial.clone();
    other.metrics[0].name = "user".to_owned();
    assert!(codes(&other).is_empty());
    trial.origin = Origin::Imported { format: "columns".to_owned(), tool: None, file: "a.csv".to_owned() };
    assert!(codes(&trial).is_empty());
}

#[test]
fn a_slow_start() {
    let mut trial = quiet();
    trial.series[0].values[0][0] *= 1.6;
    assert!(the(&trial, "slow-start").message.starts_with("the first run was slow: 1."));
    assert!(the(&trial, "slow-start").advice.unwrap().starts_with("do one-time work"), "it is a function");
    trial.arms[0].command = vec!["arm".to_owned()];
    let warnings = by_default(&trial).warnings;
    let of_a_command = warnings.iter().find(|one| one.code == "slow-start").unwrap();
    assert_eq!(of_a_command.advice.as_deref(), Some("--warmup 1 adds a warm-up run"));
    // The first sample is that of the first launch, wherever it is stored.
    let mut later = quiet();
    later.series[0].values[0][0] *= 1.6;
    later.series[0].launch = evenhand_trial::LaunchId(1);
    add(&mut later, 0, 0, &[1e6]);
    assert!(codes(&later).is_empty());
    let mut missing = quiet();
    missing.series[0].values[0][0] = f64::NAN;
    missing.series[0].values[0][1] *= 1.6;
    the(&missing, "slow-start");
    for least in [0.0, -5.0] {
        let mut around_zero = quiet();
        around_zero.series[0].values[0][0] *= 1.6;
        around_zero.series[0].values[0][7] = least;
        assert!(!codes(&around_zero).contains(&"slow-start".to_owned()), "{least} times slower than what?");
    }
    let mut both = pair(300, 0.05, 0.01, 61);
    both.series.iter_mut().for_each(|series| series.values[0][0] *= 1.6);
    let told = the(&both, "slow-start").message;
    assert!(
        told.starts_with("the first runs of old and new were slow: 1.") && told.contains(" and 1."),
        "{told}"
    );
    trial.origin = Origin::Imported { format: "x".to_owned(), tool: None, file: "x".to_owned() };
    assert!(codes(&trial).is_empty(), "an import's first sample may be any");
    let mut rate = quiet();
    rate.series[0].values[0][0] *= 1.6;
    rate.metrics[0].unit = Unit::new("op/s");
    rate.metrics[0].better = evenhand_trial::Better::Higher;
    assert!(codes(&rate).is_empty(), "a high rate is no slow start");
}

#[test]
fn modes_movements_and_memory() {
    let mut draws = Draws::new(62);
    let mut two = trial(&["arm"]);
    let values: Vec<f64> = (0..400)
        .map(|_| if draws.uniform() < 0.3 { 1.5e6 } else { 1e6 } * (0.005 * draws.normal()).exp())
        .collect();
    add(&mut two, 0, 0, &values);
    let modes = the(&two, "modes");
    assert!(modes.message.starts_with("2 clusters of times: 1.00"), "{}", modes.message);
    let mut step = trial(&["arm"]);
    add(&mut step, 0, 0, &[draws.times(150, 1e6, 0.01), draws.times(150, 1.02e6, 0.01)].concat());
    let moved = by_default(&step).warnings.into_iter().find(|one| one.code == "moved").unwrap();
    assert!(
        moved.message.starts_with("the time shifted: +") && moved.message.contains(" % from sample 1"),
        "{}",
        moved.message
    );
    let mut mood = 0.0;
    let slow: Vec<f64> = (0..2000)
        .map(|_| {
            mood = 0.7 * mood + draws.normal();
            1e6 * f64::exp(0.01 * mood)
        })
        .collect();
    let mut memory = trial(&["arm"]);
    add(&mut memory, 0, 0, &slow);
    let message = the(&memory, "autocorrelated").message;
    let beginning = "autocorrelated: 2000 samples carry the information of about ";
    assert!(message.starts_with(beginning), "{message}");
}

#[test]
fn levels_that_follow_one_another_are_told_as_steps() {
    let told = |levels: &[f64]| {
        let mut steps = trial(&["arm"]);
        let values: Vec<f64> = levels.iter().flat_map(|level| [*level; 15]).collect();
        add(&mut steps, 0, 0, &values);
        by_default(&steps).warnings.into_iter().find(|one| one.code == "moved").unwrap().message
    };
    let three = "the time shifted: +25.0 % from sample 16, +20.0 % from sample 31";
    assert_eq!(told(&[4e6, 5e6, 6e6]), three);
    let many = told(&[4e6, 5e6, 4e6, 5e6, 4e6, 5e6, 4e6]);
    assert!(many.ends_with(", -20.0 % from sample 61, and 2 more"), "{many}");
}

#[test]
fn no_sample_is_worth_nothing() {
    let mut rising = trial(&["arm"]);
    let values: Vec<f64> = (0..16).map(|i| 1e6 + 1e5 * f64::from(i)).collect();
    add(&mut rising, 0, 0, &values);
    let found = by_default(&rising);
    let worth = found.levels[0].mean_error.unwrap().effective_samples;
    assert!(worth < 0.5, "{worth}");
    let warning = found.warnings.iter().find(|one| one.code == "autocorrelated").unwrap();
    assert_eq!(
        warning.message,
        "autocorrelated: 16 samples carry the information of about 1 independent one"
    );
}

#[test]
fn figures_alone_are_told_once_an_arm() {
    let mut trial = imported(&[], &[]);
    trial.series.clear();
    trial.metrics.push(Metric::time("cpu", Unit::seconds()));
    for (arm, metric) in [(0, 0), (0, 1), (1, 1)] {
        let histogram = if arm == 1 { vec![(1.0, 2)] } else { vec![] };
        trial.reported.push(Reported {
            mean: Some(1.0),
            histogram,
            ..Reported::new(ArmId(arm), MetricId(metric))
        });
    }
    let warnings = by_default(&trial).warnings;
    let told: Vec<(&str, &str)> =
        warnings.iter().map(|one| (one.code.as_str(), one.arm.as_deref().unwrap())).collect();
    assert_eq!(told, [("no-samples", "old"), ("no-samples", "new")]);
    assert!(warnings[0].message.starts_with("only the tool's own figures"));
    assert!(warnings[1].message.starts_with("only a histogram"));
}

#[test]
fn a_mean_that_disagrees() {
    let mut trial = pair(300, -0.03, 0.003, 63);
    trial.series[1].values[0].iter_mut().step_by(10).skip(1).for_each(|value| *value *= 3.0);
    let warning = by_default(&trial).warnings.into_iter().find(|one| one.code == "mean-disagrees").unwrap();
    assert_eq!(warning.arm.as_deref(), Some("new"));
    assert!(warning.message.starts_with("the mean of wall changed the other way (+1"), "{}", warning.message);
}

#[test]
fn nothing_in_common() {
    let mut trial = imported(&[1.0, 2.0], &[]);
    trial.metrics.push(Metric::time("cpu", Unit::seconds()));
    trial.series.iter_mut().for_each(|series| series.values.push(Vec::new()));
    trial.series[1].values[1] = vec![1.0, 2.0];
    assert_eq!(the(&trial, "not-compared").arm.as_deref(), Some("new"));
    assert!(by_default(&trial).comparisons.is_empty());
}
