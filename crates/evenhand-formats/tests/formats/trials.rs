//! Trials for the tests: one with everything in it, and any trial that proptest can think of.

use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, MetricId, Origin, Per, Reason, Reported, RoundId, Sample,
    Schedule, Seed, Series, State, Trial, TrialId, Unit, Whole,
};
use proptest::prelude::*;

pub(crate) fn metric(name: &str, unit: &str, per: Per, better: Better) -> Metric {
    Metric { name: name.to_owned(), unit: Unit::new(unit), per, better }
}

pub(crate) fn arm(name: &str, group: &str) -> Arm {
    Arm { name: name.to_owned(), group: group.to_owned(), ..Arm::default() }
}

/// One metric, two arms of three samples: the least that a comparison has.
pub(crate) fn small() -> Trial {
    let origin = Origin::Measured { version: "0.1.0".to_owned() };
    let mut trial = Trial::new("9f1c6a03d2b87e55".parse().unwrap(), origin);
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.arms = vec![arm("old", ""), arm("new", "")];
    for (id, values) in [[8_123_456.0, 8_123_021.0, 8_200_000.5], [8_023_456.0, 8_023_021.0, 8_100_000.5]]
        .into_iter()
        .enumerate()
    {
        let mut series = Series::new(ArmId(id as u32), LaunchId(0), 1);
        series.values = vec![values.to_vec()];
        trial.series.push(series);
    }
    trial
}

/// Names that break careless writers, all kinds of units, two launches, holes, failures, reported figures.
pub(crate) fn full() -> Trial {
    let mut trial = small();
    trial.label = Some("before \"the\" change".to_owned());
    trial.started = Some("2026-11-21T08:00:00.25Z".parse().unwrap());
    trial.seconds = Some(12.5);
    trial.schedule = Some(Schedule::new(Seed(170)));
    trial.plan.rounds = Some(3);
    trial.environment.host = Some("bench-1".to_owned());
    trial.metrics = vec![
        Metric::time("wall", Unit::nanoseconds()),
        Metric::time("user", Unit::new("ms")),
        metric("max_rss", "KiB", Per::Iteration, Better::Lower),
        metric("wall seconds", "s", Per::Sample, Better::Lower),
        metric("throughput", "MB/s", Per::Iteration, Better::Higher),
        metric("faults (major)", "", Per::Sample, Better::Lower),
        metric("drift", "s", Per::Iteration, Better::Lower),
        metric("never", "s", Per::Sample, Better::Lower),
        metric("cache\nmisses_count", "%", Per::Iteration, Better::Lower),
    ];
    trial.arms = vec![
        arm("=cmd|' /C calc'!A0", "sort"),
        arm("back\\slash \"quoted\"\nsecond, line", "sort"),
        arm("größe 名前", ""),
    ];
    trial.arms[0].baseline = true;
    trial.arms[0].command = vec!["sort".to_owned(), "a b".to_owned()];
    trial.arms[1].parameters = [("size".to_owned(), "10".to_owned())].into();
    trial.series.clear();
    for launch in 0..2 {
        for id in 0..3 {
            trial.series.push(series_of(id, launch));
        }
    }
    trial.failures.push(Failure {
        arm: ArmId(2),
        launch: LaunchId(1),
        round: RoundId(9),
        reason: Reason::Timeout { allowed: 2.0 },
        seconds: Some(2.1),
    });
    let mut reported = Reported::new(ArmId(0), MetricId(7));
    reported.mean = Some(0.125);
    trial.reported.push(reported);
    trial
}

fn series_of(arm: u32, launch: u32) -> Series {
    let mut series = Series::new(ArmId(arm), LaunchId(launch), 9);
    for round in 0..4_u64 {
        let step = (round * 7 + u64::from(arm) * 3 + u64::from(launch)) as f64;
        let values = [
            1_000_000.0 + step / 8.0,
            if round == 2 { f64::NAN } else { 0.5 + step },
            4096.0 + step,
            1e-7 * (step + 1.0),
            250.0 - step,
            step,
            step / 10.0 - 1.0,
            f64::NAN,
            1.0 / 3.0,
        ];
        series.push(Sample {
            round: RoundId(round * (1 + u64::from(launch))),
            position: (launch == 0).then_some((arm + round as u32) % 3),
            started: (launch == 0).then_some(20_512 * (round + 1)),
            iterations: 1 + round,
            values: &values,
        });
    }
    series.values[7].clear();
    series
}

/// Any trial that keeps the rules.
pub(crate) fn any_trial() -> impl Strategy<Value = Trial> {
    (1..4_usize, 1..4_usize).prop_flat_map(|(metrics, arms)| {
        let metrics = proptest::collection::vec(any_metric(), metrics);
        let names = proptest::collection::vec((any_name(), any_name()), arms);
        let series = proptest::collection::vec((0..arms as u32, 0..3_u32, 0..6_usize), 1..4);
        (metrics, names, series, any::<u64>(), proptest::collection::vec(any_number(), 72)).prop_map(built)
    })
}

type Parts = (Vec<Metric>, Vec<(String, String)>, Vec<(u32, u32, usize)>, u64, Vec<f64>);

fn built((metrics, arms, series, id, numbers): Parts) -> Trial {
    let mut trial = small();
    trial.id = TrialId::from_number(id);
    trial.state = if id % 2 == 0 { State::Complete } else { State::Interrupted };
    trial.metrics = metrics;
    trial.metrics.iter_mut().enumerate().for_each(|(index, metric)| metric.name.push_str(&index.to_string()));
    let named = arms.into_iter().enumerate();
    trial.arms = named.map(|(index, (name, group))| arm(&format!("{name}{index}"), &group)).collect();
    let mut numbers = numbers.into_iter().cycle();
    trial.series = series
        .into_iter()
        .map(|(arm, launch, count)| {
            let mut series = Series::new(ArmId(arm), LaunchId(launch), 0);
            series.values = trial.metrics.iter().map(|_| numbers.by_ref().take(count).collect()).collect();
            series.iterations = Whole::of((0..count as u64).map(|n| 1 + n * (id % 3)).collect());
            if count > 0 && id % 5 < 3 {
                series.started =
                    Some(Whole::of((0..count as u64).map(|n| id.rotate_left(n as u32)).collect()));
            }
            if count == 0 {
                series.iterations = Whole::Same { same: 1 };
            }
            series
        })
        .collect();
    trial
}

fn any_metric() -> impl Strategy<Value = Metric> {
    let units = prop_oneof![
        Just("ns"),
        Just("us"),
        Just("ms"),
        Just("s"),
        Just("B"),
        Just("MiB"),
        Just(""),
        Just("MB/s"),
        Just("count"),
        Just("%"),
        Just("total")
    ];
    let per = prop_oneof![Just(Per::Sample), Just(Per::Iteration)];
    let better = prop_oneof![Just(Better::Lower), Just(Better::Higher)];
    (any_name(), units, per, better).prop_map(|(name, unit, per, better)| metric(&name, unit, per, better))
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]{0,2}", "[=+@\\-\"\\\\,;\n\r\t '{}()#_]{0,6}", "\\PC{0,8}", Just("x_count".to_owned())]
}

/// Numbers of a measurement: mostly plain, sometimes missing or at the edge of what a double holds.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0..1e9_f64,
        2 => (0..1_000_000_u32).prop_map(f64::from),
        1 => Just(f64::NAN),
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(5e-324), Just(1e15), Just(9_007_199_254_740_993.0), Just(0.1)],
        1 => proptest::num::f64::POSITIVE | proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL,
    ]
    .prop_map(f64::abs)
}
