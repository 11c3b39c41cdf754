//! TLS with nginx, and with those who do not speak it. Certificates are made here, by openssl.

use super::nginx::{Nginx, free_ports};
use super::server;
use super::{ask, milliseconds};
use evenhand_load::{Operation, Outcome, Protocol, RequestFailure, Service, Slice, Tls, TlsError, Trust};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use tempfile::TempDir;

fn openssl(folder: &Path, words: &str) {
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(words.split_whitespace());
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with `authority.pem`, and certificates of it for localhost, of which one has expired.
fn certificates() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(
        path,
        &format!("req -x509 {key} -keyout authority.key -out authority.pem -subj /CN=authority -days 2"),
    );
    openssl(path, &format!("req -x509 {key} -keyout other.key -out other.pem -subj /CN=other -days 2"));
    fs::write(path.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").unwrap();
    for (name, days) in [("good", 2), ("expired", 0)] {
        openssl(path, &format!("req -new {key} -keyout {name}.key -out {name}.csr -subj /CN=localhost"));
        openssl(
            path,
            &format!(
                "x509 -req -in {name}.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
                 -extfile names -days {days} -out {name}.pem"
            ),
        );
    }
    folder
}

struct Secure {
    nginx: Nginx,
    http: SocketAddr,
    http2: SocketAddr,
    expired: SocketAddr,
    plain: SocketAddr,
}

fn secure() -> Secure {
    let folder = certificates();
    let [http, http2, expired, plain] = free_ports();
    let path = folder.path().display();
    let server = |listen: String, name: &str| {
        format!(
            "server {{ listen {listen}; ssl_certificate {path}/{name}.pem; \
             ssl_certificate_key {path}/{name}.key; location / {{ return 200 'ok'; }} }}\n"
        )
    };
    let servers = [
        server(format!("{http} ssl"), "good"),
        server(format!("{http2} ssl http2"), "good"),
        server(format!("{expired} ssl"), "expired"),
        server(plain.to_string(), "good"),
    ];
    let nginx = Nginx::start(folder, &servers.concat(), plain);
    Secure { nginx, http, http2, expired, plain }
}

impl Secure {
    fn authority(&self) -> Trust {
        Trust::File(self.nginx.folder.path().join("authority.pem"))
    }
}

fn service(address: SocketAddr, protocol: Protocol, host: &str, trust: &Trust) -> Service {
    Service {
        operations: vec![Operation::http("GET", host, "/")],
        connections: 2,
        tls: Some(Tls::new(host, trust, protocol).unwrap()),
        ..Service::new(address, protocol)
    }
}

fn answers(service: &Service) -> Slice {
    let (slice, requests) = ask(service, 300.0, milliseconds(200));
    let all = slice.all();
    assert!(all.answered > 20 && all.answered as usize == requests.len(), "{:?}", all.failures);
    slice
}

/// All failed for this reason, before anything was sent.
fn refused(service: &Service, failure: RequestFailure) {
    let (slice, requests) = ask(service, 200.0, milliseconds(50));
    assert!(requests.len() > 3);
    for request in requests {
        let got = (request.outcome, request.sent);
        assert_eq!(got, (Outcome::Failed(failure), None), "{:?}", slice.all().failures);
    }
}

#[test]
fn services_with_a_certificate_that_is_trusted_answer_in_http_1_and_2() {
    let secure = secure();
    let authority = secure.authority();
    answers(&service(secure.http, Protocol::Http, "localhost", &authority));
    answers(&service(secure.http, Protocol::Http, "127.0.0.1", &authority));
    answers(&service(secure.http2, Protocol::Http, "localhost", &authority));
    let many = service(secure.http2, Protocol::Http2, "localhost", &authority);
    let slice = answers(&Service { streams: 8, ..many });
    assert_eq!(slice.generator.opened, 0);
}

#[test]
fn a_certificate_that_is_not_to_be_trusted_is_named_by_what_is_wrong_with_it() {
    let secure = secure();
    let authority = secure.authority();
    let other = Trust::File(secure.nginx.folder.path().join("other.pem"));
    let of = |address, host: &str, trust: &Trust| service(address, Protocol::Http, host, trust);
    refused(&of(secure.http, "localhost", &other), RequestFailure::Untrusted);
    refused(&of(secure.http, "shop.example", &authority), RequestFailure::OtherName);
    // It was valid until the second in which it was made.
    thread::sleep(milliseconds(1100));
    refused(&of(secure.expired, "localhost", &authority), RequestFailure::Expired);
    for (address, host) in [(secure.http, "shop.example"), (secure.expired, "localhost")] {
        answers(&of(address, host, &Trust::Anyone));
    }
}

#[test]
fn a_service_that_agrees_to_another_protocol_only_is_refused() {
    let secure = secure();
    let http2 = service(secure.http, Protocol::Http2, "localhost", &secure.authority());
    refused(&http2, RequestFailure::NoHttp2);
}

#[test]
fn a_port_without_tls_and_one_that_is_asked_without_it_are_told() {
    let secure = secure();
    let authority = secure.authority();
    refused(&service(secure.plain, Protocol::Http, "localhost", &authority), RequestFailure::NoTls);
    let silent = server::start(|caller| {
        thread::sleep(milliseconds(2000));
        drop(caller);
    });
    let late = service(silent, Protocol::Http, "localhost", &authority);
    refused(&Service { timeout: milliseconds(50), ..late }, RequestFailure::TimedOut);
    refused(&service(server::start(drop), Protocol::Http, "localhost", &authority), RequestFailure::CutOff);
    // nginx knows what such a request means, and says no.
    let plainly = super::service(secure.http, 2);
    let all = ask(&plainly, 200.0, milliseconds(50)).0.all();
    assert_eq!(all.failures.get(&RequestFailure::Wrong), Some(&all.planned));
}

#[test]
fn a_connection_that_is_closed_after_each_answer_costs_a_handshake_and_that_is_no_service_time() {
    let folder = certificates();
    let [address] = free_ports();
    let path = folder.path().display();
    let servers = format!(
        "keepalive_timeout 0; server {{ listen {address} ssl; ssl_certificate {path}/good.pem; \
         ssl_certificate_key {path}/good.key; location / {{ return 200 'ok'; }} }}"
    );
    let nginx = Nginx::start(folder, &servers, address);
    let authority = Trust::File(nginx.folder.path().join("authority.pem"));
    let service = service(address, Protocol::Http, "localhost", &authority);
    let (slice, requests) = ask(&service, 200.0, milliseconds(200));
    let all = slice.all();
    assert!(all.answered > 10 && all.answered as usize == requests.len(), "{:?}", all.failures);
    assert!(slice.generator.opened + 2 >= all.planned);
    let connecting = requests.iter().filter(|request| request.sent > Some(request.taken));
    assert!(connecting.count() as u64 + 2 >= all.planned, "the handshake comes before the request is sent");
}

#[test]
fn what_cannot_be_trusted_at_all_is_refused_before_anything_is_asked() {
    let new = |host: &str, trust| Tls::new(host, &trust, Protocol::Http).unwrap_err();
    assert!(matches!(new("a b", Trust::Anyone), TlsError::Name(_)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.pem");
    assert!(matches!(new("localhost", Trust::File(file.clone())), TlsError::File { .. }));
    fs::write(&file, "no certificate").unwrap();
    let error = new("localhost", Trust::File(file)).to_string();
    assert!(error.contains("empty.pem: it has none in PEM"), "{error}");
}
