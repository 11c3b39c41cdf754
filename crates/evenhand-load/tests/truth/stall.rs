//! A service that stands still for a while, or dies. Who plans knows what users felt; who waits for the last answer has one bad time.
//!
//! For S in a window D in which requests are due all the time, the response falls along a straight line, from S for who came as it began: so
//! P_q = S − (1 − q)(1 − ρ)D while that is positive, with ρ the use of the service, nearly 0 here.

use super::{milliseconds, plan, run, service};
use evenhand_load::{Load, Outcome, Percentile, Request, RequestFailure, Spacing};
use evenhand_victims::victim;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const WINDOW: Duration = milliseconds(2000);
const STALL: Duration = milliseconds(600);

/// A server in a process of its own.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(victim()).arg("serve").stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let address = (Ipv4Addr::LOCALHOST, port.trim().parse().unwrap()).into();
        Self { process, address }
    }

    /// Stops it in a while for the stall. For how long at least and at most it will have been stopped, in nanoseconds.
    fn stall(&self) -> JoinHandle<(f64, f64)> {
        let process = Pid::from_child(&self.process);
        thread::spawn(move || {
            thread::sleep(milliseconds(700));
            let before = Instant::now();
            kill_process(process, Signal::STOP).unwrap();
            let stopped = Instant::now();
            thread::sleep(STALL);
            let least = stopped.elapsed();
            kill_process(process, Signal::CONT).unwrap();
            (least.as_secs_f64() * 1e9, before.elapsed().as_secs_f64() * 1e9)
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_stall_counts_for_everybody_who_would_have_come() {
    let server = Server::start();
    let service = service(server.address, 8);
    let rate = 400.0;
    let plan = plan(&service, rate, WINDOW, Spacing::Even);
    let stall = server.stall();
    let (slice, _) = run(&service, Load::Open(plan));
    let (least, most) = stall.join().unwrap();
    let all = slice.all();
    assert_eq!((all.planned, all.answered), (800, 800));
    // A gap may pass before the next request is due, and a request lies between two ranks.
    let (window, gap) = (WINDOW.as_nanos() as f64, 1e9 / rate);
    for q in [0.75, 0.9, 0.95, 0.99] {
        let Some(Percentile::Answered(response)) = all.response_at(q) else { panic!("no answer at {q}") };
        let response = response as f64;
        let formula = |stall: f64| stall - (1.0 - q) * window;
        assert!(response >= formula(least) - 2.0 * gap, "{q}: {response}, stalled for {least}");
        assert!(response <= formula(most) + 0.4 * most, "{q}: {response}, stalled for {most}");
    }
    // The time without a free connection is the service's, not ours.
    assert!(all.waited.max().unwrap() as f64 > least / 2.0, "{:?}", all.waited.max());
}

#[test]
fn clients_who_wait_for_their_answers_see_a_stall_once_each() {
    let server = Server::start();
    let stall = server.stall();
    let load = Load::Closed { clients: 2, length: WINDOW, seed: 1 };
    let (slice, requests) = run(&service(server.address, 2), load);
    let (least, _) = stall.join().unwrap();
    // A client may come to ask again a little later than the stall began; and a busy machine may stop for a while, too.
    let long = requests.iter().filter(|request| request.response() as f64 >= least / 2.0).count();
    assert!((1..=4).contains(&long), "{long} of {}", requests.len());
    assert!(slice.all().answered == requests.len() as u64 && requests.len() > 100);
}

#[test]
fn a_service_that_dies_refuses_everything_from_then_on() {
    let mut server = Server::start();
    let service = service(server.address, 4);
    let plan = plan(&service, 500.0, milliseconds(400), Spacing::Even);
    let mut answers = 0;
    let mut kill_after_twenty = |request: &Request| {
        answers += u64::from(request.outcome == Outcome::Answered);
        if answers == 20 {
            server.process.kill().unwrap();
            server.process.wait().unwrap();
        }
    };
    let slice = evenhand_load::run(&service, Load::Open(plan), &mut kill_after_twenty).unwrap();
    let all = slice.all();
    let [refused, cut_off] =
        [RequestFailure::Refused, RequestFailure::CutOff].map(|it| all.failures.get(&it).unwrap_or(&0));
    // Some answers may have been on their way; who was cut off and may ask again was then refused.
    assert!((20..=24).contains(&all.answered) && *cut_off <= 4, "{all:?}");
    assert_eq!((all.answered + refused + cut_off, all.unsent), (200, 0));
    assert_eq!(all.response_at(0.5), Some(Percentile::Failed));
}
