//! What is to be said of the processor: frequency, threads, kinds of cores, isolation, clock.

use super::{Finding, Severity, listed, percent};
use crate::doctor::facts::Facts;
use crate::doctor::work::Work;

/// Governors under which the frequency stays where it is.
const STEADY: [&str; 2] = ["performance", "userspace"];

pub(super) fn governor(facts: &Facts) -> Option<Finding> {
    let governor = facts.machine.cpu.governor.as_deref()?;
    let driver = facts.frequency_driver.as_deref().map_or_else(String::new, |name| format!(" ({name})"));
    let finding = Finding::fine(
        "governor",
        format!("frequency governor: {governor}{driver}"),
        "A power-saving governor slows down idle CPUs, so a short run starts slowly and speeds up.",
    );
    if governor.split(", ").all(|word| STEADY.contains(&word)) {
        return Some(finding);
    }
    Some(
        finding
            .advising(Severity::Matters, "Keep the frequency high while measuring.")
            .by("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"),
    )
}

pub(super) fn turbo(facts: &Facts) -> Option<Finding> {
    let on = facts.machine.cpu.turbo?;
    let finding = Finding::fine(
        "turbo",
        format!("turbo: {}", if on { "on" } else { "off" }),
        "Turbo raises the frequency as far as heat and the other cores allow, so speed depends on what ran before.",
    );
    if !on {
        return Some(finding);
    }
    let finding = finding.advising(
        Severity::Notice,
        "Switch it off for absolute times that can be reproduced later. Verdicts depend on it less.",
    );
    Some(match &facts.turbo_switch {
        Some((path, off)) => finding.by(format!("echo {off} | sudo tee {path}")),
        None => finding,
    })
}

pub(super) fn threads(facts: &Facts) -> Option<Finding> {
    let shared = facts.machine.cpu.smt?;
    let finding = Finding::fine(
        "smt",
        if shared { "two threads share each core" } else { "no two threads share a core" },
        "A program on the other thread of a core slows down the measured one without interrupting it.",
    );
    if !shared {
        return Some(finding);
    }
    let finding =
        finding.advising(Severity::Notice, "Keep the other thread idle, or switch multithreading off.");
    Some(if facts.smt_switch {
        finding.by("echo off | sudo tee /sys/devices/system/cpu/smt/control")
    } else {
        finding
    })
}

/// One processor, or fewer than the machine has; otherwise there is nothing to say.
pub(super) fn number(facts: &Facts) -> Option<Finding> {
    let pinned = &facts.machine.pinned_to;
    let only = pinned.len() == 1 || (pinned.is_empty() && facts.processors()? == 1);
    let finding = Finding::fine(
        "processors",
        match pinned.as_slice() {
            [] => "only 1 CPU".to_owned(),
            allowed => format!("allowed CPUs: {}", listed(allowed)),
        },
        "With a spare CPU, the system's own work need not interrupt the measured program.",
    );
    if only {
        return Some(
            finding.advising(Severity::Notice, "Use a machine or container with at least two CPUs."),
        );
    }
    (!pinned.is_empty()).then_some(finding)
}

/// Times of the same work that differ by less are called alike.
const ALIKE: f64 = 0.05;

/// Others may have disturbed one of them, so that this is never more than a notice.
pub(super) fn alike(facts: &Facts) -> Option<Finding> {
    let by_time = |a: &&Work, b: &&Work| a.seconds.total_cmp(&b.seconds);
    let fastest = facts.now.work.iter().min_by(by_time)?;
    let slowest = facts.now.work.iter().max_by(by_time)?;
    if facts.now.work.len() < 2 {
        return None;
    }
    let slower = slowest.seconds / fastest.seconds - 1.0;
    let state = if slower < ALIKE {
        format!("{} CPUs tried, equally fast within {}", facts.now.work.len(), percent(slower))
    } else {
        format!("CPU {} is {} slower than CPU {}", slowest.processor, percent(slower), fastest.processor)
    };
    let finding = Finding::fine("cores", state, "A program that moves between unequal cores has two speeds.");
    Some(if slower < ALIKE {
        finding
    } else {
        finding.advising(
            Severity::Notice,
            "Pin both commands to one CPU (--pin N), and use the same one in later runs.",
        )
    })
}

pub(super) fn isolated(facts: &Facts) -> Option<Finding> {
    facts.processors()?;
    let isolated = &facts.machine.cpu.isolated;
    let why =
        "The scheduler puts nothing on an isolated CPU by itself, so a program pinned there runs alone.";
    if isolated.is_empty() {
        return Some(Finding::fine("isolated", "no isolated CPUs", why));
    }
    let finding = Finding::fine("isolated", format!("isolated CPUs: {}", listed(isolated)), why);
    if isolated.iter().all(|number| facts.without_tick.contains(number)) {
        return Some(finding);
    }
    Some(finding.advising(
        Severity::Notice,
        "The timer still interrupts them; to stop it, boot the kernel with nohz_full= and the same list.",
    ))
}

/// A reading this expensive is a percent of a run of 100 µs.
const EXPENSIVE_NS: f64 = 1_000.0;
/// A step this coarse is a percent of a run of 1 ms.
const COARSE_NS: f64 = 10_000.0;
/// The kernel only uses it where it trusts it.
const BEST_SOURCE: &str = "tsc";

pub(super) fn clock(facts: &Facts) -> Option<Finding> {
    let clock = facts.machine.clock.as_ref()?;
    let finding = Finding::fine(
        "clock",
        format!("clock: {}, {:.0} ns per reading", clock.source, clock.cost_ns),
        "A sample must take much longer than a reading of the clock.",
    );
    if clock.cost_ns < EXPENSIVE_NS && clock.resolution_ns < COARSE_NS {
        return Some(finding);
    }
    let mut finding = finding
        .advising(Severity::Notice, "Measure milliseconds, not microseconds, or choose a faster clock.");
    finding.state += &format!(", steps of {:.0} ns", clock.resolution_ns);
    let better =
        facts.clock_sources.iter().any(|source| source == BEST_SOURCE) && !clock.source.contains(BEST_SOURCE);
    Some(if better {
        finding.by("echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource")
    } else {
        finding
    })
}
