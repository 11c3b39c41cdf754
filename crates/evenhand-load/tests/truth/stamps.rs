//! When has an answer come? When the kernel had it, even if the generator reads it much later.

use super::server::{self, OK};
use super::{milliseconds, plan, service};
use evenhand_load::{Load, Spacing, run_until};
use rustix::time::{ClockId, clock_gettime};
use std::sync::{Arc, Mutex};
use std::thread;

/// The clock of the generator.
fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[test]
fn an_answer_that_is_read_late_has_come_when_it_was_sent() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let of_server = Arc::clone(&log);
    let address = server::start(move |mut caller| {
        while caller.asks() {
            thread::sleep(milliseconds(2));
            let before = now();
            let is_there = caller.gets(OK);
            of_server.lock().unwrap().push((before, now()));
            if !is_there {
                return;
            }
        }
    });
    let service = service(address, 1);
    let plan = plan(&service, 200.0, milliseconds(1000), Spacing::Random);
    let mut ended = Vec::new();
    // Whoever is asked whether the load is over holds the generator up: for 40 of each 90 milliseconds it reads nothing.
    let hold_up = || {
        thread::sleep(milliseconds(40));
        false
    };
    let slice = run_until(&service, Load::Open(plan), &mut |request| ended.push(request.ended), &hold_up);
    let start = slice.unwrap().start;
    // The server notes an answer after it has been sent.
    (0..100)
        .take_while(|_| log.lock().unwrap().len() < ended.len())
        .for_each(|_| thread::sleep(milliseconds(10)));
    let log = log.lock().unwrap();
    assert!(ended.len() > 50 && ended.len() == log.len(), "{} {}", ended.len(), log.len());
    let moments = || ended.iter().map(|ended| start + ended).zip(log.iter());
    assert!(moments().all(|(ended, (before, _))| ended >= *before), "an answer came before it was sent");
    let read_late = moments().filter(|(ended, (_, after))| *ended > after + 20_000_000).count();
    assert_eq!(read_late, 0, "of {}", ended.len());
}
