//! What is asked? A small real server on the loopback interface, whose answers take longer at times, as those of a database do:
//!
//! - each request looks some keys up in a table;
//! - each leaves a little garbage behind, and when there is enough of it the next request has to wait until all is cleared away;
//! - every now and then it compacts for a while: each request then has to look into three tables instead of one.
//!
//! So latencies that follow each other resemble each other. Nothing sleeps: all of it is work.
//!
//! Tests: `tests/uncertainty.rs`.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

/// Numbers in a table: more than the nearest caches hold.
const TABLE: usize = 1 << 20;
const LOOKUPS: usize = 4000;
/// So many requests leave enough garbage behind.
const COLLECT_EVERY: u32 = 250;
/// Looking through all of it takes as long as so many lookups.
const COLLECTION: usize = 300_000;
/// How many requests a quiet time or a compaction lasts, at most.
const LONGEST_PHASE: u64 = 600;

/// A server that runs until it is asked to stop.
pub(super) struct Server {
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(super) fn start(seed: u64) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let thread = thread::spawn(move || {
            let mut store = Store::new(seed);
            // A client that goes away ends the server: there is only one.
            if let Ok((client, _)) = listener.accept() {
                let _ = serve(client, &mut store);
            }
        });
        Ok(Self { address, thread: Some(thread) })
    }

    pub(super) fn connect(&self) -> io::Result<Client> {
        let stream = TcpStream::connect(self.address)?;
        // Small messages are sent at once.
        stream.set_nodelay(true)?;
        Ok(Client(stream))
    }
}

/// Who asks it.
pub(super) struct Client(TcpStream);

impl Client {
    /// Sends one request and waits for its answer.
    pub(super) fn ask(&mut self) -> io::Result<()> {
        let mut byte = [0];
        self.0.write_all(&byte)?;
        self.0.read_exact(&mut byte)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that still waits for its client gets one that says nothing.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A request is one byte, and so is an answer.
fn serve(mut client: TcpStream, store: &mut Store) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut byte = [0];
    while client.read(&mut byte)? > 0 {
        byte[0] = store.answer() as u8;
        client.write_all(&byte)?;
    }
    Ok(())
}

struct Store {
    draws: Xoshiro256PlusPlus,
    table: Vec<u64>,
    garbage: u32,
    compacting: bool,
    rest_of_phase: u64,
}

impl Store {
    fn new(seed: u64) -> Self {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
        let table = (0..TABLE).map(|_| draws.next_u64()).collect();
        Self { draws, table, garbage: 0, compacting: false, rest_of_phase: 0 }
    }

    fn answer(&mut self) -> u64 {
        self.garbage += 1;
        let mut found = 0;
        if self.garbage == COLLECT_EVERY {
            self.garbage = 0;
            found ^= self.look_up(COLLECTION);
        }
        if self.rest_of_phase == 0 {
            self.compacting = !self.compacting;
            self.rest_of_phase = 1 + self.draws.next_u64() % LONGEST_PHASE;
        }
        self.rest_of_phase -= 1;
        found ^ self.look_up(if self.compacting { 3 * LOOKUPS } else { LOOKUPS })
    }

    fn look_up(&mut self, keys: usize) -> u64 {
        (0..keys).fold(0, |found, _| found ^ black_box(self.table[self.draws.next_u64() as usize % TABLE]))
    }
}
