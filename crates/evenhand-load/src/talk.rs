//! What is said on a connection? One request at a time, whose answer a codec reads, or many as streams of HTTP/2: bytes in, the ends of
//! requests and bytes out.
//!
//! Requests have lanes: lane 0 alone, or as many as there are streams.
//!
//! Tests: `tests/truth/`.

use crate::codec::{Codec, Garbled};
use crate::http::HttpCodec;
use crate::http2::{Http2, StreamEnd};
use crate::redis::RedisCodec;
use crate::{Operation, Protocol, RequestFailure};

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Is it what was asked for?
    Answered {
        right: bool,
    },
    Failed(RequestFailure),
    /// Nobody has read it: the connection had ended before.
    Stale,
}

/// Ends of requests, with their lanes.
pub(crate) type Ends = Vec<(usize, End)>;

pub(crate) struct Talk {
    voice: Voice,
    /// For each lane whether its request may be sent twice.
    repeatable: Vec<bool>,
    /// Something was answered on this connection.
    used: bool,
    stream_ends: Vec<(usize, StreamEnd)>,
}

enum Voice {
    One(One),
    Http2(Box<Http2>),
}

/// One request at a time.
struct One {
    codec: Box<dyn Codec>,
    on_its_way: bool,
    /// Something of an answer has come.
    has_begun: bool,
    /// The connection can be used again.
    stays_open: bool,
}

impl Talk {
    pub(crate) fn new(protocol: Protocol, lanes: usize, https: bool) -> Self {
        let one = |codec| Voice::One(One { codec, on_its_way: false, has_begun: false, stays_open: true });
        let voice = match protocol {
            Protocol::Http => one(Box::<HttpCodec>::default()),
            Protocol::Redis => one(Box::<RedisCodec>::default()),
            Protocol::Http2 => Voice::Http2(Box::new(Http2::new(lanes, https))),
        };
        Self { voice, repeatable: vec![false; lanes], used: false, stream_ends: Vec::new() }
    }

    /// Begins anew, on a new connection.
    pub(crate) fn open(&mut self, out: &mut Vec<u8>) {
        self.used = false;
        match &mut self.voice {
            Voice::One(one) => (one.on_its_way, one.stays_open) = (false, true),
            Voice::Http2(http2) => http2.open(out),
        }
    }

    /// Has the service said all that it says before the first request?
    pub(crate) fn is_ready(&self) -> bool {
        match &self.voice {
            Voice::One(_) => true,
            Voice::Http2(http2) => http2.is_ready(),
        }
    }

    /// May another request be sent now?
    pub(crate) fn has_room(&self) -> bool {
        match &self.voice {
            Voice::One(one) => !one.on_its_way,
            Voice::Http2(http2) => http2.has_room(),
        }
    }

    /// Is the connection of no use any more?
    pub(crate) fn is_over(&self) -> bool {
        match &self.voice {
            Voice::One(one) => !one.stays_open && !one.on_its_way,
            Voice::Http2(http2) => http2.is_over(),
        }
    }

    /// Was anything answered on this connection?
    pub(crate) fn is_used(&self) -> bool {
        self.used
    }

    pub(crate) fn begin(&mut self, lane: usize, operation: &Operation, draw: u64, out: &mut Vec<u8>) {
        self.repeatable[lane] = operation.repeatable;
        match &mut self.voice {
            Voice::One(one) => {
                (one.on_its_way, one.has_begun) = (true, false);
                one.codec.begin(operation);
                operation.write(draw, out);
            }
            Voice::Http2(http2) => http2.begin(lane, operation, draw, out),
        }
    }

    /// Takes in bytes, if there are any.
    pub(crate) fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>, ends: &mut Ends) -> Result<(), Garbled> {
        if bytes.is_empty() {
            return Ok(());
        }
        match &mut self.voice {
            Voice::One(one) => one.take(bytes, ends)?,
            Voice::Http2(http2) => {
                let taken = http2.take(bytes, out, &mut self.stream_ends);
                let is_answer = |(_, end): &(usize, StreamEnd)| matches!(end, StreamEnd::Answered { .. });
                let used = self.used || self.stream_ends.iter().any(is_answer);
                ends.extend(self.stream_ends.drain(..).map(|(lane, end)| (lane, of_stream(end, used))));
                taken?;
            }
        }
        self.used |= ends.iter().any(|(_, end)| matches!(end, End::Answered { .. }));
        Ok(())
    }

    /// Gives a request up. `false`: then its connection is of no use any more.
    pub(crate) fn give_up(&mut self, lane: usize, out: &mut Vec<u8>) -> bool {
        match &mut self.voice {
            Voice::One(_) => false,
            Voice::Http2(http2) => {
                http2.cancel(lane, out);
                true
            }
        }
    }

    /// The service has closed the connection.
    pub(crate) fn ended(&mut self, ends: &mut Ends) {
        if let Voice::One(one) = &mut self.voice
            && one.on_its_way
            && let Some(answer) = one.codec.close()
        {
            one.on_its_way = false;
            ends.push((0, End::Answered { right: answer.right }));
        }
        self.lost(RequestFailure::CutOff, ends);
    }

    /// The connection is lost, and with it each request on its way; unless it had ended before the request came.
    pub(crate) fn lost(&mut self, failure: RequestFailure, ends: &mut Ends) {
        let used = self.used;
        self.end_all(
            ends,
            |repeatable, has_begun| {
                if repeatable && used && !has_begun { End::Stale } else { End::Failed(failure) }
            },
        );
    }

    /// All requests on their way have failed.
    pub(crate) fn fail(&mut self, failure: RequestFailure, ends: &mut Ends) {
        self.end_all(ends, |_, _| End::Failed(failure));
    }

    fn end_all(&mut self, ends: &mut Ends, end: impl Fn(bool, bool) -> End) {
        for (lane, repeatable) in self.repeatable.iter().enumerate() {
            let has_begun = match &self.voice {
                Voice::One(one) => one.on_its_way.then_some(one.has_begun),
                Voice::Http2(http2) => http2.on_its_way(lane),
            };
            ends.extend(has_begun.map(|has_begun| (lane, end(*repeatable, has_begun))));
        }
    }
}

impl One {
    fn take(&mut self, bytes: &[u8], ends: &mut Ends) -> Result<(), Garbled> {
        // Nobody asked: bytes that answer nothing.
        if !self.on_its_way {
            self.stays_open = false;
            return Ok(());
        }
        self.has_begun = true;
        if let Some(answer) = self.codec.take(bytes)? {
            (self.on_its_way, self.stays_open) = (false, answer.stays_open);
            ends.push((0, End::Answered { right: answer.right }));
        }
        Ok(())
    }
}

/// What became of the request of a stream. A connection that nothing was answered on is not opened again for it.
fn of_stream(end: StreamEnd, used: bool) -> End {
    match end {
        StreamEnd::Answered { right } => End::Answered { right },
        StreamEnd::Garbled => End::Failed(RequestFailure::Garbled),
        StreamEnd::Reset => End::Failed(RequestFailure::Reset),
        StreamEnd::NotRead if used => End::Stale,
        StreamEnd::NotRead => End::Failed(RequestFailure::CutOff),
    }
}
