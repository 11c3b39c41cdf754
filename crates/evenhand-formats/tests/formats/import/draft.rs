//! The rules that all formats share: what the draft of a trial converts, renames and refuses.

use super::json;
use crate::foreign::notes;
use evenhand_formats::import::{Draft, ImportErrorKind, import};
use evenhand_trial::{
    ArmId, Better, Failure, LaunchId, Metric, Origin, Per, Reason, Reported, RoundId, Unit, Whole,
};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// One arm with one sample.
pub(super) fn filled(mut draft: Draft) -> Draft {
    let wall = draft.metric(Metric::time("wall", Unit::seconds()));
    let arm = draft.arm(crate::trials::arm("a", ""));
    draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(wall, vec![0.5])]).unwrap();
    draft
}

fn draft() -> Draft {
    Draft::new("some-tool", "some file")
}
#[test]
fn says_where_its_trial_is_from_and_that_no_coin_was_tossed() {
    let mut draft = filled(draft());
    draft.tool("some-tool 1.2");
    let trial = draft.finish().unwrap();
    assert_eq!(
        trial.origin,
        Origin::Imported {
            format: "some-tool".to_owned(),
            tool: Some("some-tool 1.2".to_owned()),
            file: "some file".to_owned(),
        }
    );
    assert_eq!(trial.schedule, None);
}

#[test]
fn gives_the_same_id_to_the_same_content_only() {
    let id = |change: fn(&mut Draft)| {
        let mut draft = filled(draft());
        change(&mut draft);
        draft.finish().unwrap().id
    };
    let plain = id(|_| {});
    assert_eq!(id(|_| {}), plain);
    assert_ne!(id(|draft| draft.note("unusual")), plain);
    assert_ne!(id(|draft| draft.environment().host = Some("h".to_owned())), plain);
}

#[test]
fn says_a_sentence_once() {
    let mut draft = filled(draft());
    draft.note("no times");
    draft.note("no names");
    draft.note("no times");
    assert_eq!(notes(&draft.finish().unwrap()), "no times\nno names");
}

/// Each new note is compared with all before it: a bound on their number is one on the work.
#[test]
fn keeps_as_many_notes_as_somebody_reads() {
    let mut draft = filled(draft());
    for number in 0..100_000 {
        draft.note(format!("warning {number}"));
        draft.note("the same");
    }
    let trial = draft.finish().unwrap();
    assert_eq!(trial.notes.len(), 101);
    assert_eq!(trial.notes[0].to_string(), "warning 0");
    assert_eq!(trial.notes[100].to_string(), "99901 more notes on this file are left out");
}

#[test]
fn refuses_a_file_without_results_but_takes_failures_and_figures_for_some() {
    let mut empty = draft();
    empty.metric(Metric::time("wall", Unit::seconds()));
    let arm = empty.arm(crate::trials::arm("a", ""));
    assert!(matches!(empty.finish(), Err(ImportErrorKind::Nothing)));

    let mut failed = draft();
    failed.metric(Metric::time("wall", Unit::seconds()));
    failed.arm(crate::trials::arm("a", ""));
    let reason = Reason::Exit { code: 1 };
    failed.failure(Failure { arm, launch: LaunchId(0), round: RoundId(0), reason, seconds: None });
    assert_eq!(failed.finish().unwrap().failures.len(), 1);
}

#[test]
fn makes_names_unique_and_groups_follow_their_names() {
    let mut draft = filled(draft());
    for (name, group) in [("a", "a"), ("a (2)", ""), ("a", "other"), ("b", "b"), ("", ""), ("", "")] {
        draft.arm(crate::trials::arm(name, group));
    }
    let trial = draft.finish().unwrap();
    let named: Vec<(&str, &str)> = trial.arms.iter().map(|arm| (&*arm.name, &*arm.group)).collect();
    assert_eq!(
        named,
        [
            ("a", ""),
            ("a (2)", "a (2)"),
            ("a (2) (2)", ""),
            ("a (3)", "other"),
            ("b", "b"),
            ("", ""),
            (" (2)", " (2)"),
        ]
    );
}

