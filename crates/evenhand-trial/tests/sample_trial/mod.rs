//! Trials that several tests begin from: one with something in every field, one with as little as can be, one of each
//! other origin.

use evenhand_trial::environment::{Clock, Cpu, Environment, Git};
use evenhand_trial::note::{Coldness, Differing, WhyNotPinned};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchFacts, LaunchId, Metric, MetricId, Note, Origin, Per, Plan, Reason,
    Reported, RoundId, Schedule, Seed, Series, State, Trial, TrialId, Unit, Whole,
};
use std::collections::BTreeMap;

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A trial with something in every field.
pub(crate) fn full() -> Trial {
    let mut trial =
        Trial::new(TrialId::from_number(0x9f1c_6a03_d2b8_7e55), Origin::Measured { version: "0.1.0".into() });
    trial.label = Some("before the rewrite ✓".into());
    trial.started = Some("2026-01-02T03:04:05.000000006Z".parse().unwrap());
    trial.seconds = Some(12.0);
    trial.schedule = Some(Schedule::new(Seed(0xaa)));
    trial.plan = Plan { rounds: Some(100), given: map(&[("alpha", "0.01")]), ..Plan::default() };
    trial.environment = environment();
    trial.metrics = vec![
        Metric::time("wall", Unit::nanoseconds()),
        Metric { name: "max_rss".into(), unit: Unit::bytes(), per: Per::Iteration, better: Better::Lower },
    ];
    trial.arms = arms();
    trial.launches = vec![launch(0), LaunchFacts { layout: 1, cpu: Some(3), ..launch(1) }];
    trial.series = series();
    trial.failures = vec![Failure {
        arm: ArmId(1),
        launch: LaunchId(0),
        round: RoundId(2),
        reason: Reason::Timeout { allowed: 1.5 },
        seconds: Some(1.5),
    }];
    trial.reported = vec![reported()];
    trial.notes = every_note();
    trial
}

fn launch(number: u32) -> LaunchFacts {
    let began = u64::from(number) * 1_000_000;
    LaunchFacts { group: 0, id: LaunchId(number), layout: 0, cpu: None, began }
}

fn arms() -> Vec<Arm> {
    let arm = |name: &str| Arm {
        name: name.into(),
        group: "sort".into(),
        command: vec![format!("./{name}"), "--size".into(), "1".into()],
        parameters: map(&[("size", "1")]),
        ..Arm::default()
    };
    vec![arm("old"), Arm { baseline: true, ..arm("new") }, Arm { control: true, ..arm("third") }]
}

fn series() -> Vec<Series> {
    vec![
        Series {
            arm: ArmId(0),
            launch: LaunchId(0),
            rounds: Whole::Counting { from: 0 },
            positions: Some(Whole::Each(vec![0, 2, 1])),
            started: Some(Whole::Each(vec![0, 2000, u64::MAX])),
            iterations: Whole::Same { same: 1 },
            values: vec![vec![8_123_456.0, 0.1, 5e-324], vec![0.0, 4096.0, f64::MAX]],
        },
        Series {
            arm: ArmId(1),
            launch: LaunchId(0),
            rounds: Whole::Each(vec![0, 3]),
            positions: None,
            started: None,
            iterations: Whole::Each(vec![8, 16]),
            values: vec![vec![1.5, 2.5], vec![f64::NAN, 1.0]],
        },
    ]
}

fn reported() -> Reported {
    Reported {
        launch: Some(LaunchId(0)),
        samples: Some(10),
        min: Some(0.5),
        mean: Some(1.0),
        median: Some(0.75),
        max: Some(2.0),
        sd: Some(0.25),
        mean_error: Some(0.125),
        percentiles: vec![(50.0, 0.75), (99.0, 1.75)],
        histogram: vec![(0.5, 9), (2.0, 1)],
        more: [("kurtosis".to_owned(), 3.0)].into(),
        ..Reported::new(ArmId(2), MetricId(0))
    }
}

