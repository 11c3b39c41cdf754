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
    let seen = match (facts.now.busy, load) {
        (Some(busy), Some(load)) => {
            format!("others use {busy:.1} of {processors} processors now, load {load:.1} over a minute")
        }
        (Some(busy), None) => format!("others use {busy:.1} of {processors} processors now"),
        (None, _) => format!("load {busy:.1} on {processors} processors over a minute"),
    };
    let finding = Finding::fine(
        "load",
        seen,
        "What else runs takes time and cache from the measured program, now from one arm and then from the other.",
    );
    let look = "top -b -n 1 | head -n 15";
    Some(if busy >= (processors - 1.0).max(0.5) {
        finding.told(Severity::Matters, "Stop it or wait for its end. This shows what runs:").by(look)
    } else if busy >= QUIET.max(QUIET_SHARE * processors) {
        finding.told(Severity::Notice, "Stop it if you can. This shows what runs:").by(look)
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
    let when = if facts.now.stolen == Some(stolen) { "now" } else { "since the start" };
    let finding = Finding::fine(
        "steal",
        match stolen {
            none if none <= 0.0 => "no time stolen by a hypervisor".to_owned(),
            some => format!("time stolen by the hypervisor: {} {when}", percent(some)),
        },
        "While the hypervisor runs others, the clock goes on and the measured program stands still.",
    );
    let advice = "Rent a machine, or a kind of machine, that does not share its processors.";
    Some(match stolen {
        much if much >= MUCH_STOLEN => finding.told(Severity::Matters, advice),
        some if some >= SOME_STOLEN => finding.told(Severity::Notice, advice),
        _ => finding,
    })
}

pub(super) fn limit(facts: &Facts) -> Option<Finding> {
    let why = "Who has used up the time allowed to the control group stands still until the next period, mostly 0.1 s.";
    let Some(limit) = facts.limit else {
        // Only a machine that has control groups is said to have no limit.
        return facts.has_groups.then(|| Finding::fine("limit", "no limit of processor time", why));
    };
    let stopped = facts.limited.unwrap_or(0);
    let seen = match stopped {
        0 => format!("processor time limited to {limit:.2} processors"),
        _ => format!("processor time limited to {limit:.2} processors, stopped {stopped} times"),
    };
    let severity = if stopped > 0 || limit < 1.0 { Severity::Matters } else { Severity::Notice };
    let advice = "Start the container without --cpus, or whatever sets cpu.max; --cpuset-cpus limits without stopping.";
    Some(Finding::fine("limit", seen, why).told(severity, advice))
}

/// Degrees below the limit.
const NEAR: f64 = 15.0;
const VERY_NEAR: f64 = 5.0;

pub(super) fn heat(facts: &Facts) -> Option<Finding> {
    let why = "A hot processor slows down, so that what runs later looks slower.";
    let advice =
        "Let it cool, give it air, and run long measurements in turns rather than one after the other.";
    let slowed = facts.throttled.unwrap_or(0);
    let mut said = Vec::new();
    let mut severity = if slowed > 0 { Severity::Notice } else { Severity::Fine };
    if let Some(heat) = &facts.hottest {
        let limit = heat.limit_celsius.map_or_else(String::new, |limit| format!(" of {limit:.0}"));
        said.push(format!("{}: {:.0}{limit} degrees Celsius", heat.place, heat.celsius));
        severity = severity.max(match heat.limit_celsius.map(|limit| limit - heat.celsius) {
            Some(room) if room < VERY_NEAR => Severity::Matters,
            Some(room) if room < NEAR => Severity::Notice,
            _ => Severity::Fine,
        });
    }
    said.extend(facts.throttled.map(|times| match times {
        0 => "never slowed for heat".to_owned(),
        1 => "slowed for heat once since the start".to_owned(),
        times => format!("slowed for heat {times} times since the start"),
    }));
    if said.is_empty() {
        return None;
    }
    let finding = Finding::fine("heat", said.join(", "), why);
    Some(if severity == Severity::Fine { finding } else { finding.told(severity, advice) })
}

pub(super) fn power(facts: &Facts) -> Option<Finding> {
    let battery = facts.on_battery?;
    let finding = Finding::fine(
        "power",
        if battery { "running on battery" } else { "running on mains" },
        "On battery the firmware holds the processor back, the more the emptier it is.",
    );
    Some(if battery { finding.told(Severity::Matters, "Plug it in.") } else { finding })
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
    let seen = match (swapped, waiting >= WAITING) {
        (0, false) => format!("nothing swapped out{limit}"),
        (_, false) => format!("{mebibytes} MiB swapped out{limit}"),
        (_, true) => {
            let waiting = percent(waiting);
            format!("{mebibytes} MiB swapped out{limit}, waiting for memory {waiting} of the time")
        }
    };
    let finding =
        Finding::fine("memory", seen, "A page that must come back from the disk costs milliseconds.");
    if waiting >= WAITING {
        return Some(
            finding
                .told(Severity::Matters, "End what takes the memory. This shows it:")
                .by("ps -eo rss,pid,comm --sort=-rss | head"),
        );
    }
    if swapped < SWAPPED {
        return Some(finding);
    }
    let finding = finding.told(Severity::Notice, "If the measured program may be among it, bring it back.");
    let fits = facts.available_bytes.is_some_and(|available| available > 2 * swapped);
    Some(if fits { finding.by("sudo swapoff -a && sudo swapon -a") } else { finding })
}

pub(super) fn virtualisation(facts: &Facts) -> Option<Finding> {
    let kind = facts.machine.virtualisation.as_deref()?;
    let why = "Other guests share processor, cache and memory, and show only partly as stolen time.";
    let host = kind.rsplit(" on ").next().unwrap_or(kind);
    Some(match host {
        "none" => Finding::fine("virtualisation", "no hypervisor", why),
        _ if is_container(host) => return None,
        host => Finding::fine("virtualisation", format!("a guest of a hypervisor: {host}"), why).told(
            Severity::Notice,
            "Believe comparisons made in one trial, not figures of different days or machines.",
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
        "A container costs nothing by itself; what else runs on its host is not seen from inside.",
    );
    Some(match name {
        "gvisor" | "wsl" => finding.told(
            Severity::Notice,
            "System calls and files are slower here than on the system itself; compare where it will run.",
        ),
        _ => finding,
    })
}

pub(super) fn layout(facts: &Facts) -> Option<Finding> {
    let random = facts.machine.aslr?;
    let finding = Finding::fine(
        "aslr",
        format!("address layout: {}", if random { "random in each run" } else { "the same in each run" }),
        "Where code and data lie changes the speed by luck; many layouts average it out, a single one is taken for the program.",
    );
    if random {
        return Some(finding);
    }
    let finding = finding.told(Severity::Notice, "Leave it random, which also means: no `setarch -R`.");
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
        "With `always` a run gets huge pages or not by the luck of free memory, which moves programs with large heaps.",
    );
    Some(if chosen == "always" {
        finding
            .told(Severity::Notice, "If arms with large heaps have two speeds, leave it to the programs.")
            .by("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
    } else {
        finding
    })
}

/// Up to this level everybody may count what his own programs do.
const OWN_PROGRAMS: i64 = 2;

pub(super) fn counters(facts: &Facts) -> Option<Finding> {
    let level = facts.perf_event_paranoid?;
    let why = "Counted instructions differ far less from run to run than times do.";
    if !facts.counters {
        return Some(Finding::fine("counters", "no hardware counters here", why));
    }
    let finding =
        Finding::fine("counters", format!("hardware counters: perf_event_paranoid is {level}"), why);
    Some(if level > OWN_PROGRAMS {
        finding
            .told(Severity::Notice, "Let programs be counted by those who start them.")
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
        format!("programs waited for a processor {} of the last 10 s", percent(waiting)),
        "Whoever waits is not measured, his waiting is.",
    );
    Some(if waiting >= CROWDED {
        finding.told(Severity::Notice, "Start fewer programs at once.")
    } else {
        finding
    })
}
