//! Prints what the probe finds out, as JSON: `cargo run -p evenhand-measure --example probe`.

use evenhand_measure::{Question, probe};
use std::ffi::OsString;
use std::path::Path;

fn main() -> Result<(), serde_json::Error> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let environment = probe(&Question {
        tools: &["rustc", "cc", "python3"],
        source: Some(Path::new(".")),
        arguments: &arguments,
        ..Question::default()
    });
    println!("{}", serde_json::to_string_pretty(&environment)?);
    Ok(())
}
