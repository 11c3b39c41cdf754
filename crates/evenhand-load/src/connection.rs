//! How are bytes sent and received? One connection, with one request on its way at most, opened again when a request needs it.
//!
//! Nothing here waits, and nothing looks at the clock.
//!
//! Tests: `tests/truth/`.

use crate::codec::{Codec, WholeAnswer};
use crate::platform::{self, Waiter};
use crate::{Operation, Protocol, RequestFailure};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A connection, which may be closed.
pub(crate) struct Connection {
    socket: Option<TcpStream>,
    codec: Box<dyn Codec>,
    /// Told of whatever happens to the present socket, and to none before it.
    generation: u32,
    is_open: bool,
    /// Something was answered on the present socket.
    used: bool,
    /// The bytes of the request, if they vary.
    varied: Vec<u8>,
    /// Bytes of the request that are sent, of the answer that came.
    sent: usize,
    received: u64,
}

/// What happened to the request on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Nothing that matters.
    Nothing,
    /// The connection is open: the request can be sent.
    Opened,
    Answered(WholeAnswer),
    Failed(RequestFailure),
    /// The connection had ended while it was idle: nobody has read the request.
    Stale,
}

impl Connection {
    pub(crate) fn new(protocol: Protocol) -> Self {
        Self {
            socket: None,
            codec: protocol.codec(),
            generation: 0,
            is_open: false,
            used: false,
            varied: Vec::new(),
            sent: 0,
            received: 0,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Is it being opened?
    pub(crate) fn is_opening(&self) -> bool {
        self.socket.is_some() && !self.is_open
    }

    /// Is this what it is watched as?
    pub(crate) fn is_watched_as(&self, token: u64) -> bool {
        self.socket.is_some() && token >> 32 == u64::from(self.generation)
    }

    /// Begins to open it. `place` is its number.
    pub(crate) fn open(
        &mut self,
        address: SocketAddr,
        waiter: &Waiter,
        place: usize,
    ) -> Result<(), RequestFailure> {
        self.close();
        let socket = platform::connect(address).map_err(|error| failure(&error))?;
        let token = u64::from(self.generation) << 32 | place as u64;
        waiter.watch(&socket, token).map_err(|error| failure(&error))?;
        self.socket = Some(socket);
        Ok(())
    }

    pub(crate) fn close(&mut self) {
        self.socket = None;
        self.generation = self.generation.wrapping_add(1) & 0x7fff_ffff;
        (self.is_open, self.used) = (false, false);
    }

    /// Begins to send a request, on an open connection.
    pub(crate) fn send(&mut self, operation: &Operation, draw: u64, buffer: &mut [u8]) -> Event {
        (self.sent, self.received) = (0, 0);
        operation.vary(draw, &mut self.varied);
        self.codec.begin(operation);
        self.send_on(operation, buffer)
    }

    /// Sends what is left of the request, as far as it goes.
    fn send_on(&mut self, operation: &Operation, buffer: &mut [u8]) -> Event {
        let request = request(operation, &self.varied);
        while let Some(rest) = request.get(self.sent..).filter(|rest| !rest.is_empty()) {
            let Some(socket) = &mut self.socket else { return Event::Failed(RequestFailure::CutOff) };
            match socket.write(rest) {
                Ok(length) => self.sent += length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It may have been answered before all of it was sent: "too large".
                Err(error) => {
                    return match self.receive(operation, true, buffer) {
                        Event::Nothing => self.lost(operation, failure(&error)),
                        event => event,
                    };
                }
            }
        }
        Event::Nothing
    }

    /// Something came, or there is room to send. `operation` is that of the request on its way, if there is one.
    pub(crate) fn ready(
        &mut self,
        ready: platform::Ready,
        operation: Option<&Operation>,
        buffer: &mut [u8],
    ) -> Event {
        if self.is_opening() {
            return self.opened(ready);
        }
        let Some(operation) = operation else { return self.idle(buffer) };
        if ready.writable && self.sent < request(operation, &self.varied).len() {
            let event = self.send_on(operation, buffer);
            if event != Event::Nothing {
                return event;
            }
        }
        self.receive(operation, ready.ended, buffer)
    }

    fn opened(&mut self, ready: platform::Ready) -> Event {
        let error = self.socket.as_ref().map_or(Ok(None), TcpStream::take_error);
        match error {
            Ok(Some(error)) | Err(error) => Event::Failed(failure(&error)),
            // It was accepted and closed in one.
            Ok(None) if ready.ended => Event::Failed(RequestFailure::CutOff),
            Ok(None) if ready.writable => {
                self.is_open = true;
                Event::Opened
            }
            Ok(None) => Event::Nothing,
        }
    }

    /// Nobody asked: it can only be the end, or bytes that answer nothing. Either way it is of no use any more.
    fn idle(&mut self, buffer: &mut [u8]) -> Event {
        let Some(socket) = &mut self.socket else { return Event::Nothing };
        match socket.read(buffer) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            _ => self.close(),
        }
        Event::Nothing
    }

    /// Reads what came, to the end if there is one.
    fn receive(&mut self, operation: &Operation, to_the_end: bool, buffer: &mut [u8]) -> Event {
        loop {
            let Some(socket) = &mut self.socket else { return Event::Nothing };
            let length = match socket.read(buffer) {
                Ok(0) => return self.ended(operation),
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Event::Nothing,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return self.lost(operation, failure(&error)),
            };
            self.received += length as u64;
            match self.codec.take(&buffer[..length]) {
                Ok(Some(answer)) => {
                    self.used = true;
                    // What comes after it, if anything, is the end.
                    let stays_open = answer.stays_open && !to_the_end;
                    return Event::Answered(WholeAnswer { stays_open, ..answer });
                }
                Err(_) => return Event::Failed(RequestFailure::Garbled),
                Ok(None) if length < buffer.len() && !to_the_end => return Event::Nothing,
                Ok(None) => {}
            }
        }
    }

    /// The service has closed it.
    fn ended(&mut self, operation: &Operation) -> Event {
        match self.codec.close() {
            Some(answer) => Event::Answered(answer),
            None => self.lost(operation, RequestFailure::CutOff),
        }
    }

    /// It is lost, and the request with it; unless the connection had ended before the request came.
    fn lost(&self, operation: &Operation, failure: RequestFailure) -> Event {
        let stale = operation.repeatable && self.used && self.received == 0;
        if stale { Event::Stale } else { Event::Failed(failure) }
    }
}

/// The bytes that are sent.
fn request<'a>(operation: &'a Operation, varied: &'a [u8]) -> &'a [u8] {
    if varied.is_empty() { &operation.request } else { varied }
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
