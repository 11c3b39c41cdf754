//! Compiles the program that commands are started from, `starter/main.rs`, for the machine that is built for.
//!
//! For other systems and processors, or if neither linker works, an empty file takes its place. evenhand then starts commands
//! itself, and says below which memory their peak cannot be told.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

const SOURCE: &str = "starter/main.rs";
const FLAGS: [&str; 17] = [
    "--edition=2024",
    "--crate-name=starter",
    "--crate-type=bin",
    "-C",
    "opt-level=s",
    "-C",
    "panic=abort",
    "-C",
    "debuginfo=0",
    "-C",
    "strip=symbols",
    "-C",
    "relocation-model=static",
    "-C",
    "force-unwind-tables=no",
    "-A",
    "warnings",
];
/// The linker that comes with Rust and links for any machine, then the default one.
const LINKERS: [&[&str]; 2] = [
    &[
        "-Clinker=rust-lld",
        "-Clinker-flavor=ld.lld",
        "-Clink-self-contained=no",
        "-Clink-args=-nostdlib -static --no-rosegment --build-id=none",
    ],
    &["-Clink-args=-nostartfiles -nostdlib -static -Wl,--build-id=none -Wl,-z,noseparate-code"],
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={SOURCE}");
    let program = PathBuf::from(variable("OUT_DIR")).join("starter");
    let is_known = is_known_machine();
    if is_known && LINKERS.iter().any(|linker| is_built(&program, linker)) {
        return Ok(());
    }
    if is_known {
        println!(
            "cargo::warning={SOURCE} cannot be built: evenhand will not tell the peak memory of small commands"
        );
    }
    fs::write(&program, [])
}

fn is_known_machine() -> bool {
    let is_known = ["x86_64", "aarch64"].contains(&variable("CARGO_CFG_TARGET_ARCH").as_str());
    is_known
        && variable("CARGO_CFG_TARGET_OS") == "linux"
        && variable("CARGO_CFG_TARGET_POINTER_WIDTH") == "64"
        && variable("CARGO_CFG_TARGET_ENDIAN") == "little"
}

fn is_built(program: &Path, linker: &[&str]) -> bool {
    let mut compiler = Command::new(variable("RUSTC"));
    compiler.args(FLAGS).args(linker).args(["--target", &variable("TARGET"), SOURCE, "-o"]).arg(program);
    compiler.output().is_ok_and(|done| done.status.success())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
