//! Whatever a service answers, its codec says something of it, and the same however the bytes are cut.
#![no_main]

use evenhand_load::Operation;
use evenhand_load::codec::{WholeAnswer, Codec, Garbled};
use evenhand_load::http::HttpCodec;
use evenhand_load::redis::RedisCodec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((cut, bytes)) = input.split_first() else { return };
    let halves = bytes.split_at(usize::from(*cut) % (bytes.len() + 1));
    let codecs: [&mut dyn Codec; 2] = [&mut HttpCodec::default(), &mut RedisCodec::default()];
    for codec in codecs {
        let whole = said(codec, &[bytes]);
        assert_eq!(said(codec, &[halves.0, halves.1]), whole);
    }
});

fn said(codec: &mut dyn Codec, pieces: &[&[u8]]) -> Result<Option<WholeAnswer>, Garbled> {
    codec.begin(&Operation::http("GET", "localhost", "/"));
    let mut answer = None;
    for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
        // Nothing comes after an answer.
        if answer.is_some() {
            return Err(Garbled);
        }
        answer = codec.take(piece)?;
    }
    Ok(answer.or_else(|| codec.close()))
}
