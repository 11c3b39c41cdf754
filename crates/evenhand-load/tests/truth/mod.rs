//! Does the generator tell the truth? Loads on small real servers whose behaviour is known: by a formula, by the server's own log, or
//! because it does one thing wrong.
//!
//! Nothing here needs a quiet machine. What is compared with a formula is bounded from below by what cannot be shorter, and from above
//! by a tolerance far smaller than what a wrong generator says.

mod defects;
mod http2;
mod law;
mod limits;
mod nginx;
mod parts;
mod server;
mod stall;
mod stamps;
#[cfg(feature = "tls")]
mod tls;

use evenhand_load::{Load, LoadPlan, Operation, Outcome, Protocol, Rate, Request, Service, Slice, Spacing};
use std::net::SocketAddr;
use std::time::Duration;

const fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A service over HTTP that is asked for one thing, over so many connections.
fn service(address: SocketAddr, connections: usize) -> Service {
    Service {
        operations: vec![Operation::http("GET", "localhost", "/")],
        connections,
        ..Service::new(address, Protocol::Http)
    }
}

fn plan(service: &Service, rate: f64, length: Duration, spacing: Spacing) -> LoadPlan {
    LoadPlan::new(Rate::constant(rate, length).unwrap(), spacing, &service.operations, 1).unwrap()
}

/// Requests with random gaps. What a slice gave, and each request.
fn ask(service: &Service, rate: f64, length: Duration) -> (Slice, Vec<Request>) {
    run(service, Load::Open(plan(service, rate, length, Spacing::Random)))
}

/// Runs a slice, and sees to what must hold of every one.
fn run(service: &Service, load: Load) -> (Slice, Vec<Request>) {
    let mut requests = Vec::new();
    let slice = evenhand_load::run(service, load, &mut |request| requests.push(*request)).unwrap();
    let all = slice.all();
    assert_eq!(all.planned, all.answered + all.failed() + all.unsent, "{all:?}");
    assert_eq!(requests.len() as u64, all.answered + all.failed());
    assert_eq!(all.late.count(), requests.len() as u64);
    for request in &requests {
        let Request { planned, free, taken, sent, ended, .. } = *request;
        assert!(planned <= free && free <= taken && taken <= sent.unwrap_or(ended), "{request:?}");
        assert!(sent.unwrap_or(taken) <= ended && ended <= slice.elapsed, "{request:?}");
    }
    let answered = requests.iter().filter(|request| request.outcome == Outcome::Answered);
    let answered: u128 = answered.map(|request| u128::from(request.response())).sum();
    assert_eq!(answered, all.response.sum());
    if all.unsent == 0 {
        // Counted while they were on their way, and counted by their moments.
        assert_eq!(slice.in_flight, requests.iter().map(|request| u128::from(request.response())).sum());
    }
    (slice, requests)
}
