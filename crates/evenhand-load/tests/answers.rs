//! Are answers read as they are meant, however they are cut into pieces? And does any byte make a codec panic?

use evenhand_load::codec::{Codec, Garbled, WholeAnswer};
use evenhand_load::http::HttpCodec;
use evenhand_load::redis::RedisCodec;
use evenhand_load::{Http, Operation, Text};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

const RIGHT: WholeAnswer = WholeAnswer { right: true, stays_open: true };
const LAST: WholeAnswer = WholeAnswer { right: true, stays_open: false };
const WRONG: WholeAnswer = WholeAnswer { right: false, stays_open: true };

fn get() -> Operation {
    Operation::http("GET", "localhost", "/")
}

/// What a codec says of bytes that come in such pieces, and then perhaps the end of the connection.
fn read(
    codec: &mut dyn Codec,
    operation: &Operation,
    pieces: &[&[u8]],
) -> Result<Option<WholeAnswer>, Garbled> {
    codec.begin(operation);
    for (place, piece) in pieces.iter().enumerate() {
        if let Some(answer) = codec.take(piece)? {
            let whole = pieces[place + 1..].iter().all(|rest| rest.is_empty());
            return if whole { Ok(Some(answer)) } else { Err(Garbled) };
        }
    }
    Ok(codec.close())
}

/// What a codec says of bytes; the same in one piece, in two that are cut anywhere, and one by one.
fn answer(
    codec: &mut dyn Codec,
    operation: &Operation,
    bytes: &[u8],
) -> Result<Option<WholeAnswer>, Garbled> {
    let whole = read(codec, operation, &[bytes]);
    for cut in 0..bytes.len() {
        let halves = read(codec, operation, &[&bytes[..cut], &bytes[cut..]]);
        assert_eq!(halves, whole, "cut at {cut}: {}", String::from_utf8_lossy(bytes));
    }
    let singles: Vec<_> = bytes.chunks(1).collect();
    assert_eq!(read(codec, operation, &singles), whole, "{}", String::from_utf8_lossy(bytes));
    whole
}

fn http(bytes: &str) -> Result<Option<WholeAnswer>, Garbled> {
    answer(&mut HttpCodec::default(), &get(), bytes.as_bytes())
}

fn redis(bytes: &str) -> Result<Option<WholeAnswer>, Garbled> {
    answer(&mut RedisCodec::default(), &Operation::redis(&["PING"]), bytes.as_bytes())
}

