//! Any bytes are accepted as HTTP/2 or refused, and the answer does not depend on where they are cut.
#![no_main]

use evenhand_load::Operation;
use evenhand_load::codec::Garbled;
use evenhand_load::http2::{Http2, StreamEnd};
use libfuzzer_sys::fuzz_target;

/// Settings of a server, so that the rest is heard.
const GREETING: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

fuzz_target!(|input: &[u8]| {
    let Some((cut, bytes)) = input.split_first() else { return };
    let halves = bytes.split_at(usize::from(*cut) % (bytes.len() + 1));
    assert_eq!(said(&[halves.0, halves.1]), said(&[bytes]));
});

fn said(pieces: &[&[u8]]) -> (Result<(), Garbled>, Vec<(usize, StreamEnd)>, Vec<u8>) {
    let (mut http2, mut out, mut ends) = (Http2::new(2, false), Vec::new(), Vec::new());
    http2.open(&mut out);
    let _ = http2.take(GREETING, &mut out, &mut ends);
    let get = Operation::http("GET", "localhost", "/");
    (0..2).for_each(|lane| http2.begin(lane, &get, 1, &mut out));
    let taken = pieces.iter().try_for_each(|piece| http2.take(piece, &mut out, &mut ends));
    (taken, ends, out)
}
