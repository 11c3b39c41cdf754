//! How is a table kept from taking all memory? A row that goes on for too long is an open quote, and no row.
//!
//! Tests: `tests/formats/import/columns.rs`.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// A row longer than this is no row: an open quote would otherwise swallow the whole file into memory.
const LONGEST_ROW: u64 = 1 << 20;

/// Input that stops when one row goes on for too long.
pub(super) struct Leash<R> {
    input: R,
    rest: Rc<Rest>,
}

/// What was seen of the input.
pub(super) struct Rest {
    /// As many bytes may the row at hand still have.
    allowance: Cell<u64>,
    end: Cell<bool>,
}

impl<R: Read> Leash<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, rest: Rc::new(Rest { allowance: Cell::new(LONGEST_ROW), end: Cell::new(false) }) }
    }

    pub(super) fn rest(&self) -> Rc<Rest> {
        Rc::clone(&self.rest)
    }
}

impl Rest {
    /// A row was taken: whether it had a line end. Then it was taken before the end of the file was seen.
    pub(super) fn row_ended(&self) -> bool {
        self.allowance.set(LONGEST_ROW);
        !self.end.get()
    }
}

impl<R: Read> Read for Leash<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.rest.end.set(read == 0);
        match self.rest.allowance.get().checked_sub(read as u64) {
            Some(left) => self.rest.allowance.set(left),
            None => return Err(io::Error::other("a row longer than 1 MiB; is a quote left open?")),
        }
        Ok(read)
    }
}
