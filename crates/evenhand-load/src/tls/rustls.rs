//! How does rustls speak TLS? 1.2 and 1.3, with the cryptography of ring. It does no I/O: it is given bytes and asked for bytes.
//!
//! The handshake names the host (SNI) and one protocol (ALPN), HTTP/2 or HTTP/1.1, so that a comparison never has one arm speak another
//! than the other. A session is resumed on later connections, as browsers do.
//!
//! Tests: `tests/truth/tls.rs`.

use super::{TlsError, Trust};
use crate::{Protocol, RequestFailure};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, ClientConnection, ConfigBuilder, DigitallySignedStruct,
    Error, RootCertStore, SignatureScheme, WantsVerifier, client,
};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

const HTTP2: &[u8] = b"h2";
const HTTP: &[u8] = b"http/1.1";

/// How TLS is spoken with a service.
#[derive(Debug, Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl Tls {
    /// For the host that its certificate must name.
    ///
    /// # Errors
    /// If there is no such name, and if there are no authorities to trust.
    pub fn new(host: &str, trust: &Trust, protocol: Protocol) -> Result<Self, TlsError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| TlsError::Name(host.to_owned()))?;
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| TlsError::Setup(error.to_string()))?;
        let mut config = verifying(builder, trust, provider)?.with_no_client_auth();
        config.alpn_protocols = vec![if protocol == Protocol::Http2 { HTTP2 } else { HTTP }.to_vec()];
        Ok(Self { config: Arc::new(config), name })
    }

    /// What a new connection begins with.
    pub(crate) fn session(&self) -> Result<Session, RequestFailure> {
        let connection = ClientConnection::new(Arc::clone(&self.config), self.name.clone());
        let mut connection = connection.map_err(|error| failure(&error))?;
        // What is outgoing waits in a buffer of ours, as long as it may be.
        connection.set_buffer_limit(None);
        Ok(Session { connection, has_ended: false })
    }
}

type WantsClientCert = ConfigBuilder<ClientConfig, client::WantsClientCert>;

fn verifying(
    builder: ConfigBuilder<ClientConfig, WantsVerifier>,
    trust: &Trust,
    provider: Arc<CryptoProvider>,
) -> Result<WantsClientCert, TlsError> {
    Ok(match trust {
        Trust::System => builder.with_root_certificates(of_system()?),
        Trust::File(file) => builder.with_root_certificates(of_file(file)?),
        Trust::Anyone => builder.dangerous().with_custom_certificate_verifier(Arc::new(Unverified(provider))),
    })
}

fn of_system() -> Result<RootCertStore, TlsError> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if store.is_empty() { Err(TlsError::NoAuthorities) } else { Ok(store) }
}

fn of_file(file: &Path) -> Result<RootCertStore, TlsError> {
    let wrong = |why: String| TlsError::File { file: file.to_owned(), why };
    let mut store = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| wrong(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        store.add(certificate).map_err(|error| wrong(error.to_string()))?;
    }
    if store.is_empty() { Err(wrong("it has none in PEM".to_owned())) } else { Ok(store) }
}

/// What keeps one connection secret.
pub(crate) struct Session {
    connection: ClientConnection,
    /// The service has said that nothing more comes.
    has_ended: bool,
}

impl Session {
    /// Takes in bytes of the service. What they say is added to `incoming`.
    pub(crate) fn hear(&mut self, mut bytes: &[u8], incoming: &mut Vec<u8>) -> Result<(), RequestFailure> {
        while !bytes.is_empty() {
            // It takes as much as it has room for, and nothing after the service has outgoing that this was all.
            match self.connection.read_tls(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(_) => return Err(RequestFailure::Handshake),
            }
            let state = self.connection.process_new_packets().map_err(|error| failure(&error))?;
            self.has_ended = state.peer_has_closed();
            let before = incoming.len();
            incoming.resize(before + state.plaintext_bytes_to_read(), 0);
            if self.connection.reader().read_exact(&mut incoming[before..]).is_err() {
                return Err(RequestFailure::CutOff);
            }
        }
        Ok(())
    }

    /// Makes of what is to be outgoing what is to be sent.
    pub(crate) fn say(&mut self, outgoing: &mut Vec<u8>, out: &mut Vec<u8>) {
        // Into memory, which takes everything.
        let _ = self.connection.writer().write_all(outgoing);
        outgoing.clear();
        while self.connection.wants_write() {
            if self.connection.write_tls(out).is_err() {
                return;
            }
        }
    }

    /// Has the service ended the connection? Its socket may stay open as long as ours does.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Is the handshake over?
    pub(crate) fn is_open(&self) -> bool {
        !self.connection.is_handshaking()
    }

    pub(crate) fn speaks_http2(&self) -> bool {
        self.connection.alpn_protocol() == Some(HTTP2)
    }
}

/// What has gone wrong, by what rustls says?
fn failure(error: &Error) -> RequestFailure {
    match error {
        Error::InvalidMessage(_) => RequestFailure::NoTls,
        Error::InvalidCertificate(error) => of_certificate(error),
        Error::AlertReceived(AlertDescription::NoApplicationProtocol) | Error::NoApplicationProtocol => {
            RequestFailure::NoHttp2
        }
        _ => RequestFailure::Handshake,
    }
}

fn of_certificate(error: &CertificateError) -> RequestFailure {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => RequestFailure::Expired,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            RequestFailure::OtherName
        }
        _ => RequestFailure::Untrusted,
    }
}

/// Takes any certificate. That whoever shows it has its key is still seen to.
#[derive(Debug)]
struct Unverified(Arc<CryptoProvider>);

impl ServerCertVerifier for Unverified {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
