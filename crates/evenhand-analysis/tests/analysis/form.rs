//! The JSON of an analysis: deterministic, whole, and the same as last time.

use super::planted::{Draws, add, by_default, imported, launches, margin, only, pair, trial};
use super::read::Analysis;
use evenhand_analysis::{Settings, analyse};
use evenhand_trial::{
    Arm, ArmId, Better, LaunchId, Metric, MetricId, Note, Origin, Per, Reported, Schedule, Seed, Series,
    Trial, TrialId, Unit, Whole,
};
use proptest::prelude::*;
use serde_json::Value;

fn bytes(trial: &Trial, settings: &Settings) -> String {
    serde_json::to_string_pretty(&analyse(trial, settings).unwrap()).unwrap()
}

/// `UPDATE_FIXTURES=1` writes the fixture again; look at the difference before you commit it.
fn assert_pinned(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/analysis").join(name);
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
}

fn small() -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.seconds = Some(5.13);
    let old: Vec<f64> = (0..24).map(|i| 8_000_000.0 + 1000.0 * f64::from(i * 7 % 11)).collect();
    let new: Vec<f64> = (0..24).map(|i| 8_400_000.0 + 1000.0 * f64::from(i * 5 % 13)).collect();
    add(&mut trial, 0, 0, &old);
    add(&mut trial, 1, 0, &new);
    trial.notes.push(Note::Said("a note".to_owned()));
    trial
}

#[test]
fn a_whole_analysis_is_as_it_was() {
    let text = bytes(&small(), &Settings::default());
    assert_pinned("small.json", &(text + "\n"));
}

#[test]
fn what_scripts_read_is_at_its_place() {
    let json: Value = serde_json::from_str(&bytes(&small(), &Settings::default())).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(
        ["schema_version", "trial", "settings", "comparisons", "levels", "warnings"]
            .iter()
            .all(|key| keys.contains(key))
    );
    let comparison = &json["comparisons"][0];
    assert_eq!((&comparison["baseline"], &comparison["candidate"]), (&"old".into(), &"new".into()));
    assert_eq!((&comparison["verdict"], &comparison["confidence"]), (&"slower".into(), &0.99.into()));
    assert_eq!((&comparison["rounds"], &comparison["launches"]), (&24.into(), &1.into()));
    assert_eq!(comparison["seconds"], 5.13);
    let effect = |end: &str| comparison["effect"][end].as_f64().unwrap();
    assert!(
        0.045 < effect("low") && effect("low") <= effect("estimate") && effect("estimate") <= effect("high")
    );
    assert!(effect("high") < 0.055);
    assert!(
        bytes(&small(), &Settings::default()).find("\"schema_version\"") < Some(10),
        "the version comes first"
    );
}

#[test]
fn what_is_not_known_is_null_and_at_its_place() {
    let json: Value = serde_json::from_str(&bytes(&imported(&[1.0], &[2.0]), &Settings::default())).unwrap();
    let comparison = json["comparisons"][0].as_object().unwrap();
    assert_eq!(
        (comparison.get("seconds"), comparison["effect"].get("low")),
        (Some(&Value::Null), Some(&Value::Null))
    );
    assert_eq!(comparison["kind"], "unpaired");
}

#[test]
fn the_same_trial_gives_the_same_bytes() {
    for trial in [small(), launches(12, 10, 0.05, 0.02, 70), pair(500, 0.01, 0.01, 71)] {
        let text = bytes(&trial, &Settings::default());
        assert_eq!(text, bytes(&trial.clone(), &Settings::default()));
    }
}

#[test]
fn the_sentences_are_as_they_were() {
    let mut sentences = Vec::new();
    let mut say = |what: &str, mut trial: Trial, percent: f64| {
        trial.seconds = trial.schedule.is_some().then_some(5.13);
        let found = only(&trial, &margin(percent));
        sentences.push(format!("{what} [{}]: {}", found.verdict, found.sentence));
    };
    for (effect, percent) in [(0.05, 1.0), (-0.05, 1.0), (0.0, 1.0), (0.01, 1.0), (-0.01, 1.0), (0.0, 0.01)] {
        say("coin", pair(400, effect, 0.01, 72), percent);
        say("launches", launches(60, 10, effect, 0.005, 73), percent);
        let mut draws = Draws::new(74);
        say(
            "no coin",
            imported(&draws.times(400, 1e6, 0.01), &draws.times(400, 1e6 * (1.0 + effect), 0.01)),
            percent,
        );
    }
    let text = sentences.join("\n") + "\n";
    assert_pinned("sentences.txt", &text);
    for kind in ["coin", "launches", "no coin"] {
        for word in ["slower", "faster", "same", "slightly slower", "slightly faster", "unclear"] {
            assert!(text.contains(&format!("{kind} [{word}]: ")), "{kind} {word}");
        }
    }
}

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => 1e5..2e6_f64,
        1 => Just(0.0), 1 => Just(-1.0), 1 => Just(f64::NAN), 1 => Just(5e-324), 1 => Just(f64::MAX),
        1 => Just(f64::MIN_POSITIVE), 1 => Just(-f64::MAX), 1 => Just(1e150), 1 => Just(1e-150), 1 => Just(1e6),
    ]
}

