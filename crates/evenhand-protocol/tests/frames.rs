//! Do frames survive however the bytes are cut, and is what is no frame refused?

use evenhand_protocol::frame::{Frame, Frames, LONGEST};
use evenhand_protocol::wire::WireError;
use proptest::prelude::*;
use std::io::{self, Read};

fn bytes(frames: &[Frame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    frames.iter().for_each(|frame| frame.write(&mut bytes).unwrap());
    bytes
}

#[test]
fn a_frame_is_length_kind_and_body() {
    let frame = Frame { kind: 7, body: vec![1, 2] };
    assert_eq!(bytes(&[frame]), [3, 0, 0, 0, 7, 1, 2]);
}

proptest! {
    #[test]
    fn frames_come_back_however_they_are_cut(
        frames in proptest::collection::vec((any::<u8>(), proptest::collection::vec(any::<u8>(), 0..40)), 0..6),
        cut in 1_usize..9,
    ) {
        let frames: Vec<Frame> = frames.into_iter().map(|(kind, body)| Frame { kind, body }).collect();
        let sent = bytes(&frames);
        let mut heard = Frames::default();
        let mut found = Vec::new();
        for piece in sent.chunks(cut) {
            heard.push(piece);
            while let Some(frame) = heard.next().unwrap() {
                found.push(frame);
            }
        }
        prop_assert_eq!(&found, &frames);
        let mut stream = Slow(&sent, cut);
        for frame in &frames {
            prop_assert_eq!(Frame::read(&mut stream).unwrap(), Some(frame.clone()));
        }
        prop_assert_eq!(Frame::read(&mut stream).unwrap(), None);
    }
}

/// A stream that gives a few bytes at a time.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(into.len()).min(self.0.len());
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn an_end_in_the_middle_is_an_error() {
    let sent = bytes(&[Frame { kind: 1, body: vec![9; 10] }]);
    for cut in 1..sent.len() {
        let error = Frame::read(&mut &sent[..cut]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}

#[test]
fn what_is_no_length_is_refused_before_anything_is_read() {
    let refused = |length: u32| {
        let mut frames = Frames::default();
        frames.push(&length.to_le_bytes());
        frames.next().unwrap_err()
    };
    assert_eq!(refused(0), WireError::EndsEarly);
    assert_eq!(refused(LONGEST as u32 + 1), WireError::HugeFrame(LONGEST as u64 + 1));
    // What a program prints that takes the channel for its standard output.
    assert_eq!(refused(u32::from_le_bytes(*b"Hell")), WireError::HugeFrame(0x6c6c_6548));
    let huge = Frame { kind: 1, body: vec![0; LONGEST] };
    assert!(huge.write(&mut Vec::new()).is_err());
}
