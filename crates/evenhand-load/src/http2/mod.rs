//! What is said on a connection of HTTP/2, and what does the service answer? RFC 9113: bytes in, the ends of requests and bytes out.
//!
//! Each request is a stream, of which as many are on their way as the caller has lanes, and as the service allows. Requests without a
//! body need one frame; a body goes as far as the service's windows reach. What comes is counted, not kept. The service gets the
//! largest window that there is, given back by halves, so that it never waits for us: who measures how fast answers come must not
//! slow them down.
//!
//! `GOAWAY` ends a connection in good order: streams up to the one that it names are still answered, the others were never looked at, and
//! go out again on a new connection.
//!
//! | question | file |
//! |---|---|
//! | how is a frame written, and how does one begin? | `frame.rs` |
//! | how are fields written, and which status has an answer? | `fields.rs` |
//!
//! Tests: `tests/http2.rs`, `tests/truth/`.

mod fields;
mod frame;
mod incoming;

use crate::Operation;
use crate::codec::Garbled;
use frame::{END_HEADERS, END_STREAM};

/// Who speaks HTTP/2 from the start says so (3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Our settings (6.5.2): nothing remembered of fields, no pushes, the largest window for each stream.
const OURS: [(u16, u32); 3] = [(1, 0), (2, 0), (4, LARGEST_WINDOW)];
const LARGEST_WINDOW: u32 = (1 << 31) - 1;
/// What a connection's window is before anybody says so, and a stream's (6.9.2).
const USUAL_WINDOW: u32 = 65_535;
/// The longest frame that nobody has to agree to.
const USUAL_FRAME: usize = 16_384;
/// A connection has no numbers for streams beyond this; a new one has.
const LAST_STREAM: u32 = LARGEST_WINDOW - 2;

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEnd {
    /// An answer is whole. Is it what was asked for: 2xx or 3xx?
    Answered { right: bool },
    /// An answer that is none.
    Garbled,
    /// The service has given up this request alone.
    Reset,
    /// The service has never looked at it.
    NotRead,
}

/// One connection.
#[derive(Debug)]
pub struct Http2 {
    https: bool,
    lanes: Vec<Lane>,
    /// What the service sends, as far as it has come.
    incoming: incoming::Incoming,
    /// The service has said how it wants to be asked.
    is_ready: bool,
    /// It wants no more requests on this connection.
    is_leaving: bool,
    next_stream: u32,
    /// How many streams, how long a frame, and how many bytes of bodies it takes: for each new stream, and for all.
    most_streams: u32,
    longest_frame: usize,
    stream_window: i64,
    window: i64,
    /// Bytes that came since the connection's window was given back.
    taken: u32,
}

/// A place for a stream.
#[derive(Debug, Default)]
struct Lane {
    /// 0 if it is free.
    stream: u32,
    status: Option<u16>,
    /// Something of an answer has come.
    has_begun: bool,
    body: Vec<u8>,
    sent: usize,
    window: i64,
    taken: u32,
}

impl Http2 {
    /// For so many requests at a time.
    pub fn new(lanes: usize, https: bool) -> Self {
        Self {
            https,
            lanes: std::iter::repeat_with(Lane::default).take(lanes).collect(),
            incoming: incoming::Incoming::default(),
            is_ready: false,
            is_leaving: false,
            next_stream: 1,
            most_streams: u32::MAX,
            longest_frame: USUAL_FRAME,
            stream_window: i64::from(USUAL_WINDOW),
            window: i64::from(USUAL_WINDOW),
            taken: 0,
        }
    }

    /// Begins a new connection, and says what comes first.
    pub fn open(&mut self, out: &mut Vec<u8>) {
        *self = Self::new(self.lanes.len(), self.https);
        out.extend_from_slice(PREFACE);
        let settings: Vec<u8> = OURS
            .iter()
            .flat_map(|(name, value)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat())
            .collect();
        frame::write(frame::SETTINGS, 0, 0, &settings, out);
        give_back(0, LARGEST_WINDOW - USUAL_WINDOW, out);
    }

