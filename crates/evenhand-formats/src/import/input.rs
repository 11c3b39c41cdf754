//! What does a reader of a format get?

use std::io::{BufReader, Read};

/// How much of a file the recognisers see.
pub const HEAD_BYTES: usize = 64 * 1024;

/// A file as the readers get it: unpacked, in UTF-8 if it is text.
pub(super) type Input<'a> = BufReader<Box<dyn Read + 'a>>;
