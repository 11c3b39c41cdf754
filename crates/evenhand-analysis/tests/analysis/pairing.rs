//! Two inputs are no rivals, unless a tool or a user says so.

use super::planted::{Draws, add, by_default, trial};
use super::read::{Analysis, analyse};
use evenhand_analysis::Settings;
use evenhand_trial::{Origin, Trial};

/// An imported trial with arms of one group, each with its parameters.
fn group(name: &str, arms: &[(&str, &[(&str, &str)])]) -> Trial {
    let names: Vec<&str> = arms.iter().map(|(name, _)| *name).collect();
    let mut trial = trial(&names);
    trial.schedule = None;
    trial.origin = Origin::Imported { format: "x".to_owned(), tool: None, file: "x".to_owned() };
    let mut draws = Draws::new(80);
    for (place, (_, parameters)) in arms.iter().enumerate() {
        trial.arms[place].group = name.to_owned();
        let owned = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        trial.arms[place].parameters = owned.collect();
        add(&mut trial, place as u32, 0, &draws.times(60, 1e6, 0.01));
    }
    trial
}

fn pairs(analysis: &Analysis) -> Vec<(&str, &str)> {
    analysis.comparisons.iter().map(|one| (one.baseline.as_str(), one.candidate.as_str())).collect()
}

fn told(analysis: &Analysis) -> Option<(&str, &str)> {
    let warning = analysis.warnings.iter().find(|one| one.code == "other-input")?;
    Some((&warning.message, warning.advice.as_deref().unwrap()))
}

#[test]
fn arms_of_a_group_that_differ_in_a_parameter_get_no_verdict() {
    let two = group("sorting", &[("sort[20]", &[("length", "20")]), ("sort[200]", &[("length", "200")])]);
    let found = by_default(&two);
    assert!(pairs(&found).is_empty());
    assert_eq!(found.levels.len(), 2);
    assert_eq!(
        told(&found).unwrap(),
        (
            "sort[20] and sort[200] are not compared: they differ in length, so they may be different inputs",
            "--baseline 'sort[20]' compares all of them with it"
        )
    );
    let quoted = by_default(&group("", &[("it's 1", &[("n", "1")]), ("b 1", &[("n", "1")]), ("c", &[])]));
    assert_eq!(told(&quoted).unwrap().1, "--baseline \"it's 1\" compares all of them with it");
    let asked = Settings { baseline: Some("sort[200]".to_owned()), ..Settings::default() };
    let found = analyse(&two, &asked).unwrap();
    assert_eq!(pairs(&found), [("sort[200]", "sort[20]")]);
    assert_eq!(told(&found), None);
}

#[test]
fn the_same_input_is_compared() {
    let found = by_default(&group(
        "sorting",
        &[
            ("sort[20]", &[("length", "20"), ("title", "a")]),
            ("sort[200]", &[("length", "200")]),
            ("quick[20]", &[("length", "20"), ("function", "quick")]),
            ("quick[200]", &[("length", "200")]),
            ("quick[2000]", &[("length", "2000")]),
        ],
    ));
    assert_eq!(pairs(&found), [("sort[20]", "quick[20]"), ("sort[200]", "quick[200]")]);
    let (message, _) = told(&found).unwrap();
    assert_eq!(
        message,
        "sort[20] and others are compared only where they have the same length: different inputs do not compete"
    );
}

#[test]
fn what_a_tool_or_a_coin_calls_alternatives_is_compared() {
    let arms: &[(&str, &[(&str, &str)])] = &[("make -j1", &[("n", "1")]), ("make -j8", &[("n", "8")])];
    let one_call = by_default(&group("", arms));
    assert_eq!((pairs(&one_call).len(), told(&one_call)), (1, None));
    let functions: &[(&str, &[(&str, &str)])] =
        &[("sort/std", &[("function", "std")]), ("sort/own", &[("function", "own"), ("throughput", "8 B")])];
    assert_eq!(pairs(&by_default(&group("sort", functions))).len(), 1);
    let mut marked = group("sorting", arms);
    marked.arms[1].baseline = true;
    assert_eq!(pairs(&by_default(&marked)), [("make -j8", "make -j1")]);
    let mut measured = group("sorting", arms);
    measured.origin = Origin::Measured { version: "0.1.0".to_owned() };
    assert_eq!(pairs(&by_default(&measured)).len(), 1);
    let two = group("", &[("a 1", &[("n", "1")]), ("a 2", &[("n", "2")]), ("b 1", &[("n", "1")])]);
    assert_eq!(pairs(&by_default(&two)), [("a 1", "b 1")]);
}
