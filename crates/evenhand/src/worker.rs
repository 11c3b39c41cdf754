//! How is the host served? See `docs/protocol.md`. A benchmark that is asked for gets a [`Session`] to run in.
//!
//! Tests: `tests/worker.rs`.

use crate::bench::{Bench, empty_iteration};
use crate::registry::Entry;
use crate::session::Session;
use evenhand_protocol::message::{Answer, Benchmark, Request};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Serves a host until it says bye or goes away.
pub(crate) fn serve(session: &mut Session, entries: &[Entry]) {
    while !session.has_ended() {
        match session.next() {
            None | Some(Request::Bye) => return,
            Some(Request::Hello { .. }) => {
                let gate = session.gate(0, None, false);
                let empty = empty_iteration(gate, |span| session.ticks(span));
                session.greet(empty);
            }
            Some(Request::List) => {
                session.answer(&Answer::Benchmarks(entries.iter().map(described).collect()));
            }
            Some(Request::Prepare { benchmark }) => match entries.get(benchmark as usize) {
                Some(entry) => prepare(session, entry),
                None => session.fail(&format!("no benchmark {benchmark} here")),
            },
            Some(Request::Run(_) | Request::Finish) => {
                session.fail("no benchmark is ready: prepare one first");
            }
        }
    }
}

fn described(entry: &Entry) -> Benchmark {
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    Benchmark {
        name: entry.name.clone(),
        group: entry.group().to_owned(),
        baseline: entry.is_baseline(),
        parameters: entry.parameters().map(owned).collect(),
    }
}

/// Calls a benchmark, which serves the host from then on.
fn prepare(session: &mut Session, entry: &Entry) {
    if let Err(why) = called(session, entry) {
        session.fail(&why);
    }
}

/// Runs a benchmark once, without a host.
///
/// # Errors
/// It panicked, or ran nothing.
pub(crate) fn once(entry: &Entry) -> Result<(), String> {
    called(&mut Session::alone(), entry)
}

fn called(session: &mut Session, entry: &Entry) -> Result<(), String> {
    session.begin();
    match catch_unwind(AssertUnwindSafe(|| entry.run(Bench::new(session)))) {
        Ok(()) if session.has_served() => Ok(()),
        Ok(()) => Err("it measured nothing: a benchmark must call `run` of its Bench".to_owned()),
        Err(panic) => Err(format!("panicked: {}", words_of(panic.as_ref()))),
    }
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}