#[test]
fn stays_quick_with_very_many_arms_of_one_name() {
    let start = Instant::now();
    let mut draft = filled(draft());
    for number in 2..=50_001 {
        let arm = draft.arm(crate::trials::arm("a", ""));
        assert_eq!(arm, ArmId(number - 1));
        // Counting from 2 for every one of them takes minutes.
        assert!(start.elapsed() < Duration::from_secs(10), "{number} arms took {:?}", start.elapsed());
    }
    assert_eq!(draft.finish().unwrap().arms[50_000].name, "a (50001)");
}

#[test]
fn converts_to_the_unit_of_a_metric_seen_first() {
    let mut draft = draft();
    let arm = draft.arm(crate::trials::arm("a", ""));
    for (unit, launch) in [("ms", 0), ("s", 1), ("ms", 2)] {
        let wall = draft.metric(Metric::time("wall", Unit::new(unit)));
        let samples = vec![(wall, vec![0.5, f64::NAN, 2.0])];
        draft.samples(arm, LaunchId(launch), Whole::Same { same: 1 }, samples).unwrap();
    }
    let trial = draft.finish().unwrap();
    assert_eq!(trial.metrics, [Metric::time("wall", Unit::new("ms"))]);
    let columns: Vec<String> = trial.series.iter().map(|series| format!("{:?}", series.values)).collect();
    assert_eq!(columns, ["[[0.5, NaN, 2.0]]", "[[500.0, NaN, 2000.0]]", "[[0.5, NaN, 2.0]]"]);
}

#[test]
fn converts_reported_figures_too() {
    let mut draft = draft();
    let arm = draft.arm(crate::trials::arm("a", ""));
    let first = draft.metric(Metric::time("wall", Unit::new("ms")));
    let second = draft.metric(Metric::time("wall", Unit::seconds()));
    let mut reported = Reported::new(arm, first.metric);
    reported.mean = Some(0.5);
    reported.sd = Some(0.25);
    reported.samples = Some(7);
    reported.percentiles = vec![(99.0, 2.0)];
    reported.histogram = vec![(1.0, 3)];
    draft.reported(second, reported);
    let reported = draft.finish().unwrap().reported.remove(0);
    assert_eq!((reported.mean, reported.sd, reported.samples), (Some(500.0), Some(250.0), Some(7)));
    assert_eq!((reported.percentiles, reported.histogram), (vec![(99.0, 2000.0)], vec![(1000.0, 3)]));
}

#[test]
fn gives_another_name_to_what_measures_something_else_and_always_the_same() {
    let mut draft = filled(draft());
    let metric = |unit, per, better| crate::trials::metric("wall", unit, per, better);
    let different = [
        metric("B", Per::Sample, Better::Lower),
        metric("s", Per::Iteration, Better::Lower),
        metric("s", Per::Sample, Better::Higher),
        metric("s", Per::Iteration, Better::Higher),
        Metric::time("wall (B)", Unit::bytes()),
    ];
    let columns: Vec<_> = different.iter().map(|metric| draft.metric(metric.clone())).collect();
    for (metric, column) in different.into_iter().zip(columns) {
        assert_eq!(draft.metric(metric), column);
    }
    let trial = draft.finish().unwrap();
    let names: Vec<&str> = trial.metrics.iter().map(|metric| &*metric.name).collect();
    assert_eq!(names, ["wall", "wall (B)", "wall (s each)", "wall (s)", "wall (s each) (s each)"]);
}

#[test]
fn refuses_impossible_numbers_and_says_where() {
    for (number, words) in
        [(-1.5, "-1.5"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf"), (-5e-324, "-")]
    {
        let mut draft = draft();
        let wall = draft.metric(Metric::time("wall", Unit::seconds()));
        let arm = draft.arm(crate::trials::arm("so\nrt", ""));
        let samples = vec![(wall, vec![1.0, f64::NAN, number])];
        let problem = draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, samples).unwrap_err();
        let words = format!("\"so\\nrt\", wall, sample 3: {words}");
        assert!(problem.to_string().starts_with(&words), "{problem}");
        assert!(problem.to_string().ends_with(" is not a possible measurement"), "{problem}");
    }
}

#[test]
fn refuses_a_number_that_becomes_infinite_in_the_trials_unit() {
    let mut draft = draft();
    let arm = draft.arm(crate::trials::arm("a", ""));
    draft.metric(Metric::time("wall", Unit::nanoseconds()));
    let days = draft.metric(Metric::time("wall", Unit::new("d")));
    draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(days, vec![1e300])]).unwrap();
    assert_eq!(draft.finish().unwrap_err().to_string(), "series 0 holds an infinite number");
}

