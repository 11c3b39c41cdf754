//! What do the workers run, and how do they misbehave?

use evenhand_measure::worker::VARIABLE;
use evenhand_protocol::VERSION;
use evenhand_protocol::frame::Frame;
use evenhand_protocol::message::{Answer, Benchmark, Hello, Metric, Prepared, Request, Results, Sample};
use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::os::fd::FromRawFd;
use std::time::Duration;

#[evenhand::bench]
fn spins(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.below(10)).run(|_| (0..20_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn spins_twice(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.below(10)).run(|_| (0..40_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn works_long(bench: evenhand::Bench<'_>) {
    bench.run(|| (0..500_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn helps_itself(bench: evenhand::Bench<'_>) {
    let work = || (0..500_000_u64).map(black_box).sum::<u64>();
    bench.run(|| std::thread::scope(|scope| scope.spawn(work).join().unwrap()));
}

#[evenhand::bench]
fn answers_by_the_input(bench: evenhand::Bench<'_>) {
    bench.amount("items", 4).with_input(|rng| rng.next_u64()).run_checked(|luck| *luck);
}

#[evenhand::bench]
fn answers_wrongly(bench: evenhand::Bench<'_>) {
    bench.with_input(|rng| rng.next_u64()).run_checked(|luck| luck.wrapping_add(1));
}

/// Measures where the first library lies in memory.
#[evenhand::bench(iterations = 1)]
fn tells_where_it_lies(bench: evenhand::Bench<'_>) {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let library = maps.lines().find(|line| line.contains(".so")).unwrap();
    let start = u64::from_str_radix(library.split('-').next().unwrap(), 16).unwrap();
    let seed: f64 = std::env::var("EVENHAND_SEED").map_or(0.0, |seed| seed.parse().unwrap());
    let hashes: f64 = std::env::var("PYTHONHASHSEED").map_or(0.0, |seed| seed.parse().unwrap());
    let bench = bench.metric("place", "").metric("seed", "").metric("hashes", "");
    bench.with_input(|_| ()).run_measured(|()| (), move |()| [start as f64, seed, hashes]);
}

#[evenhand::bench]
fn nothing() {}

#[evenhand::bench(iterations = 3)]
fn three_at_once(bench: evenhand::Bench<'_>) {
    bench.run(|| (0..20_000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench(iteration_time = "2ms")]
fn for_two_milliseconds(bench: evenhand::Bench<'_>) {
    bench.run(|| (0..20_000_u64).map(black_box).sum::<u64>());
}

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
pub(crate) const NAPPING: &str = "31536007";

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

/// The payload of the turn in which a worker by hand has threads of its own.
pub(crate) const ON_THREADS: u64 = 1002;

/// No test: what the workers run.
#[test]
#[ignore = "started by other tests"]
fn victim() {
    match std::env::var("VICTIM") {
        Ok(behaviour) => misbehave(&behaviour),
        Err(_) => drop(evenhand::__private::main()),
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
    // `say wall NaN`: whatever else it says is true.
    let lie: Option<(&str, f64)> = behaviour.strip_prefix("say ").and_then(|lie| {
        let (field, number) = lie.split_once(' ')?;
        Some((field, number.parse().unwrap()))
    });
    let says = |field: &str, truth: f64| match lie {
        Some((lied, number)) if lied == field => number,
        _ => truth,
    };
    let hello = |version| Hello {
        version,
        language: "bytes".to_owned(),
        clock: "none".to_owned(),
        resolution: says("resolution", 1.0),
        cost: says("cost", 1.0),
        iteration: says("iteration", 0.0),
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
                once: says("once", 5000.0),
                threads: 1,
                amounts: vec![("items".to_owned(), says("amount", 4.0))],
                metrics: vec![Metric {
                    name: "kept".to_owned(),
                    unit: "B".to_owned(),
                    more_is_better: false,
                }],
            }),
            (Request::Run(run), _) => {
                let alone = behaviour == "work on threads once" && run.turns[0].payload != ON_THREADS;
                let sample = Sample {
                    started: says("started", 1.0) as u64,
                    wall: says("wall", 5000.0),
                    waited: says("waited", if alone { 0.0 } else { f64::NAN }),
                    values: vec![says("value", f64::NAN)],
                };
                let lost = usize::from(behaviour == "lose samples");
                Answer::Results(Results { verification: 0, samples: vec![sample; run.turns.len() - lost] })
            }
            (Request::Finish, _) => Answer::Done,
            (Request::Bye, _) => return,
        };
        answer.frame().write(&mut answers).unwrap();
    }
}
