//! Is a fault named, and does nobody wait for it in vain?

use crate::victims::NAPPING;
use crate::{A, B, SOON, crew, launch, measured, member, nobody, rounds};
use evenhand_measure::finish::NoSample;
use evenhand_measure::launches::Launcher;
use evenhand_measure::worker::error::WorkerErrorKind;
use evenhand_measure::worker::{Member, Peer, WorkerCommand, WorkerError, survey};
use evenhand_trial::{LaunchId, Reason, Round, Seed};
use std::time::{Duration, Instant};

fn fault_of(behaviour: &str) -> (WorkerError, Duration) {
    let began = Instant::now();
    let fault = survey(&launch("the worker", Some(behaviour)), &|_| true, &nobody()).unwrap_err();
    (fault, began.elapsed())
}

#[test]
fn a_worker_that_dies_or_hangs_in_its_turn_frees_the_other_soon() {
    for (benchmark, least, most) in [("exits_later", 0.0, 1.0), ("hangs_later", 0.5, 3.0)] {
        let mut crew = crew(vec![member("spins"), member(benchmark)]);
        let began = Instant::now();
        let stopped = measured(&mut crew, 40).unwrap_err();
        let took = began.elapsed().as_secs_f64();
        assert!(took >= least && took < most + 1.0, "{benchmark}: {took} s");
        assert!(matches!(stopped, NoSample::Failed { arm: B, .. }), "{benchmark}: {stopped:?}");
        let told = crew.faults()[0].to_string();
        assert!(told.starts_with(benchmark), "{told}");
        if benchmark == "exits_later" {
            assert!(
                matches!(stopped, NoSample::Failed { reason: Reason::Exit { code: 9 }, .. }),
                "{stopped:?}"
            );
            assert!(told.contains("the last words"), "{told}");
        }
    }
}

#[test]
fn what_a_benchmark_prints_disturbs_nobody() {
    let mut crew = crew(vec![member("prints_megabytes"), member("spins")]);
    assert_eq!(measured(&mut crew, 20).unwrap().len(), 20);
}

/// Whether any process has this argument.
fn is_running(argument: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}