#[test]
fn refuses_impossible_reported_figures_and_leaves_out_those_that_are_no_number() {
    let with = |change: fn(&mut Reported)| {
        let mut draft = filled(draft());
        let wall = draft.metric(Metric::time("wall", Unit::seconds()));
        let mut reported = Reported::new(ArmId(0), wall.metric);
        change(&mut reported);
        draft.reported(wall, reported);
        draft.finish().map_err(|problem| problem.to_string())
    };
    let words = |change| with(change).unwrap_err();
    assert_eq!(
        words(|r| r.mean = Some(-1.0)),
        "\"a\", wall, reported mean: -1 is not a possible measurement"
    );
    assert_eq!(
        words(|r| r.sd = Some(f64::INFINITY)),
        "\"a\", wall, reported standard deviation: inf is not a possible measurement"
    );
    assert_eq!(
        words(|r| r.percentiles = vec![(50.0, 1.0), (99.0, f64::INFINITY)]),
        "\"a\", wall, reported percentile: inf is not a possible measurement"
    );
    assert_eq!(
        words(|r| r.histogram = vec![(f64::NAN, 3)]),
        "\"a\", wall, reported histogram: NaN is not a possible measurement"
    );
    let trial = with(|reported| {
        reported.mean = Some(1.0);
        reported.sd = Some(f64::NAN);
        reported.percentiles = vec![(50.0, 1.0), (99.0, f64::NAN)];
        reported.more = [("skewness".to_owned(), -1.0), ("kurtosis".to_owned(), f64::NAN)].into();
    });
    let trial = trial.unwrap();
    let reported = &trial.reported[0];
    assert_eq!((reported.mean, reported.sd, reported.percentiles.len()), (Some(1.0), None, 1));
    assert_eq!(reported.more.keys().collect::<Vec<_>>(), ["skewness"]);
    // What is left can be written and read again.
    assert_eq!(import(json(&trial).as_slice(), "own.json", None).unwrap(), trial);
}

#[test]
fn leaves_a_column_empty_where_a_metric_was_not_measured() {
    let mut draft = filled(draft());
    let memory = draft.metric(crate::trials::metric("max_rss", "B", Per::Iteration, Better::Lower));
    let arm = draft.arm(crate::trials::arm("b", ""));
    draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(memory, vec![1.0, 2.0])]).unwrap();
    let trial = draft.finish().unwrap();
    assert_eq!(trial.series[0].values, [vec![0.5], vec![]]);
    assert_eq!(trial.series[1].values, [vec![], vec![1.0, 2.0]]);
}

#[test]
fn refuses_columns_that_do_not_fit_together() {
    let mut draft = draft();
    let arm = draft.arm(crate::trials::arm("a", ""));
    let (wall, user) = (
        draft.metric(Metric::time("wall", Unit::seconds())),
        draft.metric(Metric::time("user", Unit::seconds())),
    );
    let samples = vec![(wall, vec![1.0, 2.0]), (user, vec![1.0])];
    draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, samples).unwrap();
    assert_eq!(draft.finish().unwrap_err().to_string(), "series 0 has columns of 1 and of 2 samples");
}

proptest! {
    #[test]
    fn names_are_unique_whatever_the_file_says(names in proptest::collection::vec("(a|b| |\\(2\\)|\\(3\\)){0,4}", 1..30)) {
        let mut draft = filled(draft());
        for name in &names {
            draft.arm(crate::trials::arm(name, ""));
            draft.metric(crate::trials::metric(name, &name[..name.len().min(1)], Per::Sample, Better::Lower));
        }
        prop_assert_eq!(draft.finish().map(|trial| trial.arms.len()).map_err(|p| p.to_string()), Ok(names.len() + 1));
    }
}
