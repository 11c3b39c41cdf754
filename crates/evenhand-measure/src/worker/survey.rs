//! What can a worker run, and how long does that take? Each benchmark that is wanted is made ready once, before anything is
//! measured, so that what is broken is known at the beginning.
//!
//! Tests: `tests/worker/`.

use super::error::{WorkerError, WorkerErrorKind};
use super::iterations::Iterations;
use super::peer::{LIST, Peer, WorkerCommand};
use super::{GREETING, READY};
use crate::command::Interrupt;
use evenhand_protocol::message::{Benchmark, Hello, Prepared};

/// What was found.
#[derive(Debug)]
pub struct Survey {
    /// Who the worker is.
    pub hello: Hello,
    /// All that was wanted, in the worker's order.
    pub benchmarks: Vec<Surveyed>,
}

/// One benchmark.
#[derive(Debug)]
pub struct Surveyed {
    /// Its place in the worker's list.
    pub place: u32,
    /// What the worker says of it.
    pub benchmark: Benchmark,
    /// How often its author wants it to run in one turn.
    pub iterations: Option<Iterations>,
    /// What is known since it was ready; or why it never was.
    pub prepared: Result<Prepared, WorkerError>,
}

/// Asks a worker for what it can run, and makes ready what is wanted of it.
///
/// # Errors
/// The worker is of no use, or the user had enough.
pub fn survey(
    launch: &WorkerCommand,
    wanted: &dyn Fn(&str) -> bool,
    interrupt: &Interrupt,
) -> Result<Survey, WorkerError> {
    let mut peer = Peer::start(launch, None, interrupt)?;
    let hello = peer.greet(GREETING)?;
    let listed = (0..).zip(peer.list(READY)?).filter(|(_, benchmark)| wanted(&benchmark.name));
    let mut benchmarks = Vec::new();
    for (place, mut benchmark) in listed.collect::<Vec<_>>() {
        let iterations = Iterations::take_from(&mut benchmark.parameters)
            .map_err(|wrong| peer.fault(LIST, WorkerErrorKind::Implausible(wrong)))?;
        let prepared = peer.prepare(place, READY).and_then(|prepared| peer.finish(READY).map(|()| prepared));
        match &prepared {
            Err(WorkerError { what: WorkerErrorKind::Interrupted, .. }) => {
                return prepared.map(|_| Survey { hello, benchmarks });
            }
            // It has taken the worker with it; the others are innocent.
            Err(WorkerError { what, .. }) if !matches!(what, WorkerErrorKind::Refused(_)) => {
                peer = Peer::start(launch, None, interrupt)?;
                peer.greet(GREETING)?;
            }
            _ => {}
        }
        benchmarks.push(Surveyed { place, benchmark, iterations, prepared });
    }
    Ok(Survey { hello, benchmarks })
}
