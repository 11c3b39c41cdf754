//! The findings of machines whose files are known.

use evenhand_measure::doctor::facts::{Facts, Now};
use evenhand_measure::doctor::work::Work;
use evenhand_measure::doctor::{Finding, Severity, findings, work};
use evenhand_measure::platform::machine::Files;
use evenhand_trial::environment::Clock;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("doctor-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The facts of a recorded machine.
fn facts(name: &str) -> Facts {
    let recorded = format!("{}/tests/fixtures/doctor/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let root = folder(name);
    for file in fs::read_to_string(recorded).unwrap().split("== ").filter(|part| part.contains(" ==\n")) {
        let (path, text) = file.split_once(" ==\n").unwrap();
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace("\\0", "\0")).unwrap();
    }
    let facts = Facts::of(&Files::below(&root));
    fs::remove_dir_all(&root).unwrap();
    facts
}

/// The codes of a severity, in the order in which they are told.
fn codes(findings: &[Finding], severity: Severity) -> Vec<&str> {
    findings.iter().filter(|finding| finding.severity == severity).map(|finding| finding.code).collect()
}

fn of<'a>(findings: &'a [Finding], code: &str) -> &'a Finding {
    findings.iter().find(|finding| finding.code == code).unwrap()
}

fn command<'a>(findings: &'a [Finding], code: &str) -> &'a str {
    of(findings, code).command.as_deref().unwrap_or("none")
}

