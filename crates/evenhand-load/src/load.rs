//! Who is asked, with what means, and how much?
//!
//! Tests: `tests/truth/`.

use crate::{LoadPlan, Operation, Protocol, Tls};
use std::net::SocketAddr;
use std::time::Duration;

/// A service, and how it is asked.
#[derive(Debug, Clone)]
pub struct Service {
    pub address: SocketAddr,
    pub protocol: Protocol,
    /// How it is kept secret, if it is.
    pub tls: Option<Tls>,
    /// What is asked of it.
    pub operations: Vec<Operation>,
    /// Connections, each with as many requests on its way at a time as it has streams. They are opened before the slice; one that ends
    /// is opened again when a request needs it.
    pub connections: usize,
    /// Streams of each connection: more than one in HTTP/2 only.
    pub streams: usize,
    /// For how long an answer is waited for, from when a connection was found for the request.
    pub timeout: Duration,
    /// For how long the last answers are waited for when the load has ended.
    pub drain: Duration,
    /// The first part of the load, which is sent but not counted: a slice that begins with an empty queue shows too little.
    pub lead_in: Duration,
}

impl Service {
    /// A service that nothing is asked of yet, with 64 connections and 5 s for an answer.
    pub fn new(address: SocketAddr, protocol: Protocol) -> Self {
        let patience = Duration::from_secs(5);
        Self {
            address,
            protocol,
            tls: None,
            operations: Vec::new(),
            connections: 64,
            streams: 1,
            timeout: patience,
            drain: patience,
            lead_in: Duration::ZERO,
        }
    }
}

/// More than 584 years are as many.
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// When is something asked?
#[derive(Debug, Clone)]
pub enum Load {
    /// When the plan says so. What users feel, who do not wait for each other.
    Open(LoadPlan),
    /// When the last answer came: clients, each with one stream, who wait for it. What a service can do at most; its response
    /// says nothing of users, because a slow service is asked less.
    Closed { clients: usize, length: Duration, seed: u64 },
}
