//! What do the kernel's texts say of memory, load and the system's name?
//!
//! /proc/meminfo, /proc/loadavg, /proc/stat (`proc(5)`), the auxiliary vector (`getauxval(3)`), and os-release
//! (<https://www.freedesktop.org/software/systemd/man/latest/os-release.html>).
//!
//! Tests: `tests/files.rs`.

/// Type of the entry with the page size in the auxiliary vector, `AT_PAGESZ`.
const PAGE_SIZE: usize = 6;

/// The name for people in /etc/os-release: `PRETTY_NAME`, else name and version.
pub fn os_name(text: &str) -> Option<String> {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix('='))?;
        Some(unquoted(line.trim())).filter(|value| !value.is_empty())
    };
    let plain = || match (field("NAME"), field("VERSION")) {
        (Some(name), Some(version)) => Some(format!("{name} {version}")),
        (name, _) => name,
    };
    field("PRETTY_NAME").or_else(plain)
}

/// A value in the shell's quotes, where a backslash protects the next character.
fn unquoted(text: &str) -> String {
    let inner = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].strip_suffix(quote).unwrap_or(&text[1..]),
        _ => text,
    };
    let mut value = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.extend(characters.next()),
            _ => value.push(character),
        }
    }
    value
}

/// Main memory, from /proc/meminfo.
pub fn memory_bytes(text: &str) -> Option<u64> {
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The size of a page, from the auxiliary vector of a process: pairs of type and value in the machine's own words.
pub fn page_bytes(auxiliary: &[u8]) -> Option<u64> {
    const WORD: usize = size_of::<usize>();
    let word = |bytes: &[u8]| bytes.try_into().ok().map(usize::from_ne_bytes);
    let mut pairs = auxiliary.chunks_exact(2 * WORD).map(|pair| (word(&pair[..WORD]), word(&pair[WORD..])));
    let (_, size) = pairs.find(|(kind, _)| *kind == Some(PAGE_SIZE))?;
    size.and_then(|size| u64::try_from(size).ok()).filter(|size| size.is_power_of_two())
}

/// The three averages of /proc/loadavg.
pub fn load_average(text: &str) -> Option<[f64; 3]> {
    let mut numbers =
        text.split_whitespace().map(|word| word.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0));
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// The share of the first line of /proc/stat that was stolen: user, nice, system, idle, iowait, irq, softirq, steal.
/// (Guest time, which follows, is counted in user and nice already.)
pub fn steal_share(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Option<Vec<u64>> = line.split_whitespace().take(8).map(|word| word.parse().ok()).collect();
    let ticks = ticks.filter(|ticks| ticks.len() == 8)?;
    let total: f64 = ticks.iter().map(|&ticks| ticks as f64).sum();
    (total > 0.0).then(|| ticks[7] as f64 / total)
}
