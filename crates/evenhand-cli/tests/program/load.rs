//! `evenhand load` with real servers: what it says of one and of two, and what it refuses.
#![cfg(target_os = "linux")]

use crate::desk::{Desk, Done};
use evenhand_victims::victim;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A server in a process of its own, which ends with the test.
pub(crate) struct Server(Child, u16);

impl Server {
    /// Each answer takes so many microseconds.
    pub(crate) fn taking(microseconds: u32) -> Self {
        Self::serving(&[&microseconds.to_string()])
    }

    /// One answer of so many is wrong.
    fn failing(one_of: u32) -> Self {
        Self::serving(&["100", "0", &u64::MAX.to_string(), &one_of.to_string()])
    }

    fn serving(how: &[&str]) -> Self {
        let mut server = Command::new(victim());
        server.arg("serve").args(how).stdout(Stdio::piped());
        let mut server = server.spawn().unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self(server, port.trim().parse().unwrap())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.1)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port without a listener.
fn nobody() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

pub(crate) fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", done.out, done.err))
}

/// An object has the fields that the schema gives this form, all of them but those that it may lack.
fn is_as_described(found: &Value, form: &str, but: &[&str]) {
    let schema: Value = serde_json::from_str(include_str!("../../load.schema.json")).unwrap();
    let described = schema["$defs"][form]["properties"].as_object().unwrap().keys();
    let described: BTreeSet<&str> =
        described.map(String::as_str).filter(|name| !but.contains(name)).collect();
    let fields: BTreeSet<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, described, "{form}");
}

#[test]
fn one_service_has_a_table_of_its_response() {
    let (desk, server) = (Desk::new(), Server::taking(100));
    let done = desk.run(&["load", "--rate", "100", "--time", "1s", &server.url()]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].starts_with(&server.url()) && lines[0].ends_with(" requests/s"), "{}", done.out);
    assert!(lines[0].contains(" requests answered in 1 s, "), "{}", done.out);
    assert!(
        done.out.contains("evenhand late") || done.out.contains("no response times are given"),
        "{}",
        done.out
    );
    assert!(!desk.archive().exists(), "nothing is stored");
}

#[test]
fn one_service_in_json_has_every_request() {
    let (desk, server) = (Desk::new(), Server::taking(0));
    let words = ["load", "--rate", "200", "--time", "1s", "--seed", "1", "--json", &server.url()];
    let found = json(&desk.run(&words));
    let count = |name: &str| found[name].as_u64().unwrap();
    assert_eq!((count("schema_version"), count("answered") + count("unsent")), (1, count("planned")));
    // A Poisson number around 200, which the seed decides.
    assert!((150..=250).contains(&count("planned")), "{found}");
    assert_eq!(found["errors"], serde_json::json!({}));
    let response = &found["response_ns"];
    if response.is_object() {
        assert!(response["p50"].as_u64().unwrap() <= response["p90"].as_u64().unwrap(), "{found}");
        assert_eq!(response["p99"], Value::Null, "200 requests tell no P99");
    }
    assert_eq!(found["rate"], 200.0);
    is_as_described(&found, "load", &["operations"]);
}

#[test]
fn clients_who_wait_are_counted_by_their_answers() {
    let (desk, server) = (Desk::new(), Server::taking(0));
    let words = ["load", "--clients", "2", "--time", "500ms", "--json", &server.url()];
    let found = json(&desk.run(&words));
    assert!(found["served_per_second"].as_f64().unwrap() > 1.0, "{found}");
    assert_eq!((&found["clients"], &found["rate"]), (&2.into(), &Value::Null));
}

#[test]
fn a_service_that_cannot_keep_up_has_no_percentiles() {
    let (desk, server) = (Desk::new(), Server::taking(20_000));
    // Two connections and 20 ms an answer: 100 a second at most.
    let words = ["load", "--rate", "1000", "--connections", "2", "--time", "500ms", "--timeout", "2s"];
    let done = desk.run(&[&words[..], &[server.url().as_str()]].concat());
    assert!(done.out.contains("warning: the service could not keep up: "), "{}", done.out);
    assert!(done.out.contains("no response times are given") && !done.out.contains("P50"), "{}", done.out);
}

