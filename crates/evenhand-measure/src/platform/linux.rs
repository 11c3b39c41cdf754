//! What does a Linux machine say of itself, in the files of /proc, /sys and /etc?
//!
//! Which file says what is described in the kernel's documentation (<https://docs.kernel.org/admin-guide/>, `proc(5)`,
//! `sysfs(5)`). A file that is missing, unreadable or strange leaves its field empty. What the files mean is read in
//! [`files`](crate::files).
//!
//! Tests: `tests/machines.rs`, with files of five kinds of machines.

use super::groups;
use super::machine::Files;
use crate::files::{cpu, system, virtualisation};
use evenhand_trial::Environment;
use evenhand_trial::environment::Cpu;
use std::collections::BTreeSet;

const CPUS: &str = "sys/devices/system/cpu";
const CLOCK_SOURCES: &str = "sys/devices/system/clocksource/clocksource0";
/// `ADDR_NO_RANDOMIZE` of <linux/personality.h>.
const NO_RANDOM_LAYOUT: u64 = 0x0004_0000;

/// Everything that the files say.
pub fn describe(files: &Files) -> Environment {
    let info = files.text("proc/cpuinfo").map(|text| cpu::info(&text)).unwrap_or_default();
    let online = cpu_list(files, "online");
    let text = |path| files.text(path);
    let limits = groups::limits(files);
    Environment {
        host: text("proc/sys/kernel/hostname"),
        system: text("etc/os-release")
            .or_else(|| text("usr/lib/os-release"))
            .and_then(|text| system::os_name(&text)),
        kernel: kernel(files),
        memory_bytes: text("proc/meminfo").and_then(|text| system::memory_bytes(&text)),
        memory_limit_bytes: limits.memory_bytes,
        page_bytes: files.bytes("proc/self/auxv").and_then(|bytes| system::page_bytes(&bytes)),
        aslr: aslr(files),
        virtualisation: virtualisation(files, &info),
        steal_share: text("proc/stat").and_then(|text| system::steal_share(&text)),
        load_average: text("proc/loadavg").and_then(|text| system::load_average(&text)),
        pinned_to: pinned_to(files, online.as_deref()),
        cpu: Cpu { limit: limits.processors, ..processor(files, info, online) },
        ..Environment::default()
    }
}

/// The kernel's name for the clock, with the counter below it.
pub fn clock_source(files: &Files) -> String {
    match files.text(&format!("{CLOCK_SOURCES}/current_clocksource")) {
        Some(counter) => format!("CLOCK_MONOTONIC ({counter})"),
        None => "CLOCK_MONOTONIC".to_owned(),
    }
}

fn kernel(files: &Files) -> Option<String> {
    let release = files.text("proc/sys/kernel/osrelease")?;
    let name = files.text("proc/sys/kernel/ostype").unwrap_or_else(|| "Linux".to_owned());
    Some(format!("{name} {release}"))
}

fn aslr(files: &Files) -> Option<bool> {
    let by_kernel = files.number("proc/sys/kernel/randomize_va_space")? > 0;
    let personality =
        files.text("proc/self/personality").and_then(|text| u64::from_str_radix(&text, 16).ok()).unwrap_or(0);
    Some(by_kernel && personality & NO_RANDOM_LAYOUT == 0)
}

fn cpu_list(files: &Files, name: &str) -> Option<Vec<u32>> {
    cpu::list(&files.text(&format!("{CPUS}/{name}"))?)
}

/// The processors of this thread, if they are not all.
fn pinned_to(files: &Files, online: Option<&[u32]>) -> Vec<u32> {
    let status = files.text("proc/thread-self/status").or_else(|| files.text("proc/self/status"));
    let allowed = status.and_then(|text| cpu::allowed(&text)).unwrap_or_default();
    match online {
        // A processor that is offline may be allowed, too.
        Some(online) if online.iter().any(|number| !allowed.contains(number)) => allowed,
        _ => Vec::new(),
    }
}

