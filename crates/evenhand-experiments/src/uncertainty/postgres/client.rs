//! How does one talk to PostgreSQL? Its protocol, version 3.0, as far as this experiment needs it (chapter "Frontend/Backend Protocol" of its
//! manual): the start without a password, and the simple query, of whose answer only the end or an error is of interest.
//!
//! A message is a byte that names its kind, four bytes of length (which count themselves, but not the kind), and the rest; the
//! first message of a client has no kind.
//!
//! Why not a crate: the drivers bring an async runtime, pools, types and encryption, a hundred times as much as this file, for two
//! messages. And what stands between the clock and the socket should be nothing one has to guess about.
//!
//! Tests: below, on bytes; `cluster.rs` talks to a real server.

use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read, Write};

const PROTOCOL: i32 = 3 << 16;
/// No message that this experiment gets is nearly as long. What claims to be longer is not read, and no memory is set aside for it.
const LONGEST_MESSAGE: usize = 1 << 16;

/// Why there was no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// The connection broke.
    Connection(io::Error),
    /// The server says what is wrong.
    Refused { severity: String, code: String, message: String },
    /// The server wants to know who asks, by the method of this number.
    WantsPassword(i32),
    /// A message of this kind claims a length that cannot be.
    Length { kind: u8, length: i32 },
    /// A message of a kind that does not belong here, or one too short for its kind.
    Unexpected(u8),
}

impl Fault {
    /// The server is there but not ready yet (`cannot_connect_now`).
    pub(super) fn is_not_ready(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if code == "57P03")
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Connection(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(error) if error.kind() == ErrorKind::UnexpectedEof => {
                f.write_str("it closed the connection in the middle of an answer")
            }
            Self::Connection(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
            {
                f.write_str("it did not answer in time")
            }
            Self::Connection(error) => write!(f, "the connection broke: {error}"),
            Self::Refused { severity, code, message } => write!(f, "it says {severity} {code}: {message}"),
            Self::WantsPassword(method) => {
                write!(f, "it wants a password (method {method}), although it was told to trust")
            }
            Self::Length { kind, length } => {
                write!(f, "its message {:?} claims a length of {length}", char::from(*kind))
            }
            Self::Unexpected(kind) => {
                write!(f, "its message {:?} is not understood here", char::from(*kind))
            }
        }
    }
}

/// A connection that is ready for a query.
pub(super) struct Client<S> {
    stream: BufReader<S>,
    /// The body of the last message.
    body: Vec<u8>,
    version: String,
}

impl<S: Read + Write> Client<S> {
    /// Says who asks, and waits until the server is ready.
    pub(super) fn start(stream: S, user: &str, database: &str) -> Result<Self, Fault> {
        let mut client = Self { stream: BufReader::new(stream), body: Vec::new(), version: String::new() };
        let mut body = PROTOCOL.to_be_bytes().to_vec();
        for text in ["user", user, "database", database, ""] {
            body.extend_from_slice(text.as_bytes());
            body.push(0);
        }
        client.send(None, &body)?;
        loop {
            match client.receive()? {
                b'R' => client.is_trusted()?,
                b'S' => client.keep_version(),
                b'E' => return Err(client.refusal()),
                b'Z' => return Ok(client),
                // A key to cancel with, a notice, an older version of the protocol.
                b'K' | b'N' | b'v' => {}
                other => return Err(Fault::Unexpected(other)),
            }
        }
    }

    /// The server's version, such as `15.18`.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Asks, and waits until the server is ready for the next query.
    pub(super) fn query(&mut self, statement: &str) -> Result<(), Fault> {
        let mut body = Vec::with_capacity(statement.len() + 1);
        body.extend_from_slice(statement.as_bytes());
        body.push(0);
        self.send(Some(b'Q'), &body)?;
        let mut refused = None;
        loop {
            match self.receive() {
                Ok(b'Z') => return refused.map_or(Ok(()), Err),
                Ok(b'E') => refused = Some(self.refusal()),
                // The command is complete or was empty; rows and what they are called; a notice, a setting.
                Ok(b'C' | b'I' | b'T' | b'D' | b'N' | b'S') => {}
                Ok(other) => return Err(Fault::Unexpected(other)),
                // A server that ends says why and is never ready again.
                Err(fault) => return Err(refused.unwrap_or(fault)),
            }
        }
    }

