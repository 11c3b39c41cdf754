//! HTTP/2 with small servers that do one thing each, frame by frame. nginx is in `nginx.rs`.

use super::server::{self, OK};
use super::{ask, milliseconds, run};
use evenhand_load::{Load, Operation, Outcome, Protocol, RequestFailure, Service};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const GO_AWAY: u8 = 7;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = &(payload.len() as u32).to_be_bytes()[1..];
    [length, &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

fn answer(stream: u32) -> Vec<u8> {
    frame(HEADERS, 5, stream, &[0x88])
}

fn go_away(last: u32) -> Vec<u8> {
    frame(GO_AWAY, 0, 0, &[&last.to_be_bytes()[..], &[0; 4]].concat())
}

/// Who is connected.
struct Caller(TcpStream);

impl Caller {
    /// The stream of the next request. Or is he gone?
    fn asks(&mut self) -> Option<u32> {
        loop {
            let mut head = [0; 9];
            self.0.read_exact(&mut head).ok()?;
            let [_, a, b, kind, _, stream @ ..] = head;
            let mut payload = vec![0; usize::from(u16::from_be_bytes([a, b]))];
            self.0.read_exact(&mut payload).ok()?;
            if kind == HEADERS {
                return Some(u32::from_be_bytes(stream));
            }
        }
    }

    /// Sends bytes. Is he still there?
    fn gets(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).is_ok()
    }
}

/// Starts a server that greets with these settings, and then does this with each connection. It ends with the test.
fn start(settings: &'static [u8], serve: impl Fn(Caller) + Send + Clone + 'static) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || {
                let mut preface = [0; 24];
                let greeted = stream.read_exact(&mut preface).is_ok()
                    && stream.write_all(&frame(SETTINGS, 0, 0, settings)).is_ok();
                stream.set_nodelay(true).unwrap();
                if greeted {
                    serve(Caller(stream));
                }
            });
        }
    });
    address
}

fn service(address: SocketAddr, connections: usize, streams: usize) -> Service {
    Service {
        operations: vec![Operation::http("GET", "localhost", "/")],
        connections,
        streams,
        ..Service::new(address, Protocol::Http2)
    }
}

fn failed(failure: RequestFailure) -> Outcome {
    Outcome::Failed(failure)
}

#[test]
fn many_requests_are_on_their_way_on_one_connection_and_answered_in_any_order() {
    let address = start(&[], |mut caller| {
        while let (Some(first), Some(second)) = (caller.asks(), caller.asks()) {
            thread::sleep(milliseconds(1));
            caller.gets(&[answer(second), answer(first)].concat());
        }
    });
    // Two clients: each pair of requests waits for the other.
    let load = Load::Closed { clients: 2, length: milliseconds(100), seed: 1 };
    let service = Service { timeout: milliseconds(500), ..service(address, 1, 2) };
    let (slice, requests) = run(&service, load);
    let answered = requests.iter().filter(|request| request.outcome == Outcome::Answered).count();
    // At the end one may be left without the other.
    assert!(answered > 4 && answered + 1 >= requests.len(), "{answered} of {}", requests.len());
    assert_eq!(slice.generator.opened, 0);
}

#[test]
fn no_more_are_on_their_way_than_the_service_allows() {
    // `SETTINGS_MAX_CONCURRENT_STREAMS` is 2.
    let address = start(&[0, 3, 0, 0, 0, 2], |mut caller| {
        let mut waiting = Vec::new();
        while let Some(stream) = caller.asks() {
            waiting.push(stream);
            if let [first, second] = waiting[..] {
                // A third would have come by now.
                caller.0.set_read_timeout(Some(milliseconds(5))).unwrap();
                let third = caller.0.read(&mut [0]);
                caller.0.set_read_timeout(None).unwrap();
                if third.is_ok() {
                    return;
                }
                caller.gets(&[answer(first), answer(second)].concat());
                waiting.clear();
            }
        }
    });
    let service = Service { timeout: milliseconds(500), ..service(address, 1, 8) };
    let (slice, requests) = ask(&service, 400.0, milliseconds(100));
    let all = slice.all();
    assert!(all.answered > 10 && all.answered + 1 >= requests.len() as u64, "{:?}", all.failures);
    assert_eq!(slice.generator.opened, 0);
}

#[test]
fn requests_that_a_service_goes_away_from_are_sent_again() {
    let address = start(&[], |mut caller| {
        for _ in 0..5 {
            let Some(stream) = caller.asks() else { return };
            caller.gets(&answer(stream));
        }
        // The sixth comes too late.
        if let Some(late) = caller.asks() {
            caller.gets(&go_away(late - 2));
        }
    });
    let (slice, requests) = ask(&service(address, 1, 1), 400.0, milliseconds(200));
    let all = slice.all();
    assert_eq!(all.answered as usize, requests.len(), "{:?}", all.failures);
    let rounds = requests.len() as u64 / 5;
    assert!(slice.generator.resent + 1 >= rounds && slice.generator.resent > 5, "{:?}", slice.generator);
    assert!(slice.generator.opened >= slice.generator.resent);
}

