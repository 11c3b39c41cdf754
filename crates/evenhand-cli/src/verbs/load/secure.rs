//! Which certificates are trusted, and what is said of a service whose certificate is not, or that speaks otherwise than it was asked?
//!
//! Tests: `tests/program/secure.rs`.

use super::Arguments;
use super::address::Url;
use crate::CliError;
use evenhand_load::{Protocol, RequestFailure, Tls, Trust};

/// How TLS is spoken, if the URL asks for it.
pub(super) fn tls(
    arguments: &Arguments,
    text: &str,
    url: &Url,
    protocol: Protocol,
) -> Result<Option<Tls>, CliError> {
    let Arguments { cacert, insecure, .. } = arguments;
    if url.is_secure {
        let trust = match cacert {
            _ if *insecure => Trust::Anyone,
            Some(file) => Trust::File(file.clone()),
            None => Trust::System,
        };
        return Tls::new(&url.host, &trust, protocol).map(Some).map_err(CliError::new);
    }
    let options = [("--cacert", cacert.is_some()), ("--insecure", *insecure)];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(None),
        Some((option, _)) => {
            Err(CliError::new(format_args!("{option} is for https:// URLs, and {text} is none")))
        }
    }
}

/// A service that cannot be asked in the way that was wanted.
pub(super) fn refusal(failure: RequestFailure, text: &str, url: &Url) -> Option<CliError> {
    let host = &url.host;
    let (what, next) = match failure {
        RequestFailure::Untrusted => (
            format!("the certificate of {host} is not trusted here"),
            "name its authority with --cacert FILE, or accept any certificate with --insecure",
        ),
        RequestFailure::Expired => (
            format!("the certificate of {host} has expired"),
            "renew it, or accept any certificate with --insecure",
        ),
        RequestFailure::OtherName => (
            format!("the certificate at {text} is not for {host}"),
            "use a name that it is for, or accept any certificate with --insecure",
        ),
        RequestFailure::NoTls => {
            (format!("{text}: there is no TLS on this port"), "write http:// instead of https://")
        }
        RequestFailure::Handshake => (
            format!("{text}: the TLS handshake failed"),
            "check that the service speaks TLS 1.2 or 1.3 and asks for no certificate of its clients",
        ),
        RequestFailure::NoHttp2 => {
            (format!("{text}: the service does not speak HTTP/2 on this port"), "omit --http2")
        }
        _ => return None,
    };
    Some(CliError::with_hint(what, next))
}
