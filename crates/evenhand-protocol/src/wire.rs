//! How do numbers and texts become bytes? Little-endian; a text and a list begin with their length as 32 bits.
//!
//! Tests: `tests/messages.rs`, and the fuzz target `frames`.

use std::fmt;

/// Why bytes are no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireError {
    /// They end in the middle of something.
    EndsEarly,
    /// Something follows that does not belong there.
    TooLong(usize),
    /// A text that is not UTF-8.
    NotText,
    /// A number that stands for nothing here.
    Unknown {
        /// What it should say.
        what: &'static str,
        /// What it says.
        number: u64,
    },
    /// A frame longer than [`LONGEST`](crate::frame::LONGEST).
    HugeFrame(u64),
    /// It does not begin as a hello does.
    NoHello,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndsEarly => f.write_str("a message that ends early"),
            Self::TooLong(rest) => write!(f, "a message with {rest} bytes too many"),
            Self::NotText => f.write_str("a text that is not UTF-8"),
            Self::Unknown { what, number } => write!(f, "{number} for {what}, which has no meaning"),
            Self::HugeFrame(length) => write!(f, "a frame of {length} bytes, which is too long"),
            Self::NoHello => f.write_str("something other than a hello"),
        }
    }
}

impl std::error::Error for WireError {}

/// Writes the parts of a message one after the other.
#[derive(Debug, Clone, Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// A byte.
    pub fn u8(&mut self, number: u8) -> &mut Self {
        self.raw(&[number])
    }

    /// Two bytes.
    pub fn u16(&mut self, number: u16) -> &mut Self {
        self.raw(&number.to_le_bytes())
    }

    /// Four bytes.
    pub fn u32(&mut self, number: u32) -> &mut Self {
        self.raw(&number.to_le_bytes())
    }

    /// Eight bytes.
    pub fn u64(&mut self, number: u64) -> &mut Self {
        self.raw(&number.to_le_bytes())
    }

    /// Eight bytes, as IEEE 754 has them.
    pub fn f64(&mut self, number: f64) -> &mut Self {
        self.u64(number.to_bits())
    }

    /// The length in bytes, then UTF-8.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.length(text.len()).raw(text.as_bytes())
    }

    /// How many follow, then each of them.
    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.length(items.len());
        for item in items {
            write(self, item);
        }
        self
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// A frame is far shorter than 32 bits can say; one that is not is refused where it is sent.
    fn length(&mut self, length: usize) -> &mut Self {
        self.u32(u32::try_from(length).unwrap_or(u32::MAX))
    }
}

/// Reads the parts of a message one after the other.
#[derive(Debug, Clone)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// From the beginning of a message.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Result<u64, WireError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Eight bytes, as IEEE 754 has them.
    pub fn f64(&mut self) -> Result<f64, WireError> {
        self.u64().map(f64::from_bits)
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, WireError> {
        let length = self.u32()? as usize;
        let bytes = self.raw(length)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| WireError::NotText)
    }

    /// A list. Memory grows with what is there, not with the length that is claimed.
    pub fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, WireError>,
    ) -> Result<Vec<T>, WireError> {
        let length = self.u32()?;
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// So many bytes as they are.
    pub fn raw(&mut self, length: usize) -> Result<&'a [u8], WireError> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(WireError::EndsEarly)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// That was all.
    pub fn end(self) -> Result<(), WireError> {
        if self.0.is_empty() { Ok(()) } else { Err(WireError::TooLong(self.0.len())) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(WireError::EndsEarly)?;
        self.0 = rest;
        Ok(*bytes)
    }
}
