//! What does a request cost the generator, and how late is it? `cost [ADDRESS [WAY...]]`: a load of 1,000 a second, then as much as 16
//! clients can, on an HTTP server at `ADDRESS`, such as 127.0.0.1:80, or on one of its own that does nothing. Ways are `http2`, with 16
//! streams on a connection, and `tls`, with any certificate.
//!
//! `cargo run --release -p evenhand-load --features tls --example cost -- 127.0.0.1:443 tls http2`
#![allow(clippy::print_stdout, reason = "it is for people")]

use evenhand_load::{
    Load, LoadError, LoadPlan, Operation, Protocol, Rate, Service, Slice, Spacing, Tls, Trust,
};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

const SECONDS: Duration = Duration::from_secs(5);
const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let address = match words.first() {
        Some(address) => address.parse()?,
        None => own_server()?,
    };
    let is_asked = |way: &str| words.iter().any(|word| word == way);
    let (protocol, streams) = if is_asked("http2") { (Protocol::Http2, 16) } else { (Protocol::Http, 1) };
    let tls = is_asked("tls").then(|| Tls::new("localhost", &Trust::Anyone, protocol)).transpose()?;
    let operations = vec![Operation::http("GET", "localhost", "/")];
    let connections = 16 / streams;
    let service = Service { operations, connections, streams, tls, ..Service::new(address, protocol) };
    let plan = LoadPlan::new(Rate::constant(1000.0, SECONDS)?, Spacing::Random, &service.operations, 1)?;
    print("1,000 a second", &load(&service, Load::Open(plan))?);
    print("16 clients", &load(&service, Load::Closed { clients: 16, length: SECONDS, seed: 1 })?);
    Ok(())
}

fn load(service: &Service, load: Load) -> Result<Slice, LoadError> {
    evenhand_load::run(service, load, &mut |_| {})
}

fn print(what: &str, slice: &Slice) {
    let all = slice.all();
    let rate = all.answered as f64 / (slice.elapsed as f64 / 1e9);
    let processor = slice.processor_a_request().unwrap_or(f64::NAN) / 1000.0;
    println!("{what}: {} of {} answered, {rate:.0} a second", all.answered, all.planned);
    let [busy, awake] = [slice.generator.busy, slice.generator.awake as f64 / slice.elapsed as f64];
    let [busy, awake] = [busy, awake].map(|share| share * 100.0);
    println!("  processor: {processor:.1} µs a request, busy {busy:.1} %, waiting awake {awake:.1} %");
    for (name, times) in [("late", &all.late), ("service", &all.service), ("response", &all.response)] {
        let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|q| times.percentile(q).unwrap_or(0) as f64 / 1000.0);
        println!("  {name}: P50 {p50:.1}, P90 {p90:.1}, P99 {p99:.1} µs");
    }
    slice.facts().iter().for_each(|fact| println!("  {fact:?}"));
}

/// A server that answers at once, with a thread for each connection.
fn own_server() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(&stream));
        }
    });
    Ok(address)
}

fn serve(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    for line in BufReader::new(stream).lines() {
        if line?.is_empty() {
            stream.write_all(OK)?;
        }
    }
    Ok(())
}
