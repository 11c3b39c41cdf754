//! How are bytes sent and received? One connection, opened again when a request needs it: a socket, TLS if it is asked for, and what
//! is said on it.
//!
//! Nothing here waits, and nothing looks at the clock.
//!
//! Tests: `tests/truth/`.

use crate::platform::{self, Received, Receiver, Waiter};
use crate::talk::{Ends, Talk};
use crate::tls::{Session, Tls};
use crate::{Operation, Protocol, RequestFailure, Service};
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};

/// A connection, which may be closed.
pub(crate) struct Connection {
    socket: Option<TcpStream>,
    stage: Stage,
    /// Told of whatever happens to the present socket, and to none before it.
    generation: u32,
    address: SocketAddr,
    tls: Option<Tls>,
    session: Option<Session>,
    is_http2: bool,
    talk: Talk,
    /// What is to be said, and what the session has made of it; `sent` bytes of that are sent.
    outgoing: Vec<u8>,
    out: Vec<u8>,
    sent: usize,
    /// What the session has made of what came.
    incoming: Vec<u8>,
    receiver: Receiver,
    /// When the last of what came had come, if the system says.
    arrived: Option<u64>,
    /// Why it could not be opened.
    unopened: Option<RequestFailure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Closed,
    Connecting,
    /// What comes before the first request: the handshake of TLS, the settings of HTTP/2.
    Greeting,
    Open,
}

