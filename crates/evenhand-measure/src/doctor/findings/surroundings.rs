//! What is to be said of everything around the processor: who else runs, who gives the time, heat, power, memory, and
//! what the kernel does by itself.

use super::{Finding, Severity, percent};
use crate::doctor::facts::Facts;

/// Others keep this share of one processor busy on any quiet machine.
const QUIET: f64 = 0.25;
/// And this share of all of them on a large one.
const QUIET_SHARE: f64 = 0.1;

pub(super) fn load(facts: &Facts) -> Option<Finding> {
    let processors = f64::from(facts.processors()?);
    let load = facts.machine.load_average.map(|averages| averages[0]);
    let busy = facts.now.busy.or(load)?;
    let state = match (facts.now.busy, load) {
        (Some(busy), Some(load)) => {
            format!("other programs use {busy:.1} of {processors} CPUs now, load {load:.1} over one minute")
        }
        (Some(busy), None) => format!("other programs use {busy:.1} of {processors} CPUs now"),
        (None, _) => format!("load {busy:.1} on {processors} CPUs over one minute"),
    };
    let finding =
        Finding::fine("load", state, "Other programs take CPU time and cache from the measured ones.");
    let look = "top -b -n 1 | head -n 15";
    Some(if busy >= (processors - 1.0).max(0.5) {
        finding.advising(Severity::Matters, "Stop them or wait for them to end. To list them:").by(look)
    } else if busy >= QUIET.max(QUIET_SHARE * processors) {
        finding.advising(Severity::Notice, "Stop them if you can. To list them:").by(look)
    } else {
        finding
    })
}

/// The smallest share of stolen time that is told, and the smallest that matters.
const SOME_STOLEN: f64 = 0.001;
const MUCH_STOLEN: f64 = 0.01;

pub(super) fn steal(facts: &Facts) -> Option<Finding> {
    let since_start = facts.machine.steal_share;
    let stolen = facts
        .now
        .stolen
        .into_iter()
        .chain(since_start)
        .fold(None, |most: Option<f64>, share| Some(most.map_or(share, |most| most.max(share))))?;
    let when = if facts.now.stolen == Some(stolen) { "now" } else { "since boot" };
    let finding = Finding::fine(
        "steal",
        match stolen {
            none if none <= 0.0 => "no time stolen by a hypervisor".to_owned(),
            some => format!("time stolen by the hypervisor: {} {when}", percent(some)),
        },
        "While the hypervisor runs other guests, the clock continues and the measured program does not.",
    );
    let advice = "Use a machine or instance type with dedicated CPUs.";
    Some(match stolen {
        much if much >= MUCH_STOLEN => finding.advising(Severity::Matters, advice),
        some if some >= SOME_STOLEN => finding.advising(Severity::Notice, advice),
        _ => finding,
    })
}

pub(super) fn limit(facts: &Facts) -> Option<Finding> {
    let why = "A control group that has used up its time is stopped until the next period, usually 0.1 s.";
    let Some(limit) = facts.limit else {
        // Only a machine that has control groups is said to have no limit.
        return facts.has_groups.then(|| Finding::fine("limit", "no CPU time limit", why));
    };
    let stopped = facts.limited.unwrap_or(0);
    let state = match stopped {
        0 => format!("CPU time limited to {limit:.2} CPUs"),
        _ => format!("CPU time limited to {limit:.2} CPUs, stopped {stopped} times"),
    };
    let severity = if stopped > 0 || limit < 1.0 { Severity::Matters } else { Severity::Notice };
    let advice = "Start the container without --cpus (or another setting of cpu.max); --cpuset-cpus limits without stopping.";
    Some(Finding::fine("limit", state, why).advising(severity, advice))
}

/// Degrees below the limit.
const NEAR: f64 = 15.0;
const VERY_NEAR: f64 = 5.0;

pub(super) fn heat(facts: &Facts) -> Option<Finding> {
    let why = "A hot CPU slows down, so programs that run later look slower.";
    let advice = "Let it cool, improve the cooling, and measure in turns rather than one after the other.";
    let slowed = facts.throttled.unwrap_or(0);
    let mut parts = Vec::new();
    let mut severity = if slowed > 0 { Severity::Notice } else { Severity::Fine };
    if let Some(heat) = &facts.hottest {
        let limit = heat.limit_celsius.map_or_else(String::new, |limit| format!(" of {limit:.0}"));
        parts.push(format!("{}: {:.0}{limit} degrees Celsius", heat.place, heat.celsius));
        severity = severity.max(match heat.limit_celsius.map(|limit| limit - heat.celsius) {
            Some(room) if room < VERY_NEAR => Severity::Matters,
            Some(room) if room < NEAR => Severity::Notice,
            _ => Severity::Fine,
        });
    }
    parts.extend(facts.throttled.map(|times| match times {
        0 => "never throttled by heat".to_owned(),
        1 => "throttled by heat once since boot".to_owned(),
        times => format!("throttled by heat {times} times since boot"),
    }));
    if parts.is_empty() {
        return None;
    }
    let finding = Finding::fine("heat", parts.join(", "), why);
    Some(if severity == Severity::Fine { finding } else { finding.advising(severity, advice) })
}

pub(super) fn power(facts: &Facts) -> Option<Finding> {
    let battery = facts.on_battery?;
    let finding = Finding::fine(
        "power",
        if battery { "running on battery" } else { "running on mains" },
        "On battery the firmware limits the CPU, more so as the charge falls.",
    );
    Some(if battery { finding.advising(Severity::Matters, "Plug it in.") } else { finding })
}

/// Somebody waits for memory this share of the time.
const WAITING: f64 = 0.01;
/// Swap in use that is more than what every system puts away once.
const SWAPPED: u64 = 256 << 20;

