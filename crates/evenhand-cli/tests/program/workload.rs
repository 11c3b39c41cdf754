//! `evenhand load FILE.toml`: load, operations and services from a workload file, and what it refuses.
#![cfg(target_os = "linux")]

use crate::desk::Desk;
use crate::load::{Server, json, listener, serving};
use serde_json::Value;

/// Two operations of different weight.
const OPERATIONS: &str = r#"
headers = ["X-All: 1"]

[[operation]]
name = "read"
request = "GET /items/{zipf:1..50}"
weight = 3

[[operation]]
name = "order"
request = "POST /orders"
headers = ["X-Own: 2"]
body = '{"item": {uniform:1..50}}'
"#;

#[test]
fn several_operations_are_sent_by_their_weights_and_told_apart() {
    let (desk, (url, requests)) = (Desk::new(), listener());
    desk.write("shop.toml", format!("rate = 200\ntime = \"500ms\"\n{OPERATIONS}"));
    let url = url.replace("/orders?id=7", "/shop/");
    let found = json(&desk.run(&["load", "--json", "--connections", "1", "shop.toml", &url]));
    assert_eq!(found["errors"], serde_json::json!({}), "{found}");
    let operations = found["operations"].as_array().unwrap();
    let planned = |place: usize| operations[place]["planned"].as_u64().unwrap();
    assert_eq!((&operations[0]["name"], &operations[1]["name"]), (&"read".into(), &"order".into()));
    assert!(planned(0) > planned(1) && planned(1) > 5, "{found}");
    assert_eq!(planned(0) + planned(1), found["planned"].as_u64().unwrap());
    let sent: Vec<String> = requests.try_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    let is_read = |text: &&String| text.starts_with("GET /shop/items/");
    let is_order = |text: &&String| text.starts_with("POST /shop/orders HTTP/1.1\r\n");
    let (reads, orders) = (sent.iter().filter(is_read).count(), sent.iter().filter(is_order).count());
    assert!(reads > orders && orders > 5 && reads + orders == sent.len(), "{reads} {orders}: {sent:?}");
    for text in &sent {
        assert!(text.contains("\r\nX-All: 1\r\n"), "{text}");
        assert_eq!(text.contains("\r\nX-Own: 2\r\n"), text.starts_with("POST"), "{text}");
    }
    let table = desk.run(&["load", "shop.toml", &url]);
    assert_eq!(table.code, 0, "{}", table.err);
    let rows = |name: &str| table.out.lines().filter(|line| line.starts_with(name)).count();
    if table.out.contains("P50") {
        assert_eq!((rows("  read "), rows("  order ")), (1, 1), "{}", table.out);
    }
}

