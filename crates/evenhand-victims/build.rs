//! Compiles the victim, so that every crate with this one as a dev-dependency has it, whichever of its tests are run.
//! Cargo itself builds programs only for the tests of their own package.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=src/main.rs");
    let variable = |name| env::var_os(name).unwrap_or_default();
    let program = Path::new(&variable("OUT_DIR")).join(format!("victim{}", env::consts::EXE_SUFFIX));
    let _ = fs::remove_file(&program);
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(["--edition=2024", "--crate-name=victim", "-Copt-level=2", "src/main.rs", "-o"]).arg(&program);
    rustc.arg("--target").arg(variable("TARGET"));
    let built = rustc.status().is_ok_and(|status| status.success());
    assert!(built, "the victim could not be compiled");
    println!("cargo::rustc-env=VICTIM={}", program.display());
}
