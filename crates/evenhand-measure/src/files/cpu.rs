//! What do the kernel's texts say of the processor? /proc/cpuinfo, lists of processors, the affinity of a process.
//!
//! The fields of /proc/cpuinfo differ between architectures: x86 has `model name`, PowerPC `cpu`, RISC-V `uarch`, and
//! Arm the numbers of implementer and part, which are looked up in Arm's table of main ID registers
//! (<https://developer.arm.com/documentation/>, *MIDR_EL1*). A list of processors looks like `0-3,8`.
//!
//! Tests: `tests/files.rs`, `tests/machines.rs`.

use std::collections::BTreeSet;

/// More processors than Linux can have (`CONFIG_NR_CPUS` goes to 8192): a longer list is not believed.
const MOST_CPUS: u32 = 1 << 16;

/// What /proc/cpuinfo says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Info {
    /// What the processor calls itself.
    pub model: Option<String>,
    pub logical: Option<u32>,
    /// Cores, where the text has their numbers.
    pub cores: Option<u32>,
    /// Present frequency.
    pub mhz: Option<f64>,
    /// Whether a hypervisor says that it is there. `None`: the text has no flags of x86.
    pub guest: Option<bool>,
}

/// Reads /proc/cpuinfo.
pub fn info(text: &str) -> Info {
    let fields = || {
        text.lines().filter_map(|line| line.split_once(':')).map(|(key, value)| (key.trim(), value.trim()))
    };
    let first = |wanted: &str| {
        fields().find(|(key, value)| *key == wanted && !value.is_empty()).map(|(_, value)| value)
    };
    let logical = fields().filter(|(key, _)| *key == "processor").count();
    let named = ["model name", "Model Name", "cpu model", "uarch"].iter().find_map(|key| first(key));
    Info {
        model: named.map(one_spaced).or_else(|| arm_parts(fields())).or_else(|| first("cpu").map(one_spaced)),
        logical: u32::try_from(logical).ok().filter(|count| *count > 0),
        cores: core_count(fields()),
        mhz: first("cpu MHz").or_else(|| first("clock")).and_then(leading_number),
        guest: first("flags").map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor")),
    }
}

/// The frequency in a name such as `Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz`.
pub fn nominal_mhz(model: &str) -> Option<f64> {
    let (_, speed) = model.rsplit_once('@')?;
    let speed = speed.trim();
    match speed.strip_suffix("GHz") {
        Some(number) => leading_number(number).map(|ghz| (ghz * 1e6).round() / 1e3),
        None => leading_number(speed.strip_suffix("MHz")?),
    }
}

/// Reads a list of processors such as `0-3,8`. An empty text is an empty list.
pub fn list(text: &str) -> Option<Vec<u32>> {
    let mut numbers = BTreeSet::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        if from > to || to >= MOST_CPUS {
            return None;
        }
        numbers.extend(from..=to);
    }
    Some(numbers.into_iter().collect())
}

/// The processors that a process may run on, from its /proc/…/status.
pub fn allowed(status: &str) -> Option<Vec<u32>> {
    list(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?)
}

/// Distinct pairs of package and core; a line `core id` follows its `physical id`.
fn core_count<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Option<u32> {
    let (mut package, mut cores) = ("", BTreeSet::new());
    for (key, value) in fields {
        match key {
            "physical id" => package = value,
            "core id" => drop(cores.insert((package, value))),
            _ => {}
        }
    }
    u32::try_from(cores.len()).ok().filter(|count| *count > 0)
}

/// The kinds of Arm cores, each once, in the order of their first processors.
fn arm_parts<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let (mut implementer, mut names) = ("", Vec::<String>::new());
    for (key, value) in fields {
        match key {
            "CPU implementer" => implementer = value,
            "CPU part" => {
                let name = arm_name(implementer, value);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    Some(names.join(" + ")).filter(|names| !names.is_empty())
}

fn arm_name(implementer: &str, part: &str) -> String {
    let known = match (implementer, part) {
        ("0x41", "0xd03") => "Cortex-A53",
        ("0x41", "0xd04") => "Cortex-A35",
        ("0x41", "0xd05") => "Cortex-A55",
        ("0x41", "0xd07") => "Cortex-A57",
        ("0x41", "0xd08") => "Cortex-A72",
        ("0x41", "0xd09") => "Cortex-A73",
        ("0x41", "0xd0a") => "Cortex-A75",
        ("0x41", "0xd0b") => "Cortex-A76",
        ("0x41", "0xd0c") => "Neoverse-N1",
        ("0x41", "0xd0d") => "Cortex-A77",
        ("0x41", "0xd40") => "Neoverse-V1",
        ("0x41", "0xd41") => "Cortex-A78",
        ("0x41", "0xd44") => "Cortex-X1",
        ("0x41", "0xd49") => "Neoverse-N2",
        ("0x41", "0xd4f") => "Neoverse-V2",
        _ => return format!("Arm implementer {implementer} part {part}"),
    };
    known.to_owned()
}

/// A number above 0 at the start of a text such as `3000.000000MHz`.
fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text[..end].parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

fn one_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