pub(super) fn memory(facts: &Facts) -> Option<Finding> {
    let waiting = facts.memory_pressure.unwrap_or(0.0);
    let swapped = facts.swapped_bytes?;
    let limit = facts
        .memory_limit
        .map_or_else(String::new, |limit| format!(", memory limited to {} MiB", limit >> 20));
    let mebibytes = swapped >> 20;
    let state = match (swapped, waiting >= WAITING) {
        (0, false) => format!("nothing swapped out{limit}"),
        (_, false) => format!("{mebibytes} MiB swapped out{limit}"),
        (_, true) => {
            let waiting = percent(waiting);
            format!("{mebibytes} MiB swapped out{limit}, waiting for memory {waiting} of the time")
        }
    };
    let finding = Finding::fine("memory", state, "Reading a page back from disk takes milliseconds.");
    if waiting >= WAITING {
        return Some(
            finding
                .advising(Severity::Matters, "Stop the programs that use the memory. To list them:")
                .by("ps -eo rss,pid,comm --sort=-rss | head"),
        );
    }
    if swapped < SWAPPED {
        return Some(finding);
    }
    let finding =
        finding.advising(Severity::Notice, "If the measured program may be swapped out, swap it in.");
    let fits = facts.available_bytes.is_some_and(|available| available > 2 * swapped);
    Some(if fits { finding.by("sudo swapoff -a && sudo swapon -a") } else { finding })
}

pub(super) fn virtualisation(facts: &Facts) -> Option<Finding> {
    let kind = facts.machine.virtualisation.as_deref()?;
    let why = "Other guests share CPU, cache and memory, and only part of it shows as stolen time.";
    let host = kind.rsplit(" on ").next().unwrap_or(kind);
    Some(match host {
        "none" => Finding::fine("virtualisation", "no hypervisor", why),
        _ if is_container(host) => return None,
        host => Finding::fine("virtualisation", format!("virtual machine on {host}"), why).advising(
            Severity::Notice,
            "Trust comparisons within one trial, not absolute times from different days or machines.",
        ),
    })
}

/// Without a hypervisor in the name, these share the host's kernel.
fn is_container(name: &str) -> bool {
    const HYPERVISORS: [&str; 12] = [
        "kvm",
        "amazon",
        "qemu",
        "bochs",
        "vmware",
        "oracle",
        "xen",
        "parallels",
        "bhyve",
        "google",
        "microsoft",
        "apple",
    ];
    name != "none" && name != "vm" && !HYPERVISORS.contains(&name)
}

pub(super) fn container(facts: &Facts) -> Option<Finding> {
    let kind = facts.machine.virtualisation.as_deref()?;
    let name = kind.split(" on ").next().filter(|name| is_container(name))?;
    let finding = Finding::fine(
        "container",
        format!("in a container: {name}"),
        "A container itself costs nothing, but other programs on its host are not visible from inside.",
    );
    Some(match name {
        "gvisor" | "wsl" => finding.advising(
            Severity::Notice,
            "System calls and files are slower here than on the host; measure where the program will run.",
        ),
        _ => finding,
    })
}

pub(super) fn layout(facts: &Facts) -> Option<Finding> {
    let random = facts.machine.aslr?;
    let finding = Finding::fine(
        "aslr",
        format!("address layout: {}", if random { "random in each run" } else { "the same in each run" }),
        "The addresses of code and data change the speed; random layouts average this out, a fixed one biases the result.",
    );
    if random {
        return Some(finding);
    }
    let finding = finding.advising(Severity::Notice, "Keep it random, and do not use `setarch -R`.");
    Some(match facts.random_layout {
        Some(0) => finding.by("echo 2 | sudo tee /proc/sys/kernel/randomize_va_space"),
        _ => finding,
    })
}

pub(super) fn huge_pages(facts: &Facts) -> Option<Finding> {
    let chosen = facts.huge_pages.as_deref()?;
    let finding = Finding::fine(
        "huge_pages",
        format!("transparent huge pages: {chosen}"),
        "With `always`, free memory decides whether a run gets huge pages, which changes programs with large heaps.",
    );
    Some(if chosen == "always" {
        finding
            .advising(
                Severity::Notice,
                "If programs with large heaps have two speeds, let each program choose.",
            )
            .by("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
    } else {
        finding
    })
}

/// Up to this level everybody may count what his own programs do.
const OWN_PROGRAMS: i64 = 2;

pub(super) fn counters(facts: &Facts) -> Option<Finding> {
    let level = facts.perf_event_paranoid?;
    let why = "Counted instructions vary far less from run to run than times.";
    if !facts.counters {
        return Some(Finding::fine("counters", "no hardware counters here", why));
    }
    let finding =
        Finding::fine("counters", format!("hardware counters: perf_event_paranoid is {level}"), why);
    Some(if level > OWN_PROGRAMS {
        finding
            .advising(Severity::Notice, "Allow users to count their own programs.")
            .by("sudo sysctl kernel.perf_event_paranoid=2")
    } else {
        finding
    })
}

/// Somebody waits for a processor this share of the time.
const CROWDED: f64 = 0.1;

/// Sees what [`load`] does not: crowds on some of many processors, and the recent past.
pub(super) fn pressure(facts: &Facts) -> Option<Finding> {
    let waiting = facts.processor_pressure?;
    if load(facts).is_some_and(|load| load.severity > Severity::Fine) {
        return None;
    }
    let finding = Finding::fine(
        "pressure",
        format!("programs waited for a CPU {} of the last 10 s", percent(waiting)),
        "A program that waits for a CPU takes longer.",
    );
    Some(if waiting >= CROWDED {
        finding.advising(Severity::Notice, "Start fewer programs at once.")
    } else {
        finding
    })
}
