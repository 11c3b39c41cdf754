//! Is HTTP/2 spoken as it is meant? Frames written by hand, cut anywhere. And does any byte make it panic?

use evenhand_load::codec::Garbled;
use evenhand_load::http2::{Http2, StreamEnd};
use evenhand_load::{Http, Operation, Text};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

const RIGHT: StreamEnd = StreamEnd::Answered { right: true };
const WRONG: StreamEnd = StreamEnd::Answered { right: false };

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW: u8 = 8;
const CONTINUATION: u8 = 9;

/// The stream ends, and the fields do.
const END: u8 = 1;
const WHOLE: u8 = 4;

/// HPACK's `:status: 200` and `:status: 404`.
const OK: &[u8] = &[0x88];
const NOT_FOUND: &[u8] = &[0x8d];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = &(payload.len() as u32).to_be_bytes()[1..];
    [length, &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

fn setting(name: u16, value: u32) -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[&name.to_be_bytes()[..], &value.to_be_bytes()].concat())
}

fn greeting() -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[])
}

/// What was said: kinds, flags, streams and payloads.
fn frames(mut bytes: &[u8]) -> Vec<(u8, u8, u32, Vec<u8>)> {
    let mut frames = Vec::new();
    while let [a, b, c, kind, flags, rest @ ..] = bytes {
        let length = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        let (stream, rest) = rest.split_first_chunk().unwrap();
        let (payload, after) = rest.split_at(length);
        frames.push((*kind, *flags, u32::from_be_bytes(*stream), payload.to_vec()));
        bytes = after;
    }
    frames
}

fn get() -> Operation {
    Operation::http("GET", "localhost", "/")
}

fn posting(body: &[u8]) -> Operation {
    let (method, host) = ("POST".to_owned(), "localhost".to_owned());
    let (path, body) = (Text::plain("/"), Text::plain(body));
    Operation::of_http("/", Http { method, host, path, headers: Vec::new(), body })
}

/// A connection with requests on its way, one on each lane.
struct Spoken {
    http2: Http2,
    out: Vec<u8>,
    ends: Vec<(usize, StreamEnd)>,
}

impl Spoken {
    fn with(lanes: usize, operation: &Operation) -> Self {
        let mut spoken = Self::silent(lanes);
        spoken.hear(&greeting()).unwrap();
        spoken.out.clear();
        (0..lanes).for_each(|lane| spoken.http2.begin(lane, operation, 1, &mut spoken.out));
        spoken
    }

    fn silent(lanes: usize) -> Self {
        let (mut http2, mut out) = (Http2::new(lanes, false), Vec::new());
        http2.open(&mut out);
        Self { http2, out, ends: Vec::new() }
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), Garbled> {
        self.http2.take(bytes, &mut self.out, &mut self.ends)
    }
}

/// What becomes of two requests, on streams 1 and 3, when this comes; whole and byte by byte.
fn ends(bytes: &[u8]) -> Result<Vec<(usize, StreamEnd)>, Garbled> {
    let mut whole = Spoken::with(2, &get());
    let said = whole.hear(bytes);
    let mut single = Spoken::with(2, &get());
    let said_singly = bytes.chunks(1).try_for_each(|byte| single.hear(byte));
    assert_eq!((said, &whole.ends, &whole.out), (said_singly, &single.ends, &single.out), "{bytes:x?}");
    said.map(|()| whole.ends)
}

