//! What of a load counts? Not its lead-in, and what was before somebody ended it.

use super::server::{self, OK};
use super::{milliseconds, plan, service};
use evenhand_load::{Load, Request, Service, Spacing, run_until};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[test]
fn the_lead_in_is_sent_and_not_counted() {
    let seen = Arc::new(AtomicU64::new(0));
    let seen_there = Arc::clone(&seen);
    let address = server::start(move |mut caller| {
        while caller.asks() && caller.gets(OK) {
            seen_there.fetch_add(1, Ordering::SeqCst);
        }
    });
    let service = Service { lead_in: milliseconds(100), ..service(address, 8) };
    let plan = plan(&service, 500.0, milliseconds(400), Spacing::Even);
    let mut shown = Vec::new();
    let slice =
        evenhand_load::run(&service, Load::Open(plan), &mut |request| shown.push(request.planned)).unwrap();
    let all = slice.all();
    assert_eq!((all.planned, all.answered, all.response.count(), shown.len()), (150, 150, 150, 150));
    assert_eq!(shown.iter().min(), Some(&100_000_000));
    assert_eq!(seen.load(Ordering::SeqCst), 200);
    assert!((slice.served() - 500.0).abs() < 1e-9, "{}", slice.served());
}

#[test]
fn a_load_that_is_ended_early_keeps_what_was_answered() {
    let service = service(server::answering(OK), 8);
    let loads = [
        Load::Open(plan(&service, 500.0, Duration::from_secs(600), Spacing::Even)),
        Load::Closed { clients: 2, length: Duration::from_secs(600), seed: 1 },
    ];
    for load in loads {
        let answers = Cell::new(0);
        let mut count = |_: &Request| answers.set(answers.get() + 1);
        let slice = run_until(&service, load, &mut count, &|| answers.get() >= 20).unwrap();
        let all = slice.all();
        assert!(all.planned >= 20 && all.planned == all.answered, "{} of {}", all.answered, all.planned);
        assert!(slice.length < 300_000_000_000, "{}", slice.length);
        assert!(slice.elapsed >= slice.length && slice.served() > 0.0);
    }
}
