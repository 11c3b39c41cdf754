//! The baseline, measured once more: it is shown, counts nowhere, and warns where it differs from itself.

use super::planted::{Draws, add, by_default, trial};
use super::read::{Analysis, Comparison, analyse};
use evenhand_analysis::Settings;
use evenhand_stats::randomised::Word;
use evenhand_trial::Trial;

/// Groups of a baseline, a candidate that takes so much longer, and a control that does.
fn groups(effects: &[[f64; 2]]) -> Trial {
    let name = |place: usize| ["old", "new", "old (control)"].map(|arm| format!("{arm} {place}"));
    let names: Vec<String> = (0..effects.len()).flat_map(name).collect();
    let mut trial = trial(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut draws = Draws::new(31);
    for (place, [of_candidate, of_control]) in (0..).zip(effects) {
        for (arm, effect) in (3 * place..).zip([0.0, *of_candidate, *of_control]) {
            trial.arms[arm as usize].group = format!("group {place}");
            add(&mut trial, arm, 0, &draws.times(300, 1e6 * (1.0 + effect), 0.01));
        }
        trial.arms[3 * place as usize + 2].control = true;
    }
    trial
}

fn controls(analysis: &Analysis) -> Vec<&Comparison> {
    analysis.comparisons.iter().filter(|comparison| comparison.control).collect()
}

#[test]
fn a_suite_and_its_error_control_leave_controls_out() {
    let with = groups(&[[0.10, 0.05], [0.0, 0.05], [-0.05, 0.05]]);
    let mut without = with.clone();
    without.series.retain(|series| series.arm.0 % 3 < 2);
    let (with, without) = (by_default(&with), by_default(&without));
    let suite = with.suite.clone().unwrap();
    assert!(suite.sentence.starts_with("geometric mean of 3 comparisons: "), "{}", suite.sentence);
    assert_eq!(suite.effect, without.suite.unwrap().effect);
    assert_eq!(controls(&with).len(), 3);
    for control in controls(&with) {
        assert_eq!((control.verdict, control.change_in_suite), (Word::Slower, None), "{control:?}");
    }
    let called: Vec<_> = with.comparisons.iter().filter_map(|one| one.change_in_suite).collect();
    assert_eq!(called, [true, false, true]);
}

#[test]
fn a_control_that_differs_is_named_with_the_size() {
    let analysis = by_default(&groups(&[[0.10, 0.05]]));
    let [warning] = analysis.warnings.as_slice() else { panic!("{:?}", analysis.warnings) };
    assert_eq!((warning.code.as_str(), warning.arm.as_deref()), ("control-differs", Some("old (control) 0")));
    let size = format!("{:.2} %", 100.0 * controls(&analysis)[0].effect.estimate.unwrap());
    assert_eq!(
        warning.message,
        format!(
            "old 0, measured twice, differs from itself by {size}: do not trust differences up to this size in this group"
        )
    );
    assert!(warning.advice.as_deref().unwrap().starts_with("measure again"));
}

#[test]
fn a_slight_difference_warns_too_and_none_does_not() {
    let slight = by_default(&groups(&[[0.10, 0.01]]));
    assert_eq!(controls(&slight)[0].verdict, Word::SlightlySlower);
    assert_eq!(slight.warnings[0].code, "control-differs");
    let equal = by_default(&groups(&[[0.10, 0.0]]));
    assert_eq!(controls(&equal)[0].verdict, Word::Same);
    assert_eq!(equal.warnings, []);
    let mut candidate = groups(&[[0.10, 0.05]]);
    candidate.arms[2].control = false;
    assert_eq!(by_default(&candidate).warnings, [], "what is no control may differ");
}

#[test]
fn a_control_with_another_mean_warns_where_the_typical_round_is_the_same() {
    let mut trial = groups(&[[0.10, 0.0]]);
    trial.series[2].values[0].iter_mut().step_by(5).for_each(|time| *time *= 2.0);
    let analysis = by_default(&trial);
    assert_eq!(controls(&analysis)[0].verdict, Word::Same, "{:?}", controls(&analysis));
    let warned = analysis.warnings.iter().find(|one| one.code == "control-differs").unwrap();
    assert_eq!(
        warned.message,
        "old 0, measured twice, differs from itself in its mean or a tail: do not trust such differences in this group"
    );
}

#[test]
fn beside_another_baseline_it_is_an_arm_like_any() {
    let settings = |baseline: &str| Settings { baseline: Some(baseline.to_owned()), ..Settings::default() };
    let trial = groups(&[[0.10, 0.05]]);
    let by_new = analyse(&trial, &settings("new 0")).unwrap();
    assert_eq!((controls(&by_new).len(), by_new.comparisons.len()), (0, 2));
    assert_eq!(by_new.warnings, []);
    let turned = analyse(&trial, &settings("old (control) 0")).unwrap();
    assert_eq!(controls(&turned)[0].candidate, "old 0", "the same pair, the other way round");
}

#[test]
fn nobody_waits_for_a_control() {
    let analysis = by_default(&groups(&[[0.0101, 0.0101]]));
    let [candidate, control] = analysis.comparisons.as_slice() else { panic!("{:?}", analysis.comparisons) };
    assert!(candidate.needed.is_some() && control.needed.is_some(), "both are open");
    assert!(candidate.sentence.contains("would show"), "{}", candidate.sentence);
    assert!(!control.sentence.contains("would"), "{}", control.sentence);
}
