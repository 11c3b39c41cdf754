//! What is there without the feature `tls`? Types of which nothing is ever made.
//!
//! Tests: none; nothing can run.

use super::{TlsError, Trust};
use crate::{Protocol, RequestFailure};

/// There is none.
#[derive(Debug, Clone)]
pub enum Tls {}

impl Tls {
    /// Refused.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &str, _: &Trust, _: Protocol) -> Result<Self, TlsError> {
        Err(TlsError::NotBuilt)
    }

    pub(crate) fn session(&self) -> Result<Session, RequestFailure> {
        match *self {}
    }
}

/// There is none.
pub(crate) enum Session {}

impl Session {
    pub(crate) fn hear(&mut self, _: &[u8], _: &mut Vec<u8>) -> Result<(), RequestFailure> {
        match *self {}
    }

    pub(crate) fn say(&mut self, _: &mut Vec<u8>, _: &mut Vec<u8>) {
        match *self {}
    }

    pub(crate) fn has_ended(&self) -> bool {
        match *self {}
    }

    pub(crate) fn is_open(&self) -> bool {
        match *self {}
    }

    pub(crate) fn speaks_http2(&self) -> bool {
        match *self {}
    }
}
