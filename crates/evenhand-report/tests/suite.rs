//! Is the first screen of a suite its answer: how many changed, the largest change first, on few lines?
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[path = "common/groups.rs"]
mod groups;

use evenhand_report::Layout;
use evenhand_report::claims::Claims;
use evenhand_trial::analysis::Analysis;
use unicode_width::UnicodeWidthStr;

fn screen(analysis: &Analysis, verbose: bool, width: Option<usize>) -> String {
    Claims { analysis, layout: Layout::new(width), verbose, percentiles: false, means: false }.to_string()
}

fn first_words(shown: &str) -> Vec<&str> {
    let rows = shown.lines().skip_while(|line| !line.starts_with("benchmark ")).skip(1);
    rows.take_while(|line| !line.is_empty() && !line.starts_with('*'))
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

#[test]
fn the_counts_come_first_then_the_largest_change() {
    let names = [
        ("of::sort/9", 0.0),
        ("of::sort/10", 0.0),
        ("of::parse", 0.05),
        ("of::print", -0.2),
        ("of::scan", 0.3),
    ];
    let shown = screen(&groups::analysis(&names), false, None);
    assert!(
        shown.starts_with(
            "5 benchmarks: 2 slower, 1 faster, 2 the same, 2 s\ngeometric mean of 5 comparisons: +"
        ),
        "{shown}"
    );
    assert_eq!(first_words(&shown), ["scan", "print", "parse", "sort/9", "sort/10"], "{shown}");
    let scan = shown.lines().find(|line| line.starts_with("scan ")).unwrap();
    assert!(scan.contains("1.001 ms") && scan.contains("+30.0 %  [+") && scan.ends_with("slower*"), "{scan}");
    assert!(shown.contains("\n* significant after correction for all 5 comparisons\n"), "{shown}");
    assert!(!shown.contains("99 % sure"), "no sentence for each: {shown}");
    assert!(screen(&groups::analysis(&names), true, None).contains("99 % sure"), "but with --verbose");
}

#[test]
fn thirty_benchmarks_fit_in_forty_lines_of_eighty_columns() {
    let names: Vec<String> =
        (0..30).map(|number| format!("a_crate::of_some_length::function_{number}")).collect();
    let each: Vec<(&str, f64)> =
        names.iter().zip(0..).map(|(name, n)| (name.as_str(), 0.02 * f64::from(n % 3))).collect();
    let shown = screen(&groups::analysis(&each), false, Some(80));
    assert!(shown.lines().count() <= 40, "{shown}");
    assert!(shown.lines().all(|line| line.width() <= 80), "{shown}");
    assert!(
        (0..30).all(|number| shown.contains(&format!("\nfunction_{number} "))),
        "names are cut where they are alike: {shown}"
    );
}

#[test]
fn a_suite_without_a_coin_says_what_it_assumes() {
    let randomised = groups::analysis(&[("sort", 0.05), ("parse", 0.05), ("print", 0.0)]);
    let mut apart = randomised.clone();
    for comparison in &mut apart.comparisons {
        comparison.evidence = evenhand_trial::analysis::Evidence::NoCoin { untested: Vec::new() };
    }
    assert!(!screen(&randomised, false, None).contains("random order"));
    assert!(
        screen(&apart, false, None)
            .contains("\nnot measured in random order: this assumes independent samples")
    );
}

#[test]
fn a_remark_says_how_many_more_there_are_like_it() {
    let failure = |arm: u32| evenhand_trial::Failure {
        arm: evenhand_trial::ArmId(arm),
        launch: evenhand_trial::LaunchId(0),
        round: evenhand_trial::RoundId(3),
        reason: evenhand_trial::Reason::Timeout { allowed: 5.0 },
        seconds: None,
    };
    let mut trial = groups::trial(&[("sort", 0.05)]);
    trial.failures = vec![failure(0), failure(1)];
    let shown = screen(&groups::analysed(&trial), false, None);
    assert_eq!(shown.matches("1 of 121 runs failed").count(), 1, "{shown}");
    assert!(shown.contains("\n         and 1 more like it\n"), "{shown}");
}

#[test]
fn what_does_not_bear_on_the_verdict_is_counted() {
    let mut analysis = groups::analysis(&[("sort", 0.05), ("parse", 0.05)]);
    analysis.notes = vec![evenhand_trial::Note::PinnedTo { cpus: vec![1] }, evenhand_trial::Note::OneStart];
    let shown = screen(&analysis, false, None);
    assert!(shown.contains("note: each side was started once"), "{shown}");
    assert!(shown.contains("\n1 more remark on absolute times and the measurement: --verbose\n"), "{shown}");
    assert!(!shown.contains("pinned"), "{shown}");
    assert!(screen(&analysis, true, None).contains("note: pinned to CPU 1"));
}
