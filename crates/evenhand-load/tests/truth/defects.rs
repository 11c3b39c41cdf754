//! Services that do one thing wrong. Each request is still counted, under what went wrong.

use super::server::{self, OK};
use super::{ask, milliseconds, run, service};
use evenhand_load::{
    Http, Load, Operation, Outcome, Percentile, Protocol, Request, RequestFailure, Service, Slice, Text,
};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const SHORT: std::time::Duration = milliseconds(200);

fn failures(slice: &Slice, failure: RequestFailure) -> u64 {
    slice.all().failures.get(&failure).copied().unwrap_or(0)
}

/// All failed, and for this reason.
fn all_failed(slice: &Slice, failure: RequestFailure) {
    let all = slice.all();
    assert!(all.planned > 10);
    assert_eq!(failures(slice, failure), all.planned, "{:?}", all.failures);
    assert_eq!(all.response_at(0.01), Some(Percentile::Failed));
}

#[test]
fn nobody_listens() {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let (slice, requests) = ask(&service(address, 4), 200.0, SHORT);
    all_failed(&slice, RequestFailure::Refused);
    assert!(requests.iter().all(|request| request.sent.is_none()));
    // Clients who are refused rest before they ask again.
    let load = Load::Closed { clients: 2, length: SHORT, seed: 1 };
    let (slice, requests) = run(&service(address, 2), load);
    assert_eq!(failures(&slice, RequestFailure::Refused), requests.len() as u64);
    assert!((2..=40).contains(&requests.len()), "{}", requests.len());
}

#[test]
fn no_answer_ever_comes() {
    let address = server::start(|mut caller| while caller.asks() {});
    let service = Service { timeout: milliseconds(50), ..service(address, 64) };
    let (slice, requests) = ask(&service, 200.0, SHORT);
    all_failed(&slice, RequestFailure::TimedOut);
    assert!(requests.iter().all(|request| request.ended - request.taken >= 50_000_000));
}

#[test]
fn an_answer_drips_and_never_ends() {
    let address = server::start(|mut caller| {
        while caller.asks() {
            let drops = "HTTP/1.1 200 OK\r\nX-Padding: and so on and so on".as_bytes().chunks(1);
            let drop = |byte: &[u8]| caller.gets(&String::from_utf8_lossy(byte));
            drops.map(drop).take_while(|there| *there).for_each(|_| thread::sleep(milliseconds(10)));
        }
    });
    let service = Service { timeout: milliseconds(100), ..service(address, 64) };
    all_failed(&ask(&service, 200.0, SHORT).0, RequestFailure::TimedOut);
}

