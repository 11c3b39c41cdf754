//! What is measured of a run? The wall time, and what the kernel accounts for exactly the processes of the run.
//!
//! | metric | unit | from |
//! |---|---|---|
//! | `time` | ns | `wall` less `waited` |
//! | `wall` | ns | the clock |
//! | `user`, `system`, `cpu` (both together) | us | `ru_utime`, `ru_stime` |
//! | `waited`: ready to run, but others had the processor | ns | the kernel's account of its only task ([`account`](crate::platform::account)) |
//! | `max_rss` | B | `ru_maxrss` |
//! | `minor_faults`, `major_faults` | count | `ru_minflt`, `ru_majflt` |
//! | `voluntary_switches`, `involuntary_switches` | count | `ru_nvcsw`, `ru_nivcsw` |
//! | `blocks_in`, `blocks_out` | count, of 512 bytes | `ru_inblock`, `ru_oublock` |
//! | `instructions`, `cycles`, `branches`, `branch_misses`, `cache_misses` | count | the processor, if it shows them |
//!
//! See `getrusage(2)`. Where the system says nothing of a process, `wall` is alone.
//!
//! *Why `time`.* On a machine with more programs than processors a run also takes as long as others have the processor. That
//! is noise, and it hides effects: 8 ms of work beside three busy programs took 16 ms by the clock, so that 1 % more work was
//! 0.6 % more time, with twice the scatter; less the waiting it was 0.95 % with the scatter of a quiet machine. On a quiet
//! machine the two hardly differ. The tasks of a command also wait for each other, which is its own doing, and nobody tells the
//! two apart. So `time` is known of runs that were a single task, until a command of the group is seen to be more; then it is
//! missing. Where it is missing in half of the rounds or more, `wall` is judged.
//!
//! Which of these a machine has is found out once, before anything is measured: the [`Layout`] names the metrics of the trial,
//! and makes the numbers of each run in the same order.
//!
//! Tests: `tests/command.rs`, `tests/counters.rs`.

use crate::platform::counters::Event;
use crate::platform::process::{ProcessRun, Usage};
use evenhand_trial::{Metric, Unit};

const KIB: f64 = 1024.0;
/// The kernel's counts of pages are exact to a few dozen on each processor: what we pass on to a process was 130 to 184
/// KiB away from our own peak in 1500 runs on Linux 6.18. The starter's peak is below this, too.
const DOUBT_KIB: i64 = 256;

/// What is measured of every run of a trial.
#[derive(Debug, Clone)]
pub struct Layout(Vec<Column>);

/// One number of a run.
#[derive(Debug, Clone, Copy)]
enum Column {
    Time,
    Wall,
    Waited,
    User,
    System,
    Cpu,
    MaxRss,
    /// A count that the kernel keeps.
    Kept(&'static str, fn(&Usage) -> i64),
    /// An event, by its place among those that are opened.
    Counted(&'static str, usize),
}

const OF_LINUX: [Column; 13] = [
    Column::Time,
    Column::Wall,
    Column::User,
    Column::System,
    Column::Cpu,
    Column::Waited,
    Column::MaxRss,
    Column::Kept("minor_faults", |used| used.minor_faults),
    Column::Kept("major_faults", |used| used.major_faults),
    Column::Kept("voluntary_switches", |used| used.voluntary_switches),
    Column::Kept("involuntary_switches", |used| used.involuntary_switches),
    Column::Kept("blocks_in", |used| used.blocks_in),
    Column::Kept("blocks_out", |used| used.blocks_out),
];

impl Layout {
    /// For a machine that counts these events.
    pub fn new(events: &[Event]) -> Self {
        let of_system = if cfg!(target_os = "linux") { &OF_LINUX[..] } else { &[Column::Wall] };
        let counted = events.iter().enumerate().map(|(place, event)| Column::Counted(event.name, place));
        Self(of_system.iter().copied().chain(counted).collect())
    }

    /// The metrics, those of the clock first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.0.iter().map(Column::metric).collect()
    }

    /// The numbers of a run, one for each metric, NaN where missing. `others`: nanoseconds that it waited while others had the
    /// processor, if the commands of the group are single tasks as far as is known.
    pub fn values(&self, run: &ProcessRun, others: Option<u64>) -> impl Iterator<Item = f64> {
        self.0.iter().map(move |column| column.value(run, others))
    }
}

impl Column {
    fn metric(&self) -> Metric {
        let (name, unit) = match *self {
            Self::Time => ("time", Unit::nanoseconds()),
            Self::Wall => ("wall", Unit::nanoseconds()),
            Self::Waited => ("waited", Unit::nanoseconds()),
            Self::User => ("user", Unit::new("us")),
            Self::System => ("system", Unit::new("us")),
            Self::Cpu => ("cpu", Unit::new("us")),
            Self::MaxRss => ("max_rss", Unit::bytes()),
            Self::Kept(name, _) | Self::Counted(name, _) => (name, Unit::count()),
        };
        Metric::time(name, unit)
    }

    fn value(&self, run: &ProcessRun, others: Option<u64>) -> f64 {
        let used =
            |number: fn(&Usage) -> i64| run.usage.as_ref().map_or(f64::NAN, |used| number(used) as f64);
        match *self {
            Self::Time => {
                let others = others.filter(|waited| *waited < run.wall);
                others.map_or(f64::NAN, |waited| (run.wall - waited) as f64)
            }
            Self::Wall => run.wall as f64,
            Self::Waited => run.waited.map_or(f64::NAN, |waited| waited as f64),
            Self::User => used(|used| used.user),
            Self::System => used(|used| used.system),
            Self::Cpu => used(cpu),
            Self::MaxRss => {
                let own = run.usage.filter(|used| has_own_peak(used, run.floor));
                own.map_or(f64::NAN, |used| used.max_rss as f64 * KIB)
            }
            Self::Kept(_, count) => used(count),
            Self::Counted(_, place) => run.counts.get(place).copied().unwrap_or(f64::NAN),
        }
    }
}

/// Whether the peak of memory of a process is its own, given that of the one that it was made from (`floor`, in KiB): the
/// kernel begins to count from there.
pub fn has_own_peak(used: &Usage, floor: i64) -> bool {
    used.max_rss > least_own_peak(floor)
}

/// The peak, in KiB, above which it is surely that of the process itself.
pub fn least_own_peak(floor: i64) -> i64 {
    floor + DOUBT_KIB
}

/// Microseconds on any processor.
pub fn cpu(used: &Usage) -> i64 {
    used.user + used.system
}