#[test]
fn services_of_a_file_are_started_and_compared() {
    let desk = Desk::new();
    let services = format!(
        "rate = 200\nslice = \"250ms\"\nlead-in = \"50ms\"\n{OPERATIONS}
         [[service]]\nname = \"old\"\nstart = {:?}\nprepare = \"cp seed {{dir}}/data\"
         [[service]]\nname = \"new\"\nstart = {:?}\nprepare = \"sh -c 'echo $SEED > {{dir}}/data'\"
         env = {{ SEED = \"7\" }}\n",
        serving(1_000),
        serving(1_000),
    );
    desk.write("seed", "1");
    desk.write("shop.toml", &services);
    let done = desk.run(&["load", "shop.toml", "--rounds", "3", "--json", "--name", "before"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let found = json(&done);
    let comparison = &found["comparisons"][0];
    let names = (&comparison["baseline"], &comparison["candidate"]);
    assert_eq!(names, (&"before".into(), &"new".into()), "the command line has the last word");
    let trial = json(&desk.run(&["export", "@last", "--to", "json"]));
    assert_eq!(trial["plan"]["operations"], "read 3, order 1", "{}", trial["plan"]);
    assert_eq!(trial["plan"]["slice"], "250 ms after 50 ms");
    let metrics: Vec<&str> =
        trial["metrics"].as_array().unwrap().iter().map(|metric| metric["name"].as_str().unwrap()).collect();
    assert!(metrics.contains(&"response_p50_read"), "{metrics:?}");
}

#[test]
fn a_dry_run_sends_nothing_and_shows_what_would_be() {
    let mut desk = Desk::new();
    desk.write(
        "shop.toml",
        format!(
            "rate = 2000\nurl = \"http://127.0.0.1:{{port}}/v1\"\n{OPERATIONS}
        [[service]]\nname = \"old\"\nstart = \"./old --port {{port}}\"
        [[service]]\nname = \"new\"\nstart = \"./new --port {{port}}\"\n"
        ),
    );
    for line in [
        "evenhand load shop.toml --dry-run",
        "evenhand load shop.toml --dry-run --clients 8 --slice 2s --max-time 5min",
        "evenhand load shop.toml --dry-run --rate 70%",
        "evenhand load --dry-run --rate 70% --start './a {port}' --start './b {port}' --get /items/{zipf:1..9}",
        "evenhand load --dry-run --rate 5 --post /orders --body x http://localhost:1/v1/",
        "evenhand load http://localhost:1/ --sweep 10%,50,90% --dry-run",
        "evenhand load redis://localhost:1 --most 'p99 < 2ms' --command 'GET {zipf:1..9}' --dry-run",
    ] {
        assert_eq!(desk.type_in(line).code, 0, "{line}");
    }
    desk.expect("workload_dry_run");
}

#[test]
fn a_check_sends_each_request_once() {
    let (desk, (url, requests)) = (Desk::new(), listener());
    desk.write("shop.toml", OPERATIONS);
    let done = desk.run(&["load", "shop.toml", "--check", "-n", "shop", &url.replace("/orders?id=7", "")]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    let rows: Vec<Vec<&str>> = done.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["service", "request", "answer", "time"]);
    assert_eq!(
        (&rows[1][..3], &rows[2][..3]),
        (&["shop", "read", "right"][..], &["shop", "order", "right"][..])
    );
    assert_eq!((rows.len(), requests.try_iter().count()), (3, 2), "{}", done.out);
    desk.write("wrong.toml", "[[operation]]\nname = \"no\"\nrequest = \"GET /no\"\n");
    let server = Server::taking(0);
    let done = desk.run(&["load", "wrong.toml", "--check", "-n", "shop", &server.url()]);
    assert_eq!((done.code, done.err.as_str()), (3, ""), "{}", done.out);
    assert!(done.out.contains("error answer"), "{}", done.out);
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let mut desk = Desk::new();
    let service = "[[service]]\nname = \"a\"\n";
    for (name, content) in [
        ("unknown", "rate = 5\nspeed = 7\n"),
        ("number", "rate = \"fast\"\n"),
        ("both", "rate = 5\nclients = 2\n[[service]]\nname = \"a\"\nurl = \"http://localhost:1/\"\n"),
        ("empty", "rate = 5\n"),
        ("neither", &format!("rate = 5\n{service}")),
        ("url-and-start", &format!("rate = 5\n{service}url = \"http://localhost:1/\"\nstart = \"./a\"\n")),
        ("some", &format!("rate = 5\n{service}start = \"./a\"\n{service}url = \"http://localhost:1/\"\n")),
        ("name", "[[operation]]\nname = \"a b\"\nrequest = \"GET /\"\n"),
        (
            "twice",
            "[[operation]]\nname = \"a\"\nrequest = \"GET /\"\n[[operation]]\nname = \"a\"\nrequest = \"GET /\"\n",
        ),
        ("weight", "[[operation]]\nname = \"a\"\nrequest = \"GET /\"\nweight = 0\n"),
        ("path", "[[operation]]\nname = \"a\"\nrequest = \"GET items\"\n"),
        ("body", "[[operation]]\nname = \"a\"\nrequest = \"POST /\"\nbody = \"@missing\"\n"),
        ("variable", "[[operation]]\nname = \"a\"\nrequest = \"GET /{env:NOT_SET_ANYWHERE}\"\n"),
        ("syntax", "rate = \n"),
    ] {
        desk.write(format!("{name}.toml"), content);
        // Those that describe operations only are given a service.
        let url = if content.starts_with("[[operation") { " http://localhost:1/ --rate 5" } else { "" };
        assert_eq!(desk.type_in(&format!("evenhand load {name}.toml{url}")).code, 2, "{name}");
    }
    for line in [
        "evenhand load missing.toml",
        "evenhand load unknown.toml number.toml",
        "evenhand load body.toml http://localhost:1/ --rate 5 --method PUT",
    ] {
        assert_eq!(desk.type_in(line).code, 2, "{line}");
    }
    desk.expect("workload_refused");
}

#[test]
fn a_part_of_what_the_weakest_service_answers() {
    let desk = Desk::new();
    // A connection and 10 ms an answer: 100 a second at most; the other has 400.
    let words = ["load", "--rate", "50%", "--connections", "1", "--rounds", "2", "--slice", "1s", "--json"];
    let start = ["--start", &serving(10_000), "--start", &serving(2_500), "-n", "slow", "-n", "fast"];
    let done = desk.run(&[&words[..], &start].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.starts_with("note: slow answers ") && done.err.contains(" with 1 client\n"),
        "{}",
        done.err
    );
    let trial = json(&desk.run(&["export", "@last", "--to", "json"]));
    let load = trial["plan"]["load"].as_str().unwrap();
    let rate: f64 = load.strip_suffix(" requests/s").unwrap().parse().unwrap();
    assert!(rate > 10.0 && rate <= 50.0, "{load}");
}

#[test]
fn a_secret_comes_from_the_environment_and_is_not_kept() {
    let (desk, (url, requests)) = (Desk::new(), listener());
    let words = ["load", "--rate", "50", "--slice", "600ms", "--rounds", "1", "--warmup", "0"];
    let header = ["-H", "Authorization: Bearer {env:TOKEN}", &url, &url];
    let mut program = desk.command(&[&words[..], &header].concat());
    assert!(program.env("TOKEN", "hunter2").output().unwrap().status.success());
    let sent = String::from_utf8(requests.recv().unwrap()).unwrap();
    assert!(sent.contains("\r\nAuthorization: Bearer hunter2\r\n"), "{sent}");
    let kept = desk.run(&["export", "@last", "--to", "json"]).out;
    assert!(kept.contains("Authorization") && !kept.contains("hunter2"), "{kept}");
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["plan"]["header"], "Authorization");
}