#[test]
fn a_connection_begins_with_preface_settings_and_a_large_window() {
    let mut spoken = Spoken::silent(1);
    let rest = spoken.out.strip_prefix(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap().to_vec();
    let window = 0x7fff_ffff_u32 - 65_535;
    // Nothing remembered of fields, no pushes, the largest window.
    let settings = [0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff].to_vec();
    assert_eq!(frames(&rest), [(SETTINGS, 0, 0, settings), (WINDOW, 0, 0, window.to_be_bytes().to_vec())]);
    assert!(!spoken.http2.has_room(), "the service has not said how it wants to be asked");
    spoken.out.clear();
    spoken.hear(&greeting()).unwrap();
    assert_eq!(frames(&spoken.out), [(SETTINGS, 1, 0, Vec::new())]);
    assert!(spoken.http2.has_room());
}

#[test]
fn each_request_is_a_stream_and_ends_with_its_answer() {
    let spoken = Spoken::with(2, &get());
    let fields = b"\x82\x86\x01\x09localhost\x04\x01/".to_vec();
    assert_eq!(frames(&spoken.out), [(HEADERS, 5, 1, fields.clone()), (HEADERS, 5, 3, fields)]);
    let head_only = frame(HEADERS, END | WHOLE, 3, OK);
    assert_eq!(ends(&head_only), Ok(vec![(1, RIGHT)]));
    let body = [frame(HEADERS, WHOLE, 1, NOT_FOUND), frame(DATA, 0, 1, b"no"), frame(DATA, END, 1, b"")];
    assert_eq!(ends(&[body.concat(), head_only].concat()), Ok(vec![(0, WRONG), (1, RIGHT)]));
    let half = [frame(HEADERS, WHOLE, 1, OK), frame(DATA, 0, 1, b"half")].concat();
    assert_eq!(ends(&half), Ok(vec![]));
}

#[test]
fn notices_trailers_padding_and_fields_in_parts_are_read_as_they_are_meant() {
    let notice = frame(HEADERS, WHOLE, 1, b"\x08\x03103");
    let in_parts = [frame(HEADERS, 0, 1, b"\x08\x032"), frame(CONTINUATION, WHOLE, 1, b"00")].concat();
    let trailers = frame(HEADERS, END | WHOLE, 1, b"\x00\x06digest\x01x");
    let padded = frame(HEADERS, WHOLE | 8 | 32, 1, b"\x02\x00\x00\x00\x00\x10\x88\x00\x00");
    assert_eq!(ends(&notice), Ok(vec![]));
    assert_eq!(ends(&[&notice[..], &in_parts, &trailers].concat()), Ok(vec![(0, RIGHT)]));
    assert_eq!(ends(&[padded, trailers.clone()].concat()), Ok(vec![(0, RIGHT)]));
    assert_eq!(ends(&trailers), Ok(vec![(0, StreamEnd::Garbled)]), "an answer without a status");
    // Kinds that later versions may have, and what comes late for a stream that has ended.
    let answer = frame(HEADERS, END | WHOLE, 1, OK);
    let late = [frame(WINDOW, 0, 1, &[0, 0, 0, 1]), frame(RESET, 0, 1, &[0; 4]), frame(0x20, 0, 9, b"?")];
    assert_eq!(ends(&[answer, late.concat()].concat()), Ok(vec![(0, RIGHT)]));
}

#[test]
fn a_stream_that_is_reset_fails_alone() {
    let reset = frame(RESET, 0, 1, &[0, 0, 0, 8]);
    let answer = frame(HEADERS, END | WHOLE, 3, OK);
    assert_eq!(ends(&[reset, answer].concat()), Ok(vec![(0, StreamEnd::Reset), (1, RIGHT)]));
}

#[test]
fn a_service_that_goes_away_has_not_read_what_comes_after_the_stream_it_names() {
    let mut spoken = Spoken::with(2, &get());
    spoken.hear(&frame(GO_AWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0])).unwrap();
    assert_eq!(spoken.ends, [(1, StreamEnd::NotRead)]);
    assert!(!spoken.http2.has_room() && !spoken.http2.is_over(), "the first is still answered");
    spoken.hear(&frame(HEADERS, END | WHOLE, 1, OK)).unwrap();
    assert_eq!(spoken.ends[1..], [(0, RIGHT)]);
    assert!(spoken.http2.is_over());
}

