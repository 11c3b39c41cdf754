//! Are the pictures of `docs/gallery.md` and the trials in `docs/examples` made of the recorded traces? `EVENHAND_EXPECTED=write`
//! makes them anew.
//!
//! A trace has two times of the same work for each round; a coin hands them to the arms, as if it had decided who runs first.

use crate::desk::Desk;
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, RoundId, Sample, Schedule, Seed, Series, Trial, TrialId, Unit, json,
};
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

const ARMS: [ArmId; 2] = [ArmId(0), ArmId(1)];
/// Enough to see, and not so many that a picture takes more room than the page.
const ROUNDS: usize = 400;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn recorded(trace: &str) -> Vec<[f64; 2]> {
    let mut text = String::new();
    let file = File::open(project(&format!("calibration/traces/{trace}.txt.gz"))).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let pair = |line: &str| {
        let mut times = line.split_whitespace().map(|time| time.parse().unwrap());
        [times.next().unwrap(), times.next().unwrap()]
    };
    text.lines().take(ROUNDS).map(pair).collect()
}

/// The same work in both arms, the candidate's with this factor.
fn trial(trace: &str, factor: f64) -> Trial {
    planted(trace, ROUNDS, |_| factor)
}

/// The same, with a factor for each round.
fn planted(trace: &str, rounds: usize, factor: impl Fn(u64) -> f64) -> Trial {
    let schedule = Schedule::new(Seed(7));
    let origin = Origin::Imported { format: "trace".to_owned(), tool: None, file: format!("{trace}.txt.gz") };
    let mut trial = Trial::new(TrialId::from_number(7), origin);
    trial.schedule = Some(schedule);
    trial.metrics = vec![Metric::time("time", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    let mut series = ARMS.map(|arm| Series::new(arm, LaunchId(0), 1));
    for (number, times) in (0..).zip(recorded(trace).into_iter().take(rounds)) {
        let round = RoundId(number);
        for (position, arm) in schedule.round(0, &ARMS, LaunchId(0), round).into_iter().enumerate() {
            let value = times[position] * if arm == ARMS[1] { factor(number) } else { 1.0 };
            let position = Some(position as u32);
            series[arm.index()].push(Sample {
                round,
                position,
                started: None,
                iterations: 1,
                values: &[value],
            });
        }
    }
    trial.series = series.to_vec();
    trial
}

#[test]
fn the_pictures_of_the_gallery_are_drawn_from_the_traces() {
    let desk = Desk::new();
    let page = fs::read_to_string(project("docs/gallery.md")).unwrap();
    for (picture, trace, factor, kind) in [
        ("difference", "c100k", 1.01, "difference"),
        ("difference-loaded", "c100k_load", 1.01, "difference"),
        ("run-loaded", "p5ms_load", 1.01, "run"),
        ("scatter-loaded", "p5ms_load", 1.01, "scatter"),
        ("same", "c100k", 1.0, "difference"),
        ("shift", "m2k", 1.01, "shift"),
        ("distribution", "p50ms", 1.01, "distribution"),
        ("quantiles", "m2k_load", 1.0, "quantiles"),
        ("autocorrelation", "p50ms", 1.0, "autocorrelation"),
        ("running-mean", "p50ms", 1.0, "running-mean"),
    ] {
        desk.write("trial.json", written(&trial(trace, factor)));
        let drawn = desk.run(&["plot", "trial.json", "--kind", kind, "--size", "640x380"]);
        assert_eq!(drawn.code, 0, "{picture}: {}", drawn.err);
        is_kept(&format!("gallery/{picture}.svg"), drawn.out.as_bytes());
        assert!(page.contains(&format!("(gallery/{picture}.svg)")), "{picture}.svg is not in the gallery");
    }
}

/// The trials that the book looks at, as a reader finds them.
#[test]
fn the_trials_of_the_book_are_made_of_the_traces() {
    // Five in a hundred less, but in every eighth round four in ten more.
    let tail = |round: u64| if round % 8 == 7 { 1.4 } else { 0.95 };
    for (name, made) in [
        ("slower", trial("c100k", 1.03)),
        ("slightly", trial("c100k_load", 1.01)),
        ("same", trial("c100k_load", 1.0)),
        ("unclear", planted("m2k_load", 12, |_| 1.0)),
        ("tail", planted("m2k", ROUNDS, tail)),
    ] {
        is_kept(&format!("examples/{name}.json"), &written(&made));
    }
}

fn written(trial: &Trial) -> Vec<u8> {
    let mut written = Vec::new();
    json::write(trial, &mut written).unwrap();
    written
}

fn is_kept(name: &str, made: &[u8]) {
    let kept = project("docs").join(name);
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        fs::write(&kept, made).unwrap();
    }
    assert!(fs::read(&kept).is_ok_and(|kept| kept == made), "docs/{name}");
}
