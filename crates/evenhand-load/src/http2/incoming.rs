//! What does the service say, frame by frame? RFC 9113, section 6. Bodies are skipped as they come; any other frame is small, and read when
//! it is whole.
//!
//! Tests: `tests/http2.rs`, `tests/truth/`.

use super::frame::{self, Head};
use super::{Garbled, Http2, LARGEST_WINDOW, Lane, StreamEnd, USUAL_FRAME, abandon, fields, give_back};

/// No server that means well sends more fields.
const LONGEST_FIELDS: usize = 64 << 10;
/// A window is given back when half of it is used.
const GIVEN_BACK_AT: u32 = 1 << 30;

/// What has come of frames.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    /// A frame whose end has not come.
    kept: Vec<u8>,
    body: Option<Body>,
    /// Fields whose end has not come.
    fields: Option<Fields>,
}

/// What is left of a frame of a body.
#[derive(Debug, Clone, Copy)]
struct Body {
    stream: u32,
    left: usize,
    ends: bool,
}

#[derive(Debug)]
struct Fields {
    stream: u32,
    ends: bool,
    bytes: Vec<u8>,
}

/// What a frame leads to: ends of requests by their lanes, and bytes to send.
struct Effects<'a> {
    out: &'a mut Vec<u8>,
    ends: &'a mut Vec<(usize, StreamEnd)>,
}

impl Http2 {
    /// Takes in bytes. What has ended is added to `ends`, what is to be said to `out`.
    ///
    /// # Errors
    /// If nobody who speaks HTTP/2 sends this.
    pub fn take(
        &mut self,
        mut bytes: &[u8],
        out: &mut Vec<u8>,
        ends: &mut Vec<(usize, StreamEnd)>,
    ) -> Result<(), Garbled> {
        let mut effects = Effects { out, ends };
        while !bytes.is_empty() {
            bytes = match self.incoming.body {
                Some(body) => self.skip(body, bytes, &mut effects),
                None => self.gather(bytes, &mut effects)?,
            };
        }
        Ok(())
    }

    /// Leaves out bytes of a body.
    fn skip<'a>(&mut self, body: Body, bytes: &'a [u8], effects: &mut Effects<'_>) -> &'a [u8] {
        let here = body.left.min(bytes.len());
        let body = Body { left: body.left - here, ..body };
        self.incoming.body = (body.left > 0).then_some(body);
        if body.left == 0 && body.ends {
            self.end(body.stream, effects);
        }
        &bytes[here..]
    }

    /// Takes in what belongs to the next frame.
    fn gather<'a>(&mut self, bytes: &'a [u8], effects: &mut Effects<'_>) -> Result<&'a [u8], Garbled> {
        let rest = fill(&mut self.incoming.kept, Head::LENGTH, bytes);
        let Some(head) = Head::of(&self.incoming.kept) else { return Ok(rest) };
        self.refuse_out_of_place(&head)?;
        if head.kind == frame::DATA {
            self.incoming.kept.clear();
            self.begin_body(&head, effects);
            return Ok(rest);
        }
        let whole = Head::LENGTH + head.length;
        let rest = fill(&mut self.incoming.kept, whole, rest);
        if self.incoming.kept.len() == whole {
            let mut kept = std::mem::take(&mut self.incoming.kept);
            self.read(&head, &kept[Head::LENGTH..], effects)?;
            kept.clear();
            self.incoming.kept = kept;
        }
        Ok(rest)
    }

    /// Settings come first, fields in one piece, nothing too long, and nothing of a stream that was never begun.
    fn refuse_out_of_place(&self, head: &Head) -> Result<(), Garbled> {
        let was_begun = head.stream % 2 == 1 && head.stream < self.next_stream;
        let is_of_its_stream = match head.kind {
            frame::SETTINGS | frame::PING | frame::GO_AWAY => head.stream == 0,
            frame::DATA | frame::HEADERS | frame::RESET | frame::CONTINUATION => was_begun,
            frame::WINDOW => head.stream == 0 || was_begun,
            // Pushes are refused by our settings.
            frame::PUSH => false,
            _ => true,
        };
        let is_next = match &self.incoming.fields {
            Some(fields) => (head.kind, head.stream) == (frame::CONTINUATION, fields.stream),
            None => head.kind != frame::CONTINUATION,
        };
        let is_first = self.is_ready || (head.kind == frame::SETTINGS && !head.has(frame::ACK));
        let is_in_place = is_of_its_stream && is_next && is_first && head.length <= USUAL_FRAME;
        if is_in_place { Ok(()) } else { Err(Garbled) }
    }