#[test]
fn a_ping_gets_its_echo_and_an_echo_none() {
    let mut spoken = Spoken::with(1, &get());
    spoken.out.clear();
    spoken.hear(&frame(PING, 0, 0, b"12345678")).unwrap();
    assert_eq!(frames(&spoken.out), [(PING, 1, 0, b"12345678".to_vec())]);
    spoken.out.clear();
    spoken.hear(&frame(PING, 1, 0, b"12345678")).unwrap();
    assert!(spoken.out.is_empty());
}

#[test]
fn no_more_streams_are_begun_than_the_service_allows() {
    let mut spoken = Spoken::silent(3);
    spoken.hear(&setting(3, 1)).unwrap();
    spoken.http2.begin(0, &get(), 1, &mut spoken.out);
    assert!(!spoken.http2.has_room());
    spoken.http2.cancel(0, &mut spoken.out);
    assert!(spoken.http2.has_room());
    assert_eq!(frames(&spoken.out[spoken.out.len() - 13..]), [(RESET, 0, 1, vec![0, 0, 0, 8])]);
}

/// Bytes of a body that were sent on a stream, and whether that was its end.
fn body(out: &[u8], stream: u32) -> (usize, bool) {
    let of_stream = frames(out).into_iter().filter(|frame| (frame.0, frame.2) == (DATA, stream));
    of_stream.fold((0, false), |(length, _), frame| (length + frame.3.len(), frame.1 == END))
}

#[test]
fn a_body_goes_as_far_as_the_windows_of_stream_and_connection_reach() {
    let mut spoken = Spoken::with(1, &posting(&[b'x'; 100_000]));
    assert!(frames(&spoken.out).iter().all(|frame| frame.3.len() <= 16_384));
    assert_eq!(body(&spoken.out, 1), (65_535, false));
    let more = |bytes: u32, stream| frame(WINDOW, 0, stream, &bytes.to_be_bytes());
    spoken.hear(&more(20_000, 1)).unwrap();
    assert_eq!(body(&spoken.out, 1), (65_535, false), "the connection has no room");
    spoken.hear(&more(40_000, 0)).unwrap();
    assert_eq!(body(&spoken.out, 1), (85_535, false), "the stream has no more");
    // A larger window for new streams is one for the present, too.
    spoken.hear(&setting(4, 65_535 + 20_000)).unwrap();
    assert_eq!(body(&spoken.out, 1), (100_000, true));
    // What is answered before it was sent is given up.
    let mut early = Spoken::with(1, &posting(&[b'x'; 100_000]));
    early.out.clear();
    early.hear(&frame(HEADERS, END | WHOLE, 1, b"\x08\x03413")).unwrap();
    assert_eq!((frames(&early.out), early.ends), (vec![(RESET, 0, 1, vec![0, 0, 0, 8])], vec![(0, WRONG)]));
}

#[test]
fn room_for_more_is_given_back_before_a_window_is_used_up() {
    let mut spoken = Spoken::with(1, &get());
    spoken.hear(&frame(HEADERS, WHOLE, 1, OK)).unwrap();
    spoken.out.clear();
    let part = frame(DATA, 0, 1, &[0; 16_384]);
    (0..1 << 16).for_each(|_| spoken.hear(&part).unwrap());
    let half = (1_u32 << 30).to_be_bytes().to_vec();
    assert_eq!(frames(&spoken.out), [(WINDOW, 0, 0, half.clone()), (WINDOW, 0, 1, half)]);
}