    /// In one piece, so that it is one write.
    fn send(&mut self, kind: Option<u8>, body: &[u8]) -> io::Result<()> {
        let mut message: Vec<u8> = kind.into_iter().collect();
        // Statements of this experiment are short.
        message.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        message.extend_from_slice(body);
        self.stream.get_mut().write_all(&message)
    }

    /// The kind of the next message; the rest of it is in `body` then.
    fn receive(&mut self) -> Result<u8, Fault> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = i32::from_be_bytes(length);
        let rest = length.checked_sub(4).and_then(|rest| usize::try_from(rest).ok());
        let rest = rest.filter(|rest| *rest <= LONGEST_MESSAGE).ok_or(Fault::Length { kind, length })?;
        self.body.resize(rest, 0);
        self.stream.read_exact(&mut self.body)?;
        Ok(kind)
    }

    fn is_trusted(&self) -> Result<(), Fault> {
        let method = self.body.first_chunk().ok_or(Fault::Unexpected(b'R'))?;
        match i32::from_be_bytes(*method) {
            0 => Ok(()),
            other => Err(Fault::WantsPassword(other)),
        }
    }

    /// Of all settings that the server tells, its version: its number, without what a distribution adds.
    fn keep_version(&mut self) {
        let mut texts = self.body.split(|byte| *byte == 0).map(String::from_utf8_lossy);
        if texts.next().as_deref() == Some("server_version") {
            let version = texts.next().unwrap_or_default();
            self.version = version.split(' ').next().unwrap_or_default().to_owned();
        }
    }

    /// Fields of an error: each a byte that names it and a text that ends with 0.
    fn refusal(&self) -> Fault {
        let field = |name: u8| {
            let mut fields = self.body.split(|byte| *byte == 0);
            let field = fields.find_map(|field| field.strip_prefix(&[name]));
            String::from_utf8_lossy(field.unwrap_or_default()).into_owned()
        };
        Fault::Refused { severity: field(b'S'), code: field(b'C'), message: field(b'M') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that says what it was given to say, so many bytes in a piece.
    struct Actor {
        script: Vec<u8>,
        piece: usize,
        heard: Vec<u8>,
    }

    impl Read for Actor {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.piece.min(into.len()).min(self.script.len());
            into[..count].copy_from_slice(&self.script[..count]);
            self.script.drain(..count);
            Ok(count)
        }
    }

    impl Write for Actor {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.heard.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat()
    }

    fn welcome() -> Vec<u8> {
        [
            message(b'R', &[0; 4]),
            message(b'S', b"server_encoding\0UTF8\0"),
            message(b'S', b"server_version\x0015.18 (Debian 15.18-0+deb12u1)\0"),
            message(b'K', &[0, 0, 1, 0, 9, 9, 9, 9]),
            message(b'Z', b"I"),
        ]
        .concat()
    }

    const DIVISION: &[u8] = b"SERROR\0VERROR\0C22012\0Mdivision by zero\0Fint.c\0L824\0Rint4div\0\0";

    /// What comes of the start, and then of a query.
    fn talk(script: &[u8], piece: usize) -> Result<(Client<Actor>, Result<(), Fault>), Fault> {
        let actor = Actor { script: script.to_vec(), piece, heard: Vec::new() };
        let mut client = Client::start(actor, "me", "mine")?;
        let answer = client.query("SELECT 1");
        Ok((client, answer))
    }

    fn said<T>(outcome: Result<T, Fault>) -> String {
        outcome.err().unwrap().to_string()
    }

    #[test]
    fn a_conversation_in_pieces_of_any_size() {
        let rows = [message(b'T', &[0; 30]), message(b'D', &[0, 1]), message(b'C', b"SELECT 1\0")].concat();
        let script = [welcome(), message(b'N', b"SNOTICE\0\0"), rows, message(b'Z', b"I")].concat();
        for piece in [1, 2, 3, 7, 64, 100_000] {
            let (client, answer) = talk(&script, piece).unwrap();
            assert!(answer.is_ok(), "{piece}");
            assert_eq!(client.version(), "15.18");
            let actor = client.stream.into_inner();
            assert!(actor.script.is_empty(), "all was read");
            let start = b"\0\0\0\x1f\0\x03\0\0user\0me\0database\0mine\0\0";
            assert_eq!(actor.heard, [&start[..], b"Q\0\0\0\x0dSELECT 1\0"].concat());
        }
    }

    #[test]
    fn an_error_is_told_and_the_next_query_can_come() {
        let script = [welcome(), message(b'E', DIVISION), message(b'Z', b"I")].concat();
        let again = [script, message(b'C', b"SELECT 1\0"), message(b'Z', b"I")].concat();
        let (mut client, answer) = talk(&again, 5).unwrap();
        assert_eq!(said(answer), "it says ERROR 22012: division by zero");
        assert!(client.query("SELECT 1").is_ok());
    }

    #[test]
    fn an_error_at_the_start_and_one_with_which_the_server_ends() {
        let starting = message(b'E', b"SFATAL\0C57P03\0Mthe database system is starting up\0\0");
        let fault = talk(&starting, 9).err().unwrap();
        assert!(fault.is_not_ready(), "{fault}");
        let ends = [welcome(), message(b'E', b"SFATAL\0C57P01\0Mterminating connection\0\0")].concat();
        let fault = talk(&ends, 9).unwrap().1.unwrap_err();
        assert_eq!(fault.to_string(), "it says FATAL 57P01: terminating connection");
        assert!(!fault.is_not_ready());
        // Without any of its fields, it is still an error.
        assert_eq!(said(talk(&message(b'E', b""), 9)), "it says  : ");
    }

    #[test]
    fn every_truncation_is_told() {
        let script = [welcome(), message(b'E', DIVISION)].concat();
        for length in 0..welcome().len() {
            let told = said(talk(&script[..length], 4));
            assert_eq!(told, "it closed the connection in the middle of an answer", "{length}");
        }
        for length in welcome().len()..script.len() {
            let told = said(talk(&script[..length], 4).unwrap().1);
            assert_eq!(told, "it closed the connection in the middle of an answer", "{length}");
        }
    }

    #[test]
    fn no_memory_is_set_aside_for_what_a_length_claims() {
        for (length, told) in [
            (i32::MAX, "its message 'D' claims a length of 2147483647"),
            (LONGEST_MESSAGE as i32 + 5, "its message 'D' claims a length of 65541"),
            (3, "its message 'D' claims a length of 3"),
            (-1, "its message 'D' claims a length of -1"),
            (i32::MIN, "its message 'D' claims a length of -2147483648"),
        ] {
            let script = [welcome(), [&b"D"[..], &length.to_be_bytes()].concat()].concat();
            let (client, answer) = talk(&script, 100).unwrap();
            assert_eq!(said(answer), told);
            assert!(client.body.capacity() < 1000);
        }
        let longest = [welcome(), message(b'D', &vec![0; LONGEST_MESSAGE]), message(b'Z', b"I")].concat();
        assert!(talk(&longest, 1000).unwrap().1.is_ok());
    }

    #[test]
    fn what_does_not_belong_here_is_named() {
        let md5 = message(b'R', &[0, 0, 0, 5, 1, 2, 3, 4]);
        assert_eq!(said(talk(&md5, 9)), "it wants a password (method 5), although it was told to trust");
        assert_eq!(said(talk(&message(b'R', &[0]), 9)), "its message 'R' is not understood here");
        assert_eq!(said(talk(&message(b'!', b""), 9)), "its message '!' is not understood here");
        let copy = [welcome(), message(b'G', &[0; 3])].concat();
        assert_eq!(said(talk(&copy, 9).unwrap().1), "its message 'G' is not understood here");
    }
}