    /// Has the service said how it wants to be asked?
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// May another request be sent now?
    pub fn has_room(&self) -> bool {
        self.is_ready && !self.is_leaving && (self.in_use() as u64) < u64::from(self.most_streams)
    }

    /// Is the connection of no use any more?
    pub fn is_over(&self) -> bool {
        self.is_leaving && self.in_use() == 0
    }

    fn in_use(&self) -> usize {
        self.lanes.iter().filter(|lane| lane.stream != 0).count()
    }

    /// Is a request on its way on this lane? If so: has something of its answer come?
    pub fn on_its_way(&self, lane: usize) -> Option<bool> {
        self.lanes.get(lane).filter(|lane| lane.stream != 0).map(|lane| lane.has_begun)
    }

    /// Sends a request on a free lane, as far as it goes; the rest follows as the service makes room.
    pub fn begin(&mut self, lane: usize, operation: &Operation, draw: u64, out: &mut Vec<u8>) {
        let (Some(http), Some(place)) = (operation.as_http(), self.lanes.get_mut(lane)) else { return };
        let mut fields = Vec::new();
        *place = Lane { stream: self.next_stream, window: self.stream_window, ..Lane::default() };
        fields::write(http, self.https, draw, &mut fields, &mut place.body);
        let ends = if place.body.is_empty() { END_STREAM } else { 0 };
        write_fields(place.stream, ends, &fields, self.longest_frame, out);
        self.next_stream += 2;
        self.is_leaving |= self.next_stream > LAST_STREAM;
        self.send_body(lane, out);
    }

    /// Gives a request up.
    pub fn cancel(&mut self, lane: usize, out: &mut Vec<u8>) {
        let Some(place) = self.lanes.get_mut(lane).filter(|lane| lane.stream != 0) else { return };
        abandon(place.stream, out);
        *place = Lane::default();
    }

    /// Sends what is left of a body, as far as the windows reach.
    fn send_body(&mut self, lane: usize, out: &mut Vec<u8>) {
        let Lane { stream, body, sent, window, .. } = &mut self.lanes[lane];
        while *sent < body.len() {
            let room = (*window).min(self.window).max(0) as usize;
            let length = room.min(self.longest_frame).min(body.len() - *sent);
            if length == 0 {
                return;
            }
            let rest = &body[*sent..*sent + length];
            *sent += length;
            let flags = if *sent == body.len() { END_STREAM } else { 0 };
            frame::write(frame::DATA, flags, *stream, rest, out);
            *window -= length as i64;
            self.window -= length as i64;
        }
    }

    fn send_bodies(&mut self, out: &mut Vec<u8>) {
        (0..self.lanes.len()).for_each(|lane| self.send_body(lane, out));
    }
}

/// The fields of a request, in as many frames as it takes (6.10).
fn write_fields(stream: u32, flags: u8, fields: &[u8], longest: usize, out: &mut Vec<u8>) {
    let mut parts = fields.chunks(longest).peekable();
    let mut kind = (frame::HEADERS, flags);
    while let Some(part) = parts.next() {
        let last = if parts.peek().is_none() { END_HEADERS } else { 0 };
        frame::write(kind.0, kind.1 | last, stream, part, out);
        kind = (frame::CONTINUATION, 0);
    }
}

/// Makes room for so many more bytes (6.9).
fn give_back(stream: u32, bytes: u32, out: &mut Vec<u8>) {
    frame::write(frame::WINDOW, 0, stream, &bytes.to_be_bytes(), out);
}

/// Says that nobody waits for a stream any more: `CANCEL` (7).
fn abandon(stream: u32, out: &mut Vec<u8>) {
    frame::write(frame::RESET, 0, stream, &8_u32.to_be_bytes(), out);
}
