//! How do all crates of a build get aligned functions? This program stands in for `rustc`, as cargo's `RUSTC_WRAPPER`, and adds
//! options to each call. So it does not matter where else options stand: in variables, or in the configuration files of cargo,
//! of which each kind hides the others.
//!
//! For `--layouts` it also links the benchmark programs again and again, each time with the functions in another order.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The variable that says that this program is wanted as `rustc`, and which options it shall add, one a line.
pub(crate) const OPTIONS: &str = "EVENHAND_RUSTC_OPTIONS";

/// Functions begin at multiples of 2^6 bytes, a cache line. Where a function lies decides some percent of its speed, and
/// a change elsewhere moves it.
pub(crate) const ALIGNED: &str = "-Cllvm-args=-align-all-functions=6";

/// The variable that says how many layouts of which crates are wanted: the number, then a name a line.
pub(crate) const LAYOUTS: &str = "EVENHAND_RUSTC_LAYOUTS";

/// The folder of a layout, beside the program with the usual one.
pub(crate) fn folder_of_layout(number: u32) -> String {
    format!("evenhand-layout-{number}")
}

/// Runs `rustc` if that is what we are called for, and answers its exit code.
pub(crate) fn stand_in(arguments: &[OsString]) -> Option<u8> {
    let options = std::env::var(OPTIONS).ok()?;
    let options: Vec<OsString> = options.lines().map(OsString::from).collect();
    let (rustc, rest) = arguments.get(1..)?.split_first()?;
    let is_rustc = Path::new(rustc).file_stem().is_some_and(|stem| stem.to_string_lossy().contains("rustc"));
    if !is_rustc {
        return None;
    }
    let calls = std::iter::once(rest.to_vec()).chain(layouts(rest));
    let mut codes = calls.map(|call| called(rustc, &[call, options.clone()].concat()));
    Some(codes.find(|code| *code != 0).unwrap_or(0))
}

fn called(rustc: &OsString, arguments: &[OsString]) -> u8 {
    match Command::new(rustc).args(arguments).env_remove(OPTIONS).status() {
        Ok(status) => u8::try_from(status.code().unwrap_or(101)).unwrap_or(101),
        Err(error) => {
            eprintln!("error: {} could not be started: {error}", Path::new(rustc).display());
            101
        }
    }
}

/// The calls that make the other layouts, if this one makes a program of which they are wanted.
fn layouts(arguments: &[OsString]) -> Vec<Vec<OsString>> {
    let wanted = std::env::var(LAYOUTS).unwrap_or_default();
    let mut lines = wanted.lines();
    let count: u32 = lines.next().and_then(|count| count.parse().ok()).unwrap_or(1);
    let of = |option: &str| arguments.windows(2).find(|pair| pair[0] == option).map(|pair| &pair[1]);
    let is_wanted = of("--crate-name").is_some_and(|name| lines.any(|wanted| name == wanted))
        && of("--crate-type").is_none_or(|kind| kind == "bin");
    match of("--out-dir").filter(|_| is_wanted) {
        Some(folder) => (1..count).map(|number| layout(arguments, folder, number)).collect(),
        None => Vec::new(),
    }
}

/// lld puts the sections that fit in an order that follows from the seed; each function has a section of its own.
fn layout(arguments: &[OsString], folder: &OsString, number: u32) -> Vec<OsString> {
    let other = Path::new(folder).join(folder_of_layout(number));
    // rustc says it if there is no such folder.
    let _ = std::fs::create_dir_all(&other);
    let moved =
        arguments.iter().map(|argument| if argument == folder { other.as_os_str() } else { argument });
    let shuffle = format!("-Clink-arg=-Wl,--shuffle-sections=.text*={number}");
    moved.map(OsString::from).chain([shuffle.into()]).collect()
}
