//! Is the first screen of a suite its answer: how many changed, the largest change first, on few lines?

use crate::common::groups;
use evenhand_analysis::Analysis;
use evenhand_report::claims::Claims;
use evenhand_report::{Layout, Order};
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

/// The table, row by row.
fn rows(analysis: &Analysis) -> Vec<Vec<String>> {
    let shown = screen(analysis, false, None);
    let table =
        shown.lines().skip_while(|line| !line.ends_with("verdict")).take_while(|line| !line.starts_with('*'));
    table.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn parameters_that_all_rows_of_a_benchmark_have_are_columns() {
    let names =
        [("of::sort/n=1000", 0.3), ("of::sort/n=10", 0.2), ("of::scan/n=10, k=b", 0.1), ("of::parse", 0.0)];
    let rows = rows(&groups::analysis(&names));
    assert_eq!(rows[0][..5], ["benchmark", "n", "k", "baseline", "candidate"]);
    assert_eq!(rows[1][..3], ["sort", "1000", "1.001"]);
    assert_eq!(rows[2][..3], ["sort", "10", "1.001"]);
    assert_eq!(rows[3][..3], ["scan", "10", "b"]);
    assert_eq!(rows[4][..2], ["parse", "1.001"]);
}

#[test]
fn the_number_that_go_adds_to_every_name_belongs_to_no_parameter() {
    let first_columns = |names: &[(&str, f64)]| -> Vec<Vec<String>> {
        rows(&groups::analysis(names)).into_iter().skip(1).map(|row| row[..2].to_vec()).collect()
    };
    let all = [("Runes/size=1000-8", 0.3), ("Runes/size=10-8", 0.2), ("Grow-8", -0.1)];
    assert_eq!(first_columns(&all), [["Runes", "1000"], ["Runes", "10"], ["Grow", "1.001"]]);
    let some = [("Runes/size=1000-8", 0.3), ("Runes/size=10-4", 0.2), ("Words/size=10-8", 0.1)];
    assert_eq!(first_columns(&some), [["Runes", "1000-8"], ["Runes", "10-4"], ["Words", "10-8"]]);
    let negative = [("Runes/by=-8", 0.3), ("Words/by=-8", 0.2), ("Lines/by=-8", 0.1)];
    assert_eq!(first_columns(&negative), [["Runes", "-8"], ["Words", "-8"], ["Lines", "-8"]]);
}

#[test]
fn a_narrow_table_has_the_times_of_both_or_of_none() {
    let analysis = groups::analysis(&[("sort", 0.3), ("parse", 0.0), ("print", -0.2)]);
    let has = |width: usize| {
        let shown = screen(&analysis, false, Some(width));
        ["baseline", "candidate"].map(|heading| shown.contains(heading))
    };
    assert_eq!((has(50), has(90)), ([false; 2], [true; 2]));
    assert!((50..90).all(|width| has(width)[0] == has(width)[1]));
}

#[test]
fn parameters_alone_need_no_column_of_names() {
    let names = [("n=1, k=2", 0.3), ("n=1, k=3", 0.2), ("n=2, k=2", 0.1)];
    let rows = rows(&groups::analysis(&names));
    assert_eq!(rows[0][..3], ["n", "k", "baseline"]);
    assert_eq!(rows[1][..2], ["1", "2"]);
}

#[test]
fn names_of_which_only_some_rows_have_the_parameter_stay_whole() {
    let names = [("sort/n=1000", 0.3), ("sort/k=10", 0.2), ("a=b/x", 0.1)];
    let rows = rows(&groups::analysis(&names));
    assert_eq!(rows[0][..2], ["benchmark", "baseline"]);
    let first: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(first, ["sort/n=1000", "sort/k=10", "a=b/x"]);
}

#[test]
fn rows_of_several_metrics_say_which_and_what_is_no_time_is_worse() {
    let mut trial = groups::trial(&[("sort", 0.3), ("parse", 0.0), ("print", -0.2)]);
    trial.metrics.push(evenhand_trial::Metric::time("instructions", evenhand_trial::Unit::count()));
    for series in &mut trial.series {
        series.values.push(series.values[0].clone());
    }
    trial.plan.metrics = vec!["wall".to_owned(), "instructions".to_owned()];
    let settings = evenhand_analysis::Settings::of_plan(&trial.plan).unwrap();
    let analysis = evenhand_analysis::analyse(&trial, &settings).unwrap();
    let rows = rows(&analysis);
    assert_eq!(rows[0][..2], ["benchmark", "metric"]);
    let verdicts: Vec<[&str; 2]> =
        rows[1..].iter().map(|row| [row[1].as_str(), row[row.len() - 1].as_str()]).collect();
    assert!(
        verdicts.contains(&["wall", "slower*"]) && verdicts.contains(&["instructions", "worse*"]),
        "{rows:?}"
    );
    assert!(
        screen(&analysis, false, None).contains(": 2 worse, 2 better, "),
        "{}",
        screen(&analysis, false, None)
    );
    assert!(
        screen(&analysis, true, None)
            .contains("sort (new) executes 30.0 % more instructions than sort (old)")
    );
}

#[test]
fn rows_and_times_are_as_was_asked_for() {
    let analysis = groups::analysis(&[("sort", 0.3), ("parse", 0.0), ("print", -0.2)]);
    let shown = |order: Order, unit: Option<&str>| {
        let time_unit = unit.map(|unit| unit.parse().unwrap());
        let layout = Layout { order, time_unit, ..Layout::new(None) };
        Claims { analysis: &analysis, layout, verbose: false, percentiles: false, means: false }.to_string()
    };
    assert_eq!(first_words(&shown(Order::AsNamed, None)), ["sort", "parse", "print"]);
    assert_eq!(first_words(&shown(Order::ByMean, None)), ["print", "parse", "sort"]);
    let times = shown(Order::Usual, Some("us"));
    assert!(times.contains("1001 µs") && !times.contains(" ms "), "{times}");
}

#[test]
fn a_sentence_has_the_seconds_of_its_own_benchmark() {
    let shown = screen(&groups::analysis(&[("sort", 0.5), ("parse", 0.0), ("print", 0.05)]), true, None);
    let of =
        |name: &str| shown.lines().find(|line| line.contains(name) && line.contains("99 % sure")).unwrap();
    // 120 rounds of 1 ms and of 1.5 ms; the trial took 2 s.
    assert!(of("sort").ends_with(", 120 rounds, 300.2 ms"), "{shown}");
    assert!(of("print").contains(", 120 rounds, 246.1 ms"), "{shown}");
}

#[test]
fn a_suite_without_a_coin_says_what_it_assumes() {
    let randomised = groups::analysis(&[("sort", 0.05), ("parse", 0.05), ("print", 0.0)]);
    let mut apart = randomised.clone();
    for comparison in &mut apart.comparisons {
        comparison.evidence = evenhand_analysis::Evidence::NoCoin { untested: Vec::new() };
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
