//! Does the generator tell the truth? For a server that logs its own service times, the response that Lindley's recursion makes of the
//! plan and the log stands beside the response that was measured: `cargo run --release -p evenhand-load --example truth`.

use evenhand_load::{Load, LoadPlan, Operation, Protocol, Rate, Service, Spacing};
use std::error::Error;
use std::hint;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a request takes, in nanoseconds.
const WORK: u64 = 500_000;
const SECONDS: u64 = 20;

/// How long each request took, in nanoseconds.
type Log = Arc<Mutex<Vec<u64>>>;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| use of the server | requests | P50 | P90 | P99 | in flight, by Little's law |\n|---:|---:|---:|---:|---:|---:|"
    );
    for used in [0.3, 0.6, 0.8] {
        row(used)?;
    }
    Ok(())
}

fn row(used: f64) -> Result<(), Box<dyn Error>> {
    let (address, log) = server()?;
    // One connection: one queue, which we see whole.
    let operations = vec![Operation::http("GET", "localhost", "/")];
    let service = Service { operations, connections: 1, ..Service::new(address, Protocol::Http) };
    let rate = Rate::constant(used * 1e9 / WORK as f64, Duration::from_secs(SECONDS))?;
    let plan = LoadPlan::new(rate, Spacing::Random, &service.operations, 1)?;
    let slice = evenhand_load::run(&service, Load::Open(plan.clone()), &mut |_| {})?;
    let log = log.lock().map_err(|_| "the server has failed")?;
    let mut end = 0;
    let mut expected: Vec<u64> = plan
        .zip(log.iter())
        .map(|(arrival, time)| {
            end = end.max(arrival.at) + time;
            end - arrival.at
        })
        .collect();
    expected.sort_unstable();
    let all = slice.all();
    let cells = [0.5, 0.9, 0.99].map(|q| {
        let by_law = expected[((q * expected.len() as f64).ceil() as usize).clamp(1, expected.len()) - 1];
        let measured = all.response.percentile(q).unwrap_or(0);
        let off = 100.0 * (measured as f64 / by_law as f64 - 1.0);
        format!("{:.3} ms, {off:+.1} %", measured as f64 / 1e6)
    });
    let little = all.response.sum() as f64 / slice.elapsed as f64;
    let off = 100.0 * (slice.mean_in_flight() / little - 1.0);
    println!(
        "| {:.0} % | {} | {} | {:.3}, {off:+.2} % |",
        100.0 * used,
        all.answered,
        cells.join(" | "),
        slice.mean_in_flight()
    );
    Ok(())
}

/// A server that works on one request after the other, and keeps how long each took.
fn server() -> Result<(SocketAddr, Log), Box<dyn Error>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let (address, log) = (listener.local_addr()?, Log::default());
    let kept = Arc::clone(&log);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = stream.set_nodelay(true);
            for _ in BufReader::new(&stream).lines().map_while(Result::ok).filter(String::is_empty) {
                let from = evenhand_load::now();
                while evenhand_load::now() < from + WORK {
                    hint::spin_loop();
                }
                if let Ok(mut kept) = kept.lock() {
                    kept.push(evenhand_load::now() - from);
                }
                let _ = (&stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        }
    });
    Ok((address, log))
}