/// A server that hands on the bytes of each request as they come.
pub(crate) fn listener() -> (String, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/orders?id=7", listener.local_addr().unwrap());
    let (heard, requests) = mpsc::channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let heard = heard.clone();
            thread::spawn(move || {
                let mut bytes = vec![0; 1 << 16];
                while let Ok(length @ 1..) = stream.read(&mut bytes) {
                    let _ = heard.send(bytes[..length].to_vec());
                    let _ = stream.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
                }
            });
        }
    });
    (url, requests)
}

/// The requests of a load with this seed: the first line and the body of each.
fn requests_of(seed: &str) -> Vec<(String, String)> {
    let (desk, (url, requests)) = (Desk::new(), listener());
    let (url, body) = (format!("{url}{{zipf:1..50}}"), r#"{"id": {uniform:1..1000}, "name": "{letters:3}"}"#);
    let words = ["load", "--rate", "100", "--time", "300ms", "--connections", "1", "--json", "--body", body];
    let found = json(&desk.run(&[&words[..], &["--seed", seed, &url]].concat()));
    assert!(found["errors"].as_object().unwrap().is_empty(), "{found}");
    let parts = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("\r\nContent-Length: {}", body.len())), "{text}");
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    };
    // The first only asks whether there is an answer.
    requests.try_iter().skip(1).map(parts).collect()
}

