//! What is there without Linux? A clock; no load.
//!
//! Tests: none; nothing is promised.

use super::{Ready, Received, Usage};
use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream};

/// Nanoseconds since it was first asked.
pub(crate) fn now() -> u64 {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

/// Nobody says.
pub(crate) fn usage() -> Usage {
    Usage::default()
}

/// Refused.
pub(crate) fn connect(_: SocketAddr) -> io::Result<TcpStream> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads what came. Nobody says when that was.
pub(crate) struct Receiver;

impl Receiver {
    pub(crate) fn new() -> Self {
        Self
    }

    pub(crate) fn receive(&mut self, mut socket: &TcpStream, buffer: &mut [u8]) -> io::Result<Received> {
        Ok(Received { length: socket.read(buffer)?, arrived: None })
    }
}

/// Never: there are none.
pub(crate) fn is_out_of_sockets(_: &io::Error) -> bool {
    false
}

/// Waits for nothing.
pub(crate) struct Waiter;

impl Waiter {
    /// Refused.
    pub(crate) fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Refused.
    pub(crate) fn watch(&self, _: &TcpStream, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Nothing.
    pub(crate) fn awake(&self) -> u64 {
        0
    }

    /// Refused.
    pub(crate) fn wait(&mut self, _: u64, _: &mut Vec<Ready>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
