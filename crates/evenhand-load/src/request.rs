//! What became of a request? Its moments, in nanoseconds from the start of the slice, and its end.
//!
//! ```text
//! planned ──────── free ──────── taken ──────── sent ──────── ended
//!          waited         late          connecting    service
//! └────────────────────────── response ────────────────────────────┘
//! ```
//!
//! It waits while no connection is free for it: that is the service's doing, who has not answered on any. It is late while one is free
//! and we have not come to send it: that is ours. A response has all of it.
//!
//! Tests: `tests/truth/`.

use std::fmt;

/// A request that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Its place among the operations of the service.
    pub operation: usize,
    /// When it was due.
    pub planned: u64,
    /// From when on it could have been sent: it was due, and a connection was free.
    pub free: u64,
    /// When we came to send it.
    pub taken: u64,
    /// When the first byte was sent: later, if a connection had to be opened. `None` if none was.
    pub sent: Option<u64>,
    /// When its answer was whole, or nobody waited for it any more.
    pub ended: u64,
    /// How it ended.
    pub outcome: Outcome,
}

impl Request {
    /// From when it was due until it ended.
    pub fn response(&self) -> u64 {
        self.ended - self.planned
    }

    /// For how long no connection was free.
    pub fn waited(&self) -> u64 {
        self.free - self.planned
    }

    /// For how long we did not come to send it.
    pub fn late(&self) -> u64 {
        self.taken - self.free
    }

    /// From when it was sent until it ended.
    pub fn service(&self) -> Option<u64> {
        self.sent.map(|sent| self.ended - sent)
    }
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With the answer that it asked for.
    Answered,
    /// Without it.
    Failed(RequestFailure),
}

/// What went wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestFailure {
    /// Nobody listens there.
    Refused,
    /// There is no way there.
    Unreachable,
    /// The connection ended before the answer did.
    CutOff,
    /// No answer in time.
    TimedOut,
    /// An answer that says no: a status of 4xx or 5xx, an error of Redis.
    Wrong,
    /// Bytes that are no answer.
    Garbled,
    /// We had no port or file left for a connection.
    NoSocket,
    /// On its way when the drain ended.
    Unanswered,
    /// A stream of HTTP/2 that the service has ended without an answer.
    Reset,
    /// A service that speaks no HTTP/2 here.
    NoHttp2,
    /// A service that speaks no TLS here.
    NoTls,
    /// No handshake of TLS that both sides agree to.
    Handshake,
    /// A certificate that nobody whom we trust stands for.
    Untrusted,
    /// A certificate whose time is over.
    Expired,
    /// A certificate for another host.
    OtherName,
}

impl fmt::Display for RequestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "connection refused",
            Self::Unreachable => "no route to the host",
            Self::CutOff => "connection closed before the answer",
            Self::TimedOut => "no answer in time",
            Self::Wrong => "error answer",
            Self::Garbled => "unreadable answer",
            Self::NoSocket => "no free port or file on this side",
            Self::Unanswered => "no answer before the end",
            Self::Reset => "stream reset by the service",
            Self::NoHttp2 => "no HTTP/2",
            Self::NoTls => "no TLS",
            Self::Handshake => "TLS handshake failed",
            Self::Untrusted => "certificate not trusted",
            Self::Expired => "certificate expired",
            Self::OtherName => "certificate for another host",
        })
    }
}

impl RequestFailure {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Refused,
        Self::Unreachable,
        Self::CutOff,
        Self::TimedOut,
        Self::Wrong,
        Self::Garbled,
        Self::NoSocket,
        Self::Unanswered,
        Self::Reset,
        Self::NoHttp2,
        Self::NoTls,
        Self::Handshake,
        Self::Untrusted,
        Self::Expired,
        Self::OtherName,
    ];
}
