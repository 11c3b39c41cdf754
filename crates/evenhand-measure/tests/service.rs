//! Slices of load as turns, on small real servers: their shape, their luck, their numbers, and slices that are of no use.

use evenhand_load::{Operation, Protocol, Service};
use evenhand_measure::command::Interrupt;
use evenhand_measure::executor::{DueTurn, Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_measure::service::shape::requests_for;
use evenhand_measure::service::{Shape, Slices, Starts, Target, Traffic};
use evenhand_trial::{ArmId, Better, LaunchId, Note, Round, RoundId, Seed};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// A server that answers every `wrong`-th request with an error. It ends with the test.
fn server(wrong: u64) -> SocketAddr {
    let asked = Arc::new(AtomicU64::new(1));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let serve = move |stream: TcpStream, asked: &AtomicU64| {
        stream.set_nodelay(true).unwrap();
        for line in BufReader::new(&stream).lines().map_while(Result::ok) {
            if line.is_empty() {
                let is_wrong = asked.fetch_add(1, Ordering::SeqCst).is_multiple_of(wrong);
                let status = if is_wrong { "503 No" } else { "200 OK" };
                let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                let _ = (&stream).write_all(answer.as_bytes());
            }
        }
    };
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let asked = Arc::clone(&asked);
            thread::spawn(move || serve(stream, &asked));
        }
    });
    address
}

fn target(name: &str, address: SocketAddr) -> Target {
    let operations = vec![Operation::http("GET", "localhost", "/")];
    let drain = Duration::from_millis(200);
    let service = Service { operations, connections: 8, drain, ..Service::new(address, Protocol::Http) };
    Target { name: name.to_owned(), service, recipe: None }
}

/// Slices of 200 ms with 40 requests.
const TRAFFIC: Traffic = Traffic::Rate(200.0);

fn shape() -> Shape {
    Shape {
        lead_in: Duration::from_millis(50),
        ..Shape::of(TRAFFIC, Some(Duration::from_millis(200))).unwrap()
    }
}

#[test]
fn each_of_several_operations_has_percentiles_of_its_own() {
    let address = server(u64::MAX);
    let mut both = target("both", address);
    let named =
        |name: &str, weight: f64| Operation::http("GET", "localhost", "/").named(name).weighing(weight);
    both.service.operations = vec![named("read", 3.0), named("order", 1.0)];
    let mut slices = slices(vec![both], Interrupt::by_hand().unwrap());
    let names: Vec<String> = slices.metrics().into_iter().map(|metric| metric.name).collect();
    // Of 40 requests in a slice 30 tell a P50, and 10 do not tell more.
    assert_eq!(names[names.len() - 2..], ["response_p50_read", "response_p50_order"], "{names:?}");
    let number = numbers(&mut slices, 0, 7);
    let (read, order) = (number("response_p50_read"), number("response_p50_order"));
    assert!(read > 0.0 && order > 0.0, "{read} {order}");
    let all = number("response_p50");
    assert!(read.min(order) <= all && all <= read.max(order), "{read} {all} {order}");
}

fn slices(targets: Vec<Target>, interrupt: Interrupt) -> Slices {
    Slices::new(targets, Starts::Never, TRAFFIC, shape(), interrupt)
}

fn turn(slices: &mut Slices, arm: u32, seed: u64, round: &mut Round) -> Result<(), NoSample> {
    let (arm, launch, number) = (ArmId(arm), LaunchId(0), RoundId(seed));
    let turn = DueTurn { arm, launch, round: number, position: arm.0, payload: Seed(seed) };
    slices.turn(&turn, round, &mut Endless)
}

/// The numbers of one slice, by the names of their metrics.
fn numbers(slices: &mut Slices, arm: u32, seed: u64) -> impl Fn(&str) -> f64 + use<> {
    let mut round = Round::default();
    round.begin(LaunchId(0), RoundId(seed));
    turn(slices, arm, seed, &mut round).unwrap_or_else(|error| panic!("{error:?}"));
    let values = round.values(ArmId(arm)).unwrap().to_vec();
    let metrics = slices.metrics();
    assert_eq!(values.len(), metrics.len());
    move |name| values[metrics.iter().position(|metric| metric.name == name).unwrap()]
}

#[test]
fn a_slice_is_as_long_as_the_highest_percentile_that_fits_needs() {
    let settled = [
        (5000.0, 1.0, 99),
        (1000.0, 1.0, 99),
        (400.0, 2.5, 99),
        (300.0, 1.0, 95),
        (80.0, 2.5, 95),
        (25.0, 1.0, 50),
        (4.0, 5.0, 50),
    ];
    for (rate, seconds, highest) in settled {
        let Shape { length, lead_in, highest: found } = Shape::of(Traffic::Rate(rate), None).unwrap();
        assert_eq!((length.as_secs_f64(), found), (seconds, highest), "{rate}");
        assert!(rate * length.as_secs_f64() >= f64::from(requests_for(found)) - 1e-6, "{rate}");
        assert_eq!(lead_in.as_secs_f64(), (seconds / 5.0).max(0.2), "{rate}");
    }
    let asked = |seconds| Shape::of(Traffic::Rate(100.0), Some(Duration::from_secs_f64(seconds)));
    assert_eq!((asked(10.0).unwrap().highest, asked(9.9).unwrap().highest), (99, 95));
    assert_eq!(asked(0.2).unwrap().highest, 50);
    let few = asked(0.1).unwrap_err().to_string();
    assert_eq!(few, "10 requests in a slice are too few: it needs 20, which take 0.2 s at this rate");
}