#[test]
fn an_answer_ends_where_its_head_says() {
    assert_eq!(http("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), Ok(Some(RIGHT)));
    assert_eq!(http("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), Ok(Some(RIGHT)));
    assert_eq!(http("HTTP/1.1 204 No Content\r\n\r\n"), Ok(Some(RIGHT)));
    assert_eq!(http("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"), Ok(Some(RIGHT)));
    // The same length twice is one.
    let twice = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nab";
    assert_eq!(http(twice), Ok(Some(RIGHT)));
    assert_eq!(http("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"), Ok(None));
}

#[test]
fn an_answer_to_head_has_no_body_whatever_its_length_says() {
    let head = Operation::http("HEAD", "localhost", "/");
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(answer(&mut HttpCodec::default(), &head, bytes), Ok(Some(RIGHT)));
}

#[test]
fn chunks_are_read_to_the_last_with_extensions_and_trailers() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
    assert_eq!(http(&format!("{head}5\r\nhello\r\n0\r\n\r\n")), Ok(Some(RIGHT)));
    assert_eq!(http(&format!("{head}A;name=value\r\n0123456789\r\n0\r\nDigest: x\r\n\r\n")), Ok(Some(RIGHT)));
    assert_eq!(http(&format!("{head}5\r\nhello\r\n0\r\n")), Ok(None));
    assert_eq!(http(&format!("{head}5\r\nhelloo\r\n0\r\n\r\n")), Err(Garbled));
    assert_eq!(http(&format!("{head}x\r\n")), Err(Garbled));
}

#[test]
fn an_answer_without_a_length_ends_with_its_connection() {
    assert_eq!(http("HTTP/1.1 200 OK\r\n\r\nsome text"), Ok(Some(LAST)));
    assert_eq!(http("HTTP/1.1 200 OK\r\nCon"), Ok(None));
}

#[test]
fn a_connection_stays_open_as_version_and_header_say() {
    let with = |version, header| format!("HTTP/{version} 200 OK\r\nContent-Length: 0\r\n{header}\r\n");
    assert_eq!(http(&with("1.1", "Connection: close\r\n")), Ok(Some(LAST)));
    assert_eq!(http(&with("1.1", "connection: upgrade, Close\r\n")), Ok(Some(LAST)));
    assert_eq!(http(&with("1.0", "")), Ok(Some(LAST)));
    assert_eq!(http(&with("1.0", "Connection: keep-alive\r\n")), Ok(Some(RIGHT)));
}

#[test]
fn a_status_of_4xx_or_5xx_is_wrong_and_a_redirect_is_an_answer() {
    let with = |status| format!("HTTP/1.1 {status} Some Reason\r\nContent-Length: 2\r\n\r\nab");
    let answers = [200, 302, 404, 429, 500, 503].map(|status| http(&with(status)));
    let [found, moved] = [Ok(Some(RIGHT)); 2];
    assert_eq!(answers, [found, moved, Ok(Some(WRONG)), Ok(Some(WRONG)), Ok(Some(WRONG)), Ok(Some(WRONG))]);
}

#[test]
fn a_notice_that_an_answer_follows_is_no_answer() {
    let notice = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
    assert_eq!(http(notice), Ok(None));
    assert_eq!(http(&format!("{notice}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")), Ok(Some(RIGHT)));
}

#[test]
fn bytes_that_are_no_answer_are_garbled() {
    for bytes in [
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab",
    ] {
        assert_eq!(http(bytes), Err(Garbled), "{bytes}");
    }
    // No head is this long.
    let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(70_000));
    assert_eq!(read(&mut HttpCodec::default(), &get(), &[endless.as_bytes()]), Err(Garbled));
}

#[test]
fn an_answer_of_redis_is_whole_when_no_value_is_missing() {
    for bytes in [
        "+PONG\r\n",
        ":42\r\n",
        "$5\r\nhello\r\n",
        "$0\r\n\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "*0\r\n",
        "*2\r\n$1\r\na\r\n:1\r\n",
        "*2\r\n*1\r\n+a\r\n*2\r\n$3\r\na\r\n\r\n$-1\r\n",
    ] {
        assert_eq!(redis(bytes), Ok(Some(RIGHT)), "{bytes:?}");
    }
    assert_eq!(redis("-ERR unknown command\r\n"), Ok(Some(WRONG)));
    assert_eq!(redis("*2\r\n-ERR no\r\n+OK\r\n"), Ok(Some(WRONG)));
    assert_eq!(redis("*2\r\n+OK\r\n"), Ok(None));
    for bytes in ["PONG\r\n", "+PONG\n", "$x\r\n", "$+5\r\nhello\r\n", "\r\n", "*99999999999999999999\r\n"] {
        assert_eq!(redis(bytes), Err(Garbled), "{bytes:?}");
    }
}

#[test]
fn requests_are_written_as_their_protocols_want_them() {
    let text = |operation: Operation| String::from_utf8(operation.request).unwrap();
    assert_eq!(text(get()), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let post = Operation::of_http(
        "/x",
        Http {
            method: "POST".to_owned(),
            host: "a:80".to_owned(),
            path: Text::plain("/x"),
            headers: vec![("Accept".to_owned(), Text::plain("*/*"))],
            body: Text::plain("{}"),
        },
    );
    assert!(!post.repeatable && get().repeatable);
    let expected = "POST /x HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(text(post), expected);
    let set = text(Operation::redis(&["SET", "key", "ü"]));
    assert_eq!(set, "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$2\r\nü\r\n");
}

/// Bytes that often look like an answer.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let parts = [
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.0 100 X\r\n",
        "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n",
        "\r\n",
        "3\r\nabc\r\n",
        "0\r\n",
        "*2\r\n",
        "$3\r\n",
        "+OK\r\n",
        "abc",
    ];
    let part = prop_oneof![
        (0..parts.len()).prop_map(move |place| parts[place].as_bytes().to_vec()),
        vec(any::<u8>(), 0..4),
    ];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_bytes_panic_and_no_cut_changes_what_they_say(bytes in bytes(), cut in any::<prop::sample::Index>()) {
        let cut = cut.index(bytes.len() + 1);
        let codecs: [&mut dyn Codec; 2] = [&mut HttpCodec::default(), &mut RedisCodec::default()];
        for codec in codecs {
            let whole = read(codec, &get(), &[&bytes]);
            prop_assert_eq!(read(codec, &get(), &[&bytes[..cut], &bytes[cut..]]), whole);
        }
    }
}
