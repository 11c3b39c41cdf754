//! Is it said when the generator is the limit, and when the service cannot keep up?

use super::server::{self, OK};
use super::{ask, milliseconds, plan, run, service};
use evenhand_load::{Fact, Load, LoadError, Request, Service, Spacing};
use std::hint;
use std::thread;
use std::time::Duration;

#[test]
fn a_generator_that_is_too_slow_for_the_rate_is_said_to_be() {
    let service = Service { drain: milliseconds(50), ..service(server::answering(OK), 64) };
    let plan = plan(&service, 500.0, milliseconds(800), Spacing::Random);
    // 20 ms of work for each answer: 50 a second at most.
    let mut work = |_: &Request| {
        let until = evenhand_load::now() + 20_000_000;
        while evenhand_load::now() < until {
            hint::spin_loop();
        }
    };
    let slice = evenhand_load::run(&service, Load::Open(plan), &mut work).unwrap();
    let facts = slice.facts();
    assert!(facts.iter().any(|fact| matches!(fact, Fact::GeneratorBusy { .. })), "{facts:?}");
}

#[test]
fn a_service_that_falls_behind_is_said_to() {
    let address = server::start(|mut caller| {
        while caller.asks() {
            thread::sleep(milliseconds(10));
            caller.gets(OK);
        }
    });
    // It can answer 200 a second.
    let (slice, _) = ask(&service(address, 2), 1000.0, milliseconds(400));
    let behind = slice.facts().into_iter().find_map(|fact| match fact {
        Fact::Behind { waiting, planned } => Some((waiting, planned)),
        _ => None,
    });
    let (waiting, planned) = behind.unwrap();
    assert!(waiting >= planned - 82 && planned == slice.all().planned, "{waiting} of {planned}");
    assert_eq!(slice.all().answered, planned, "{:?}", slice.all().failures);
}

#[test]
fn what_cannot_begin_is_refused() {
    let nobody = Service { operations: Vec::new(), ..service(server::answering(OK), 1) };
    let load = |clients, length| Load::Closed { clients, length, seed: 1 };
    let refused = |service: &Service, load| evenhand_load::run(service, load, &mut |_| {}).unwrap_err();
    assert!(matches!(refused(&nobody, load(1, milliseconds(1))), LoadError::NoOperation));
    let service = service(nobody.address, 1);
    let other = Load::Open(plan(&service, 1.0, milliseconds(1), Spacing::Even));
    assert!(matches!(refused(&nobody, other), LoadError::OtherPlan { planned: 1, offered: 0 }));
    let forever = Service { timeout: Duration::MAX, drain: Duration::MAX, ..service.clone() };
    assert_eq!(ask(&forever, 500.0, milliseconds(20)).0.all().failed(), 0);
    assert!(matches!(refused(&service, load(0, milliseconds(1))), LoadError::NoConnections));
    assert!(matches!(refused(&service, load(1, milliseconds(0))), LoadError::NoTime));
}

/// It makes requests punctual, and would take most of a processor at a high rate.
#[test]
fn waiting_awake_takes_a_tenth_of_the_time_and_not_all_between_requests() {
    let service = service(server::start(|mut caller| while caller.asks() && caller.gets(OK) {}), 8);
    let (slice, _) = run(&service, Load::Open(plan(&service, 10_000.0, milliseconds(1000), Spacing::Even)));
    let awake = slice.generator.awake;
    // A machine that stops while it waits awake adds that once.
    assert!(0 < awake && awake <= slice.elapsed / 10 + 100_000_000, "{awake} of {}", slice.elapsed);
}
