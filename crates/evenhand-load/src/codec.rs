//! What does a codec do? It reads answers from bytes, however they are cut into pieces, and knows nothing of sockets.
//!
//! Tests: `tests/answers.rs`.

use crate::Operation;

/// Reads the answers of one connection, one at a time.
pub trait Codec {
    /// A request was sent: its answer comes next.
    fn begin(&mut self, operation: &Operation);

    /// Takes in bytes. The answer, once it is whole.
    ///
    /// # Errors
    /// If no answer looks like this.
    fn take(&mut self, bytes: &[u8]) -> Result<Option<WholeAnswer>, Garbled>;

    /// The service has closed the connection. The answer, if that was its end.
    fn close(&mut self) -> Option<WholeAnswer>;
}

/// A whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeAnswer {
    /// Is it what was asked for? Of HTTP 2xx and 3xx; of Redis all but an error.
    pub right: bool,
    /// Can the connection be used again?
    pub stays_open: bool,
}

/// Bytes that are no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Garbled;
