//! Reads any bytes as frames of the protocol, cut in pieces, and each frame as a request and as an answer.
#![no_main]

use evenhand_protocol::frame::Frames;
use evenhand_protocol::message::{Answer, Request};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut frames = Frames::default();
    let mut piece = 1;
    let mut rest = bytes;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(piece.min(rest.len()));
        frames.push(now);
        rest = later;
        piece = piece % 13 + 1;
        loop {
            match frames.next() {
                Ok(Some(frame)) => {
                    if let Ok(request) = Request::of(&frame) {
                        assert_eq!(request.frame(), frame, "a request has one form");
                    }
                    if let Ok(answer) = Answer::of(&frame) {
                        let written = answer.frame();
                        let again = Answer::of(&written).unwrap_or_else(|error| panic!("not read again: {error}"));
                        assert_eq!(again.frame(), written);
                    }
                }
                Ok(None) => break,
                Err(_) => return,
            }
        }
    }
});
