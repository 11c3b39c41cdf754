//! What is a URL, and where is its host? `http://HOST[:PORT]/PATH`, the same with `https`, and `redis://HOST[:PORT]`; an IPv6
//! address stands in brackets.
//!
//! Tests: below, and `tests/program/load.rs`.

use crate::CliError;
use evenhand_load::Protocol;
use evenhand_measure::secrets::without_secrets_in;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::Duration;

/// A URL, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Url {
    pub protocol: Protocol,
    /// With TLS.
    pub is_secure: bool,
    /// Without the brackets of an IPv6 address.
    pub host: String,
    pub port: u16,
    /// What HTTP calls the host: with the port, unless that is the usual one.
    pub authority: String,
    /// Path and query; `/` if there is none.
    pub path: String,
}

impl Url {
    pub(super) fn of(text: &str) -> Result<Self, CliError> {
        let shown = without_secrets_in(text);
        let wrong = |why: &str, next: String| Err(CliError::with_hint(format_args!("{shown}: {why}"), next));
        let Some((scheme, rest)) = text.split_once("://") else {
            return wrong("no scheme", format!("write http://{shown} or redis://{shown}"));
        };
        let (protocol, is_secure, usual) = match scheme.to_ascii_lowercase().as_str() {
            "http" => (Protocol::Http, false, 80),
            "https" => (Protocol::Http, true, 443),
            "redis" => (Protocol::Redis, false, 6379),
            other => {
                let next = "use http://, https:// or redis://".to_owned();
                return wrong(&format!("{other}:// is not supported"), next);
            }
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let path_from = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(path_from);
        if authority.contains('@') {
            return wrong("a user or password in a URL is not supported", "leave it out".to_owned());
        }
        let Some((host, port)) = host_and_port(authority, usual) else {
            return wrong(
                "no host and port",
                format!("write {scheme}://HOST:PORT/, such as {scheme}://localhost:8080/"),
            );
        };
        if protocol == Protocol::Redis && !matches!(path, "" | "/") {
            return wrong("a redis:// URL has no path", "use --command 'GET key'".to_owned());
        }
        if path.contains(|character: char| !character.is_ascii_graphic()) {
            return wrong("a path has printable ASCII characters only", "write others as %XX".to_owned());
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        Ok(Self { protocol, is_secure, host, port, authority: authority.to_owned(), path })
    }

    /// Where it is: the first of its host's addresses that takes a connection.
    pub(super) fn address(&self, patience: Duration) -> Result<SocketAddr, CliError> {
        let mut last = None;
        for address in self.resolved()? {
            match TcpStream::connect_timeout(&address, patience) {
                Ok(_) => return Ok(address),
                Err(error) => last = Some((address, error)),
            }
        }
        Err(match last {
            None => CliError::new(format_args!("the host {} has no address", self.host)),
            Some((address, error)) => CliError::with_hint(
                format_args!("cannot connect to {address}: {}", error.kind()),
                "check that the service runs and listens on this port",
            ),
        })
    }
}

impl Url {
    /// The addresses of its host.
    pub(super) fn resolved(&self) -> Result<impl Iterator<Item = SocketAddr> + use<>, CliError> {
        let host = &self.host;
        let no_host = |_| CliError::with_hint(format_args!("cannot find the host {host}"), "check its name");
        (host.as_str(), self.port).to_socket_addrs().map_err(no_host)
    }
}

fn host_and_port(authority: &str, usual: u16) -> Option<(String, u16)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            (address, if port.is_empty() { None } else { Some(port.strip_prefix(':')?) })
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let is_name = |character: char| character.is_alphanumeric() || "-._:".contains(character);
    let port = port.map_or(Some(usual), |port| port.parse().ok().filter(|port| *port > 0))?;
    (!host.is_empty() && host.chars().all(is_name)).then(|| (host.to_owned(), port))
}

/// Is it an address of this machine? Only such a one can be bound to.
pub(super) fn is_here(address: IpAddr) -> bool {
    address.is_loopback() || UdpSocket::bind((address, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, u16, String, String) {
        let Url { host, port, authority, path, .. } = Url::of(text).unwrap();
        (host, port, authority, path)
    }

    #[test]
    fn a_url_has_host_port_and_path() {
        let expected = |host: &str, port, authority: &str, path: &str| {
            (host.to_owned(), port, authority.to_owned(), path.to_owned())
        };
        assert_eq!(parts("http://localhost"), expected("localhost", 80, "localhost", "/"));
        assert_eq!(parts("http://a.b:8080/x/y?z=1#top"), expected("a.b", 8080, "a.b:8080", "/x/y?z=1"));
        assert_eq!(parts("HTTP://[::1]:81?q"), expected("::1", 81, "[::1]:81", "/?q"));
        assert_eq!(parts("http://[2001:db8::1]/"), expected("2001:db8::1", 80, "[2001:db8::1]", "/"));
        assert_eq!(parts("https://a/x"), expected("a", 443, "a", "/x"));
        assert!(Url::of("https://a/").unwrap().is_secure && !Url::of("http://a/").unwrap().is_secure);
        assert_eq!(parts("redis://cache/"), expected("cache", 6379, "cache", "/"));
    }

    #[test]
    fn what_is_no_url_is_refused() {
        for wrong in [
            "localhost:8080",
            "ftp://a/",
            "http://",
            "http://:80/",
            "http://a:0/",
            "http://a:x/",
            "http://a:70000/",
            "http://[::1/",
            "http://[nine]/",
            "http://[::1]8/",
            "http://me:secret@a/",
            "http://a/ä",
            "http://a/ b",
            "redis://a/1",
            "http://a b/",
        ] {
            assert!(Url::of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_here_and_others_are_not() {
        for here in ["127.0.0.1", "127.8.8.8", "::1"] {
            assert!(is_here(here.parse().unwrap()), "{here}");
        }
        // For documentation: nobody has these.
        for elsewhere in ["192.0.2.1", "2001:db8::1"] {
            assert!(!is_here(elsewhere.parse().unwrap()), "{elsewhere}");
        }
    }
}