#[test]
fn an_answer_and_a_goodbye_in_one_lose_no_other_request() {
    let connected = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&connected);
    let address = start(&[], move |mut caller| {
        // The first connection answers one of two requests, and says goodbye with it.
        if count.fetch_add(1, Ordering::SeqCst) == 0
            && let (Some(first), Some(_)) = (caller.asks(), caller.asks())
        {
            caller.gets(&[answer(first), go_away(first)].concat());
        }
        while let Some(stream) = caller.asks() {
            caller.gets(&answer(stream));
        }
    });
    let load = Load::Closed { clients: 2, length: milliseconds(50), seed: 1 };
    let (slice, requests) = run(&service(address, 1, 2), load);
    let answered = slice.all().answered;
    assert!(requests.len() > 2 && answered as usize == requests.len(), "{:?}", slice.all().failures);
    assert_eq!((slice.generator.resent, slice.generator.opened), (1, 1));
}

#[test]
fn a_service_that_goes_away_at_once_fails_and_is_not_asked_again_and_again() {
    let connected = Arc::new(AtomicU64::new(0));
    for goes_at_once in [true, false] {
        let (count, before) = (Arc::clone(&connected), connected.load(Ordering::SeqCst));
        let address = start(&[], move |mut caller| {
            count.fetch_add(1, Ordering::SeqCst);
            if goes_at_once || caller.asks().is_some() {
                caller.gets(&go_away(0));
                // Until he has gone.
                caller.asks();
            }
        });
        let (slice, requests) = ask(&service(address, 1, 1), 200.0, milliseconds(100));
        assert!(requests.len() > 5);
        let cut_off = requests.iter().all(|request| request.outcome == failed(RequestFailure::CutOff));
        assert!(cut_off, "{:?}", slice.all().failures);
        let connections = connected.load(Ordering::SeqCst) - before;
        assert!(connections <= requests.len() as u64 + 2, "{connections} for {}", requests.len());
    }
}

#[test]
fn a_request_that_is_reset_fails_and_its_connection_stays() {
    let address = start(&[], |mut caller| {
        while let Some(stream) = caller.asks() {
            let reset = stream % 4 == 1;
            caller.gets(&if reset { frame(RESET, 0, stream, &[0, 0, 0, 7]) } else { answer(stream) });
        }
    });
    let (slice, requests) = ask(&service(address, 1, 1), 400.0, milliseconds(100));
    let all = slice.all();
    assert_eq!(all.failures.get(&RequestFailure::Reset), Some(&all.planned.div_ceil(2)));
    assert_eq!((all.answered + all.failed(), slice.generator.opened), (requests.len() as u64, 0));
}

#[test]
fn one_answer_that_never_comes_does_not_end_the_others() {
    let address = start(&[], |mut caller| {
        while let Some(stream) = caller.asks() {
            if stream != 5 {
                caller.gets(&answer(stream));
            }
        }
    });
    let service = Service { timeout: milliseconds(50), ..service(address, 1, 2) };
    let (slice, requests) = ask(&service, 300.0, milliseconds(200));
    let all = slice.all();
    // On a machine that stands still another one may be late, too.
    let late = all.failures.get(&RequestFailure::TimedOut).copied().unwrap_or(0);
    assert!((1..requests.len() as u64 / 2).contains(&late), "{:?}", all.failures);
    assert_eq!((all.answered + late, slice.generator.opened), (requests.len() as u64, 0));
}

#[test]
fn a_service_without_http_2_is_said_to_have_none() {
    let http = server::start(|mut caller| while caller.asks() && caller.gets(OK) {});
    let redis = server::start(|mut caller| {
        caller.gets("-ERR unknown command 'PRI'\r\n");
        caller.asks();
    });
    for address in [http, redis] {
        let (slice, requests) = ask(&service(address, 2, 4), 200.0, milliseconds(50));
        assert!(requests.len() > 3);
        let none = requests.iter().all(|request| request.outcome == failed(RequestFailure::NoHttp2));
        assert!(none, "{:?}", slice.all().failures);
    }
}

#[test]
fn a_service_that_never_greets_costs_its_timeout_and_nobody_hangs() {
    let silent = server::start(|mut caller| while caller.asks() {});
    let service = Service { timeout: milliseconds(50), ..service(silent, 1, 4) };
    let (slice, requests) = ask(&service, 200.0, milliseconds(50));
    assert!(requests.len() > 3);
    let late = requests.iter().all(|request| request.outcome == failed(RequestFailure::TimedOut));
    assert!(late, "{:?}", slice.all().failures);
}
