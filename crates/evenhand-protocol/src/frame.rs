//! Where does a message begin and end? A frame is the length of what follows (32 bits), the kind of the message (8 bits),
//! and its body.
//!
//! Tests: `tests/frames.rs`, and the fuzz target `frames`.

use crate::wire::WireError;
use std::io::{self, Read, Write};

/// No frame is longer. The longest that make sense are the results of a hundred thousand turns.
pub const LONGEST: usize = 1 << 24;

/// A message as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What it is.
    pub kind: u8,
    /// What it says.
    pub body: Vec<u8>,
}

impl Frame {
    /// Writes it with one call, so that a reader never waits for its second half.
    ///
    /// # Errors
    /// What the system says; or the frame is longer than [`LONGEST`].
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let length = 1 + self.body.len();
        if length > LONGEST {
            return Err(io::Error::other(WireError::HugeFrame(length as u64)));
        }
        let mut bytes = Vec::with_capacity(4 + length);
        bytes.extend_from_slice(&(length as u32).to_le_bytes());
        bytes.push(self.kind);
        bytes.extend_from_slice(&self.body);
        out.write_all(&bytes)?;
        out.flush()
    }

    /// Waits for a frame. `None` if the stream ends before one begins.
    ///
    /// # Errors
    /// What the system says; or no frame is there.
    pub fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut frames = Frames::default();
        loop {
            if let Some(frame) = frames.next().map_err(io::Error::other)? {
                return Ok(Some(frame));
            }
            let mut bytes = vec![0; frames.wanted()];
            match from.read(&mut bytes) {
                Ok(0) if frames.is_between() => return Ok(None),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => frames.push(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Frames out of bytes that come in pieces of any length.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    bytes: Vec<u8>,
}

/// Length and kind.
const HEAD: usize = 5;

impl Frames {
    /// Takes in the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next frame, if it is there as a whole.
    ///
    /// # Errors
    /// The length is none. Nothing that follows can be trusted.
    #[expect(clippy::should_implement_trait, reason = "it may have more later, which an iterator may not")]
    pub fn next(&mut self) -> Result<Option<Frame>, WireError> {
        let Some(length) = self.length()? else { return Ok(None) };
        if self.bytes.len() < 4 + length {
            return Ok(None);
        }
        let rest = self.bytes.split_off(4 + length);
        let frame = std::mem::replace(&mut self.bytes, rest);
        Ok(Some(Frame { kind: frame[4], body: frame[HEAD..].to_vec() }))
    }

    /// How many bytes are missing until something can be said, at least one.
    fn wanted(&self) -> usize {
        let whole = match self.length() {
            Ok(Some(length)) => 4 + length,
            _ => HEAD,
        };
        whole.saturating_sub(self.bytes.len()).max(1)
    }

    /// Whether no frame has begun.
    fn is_between(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What the length says, once it is there.
    fn length(&self) -> Result<Option<usize>, WireError> {
        let Some(head) = self.bytes.first_chunk::<4>() else { return Ok(None) };
        match u32::from_le_bytes(*head) as usize {
            0 => Err(WireError::EndsEarly),
            long if long > LONGEST => Err(WireError::HugeFrame(long as u64)),
            length => Ok(Some(length)),
        }
    }
}