#[test]
fn a_laptop_on_its_battery() {
    let said = findings(&facts("laptop-on-battery"));
    assert_eq!(codes(&said, Severity::Matters), ["power", "governor"]);
    assert_eq!(codes(&said, Severity::Notice), ["memory", "turbo", "smt", "huge_pages", "counters"]);
    assert_eq!(codes(&said, Severity::Fine), ["load", "heat", "isolated", "virtualisation", "aslr"]);
    assert_eq!(of(&said, "governor").state, "frequency governor: powersave (intel_pstate)");
    assert!(command(&said, "governor").starts_with("echo performance | sudo tee /sys/"));
    assert_eq!(command(&said, "turbo"), "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    assert_eq!(command(&said, "smt"), "echo off | sudo tee /sys/devices/system/cpu/smt/control");
    assert_eq!(command(&said, "counters"), "sudo sysctl kernel.perf_event_paranoid=2");
    assert_eq!(of(&said, "memory").state, "1024 MiB swapped out");
    assert_eq!(command(&said, "memory"), "sudo swapoff -a && sudo swapon -a");
    assert_eq!(command(&said, "power"), "none");
    assert_eq!(of(&said, "heat").state, "x86_pkg_temp: 51 of 100 degrees Celsius, never throttled by heat");
}

#[test]
fn a_server_made_for_measuring() {
    let said = findings(&facts("tuned-server"));
    assert!(said.iter().all(|finding| finding.severity == Severity::Fine), "{said:?}");
    assert!(said.iter().all(|finding| finding.advice.is_none() && finding.command.is_none()));
    let codes = codes(&said, Severity::Fine);
    for code in ["load", "limit", "memory", "governor", "turbo", "smt", "isolated", "virtualisation", "aslr"]
    {
        assert!(codes.contains(&code), "{code} of {codes:?}");
    }
    assert_eq!(of(&said, "isolated").state, "isolated CPUs: 6, 7");
}

#[test]
fn a_small_busy_virtual_machine() {
    let mut facts = facts("small-vm");
    let clock = |cost_ns| Clock { source: "CLOCK_MONOTONIC (acpi_pm)".into(), cost_ns, resolution_ns: 280.0 };
    facts.machine.clock = Some(clock(4_100.0));
    let said = findings(&facts);
    assert_eq!(codes(&said, Severity::Matters), ["load", "steal"]);
    assert_eq!(codes(&said, Severity::Notice), ["clock", "virtualisation", "aslr"]);
    assert_eq!(of(&said, "load").state, "load 3.5 on 2 CPUs over one minute");
    assert_eq!(of(&said, "steal").state, "time stolen by the hypervisor: 2 % since boot");
    assert!(command(&said, "clock").ends_with("/clocksource0/current_clocksource"));
    assert_eq!(command(&said, "aslr"), "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space");
    assert_eq!(of(&said, "counters").state, "no hardware counters here");
    facts.machine.clock = Some(clock(25.0));
    assert_eq!(of(&findings(&facts), "clock").severity, Severity::Fine);
}

#[test]
fn a_container_with_a_limit() {
    let said = findings(&facts("limited-container"));
    assert_eq!(codes(&said, Severity::Matters), ["limit", "memory"]);
    assert_eq!(codes(&said, Severity::Notice), ["processors", "virtualisation", "pressure"]);
    assert_eq!(of(&said, "limit").state, "CPU time limited to 0.50 CPUs, stopped 17 times");
    assert_eq!(of(&said, "container").state, "in a container: podman");
    assert_eq!(of(&said, "processors").state, "allowed CPUs: 3");
    assert!(of(&said, "memory").state.ends_with("waiting for memory 12 % of the time"), "{said:?}");
}

#[test]
fn a_hot_machine() {
    let said = findings(&facts("hot-workstation"));
    assert_eq!(codes(&said, Severity::Matters), ["heat"]);
    assert_eq!(codes(&said, Severity::Notice), ["load", "isolated", "aslr"]);
    assert_eq!(
        of(&said, "heat").state,
        "x86_pkg_temp: 97 of 100 degrees Celsius, throttled by heat 340 times since boot"
    );
    assert_eq!(command(&said, "aslr"), "none", "the kernel is not to blame, the way of starting is");
    assert_eq!(of(&said, "power").severity, Severity::Fine);
}

#[test]
fn without_files_nothing_is_said() {
    assert_eq!(Facts::of(&Files::below("/nowhere/at/all")), Facts::default());
    assert_eq!(findings(&Facts::default()), []);
}

#[test]
fn what_others_do_now_counts_more_than_the_average() {
    let mut facts = facts("small-vm");
    let before = "cpu  100 0 0 100 0 0 0 0\ncpu0 50 0 0 50 0 0 0 0\ncpu1 50 0 0 50 0 0 0 0\n";
    let after = "cpu  104 0 0 136 0 0 0 0\ncpu0 52 0 0 68 0 0 0 0\ncpu1 52 0 0 68 0 0 0 0\n";
    facts.now = Now::between(before, after);
    assert_eq!((facts.now.busy, facts.now.stolen), (Some(0.2), Some(0.0)));
    let said = findings(&facts);
    assert_eq!(of(&said, "load").severity, Severity::Fine);
    assert_eq!(of(&said, "load").state, "other programs use 0.2 of 2 CPUs now, load 3.5 over one minute");
    assert_eq!(Now::between(before, before), Now::default());
    assert_eq!(Now::between("", "cpu x"), Now::default());
}

#[test]
fn processors_of_two_kinds() {
    let mut facts = facts("tuned-server");
    let work = |processor, seconds| Work { processor, seconds };
    facts.now.work = vec![work(0, 0.0030), work(5, 0.0020)];
    let said = findings(&facts);
    assert_eq!(of(&said, "cores").state, "CPU 0 is 50 % slower than CPU 5");
    assert_eq!(of(&said, "cores").severity, Severity::Notice);
    facts.now.work = vec![work(0, 0.00202), work(5, 0.0020)];
    assert_eq!(of(&findings(&facts), "cores").severity, Severity::Fine);
    facts.now.work.truncate(1);
    assert!(findings(&facts).iter().all(|finding| finding.code != "cores"));
}

#[test]
fn every_finding_that_is_not_fine_says_what_to_do() {
    for name in ["laptop-on-battery", "small-vm", "limited-container", "hot-workstation"] {
        for finding in findings(&facts(name)) {
            assert_eq!(finding.advice.is_some(), finding.severity != Severity::Fine, "{finding:?}");
            assert!(finding.command.is_none() || finding.advice.is_some(), "{finding:?}");
            assert!(finding.why.ends_with('.') && !finding.state.ends_with('.'), "{finding:?}");
        }
    }
}

#[test]
fn this_machine_can_be_looked_at() {
    let facts = Facts::of_this_machine();
    let said = findings(&facts);
    assert!(facts.machine.clock.is_some());
    assert!(said.iter().any(|finding| finding.code == "clock"));
    let mut codes: Vec<&str> = said.iter().map(|finding| finding.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), said.len(), "each question is answered once");
}

#[test]
fn busy_work_is_as_much_as_was_asked_for() {
    assert_eq!(
        (work::busy(0), work::busy(1), work::busy(2)),
        (1, 6_364_136_223_846_793_005, {
            6_364_136_223_846_793_005_u64.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)
        })
    );
    assert!(work::steps_for(Duration::from_millis(8)) > work::steps_for(Duration::from_micros(80)));
    assert_eq!(work::steps_for(Duration::ZERO), 1);
}
