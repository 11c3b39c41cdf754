//! What do the processors do with their time? The lines `cpu` and `cpuN` of /proc/stat (`proc(5)`): user, nice, system,
//! idle, iowait, irq, softirq and steal, in ticks of usually 10 ms since the start of the machine.
//!
//! Tests: `tests/noise.rs`.

/// Ticks of one processor, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticks {
    /// Somebody's program, the kernel, or a device.
    pub busy: u64,
    /// Nothing to do, waiting for disks included.
    pub idle: u64,
    /// A guest wanted to run and the hypervisor did not let it.
    pub stolen: u64,
}

impl Ticks {
    /// All of them.
    pub fn total(self) -> u64 {
        self.busy.saturating_add(self.idle).saturating_add(self.stolen)
    }

    /// What was added since.
    pub fn since(self, before: Self) -> Self {
        Self {
            busy: self.busy.saturating_sub(before.busy),
            idle: self.idle.saturating_sub(before.idle),
            stolen: self.stolen.saturating_sub(before.stolen),
        }
    }

    /// The share of the time that was spent like this; `None` without any time.
    pub fn share(self, part: u64) -> Option<f64> {
        (self.total() > 0).then(|| part as f64 / self.total() as f64)
    }
}

/// All processors together.
pub fn of_all(stat: &str) -> Option<Ticks> {
    stat.lines().find_map(|line| ticks(line.strip_prefix("cpu ")?))
}

/// Each processor, by its number.
pub fn of_each(stat: &str) -> Vec<(u32, Ticks)> {
    let one = |line: &str| {
        let (number, rest) = line.strip_prefix("cpu")?.split_once(' ')?;
        Some((number.parse().ok()?, ticks(rest)?))
    };
    stat.lines().filter_map(one).collect()
}

fn ticks(columns: &str) -> Option<Ticks> {
    let mut numbers = columns.split_whitespace().map(|word| word.parse::<u64>().ok());
    let mut next = || numbers.next().flatten();
    let (user, nice, system, idle, iowait) = (next()?, next()?, next()?, next()?, next()?);
    let (irq, softirq, stolen) = (next()?, next()?, next()?);
    let busy = [nice, system, irq, softirq].into_iter().fold(user, u64::saturating_add);
    Some(Ticks { busy, idle: idle.saturating_add(iowait), stolen })
}
