//! A program that misbehaves on demand: `victim BEHAVIOUR [ARGUMENTS]`.
//!
//! | behaviour | what it does |
//! |---|---|
//! | `exit [CODE]` | ends at once |
//! | `fail-every-third FILE` | fails with code 3 in every third run; the count is in the file |
//! | `rss-mib MIB` | touches so much memory |
//! | `grandchild` | leaves a sleeping process behind |
//! | `grandchild-touches MIB` | has a child touch so much memory, and waits for it |
//! | `ignore-term [SECONDS]` | sleeps on when asked to end |
//! | `shout BYTES` | writes a lot to its standard output |
//! | `complain LINES` | writes numbered lines to its standard error, and fails with code 4 |
//! | `needs-input` | fails with code 5 if there is nothing to read, else writes back what it read |
//! | `kill-itself SIGNAL` | is ended by a signal |
//! | `secrets` | prints what looks like a password, and fails with code 6 |
//! | `sleep MILLISECONDS` | sleeps |
//! | `spin MICROSECONDS [PERCENT]` | works so long, and so many percent more |
//! | `threads MICROSECONDS` | works so long on two threads |
//! | `changing FILE` | prints another number each time; the count is in the file |
//! | `say WORD` | prints the word |
//! | `environment` | prints its variables |
//! | `directory` | prints where it runs |
//! | `arguments` | prints its arguments, one a line, as they are |
//! | `serve [MICROSECONDS [PORT [N [WRONG]]]]` | answers HTTP requests on PORT, or one that it prints, each after MICROSECONDS; `/no` gets 404, and each WRONGth 503. It ends with code 7 after N |
//! | `copy FILE` | runs so that it appends a line to the file |

use std::env;
use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, ExitCode, Stdio, exit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let text = |place: usize| words.get(place).and_then(|word| word.to_str()).unwrap_or_default();
    let number = |place: usize, usual: u64| text(place).parse().unwrap_or(usual);
    match text(0) {
        "exit" => return ExitCode::from(number(1, 0) as u8),
        "fail-every-third" if count(text(1)).is_multiple_of(3) => return ExitCode::from(3),
        "fail-every-third" => {}
        "rss-mib" => touch(number(1, 1024) << 20),
        "grandchild" => leave(&["sleep", "600000"]),
        "grandchild-touches" => wait_for(&["rss-mib", text(1)]),
        "ignore-term" => ignore_term(number(1, 600)),
        "shout" => shout(number(1, 100 << 20)),
        "complain" => {
            (1..=number(1, 1)).for_each(|line| eprintln!("complaint {line}"));
            return ExitCode::from(4);
        }
        "needs-input" if !echo() => return ExitCode::from(5),
        "needs-input" => {}
        "kill-itself" => kill_itself(text(1)),
        "secrets" => {
            println!("password=hunter2");
            eprintln!("\u{1b}[31mtoken: hunter2\u{1b}[0m");
            return ExitCode::from(6);
        }
        "sleep" => thread::sleep(Duration::from_millis(number(1, 0))),
        "spin" => spin(number(1, 0) * (100 + number(2, 0)) / 100),
        "threads" => thread::scope(|scope| {
            scope.spawn(|| spin(number(1, 0)));
            spin(number(1, 0));
        }),
        "changing" => println!("{}", count(text(1))),
        "say" => println!("{}", text(1)),
        "environment" => env::vars_os().for_each(|(name, value)| {
            println!("{}={}", name.display(), value.display());
        }),
        "directory" => println!("{}", env::current_dir().unwrap_or_default().display()),
        "arguments" => words[1..].iter().for_each(|word| {
            let _ = io::stdout().write_all(&[word.as_encoded_bytes(), b"\n"].concat());
        }),
        "serve" => serve(number(1, 0), number(2, 0) as u16, number(3, u64::MAX), number(4, u64::MAX)),
        "copy" => append(text(1)),
        _ => {
            eprintln!("victim: no such behaviour, see src/main.rs");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Counts runs in a file, from 1.
fn count(file: &str) -> u64 {
    let before = fs::read_to_string(file).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let _ = fs::write(file, (before + 1).to_string());
    before + 1
}

fn touch(bytes: u64) {
    let mut memory = vec![0_u8; bytes as usize];
    memory.iter_mut().step_by(4096).for_each(|page| *page = 1);
    black_box(&memory);
}

/// Another victim.
fn another(words: &[&str]) -> Command {
    let mut command = Command::new(env::current_exe().unwrap_or_default());
    command.args(words);
    command
}

/// Starts another victim and does not wait for it.
fn leave(words: &[&str]) {
    let started = another(words).stdin(Stdio::null()).spawn();
    println!("{}", started.map_or(0, |child| child.id()));
}

fn wait_for(words: &[&str]) {
    let _ = another(words).status();
}

/// The standard library cannot ignore a signal, so a shell does it first; an ignored signal stays so.
#[cfg(unix)]
fn ignore_term(seconds: u64) {
    use std::os::unix::process::CommandExt;
    let script = format!("trap '' TERM; exec \"$0\" sleep {}", seconds * 1000);
    let _ = Command::new("/bin/sh").arg("-c").arg(script).arg(env::current_exe().unwrap_or_default()).exec();
}

#[cfg(not(unix))]
fn ignore_term(seconds: u64) {
    thread::sleep(Duration::from_secs(seconds));
}

/// Each connection has its thread; a request ends with an empty line.
fn serve(microseconds: u64, port: u16, most: u64, wrong: u64) {
    static ANSWERED: AtomicU64 = AtomicU64::new(0);
    let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) else { return };
    println!("{}", listener.local_addr().map_or(0, |address| address.port()));
    for stream in listener.incoming().flatten() {
        let _ = stream.set_nodelay(true);
        thread::spawn(move || {
            let mut status = "200 OK";
            for line in BufReader::new(&stream).lines().map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix("GET ") {
                    status = if rest.starts_with("/no ") { "404 Not Found" } else { "200 OK" };
                }
                if line.is_empty() {
                    thread::sleep(Duration::from_micros(microseconds));
                    let answered = ANSWERED.fetch_add(1, Ordering::SeqCst) + 1;
                    let status = if answered.is_multiple_of(wrong) { "503 No" } else { status };
                    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                    let _ = (&stream).write_all(answer.as_bytes());
                    if answered >= most {
                        eprintln!("enough");
                        exit(7);
                    }
                }
            }
        });
    }
}

fn shout(bytes: u64) {
    let block = [b'x'; 65536];
    let mut left = bytes as usize;
    while left > 0 {
        let Ok(written) = io::stdout().write(&block[..left.min(block.len())]) else { return };
        left -= written;
    }
}

fn echo() -> bool {
    let mut text = Vec::new();
    let _ = io::stdin().read_to_end(&mut text);
    let _ = io::stdout().write_all(&text);
    !text.is_empty()
}

fn kill_itself(signal: &str) {
    let script = format!("kill -s {signal} $PPID");
    let _ = Command::new("/bin/sh").args(["-c", &script]).status();
    thread::sleep(Duration::from_secs(5));
}

fn spin(microseconds: u64) {
    let end = Instant::now() + Duration::from_micros(microseconds);
    while Instant::now() < end {
        (0..100).for_each(|step| {
            black_box(step);
        });
    }
}

fn append(file: &str) {
    if let Ok(mut file) = fs::File::options().create(true).append(true).open(file) {
        let _ = writeln!(file, "ran");
    }
}
