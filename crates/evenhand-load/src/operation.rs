//! What is sent? Operations, each with the bytes of its request, made before anything is sent.
//!
//! Tests: `tests/answers.rs`, `tests/truth/`.

use crate::codec::Codec;
use crate::http::HttpCodec;
use crate::redis::RedisCodec;

/// In which language does the service answer?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Http,
    Redis,
}

impl Protocol {
    /// What reads the answers of one connection.
    pub(crate) fn codec(self) -> Box<dyn Codec> {
        match self {
            Self::Http => Box::new(HttpCodec::default()),
            Self::Redis => Box::new(RedisCodec::default()),
        }
    }
}

/// A kind of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// What its results are called.
    pub name: String,
    /// How often it comes, beside the others.
    pub weight: f64,
    /// Its bytes, as they are sent.
    pub request: Vec<u8>,
    /// May it be sent again when the service closed the connection before the first byte of an answer? A service may close a
    /// connection that is idle at any moment, so a request can meet the end of its connection (RFC 9112, 9.3.1).
    pub repeatable: bool,
    /// Its answer has a head only: `HEAD` of HTTP.
    pub head_only: bool,
}

impl Operation {
    /// `METHOD PATH` without a body, at a host as the header `Host` names it.
    pub fn http(method: &str, host: &str, path: &str) -> Self {
        Self::http_with_body(method, host, path, &[], &[])
    }

    /// `METHOD PATH` with further headers and a body, at a host as the header `Host` names it.
    pub fn http_with_body(
        method: &str,
        host: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Self {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() || matches!(method, "POST" | "PUT" | "PATCH") {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        let request = [head.as_bytes(), b"\r\n", body].concat();
        // RFC 9110, 9.2.2.
        let repeatable = matches!(method, "GET" | "HEAD" | "PUT" | "DELETE" | "OPTIONS" | "TRACE");
        let name = format!("{method} {path}");
        Self { name, weight: 1.0, request, repeatable, head_only: method == "HEAD" }
    }

    /// A command of Redis with its arguments.
    pub fn redis(words: &[&str]) -> Self {
        let mut request = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            request.extend_from_slice(format!("${}\r\n{word}\r\n", word.len()).as_bytes());
        }
        // Who knows which commands may come twice?
        Self { name: words.join(" "), weight: 1.0, request, repeatable: false, head_only: false }
    }

    /// The same, as often as this beside the others.
    #[must_use]
    pub fn weighing(self, weight: f64) -> Self {
        Self { weight, ..self }
    }
}
