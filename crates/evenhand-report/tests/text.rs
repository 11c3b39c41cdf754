//! Is what people read what was meant: columns, names, sentences, claims and records?

use evenhand_analysis::words::statement;
use evenhand_analysis::{Analysis, Settings, analyse};
use evenhand_report::Layout;
use evenhand_report::claims::Claims;
use evenhand_report::plain::plain;
use evenhand_report::record::{Record, origin};
use evenhand_report::table::Table;
use evenhand_report::wrap::wrapped;
use evenhand_trial::{
    Arm, ArmId, Failure, LaunchId, Metric, Note, Origin, Reason, RoundId, Series, Trial, TrialId, Unit,
};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

const WIDE: Layout = Layout::new(None);

fn narrow(width: usize) -> Layout {
    Layout::new(Some(width))
}

// ---- tables ----

fn table(width: Option<usize>) -> Table {
    let mut table = Table::new(&["wall", "min", "median", "max"], Layout::new(width));
    table.row(vec![
        "a name of some length, one".into(),
        "1.234 ms".into(),
        "2.345 ms".into(),
        "3.456 ms".into(),
    ]);
    table.row(vec!["日本語".into(), "1 s".into(), String::new(), "3 s".into()]);
    table
}

fn lines(shown: &str) -> Vec<&str> {
    shown.lines().collect()
}

#[test]
fn columns_stand_by_the_width_of_their_characters() {
    let shown = table(None).to_string();
    assert_eq!(
        lines(&shown),
        [
            "wall                             min    median       max",
            "a name of some length, one  1.234 ms  2.345 ms  3.456 ms",
            "日本語                           1 s                 3 s",
        ]
    );
}

#[test]
fn the_widest_name_may_have_few_characters() {
    let mut table = Table::new(&["wall", "min"], WIDE);
    table.row(vec!["日本語".into(), "1 s".into()]);
    table.row(vec!["short".into(), "2 s".into()]);
    assert_eq!(table.to_string(), "wall    min\n日本語  1 s\nshort   2 s\n");
}

#[test]
fn a_narrow_table_shortens_names_in_the_middle_and_keeps_numbers_whole() {
    let shown = table(Some(45)).to_string();
    assert_eq!(lines(&shown)[1], "a name …th, one  1.234 ms  2.345 ms  3.456 ms");
    assert!(shown.lines().all(|line| line.width() <= 45), "{shown}");
    // A column less once the name would have fewer than 12.
    let shown = table(Some(40)).to_string();
    assert_eq!(lines(&shown)[0], "wall                       min    median");
    assert_eq!(lines(&shown)[1], "a name of …ngth, one  1.234 ms  2.345 ms");
}

#[test]
fn a_column_goes_before_two_names_become_one() {
    let mut table = Table::new(&["time", "min", "median"], narrow(38));
    for level in [4, 6] {
        table.row(vec![format!("gzip --verbose -{level} -c n.txt"), "1.234 ms".into(), "2.345 ms".into()]);
    }
    let shown = table.to_string();
    assert_eq!(lines(&shown)[0].split_whitespace().collect::<Vec<_>>(), ["time", "min"], "{shown}");
    assert!(shown.contains("-4") && shown.contains("-6"), "{shown}");
}

#[test]
fn columns_are_given_up_in_the_order_asked_for() {
    let shown = table(Some(40)).giving_up(&[1]).to_string();
    assert_eq!(lines(&shown)[0].split_whitespace().collect::<Vec<_>>(), ["wall", "median", "max"]);
    let shown = table(Some(26)).giving_up(&[1]).to_string();
    assert_eq!(lines(&shown)[0].split_whitespace().collect::<Vec<_>>(), ["wall", "median"]);
}

#[test]
fn too_narrow_for_anything_a_table_still_shows_its_numbers() {
    for width in [0, 1, 5, 11] {
        let shown = table(Some(width)).to_string();
        assert!(shown.contains("1.234 ms"), "{width}: {shown}");
        assert!(lines(&shown)[1].starts_with('…'), "{width}: {shown}");
    }
}