impl Connection {
    /// One on which so many requests can be on their way.
    pub(crate) fn new(service: &Service, lanes: usize) -> Self {
        let Service { address, protocol, tls, .. } = service;
        Self {
            socket: None,
            stage: Stage::Closed,
            generation: 0,
            address: *address,
            tls: tls.clone(),
            session: None,
            is_http2: *protocol == Protocol::Http2,
            talk: Talk::new(*protocol, lanes, tls.is_some()),
            outgoing: Vec::new(),
            out: Vec::new(),
            sent: 0,
            incoming: Vec::new(),
            receiver: Receiver::new(),
            arrived: None,
            unopened: None,
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.stage == Stage::Closed
    }

    /// When had the last of what came come, as a moment of the system's clock, if it says?
    pub(crate) fn arrived(&self) -> Option<u64> {
        self.arrived
    }

    /// Is it being opened?
    pub(crate) fn is_opening(&self) -> bool {
        matches!(self.stage, Stage::Connecting | Stage::Greeting)
    }

    /// Can a request be sent now?
    pub(crate) fn has_room(&self) -> bool {
        self.stage == Stage::Open && self.talk.has_room()
    }

    /// Is this what it is watched as?
    pub(crate) fn is_watched_as(&self, token: u64) -> bool {
        self.socket.is_some() && token >> 32 == u64::from(self.generation)
    }

    /// Begins to open it. `place` is its number.
    pub(crate) fn open(&mut self, waiter: &Waiter, place: usize) -> Result<(), RequestFailure> {
        self.close();
        self.unopened = None;
        let socket = platform::connect(self.address).map_err(|error| failure(&error))?;
        let token = u64::from(self.generation) << 32 | place as u64;
        waiter.watch(&socket, token).map_err(|error| failure(&error))?;
        self.session = self.tls.as_ref().map(Tls::session).transpose()?;
        (self.socket, self.stage) = (Some(socket), Stage::Connecting);
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        (self.socket, self.session, self.stage) = (None, None, Stage::Closed);
        self.generation = self.generation.wrapping_add(1) & 0x7fff_ffff;
        self.outgoing.clear();
        self.out.clear();
        self.sent = 0;
    }

    /// Begins to send a request, on a connection that has room.
    pub(crate) fn send(
        &mut self,
        lane: usize,
        operation: &Operation,
        draw: u64,
        buffer: &mut [u8],
        ends: &mut Ends,
    ) {
        self.talk.begin(lane, operation, draw, &mut self.outgoing);
        self.send_on(buffer, ends);
    }

    /// Nobody waits for a request any more. Unless others share its connection, that is of no use either.
    pub(crate) fn give_up(&mut self, lane: usize, buffer: &mut [u8], ends: &mut Ends) {
        let is_of_use = self.stage == Stage::Open && self.talk.give_up(lane, &mut self.outgoing);
        if is_of_use && !self.talk.is_over() { self.send_on(buffer, ends) } else { self.close() }
    }

    /// Something came, or there is room to send. Why it could not be opened, if that was tried.
    pub(crate) fn ready(
        &mut self,
        ready: platform::Ready,
        buffer: &mut [u8],
        ends: &mut Ends,
    ) -> Option<RequestFailure> {
        if self.stage == Stage::Connecting {
            self.connected(ready, ends);
            if self.stage != Stage::Greeting {
                return self.unopened.take();
            }
        }
        if ready.writable {
            self.send_on(buffer, ends);
        }
        self.receive(ready.ended, buffer, ends);
        self.unopened.take()
    }

    /// The socket is connected, or could not be.
    fn connected(&mut self, ready: platform::Ready, ends: &mut Ends) {
        let error = self.socket.as_ref().map_or(Ok(None), TcpStream::take_error);
        match error {
            Ok(Some(error)) | Err(error) => self.over(Over::Lost(failure(&error)), ends),
            // It was accepted and closed in one.
            Ok(None) if ready.ended => self.over(Over::Ended, ends),
            Ok(None) if ready.writable => {
                self.stage = Stage::Greeting;
                self.talk.open(&mut self.outgoing);
                // What is wrong with the socket is heard when it is read.
                let _ = self.flush();
                if let Err(failure) = self.look_around() {
                    self.over(Over::Failed(failure), ends);
                }
            }
            Ok(None) => {}
        }
    }

    /// Sends what is to be sent, as far as it goes.
    fn send_on(&mut self, buffer: &mut [u8], ends: &mut Ends) {
        if let Err(error) = self.flush() {
            // It may have been answered before all of it was sent: "too large".
            self.receive(true, buffer, ends);
            self.over(Over::Lost(failure(&error)), ends);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.session {
            Some(session) => session.say(&mut self.outgoing, &mut self.out),
            None if self.out.is_empty() => std::mem::swap(&mut self.outgoing, &mut self.out),
            None => self.out.append(&mut self.outgoing),
        }
        let Some(socket) = &mut self.socket else { return Ok(()) };
        while self.sent < self.out.len() {
            match socket.write(&self.out[self.sent..]) {
                Ok(length) => self.sent += length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.sent = 0;
        Ok(())
    }

    /// Reads what came, to the end if there is one.
    fn receive(&mut self, to_the_end: bool, buffer: &mut [u8], ends: &mut Ends) {
        while let Some(socket) = &mut self.socket {
            let Received { length, arrived } = match self.receiver.receive(socket, buffer) {
                Ok(received) => received,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return self.over(Over::Lost(failure(&error)), ends),
            };
            self.arrived = arrived;
            if length == 0 {
                return self.over(Over::Ended, ends);
            }
            if let Err(failure) = self.hear(&buffer[..length], ends) {
                return self.over(Over::Failed(failure), ends);
            }
            if self.session.as_ref().is_some_and(Session::has_ended) {
                return self.over(Over::Ended, ends);
            }
            if length < buffer.len() && !to_the_end {
                return;
            }
        }
    }

    fn hear(&mut self, bytes: &[u8], ends: &mut Ends) -> Result<(), RequestFailure> {
        let taken_in = match &mut self.session {
            None => self.talk.take(bytes, &mut self.outgoing, ends).map_err(|_| RequestFailure::Garbled),
            Some(session) => {
                self.incoming.clear();
                let opened = session.hear(bytes, &mut self.incoming);
                let taken = self.talk.take(&self.incoming, &mut self.outgoing, ends);
                opened.and(taken.map_err(|_| RequestFailure::Garbled))
            }
        };
        // Also the reason why we refuse to go on.
        let _ = self.flush();
        match taken_in {
            Err(RequestFailure::Garbled) if self.is_http2 && self.is_opening() => {
                Err(RequestFailure::NoHttp2)
            }
            Err(failure) => Err(failure),
            Ok(()) => self.look_around(),
        }
    }

    /// Is it open now, or of no use any more?
    fn look_around(&mut self) -> Result<(), RequestFailure> {
        if self.stage == Stage::Greeting && self.session.as_ref().is_none_or(Session::is_open) {
            if self.is_http2 && self.session.as_ref().is_some_and(|session| !session.speaks_http2()) {
                return Err(RequestFailure::NoHttp2);
            }
            if self.talk.is_ready() {
                self.stage = Stage::Open;
            }
        }
        if self.talk.is_over() {
            // To open it again would lead here again.
            self.unopened = (!self.talk.is_used()).then_some(RequestFailure::CutOff);
            self.close();
        }
        Ok(())
    }

    /// It has ended, and with it what is on its way.
    fn over(&mut self, how: Over, ends: &mut Ends) {
        match (self.stage, how) {
            (Stage::Closed, _) => return,
            (Stage::Open, Over::Ended) => self.talk.ended(ends),
            (Stage::Open, Over::Lost(failure)) => self.talk.lost(failure, ends),
            (Stage::Open, Over::Failed(failure)) => self.talk.fail(failure, ends),
            (_, Over::Ended) => self.unopened = Some(RequestFailure::CutOff),
            (_, Over::Lost(failure) | Over::Failed(failure)) => self.unopened = Some(failure),
        }
        self.close();
    }
}

/// How a connection has ended.
enum Over {
    /// The service has closed it.
    Ended,
    /// By what the system says.
    Lost(RequestFailure),
    /// We do not go on.
    Failed(RequestFailure),
}

/// What has gone wrong, by what the system says?
fn failure(error: &io::Error) -> RequestFailure {
    match error.kind() {
        _ if platform::is_out_of_sockets(error) => RequestFailure::NoSocket,
        ErrorKind::ConnectionRefused => RequestFailure::Refused,
        ErrorKind::TimedOut => RequestFailure::TimedOut,
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => {
            RequestFailure::Unreachable
        }
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            RequestFailure::CutOff
        }
        _ => RequestFailure::Unreachable,
    }
}