#[test]
fn what_a_benchmark_leaves_behind_is_ended_with_it() {
    let is_there = || is_running(NAPPING);
    let mut crew = crew(vec![member("leaves_a_child"), member("spins")]);
    crew.begin(&[A, B]).unwrap();
    crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    assert!(is_there());
    assert_eq!(rounds(&mut crew, 0, 5).unwrap().len(), 5);
    let began = Instant::now();
    crew.land();
    crew.end();
    assert!(began.elapsed() < SOON / 5, "{:?}", began.elapsed());
    // Killed, it still needs the processor to die.
    while is_there() {
        assert!(began.elapsed() < SOON, "it lives on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_panic_in_the_survey_is_that_of_one_benchmark() {
    let found =
        survey(&launch("all", None), &|name| name.contains("pani") || name.contains("spins"), &nobody())
            .unwrap();
    let faulty: Vec<String> = found
        .benchmarks
        .iter()
        .filter_map(|found| found.prepared.as_ref().err())
        .map(ToString::to_string)
        .collect();
    assert_eq!(faulty.len(), 1);
    assert!(faulty[0].contains("panicked: not today"), "{faulty:?}");
    assert_eq!(found.benchmarks.len(), 3);
}

#[test]
fn each_fault_is_named_with_the_worker_and_its_last_words() {
    let said = [
        (
            "print on the wrong descriptor",
            "the worker gave no hello but a frame of 1819043144 bytes, which is too long: is it",
        ),
        ("come from the future", "the worker speaks version 2 of the protocol, this evenhand only 1"),
        (
            "come from the past",
            "the worker speaks version 0 of the protocol, this evenhand 1: build it with a newer library",
        ),
        ("answer out of turn", "the worker gave no hello but another answer"),
        ("claim a long list", "the worker gave no list of benchmarks but a frame of 4294967295 bytes"),
        ("stop in the middle", "the worker ended (exit status: 3) instead of giving list of benchmarks"),
    ];
    for (behaviour, expected) in said {
        let (fault, took) = fault_of(behaviour);
        let told = fault.to_string();
        assert!(told.starts_with(expected), "{behaviour}: {told}");
        assert!(told.contains(&format!("\nI {behaviour}")), "{told}");
        assert!(took < SOON / 5, "{behaviour} took {took:?}");
    }
}

/// What comes of a launch of two workers that say this of a field.
fn measured_with(field: &str, number: &str) -> Result<Vec<Round>, String> {
    let lying = launch("the worker", Some(&format!("say {field} {number}")));
    let found = survey(&lying, &|_| true, &nobody()).map_err(|fault| fault.to_string())?;
    let member = || {
        let one = &found.benchmarks[0];
        let prepared = one.prepared.as_ref().map_err(ToString::to_string)?;
        Ok::<_, String>(Member {
            launch: lying.clone(),
            benchmark: one.place,
            prepared: prepared.clone(),
            hello: found.hello.clone(),
            iterations: one.iterations,
        })
    };
    let mut crew = crew(vec![member()?, member()?]);
    measured(&mut crew, 2).map_err(|stopped| match crew.faults() {
        [fault] => fault.to_string(),
        _ => panic!("{stopped:?}"),
    })
}

#[test]
fn numbers_that_cannot_be_true_are_the_fault_of_the_worker() {
    let impossible = ["NaN", "inf", "-inf", "-1", "1e300"];
    let hello = ["resolution", "cost", "iteration"].map(|field| (field, "hello", field, &impossible[..]));
    let ready = [("once", "once"), ("amount", "amount \"items\"")]
        .map(|(field, told)| (field, "benchmark that is ready", told, &impossible[..]));
    let results = [
        ("wall", "results", "wall", &impossible[..]),
        ("waited", "results", "waited", &impossible[1..]),
        ("started", "results", "started", &impossible[4..]),
        ("value", "results", "value \"kept\"", &["inf", "-inf", "1e300", "-1e300"]),
    ];
    for (field, wanted, told, numbers) in hello.into_iter().chain(ready).chain(results) {
        for number in numbers {
            let began = Instant::now();
            let fault = measured_with(field, number).unwrap_err();
            let expected = format!("the worker gave {wanted} with the number {told} = ");
            assert!(
                fault.starts_with(&expected) && fault.contains("is allowed"),
                "{field} {number}: {fault}"
            );
            assert!(fault.contains(&format!("\nI say {field} {number}")), "{fault}");
            assert!(began.elapsed() < SOON / 2, "{field} {number} took {:?}", began.elapsed());
        }
    }
}

#[test]
fn numbers_at_their_limits_are_believed() {
    let said = [
        ("resolution", "0"),
        ("cost", "0"),
        ("once", "0"),
        ("amount", "0"),
        ("amount", "18446744073709551615"),
        ("wall", "0"),
        ("wall", "1e18"),
        ("waited", "NaN"),
        ("waited", "1e18"),
        ("started", "1e18"),
        ("value", "NaN"),
        ("value", "-1e100"),
    ];
    for (field, number) in said {
        let found = measured_with(field, number).unwrap();
        let mut values = found.iter().flat_map(Round::samples).flat_map(|(_, sample)| sample.values);
        assert!(!values.any(|value| value.is_infinite()), "{field} {number}: {found:?}");
    }
}

#[test]
fn a_worker_that_never_greets_is_ended_at_the_deadline() {
    let mut peer = Peer::start(&launch("the worker", Some("sleep")), None, &nobody()).unwrap();
    let fault = peer.greet(Duration::from_millis(300)).unwrap_err();
    assert!(fault.to_string().starts_with("the worker gave no hello in 0.3 s and was killed"), "{fault}");
    let missing = WorkerCommand {
        name: "nobody".to_owned(),
        words: vec!["/does/not/exist".into()],
        ..WorkerCommand::default()
    };
    let fault = Peer::start(&missing, None, &nobody()).unwrap_err();
    assert!(matches!(fault.what, WorkerErrorKind::NotStarted(_)), "{fault}");
}

#[test]
fn the_user_ends_a_wait_at_once() {
    let interrupt = nobody();
    let mut peer = Peer::start(&launch("the worker", Some("sleep")), None, &interrupt).unwrap();
    let asks = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        asks.request()
    });
    let began = Instant::now();
    let fault = peer.greet(SOON).unwrap_err();
    assert!(matches!(fault.what, WorkerErrorKind::Interrupted) && began.elapsed() < SOON / 5, "{fault}");
    thread.join().unwrap();
}

#[test]
fn a_second_request_to_end_ends_all_workers_at_once() {
    const MARK: &str = "31536008";
    let interrupt = nobody();
    let mut sleeping = launch("the worker", Some("sleep"));
    sleeping.words.extend(["--skip".into(), MARK.into()]);
    let started = || Peer::start(&sleeping, None, &interrupt).unwrap();
    let _both = (started(), started());
    assert!(is_running(MARK));
    interrupt.request();
    assert!(is_running(MARK), "the first request is a polite one");
    interrupt.request();
    let began = Instant::now();
    while is_running(MARK) {
        assert!(began.elapsed() < SOON, "they sleep on");
        std::thread::sleep(Duration::from_millis(5));
    }
}
