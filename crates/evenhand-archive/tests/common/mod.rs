//! What several tests need: a directory that goes away, a trial, a mount.

use evenhand_archive::{Archive, Journal};
use evenhand_trial::{
    Arm, ArmId, Failure, LaunchId, Metric, Origin, Reason, Round, RoundId, Schedule, Seed, Series, Trial,
    TrialId, Unit, Whole,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory under the system's temporary one, deleted at the end.
pub(crate) struct Scratch {
    pub(crate) path: PathBuf,
}

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Memory where there is some: every commit waits for the disk, and the tests make hundreds.
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = base.join(format!("evenhand-{name}-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self { path }
    }

    /// Where the archive goes.
    pub(crate) fn archive(&self) -> PathBuf {
        self.path.join(".evenhand")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A mounted file system, unmounted at the end. `None`, and loudly so, where mounting is not permitted.
pub(crate) struct Mount {
    pub(crate) path: PathBuf,
}

impl Mount {
    pub(crate) fn new(at: &Path, arguments: &[&str]) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let done =
            Command::new("mount").args(arguments).arg(at).status().is_ok_and(|status| status.success());
        if !done {
            eprintln!(
                "SKIPPED: `mount {}` is not permitted here, so this fault was NOT tested",
                arguments.join(" ")
            );
        }
        done.then(|| Self { path: at.to_owned() })
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

/// A trial of two arms and two metrics, without samples.
pub(crate) fn head(number: u64) -> Trial {
    let mut trial =
        Trial::new(TrialId::from_number(number), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(number)));
    trial.started = Some("2026-11-21T08:00:00Z".parse().unwrap());
    trial.metrics =
        vec![Metric::time("wall", Unit::nanoseconds()), Metric::time("user", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    trial
}

/// The values of an arm in a round; the second is missing now and then.
pub(crate) fn values(arm: u32, round: u64) -> [f64; 2] {
    let wall = 1_000_000.0 + f64::from(arm) * 1_000.0 + (round * 7919 % 1_009) as f64;
    [wall, if round % 5 == 4 { f64::NAN } else { wall / 2.0 }]
}

/// Appends a round of both arms; every tenth round fails for the second.
pub(crate) fn append(
    journal: &mut Journal,
    launch: u32,
    round: u64,
) -> Result<(), evenhand_archive::ArchiveError> {
    let mut made = Round::default();
    made.begin(LaunchId(launch), RoundId(round));
    let fails = round % 10 == 9;
    for arm in if fails { 0..1 } else { 0..2 } {
        let place = (round as u32 + arm) % 2;
        let started = round * 2_100_000 + u64::from(place) * 1_050_000;
        made.push(ArmId(arm), Some(place), Some(started), 1, values(arm, round));
    }
    if fails {
        made.failures.push(Failure {
            arm: ArmId(1),
            launch: LaunchId(launch),
            round: RoundId(round),
            reason: Reason::Exit { code: 3 },
            seconds: Some(0.5),
        });
    }
    journal.append(&made)
}

/// How many samples `append` makes of so many rounds.
pub(crate) fn samples_of(rounds: u64) -> u64 {
    2 * rounds - rounds / 10
}

/// Asserts that a trial of one launch holds exactly the samples of its first rounds.
pub(crate) fn assert_rounds(trial: &Trial, rounds: u64) {
    assert_eq!(trial.sample_count() as u64, samples_of(rounds));
    assert_eq!(trial.failures.len() as u64, rounds / 10);
    for series in &trial.series {
        for index in 0..series.len() {
            let expected = values(series.arm.0, series.rounds.get(index).unwrap());
            for (column, expected) in series.values.iter().zip(expected) {
                assert_eq!(column[index].to_bits(), expected.to_bits());
            }
        }
    }
}

/// A whole trial as another tool would give it.
pub(crate) fn imported(number: u64, samples: usize) -> Trial {
    let mut trial = Trial {
        origin: Origin::Imported {
            format: "hyperfine".to_owned(),
            tool: None,
            file: "results.json".to_owned(),
        },
        schedule: None,
        ..head(number)
    };
    trial.series = (0..2)
        .map(|arm| {
            let mut series = Series::new(ArmId(arm), LaunchId(0), 2);
            series.started = Some(Whole::Each((0..samples as u64).map(|i| i * i).collect()));
            series.values = vec![(0..samples as u64).map(|i| values(arm, i)[0]).collect(), Vec::new()];
            series
        })
        .collect();
    trial
}

/// An archive with some trials: two imported, one measured.
pub(crate) fn filled(dir: &Path) -> Archive {
    let mut archive = Archive::open(dir).unwrap();
    archive.add(&imported(0xaaaa_0001, 20)).unwrap();
    let mut journal = archive.begin(&head(0xbbbb_0002)).unwrap();
    (0..50).for_each(|round| append(&mut journal, 0, round).unwrap());
    journal.finish(evenhand_trial::State::Complete).unwrap();
    archive.add(&imported(0xaaaa_0003, 2_000)).unwrap();
    archive
}

/// A trial with NaN made comparable.
pub(crate) fn comparable(trial: &Trial) -> String {
    serde_json::to_string(trial).unwrap()
}