#[test]
fn what_nobody_who_speaks_http_2_sends_is_garbled() {
    let http = b"HTTP/1.1 400 Bad Request\r\n\r\n";
    for (bytes, what) in [
        (http.to_vec(), "another language"),
        (frame(HEADERS, END | WHOLE, 1, b"\x08\x7f"), "broken fields"),
        (frame(HEADERS, END | WHOLE, 2, OK), "a stream of the service"),
        (frame(HEADERS, END | WHOLE, 5, OK), "a stream that was never begun"),
        (frame(HEADERS, WHOLE | 8, 1, b"\x05\x88"), "more padding than there is"),
        (frame(DATA, END, 0, b""), "a body of the connection"),
        (frame(CONTINUATION, WHOLE, 1, OK), "the rest of nothing"),
        ([frame(HEADERS, 0, 1, OK), frame(PING, 0, 0, &[0; 8])].concat(), "fields that are interrupted"),
        ([frame(HEADERS, 0, 1, OK), frame(CONTINUATION, WHOLE, 3, OK)].concat(), "the rest of others"),
        (frame(5, WHOLE, 1, &[0, 0, 0, 2, 0x82]), "a push"),
        (frame(SETTINGS, 0, 0, &[0; 5]), "half a setting"),
        (frame(SETTINGS, 0, 1, &[]), "settings of a stream"),
        (setting(4, 1 << 31), "a window that is too large"),
        (setting(5, 16_383), "frames that are too short"),
        (frame(WINDOW, 0, 0, &[0; 4]), "no more room"),
        (frame(WINDOW, 0, 0, &[0x7f, 0xff, 0xff, 0xff]), "more room than there is"),
        (frame(PING, 0, 0, &[0; 7]), "a short ping"),
        (frame(RESET, 0, 1, &[0; 3]), "a short reset"),
        (frame(GO_AWAY, 0, 0, &[0; 7]), "a short goodbye"),
        (frame(DATA, 0, 1, &[0; 16_385]), "a frame that is too long"),
    ] {
        assert_eq!(ends(&bytes), Err(Garbled), "{what}");
    }
    // Fields without end.
    let mut spoken = Spoken::with(1, &get());
    spoken.hear(&frame(HEADERS, 0, 1, OK)).unwrap();
    let parts = (0..5).map(|_| spoken.hear(&frame(CONTINUATION, 0, 1, &[0; 16_384])));
    assert_eq!(parts.last(), Some(Err(Garbled)));
    assert_eq!(Spoken::silent(1).hear(&frame(PING, 0, 0, &[0; 8])), Err(Garbled), "settings come first");
}

#[test]
fn a_new_connection_knows_nothing_of_the_one_before() {
    let mut spoken = Spoken::with(2, &get());
    let half = &frame(HEADERS, 0, 1, OK)[..7];
    spoken.hear(&[&frame(GO_AWAY, 0, 0, &[0; 8])[..], half].concat()).unwrap();
    spoken.out.clear();
    spoken.http2.open(&mut spoken.out);
    spoken.hear(&greeting()).unwrap();
    spoken.out.clear();
    spoken.http2.begin(1, &get(), 1, &mut spoken.out);
    assert_eq!(frames(&spoken.out)[0].2, 1);
    spoken.ends.clear();
    spoken.hear(&frame(HEADERS, END | WHOLE, 1, OK)).unwrap();
    assert_eq!(spoken.ends, [(1, RIGHT)]);
}

/// Bytes that often look like frames.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let payload = prop_oneof![
        vec(any::<u8>(), 0..12),
        (0..4_usize).prop_map(|place| [OK, NOT_FOUND, b"\x08\x03200", b"\x48\x82\x10\x01"][place].to_vec()),
    ];
    let part = prop_oneof![
        (0..11_u8, any::<u8>(), 0..5_u32, payload)
            .prop_map(|(kind, flags, stream, payload)| frame(kind, flags, stream, &payload)),
        vec(any::<u8>(), 0..4),
    ];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_bytes_panic_and_no_cut_changes_what_they_say(bytes in bytes(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(bytes.len() + 1);
        let mut whole = Spoken::with(2, &posting(&[b'x'; 70_000]));
        let said = whole.hear(&bytes);
        let mut cut_in_two = Spoken::with(2, &posting(&[b'x'; 70_000]));
        let in_two = cut_in_two.hear(&bytes[..cut]).and_then(|()| cut_in_two.hear(&bytes[cut..]));
        prop_assert_eq!((said, whole.ends, whole.out), (in_two, cut_in_two.ends, cut_in_two.out));
    }
}