    fn read(&mut self, head: &Head, payload: &[u8], effects: &mut Effects<'_>) -> Result<(), Garbled> {
        match head.kind {
            frame::HEADERS => {
                let bytes = without_extras(head, payload)?.to_vec();
                let ends = head.has(frame::END_STREAM);
                self.read_fields(head, Fields { stream: head.stream, ends, bytes }, effects)
            }
            frame::CONTINUATION => match self.incoming.fields.take() {
                Some(mut fields) => {
                    fields.bytes.extend_from_slice(payload);
                    self.read_fields(head, fields, effects)
                }
                None => Err(Garbled),
            },
            frame::SETTINGS => self.read_settings(head, payload, effects),
            frame::PING if payload.len() != 8 => Err(Garbled),
            frame::PING => {
                if !head.has(frame::ACK) {
                    frame::write(frame::PING, frame::ACK, 0, payload, effects.out);
                }
                Ok(())
            }
            frame::WINDOW => self.read_window(head.stream, payload, effects),
            frame::RESET => self.read_reset(head.stream, payload, effects),
            frame::GO_AWAY => self.read_go_away(payload, effects),
            // Priorities, and what later versions may add (4.1).
            _ => Ok(()),
        }
    }

    fn read_fields(&mut self, head: &Head, fields: Fields, effects: &mut Effects<'_>) -> Result<(), Garbled> {
        if fields.bytes.len() > LONGEST_FIELDS {
            return Err(Garbled);
        }
        if !head.has(frame::END_HEADERS) {
            self.incoming.fields = Some(fields);
            return Ok(());
        }
        if let Some(lane) = self.lane_of(fields.stream) {
            let lane = &mut self.lanes[lane];
            lane.has_begun = true;
            // A status of 1xx is a notice that another one follows, later fields are trailers.
            if lane.status.is_none() {
                lane.status = fields::status(&fields.bytes)?.filter(|status| *status >= 200);
            }
        }
        if fields.ends {
            self.end(fields.stream, effects);
        }
        Ok(())
    }

    fn read_settings(
        &mut self,
        head: &Head,
        payload: &[u8],
        effects: &mut Effects<'_>,
    ) -> Result<(), Garbled> {
        if head.has(frame::ACK) {
            return if payload.is_empty() { Ok(()) } else { Err(Garbled) };
        }
        let (settings, rest) = payload.as_chunks::<6>();
        if !rest.is_empty() {
            return Err(Garbled);
        }
        for [high, low, value @ ..] in settings {
            self.read_setting(u16::from_be_bytes([*high, *low]), u32::from_be_bytes(*value))?;
        }
        self.is_ready = true;
        frame::write(frame::SETTINGS, frame::ACK, 0, &[], effects.out);
        self.send_bodies(effects.out);
        Ok(())
    }

    /// Section 6.5.2.
    fn read_setting(&mut self, name: u16, value: u32) -> Result<(), Garbled> {
        match name {
            3 => self.most_streams = value,
            4 if value > LARGEST_WINDOW => return Err(Garbled),
            4 => {
                let more = i64::from(value) - self.stream_window;
                self.stream_window = i64::from(value);
                self.lanes.iter_mut().for_each(|lane| lane.window += more);
            }
            5 if !(USUAL_FRAME as u32..1 << 24).contains(&value) => return Err(Garbled),
            5 => self.longest_frame = value as usize,
            _ => {}
        }
        Ok(())
    }

