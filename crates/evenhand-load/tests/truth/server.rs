//! A server for a test: real, small, and with a behaviour that the test gives it.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;

pub(crate) const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// Starts a server that does this with each connection, each in its own thread. It ends with the test.
pub(crate) fn start(serve: impl Fn(Caller) + Send + Clone + 'static) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || serve(Caller::new(stream)));
        }
    });
    address
}

/// A server that answers each request so.
pub(crate) fn answering(answer: &'static str) -> SocketAddr {
    start(move |mut caller| while caller.asks() && caller.gets(answer) {})
}

/// Who is connected.
pub(crate) struct Caller {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Caller {
    fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Waits for the end of a request's head. Or is he gone?
    pub(crate) fn asks(&mut self) -> bool {
        let mut line = String::new();
        while self.reader.read_line(&mut line).is_ok_and(|length| length > 0) {
            if line == "\r\n" {
                return true;
            }
            line.clear();
        }
        false
    }

    /// Reads so many lines. Or is he gone?
    pub(crate) fn sends_lines(&mut self, count: usize) -> bool {
        let mut line = String::new();
        (0..count).all(|_| self.reader.read_line(&mut line).is_ok_and(|length| length > 0))
    }

    /// Sends bytes. Is he still there?
    pub(crate) fn gets(&mut self, bytes: &str) -> bool {
        self.stream.write_all(bytes.as_bytes()).is_ok()
    }
}
