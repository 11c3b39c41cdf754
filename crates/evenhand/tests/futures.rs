//! Is an `async` function a benchmark like others? With the feature `tokio`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use evenhand::__private::{entries, main};
use std::process::Command;
use std::time::Duration;

#[evenhand::bench]
async fn victim_sleeps() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[evenhand::bench(args = [3])]
async fn victim_adds(count: u64) -> u64 {
    tokio::task::yield_now().await;
    count + 1
}

#[evenhand::bench]
fn victim_by_hand(bench: evenhand::Bench<'_>) {
    bench.run_async(|| async { tokio::task::yield_now().await });
}

/// No test: what the test below runs. Its name is a part of the names of all benchmarks, because it is the filter for both.
#[test]
#[ignore = "started by another test"]
fn victim() {
    main();
}

#[test]
fn futures_run_to_their_end() {
    let names: Vec<String> = entries().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["futures::victim_adds/3", "futures::victim_by_hand", "futures::victim_sleeps"]);
    let mut me = Command::new(std::env::current_exe().unwrap());
    // As a program it runs each once.
    let output = me.args(["victim", "--ignored", "--nocapture"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    for name in names {
        assert!(said.contains(&format!("test {name} ... ok")), "{said}");
    }
}
