//! Which environment variables are written down? Those that change what runs, from a list: no other is looked at.
//!
//! Values go through [`secrets`] as well.
//!
//! Tests: `tests/secrets.rs`, `tests/probe.rs`.

use crate::secrets;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Names that are kept.
const NAMES: [&str; 46] = [
    // Building.
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_MIN_STACK",
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "SOURCE_DATE_EPOCH",
    // Loading and memory.
    "LD_PRELOAD",
    "LD_BIND_NOW",
    "LD_LIBRARY_PATH",
    "GLIBC_TUNABLES",
    "DYLD_INSERT_LIBRARIES",
    "_RJEM_MALLOC_CONF",
    // Threads.
    "RAYON_NUM_THREADS",
    "TOKIO_WORKER_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "UV_THREADPOOL_SIZE",
    // Runtimes of languages.
    "GOMAXPROCS",
    "GOGC",
    "GOMEMLIMIT",
    "GODEBUG",
    "GOAMD64",
    "PYTHONHASHSEED",
    "PYTHONMALLOC",
    "PYTHONOPTIMIZE",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHON_GIL",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS",
    "RUBYOPT",
    // What the output looks like, which some programs spend their time on.
    "LANG",
    "LC_ALL",
    "TZ",
    "TERM",
];

/// Names that begin like this are kept.
const FAMILIES: [&str; 6] = ["CARGO_PROFILE_", "MALLOC_", "OMP_", "MIMALLOC_", "DOTNET_gc", "DOTNET_Tiered"];

/// What is kept of the variables, without secrets.
pub fn kept(variables: impl IntoIterator<Item = (OsString, OsString)>) -> BTreeMap<String, String> {
    let allowed = variables.into_iter().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        is_allowed(&name).then(|| (name, value.to_string_lossy().into_owned()))
    });
    allowed.map(|(name, value)| (name.clone(), without_secrets(&name, &value))).collect()
}

/// Whether a variable is on the list.
pub fn is_allowed(name: &str) -> bool {
    NAMES.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

fn without_secrets(name: &str, value: &str) -> String {
    if secrets::names_a_secret(name) { "***".to_owned() } else { secrets::without_secrets_in(value) }
}