#[test]
fn a_table_of_words_shortens_the_column_it_was_told_to() {
    let mut words = Table::new(&["trial", "what", "from"], narrow(30)).of_words().shortening(1);
    words.row(vec!["4f2a91c0".into(), "something with many words in it".into(), "hyperfine".into()]);
    let shown = words.to_string();
    assert_eq!(lines(&shown), ["trial     what", "4f2a91c0  something …rds in it"]);
    words.row(vec!["4f2a91c1".into(), "short".into(), "jmh".into()]);
    assert!(
        words.to_string().contains("4f2a91c1  short\n"),
        "words stand left, without spaces behind: {words}"
    );
}

#[test]
fn a_column_of_nothing_is_left_out() {
    let mut table = Table::new(&["arm", "failed", "samples"], WIDE);
    assert!(table.is_empty());
    table.row(vec!["a".into(), String::new(), "3".into()]);
    assert!(!table.is_empty());
    assert_eq!(table.to_string(), "arm  samples\na          3\n");
    assert_eq!(Table::new(&["arm", "failed"], narrow(10)).to_string(), "arm\n");
}

#[test]
fn a_cell_and_a_heading_cannot_break_a_line() {
    let mut table = Table::new(&["wa\nll", "b\u{1b}"], WIDE);
    table.row(vec!["a\nb".into(), "\u{202e}1".into()]);
    assert_eq!(table.to_string(), "wa\\nll    b\\u{1b}\na\\nb    \\u{202e}1\n");
}

// ---- plain ----

#[test]
fn what_misleads_is_spelled_out() {
    for (name, spelled) in [
        ("line\nend", "line\\nend"),
        ("carriage\rreturn", "carriage\\rreturn"),
        ("tab\tulator", "tab\\tulator"),
        ("\u{1b}[31mred", "\\u{1b}[31mred"),
        ("bell\u{7}", "bell\\u{7}"),
        ("\u{9b}31mC1", "\\u{9b}31mC1"),
        ("delete\u{7f}", "delete\\u{7f}"),
        ("nothing\0", "nothing\\u{0}"),
        ("\u{202e}override", "\\u{202e}override"),
        ("\u{202a}embedding", "\\u{202a}embedding"),
        ("\u{2066}isolate\u{2069}", "\\u{2066}isolate\\u{2069}"),
        ("\u{200f}mark\u{200e}\u{61c}", "\\u{200f}mark\\u{200e}\\u{61c}"),
        ("\u{2028}line\u{2029}", "\\u{2028}line\\u{2029}"),
        ("zero\u{200b}width", "zero\\u{200b}width"),
        ("word\u{2060}joiner", "word\\u{2060}joiner"),
        ("\u{feff}mark", "\\u{feff}mark"),
        ("soft\u{ad}hyphen", "soft\\u{ad}hyphen"),
        ("hangul\u{3164}filler\u{115f}", "hangul\\u{3164}filler\\u{115f}"),
        ("mongolian\u{180e}", "mongolian\\u{180e}"),
        ("tag\u{e0041}", "tag\\u{e0041}"),
        ("joined\u{200d}ascii\u{200c}", "joined\\u{200d}ascii\\u{200c}"),
        ("日\u{200d}", "日\\u{200d}"),
    ] {
        assert_eq!(plain(name), spelled);
    }
}

#[test]
fn names_of_every_language_stay_as_they_are() {
    for name in [
        "sort(10 000)",
        "日本語",
        "größer ± 3 µs",
        "نمونه",
        "می\u{200c}خواهم",
        "👩\u{200d}👩\u{200d}👧",
        "e\u{301}",
        "a\\nb",
        "\"quoted\"",
    ] {
        assert_eq!(plain(name), name);
    }
}

// ---- wrapping ----

