//! How is a file unpacked that was compressed with zstd? Frame by frame: a file may hold several, and some that are to be
//! skipped, as pzstd writes them.
//!
//! A frame says how far back it refers (its window), and as much is kept in memory. `zstd -19` needs 8 MiB; the frames of
//! `--long=31` would take 2 GiB, and what needs more than [`LARGEST_WINDOW`] is refused before it is unpacked.
//!
//! Format: RFC 8878, 3.1.
//!
//! Tests: `tests/formats/import/encoding.rs`.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufReader, Cursor, Read};

/// The length of the number with which a frame begins.
pub(super) const MARK: usize = 4;

const LARGEST_WINDOW: u64 = 32 << 20;

/// Whether a file that starts so is one of zstd: with a frame, or with one to be skipped.
pub(super) fn begins(start: &[u8]) -> bool {
    start == b"\x28\xb5\x2f\xfd" || matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18])
}

/// What a file of zstd holds.
pub(super) struct Zstd<R> {
    input: BufReader<R>,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: Read> Zstd<R> {
    pub(super) fn new(input: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        Self { input: BufReader::new(input), decoder, in_frame: false }
    }

    /// Goes to the next frame that holds something; `false` at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        let mut mark = Vec::with_capacity(MARK);
        self.input.by_ref().take(MARK as u64).read_to_end(&mut mark)?;
        if mark.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(Cursor::new(mark).chain(&mut self.input)) {
            Ok(()) => self.in_frame = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                self.skip(length.into())?;
            }
            Err(error) => return Err(broken(error)),
        }
        Ok(true)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
        if skipped == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn go_on(&mut self) -> io::Result<()> {
        if !self.decoder.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            self.decoder.decode_blocks(&mut self.input, one).map_err(broken)?;
            return Ok(());
        }
        self.in_frame = false;
        let written = self.decoder.get_checksum_from_data();
        match written.is_none() || written == self.decoder.get_calculated_checksum() {
            true => Ok(()),
            false => Err(damaged("its content does not match its checksum")),
        }
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.in_frame || self.begin_frame()? {
            match self.decoder.read(buffer)? {
                0 if self.in_frame => self.go_on()?,
                0 => {}
                read => return Ok(read),
            }
        }
        Ok(0)
    }
}

fn broken(error: FrameDecoderError) -> io::Error {
    match error {
        FrameDecoderError::WindowSizeTooBig { .. } => damaged(
            "packed with a window above 32 MiB, as zstd --long and --ultra do; unpack it yourself with unzstd --long=31",
        ),
        other => damaged(&format!("its zstd frames are damaged or cut off: {other}")),
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
