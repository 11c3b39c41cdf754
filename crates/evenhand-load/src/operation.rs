//! What is sent? Operations, each with the bytes of its request, made before anything is sent; those of an operation that varies are
//! made when it is.
//!
//! Tests: `tests/answers.rs`, `tests/truth/`.

use crate::text::{Text, draws};
use rand_xoshiro::Xoshiro256PlusPlus;

/// In which language does the service answer?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Http,
    /// HTTP/2, many requests on one connection. Without TLS both sides know it beforehand; with TLS it is agreed on.
    Http2,
    Redis,
}

/// A kind of request.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// What its results are called.
    pub name: String,
    /// How often it comes, beside the others.
    pub weight: f64,
    /// Its bytes, as they are sent but by HTTP/2; one of them, if they vary.
    pub request: Vec<u8>,
    /// What they are made of.
    form: Form,
    varies: bool,
    /// May it be sent again when the service closed the connection before the first byte of an answer? A service may close a
    /// connection that is idle at any moment, so a request can meet the end of its connection (RFC 9112, 9.3.1).
    pub repeatable: bool,
    /// Its answer has a head only: `HEAD` of HTTP.
    pub head_only: bool,
}

/// What the bytes of a request are made of.
#[derive(Debug, Clone, PartialEq)]
enum Form {
    Http(Http),
    Redis(Vec<Text>),
}

/// A request of HTTP.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Http {
    pub method: String,
    /// As the header `Host` names it.
    pub host: String,
    pub path: Text,
    /// Further headers.
    pub headers: Vec<(String, Text)>,
    pub body: Text,
}

impl Http {
    fn write(&self, draws: &mut Xoshiro256PlusPlus, into: &mut Vec<u8>) {
        into.extend_from_slice(format!("{} ", self.method).as_bytes());
        self.path.write(draws, into);
        into.extend_from_slice(format!(" HTTP/1.1\r\nHost: {}\r\n", self.host).as_bytes());
        for (name, value) in &self.headers {
            into.extend_from_slice(format!("{name}: ").as_bytes());
            value.write(draws, into);
            into.extend_from_slice(b"\r\n");
        }
        let mut body = Vec::new();
        self.body.write(draws, &mut body);
        if self.has_length(&body) {
            into.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
        }
        into.extend_from_slice(b"\r\n");
        into.extend_from_slice(&body);
    }

    /// Is the length of its body told? That of none is, where one was to be expected.
    pub(crate) fn has_length(&self, body: &[u8]) -> bool {
        !body.is_empty() || matches!(self.method.as_str(), "POST" | "PUT" | "PATCH")
    }

    fn varies(&self) -> bool {
        self.path.varies() || self.body.varies() || self.headers.iter().any(|(_, value)| value.varies())
    }
}

fn write_redis(words: &[Text], draws: &mut Xoshiro256PlusPlus, into: &mut Vec<u8>) {
    into.extend_from_slice(format!("*{}\r\n", words.len()).as_bytes());
    for word in words {
        let mut bytes = Vec::new();
        word.write(draws, &mut bytes);
        into.extend_from_slice(format!("${}\r\n", bytes.len()).as_bytes());
        into.extend_from_slice(&bytes);
        into.extend_from_slice(b"\r\n");
    }
}

impl Form {
    fn write(&self, draw: u64, into: &mut Vec<u8>) {
        match self {
            Self::Http(http) => http.write(&mut draws(draw), into),
            Self::Redis(words) => write_redis(words, &mut draws(draw), into),
        }
    }

    fn varies(&self) -> bool {
        match self {
            Self::Http(http) => http.varies(),
            Self::Redis(words) => words.iter().any(Text::varies),
        }
    }
}

impl Operation {
    /// `METHOD PATH` without a body, at a host as the header `Host` names it.
    pub fn http(method: &str, host: &str, path: &str) -> Self {
        Self::of_http(
            path,
            Http {
                method: method.to_owned(),
                host: host.to_owned(),
                path: Text::plain(path),
                ..Http::default()
            },
        )
    }

    /// A request of HTTP, whose path people know by this.
    pub fn of_http(path: &str, http: Http) -> Self {
        let method = http.method.as_str();
        // RFC 9110, 9.2.2.
        let repeatable = matches!(method, "GET" | "HEAD" | "PUT" | "DELETE" | "OPTIONS" | "TRACE");
        let (name, head_only) = (format!("{method} {path}"), method == "HEAD");
        Self { repeatable, head_only, ..Self::of(name, Form::Http(http)) }
    }

    /// A command of Redis with its arguments.
    pub fn redis(words: &[&str]) -> Self {
        Self::of_redis(words.join(" "), words.iter().map(Text::plain).collect())
    }

    /// A command of Redis, which people know by this name.
    pub fn of_redis(name: String, words: Vec<Text>) -> Self {
        // Who knows which commands may come twice?
        Self::of(name, Form::Redis(words))
    }

    fn of(name: String, form: Form) -> Self {
        let mut request = Vec::new();
        form.write(0, &mut request);
        let varies = form.varies();
        Self { name, weight: 1.0, request, form, varies, repeatable: false, head_only: false }
    }

    /// Appends the bytes of the request that goes with a draw.
    pub(crate) fn write(&self, draw: u64, into: &mut Vec<u8>) {
        if self.varies { self.form.write(draw, into) } else { into.extend_from_slice(&self.request) }
    }

    /// The request of HTTP that it is, if it is one.
    pub(crate) fn as_http(&self) -> Option<&Http> {
        match &self.form {
            Form::Http(http) => Some(http),
            Form::Redis(_) => None,
        }
    }

    /// The same, by this name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The same, as often as this beside the others.
    #[must_use]
    pub fn weighing(self, weight: f64) -> Self {
        Self { weight, ..self }
    }
}
