//! How is a frame of HTTP/2 written, and how does one begin? RFC 9113, section 4.1: three bytes of length, the kind, its flags, the stream.
//!
//! Tests: `tests/http2.rs`.

/// What a frame begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    /// 0 stands for the connection.
    pub(super) stream: u32,
}

/// Section 6: kinds of frames.
pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RESET: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PUSH: u8 = 5;
pub(super) const PING: u8 = 6;
pub(super) const GO_AWAY: u8 = 7;
pub(super) const WINDOW: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

/// Flags. The first has two meanings: the stream ends here, and "understood" of `SETTINGS` and `PING`.
pub(super) const END_STREAM: u8 = 1;
pub(super) const ACK: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;
pub(super) const PADDED: u8 = 8;
pub(super) const PRIORITISED: u8 = 32;

impl Head {
    pub(super) const LENGTH: usize = 9;

    /// `None` if it is not whole.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let [a, b, c, kind, flags, rest @ ..] = bytes else { return None };
        let length = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        Some(Self { length, kind: *kind, flags: *flags, stream: number(rest)? })
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// A number of 31 bits at the beginning; the highest bit says nothing.
pub(super) fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.first_chunk()?) & 0x7fff_ffff)
}

/// Writes a frame.
pub(super) fn write(kind: u8, flags: u8, stream: u32, payload: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(&(payload.len() as u32).to_be_bytes()[1..]);
    into.extend_from_slice(&[kind, flags]);
    into.extend_from_slice(&stream.to_be_bytes());
    into.extend_from_slice(payload);
}