#[test]
fn a_sentence_breaks_between_words_and_never_before_a_percent_sign() {
    assert_eq!(wrapped("one two three four", narrow(9), 2), "one two\n  three\n  four");
    assert_eq!(wrapped("slower by +1.13 % at least", narrow(16), 2), "slower by\n  +1.13 % at\n  least");
    assert_eq!(wrapped("  set in from the start", narrow(12), 4), "  set in\n    from the\n    start");
    assert_eq!(wrapped("a averylongwordindeed b", narrow(8), 1), "a\n averylongwordindeed\n b");
    assert_eq!(wrapped("fits as it is", narrow(13), 2), "fits as it is");
    assert_eq!(wrapped(&"long ".repeat(99), WIDE, 2), "long ".repeat(99));
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_word_is_lost(words in prop::collection::vec("[a-z日%]{1,9}", 1..20), width in 20_usize..60) {
        let text = words.join(" ");
        let shown = wrapped(&text, narrow(width), 3);
        prop_assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), words.iter().map(String::as_str).collect::<Vec<_>>());
        let glued = words.iter().any(|word| word.starts_with('%'));
        prop_assert!(glued || shown.lines().all(|line| line.width() <= width), "{}", shown);
    }

    #[test]
    fn a_table_never_outgrows_a_usual_terminal(names in prop::collection::vec(".{0,40}", 1..5), width in 34_usize..120) {
        let mut table = Table::new(&["arm", "first", "second", "third"], narrow(width));
        for name in &names {
            table.row(vec![name.clone(), "123.4 ms ± 0.1".into(), "1234.5 ms".into(), "17".into()]);
        }
        let shown = table.to_string();
        prop_assert_eq!(shown.lines().count(), names.len() + 1);
        prop_assert!(shown.lines().all(|line| line.width() <= width), "{}", shown);
        prop_assert!(shown.lines().skip(1).all(|line| line.contains("123.4 ms ± 0.1")), "{}", shown);
    }
}

// ---- claims and records of small trials ----

fn trial(arms: &[(&str, &[f64])]) -> Trial {
    let origin = Origin::Imported { format: "columns".into(), tool: None, file: "sums.csv".into() };
    let mut trial = Trial::new(TrialId::from_number(0x4f2a_91c0_0000_0001), origin);
    trial.metrics = vec![Metric::time("wall", Unit::seconds())];
    for (place, (name, values)) in arms.iter().enumerate() {
        let mut series = Series::new(ArmId(place as u32), LaunchId(0), 1);
        series.values = vec![values.to_vec()];
        trial.series.push(series);
        trial.arms.push(Arm { name: (*name).into(), ..Arm::default() });
    }
    trial
}

const OLD: [f64; 12] = [1.0, 1.02, 0.99, 1.01, 1.03, 0.98, 1.0, 1.01, 0.99, 1.02, 1.0, 0.97];

fn doubled() -> Vec<f64> {
    OLD.iter().rev().map(|value| 2.0 * value).collect()
}

fn analysis(trial: &Trial) -> Analysis {
    analyse(trial, &Settings::default()).unwrap()
}

fn claims(analysis: &Analysis, layout: Layout, percentiles: bool) -> String {
    Claims { analysis, layout, verbose: true, percentiles, means: false }.to_string()
}

fn timed_out(arm: ArmId) -> Failure {
    let reason = Reason::Timeout { allowed: 5.0 };
    Failure { arm, launch: LaunchId(0), round: RoundId(3), reason, seconds: None }
}

#[test]
fn the_verdict_comes_first_then_the_table() {
    let analysis = analysis(&trial(&[("old", &OLD), ("new", &doubled())]));
    let shown = claims(&analysis, WIDE, false);
    let shown = lines(&shown);
    assert_eq!(shown[0], statement(&analysis, &analysis.comparisons[0]).sentence().to_string());
    assert!(shown[0].starts_with("new takes 2.00 times as long as old ["), "{}", shown[0]);
    let heading = shown.iter().position(|line| line.starts_with("wall ")).unwrap();
    assert_eq!(shown[heading].split_whitespace().last(), Some("samples"));
    assert!(shown[heading + 1].starts_with("old    970 ms"), "{}", shown[heading + 1]);
    assert!(shown[heading + 2].contains("2.000       12"), "{}", shown[heading + 2]);
    assert!(shown[heading + 1].contains("   1       12"), "{}", shown[heading + 1]);
}