    fn read_window(&mut self, stream: u32, payload: &[u8], effects: &mut Effects<'_>) -> Result<(), Garbled> {
        let more = frame::number(payload).filter(|more| payload.len() == 4 && *more > 0).ok_or(Garbled)?;
        let window = match (stream, self.lane_of(stream)) {
            (0, _) => &mut self.window,
            (_, Some(lane)) => &mut self.lanes[lane].window,
            // It has ended meanwhile.
            (_, None) => return Ok(()),
        };
        *window += i64::from(more);
        if *window > i64::from(LARGEST_WINDOW) {
            return Err(Garbled);
        }
        self.send_bodies(effects.out);
        Ok(())
    }

    fn read_reset(&mut self, stream: u32, payload: &[u8], effects: &mut Effects<'_>) -> Result<(), Garbled> {
        if payload.len() != 4 {
            return Err(Garbled);
        }
        if let Some(lane) = self.lane_of(stream) {
            self.lanes[lane] = Lane::default();
            effects.ends.push((lane, StreamEnd::Reset));
        }
        Ok(())
    }

    /// What comes after the stream that it names was never looked at (6.8).
    fn read_go_away(&mut self, payload: &[u8], effects: &mut Effects<'_>) -> Result<(), Garbled> {
        let last = frame::number(payload).filter(|_| payload.len() >= 8).ok_or(Garbled)?;
        self.is_leaving = true;
        for (place, lane) in self.lanes.iter_mut().enumerate().filter(|(_, lane)| lane.stream > last) {
            *lane = Lane::default();
            effects.ends.push((place, StreamEnd::NotRead));
        }
        Ok(())
    }

    /// Makes room again for what comes, of this stream and of all.
    fn begin_body(&mut self, head: &Head, effects: &mut Effects<'_>) {
        let length = head.length as u32;
        self.taken += length;
        give_back_half(&mut self.taken, 0, effects.out);
        if let Some(lane) = self.lane_of(head.stream) {
            let taken = &mut self.lanes[lane].taken;
            *taken += length;
            give_back_half(taken, head.stream, effects.out);
        }
        let body = Body { stream: head.stream, left: head.length, ends: head.has(frame::END_STREAM) };
        if body.left > 0 {
            self.incoming.body = Some(body);
        } else if body.ends {
            self.end(body.stream, effects);
        }
    }

    /// An answer is whole.
    fn end(&mut self, stream: u32, effects: &mut Effects<'_>) {
        let Some(place) = self.lane_of(stream) else { return };
        let lane = std::mem::take(&mut self.lanes[place]);
        // An answer may come before the end of the request; the rest is then of no use.
        if lane.sent < lane.body.len() {
            abandon(stream, effects.out);
        }
        let end = lane.status.map(|status| StreamEnd::Answered { right: status < 400 });
        effects.ends.push((place, end.unwrap_or(StreamEnd::Garbled)));
    }

    fn lane_of(&self, stream: u32) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.stream == stream && stream != 0)
    }
}

/// Takes bytes until there are so many. Those that are left.
fn fill<'a>(kept: &mut Vec<u8>, wanted: usize, bytes: &'a [u8]) -> &'a [u8] {
    let missing = wanted.saturating_sub(kept.len()).min(bytes.len());
    let (here, rest) = bytes.split_at(missing);
    kept.extend_from_slice(here);
    rest
}

/// Fields without the padding and the priority beside them (6.2).
fn without_extras<'a>(head: &Head, payload: &'a [u8]) -> Result<&'a [u8], Garbled> {
    let (padding, rest) = match payload.split_first() {
        Some((padding, rest)) if head.has(frame::PADDED) => (usize::from(*padding), rest),
        None if head.has(frame::PADDED) => return Err(Garbled),
        _ => (0, payload),
    };
    let priority = if head.has(frame::PRIORITISED) { 5 } else { 0 };
    let end = rest.len().checked_sub(padding).ok_or(Garbled)?;
    rest.get(priority..end).ok_or(Garbled)
}

fn give_back_half(taken: &mut u32, stream: u32, out: &mut Vec<u8>) {
    if *taken >= GIVEN_BACK_AT {
        give_back(stream, std::mem::take(taken), out);
    }
}
