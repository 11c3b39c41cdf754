//! What is measured of a run? The wall time, and what the kernel accounts for exactly the processes of the run.
//!
//! | metric | unit | from |
//! |---|---|---|
//! | `time` | ns | `wall` less `waited`, where the command is surely a single task; else `wall` |
//! | `wall` | ns | the clock |
//! | `user`, `system`, `cpu` (both together) | us | `ru_utime`, `ru_stime` |
//! | `waited`: ready to run, but others had the processor | ns | the kernel's `run_delay` of the first process |
//! | `max_rss` | B | `ru_maxrss` |
//! | `minor_faults`, `major_faults` | count | `ru_minflt`, `ru_majflt` |
//! | `voluntary_switches`, `involuntary_switches` | count | `ru_nvcsw`, `ru_nivcsw` |
//! | `blocks_in`, `blocks_out` | count, of 512 bytes | `ru_inblock`, `ru_oublock` |
//! | `instructions`, `cycles`, `branches`, `branch_misses`, `cache_misses` | count | the processor, if it shows them |
//!
//! See `getrusage(2)`. Where the system says nothing of a process, `time` and `wall` are alone, and the same.
//!
//! *Why `time`.* On a machine with more programs than processors a run also takes as long as others have the processor. That
//! is noise, and it hides effects: 8 ms of work beside three busy programs took 16 ms by the clock, so that 1 % more work was
//! 0.6 % more time, with twice the scatter; less the waiting it was 0.95 % with the scatter of a quiet machine. On a quiet
//! machine the two hardly differ. Of a command with several tasks the first may wait for the others, which is its own doing,
//! so there nothing is taken off.
//!
//! Tests: `tests/command.rs`.

use crate::platform::process::{Run, Usage};
use evenhand_trial::{Better, Metric, Per, Unit};

const KIB: f64 = 1024.0;
/// The kernel's counts of pages are exact to a few dozen on each processor: what we pass on to a process was 130 to 184
/// KiB away from our own peak in 1500 runs on Linux 6.18.
const DOUBT_KIB: i64 = 256;

/// What a run's [`values`] are, in this order.
pub fn metrics() -> Vec<Metric> {
    let clock = |name| Metric::time(name, Unit::nanoseconds());
    if !cfg!(target_os = "linux") {
        return vec![clock("time"), clock("wall")];
    }
    let time = |name| Metric::time(name, Unit::new("us"));
    let count = |name| Metric { unit: Unit::count(), ..time(name) };
    let max_rss = Metric {
        name: "max_rss".to_owned(),
        unit: Unit::bytes(),
        per: Per::Iteration,
        better: Better::Lower,
    };
    let counts = [
        "minor_faults",
        "major_faults",
        "voluntary_switches",
        "involuntary_switches",
        "blocks_in",
        "blocks_out",
    ];
    let clocks = [clock("time"), clock("wall")];
    let times = [time("user"), time("system"), time("cpu"), clock("waited"), max_rss];
    clocks.into_iter().chain(times).chain(counts.map(count)).collect()
}

/// Whether the peak of memory of a process is its own, given ours (`floor`, in KiB): the kernel counts that of a new
/// process from ours.
pub fn has_own_peak(used: &Usage, floor: i64) -> bool {
    used.max_rss > floor + DOUBT_KIB
}

/// The numbers of a run, NaN where missing. `is_single`: it is surely a single task.
pub fn values(run: &Run, floor: i64, is_single: bool) -> Vec<f64> {
    let not_its_own = run.waited.filter(|waited| is_single && *waited < run.wall).unwrap_or(0);
    let mut values = vec![(run.wall - not_its_own) as f64, run.wall as f64];
    if let Some(used) = &run.usage {
        let max_rss = if has_own_peak(used, floor) { used.max_rss as f64 * KIB } else { f64::NAN };
        let waited = run.waited.map_or(f64::NAN, |waited| waited as f64);
        values.extend([used.user as f64, used.system as f64, cpu(used) as f64, waited, max_rss]);
        let counts = [
            used.minor_faults,
            used.major_faults,
            used.voluntary_switches,
            used.involuntary_switches,
            used.blocks_in,
            used.blocks_out,
        ];
        values.extend(counts.map(|count| count as f64));
    }
    values
}

/// Microseconds on any processor.
pub fn cpu(used: &Usage) -> i64 {
    used.user + used.system
}
