//! Is every worker served, or its fault named, in time? With real processes: this program is its own victim. Started as a worker,
//! its test `victim` runs benchmarks, or misbehaves as the variable `VICTIM` says.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    unsafe_code,
    reason = "a test fails by panicking, and takes the descriptors that it is given"
)]

use evenhand_measure::command::{Interrupt, Pin};
use evenhand_measure::launches::{Launcher, Readings, Round, Stopped};
use evenhand_measure::worker::fault::What;
use evenhand_measure::worker::{Crew, Fault, Launch, Manner, Member, Peer, VARIABLE, survey};
use evenhand_protocol::VERSION;
use evenhand_protocol::frame::Frame;
use evenhand_protocol::message::{Answer, Benchmark, Hello, Prepared, Request, Results, Sample};
use evenhand_trial::{ArmId, LaunchId, Reason, RoundId, Seed};
use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::os::fd::FromRawFd;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);
const A: ArmId = ArmId(0);
const B: ArmId = ArmId(1);

#[evenhand::bench]
fn spins(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.below(10)).run(|_| (0..20_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn spins_twice(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.below(10)).run(|_| (0..40_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn answers_by_the_input(bench: evenhand::Bench<'_>) {
    bench.amount("items", 4).with_input(|rng| rng.next_u64()).run_checked(|luck| *luck);
}

#[evenhand::bench]
fn answers_wrongly(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.next_u64()).run_checked(|luck| luck.wrapping_add(1));
}

#[evenhand::bench]
fn nothing() {}

#[evenhand::bench]
fn panics() {
    panic!("not today");
}

#[evenhand::bench]
fn exits_later(bench: evenhand::Bench<'_>) {
    let mut runs = 0;
    bench.run(|| {
        runs += 1;
        if runs > 12 {
            eprintln!("the last words");
            std::process::exit(9);
        }
        (0..20_000_u64).map(black_box).sum::<u64>()
    });
}

#[evenhand::bench]
fn hangs_later(bench: evenhand::Bench<'_>) {
    let mut runs = 0;
    bench.run(|| {
        runs += 1;
        if runs > 12 {
            std::thread::sleep(Duration::from_secs(600));
        }
        (0..20_000_u64).map(black_box).sum::<u64>()
    });
}

/// No other process has this argument.
const NAPPING: &str = "31536007";

#[evenhand::bench]
#[expect(clippy::zombie_processes, reason = "that is the point")]
fn leaves_a_child(bench: evenhand::Bench<'_>) {
    std::process::Command::new("sleep").arg(NAPPING).spawn().unwrap();
    bench.run(|| (0..20_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn prints_megabytes() {
    for _ in 0..100 {
        println!("{}", "out".repeat(1000));
        eprintln!("{}", "err".repeat(1000));
    }
}

/// No test: what the workers run.
#[test]
fn victim() {
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    match std::env::var("VICTIM") {
        Ok(behaviour) => misbehave(&behaviour),
        Err(_) => drop(evenhand::program::main()),
    }
}

/// A worker by hand.
fn misbehave(behaviour: &str) {
    let said = std::env::var(VARIABLE).unwrap();
    let number = |place| said.split(',').nth(place).unwrap().parse().unwrap();
    // SAFETY: the host has put these descriptors there for us alone.
    let (mut requests, mut answers) = unsafe { (File::from_raw_fd(number(0)), File::from_raw_fd(number(1))) };
    eprintln!("I {behaviour}");
    if behaviour == "sleep" {
        std::thread::sleep(Duration::from_secs(600));
    }
    if behaviour == "print on the wrong descriptor" {
        answers.write_all(b"Hello, world! This is no frame.").unwrap();
    }
    let hello = |version| Hello {
        version,
        language: "bytes".to_owned(),
        clock: "none".to_owned(),
        resolution: 1.0,
        cost: 1.0,
        iteration: 0.0,
        turns: false,
    };
    while let Ok(Some(frame)) = Frame::read(&mut requests) {
        let answer = match (Request::of(&frame).unwrap(), behaviour) {
            (Request::Hello { .. }, "come from the future") => Answer::Hello(hello(VERSION + 1)),
            (Request::Hello { .. }, "come from the past") => Answer::Hello(hello(VERSION - 1)),
            (Request::Hello { .. }, "answer out of turn") => Answer::Done,
            (Request::Hello { .. }, _) => Answer::Hello(hello(VERSION)),
            (Request::List, "claim a long list") => {
                answers.write_all(&[0xff; 40]).unwrap();
                continue;
            }
            (Request::List, "stop in the middle") => {
                answers.write_all(&[100, 0, 0, 0, 130, 1]).unwrap();
                std::process::exit(3);
            }
            (Request::List, _) => Answer::Benchmarks(vec![Benchmark {
                name: "it".to_owned(),
                group: String::new(),
                baseline: false,
                parameters: Vec::new(),
            }]),
            (Request::Prepare { .. }, _) => Answer::Prepared(Prepared {
                once: 5000.0,
                threads: 1,
                amounts: Vec::new(),
                metrics: Vec::new(),
            }),
            (Request::Run(run), _) => {
                let sample = Sample { started: 1, wall: 5000.0, waited: f64::NAN, values: Vec::new() };
                let lost = usize::from(behaviour == "lose samples");
                Answer::Results(Results { verification: 0, samples: vec![sample; run.turns.len() - lost] })
            }
            (Request::Finish, _) => Answer::Done,
            (Request::Bye, _) => return,
        };
        answer.frame().write(&mut answers).unwrap();
    }
}

fn launch(name: &str, behaviour: Option<&str>) -> Launch {
    let me = std::env::current_exe().unwrap();
    let words = [me.as_os_str(), "victim".as_ref(), "--exact".as_ref(), "--nocapture".as_ref()];
    Launch {
        name: name.to_owned(),
        words: words.map(Into::into).to_vec(),
        environment: behaviour.iter().map(|behaviour| ("VICTIM".into(), behaviour.into())).collect(),
        ..Launch::default()
    }
}

fn nobody() -> Interrupt {
    Interrupt::by_hand().unwrap()
}

/// A benchmark of this program as an arm.
fn member(benchmark: &str) -> Member {
    member_of(launch(benchmark, None), benchmark)
}

fn member_of(launch: Launch, benchmark: &str) -> Member {
    let wanted = |name: &str| name.ends_with(&format!("::{benchmark}")) || name == benchmark;
    let found = survey(&launch, &wanted, &nobody()).unwrap();
    let [one] = <[_; 1]>::try_from(found.benchmarks).unwrap();
    Member { launch, benchmark: one.place, prepared: one.prepared.unwrap(), hello: found.hello }
}

fn crew(members: Vec<Member>) -> Crew {
    Crew::new(members, Manner::default(), nobody())
}

fn rounds(from: u64, count: u64) -> Vec<Round> {
    let order = |round: u64| if round.is_multiple_of(3) { vec![B, A] } else { vec![A, B] };
    let round = |round| Round { round: RoundId(round), order: order(round), payload: Seed(1000 + round) };
    (from..from + count).map(round).collect()
}

/// A launch of two arms, and rounds of it.
fn measured(crew: &mut Crew, count: u64) -> Result<Vec<Readings>, Stopped> {
    crew.begin(&[A, B]).unwrap();
    let done = crew.launch(&[B, A], LaunchId(0), Seed(5)).and_then(|_| crew.rounds(&rounds(0, count)));
    crew.land();
    crew.end();
    done
}

fn fault_of(behaviour: &str) -> (Fault, Duration) {
    let began = Instant::now();
    let fault = survey(&launch("the worker", Some(behaviour)), &|_| true, &nobody()).unwrap_err();
    (fault, began.elapsed())
}

#[test]
fn two_workers_take_turns_and_the_slower_one_is_slower() {
    let mut crew = crew(vec![member("spins"), member("spins_twice")]);
    assert_eq!(
        crew.metrics().iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>(),
        ["time", "wall"]
    );
    let found = measured(&mut crew, 40).unwrap();
    assert_eq!(found.len(), 40);
    let (mut slower, mut started) = (0, Vec::new());
    for (round, readings) in rounds(0, 40).iter().zip(&found) {
        let arms: Vec<ArmId> = readings.iter().map(|(arm, _)| *arm).collect();
        assert_eq!(arms, round.order, "in the order of the coin");
        let of = |arm| readings.iter().find(|(of, _)| *of == arm).map(|(_, reading)| reading).unwrap();
        assert!(of(A).values[0] <= of(A).values[1] && of(A).values[0] > 0.0);
        slower += u32::from(of(B).values[0] > of(A).values[0]);
        started.push(of(A).started);
    }
    assert!(slower > 35, "{slower} of 40");
    assert!(started.is_sorted() && started[0].is_some(), "{started:?}");
}

#[test]
fn many_portions_follow_each_other_in_one_launch() {
    let mut crew = crew(vec![member("spins"), member("spins")]);
    crew.begin(&[A, B]).unwrap();
    crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    for portion in 0..5 {
        assert_eq!(crew.rounds(&rounds(10 * portion, 10)).unwrap().len(), 10);
    }
    crew.land();
    crew.end();
    assert!(
        crew.faults().is_empty()
            && crew
                .notes()
                .iter()
                .any(|note| note.contains("in each launch all arms ran on one processor: ")),
        "{:?}",
        crew.notes()
    );
}

#[test]
fn in_lockstep_both_run_at_the_same_time() {
    let manner = Manner { lockstep: true, ..Manner::default() };
    let mut crew = Crew::new(vec![member("spins"), member("spins_twice")], manner, nobody());
    if std::thread::available_parallelism().unwrap().get() < 2 {
        assert!(crew.begin(&[A, B]).is_err());
        return;
    }
    crew.begin(&[A, B]).unwrap();
    crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    let mut slower = 0;
    for portion in 0..4 {
        let found = crew.rounds(&rounds(10 * portion, 10)).unwrap();
        let of = |readings: &Readings, arm| {
            readings.iter().find(|(of, _)| *of == arm).map(|(_, reading)| reading.values[0])
        };
        slower += found.iter().filter(|readings| of(readings, B) > of(readings, A)).count();
    }
    crew.land();
    crew.end();
    assert!(slower > 30, "{slower} of 40");
    assert!(crew.notes().iter().any(|note| note.contains("at the same time")), "{:?}", crew.notes());
}

#[test]
fn a_short_function_runs_in_batches_of_one_size_for_all() {
    let mut crew = crew(vec![member("answers_by_the_input"), member("spins")]);
    let found = measured(&mut crew, 3).unwrap();
    let iterations: Vec<u64> = found.iter().flatten().map(|(_, reading)| reading.iterations).collect();
    assert!(iterations[0] >= 10 && iterations.iter().all(|some| *some == iterations[0]), "{iterations:?}");
    let rate = crew.metrics().iter().position(|metric| metric.name == "items a second").unwrap();
    let of_a = found[0].iter().find(|(arm, _)| *arm == A).map(|(_, reading)| reading).unwrap();
    let expected = 4.0 * iterations[0] as f64 / (of_a.values[0] * 1e-9);
    assert!((of_a.values[rate] / expected - 1.0).abs() < 1e-9, "{:?}", of_a.values);
    let of_b = found[0].iter().find(|(arm, _)| *arm == B).map(|(_, reading)| reading).unwrap();
    assert!(of_b.values[rate].is_nan(), "it said no amount");
}

#[test]
fn an_empty_function_takes_no_time() {
    let mut crew = crew(vec![member("nothing"), member("nothing")]);
    let found = measured(&mut crew, 21).unwrap();
    let (step, iterations) = (member("nothing").hello.resolution, found[0][0].1.iterations as f64);
    let mut times: Vec<f64> = found.iter().flatten().map(|(_, reading)| reading.values[0]).collect();
    times.sort_by(f64::total_cmp);
    assert!(
        iterations > 100.0 && times[21] <= 2.0 * step + 0.1 * iterations,
        "{iterations} in {times:?} ns, step {step}"
    );
}

#[test]
fn other_results_for_the_same_input_are_no_win() {
    let same = vec![member("answers_by_the_input"), member("answers_by_the_input")];
    assert_eq!(measured(&mut crew(same), 5).unwrap().len(), 5);
    let other = || vec![member("answers_by_the_input"), member("answers_wrongly")];
    let stopped = measured(&mut crew(other()), 5).unwrap_err();
    assert!(matches!(stopped, Stopped::Failed(B, Reason::WrongResult { .. })), "{stopped:?}");
    let manner = Manner { pin: Pin::None, same_results: false, ..Manner::default() };
    let mut lenient = Crew::new(other(), manner, nobody());
    assert_eq!(measured(&mut lenient, 5).unwrap().len(), 5);
}

#[test]
fn a_worker_without_a_page_is_asked_for_each_turn() {
    let by_hand = || member_of(launch("by hand", Some("behave")), "it");
    let mut crew = crew(vec![by_hand(), by_hand()]);
    let found = measured(&mut crew, 4).unwrap();
    // Within a step of its clock, which is a nanosecond.
    assert!(
        found.iter().flatten().all(|(_, reading)| (reading.values[0] - 5000.0).abs() <= 0.5),
        "{found:?}"
    );
    assert!(crew.notes().iter().any(|note| note.contains("each turn was asked for")), "{:?}", crew.notes());
    let losing = || member_of(launch("by hand", Some("lose samples")), "it");
    let stopped = measured(&mut self::crew(vec![losing(), losing()]), 4).unwrap_err();
    assert!(matches!(stopped, Stopped::Failed(..)), "{stopped:?}");
}

#[test]
fn a_worker_that_dies_or_hangs_in_its_turn_frees_the_other_soon() {
    for (benchmark, least, most) in [("exits_later", 0.0, 1.0), ("hangs_later", 0.5, 3.0)] {
        let mut crew = crew(vec![member("spins"), member(benchmark)]);
        let began = Instant::now();
        let stopped = measured(&mut crew, 40).unwrap_err();
        let took = began.elapsed().as_secs_f64();
        assert!(took >= least && took < most + 1.0, "{benchmark}: {took} s");
        assert!(matches!(stopped, Stopped::Failed(B, _)), "{benchmark}: {stopped:?}");
        let told = crew.faults()[0].to_string();
        assert!(told.starts_with(benchmark), "{told}");
        if benchmark == "exits_later" {
            assert!(matches!(stopped, Stopped::Failed(B, Reason::Exit { code: 9 })), "{stopped:?}");
            assert!(told.contains("the last words"), "{told}");
        }
    }
}

#[test]
fn each_launch_has_the_next_layout() {
    let layouts = vec!["one".into(), "other".into()];
    let launch = Launch { words: vec!["usual".into(), "word".into()], layouts, ..Launch::default() };
    let chosen = |number| {
        let mut launch = launch.clone();
        launch.choose_layout(LaunchId(number));
        launch.words[0].to_str().unwrap().to_owned()
    };
    let programs: Vec<String> = (0..7).map(chosen).collect();
    assert_eq!(programs, ["usual", "one", "other", "usual", "one", "other", "usual"]);
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
    assert_eq!(crew.rounds(&rounds(0, 5)).unwrap().len(), 5);
    let began = Instant::now();
    crew.land();
    crew.end();
    assert!(!is_there() && began.elapsed() < SOON / 5, "{:?}", began.elapsed());
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

#[test]
fn a_worker_that_never_greets_is_ended_at_the_deadline() {
    let mut peer = Peer::start(&launch("the worker", Some("sleep")), None, &nobody()).unwrap();
    let fault = peer.greet(Duration::from_millis(300)).unwrap_err();
    assert!(fault.to_string().starts_with("the worker gave no hello in 0.3 s and was ended"), "{fault}");
    let missing =
        Launch { name: "nobody".to_owned(), words: vec!["/does/not/exist".into()], ..Launch::default() };
    let fault = Peer::start(&missing, None, &nobody()).unwrap_err();
    assert!(matches!(fault.what, What::NotStarted(_)), "{fault}");
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
    assert!(matches!(fault.what, What::Interrupted) && began.elapsed() < SOON / 5, "{fault}");
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
