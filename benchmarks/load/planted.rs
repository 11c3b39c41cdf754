//! An HTTP server with a given cost per request, for changes of a known size.
//!
//! `planted PORT STEPS [SLOW [WRONG]]`: each request takes STEPS steps of work; of a thousand, SLOW sleep for 50 ms and WRONG are answered
//! with 503.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{env, thread};

static ASKED: AtomicU64 = AtomicU64::new(0);

fn main() {
    let number = |place: usize| env::args().nth(place).and_then(|word| word.parse().ok()).unwrap_or(0);
    let (port, steps, slow, wrong) = (number(1) as u16, number(2), number(3), number(4));
    // Each start has others that are slow or wrong.
    ASKED.store(u64::from(std::process::id()) << 32, Ordering::Relaxed);
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("the port is free");
    for stream in listener.incoming().flatten() {
        thread::spawn(move || serve(&stream, steps, slow, wrong));
    }
}

fn serve(stream: &TcpStream, steps: u64, slow: u64, wrong: u64) {
    let _ = stream.set_nodelay(true);
    let ends = BufReader::new(stream).lines().map_while(Result::ok).filter(String::is_empty);
    for _ in ends {
        black_box((0..steps).fold(1_u64, |state, step| black_box(state.wrapping_mul(6_364_136_223_846_793_005) ^ step)));
        // Which ones are slow or wrong looks like chance.
        let place = mixed(ASKED.fetch_add(1, Ordering::Relaxed)) % 1000;
        if place < slow {
            thread::sleep(Duration::from_millis(50));
        }
        let status = if (500..500 + wrong).contains(&place) { "503 No" } else { "200 OK" };
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        if (&*stream).write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// The last step of SplitMix64.
fn mixed(number: u64) -> u64 {
    let one = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let two = (one ^ (one >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    two ^ (two >> 31)
}