#[test]
fn what_decides_is_the_first_metric() {
    let first = |traffic| {
        let shape = Shape::of(traffic, None).unwrap();
        let slices = Slices::new(Vec::new(), Starts::Never, traffic, shape, Interrupt::by_hand().unwrap());
        slices.metrics()[0].clone()
    };
    assert_eq!(first(Traffic::Rate(1000.0)).name, "response_p99");
    assert_eq!(first(Traffic::Rate(100.0)).name, "response_p95");
    let throughput = first(Traffic::Clients(4));
    assert_eq!((throughput.name.as_str(), throughput.better), ("throughput", Better::Higher));
}

#[test]
fn both_slices_of_a_round_get_the_same_requests_and_the_next_round_others() {
    let address = server(u64::MAX);
    let mut slices =
        slices(vec![target("old", address), target("new", address)], Interrupt::by_hand().unwrap());
    // All are answered, so this is how many were planned.
    let mut answered = |arm, seed| (numbers(&mut slices, arm, seed)("throughput") * 0.2).round() as u64;
    let rounds: Vec<[u64; 2]> = (1..=4).map(|seed| [answered(0, seed), answered(1, seed)]).collect();
    assert!(rounds.iter().all(|[old, new]| old == new), "{rounds:?}");
    assert!(rounds.iter().any(|round| *round != rounds[0]), "{rounds:?}");
    assert_eq!(slices.notes()[0], Note::RunningInstances);
}

#[test]
fn a_slice_tells_its_percentiles_its_errors_and_its_own_lateness() {
    let mut slices = slices(vec![target("old", server(u64::MAX))], Interrupt::by_hand().unwrap());
    let number = numbers(&mut slices, 0, 3);
    assert!(number("response_p50") > 1e3 && number("response_p50") < 1e9);
    assert!(number("service_p50") <= number("response_p50") && number("late_p50") < number("response_p50"));
    assert_eq!(number("errors"), 0.0);
    assert!(number("stall") < 1e9);
}

#[test]
fn errors_are_counted_and_a_percentile_among_them_is_the_timeout() {
    let mut slices = slices(vec![target("old", server(3))], Interrupt::by_hand().unwrap());
    let number = numbers(&mut slices, 0, 1);
    assert!((number("errors") - 1.0 / 3.0).abs() < 0.05, "{}", number("errors"));
    assert!(number("response_p50") < 1e9, "two in three are answered");
    let told = slices.notes().into_iter().find_map(|note| match note {
        Note::RequestsFailed { arm, requests, of } => Some((arm, requests, of)),
        _ => None,
    });
    let (arm, requests, of) = told.unwrap();
    assert!(arm == "old" && requests > 0 && requests.abs_diff(of / 3) <= 1, "{requests} of {of}");

    let warm_up = RoundId(u64::MAX);
    let turn = DueTurn { arm: ArmId(0), launch: LaunchId(0), round: warm_up, position: 0, payload: Seed(1) };
    slices.turn(&turn, &mut Round::default(), &mut Endless).unwrap();
    assert!(
        slices.notes().contains(&Note::RequestsFailed { arm, requests, of }),
        "the warm-up does not count"
    );

    let address = server(20);
    let shape = Shape { highest: 99, ..shape() };
    let mut slices = Slices::new(
        vec![target("old", address)],
        Starts::Never,
        TRAFFIC,
        shape,
        Interrupt::by_hand().unwrap(),
    );
    assert_eq!(numbers(&mut slices, 0, 1)("response_p99"), 5e9);
}

#[test]
fn a_service_that_does_not_answer_is_said_not_to() {
    let nobody = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let targets = vec![target("gone", nobody), target("ill", server(1))];
    let mut slices = slices(targets, Interrupt::by_hand().unwrap());
    let mut round = Round::default();
    for (arm, why) in [(0, "connection refused"), (1, "error answer")] {
        let Err(NoSample::Failed { arm: failed, reason, .. }) = turn(&mut slices, arm, 1, &mut round) else {
            panic!("{arm} has a sample")
        };
        let reason = reason.to_string();
        assert_eq!(failed, ArmId(arm));
        assert!(reason.starts_with("answered none of ") && reason.contains(why), "{reason}");
    }
    assert!(round.is_empty());
}

#[test]
fn ctrl_c_ends_a_slice_without_a_sample() {
    let interrupt = Interrupt::by_hand().unwrap();
    let long = Shape { length: Duration::from_secs(600), ..shape() };
    let targets = vec![target("old", server(u64::MAX))];
    let mut slices = Slices::new(targets, Starts::Never, TRAFFIC, long, interrupt.clone());
    let asked = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        interrupt.request();
    });
    let mut round = Round::default();
    assert!(matches!(turn(&mut slices, 0, 1, &mut round), Err(NoSample::Interrupted)));
    assert!(round.is_empty());
    asked.join().unwrap();
}
