//! nginx as a counterpart that others have made: HTTP/1.1 and HTTP/2, with TLS where evenhand is built with it.

use super::{ask, milliseconds};
use evenhand_load::{Http, Operation, Protocol, Service, Text};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use tempfile::TempDir;

/// nginx, until it is dropped.
pub(crate) struct Nginx {
    child: Child,
    /// Its files, which are deleted with it; among them its certificate.
    #[cfg_attr(not(feature = "tls"), expect(dead_code))]
    pub(crate) folder: TempDir,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ports that nobody listens on.
pub(crate) fn free_ports<const N: usize>() -> [SocketAddr; N] {
    let listeners: [TcpListener; N] =
        std::array::from_fn(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap());
    listeners.each_ref().map(|listener| listener.local_addr().unwrap())
}

impl Nginx {
    /// Starts it with these servers, in a folder of its own, and waits until it listens there.
    pub(crate) fn start(folder: TempDir, servers: &str, listening: SocketAddr) -> Self {
        let path = folder.path().display();
        let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {path}/{kind};\n"))
            .concat();
        let configuration = format!(
            "daemon off;\nmaster_process off;\npid {path}/pid;\nerror_log {path}/errors;\nevents {{}}\n\
             http {{\n{kept}access_log off;\nclient_max_body_size 8m;\n{servers}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration).unwrap();
        let child = nginx(&file);
        let is_up = || TcpStream::connect(listening).is_ok();
        (0..1000).take_while(|_| !is_up()).for_each(|_| thread::sleep(milliseconds(10)));
        assert!(is_up(), "{}", fs::read_to_string(folder.path().join("errors")).unwrap_or_default());
        Self { child, folder }
    }
}

fn nginx(configuration: &Path) -> Child {
    let errors = configuration.with_extension("errors");
    let start = |program: &str| {
        let mut command = Command::new(program);
        command.arg("-c").arg(configuration).arg("-e").arg(&errors);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    // Not everybody has Debian's folder for it among his own.
    start("nginx").or_else(|_| start("/usr/sbin/nginx")).unwrap()
}

fn service(address: SocketAddr, operation: Operation, connections: usize, streams: usize) -> Service {
    Service { operations: vec![operation], connections, streams, ..Service::new(address, Protocol::Http2) }
}

#[test]
fn http_2_without_tls_is_answered_and_a_goodbye_after_every_ten_requests_costs_no_failure() {
    let [address] = free_ports();
    let servers = format!(
        "keepalive_requests 10;\nserver {{ listen {address} http2; location / {{ return 200 'ok'; }} \
         location /none {{ return 404; }} }}"
    );
    let _nginx = Nginx::start(tempfile::tempdir().unwrap(), &servers, address);
    for (connections, streams) in [(2, 1), (1, 20)] {
        let get = Operation::http("GET", "localhost", "/");
        let (slice, _) = ask(&service(address, get, connections, streams), 500.0, milliseconds(400));
        let all = slice.all();
        assert_eq!(all.answered, all.planned, "{:?} {:?}", all.failures, slice.generator);
        assert!(slice.generator.opened > 5, "{:?}", slice.generator);
    }
    let none = service(address, Operation::http("GET", "localhost", "/none"), 1, 2);
    let all = ask(&none, 200.0, milliseconds(100)).0.all();
    assert_eq!(all.failures.values().sum::<u64>(), all.planned);
    assert_eq!(all.failures.keys().copied().collect::<Vec<_>>(), [evenhand_load::RequestFailure::Wrong]);
}

#[test]
fn large_bodies_go_there_and_back_within_the_windows_of_http_2() {
    let [address] = free_ports();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("large"), vec![b'x'; 3 << 20]).unwrap();
    // What is proxied is read to its end before it is answered.
    let [behind] = free_ports();
    let root = folder.path().display();
    let servers = format!(
        "server {{ listen {address} http2; root {root}; location /post {{ proxy_pass http://{behind}; }} }}\n\
         server {{ listen {behind}; location / {{ return 200 'ok'; }} }}"
    );
    let _nginx = Nginx::start(folder, &servers, address);
    let large = Operation::http("GET", "localhost", "/large");
    let (slice, _) = ask(&service(address, large, 1, 4), 50.0, milliseconds(200));
    assert!(slice.all().answered > 3 && slice.all().failed() == 0, "{:?}", slice.all().failures);
    let (method, host) = ("POST".to_owned(), "localhost".to_owned());
    let (path, body) = (Text::plain("/post"), Text::plain(vec![b'x'; 1 << 20]));
    let headers = vec![("Content-Type".to_owned(), Text::plain("text/plain"))];
    let post = Operation::of_http("/post", Http { method, host, path, headers, body });
    let (slice, _) = ask(&service(address, post, 1, 4), 50.0, milliseconds(200));
    assert!(slice.all().answered > 3 && slice.all().failed() == 0, "{:?}", slice.all().failures);
}