fn environment() -> Environment {
    Environment {
        host: Some("box".into()),
        system: Some("Debian GNU/Linux 12 (bookworm)".into()),
        kernel: Some("Linux 6.1.0-18-amd64".into()),
        architecture: Some("x86_64".into()),
        cpu: Cpu {
            model: Some("AMD EPYC 7763 64-Core Processor".into()),
            logical: Some(128),
            cores: Some(64),
            smt: Some(true),
            governor: Some("performance".into()),
            turbo: Some(false),
            mhz: Some(2450.0),
            limit: Some(1.5),
            isolated: vec![2, 3],
        },
        memory_bytes: Some(540_000_000_000),
        memory_limit_bytes: Some(2_147_483_648),
        page_bytes: Some(4096),
        aslr: Some(true),
        virtualisation: Some("none".into()),
        steal_share: Some(0.0),
        load_average: Some([0.1, 0.2, 0.3]),
        pinned_to: vec![2],
        clock: Some(Clock { source: "CLOCK_MONOTONIC (tsc)".into(), cost_ns: 21.5, resolution_ns: 10.0 }),
        tools: map(&[("rustc", "rustc 1.95.0")]),
        git: Some(Git { commit: "a".repeat(40), dirty: true, branch: Some("main".into()) }),
        arguments: vec!["evenhand".into(), "--label".into(), "x".into()],
        directory: Some("/home/ada".into()),
        variables: map(&[("LANG", "C.UTF-8")]),
        other: map(&[("timer", "tsc")]),
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn differing(part: &str, trials: usize) -> Differing {
    let each = (0..trials).map(|trial| (format!("t{trial}"), format!("{part}{trial}")));
    Differing { part: part.to_owned(), each: each.collect() }
}

/// One of each kind of note, and of each way to say it.
pub(crate) fn every_note() -> Vec<Note> {
    let (arm, trial) = (|| "sort -n".to_owned(), || "b.json".to_owned());
    let joined = Note::NotPinned(WhyNotPinned::Refused { reason: "no".to_owned() });
    vec![
        Note::PinnedTo { cpus: vec![3] },
        Note::PinnedTo { cpus: vec![0, 1, 2, 8] },
        Note::NotPinned(WhyNotPinned::Several { arm: arm() }),
        Note::NotPinned(WhyNotPinned::Unproven { arms: names(&["one"]) }),
        Note::NotPinned(WhyNotPinned::Unproven { arms: names(&["one", "two"]) }),
        Note::NotPinned(WhyNotPinned::Refused { reason: "the system refused it".to_owned() }),
        Note::InLockstep { cpus: vec![0, 1] },
        Note::LaunchesOn { cpus: vec![0, 2] },
        Note::EachLaunchOnOne { cpus: vec![0, 2] },
        Note::TurnsAskedFor { why: "a worker takes no turns on a page".to_owned() },
        Note::OneStart,
        Note::RunningInstances,
        Note::FellBehind { arm: "new".to_owned(), slices: 2, of: 30 },
        Note::RequestsFailed { arm: "new".to_owned(), requests: 1, of: 30_000 },
        Note::GeneratorBusy { arm: "new".to_owned(), slices: 1, of: 1 },
        Note::GeneratorLate { arm: "new".to_owned(), slices: 2, of: 30 },
        Note::BusyWhileIdle { arm: "old".to_owned(), percent: 8.0 },
        Note::Cold(Coldness::All),
        Note::Cold(Coldness::Some { files: names(&["/bin/true", "/tmp/x"]) }),
        Note::Cold(Coldness::Nothing),
        Note::LeftBehind { arm: arm(), processes: 1, runs: 1 },
        Note::LeftBehind { arm: arm(), processes: 7, runs: 2 },
        Note::LostPeaks { mib: 4.0, runs: 3 },
        Note::Waited { percent: 14.0 },
        Note::Counters { what: "hardware counters leave out the kernel's part here".to_owned() },
        Note::SameBytes { programs: names(&["sums", "sorts"]) },
        Note::NotInSide { side: "main".to_owned(), benchmarks: names(&["few", "many"]) },
        Note::WentOn { at: "2026-11-22T12:15:59.5Z".parse().unwrap(), samples: 20 },
        Note::OnlyIn { trial: trial(), arm: arm(), others: 0 },
        Note::OnlyIn { trial: trial(), arm: arm(), others: 2 },
        Note::CutOff { trial: trial() },
        Note::MachinesDiffer { parts: vec![differing("host", 2), differing("kernel", 5)] },
        Note::Of { trial: trial(), note: Box::new(joined) },
        Note::Salvaged { lost: names(&["chunk 1", "3 samples"]) },
        Note::Said("another tool said so".to_owned()),
    ]
}

/// A trial with as little as can be.
pub(crate) fn smallest() -> Trial {
    let mut trial =
        Trial::new(TrialId::from_number(1), Origin::Joined { trials: vec!["beef".parse().unwrap()] });
    trial.metrics = vec![Metric::time("wall", Unit::seconds())];
    trial
}

/// Results of another tool, with every reason of failure.
pub(crate) fn imported() -> Trial {
    let origin = Origin::Imported {
        format: "hyperfine".into(),
        tool: Some("hyperfine 1.20.0".into()),
        file: "results.json".into(),
    };
    let mut trial = Trial::new(TrialId::from_number(2), origin);
    trial.state = State::Interrupted;
    trial.metrics = vec![Metric { better: Better::Higher, ..Metric::time("rate", Unit::new("MB/s")) }];
    trial.arms = vec![Arm { name: "sleep 0.1".into(), ..Arm::default() }];
    let message = || "why".to_owned();
    let reasons = [
        Reason::Exit { code: -1 },
        Reason::Signal { number: 9 },
        Reason::Timeout { allowed: 0.5 },
        Reason::NotStarted { message: message() },
        Reason::WrongResult { message: message() },
        Reason::Other { message: message() },
    ];
    for (round, reason) in reasons.into_iter().enumerate() {
        let (launch, round) = (LaunchId(0), RoundId(round as u64));
        trial.failures.push(Failure { arm: ArmId(0), launch, round, reason, seconds: None });
    }
    trial
}
