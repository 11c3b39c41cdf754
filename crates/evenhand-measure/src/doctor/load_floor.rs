//! How much of a response under load is the generator's own? A service that does nothing, in a thread of this process, is asked as any
//! other: what is measured then is the machine's loopback and ourselves, and no service can show a shorter response.
//!
//! Tests: `tests/doctor.rs`.

use evenhand_load::{Load, LoadPlan, Operation, Percentile, Protocol, Rate, Service, Spacing};
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// Requests a second.
const RATE: f64 = 1000.0;
/// Enough for P99, which needs a thousand requests.
const LONGEST: Duration = Duration::from_millis(1200);
const FEWEST_FOR_P99: u64 = 1000;
const CONNECTIONS: usize = 4;
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// The response of a service that does nothing. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LoadFloor {
    /// Requests a second.
    pub rate: f64,
    /// How many were answered.
    pub requests: u64,
    /// The response, at P50.
    pub response_p50: u64,
    /// At P99, if there were enough requests.
    pub response_p99: Option<u64>,
    /// How late the generator itself was, at P50.
    pub late_p50: u64,
    /// At P99, if there were enough requests.
    pub late_p99: Option<u64>,
}

/// Asks a service that does nothing, for `time` at most. `None`: there is no loopback, or no load on this system.
pub fn of_this_machine(time: Duration, seed: u64) -> Option<LoadFloor> {
    let address = idle_service().ok()?;
    let operations = vec![Operation::http("GET", "localhost", "/")];
    let service = Service { operations, connections: CONNECTIONS, ..Service::new(address, Protocol::Http) };
    let rate = Rate::constant(RATE, time.min(LONGEST)).ok()?;
    let plan = LoadPlan::new(rate, Spacing::Random, &service.operations, seed).ok()?;
    let slice = evenhand_load::run(&service, Load::Open(plan), &mut |_| {}).ok()?;
    let all = slice.all();
    if all.failed() > 0 {
        return None;
    }
    let response = |q: f64| match all.response_at(q)? {
        Percentile::Answered(response) => Some(response),
        Percentile::Failed => None,
    };
    let of_tail = |value: Option<u64>| value.filter(|_| all.answered >= FEWEST_FOR_P99);
    Some(LoadFloor {
        rate: RATE,
        requests: all.answered,
        response_p50: response(0.5)?,
        response_p99: of_tail(response(0.99)),
        late_p50: all.late.percentile(0.5)?,
        late_p99: of_tail(all.late.percentile(0.99)),
    })
}

/// A service that answers at once, for as many connections as are asked for; it ends when they do.
fn idle_service() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().take(CONNECTIONS).flatten() {
            thread::spawn(move || answer(&stream));
        }
    });
    Ok(address)
}

/// Answers each request, which is a head that an empty line ends.
fn answer(mut stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    for line in BufReader::new(stream).lines() {
        if line?.is_empty() {
            stream.write_all(ANSWER)?;
        }
    }
    Ok(())
}
