//! What the tests of several foreign formats share: reading fixtures, and what every parser must survive.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use evenhand_formats::import::{Format, HEAD_BYTES, import, recognise};
use evenhand_trial::{ArmId, Reported, Series, Trial};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap()
}

/// The trial of a fixture whose format is recognised.
pub(crate) fn trial(name: &str) -> Trial {
    import(fixture(name).as_slice(), name, None).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn trial_of(text: &str, format: Format) -> Trial {
    import(text.as_bytes(), "text", Some(format)).unwrap_or_else(|error| panic!("{error}"))
}

/// What is said about a file that must be refused.
pub(crate) fn refused(bytes: impl AsRef<[u8]>, format: Format) -> String {
    match import(bytes.as_ref(), "text", Some(format)) {
        Err(error) => error.to_string(),
        Ok(trial) => panic!("read as {} samples", trial.sample_count()),
    }
}

pub(crate) fn arm(trial: &Trial, name: &str) -> ArmId {
    let place = trial.arms.iter().position(|arm| arm.name == name);
    ArmId(place.unwrap_or_else(|| panic!("no arm {name} in {:?}", trial.arms)) as u32)
}

/// All series of an arm, in the order of their launches.
pub(crate) fn series<'a>(trial: &'a Trial, name: &str) -> Vec<&'a Series> {
    let arm = arm(trial, name);
    trial.series.iter().filter(|series| series.arm == arm).collect()
}

/// The numbers of a metric, one list for each launch of an arm.
pub(crate) fn numbers(trial: &Trial, name: &str, metric: &str) -> Vec<Vec<f64>> {
    let (metric, _) = trial.metric(metric).unwrap();
    series(trial, name).iter().map(|series| series.column(metric).to_vec()).collect()
}

/// The launches and the iterations of each sample of an arm.
pub(crate) fn iterations(trial: &Trial, name: &str) -> Vec<(u32, Vec<u64>)> {
    let lists = series(trial, name).into_iter();
    lists.map(|series| (series.launch.0, series.iterations.iter(series.len()).collect())).collect()
}

pub(crate) fn reported<'a>(trial: &'a Trial, name: &str, metric: &str) -> Vec<&'a Reported> {
    let arm = arm(trial, name);
    let (metric, _) = trial.metric(metric).unwrap();
    trial.reported.iter().filter(|figures| figures.arm == arm && figures.metric == metric).collect()
}

pub(crate) fn notes(trial: &Trial) -> String {
    trial.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A file that is cut anywhere is refused, and nothing panics.
pub(crate) fn every_cut_is_refused(name: &str, format: Format) {
    let whole = fixture(name);
    let end = whole.trim_ascii_end().len();
    for cut in (0..end).step_by(end / 150 + 1).chain([end - 1]) {
        assert!(import(&whole[..cut], name, Some(format)).is_err(), "{name} cut at {cut}");
    }
}

/// Bytes changed, left out or doubled at random: refused or read as a trial that keeps the rules, and never a panic.
pub(crate) fn no_damage_panics(name: &str, format: Format) {
    let whole = fixture(name);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut read = 0;
    for _ in 0..400 {
        let mut damaged = whole.clone();
        for _ in 0..=draw(3) {
            let (at, length) = (draw(damaged.len()), 1 + draw(12));
            let span = at..(at + length).min(damaged.len());
            match draw(4) {
                0 => drop(damaged.drain(span)),
                1 => damaged[at] = b"0123456789-.eE\"[]{},: \xff\n"[draw(24)],
                2 => damaged.extend_from_within(span),
                _ => {
                    let copy = damaged[span].to_vec();
                    drop(damaged.splice(at..at, copy));
                }
            }
        }
        if let Ok(trial) = import(damaged.as_slice(), name, Some(format)) {
            trial.check().unwrap();
            read += 1;
        }
    }
    assert!(read > 0, "every damage was refused: the test damages too much to mean anything");
}

/// Fixtures of the format's folder are recognised, also by a short head, and nothing in other folders is.
pub(crate) fn only_its_own_folder_is_recognised(own: &str, format: Format) {
    let mut seen = 0;
    for folder in fs::read_dir(folder()).unwrap() {
        let folder = folder.unwrap().path();
        let is_own = folder.file_name().unwrap() == own;
        for path in files(&folder) {
            let bytes = fs::read(&path).unwrap();
            let expected = is_own && is_result(&path);
            for head in [&bytes[..bytes.len().min(HEAD_BYTES)], &bytes[..bytes.len().min(3000)]] {
                assert_eq!(recognise(head) == Some(format), expected, "{}", path.display());
            }
            seen += usize::from(expected);
        }
    }
    assert!(seen > 0);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_owned()];
    }
    fs::read_dir(folder).unwrap().flat_map(|entry| files(&entry.unwrap().path())).collect()
}

fn is_result(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    name.ends_with(".json")
        || name.ends_with(".csv")
        || name.ends_with(".js")
        || (name.ends_with(".txt") && !name.ends_with(".go.txt"))
}