#[test]
fn the_answer_is_a_wrong_status() {
    let address = server::answering("HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
    let (slice, _) = ask(&service(address, 4), 200.0, SHORT);
    all_failed(&slice, RequestFailure::Wrong);
    // Its connection is as good as before.
    assert_eq!(slice.generator.opened, 0);
}

fn posting(body: &[u8]) -> Operation {
    let (method, host) = ("POST".to_owned(), "localhost".to_owned());
    let (path, body) = (Text::plain("/"), Text::plain(body));
    Operation::of_http("/", Http { method, host, path, headers: Vec::new(), body })
}

#[test]
fn a_request_that_is_too_large_is_answered_before_it_is_sent() {
    let address = server::start(|mut caller| {
        let answer = "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = caller.asks() && caller.gets(answer);
    });
    let body = vec![b'x'; 8 << 20];
    let post = posting(&body);
    let service = Service { operations: vec![post], ..service(address, 4) };
    all_failed(&ask(&service, 100.0, SHORT).0, RequestFailure::Wrong);
}

#[test]
fn the_answer_is_cut_off_in_the_middle() {
    let address = server::start(|mut caller| {
        if caller.asks() {
            caller.gets("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of");
        }
    });
    let (slice, _) = ask(&service(address, 4), 200.0, SHORT);
    all_failed(&slice, RequestFailure::CutOff);
    assert_eq!(slice.generator.resent, 0, "the service had read them");
}

#[test]
fn an_answer_that_has_begun_is_not_asked_for_again() {
    let address = server::start(|mut caller| {
        let _ = caller.asks() && caller.gets(OK) && caller.asks() && caller.gets("HTTP/1.1 200 O");
    });
    let (slice, _) = ask(&service(address, 4), 500.0, SHORT);
    let (cut, planned) = (failures(&slice, RequestFailure::CutOff), slice.all().planned);
    assert!(cut > planned / 3 && slice.generator.resent == 0, "{cut} of {planned}");
    assert_eq!(slice.all().answered, planned - cut);
}

#[test]
fn a_connection_is_closed_as_soon_as_it_is_open() {
    let (slice, _) = ask(&service(server::start(drop), 4), 200.0, SHORT);
    all_failed(&slice, RequestFailure::CutOff);
}

#[test]
fn the_answer_is_none() {
    let (slice, _) = ask(&service(server::answering("220 mail ready\r\n"), 4), 200.0, SHORT);
    all_failed(&slice, RequestFailure::Garbled);
}

#[test]
fn one_in_ten_fails_and_is_slower_than_all_others() {
    let count = Arc::new(AtomicU64::new(0));
    let address = server::start(move |mut caller| {
        while caller.asks() {
            let is_tenth = count.fetch_add(1, Ordering::Relaxed).is_multiple_of(10);
            let wrong = "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n";
            if !caller.gets(if is_tenth { wrong } else { OK }) {
                return;
            }
        }
    });
    let (slice, requests) = ask(&service(address, 4), 1000.0, SHORT);
    let all = slice.all();
    assert_eq!(failures(&slice, RequestFailure::Wrong), all.planned.div_ceil(10));
    assert!(matches!(all.response_at(0.8), Some(Percentile::Answered(_))));
    assert_eq!(all.response_at(0.95), Some(Percentile::Failed));
    assert_eq!(all.response.count(), requests.len() as u64 - all.failed());
}

#[test]
fn what_waits_when_the_drain_ends_is_unsent_and_what_was_sent_is_unanswered() {
    let address = server::start(|mut caller| while caller.asks() {});
    let service = Service { drain: milliseconds(50), ..service(address, 3) };
    let (slice, _) = ask(&service, 500.0, SHORT);
    let all = slice.all();
    assert_eq!((failures(&slice, RequestFailure::Unanswered), all.failed()), (3, 3));
    assert_eq!(all.unsent, all.planned - 3);
    assert!(slice.waiting_at_end >= all.unsent && all.unsent > 10);
    assert!(slice.elapsed >= 250_000_000);
}

/// All were answered, on so many new connections as there were requests, and opening them is part of the response.
fn each_on_its_own(slice: &Slice, requests: &[Request]) {
    let all = slice.all();
    assert!(all.planned > 10 && all.answered == all.planned, "{:?}", all.failures);
    let opened = slice.generator.opened;
    assert!(opened + 4 >= all.planned, "{opened} for {}", all.planned);
    let longer = requests.iter().filter(|request| request.sent > Some(request.taken));
    assert!(longer.count() as u64 + 4 >= all.planned);
}

#[test]
fn a_connection_that_is_announced_to_close_is_opened_again() {
    let address = server::start(|mut caller| {
        let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
        let _ = caller.asks() && caller.gets(answer);
    });
    let (slice, requests) = ask(&service(address, 4), 200.0, SHORT);
    each_on_its_own(&slice, &requests);
    assert_eq!(slice.generator.resent, 0);
}

#[test]
fn an_answer_that_ends_with_its_connection_is_whole() {
    let address = server::start(|mut caller| {
        let _ = caller.asks() && caller.gets("HTTP/1.0 200 OK\r\n\r\nall of it");
    });
    let (slice, requests) = ask(&service(address, 4), 200.0, SHORT);
    each_on_its_own(&slice, &requests);
}

#[test]
fn a_connection_that_closes_without_a_word_costs_a_new_one_and_no_failure() {
    let address = server::start(|mut caller| {
        let _ = caller.asks() && caller.gets(OK);
    });
    let (slice, requests) = ask(&service(address, 4), 200.0, SHORT);
    each_on_its_own(&slice, &requests);
    // On one connection the next request often meets the end of it; it is sent again, and its response counts from the plan.
    let (slice, _) = ask(&service(address, 1), 20_000.0, milliseconds(20));
    let all = slice.all();
    assert!(slice.generator.resent <= slice.generator.opened);
    assert_eq!(all.answered + all.unsent, all.planned, "{:?}", all.failures);
}

#[test]
fn a_request_that_may_not_come_twice_is_not_sent_again() {
    let address = server::start(|mut caller| {
        // It closes when the second request is there, without having read it to its end.
        let _ = caller.asks() && caller.gets(OK) && caller.sends_lines(1);
    });
    let post = posting(b"");
    let ask_with =
        |operation| ask(&Service { operations: vec![operation], ..service(address, 1) }, 200.0, SHORT);
    let (posted, _) = ask_with(post);
    assert!(failures(&posted, RequestFailure::CutOff) > 5 && posted.generator.resent == 0);
    let (got, _) = ask_with(Operation::http("GET", "localhost", "/"));
    assert!(got.generator.resent > 5 && got.all().failed() == 0, "{:?}", got.all().failures);
}

#[test]
fn chunks_of_several_writes_are_one_answer() {
    let address = server::start(|mut caller| {
        while caller.asks() {
            let parts =
                ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhel", "lo\r\n", "0\r\n\r\n"];
            for part in parts {
                caller.gets(part);
                thread::sleep(milliseconds(1));
            }
        }
    });
    let (slice, requests) = ask(&service(address, 16), 200.0, SHORT);
    assert_eq!(slice.all().answered, slice.all().planned);
    assert!(requests.iter().all(|request| request.service().unwrap() >= 3_000_000));
}

#[test]
fn an_answer_of_many_megabytes_is_read_to_its_end() {
    let address = server::start(|mut caller| {
        let body = "x".repeat(3 << 20);
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        while caller.asks() && caller.gets(&answer) {}
    });
    let (slice, _) = ask(&service(address, 2), 100.0, SHORT);
    assert!(slice.all().answered > 5 && slice.all().failed() == 0);
}

#[test]
fn redis_answers_each_operation_with_its_own_results() {
    let address = server::start(|mut caller| {
        // A command of one word is three lines, one of two words five.
        while caller.sends_lines(3) && caller.gets("+PONG\r\n") {}
    });
    let operations = vec![Operation::redis(&["PING"])];
    let redis = Service { operations, connections: 2, ..Service::new(address, Protocol::Redis) };
    let (slice, _) = ask(&redis, 500.0, SHORT);
    assert!(slice.all().answered > 20 && slice.all().failed() == 0);

    let failing = server::start(|mut caller| while caller.sends_lines(3) && caller.gets("-ERR no\r\n") {});
    let mix = ["PING", "TIME"].map(|word| Operation::redis(&[word])).to_vec();
    let (slice, requests) = ask(&Service { address: failing, operations: mix, ..redis }, 500.0, SHORT);
    all_failed(&slice, RequestFailure::Wrong);
    for (place, tally) in slice.operations.iter().enumerate() {
        let own = requests.iter().filter(|request| request.operation == place);
        let own = own.filter(|request| request.outcome == Outcome::Failed(RequestFailure::Wrong));
        assert!(tally.planned > 5 && tally.planned == own.count() as u64, "{}", tally.name);
    }
}