/// What a trial may hold beside its samples: finite numbers.
fn known() -> impl Strategy<Value = f64> {
    value().prop_filter("not finite", |value| value.is_finite())
}

fn whole(count: usize) -> impl Strategy<Value = Whole> {
    prop_oneof![
        Just(Whole::Counting { from: 0 }),
        (0..3_u64).prop_map(|from| Whole::Counting { from }),
        proptest::collection::vec(1..4_u64, count).prop_map(|steps| {
            let mut round = 0;
            Whole::Each(
                steps
                    .into_iter()
                    .map(|step| {
                        round += step;
                        round
                    })
                    .collect(),
            )
        }),
    ]
}

/// One metric's numbers for a series; `usual` makes trials of ordinary numbers as well.
fn series(arms: u32) -> impl Strategy<Value = Series> {
    (0..arms, 0..4_u32, 0..40_usize, any::<bool>()).prop_flat_map(|(arm, launch, count, usual)| {
        let one = if usual { (1e6..1.1e6_f64).boxed() } else { value().boxed() };
        let column = proptest::collection::vec(one, count);
        let second = prop_oneof![Just(Vec::new()), proptest::collection::vec(value(), count)];
        (column, second, whole(count), 1..4_u64).prop_map(move |(first, second, rounds, same)| {
            let mut series = Series::new(ArmId(arm), LaunchId(launch), 2);
            series.values = vec![first, second];
            series.rounds = rounds;
            series.iterations = Whole::Same { same };
            series
        })
    })
}

fn any_trial() -> impl Strategy<Value = Trial> {
    let figure = || proptest::option::of(known());
    let reported =
        (0..4_u32, 0..2_u32, figure(), figure(), proptest::collection::vec((known(), 0..u64::MAX), 0..4));
    let all = (1..5_u32).prop_flat_map(|arms| (Just(arms), proptest::collection::vec(series(arms), 0..9)));
    (all, any::<bool>(), any::<bool>(), proptest::collection::vec(reported, 0..3), figure()).prop_map(
        |((arms, series), coin, higher, reported, seconds)| {
            let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "0".to_owned() });
            trial.schedule = coin.then(|| Schedule::new(Seed(1)));
            trial.seconds = seconds;
            let better = if higher { Better::Higher } else { Better::Lower };
            let score = Metric { name: "score".to_owned(), unit: Unit::count(), per: Per::Sample, better };
            trial.metrics = vec![Metric { better, ..Metric::time("wall", Unit::nanoseconds()) }, score];
            trial.arms = (0..arms)
                .map(|n| Arm { name: format!("arm {n}"), group: format!("{}", n / 3), ..Arm::default() })
                .collect();
            trial.series = series;
            trial.reported = reported
                .into_iter()
                .filter(|(arm, ..)| *arm < arms)
                .map(|(arm, metric, mean, median, histogram)| Reported {
                    mean,
                    median,
                    histogram,
                    ..Reported::new(ArmId(arm), MetricId(metric))
                })
                .collect();
            trial
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// What must hold of every trial that may exist: an answer, and JSON that can be read. A number that is not finite would be
    /// `null` where a number is needed.
    #[test]
    fn any_trial_has_an_analysis(trial in any_trial(), alone in any::<bool>()) {
        prop_assert!(trial.check().is_ok(), "{:?}", trial.check());
        let settings = Settings {
            metrics: if alone { Vec::new() } else { vec!["score".to_owned(), "wall".to_owned()] },
            baseline: alone.then(|| "arm 0".to_owned()),
            // Few draws: this is about what can be written, not about what is true.
            confidence: 0.8,
            ..Settings::default()
        };
        let text = bytes(&trial, &settings);
        let read: Result<Analysis, _> = serde_json::from_str(&text);
        prop_assert!(read.is_ok(), "{:?}", read.err());
    }
}

#[test]
fn the_order_of_the_stored_series_does_not_matter() {
    let mut trial = launches(12, 10, 0.05, 0.02, 75);
    let text = bytes(&trial, &Settings::default());
    trial.series.reverse();
    assert_eq!(bytes(&trial, &Settings::default()), text);
    assert_eq!(by_default(&trial).comparisons.len(), 1);
}
