//! How is a connection kept secret? TLS as a layer of bytes between socket and talk: the handshake is part of connecting, and a
//! service whose certificate is not to be trusted is not asked.
//!
//! Without the feature `tls` there is none: https:// is refused with an error that names the feature.
//!
//! Tests: `tests/truth/tls.rs`.

#[cfg(feature = "tls")]
mod rustls;
#[cfg(feature = "tls")]
pub(crate) use self::rustls::Session;
#[cfg(feature = "tls")]
pub use self::rustls::Tls;

#[cfg(not(feature = "tls"))]
mod none;
#[cfg(not(feature = "tls"))]
pub(crate) use none::Session;
#[cfg(not(feature = "tls"))]
pub use none::Tls;

use std::path::PathBuf;
use thiserror::Error;

/// Whose word for a certificate is good enough?
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Trust {
    /// That of the authorities that the system trusts.
    #[default]
    System,
    /// That of the authorities in this file, in PEM.
    File(PathBuf),
    /// Any certificate is.
    Anyone,
}

/// Why TLS cannot be spoken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TlsError {
    /// Built without the feature.
    #[error("this evenhand is built without TLS: build it with --features tls, or use http://")]
    NotBuilt,
    /// A host that no certificate can name.
    #[error("{0} is not a host name that a certificate can have")]
    Name(String),
    /// A file that cannot be read.
    #[error("cannot read certificates from {}: {why}", file.display())]
    File { file: PathBuf, why: String },
    /// The system trusts nobody.
    #[error("the system has no trusted certificates: give some with --cacert FILE, or use --insecure")]
    NoAuthorities,
    /// The library refuses.
    #[error("TLS cannot be set up: {0}")]
    Setup(String),
}