fn processor(files: &Files, info: cpu::Info, online: Option<Vec<u32>>) -> Cpu {
    let logical = online.as_ref().and_then(|online| u32::try_from(online.len()).ok()).or(info.logical);
    let cores = cores(files, online.as_deref().unwrap_or_default()).or(info.cores);
    let shared = logical.zip(cores).map(|(logical, cores)| logical > cores);
    Cpu {
        logical,
        cores,
        smt: files.number(&format!("{CPUS}/smt/active")).map(|active| active == 1).or(shared),
        governor: governors(files),
        turbo: turbo(files),
        mhz: mhz(files, &info),
        isolated: cpu_list(files, "isolated").unwrap_or_default(),
        model: info.model,
        ..Cpu::default()
    }
}

/// Each core has one list of the logical processors that share it.
fn cores(files: &Files, online: &[u32]) -> Option<u32> {
    let siblings = |number| files.text(&format!("{CPUS}/cpu{number}/topology/thread_siblings_list"));
    let lists: Option<BTreeSet<String>> = online.iter().map(siblings).collect();
    u32::try_from(lists?.len()).ok().filter(|count| *count > 0)
}

/// Usually one word; all of them if clusters of processors differ.
fn governors(files: &Files) -> Option<String> {
    let folder = format!("{CPUS}/cpufreq");
    let policies = files.names(&folder).into_iter().filter(|name| name.starts_with("policy"));
    let governor = |policy| files.text(&format!("{folder}/{policy}/scaling_governor"));
    let mut words: BTreeSet<String> = policies.filter_map(governor).collect();
    if words.is_empty() {
        words.extend(files.text(&format!("{CPUS}/cpu0/cpufreq/scaling_governor")));
    }
    Some(words.into_iter().collect::<Vec<_>>().join(", ")).filter(|words| !words.is_empty())
}

/// Intel's driver says that turbo is off, the others that boost is on.
fn turbo(files: &Files) -> Option<bool> {
    let off = files.number(&format!("{CPUS}/intel_pstate/no_turbo")).map(|off| off == 0);
    off.or_else(|| files.number(&format!("{CPUS}/cpufreq/boost")).map(|on| on == 1))
}

/// The nominal frequency if the driver or the model's name says it, else the present or highest one.
fn mhz(files: &Files, info: &cpu::Info) -> Option<f64> {
    let kilohertz =
        |name| files.number(&format!("{CPUS}/cpu0/cpufreq/{name}")).map(|khz| khz as f64 / 1000.0);
    kilohertz("base_frequency")
        .or_else(|| info.model.as_deref().and_then(cpu::nominal_mhz))
        .or(info.mhz)
        .or_else(|| kilohertz("cpuinfo_max_freq"))
}

fn virtualisation(files: &Files, info: &cpu::Info) -> Option<String> {
    let dmi = ["sys_vendor", "product_name", "board_vendor", "bios_vendor"];
    let dmi = dmi.iter().filter_map(|name| files.text(&format!("sys/class/dmi/id/{name}"))).collect();
    virtualisation::name(&virtualisation::Signs {
        docker_mark: files.exists(".dockerenv"),
        podman_mark: files.exists("run/.containerenv"),
        manager: files.text("run/systemd/container").or_else(|| {
            // Of the variables of the first process only this one is looked at.
            let variables = files.text("proc/1/environ")?;
            variables.lines().find_map(|line| line.strip_prefix("container=")).map(str::to_owned)
        }),
        cgroups: [files.text("proc/1/cgroup"), files.text("proc/self/cgroup")]
            .into_iter()
            .flatten()
            .collect(),
        kernel: files.text("proc/version").or_else(|| files.text("proc/sys/kernel/osrelease")),
        dmi,
        hypervisor_type: files.text("sys/hypervisor/type"),
        device_tree: files.text("proc/device-tree/hypervisor/compatible"),
        clock_sources: files.text(&format!("{CLOCK_SOURCES}/available_clocksource")),
        guest: info.guest,
    })
}
