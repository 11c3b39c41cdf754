//! What has a process used so far, with everything that it started? A process belongs to the family if it, or one above it, is the
//! founder or of the founder's process group.
//!
//! Processor time is that of the processes' own clocks, in nanoseconds (`clock_getcpuclockid(3)`), and of children that have ended,
//! which `proc_pid_stat(5)` gives in hundredths of a second. Memory that several share is counted once (`Pss` in
//! `/proc/PID/smaps_rollup`).
//!
//! Tests: below, and `tests/starting.rs`.

use std::collections::{BTreeMap, BTreeSet};

/// A process, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Member {
    parent: i32,
    group: i32,
    /// Processor time of its children that have ended, in hundredths of a second.
    children: u64,
}

/// The processor time of a founder's family since it began, in nanoseconds. `None` if nothing is left of it, or the system does not
/// say.
#[cfg(target_os = "linux")]
pub fn processor(founder: i32) -> Option<u64> {
    let all = processes();
    let family = family_of(founder, &all);
    let times = family.iter().filter_map(|process| {
        let ended = all.get(process)?.children * 10_000_000;
        Some(super::calls::processor_time(*process)? + ended)
    });
    times.reduce(|one, other| one + other)
}

/// The memory of a founder's family now, in bytes. `None` if nothing is left of it, or the system does not say.
#[cfg(target_os = "linux")]
pub fn memory(founder: i32) -> Option<u64> {
    let family = family_of(founder, &processes());
    family.iter().filter_map(|process| proportional_share(*process)).reduce(|one, other| one + other)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn processor(_: i32) -> Option<u64> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn memory(_: i32) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn processes() -> BTreeMap<i32, Member> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let number = |folder: &std::fs::DirEntry| folder.file_name().to_str()?.parse::<i32>().ok();
    let member =
        |folder: &std::fs::DirEntry| member(&std::fs::read_to_string(folder.path().join("stat")).ok()?);
    folders.filter_map(|folder| Some((number(&folder)?, member(&folder)?))).collect()
}

/// A line of `proc_pid_stat(5)`. The name of the program stands in brackets, and may have brackets and blanks in it.
fn member(stat: &str) -> Option<Member> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<i64>().ok();
    let (user, system) = (number(13)?, number(14)?);
    Some(Member {
        parent: i32::try_from(number(1)?).ok()?,
        group: i32::try_from(number(2)?).ok()?,
        children: u64::try_from(user + system).ok()?,
    })
}

fn family_of(founder: i32, all: &BTreeMap<i32, Member>) -> BTreeSet<i32> {
    let belongs = |process: &i32| {
        let mut above = *process;
        // No line of ancestors is longer than there are processes.
        for _ in 0..=all.len() {
            match all.get(&above) {
                _ if above == founder => return true,
                Some(member) if member.group == founder => return true,
                Some(member) => above = member.parent,
                None => return false,
            }
        }
        false
    };
    all.keys().copied().filter(belongs).collect()
}

#[cfg(target_os = "linux")]
fn proportional_share(process: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let share = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    Some(share.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whatever_the_program_is_called() {
        let line = "12 (a) b (c) S 7 9 9 0 -1 4194560 100 200 0 0 5 6 30 4 20 0 1 0 100 0 0";
        assert_eq!(member(line), Some(Member { parent: 7, group: 9, children: 34 }));
        assert_eq!((member("12 (a S 7"), member("12 (a) S 7 9")), (None, None));
    }

    #[test]
    fn a_family_has_descendants_and_its_group() {
        let one = |parent, group| Member { parent, group, children: 0 };
        let all = BTreeMap::from([
            (1, one(0, 1)),
            (10, one(1, 10)),
            (11, one(10, 10)),
            (12, one(11, 12)),
            // Its parent has ended, and it stayed in the group.
            (13, one(1, 10)),
            (20, one(1, 20)),
            // Two that call each other parents, as a race may show it.
            (30, one(31, 30)),
            (31, one(30, 31)),
        ]);
        assert_eq!(family_of(10, &all), BTreeSet::from([10, 11, 12, 13]));
        assert_eq!(family_of(99, &all), BTreeSet::new());
    }
}