#[test]
fn what_varies_in_a_request_follows_from_the_seed() {
    let (one, again, other) = (requests_of("1"), requests_of("1"), requests_of("2"));
    assert!(one.len() > 10 && one == again, "{one:?}\n{again:?}");
    assert_ne!(one[..5], other[..5]);
    for (line, body) in &one {
        let number = line.strip_prefix("POST /orders?id=7").and_then(|rest| rest.strip_suffix(" HTTP/1.1"));
        assert!((1..=50).contains(&number.unwrap().parse::<u32>().unwrap()), "{line}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert!(body["id"].as_u64().unwrap() <= 1000 && body["name"].as_str().unwrap().len() == 3, "{body}");
    }
    assert!(one.iter().collect::<BTreeSet<_>>().len() > one.len() / 2, "{one:?}");
}

#[test]
fn method_headers_and_body_are_sent_as_given() {
    let desk = Desk::new();
    let (url, requests) = listener();
    desk.write("order.json", "{\"id\": 7}");
    let words = [
        "load",
        "--rate",
        "20",
        "--time",
        "300ms",
        "--quiet",
        "--body",
        "@order.json",
        "-H",
        "X-Key:  abc ",
        &url,
    ];
    let done = desk.run(&words);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let host = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
    let expected = format!(
        "POST /orders?id=7 HTTP/1.1\r\nHost: {host}\r\nX-Key: abc\r\nContent-Length: 9\r\n\r\n{{\"id\": 7}}"
    );
    assert_eq!(String::from_utf8(requests.recv().unwrap()).unwrap(), expected);
    let put =
        desk.run(&["load", "--rate", "20", "--time", "300ms", "--method", "put", "--body", "hello", &url]);
    assert_eq!(put.code, 0, "{}", put.err);
    let all: Vec<Vec<u8>> = requests.try_iter().collect();
    assert!(
        all.last().unwrap().starts_with(b"PUT /orders?id=7 ")
            && all.last().unwrap().ends_with(b"\r\n\r\nhello")
    );
}

#[test]
fn what_cannot_be_loaded_is_told_with_the_next_step() {
    let (mut desk, server) = (Desk::new(), Server::taking(0));
    let port = nobody();
    for line in [
        "evenhand load localhost:8080 --rate 1",
        "evenhand load http://localhost/ --rate 1 --insecure",
        "evenhand load ftp://localhost/ --rate 1",
        "evenhand load http://me:secret@localhost/ --rate 1",
        "evenhand load redis://localhost/key --rate 1",
        "evenhand load http://localhost:80000/ --rate 1",
        "evenhand load http://localhost/",
        "evenhand load http://localhost/ --rate 0",
        "evenhand load http://localhost/ --rate 5 --control",
        "evenhand load http://localhost/ --rate 5 --slice 1s",
        "evenhand load http://localhost/ --rate 5 --fail-if slower",
        "evenhand load http://localhost/ --rate 5 --export-json all.json",
        "evenhand load http://localhost/ http://localhost/ --rate 5 --time 1s",
        "evenhand load http://localhost/ --rate 5 --name a --name b",
        "evenhand load http://localhost/ --rate 5 --command PING",
        "evenhand load http://localhost/ --rate 5 --header secret",
        "evenhand load http://localhost/ --rate 5 --header 'Host: a'",
        "evenhand load http://localhost/ --rate 5 --method 'GET /'",
        "evenhand load http://localhost/ --rate 5 --body @missing",
        "evenhand load http://localhost/ --rate 5 --get items",
        "evenhand load redis://localhost/ --rate 5 --body x",
        "evenhand load redis://localhost/ --rate 5 --http2",
        "evenhand load redis://localhost/ --rate 5 --command ' '",
    ] {
        assert_eq!(desk.type_in(line).code, 2, "{line}");
    }
    desk.expect("load_refused");
    let refused = |words: &[&str]| {
        let done = desk.run(&[&["load", "--rate", "5"], words].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{words:?}");
        done.err
    };
    let told = refused(&[&format!("http://127.0.0.1:{port}/")]);
    assert!(
        told.contains(&format!("cannot connect to 127.0.0.1:{port}: connection refused"))
            && told.contains("hint: check that"),
        "{told}"
    );
    let told = refused(&["http://no-such-host.invalid/"]);
    assert!(told.contains("cannot find the host no-such-host.invalid\n"), "{told}");
    let told = refused(&[&format!("{}no", server.url())]);
    assert!(
        told.contains("does not answer a first request: error answer") && told.contains("check the path"),
        "{told}"
    );
    let told = refused(&[&server.url(), &server.url(), "--slice", "1s"]);
    assert!(told.contains("5 requests in a slice are too few: it needs 20, which take 4.0 s"), "{told}");
    let told = refused(&[&format!("redis://127.0.0.1:{}", server.1), "--timeout", "300ms"]);
    assert!(told.contains("does not answer a first request: "), "{told}");
}

#[test]
fn thirty_percent_more_is_found_and_kept() {
    let desk = Desk::new();
    let (old, new) = (Server::taking(10_000), Server::taking(13_000));
    let words = ["load", "--rate", "100", "--slice", "250ms", "--margin", "10", "--precision", "1000"];
    let names = ["--seed", "5", "--warmup", "0", "--name", "old", "--name", "new"];
    let done = desk.run(&[&words[..], &names, &[old.url().as_str(), &new.url()]].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let first = done.out.lines().next().unwrap();
    assert!(first.starts_with("new is "), "{first}");
    assert!(first.contains(" % slower at P50 than old "), "{first}");
    assert!(done.out.contains("note: this compares these running instances"), "{}", done.out);
    let kept = json(&desk.run(&["analyze", "@last", "--json"]));
    let comparison = &kept["comparisons"][0];
    assert_eq!((&comparison["verdict"], &comparison["metric"]), (&"slower".into(), &"response_p50".into()));
    let metrics: Vec<&str> =
        kept["levels"].as_array().unwrap().iter().map(|level| level["metric"].as_str().unwrap()).collect();
    for metric in ["response_p50", "throughput", "service_p50", "late_p50", "errors", "stall"] {
        assert!(metrics.contains(&metric), "{metric}: {metrics:?}");
    }
}

/// A comparison of errors, with a slice of 20 requests.
const BY_ERRORS: [&str; 12] = [
    "load",
    "--rate",
    "100",
    "--slice",
    "200ms",
    "--seed",
    "5",
    "--warmup",
    "0",
    "--metric",
    "errors",
    "--no-save",
];

#[test]
fn errors_are_found_where_the_baseline_has_none() {
    let desk = Desk::new();
    let (old, new) = (Server::taking(100), Server::failing(4));
    let urls = [old.url(), new.url()];
    let words = |more: &[&str]| {
        let names = ["-n", "old", "-n", "new", urls[0].as_str(), urls[1].as_str()];
        [&BY_ERRORS[..], more, &names].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |more: &[&str]| desk.run(&words(more).iter().map(String::as_str).collect::<Vec<_>>());
    let done = run(&["--fail-if", "slower"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let first = done.out.lines().next().unwrap();
    assert!(first.starts_with("new has more errors than old: "), "{first}");
    assert!(
        first.contains(" % against 0 % on average, 99 % sure, more in all 10 rounds that differ, 10 rounds"),
        "{first}"
    );
    assert!(
        done.err.starts_with("error: --fail-if 'slower': new has more errors than old: "),
        "{}",
        done.err
    );
    let sized = run(&["--fail-if", "slower > 5%"]);
    assert_eq!(sized.code, 0, "{}", sized.err);
    assert!(
        sized.err.starts_with("warning: --fail-if 'slower > 5%' is not met, as there is no ratio: new has more errors than old: "),
        "{}",
        sized.err
    );
    assert!(
        sized.err.ends_with("hint: --fail-if slower is met by a difference of any size\n"),
        "{}",
        sized.err
    );
}

#[test]
fn errors_that_nobody_asked_for_are_found_beside_the_response() {
    let desk = Desk::new();
    let (old, new) = (Server::taking(100), Server::failing(4));
    let urls = [old.url(), new.url()];
    let words = ["load", "--rate", "100", "--slice", "200ms", "--warmup", "0", "--rounds", "12", "--no-save"];
    let names = ["-n", "old", "-n", "new", urls[0].as_str(), urls[1].as_str()];
    let done = desk.run(&[&words[..], &names].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let claims: Vec<&str> = done.out.lines().filter(|line| line.contains(", 12 rounds")).collect();
    assert!(claims.len() >= 2 && claims[0].contains("P50"), "{}", done.out);
    assert!(claims[1].starts_with("new has more errors than old: "), "{}", done.out);
}

#[test]
fn services_without_errors_have_nothing_to_compare() {
    let desk = Desk::new();
    let (old, new) = (Server::taking(100), Server::taking(100));
    let urls = [old.url(), new.url()];
    let words = ["--rounds", "3", "-n", "old", "-n", "new", urls[0].as_str(), urls[1].as_str()];
    let done = desk.run(&[&BY_ERRORS[..], &words].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().take(2).collect();
    assert!(
        lines[0].starts_with("inconclusive: new may or may not differ from old in errors, 3 rounds"),
        "{}",
        done.out
    );
    assert_eq!(lines[1], "  errors is the same in every round of both");
}

#[test]
fn a_service_is_not_called_different_from_itself() {
    let (desk, server) = (Desk::new(), Server::taking(1_000));
    let words =
        ["load", "--rate", "100", "--slice", "250ms", "--rounds", "8", "--seed", "3", "--json", "--no-save"];
    let done = desk.run(&[&words[..], &[server.url().as_str(), &server.url()]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let found = json(&done);
    let comparison = &found["comparisons"][0];
    let verdict = comparison["verdict"].as_str().unwrap();
    assert!(["unclear", "same"].contains(&verdict), "{comparison}");
    assert_eq!((&comparison["rounds"], &comparison["launches"]), (&8.into(), &1.into()));
    assert_eq!(comparison["candidate"], format!("{} (2)", server.url()));
    assert_eq!(
        found["notes"][0],
        "this compares these running instances; after a restart the same programs can differ"
    );
}

/// A comparison that ends by what happens to it.
const ENDLESS: [&str; 11] =
    ["load", "--rate", "100", "--slice", "250ms", "--rounds", "1000", "--max-time", "1h", "--warmup", "0"];

fn started(desk: &Desk, words: &[&str]) -> Child {
    desk.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until some rounds are in the archive: the journal has grown again and again.
fn until_rounds_are_kept(desk: &Desk) {
    let journals = || fs::read_dir(desk.archive().join("journal")).into_iter().flatten().flatten();
    let mut sizes = BTreeSet::new();
    while sizes.len() < 4 {
        sizes.extend(journals().filter_map(|journal| Some(journal.metadata().ok()?.len())));
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_service_that_dies_leaves_the_rounds_before() {
    let desk = Desk::new();
    let (old, mut new) = (Server::taking(100), Server::taking(100));
    let program = started(&desk, &[&ENDLESS[..], &[old.url().as_str(), &new.url()]].concat());
    until_rounds_are_kept(&desk);
    new.0.kill().unwrap();
    let done = Done::of(program.wait_with_output().unwrap());
    assert_eq!(done.code, 3, "{}", done.out);
    let told = format!("error: {} answered ", new.url());
    assert!(done.err.starts_with(&told) && done.err.contains(" requests in a slice ("), "{}", done.err);
    let rounds = desk.run(&["analyze", "@last", "--json"]);
    assert!(json(&rounds)["comparisons"][0]["rounds"].as_u64().unwrap() >= 1, "{}", rounds.out);
}

/// What a program says that gets a Ctrl-C now.
fn interrupted(program: Child) -> Done {
    let interrupt = Command::new("kill").args(["-s", "INT", &program.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    Done::of(program.wait_with_output().unwrap())
}

#[test]
fn ctrl_c_while_a_service_starts_is_an_interruption() {
    let desk = Desk::new();
    let waiting = |more: &[&str]| {
        let there = desk.path("there");
        let _ = fs::remove_file(&there);
        let program = started(&desk, &[&["load", "--rate", "100", "-n", "shop"], more].concat());
        while !there.exists() {
            thread::sleep(Duration::from_millis(20));
        }
        let done = interrupted(program);
        (done.code, done.err)
    };
    let expected = (130, "error: interrupted before shop answered\n".to_owned());
    assert_eq!(waiting(&["--start", "sh -c 'touch there; exec sleep 600'"]), expected);
    let prepare = ["--prepare", "sh -c 'touch there; exec sleep 600'", "--start", "sleep 600"];
    assert_eq!(waiting(&prepare), expected);
}

#[test]
fn ctrl_c_keeps_what_was_finished() {
    let desk = Desk::new();
    let (old, new) = (Server::taking(100), Server::taking(100));
    let both = started(&desk, &[&ENDLESS[..], &[old.url().as_str(), &new.url()]].concat());
    until_rounds_are_kept(&desk);
    let both = interrupted(both);
    assert_eq!((both.code, both.err.as_str()), (130, "warning: interrupted; all complete rounds count\n"));
    assert!(both.out.contains(" may or may not differ from ") || both.out.contains("at P50"), "{}", both.out);
    let (url, requests) = listener();
    let alone = started(&desk, &["load", "--rate", "100", "--time", "10min", &url]);
    // The first request only asks whether there is an answer, and for a second nothing counts.
    for _ in 0..150 {
        requests.recv().unwrap();
    }
    let alone = interrupted(alone);
    let told = "warning: interrupted; what was answered until then counts\n";
    assert_eq!((alone.code, alone.err.as_str()), (130, told));
    assert!(alone.out.contains(" requests answered in "), "{}", alone.out);
}

/// The command that starts a server whose answers take so many microseconds.
pub(crate) fn serving(microseconds: u32) -> String {
    format!("{} serve {microseconds} {{port}}", victim().display())
}

/// Two services that are started, for three rounds.
const START: [&str; 8] = ["load", "--rate", "100", "--slice", "250ms", "--lead-in", "50ms", "--rounds=3"];

#[test]
fn services_are_started_for_each_slice_and_gone_afterwards() {
    let desk = Desk::new();
    let words = ["--start", &serving(1_000), "--start", &serving(1_000), "-n", "old", "-n", "new", "--json"];
    let done = desk.run(&[&START[..], &words].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let found = json(&done);
    let decided: Vec<&Value> =
        found["comparisons"].as_array().unwrap().iter().map(|both| &both["metric"]).collect();
    assert_eq!(decided, ["response_p50", "cpu_per_request"]);
    let notes = found["notes"].to_string();
    assert!(!notes.contains("start") && !notes.contains("instances"), "{notes}");
    let trial = json(&desk.run(&["export", "@last", "--to", "json"]));
    assert_eq!(trial["plan"]["started"], "for each slice", "{}", trial["plan"]);
    let once = desk.run(&[&START[..], &words, &["--start-once"]].concat());
    let told = "this compares one start of each service; after a restart the same programs can differ";
    assert!(once.out.contains(told), "{}\n{}", once.out, once.err);
}

#[test]
fn one_service_is_started_and_measured() {
    let desk = Desk::new();
    let done = desk.run(&["load", "--rate", "100", "--time", "500ms", "--start", &serving(100)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.contains(" requests answered in 500 ms, "), "{}", done.out);
}

#[test]
fn starts_that_take_too_long_are_made_once() {
    let desk = Desk::new();
    let slow = format!("sh -c 'sleep 1; exec {}'", serving(100));
    let words = ["--start", &slow, "--start", &slow, "--max-time", "8s"];
    let done = desk.run(&[&START[..7], &words].concat());
    assert!(
        done.err.starts_with("note: each service is started once: there is no time to start it for each slice\nhint: 12 rounds would take "),
        "{}",
        done.err
    );
    assert!(done.out.contains("this compares one start of each service"), "{}\n{}", done.out, done.err);
}

#[test]
fn a_service_that_cannot_be_started_is_named_with_its_last_words() {
    let desk = Desk::new();
    let fails = |start: &str, more: &[&str]| {
        let done = desk.run(&[&["load", "--rate", "100", "--start", start, "-n", "shop"], more].concat());
        assert_eq!(done.code, 2, "{}\n{}", done.out, done.err);
        done.err
    };
    let ended = fails("sh -c 'echo no such table; exit 3'", &[]);
    assert_eq!(ended, "error: shop ended with code 3 before it answered\n  | no such table\n");
    let silent = fails("sleep 600", &["--ready-within", "100ms"]);
    assert_eq!(silent, "error: shop is not ready 0.1 s after its start: connection refused\n");
    let pipe = fails("a | b", &[]);
    assert!(pipe.starts_with("error: `|` needs a shell\nhint: write sh -c "), "{pipe}");
    let variable = fails("A=1 ./x", &[]);
    assert!(variable.ends_with("needs a shell\nhint: write env 'A=1' COMMAND\n"), "{variable}");
    let no_port = fails("sleep 600", &["http://127.0.0.1:80/"]);
    assert!(
        no_port.starts_with("error: there is no {port} in http://127.0.0.1:80/\nhint: write "),
        "{no_port}"
    );
    let elsewhere = fails("sleep 600", &["http://192.0.2.1:{port}/"]);
    assert!(elsewhere.starts_with("error: 192.0.2.1 is not this machine\n"), "{elsewhere}");
}

#[test]
fn one_command_is_started_in_two_revisions() {
    let desk = Desk::new();
    let git = |words: &[&str]| {
        let user = ["-c", "user.name=x", "-c", "user.email=x@localhost"];
        let mut git = Command::new("git");
        assert!(git.args(user).args(words).current_dir(desk.path("")).status().unwrap().success());
    };
    let script = |microseconds| {
        format!("#!/bin/sh\ntest -e built && exec {} serve {microseconds} $1\n", victim().display())
    };
    fs::write(desk.path("shop"), script(1_000)).unwrap();
    fs::set_permissions(desk.path("shop"), fs::Permissions::from_mode(0o755)).unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    fs::write(desk.path("shop"), script(30_000)).unwrap();
    let words =
        ["--git", "HEAD", "--build", "touch built; echo >> builds", "--start", "./shop {port}", "--json"];
    let words =
        [&["load", "--rate", "100", "--slice", "250ms", "--lead-in", "50ms", "--rounds=12"], &words[..]]
            .concat();
    let done = desk.run(&words);
    assert_eq!(done.err, "note: building HEAD\nnote: building work tree\n", "{}", done.out);
    let found = json(&done);
    let comparison = &found["comparisons"][0];
    assert_eq!(comparison["verdict"], "slower", "{comparison}");
    assert_eq!((&comparison["baseline"], &comparison["candidate"]), (&"HEAD".into(), &"work tree".into()));
    assert_eq!(desk.run(&words).err, "", "what was built is kept");
}

#[test]
fn a_sweep_has_a_row_for_each_rate() {
    let (desk, server) = (Desk::new(), Server::taking(0));
    let url = server.url();
    let words = ["load", "--sweep", "400,100,200", "--time", "300ms", &url];
    let done = desk.run(&words);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.starts_with(&format!("{url}: 3 rates, 300 ms each\n\nrequests/s ")), "{}", done.out);
    let found = json(&desk.run(&[&words[..], &["--json"]].concat()));
    let rates: Vec<f64> =
        found["rates"].as_array().unwrap().iter().map(|row| row["rate"].as_f64().unwrap()).collect();
    assert_eq!(rates, [100.0, 200.0, 400.0]);
    is_as_described(&found, "sweep", &[]);
    let row = &found["rates"][2];
    assert!(row["served_per_second"].as_f64().unwrap() > 100.0 && row["errors"] == 0.0, "{row}");
    assert!(!desk.archive().exists(), "nothing is stored");
}

#[test]
fn services_are_compared_by_the_most_that_they_can_serve() {
    let desk = Desk::new();
    // Two connections: 200 and 100 a second at most.
    let words = ["load", "--most", "p50 < 50ms", "--connections", "2", "--slice", "1500ms", "--rounds", "3"];
    let start = ["--start", &serving(10_000), "--start", &serving(20_000), "-n", "old", "-n", "new"];
    let done = desk.run(&[&words[..], &start, &["--start-once", "--seed", "3"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.starts_with("note: new answers ") && done.err.contains(" with 2 clients\n"),
        "{}",
        done.err
    );
    let trial = json(&desk.run(&["export", "@last", "--to", "json"]));
    assert_eq!(trial["plan"]["condition"], "p50 < 50ms");
    assert!(trial["plan"]["load"].as_str().unwrap().starts_with("rising from "), "{}", trial["plan"]);
    let found = json(&desk.run(&["analyze", "@last", "--json"]));
    let level = |arm: &str| {
        let is_it = |level: &&Value| level["metric"] == "capacity" && level["arm"] == arm;
        found["levels"].as_array().unwrap().iter().find(is_it).unwrap()["median"].as_f64().unwrap()
    };
    // A queue for 50 ms comes on top of what they can serve, and other work takes something away.
    assert!((60.0..400.0).contains(&level("old")) && (30.0..250.0).contains(&level("new")), "{found}");
    assert!(level("old") > 1.2 * level("new"), "{found}");
    let comparison = &found["comparisons"][0];
    assert_eq!(comparison["metric"], "capacity", "{comparison}");
    assert!(done.out.contains(" at capacity"), "{}", done.out);
}

#[test]
fn the_highest_rate_that_keeps_a_promise_is_found() {
    // Two connections and 20 ms an answer: 100 a second at most.
    let (desk, server) = (Desk::new(), Server::taking(20_000));
    let url = server.url();
    let words =
        ["load", "--most", "p50 < 1s", "--connections", "2", "--time", "300ms", "--timeout", "1s", &url];
    let found = json(&desk.run(&[&words[..], &["--json"]].concat()));
    is_as_described(&found, "most", &[]);
    let (kept, broken) = (found["kept"].as_f64().unwrap(), found["broken"].as_f64().unwrap());
    assert!(kept < broken && kept > 10.0 && broken < 500.0, "{found}");
}