#[test]
fn a_narrow_terminal_keeps_the_median_and_the_failures() {
    let mut failing = trial(&[("old", &OLD), ("new", &doubled())]);
    failing.failures = vec![timed_out(ArmId(1))];
    let shown = claims(&analysis(&failing), narrow(40), false);
    let heading = shown.lines().find(|line| line.starts_with("wall ")).unwrap();
    assert_eq!(heading.split_whitespace().collect::<Vec<_>>()[1..], ["median", "ratio", "failed"]);
    assert!(shown.lines().all(|line| line.width() <= 40), "{shown}");
    assert!(shown.contains("\nwarning: "), "{shown}");
}

#[test]
fn percentiles_are_shown_when_they_are_asked_for() {
    let analysis = analysis(&trial(&[("old", &OLD), ("new", &doubled())]));
    assert!(!claims(&analysis, WIDE, false).contains("percentile"));
    let shown = claims(&analysis, WIDE, true);
    let median = shown.lines().find(|line| line.starts_with("P50 ")).unwrap();
    assert_eq!(median.split_whitespace().collect::<Vec<_>>()[..6], ["P50", "1", "s", "2", "s", "2.000"]);
}

#[test]
fn an_arm_alone_has_its_percentiles_in_a_row() {
    let settings = Settings { percentiles: vec![0.0, 50.0, 100.0], ..Settings::default() };
    let alone = analyse(&trial(&[("alone", &OLD)]), &settings).unwrap();
    let shown = claims(&alone, WIDE, true);
    let row = |start: &str| {
        let line = shown.lines().rfind(|line| line.starts_with(start)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("percentile"), ["percentile", "P0", "P50", "P100"]);
    assert_eq!(row("alone"), ["alone", "970", "ms", "1", "s", "1.030", "s"]);
    let compared = analysis(&trial(&[("old", &OLD), ("new", &doubled())]));
    assert_eq!(claims(&compared, WIDE, true).matches("percentile").count(), 1, "an arm has one table");
    assert!(!claims(&alone, WIDE, false).contains("percentile"));
}

#[test]
fn the_distance_of_mean_and_minimum_has_a_column_where_everything_is_wanted() {
    let analysis = analysis(&trial(&[("old", &OLD), ("new", &doubled())]));
    let shown = |verbose, means| {
        Claims { analysis: &analysis, layout: WIDE, verbose, percentiles: false, means }.to_string()
    };
    // Of 12 values that add up to 12.02 and have a minimum of 0.97.
    for all in [shown(true, false), shown(false, true)] {
        assert!(all.contains("mean over min") && all.contains("  +3.26 %  "), "{all}");
    }
    assert!(!shown(false, false).contains("mean over min"));
}

#[test]
fn the_set_up_in_a_sample_is_told_below_the_table() {
    let mut trial = trial(&[("./sorts 1", &OLD), ("./sorts 2", &doubled())]);
    for (arm, iterations) in trial.arms.iter_mut().zip(["1", "2"]) {
        arm.group = iterations.to_owned();
        arm.parameters.insert("iterations".to_owned(), iterations.to_owned());
    }
    let shown = claims(&analysis(&trial), WIDE, false);
    assert!(
        shown.contains(
            "\n\nset-up of ./sorts {iterations}: too small to tell from the noise, estimated from the smallest samples with 1 and 2 iterations\n"
        ),
        "{shown}"
    );
    assert!(!claims(&analysis(&self::trial(&[("old", &OLD)])), WIDE, false).contains("set-up"));
}

#[test]
fn warnings_of_one_kind_are_told_once() {
    let mut failing = trial(&[("a", &OLD), ("b", &OLD), ("c\u{1b}", &OLD)]);
    failing.failures = (0..3).map(|arm| timed_out(ArmId(arm))).collect();
    let mut analysis = analysis(&failing);
    analysis.warnings.retain(|warning| warning.code() == "failed");
    let shown = claims(&analysis, WIDE, false);
    assert!(
        shown.ends_with(
            "\n\nwarning: a: 1 of 13 runs failed\n         and 2 more like it\n         \
             failed runs are kept with their reason but count in no figure\n"
        ),
        "{shown}"
    );
    analysis.warnings.remove(0);
    let shown = claims(&analysis, WIDE, false);
    assert_eq!(shown.matches("1 of 13 runs failed").count(), 2);
    assert!(shown.contains("c\\u{1b}: 1 of 13"), "{shown}");
}

#[test]
fn an_error_is_told_in_the_unit_of_its_mean_unless_it_is_unknown() {
    let mut analysis = analysis(&trial(&[("old", &OLD)]));
    let mut shown = |half: Option<f64>| {
        analysis.levels[0].mean_error.as_mut().unwrap().half_width = half;
        let shown = claims(&analysis, WIDE, false);
        shown.lines().find(|line| line.starts_with("old")).unwrap().to_owned()
    };
    assert!(shown(Some(0.0123)).contains("1.002 s ± 0.012  "));
    assert!(shown(Some(0.9)).contains("1.00 s ± 0.90  "));
    // JSON and the page have this figure, too.
    assert!(shown(Some(9.0)).contains("1.0 s ± 9.0  "));
    assert!(shown(None).contains("1.002 s ± ?  "));
}

#[test]
fn where_a_coin_decided_the_reason_to_trust_it_is_told() {
    let reason = "\nnote: order randomised in every round: identical programs are called different in at most 1 % of trials\n";
    assert!(claims(&analysis(&run()), WIDE, false).contains(reason));
    assert!(
        !claims(&analysis(&trial(&[("old", &OLD), ("new", &doubled())])), WIDE, false).contains("randomised")
    );
    let sure = Settings { confidence: 0.999, ..Settings::default() };
    let sure = analyse(&run(), &sure).unwrap();
    assert!(claims(&sure, WIDE, false).contains("in at most 0.1 % of trials"));
}

#[test]
fn a_record_tells_the_commands_that_are_called_otherwise() {
    let mut trial = trial(&[("old", &OLD), ("./new x", &doubled())]);
    trial.arms[0].command = vec!["./old".into(), "--input".into(), "x\u{1b}".into()];
    trial.arms[1].command = vec!["./new".into(), "x".into()];
    let shown = Record { trial: &trial, layout: WIDE }.to_string();
    assert!(shown.ends_with("\n\nold runs: ./old --input x\\u{1b}\n"), "{shown}");
}

#[test]
fn a_record_says_where_a_trial_is_from_and_what_is_in_it() {
    let mut trial = trial(&[("old", &OLD), ("new", &doubled())]);
    trial.label = Some("before\nthe rewrite".into());
    trial.notes = vec![Note::Said("one note".into())];
    let shown = Record { trial: &trial, layout: WIDE }.to_string();
    assert_eq!(
        lines(&shown),
        [
            "trial        4f2a91c000000001",
            "label        before\\nthe rewrite",
            "state        complete",
            "from         columns, sums.csv",
            "order        not randomised",
            "metrics      wall (s)",
            "",
            "name  samples  launches",
            "old        12         1",
            "new        12         1",
            "",
            "note: one note",
        ]
    );
    trial.notes = vec![Note::Said("a note of many words, longer than the terminal is wide".into())];
    let shown = Record { trial: &trial, layout: narrow(30) }.to_string();
    assert!(shown.lines().all(|line| line.width() <= 30), "{shown}");
}

#[test]
fn an_origin_in_a_few_words() {
    assert_eq!(origin(&Origin::Measured { version: "0.1.0".into() }), "evenhand 0.1.0");
    let imported =
        Origin::Imported { format: "jmh".into(), tool: Some("JMH 1.37".into()), file: "a.json".into() };
    assert_eq!(origin(&imported), "JMH 1.37, a.json");
    let joined = Origin::Joined { trials: vec![TrialId::from_number(1), TrialId::from_number(2)] };
    assert_eq!(origin(&joined), "2 trials compared together");
}

// ---- the table of a run ----

/// Two commands measured in coin order, with what they used.
fn run() -> Trial {
    let mut trial = trial(&[("old", &OLD), ("new", &doubled())]);
    trial.origin = Origin::Measured { version: "0.1.0".into() };
    trial.schedule = Some(evenhand_trial::Schedule::new(evenhand_trial::Seed(7)));
    let count = |name: &str, unit| Metric { per: evenhand_trial::Per::Iteration, ..Metric::time(name, unit) };
    trial.metrics.extend([
        Metric::time("user", Unit::seconds()),
        Metric::time("system", Unit::seconds()),
        count("max_rss", Unit::bytes()),
        count("faults", Unit::count()),
    ]);
    for (place, series) in trial.series.iter_mut().enumerate() {
        let constant = |value: f64| vec![value * (1.0 + place as f64); 12];
        series.values.extend([constant(0.75), constant(0.0625), constant(4_096_000.0), constant(12.0)]);
    }
    trial
}

#[test]
fn a_run_has_one_table_with_what_the_commands_used() {
    let found = analysis(&run());
    let shown = claims(&found, WIDE, false);
    let shown = lines(&shown);
    let headings: Vec<&str> = shown[2].split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
    assert_eq!(
        headings,
        [
            "wall",
            "min",
            "mean ± within run",
            "mean over min",
            "median",
            "P95",
            "max",
            "ratio",
            "user",
            "sys",
            "RSS",
            "samples"
        ]
    );
    assert!(shown[4].contains("2.000  1.500 s    125 ms  8.192 MB"), "{}", shown[4]);
    assert!(!shown.iter().any(|line| line.starts_with("user") || line.starts_with("faults")), "{shown:?}");
}

#[test]
fn every_metric_with_a_verdict_has_a_table() {
    let settings = Settings { metrics: vec!["max_rss".into(), "faults".into()], ..Settings::default() };
    let found = analyse(&run(), &settings).unwrap();
    let shown = claims(&found, WIDE, false);
    let tables: Vec<&str> = shown
        .lines()
        .filter(|line| line.ends_with("samples"))
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(tables, ["max_rss", "faults"]);
    assert!(!shown.contains("  sys  "), "their own figures are what was used: {shown}");
}

#[test]
fn an_arm_alone_has_the_table_of_the_first_metric() {
    let mut alone = run();
    alone.arms.truncate(1);
    alone.series.truncate(1);
    let shown = claims(&analysis(&alone), WIDE, false);
    assert_eq!(shown.lines().filter(|line| line.ends_with("samples")).count(), 1);
    assert!(shown.starts_with("wall "), "{shown}");
}

#[test]
fn metrics_of_other_tools_keep_their_tables_but_for_what_a_process_used() {
    let mut imported = run();
    imported.origin = Origin::Imported { format: "jmh".into(), tool: None, file: "a.json".into() };
    let shown = claims(&analysis(&imported), WIDE, false);
    let tables: Vec<&str> = shown
        .lines()
        .filter(|line| line.ends_with("samples"))
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(tables, ["wall", "faults"]);
    assert_eq!(shown.matches("  sys  ").count(), 1, "once is enough: {shown}");
    // Where only the mean of what was used is known, that is better than nothing.
    let mut found = analysis(&imported);
    let (user, _) = imported.metric("user").unwrap();
    for level in found.levels.iter_mut().filter(|level| level.metric == user) {
        level.figures.median = None;
        level.figures.mean = Some(0.25);
    }
    assert!(claims(&found, WIDE, false).contains("  250 ms  "));
}

#[test]
fn ascii_where_the_terminal_has_no_more() {
    let layout = Layout { unicode: false, ..WIDE };
    let mut small = run();
    small.series.iter_mut().flat_map(|series| &mut series.values[0]).for_each(|value| *value *= 1e-6);
    let mut found = analysis(&small);
    found.warnings.clear();
    let shown = claims(&found, layout, true);
    assert!(shown.is_ascii(), "{shown}");
    assert!(shown.contains("mean +- within run") && shown.contains("1.002 us +- 0."), "{shown}");
    let narrow = claims(&found, Layout { width: Some(40), ..layout }, true);
    assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
    let mut words = Table::new(&["name", "count"], Layout { width: Some(19), ..layout });
    words.row(vec!["a long name, minus -1".into(), "12".into()]);
    assert_eq!(words.to_string(), "name          count\na lon...s -1     12\n");
}

#[test]
fn the_verdict_is_coloured_and_nothing_else() {
    let colour = |wide: Layout| Layout { colour: true, ..wide };
    let coloured = |trial: &Trial, layout: Layout| {
        let found = analysis(trial);
        let (plain, shown) = (claims(&found, layout, true), claims(&found, colour(layout), true));
        let without = ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[0m"]
            .iter()
            .fold(shown.clone(), |shown, code| shown.replace(code, ""));
        assert_eq!(without, plain);
        shown.lines().filter(|line| line.contains('\u{1b}')).map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    let slower = coloured(&run(), WIDE);
    assert!(
        slower.starts_with("new takes 2.00 times as \u{1b}[1m\u{1b}[31mlong\u{1b}[0m as old ["),
        "{slower:?}"
    );
    let mut faster = run();
    faster.arms[1].baseline = true;
    let faster = coloured(&faster, WIDE);
    assert!(faster.contains(" times as \u{1b}[1m\u{1b}[32mfast\u{1b}[0m as new ["), "{faster:?}");
    let mut little = run();
    little.series[1].values[0].iter_mut().for_each(|value| *value *= 0.75);
    let little = coloured(&little, WIDE);
    assert!(little.contains(" % \u{1b}[1m\u{1b}[31mslower\u{1b}[0m than old ["), "{little:?}");
    // A name may hold the word itself, and lines may break inside of it.
    let mut named = run();
    named.arms[1].name = "a name that is much slower than any other name".into();
    for width in [20, 30, 50, 80] {
        let shown = coloured(&named, narrow(width));
        assert!(shown.contains("\u{1b}[31mlong\u{1b}[0m"), "{shown:?}");
        let after = shown.split("\u{1b}[31m").next().unwrap();
        assert!(after.contains("times") || !shown.contains("any"), "{shown:?}");
    }
    let mut unclear = trial(&[("old", &OLD[..3]), ("new", &OLD[3..6])]);
    unclear.schedule = run().schedule;
    let shown = coloured(&unclear, WIDE);
    assert!(shown.starts_with("\u{1b}[1m\u{1b}[33minconclusive:\u{1b}[0m new may"), "{shown:?}");
}

// ---- levels ----

#[test]
fn an_error_within_one_run_is_said_to_be() {
    let of = |launches: u32| {
        let mut trial = Trial::new(TrialId::from_number(9), Origin::Measured { version: "0".to_owned() });
        trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
        trial.arms = vec![Arm { name: "old".to_owned(), ..Arm::default() }];
        for launch in 0..launches {
            let mut series = Series::new(ArmId(0), LaunchId(launch), 1);
            series.values[0] =
                (0..40_u32).map(|at| 1e6 + f64::from(launch * 999 + at * 7919 % 103)).collect();
            trial.series.push(series);
        }
        let analysis = analyse(&trial, &Settings::default()).unwrap();
        Claims { analysis: &analysis, layout: WIDE, verbose: false, percentiles: false, means: false }
            .to_string()
    };
    assert!(of(1).contains("mean ± within run") && !of(1).contains("± error"), "{}", of(1));
    assert!(of(6).contains("mean ± error") && !of(6).contains("within run"), "{}", of(6));
}
