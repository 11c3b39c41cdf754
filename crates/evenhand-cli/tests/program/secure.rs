//! `evenhand load` with HTTPS and HTTP/2: what it says of services that cannot be asked so.
#![cfg(target_os = "linux")]

use crate::desk::Desk;

#[cfg(not(feature = "tls"))]
#[test]
fn without_the_feature_a_secure_url_is_refused() {
    let mut desk = Desk::new();
    assert_eq!(desk.type_in("evenhand load https://localhost/ --rate 1").code, 2);
    desk.expect("load_without_tls");
}

#[cfg(feature = "tls")]
mod with_tls {
    use super::Desk;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::Duration;

    /// The server of openssl, which answers each request with a page about the connection. It ends with the test.
    struct Server(Child, u16);

    impl Server {
        fn start(desk: &Desk) -> Self {
            let key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out own.pem -subj /CN=localhost";
            let made =
                Command::new("openssl").current_dir(desk.path("")).args(key.split(' ')).output().unwrap();
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
            let mut server = Command::new("openssl");
            server
                .current_dir(desk.path(""))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            server.args(["s_server", "-4", "-www", "-quiet", "-key", "key", "-cert", "own.pem", "-accept"]);
            let server = Self(server.arg(port.to_string()).spawn().unwrap(), port);
            let is_up = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok();
            (0..1000).take_while(|_| !is_up()).for_each(|_| thread::sleep(Duration::from_millis(10)));
            server
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_certificate_that_is_not_trusted_is_told_with_the_next_step() {
        let desk = Desk::new();
        let server = Server::start(&desk);
        let load = |words: &[&str]| desk.run(&[&["load", "--rate", "20", "--time", "500ms"], words].concat());
        let secure = format!("https://localhost:{}/", server.1);
        let refused = |words: &[&str], what: &str, next: &str| {
            let done = load(words);
            assert_eq!((done.code, done.out.as_str()), (2, ""), "{words:?}");
            assert!(done.err.contains(what) && done.err.contains(next), "{words:?}: {}", done.err);
        };
        let untrusted = "the certificate of localhost is not trusted here";
        refused(&[&secure], untrusted, "--cacert FILE");
        refused(&[&secure, "--cacert", "missing.pem"], "cannot read certificates from missing.pem", "");
        refused(&[&secure, "--insecure", "--http2"], "does not speak HTTP/2", "omit --http2");
        let plain = format!("http://localhost:{}/", server.1);
        refused(&[&plain], "does not answer a first request", "if it speaks TLS, write https://");

        let done = load(&[&secure, "--insecure"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        assert!(!done.out.contains("errors"), "{}", done.out);
    }

    #[test]
    fn a_port_without_tls_is_told() {
        let desk = Desk::new();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("https://127.0.0.1:{}/", listener.local_addr().unwrap().port());
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
                // Until he has read it.
                let _ = std::io::copy(&mut stream, &mut std::io::sink());
            }
        });
        let done = desk.run(&["load", "--rate", "20", "--insecure", &url]);
        assert_eq!(done.code, 2);
        assert!(
            done.err.contains(": there is no TLS on this port") && done.err.contains("write http://"),
            "{}",
            done.err
        );
    }
}
