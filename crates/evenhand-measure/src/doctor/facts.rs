//! What do the machine's files say that a measurement should know? Beyond what every trial records of its machine
//! ([`describe`]): heat, power, limits, pressure, and what others do just now.
//!
//! The kernel describes its files at <https://docs.kernel.org/admin-guide/> (`pm/cpufreq`, `mm/transhuge`, `cgroup-v2`,
//! `sysctl/kernel`), <https://docs.kernel.org/accounting/psi.html>, <https://docs.kernel.org/driver-api/thermal/> and
//! <https://docs.kernel.org/power/power_supply_class.html>. A file that is missing or strange leaves its field empty.
//!
//! Tests: `tests/doctor.rs`, with files of six machines.

use super::work::{self, Work};
use crate::clock;
use crate::files::{cpu, ticks};
use crate::platform::linux::describe;
use crate::platform::machine::Files;
use crate::platform::{self, affinity, groups};
use evenhand_trial::Environment;
use serde::Serialize;
use std::thread;
use std::time::Duration;

const CPUS: &str = "sys/devices/system/cpu";
const CLOCK_SOURCES: &str = "sys/devices/system/clocksource/clocksource0";
/// Twenty ticks of /proc/stat.
const WATCHED: Duration = Duration::from_millis(200);
/// More zones, batteries or processors than this are not looked at.
const MOST: usize = 1024;
/// Trip points of a zone that are looked at.
const TRIPS: usize = 16;

/// What is known of the machine. Every field may be missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Facts {
    /// What a trial records of it.
    pub machine: Environment,
    /// Words for the frequency's driver, such as `intel_pstate`.
    pub frequency_driver: Option<String>,
    /// The switch that turns frequencies above the nominal one off, and what to write into it.
    pub turbo_switch: Option<(String, u32)>,
    /// Whether simultaneous threads can be switched off while the machine runs.
    pub smt_switch: bool,
    /// Processors without the timer's tick while one program runs.
    pub without_tick: Vec<u32>,
    /// What the kernel's `randomize_va_space` says: 0 off, 2 full.
    pub random_layout: Option<u64>,
    /// Clocks that the kernel could use.
    pub clock_sources: Vec<String>,
    /// Whether control groups can be seen.
    pub has_groups: bool,
    /// Processor time that this control group may use, in processors.
    pub limit: Option<f64>,
    /// Memory that this control group may use, in bytes.
    pub memory_limit: Option<u64>,
    /// How often the control group was stopped for having used it up.
    pub limited: Option<u64>,
    /// The place nearest to its limit.
    pub hottest: Option<Heat>,
    /// How often a processor slowed down for heat since the start of the machine.
    pub throttled: Option<u64>,
    /// Whether the machine runs on its battery.
    pub on_battery: Option<bool>,
    /// Swap in use, in bytes.
    pub swapped_bytes: Option<u64>,
    /// Memory that programs could still get, in bytes.
    pub available_bytes: Option<u64>,
    /// Share of the last ten seconds in which somebody waited for memory.
    pub memory_pressure: Option<f64>,
    /// Share of the last ten seconds in which somebody waited for a processor.
    pub processor_pressure: Option<f64>,
    /// What the kernel's `perf_event_paranoid` says.
    pub perf_event_paranoid: Option<i64>,
    /// Whether the processor's own counters are offered.
    pub counters: bool,
    /// `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
    /// Seen while the doctor looked; files alone do not say it.
    pub now: Now,
}

/// How hot a place is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heat {
    /// What the place is called, such as `x86_pkg_temp`.
    pub place: String,
    /// Degrees Celsius.
    pub celsius: f64,
    /// Where the machine slows down or switches off.
    pub limit_celsius: Option<f64>,
}

/// What was seen while the doctor looked.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Now {
    /// How many processors others kept busy.
    pub busy: Option<f64>,
    /// The share of the time that the hypervisor gave to others.
    pub stolen: Option<f64>,
    /// Seconds that the same work took on some of the processors.
    pub work: Vec<Work>,
}

