//! Are the pictures of `docs/gallery.md` what the program draws of the recorded traces? `EVENHAND_EXPECTED=write` draws them anew.
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
    let schedule = Schedule::new(Seed(7));
    let origin = Origin::Imported { format: "trace".to_owned(), tool: None, file: format!("{trace}.txt.gz") };
    let mut trial = Trial::new(TrialId::from_number(7), origin);
    trial.schedule = Some(schedule);
    trial.metrics = vec![Metric::time("time", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    let mut series = ARMS.map(|arm| Series::new(arm, LaunchId(0), 1));
    for (number, times) in (0..).zip(recorded(trace)) {
        let round = RoundId(number);
        for (position, arm) in schedule.round(0, &ARMS, LaunchId(0), round).into_iter().enumerate() {
            let value = times[position] * if arm == ARMS[1] { factor } else { 1.0 };
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
        let mut written = Vec::new();
        json::write(&trial(trace, factor), &mut written).unwrap();
        desk.write("trial.json", written);
        let drawn = desk.run(&["plot", "trial.json", "--kind", kind, "--size", "640x380"]);
        assert_eq!(drawn.code, 0, "{picture}: {}", drawn.err);
        let kept = project("docs/gallery").join(format!("{picture}.svg"));
        if std::env::var_os("EVENHAND_EXPECTED").is_some() {
            fs::create_dir_all(kept.parent().unwrap()).unwrap();
            fs::write(&kept, &drawn.out).unwrap();
        }
        assert_eq!(fs::read_to_string(&kept).unwrap(), drawn.out, "{picture}.svg");
        assert!(page.contains(&format!("(gallery/{picture}.svg)")), "{picture}.svg is not in the gallery");
    }
}
