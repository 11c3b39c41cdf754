//! Laws that hold of every queue, on any machine: Lindley's recursion and Little's law. And between a client's moments and a
//! server's.

use super::server::{self, OK};
use super::{ask, milliseconds, plan, run, service};
use evenhand_load::{Load, Spacing};
use std::hint;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread;

/// When a request had come and when its answer was sent, by the server's clock, which is ours.
#[derive(Clone, Copy)]
struct Served {
    from: u64,
    until: u64,
}

/// A server that works this long on each request, in nanoseconds, and keeps a log.
fn working(time: u64) -> (SocketAddr, Arc<Mutex<Vec<Served>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let address = server::start(move |mut caller| {
        while caller.asks() {
            let from = evenhand_load::now();
            while evenhand_load::now() < from + time {
                hint::spin_loop();
            }
            // What is kept after the answer could be too late for the test.
            kept.lock().unwrap().push(Served { from, until: evenhand_load::now() });
            if !caller.gets(OK) {
                return;
            }
        }
    });
    (address, log)
}

#[test]
fn a_response_is_no_shorter_than_lindley_says_and_no_longer_than_the_answer_took_to_come() {
    let (address, log) = working(1_000_000);
    let service = service(address, 1);
    let planned = plan(&service, 500.0, milliseconds(1200), Spacing::Random);
    let (slice, requests) = run(&service, Load::Open(planned.clone()));
    let log = log.lock().unwrap();
    assert_eq!(slice.all().answered as usize, requests.len(), "{:?}", slice.all().failures);
    let mut end = 0;
    let (mut by_law, mut by_log) = (Vec::new(), Vec::new());
    for ((arrival, served), request) in planned.zip(log.iter()).zip(&requests) {
        // One connection: the answers come in the order of the plan.
        assert_eq!(request.planned, arrival.at);
        end = end.max(arrival.at) + (served.until - served.from);
        by_law.push(end - arrival.at);
        by_log.push(served.until - slice.start - arrival.at);
        assert!(request.response() >= end - arrival.at, "{request:?}, by Lindley {}", end - arrival.at);
    }
    // Some did wait for others: else the law would say nothing.
    assert!(by_law.iter().filter(|response| **response > 1_500_000).count() > 50);
    // And in the middle no more than the way back comes on top of what the server knows of.
    by_log.sort_unstable();
    let median = by_log[(by_log.len() - 1) / 2];
    let seen = slice.all().response.percentile(0.5).unwrap();
    assert!(seen < median + 100_000_000, "{seen}, by the log {median}");
}

#[test]
fn the_moments_of_a_request_enclose_those_of_the_server() {
    let (address, log) = working(0);
    let (slice, requests) = ask(&service(address, 1), 1000.0, milliseconds(600));
    let log = log.lock().unwrap();
    assert!(requests.len() > 400 && log.len() == requests.len());
    for (request, served) in requests.iter().zip(log.iter()) {
        let [sent, ended] = [request.sent.unwrap(), request.ended].map(|moment| slice.start + moment);
        assert!(sent <= served.from && served.until <= ended, "{request:?}");
        assert_eq!(request.waited() + request.late() + request.service().unwrap(), request.response());
    }
}

#[test]
fn a_no_op_server_shows_nothing_but_our_own_error() {
    let (slice, requests) = ask(&service(server::answering(OK), 16), 1000.0, milliseconds(600));
    // On an idle machine that is 0.1 ms. Neighbours make it more, a timer in ticks or a lost wake-up much more.
    let own = slice.all().response.percentile(0.5).unwrap();
    assert!(own < 50_000_000, "{own}");
    let late = slice.all().late.percentile(0.5).unwrap();
    assert!(late < 20_000_000, "{late}");
    assert!(slice.generator.processor > 0 && slice.processor_a_request().unwrap() < 1e6);
    assert_eq!(slice.generator.opened, 0, "of {} requests", requests.len());
}

#[test]
fn requests_in_flight_are_rate_times_response() {
    let address = server::start(|mut caller| {
        while caller.asks() {
            thread::sleep(milliseconds(3));
            if !caller.gets(OK) {
                return;
            }
        }
    });
    let loads = [
        Load::Open(plan(&service(address, 4), 800.0, milliseconds(700), Spacing::Random)),
        Load::Closed { clients: 3, length: milliseconds(700), seed: 1 },
    ];
    for load in loads {
        let (slice, requests) = run(&service(address, 4), load);
        let all = slice.all();
        assert_eq!(all.answered, all.planned);
        let rate = all.answered as f64 / slice.elapsed as f64;
        let expected = rate * all.response.mean().unwrap();
        let seen = slice.mean_in_flight();
        assert!((seen / expected - 1.0).abs() < 0.01, "{seen} in flight, {expected} by the law");
        assert!(requests.iter().all(|request| request.service().unwrap() >= 3_000_000));
    }
}

#[test]
fn a_closed_load_keeps_every_client_busy_and_no_more() {
    let (address, log) = working(200_000);
    let load = Load::Closed { clients: 2, length: milliseconds(300), seed: 1 };
    let (slice, requests) = run(&service(address, 9), load);
    assert!(requests.len() > 10 && slice.all().planned as usize == log.lock().unwrap().len());
    for request in &requests {
        let on_their_way = |at| requests.iter().filter(move |it| it.planned <= at && at < it.ended);
        assert!(on_their_way(request.planned).count() <= 2 && request.waited() == 0, "{request:?}");
    }
    assert!(slice.mean_in_flight() <= 2.0, "{}", slice.mean_in_flight());
}
