//! What may the control group of this process use? Containers and services are groups; who uses up the processor time of its
//! group stands still for tens of milliseconds.
//!
//! Version 2 (<https://docs.kernel.org/admin-guide/cgroup-v2.html>) has one tree with files such as `cpu.max`, version 1
//! (<https://docs.kernel.org/admin-guide/cgroup-v1/>) one tree for each controller. A limit of any group above holds, too,
//! so all are read; in a container the group's own name is that of the host, and its files are at the root.
//!
//! Tests: `tests/groups.rs`.

use super::machine::Files;

const ROOT: &str = "sys/fs/cgroup";

/// What may be used. Every field may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Whether control groups account for processor time here.
    pub has_groups: bool,
    /// Processor time, in processors.
    pub processors: Option<f64>,
    /// How often the group was stopped for having used it up.
    pub stopped: Option<u64>,
    pub memory_bytes: Option<u64>,
}

/// What the files of a machine say.
pub fn limits(files: &Files) -> Limits {
    let (processor, memory) = (folders(files, "cpu"), folders(files, "memory"));
    let stats: Vec<String> = each(files, &processor, "cpu.stat").collect();
    let quotas = processor.iter().filter_map(|folder| processors(files, folder));
    let bytes = ["memory.max", "memory.limit_in_bytes"]
        .into_iter()
        .flat_map(|name| each(files, &memory, name))
        .filter_map(|text| text.parse().ok());
    Limits {
        has_groups: !stats.is_empty(),
        processors: quotas.min_by(f64::total_cmp),
        stopped: stats.iter().filter_map(|text| field(text, "nr_throttled")).max(),
        memory_bytes: bytes.filter(|bytes| *bytes < NO_LIMIT).min(),
    }
}

/// Version 1 writes no limit as the largest number of pages.
const NO_LIMIT: u64 = 1 << 62;

/// The folders of a controller, from the group of this process up to the root.
fn folders(files: &Files, controller: &str) -> Vec<String> {
    let text = files.text("proc/self/cgroup").unwrap_or_default();
    let mut folders: Vec<String> = text.lines().flat_map(|line| of_line(line, controller)).collect();
    folders.extend([ROOT.to_owned(), format!("{ROOT}/{controller}")]);
    folders
}

/// A line is `NUMBER:CONTROLLERS:PATH`; version 2 names no controllers.
fn of_line(line: &str, controller: &str) -> Vec<String> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let tree = match controllers {
        "" => ROOT.to_owned(),
        several if several.split(',').any(|one| one == controller) => format!("{ROOT}/{controller}"),
        _ => return Vec::new(),
    };
    // A path that leads out of the folder is not followed.
    if path.split('/').any(|part| part == "..") {
        return Vec::new();
    }
    let ends = path.char_indices().filter(|(_, character)| *character == '/').map(|(place, _)| place);
    ends.chain([path.len()]).map(|end| format!("{tree}{}", &path[..end])).rev().collect()
}

fn each<'a>(files: &'a Files, folders: &'a [String], name: &'a str) -> impl Iterator<Item = String> + 'a {
    folders.iter().filter_map(move |folder| files.text(&format!("{folder}/{name}")))
}

/// `cpu.max` is `QUOTA PERIOD` in microseconds, or `max PERIOD`; version 1 has a file for each, and −1 for no limit.
fn processors(files: &Files, folder: &str) -> Option<f64> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    let of = |name: &str| files.text(&format!("{folder}/{name}"));
    let version_1 = || Some(format!("{} {}", of("cpu.cfs_quota_us")?, of("cpu.cfs_period_us")?));
    let text = of("cpu.max").or_else(version_1)?;
    let (quota, period) = text.split_once(' ')?;
    Some(number(quota)? / number(period.trim())?)
}

/// A number after its name, a line each.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}