impl Facts {
    /// What the files of a machine say.
    pub fn of(files: &Files) -> Self {
        let memory = files.text("proc/meminfo").unwrap_or_default();
        let group = groups::limits(files);
        Self {
            machine: describe(files),
            frequency_driver: files.text(&format!("{CPUS}/cpu0/cpufreq/scaling_driver")),
            turbo_switch: turbo_switch(files),
            smt_switch: files.exists(&format!("{CPUS}/smt/control")),
            without_tick: files
                .text(&format!("{CPUS}/nohz_full"))
                .and_then(|text| cpu::list(&text))
                .unwrap_or_default(),
            random_layout: files.number("proc/sys/kernel/randomize_va_space"),
            clock_sources: clock_sources(files),
            has_groups: group.has_groups,
            limit: group.processors,
            memory_limit: group.memory_bytes,
            limited: group.stopped,
            hottest: hottest(files),
            throttled: throttled(files),
            on_battery: on_battery(files),
            swapped_bytes: swapped(&memory),
            available_bytes: kibibytes(&memory, "MemAvailable:"),
            memory_pressure: pressure(files, "memory"),
            processor_pressure: pressure(files, "cpu"),
            perf_event_paranoid: files
                .text("proc/sys/kernel/perf_event_paranoid")
                .and_then(|text| text.parse().ok()),
            counters: counters(files),
            huge_pages: files
                .text("sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|text| chosen(&text)),
            now: Now::default(),
        }
    }

    /// What is known of the machine that this program runs on: its files, its clock, and what others do in a fifth of
    /// a second while this thread waits.
    pub fn of_this_machine() -> Self {
        let files = Files::of_this_machine();
        let stat = || files.text("proc/stat").unwrap_or_default();
        let before = stat();
        thread::sleep(WATCHED);
        let now = Now::between(&before, &stat());
        let mut facts = Self { now, ..Self::of(&files) };
        facts.now.work = work::on_each(&affinity::allowed().unwrap_or_default());
        facts.machine = platform::describe();
        facts.machine.clock = clock::of_this_machine();
        facts
    }

    /// How many processors there are.
    pub fn processors(&self) -> Option<u32> {
        self.machine.cpu.logical
    }
}

impl Now {
    /// What happened between two readings of /proc/stat.
    pub fn between(before: &str, after: &str) -> Self {
        let spent =
            ticks::of_all(before).zip(ticks::of_all(after)).map(|(before, after)| after.since(before));
        let share = |part: u64| spent.and_then(|spent| spent.share(part));
        let processors = ticks::of_each(after).len() as f64;
        Self {
            busy: spent.and_then(|spent| share(spent.busy)).map(|share| share * processors),
            stolen: spent.and_then(|spent| share(spent.stolen)),
            work: Vec::new(),
        }
    }
}

/// Intel's driver counts the other way round.
fn turbo_switch(files: &Files) -> Option<(String, u32)> {
    let switches = [(format!("{CPUS}/intel_pstate/no_turbo"), 1), (format!("{CPUS}/cpufreq/boost"), 0)];
    let (path, off) = switches.into_iter().find(|(path, _)| files.exists(path))?;
    Some((format!("/{path}"), off))
}

fn clock_sources(files: &Files) -> Vec<String> {
    let offered = files.text(&format!("{CLOCK_SOURCES}/available_clocksource")).unwrap_or_default();
    offered.split_whitespace().map(str::to_owned).collect()
}

/// The zone nearest to the lowest temperature at which something is done about it.
fn hottest(files: &Files) -> Option<Heat> {
    const ZONES: &str = "sys/class/thermal";
    let zones = files.names(ZONES).into_iter().filter(|name| name.starts_with("thermal_zone")).take(MOST);
    let heats = zones.filter_map(|zone| heat(files, &format!("{ZONES}/{zone}")));
    let room = |heat: &Heat| heat.limit_celsius.unwrap_or(USUAL_LIMIT) - heat.celsius;
    heats.min_by(|a, b| room(a).total_cmp(&room(b)))
}

/// Processors are made for about this much; only for telling which of several places is hottest.
const USUAL_LIMIT: f64 = 100.0;

fn heat(files: &Files, zone: &str) -> Option<Heat> {
    let celsius = |name: &str| {
        let thousandths: f64 = files.text(&format!("{zone}/{name}"))?.parse().ok()?;
        // Sensors that are switched off say 0 or absurd figures.
        Some(thousandths / 1000.0).filter(|celsius| (1.0..200.0).contains(celsius))
    };
    let acts = |number: &usize| {
        let kind = files.text(&format!("{zone}/trip_point_{number}_type"));
        kind.is_some_and(|kind| matches!(kind.as_str(), "passive" | "hot" | "critical"))
    };
    let limits = (0..TRIPS).filter(acts).filter_map(|number| celsius(&format!("trip_point_{number}_temp")));
    Some(Heat {
        place: files.text(&format!("{zone}/type")).unwrap_or_else(|| "unnamed".to_owned()),
        celsius: celsius("temp")?,
        limit_celsius: limits.min_by(f64::total_cmp),
    })
}

/// Cores of one package count the same event, so the largest count is told.
fn throttled(files: &Files) -> Option<u64> {
    let processors = files.names(CPUS).into_iter().filter(|name| name.starts_with("cpu")).take(MOST);
    let count = |processor: String| {
        let of = |name: &str| files.number(&format!("{CPUS}/{processor}/thermal_throttle/{name}"));
        of("core_throttle_count").max(of("package_throttle_count"))
    };
    processors.filter_map(count).max()
}

/// Whether a battery empties, or no mains is there.
fn on_battery(files: &Files) -> Option<bool> {
    const SUPPLIES: &str = "sys/class/power_supply";
    let (mut mains, mut batteries) = (Vec::new(), Vec::new());
    for name in files.names(SUPPLIES).into_iter().take(MOST) {
        let of = |file: &str| files.text(&format!("{SUPPLIES}/{name}/{file}"));
        match of("type").as_deref() {
            Some("Mains") => mains.extend(of("online")),
            // Batteries of mice say `Device`.
            Some("Battery") if of("scope").as_deref() != Some("Device") => batteries.extend(of("status")),
            _ => {}
        }
    }
    if mains.is_empty() && batteries.is_empty() {
        return None;
    }
    let discharging = batteries.iter().any(|status| status == "Discharging");
    Some(discharging || (!mains.is_empty() && mains.iter().all(|online| online == "0")))
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn swapped(memory: &str) -> Option<u64> {
    Some(kibibytes(memory, "SwapTotal:")?.saturating_sub(kibibytes(memory, "SwapFree:")?))
}

/// `some avg10=5.97 avg60=…`: percent of the time in which at least one waited.
fn pressure(files: &Files, of: &str) -> Option<f64> {
    let text = files.text(&format!("proc/pressure/{of}"))?;
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let percent: f64 = some.split(' ').find_map(|word| word.strip_prefix("avg10="))?.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

/// Arm's and hybrid processors name their counters after the core.
fn counters(files: &Files) -> bool {
    let is_counter = |name: &String| name.starts_with("cpu") || name.starts_with("armv");
    files.names("sys/bus/event_source/devices").iter().any(is_counter)
}

/// The word in brackets.
fn chosen(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}
