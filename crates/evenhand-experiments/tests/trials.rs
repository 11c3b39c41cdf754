//! Is all that an experiment measured in its trial, each sample in its place?

use evenhand_experiments::log_normal::{self, Lane};
use evenhand_experiments::paired::{self, Blocks, Rounds};
use evenhand_experiments::sampling::{self, Load, Series};
use evenhand_experiments::uncertainty::{self, NoPostgres, Postgres, ServiceRuns};
use evenhand_experiments::{Size, percentiles};
use evenhand_trial::Trial;

fn arms(trial: &Trial) -> Vec<(&str, Vec<&[f64]>)> {
    trial.check().unwrap();
    let samples = |arm: usize| {
        trial
            .series
            .iter()
            .filter(move |series| series.arm.index() == arm)
            .map(|series| series.values[0].as_slice())
    };
    trial.arms.iter().enumerate().map(|(place, arm)| (arm.name.as_str(), samples(place).collect())).collect()
}

#[test]
fn lanes_and_series_are_arms_that_are_not_compared() {
    let lane = |lanes, seconds: &[f64]| Lane { lanes, seconds: seconds.to_vec() };
    let seen = log_normal::Measurements {
        plan: log_normal::Extent::of(Size::Tiny),
        memory: vec![lane(1, &[3.0, 4.0]), lane(2, &[1.0, 2.0])],
        computing: Vec::new(),
    };
    let trial = seen.trial();
    assert_eq!(arms(&trial), [("1 lane", vec![&[3.0, 4.0][..]]), ("2 lanes", vec![&[1.0, 2.0][..]])]);
    assert_eq!((trial.groups().len(), trial.schedule), (2, None));

    let loads = [Load { beside: 0, series: vec![Series { iterations: 4, samples: vec![7.0, 8.0] }] }];
    let series = sampling::trial(&loads);
    assert_eq!(arms(&series), [("a i4", vec![&[7.0, 8.0][..]])]);
    assert_eq!(
        (series.arms[0].parameters["iterations"].as_str(), series.series[0].iterations.get(0)),
        ("4", Some(4))
    );
}

#[test]
fn the_pairs_are_compared_with_a_coin() {
    let rounds = |by: f64| Rounds { baseline: vec![by, by + 1.0], candidate: vec![by + 2.0, by + 3.0] };
    let seen = paired::Measurements {
        plan: paired::Extent::of(Size::Tiny),
        quiet: vec![rounds(10.0), rounds(20.0)],
        loaded: Vec::new(),
        blocks: Blocks::default(),
    };
    let trial = seen.trial();
    assert_eq!(arms(&trial)[2], ("std_count / std_count: baseline", vec![&[20.0, 21.0][..]]));
    assert_eq!(arms(&trial)[3].1, vec![&[22.0, 23.0][..]]);
    assert!(trial.schedule.is_some() && trial.groups().len() == 2);
}

#[test]
fn runs_are_launches_and_calls_have_their_rounds() {
    let asked = |runs: [[f64; 2]; 2]| ServiceRuns {
        plan: uncertainty::Extent { runs: 2, requests: 2, ..uncertainty::Extent::of(Size::Tiny) },
        runs: runs.map(Vec::from).to_vec(),
    };
    let database = Postgres {
        version: "15.18".to_owned(),
        checkpoints: 3,
        vacuums: 2,
        service: asked([[5.0, 6.0], [7.0, 8.0]]),
    };
    let mut seen =
        uncertainty::Measurements { server: asked([[1.0, 2.0], [3.0, 4.0]]), postgres: Ok(database) };
    let small = ("small server", vec![&[1.0, 2.0][..], &[3.0, 4.0][..]]);
    let both = seen.trial();
    assert_eq!(arms(&both), [small.clone(), ("PostgreSQL", vec![&[5.0, 6.0][..], &[7.0, 8.0][..]])]);
    assert_eq!((both.groups().len(), &both.schedule), (2, &None), "services are not compared");
    seen.postgres = Err(NoPostgres::Missing);
    assert_eq!(arms(&seen.trial()), [small]);
    let calls = percentiles::measure(percentiles::Extent::of(Size::Tiny), &mut |_| ()).calls;
    assert!(calls.schedule.is_some());
    assert_eq!(arms(&calls).iter().map(|(_, launches)| launches.len()).collect::<Vec<_>>(), [4, 4, 4]);
}
