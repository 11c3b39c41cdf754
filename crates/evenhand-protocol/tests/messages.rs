//! Do messages survive, is every byte of `docs/protocol.md` what is really sent, and is what is no message refused?

use evenhand_protocol::VERSION;
use evenhand_protocol::frame::{Frame, Frames};
use evenhand_protocol::message::{
    Answer, Benchmark, Handed, Hello, Metric, Prepared, Request, Results, Run, Sample, Turn,
};
use evenhand_protocol::wire::WireError;
use proptest::prelude::*;

fn requests() -> Vec<Request> {
    let at_once = |payload| Turn { payload, handed: None };
    let handed = |payload, number, next| Turn { payload, handed: Some(Handed { number, next }) };
    vec![
        Request::Hello { version: 1 },
        Request::List,
        Request::Prepare { benchmark: 1 },
        Request::Run(Run {
            iterations: 1,
            slot: 0,
            waits: false,
            turns: vec![at_once(0x0123_4567_89ab_cdef)],
        }),
        Request::Run(Run {
            iterations: 100,
            slot: 2,
            waits: true,
            turns: vec![handed(7, 1, 1), handed(8, 4, 0)],
        }),
        Request::Finish,
        Request::Bye,
    ]
}

fn answers() -> Vec<Answer> {
    let sample =
        |started, wall, values: &[f64]| Sample { started, wall, waited: 12.5, values: values.to_vec() };
    vec![
        Answer::Hello(Hello {
            version: 1,
            language: "Rust 1.95.0".to_owned(),
            clock: "tsc".to_owned(),
            resolution: 0.5,
            cost: 9.25,
            iteration: 0.25,
            turns: true,
        }),
        Answer::Benchmarks(vec![
            Benchmark {
                name: "sort/1000".to_owned(),
                group: "sort".to_owned(),
                baseline: true,
                parameters: vec![("size".to_owned(), "1000".to_owned())],
            },
            Benchmark {
                name: "größe".to_owned(),
                group: String::new(),
                baseline: false,
                parameters: Vec::new(),
            },
        ]),
        Answer::Prepared(Prepared {
            once: 1312.5,
            threads: 1,
            amounts: vec![("items".to_owned(), 1000.0)],
            metrics: vec![Metric {
                name: "allocated".to_owned(),
                unit: "B".to_owned(),
                more_is_better: false,
            }],
        }),
        Answer::Results(Results {
            verification: 0xfeed,
            samples: vec![sample(1_000_000, 1300.0, &[64.0]), sample(1_002_000, 1298.5, &[64.0])],
        }),
        Answer::Done,
        Answer::Failed { why: "panicked: index out of bounds".to_owned() },
    ]
}

#[test]
fn messages_come_back() {
    for request in requests() {
        assert_eq!(Request::of(&request.frame()).unwrap(), request);
    }
    for answer in answers() {
        assert_eq!(Answer::of(&answer.frame()).unwrap(), answer);
    }
}

#[test]
fn a_byte_more_or_less_is_seen() {
    let frames =
        requests().iter().map(Request::frame).chain(answers().iter().map(Answer::frame)).collect::<Vec<_>>();
    let refused = |frame: &Frame| Request::of(frame).is_err() && Answer::of(frame).is_err();
    for frame in frames {
        let mut longer = frame.clone();
        longer.body.push(0);
        assert!(refused(&longer), "{longer:?}");
        for length in 0..frame.body.len() {
            let shorter = Frame { kind: frame.kind, body: frame.body[..length].to_vec() };
            assert!(refused(&shorter), "{shorter:?}");
        }
    }
}

#[test]
fn what_stands_for_nothing_is_named() {
    let told = |kind, body: &[u8]| Request::of(&Frame { kind, body: body.to_vec() }).unwrap_err().to_string();
    assert_eq!(told(0x42, &[]), "66 for the kind of a request, which has no meaning");
    assert_eq!(told(1, b"Evenhand\x01\x00"), "something other than a hello");
    assert_eq!(told(2, &[1]), "a message with 1 bytes too many");
    assert_eq!(told(3, &[1]), "a message that ends early");
    let claimed = Frame { kind: 4, body: [[0; 10].as_slice(), &[0xff; 4]].concat() };
    assert_eq!(Request::of(&claimed), Err(WireError::EndsEarly), "no memory for four thousand million turns");
    let not_text = Frame { kind: 0xff, body: vec![1, 0, 0, 0, 0xff] };
    assert_eq!(Answer::of(&not_text), Err(WireError::NotText));
}

#[test]
fn the_hello_of_a_newer_version_is_understood_so_far() {
    let Some(Answer::Hello(mut hello)) = answers().into_iter().next() else { panic!("no hello") };
    hello.version = VERSION + 1;
    let mut frame = Answer::Hello(hello.clone()).frame();
    frame.body.extend_from_slice(b"something new");
    assert_eq!(Answer::of(&frame).unwrap(), Answer::Hello(hello));
}

proptest! {
    #[test]
    fn any_bytes_are_a_message_or_refused(kind: u8, body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let frame = Frame { kind, body };
        if let Ok(request) = Request::of(&frame) {
            prop_assert_eq!(request.frame(), frame.clone());
        }
        // NaN has many forms, and a newer hello says more: so by the second writing.
        if let Ok(answer) = Answer::of(&frame) {
            let written = answer.frame();
            prop_assert_eq!(Answer::of(&written).unwrap().frame(), written);
        }
    }
}

/// The transcripts of the manual: a line `>` is what the host sends, `<` what the worker sends.
fn transcripts() -> Vec<(char, String)> {
    let manual = include_str!("../../../docs/protocol.md");
    let lines = manual.lines().map(str::trim);
    lines
        .filter_map(|line| match line.split_at_checked(2)? {
            ("> ", bytes) => Some(('>', bytes.to_owned())),
            ("< ", bytes) => Some(('<', bytes.to_owned())),
            _ => None,
        })
        .collect()
}

#[test]
fn the_manual_shows_the_bytes_that_are_sent() {
    let hex = |frame: &Frame| {
        let mut bytes = Vec::new();
        frame.write(&mut bytes).unwrap();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
    };
    let expected: Vec<(char, String)> = requests()
        .iter()
        .map(|request| ('>', hex(&request.frame())))
        .chain(answers().iter().map(|answer| ('<', hex(&answer.frame()))))
        .collect();
    let manual = transcripts();
    for message in &expected {
        assert!(manual.contains(message), "docs/protocol.md lacks {} {}", message.0, message.1);
    }
    assert_eq!(manual.len(), expected.len(), "and has nothing else");
    for (_, bytes) in manual {
        let bytes: Vec<u8> = bytes.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        let mut frames = Frames::default();
        frames.push(&bytes);
        assert!(frames.next().unwrap().is_some());
    }
}
