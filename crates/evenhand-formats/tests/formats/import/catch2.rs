//! Catch2's XML: every mapped field against real files, benchmarks that broke, bad files refused.
use evenhand_formats::import::{Format, ImportError, import, recognise};
use evenhand_trial::{ArmId, Origin, Per, Reason, Trial};
use proptest::prelude::*;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/catch2/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn trial(name: &str) -> Trial {
    import(&fixture(name)[..], name, None).unwrap()
}

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "made.xml", Some(Format::Catch2))
}

fn is_noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

#[test]
fn every_figure_of_a_benchmark_is_reported() {
    let trial = trial("samples.xml");
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    let expected = [
        "sums & <loops>/accumulate",
        "sums & <loops>/loop \"by hand\"",
        "sums & <loops>/in a section/fill",
        "slow/advanced",
        "breaks/throws",
    ];
    assert_eq!(names, expected);
    let groups: Vec<_> = trial.arms.iter().map(|arm| arm.group.as_str()).collect();
    assert_eq!(groups[..3], ["sums & <loops>", "sums & <loops>", "sums & <loops>/in a section"]);
    let wall = &trial.metrics[0];
    assert_eq!((wall.name.as_str(), wall.unit.symbol(), wall.per), ("wall", "ns", Per::Iteration));
    let first = &trial.reported[0];
    assert_eq!((first.arm, first.samples), (ArmId(0), Some(12)));
    assert_eq!((first.mean, first.sd), (Some(262.192), Some(2.98466)));
    for (name, value) in [
        ("resamples", 1000.0),
        ("iterations", 97.0),
        ("clockResolution", 25.3652),
        ("estimatedDuration", 303804.0),
        ("mean lower 95 %", 261.239),
        ("mean upper 95 %", 265.779),
        ("standardDeviation lower 95 %", 0.285477),
        ("standardDeviation upper 95 %", 5.50419),
        ("outliers variance", 0.0763889),
        ("outliers highSevere", 1.0),
        ("outliers lowMild", 0.0),
    ] {
        assert_eq!(first.more[name], value, "{name}");
    }
    assert_eq!(trial.reported[3].mean, Some(59768.2));
    assert!(trial.series.is_empty() && is_noted(&trial, "writes no samples"));
}

#[test]
fn a_benchmark_that_broke_is_a_failure() {
    let trial = trial("samples.xml");
    assert_eq!((trial.failures.len(), trial.reported.len()), (1, 4));
    assert_eq!(trial.failures[0].arm, ArmId(4));
    assert_eq!(trial.failures[0].reason, Reason::Other { message: "the benchmark broke".into() });
}

#[test]
fn without_analysis_the_spread_is_not_known() {
    let trial = trial("noanalysis.xml");
    let first = &trial.reported[0];
    assert_eq!((first.mean, first.sd, first.samples), (Some(282.649), None, Some(5)));
    assert!(!first.more.keys().any(|key| key.starts_with("mean")));
    assert!(is_noted(&trial, "no standard deviation is known"));
}

#[test]
fn the_third_version_is_read() {
    let trial = trial("version3.xml");
    let Origin::Imported { tool, .. } = &trial.origin else { panic!("not imported") };
    assert_eq!(tool.as_deref(), Some("Catch2 3.5.2"));
    assert_eq!(trial.arms[0].name, "sums/accumulate");
    assert_eq!((trial.reported[0].mean, trial.reported[0].samples), (Some(262.192), Some(100)));
}

#[test]
fn figures_that_catch2_could_not_compute_are_missing() {
    for word in ["-nan", "nan", "-nan(ind)", "inf"] {
        let text = String::from_utf8(fixture("samples.xml")).unwrap();
        let text = text.replacen("0.0763889", word, 1).replacen("5.50419", word, 1);
        let trial = read(&text).unwrap();
        let first = &trial.reported[0];
        assert_eq!((first.mean, first.sd), (Some(262.192), Some(2.98466)), "{word}");
        assert!(!first.more.contains_key("outliers variance"), "{word}");
        assert!(!first.more.contains_key("standardDeviation upper 95 %"), "{word}");
    }
}

#[test]
fn its_files_are_recognised_and_other_xml_is_not() {
    for name in ["samples.xml", "noanalysis.xml", "version3.xml"] {
        assert_eq!(recognise(&fixture(name)), Some(Format::Catch2), "{name}");
        assert_eq!(recognise(&fixture(name)[..120]), Some(Format::Catch2), "{name}, cut");
    }
    assert_ne!(recognise(b"<?xml version=\"1.0\"?><testsuites name=\"Catch\">"), Some(Format::Catch2));
}

#[test]
fn a_benchmark_that_runs_twice_is_two_arms_and_a_failed_case_is_noted() {
    let one = r#"<BenchmarkResults name="b"><mean value="1" lowerBound="1" upperBound="1" ci="0"/></BenchmarkResults>"#;
    let text = format!(
        r#"<Catch name="t"><TestCase name="c">{one}{one}<OverallResult success="false"/></TestCase></Catch>"#
    );
    let trial = read(&text).unwrap();
    let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["c/b", "c/b (2)"]);
    assert!(is_noted(&trial, "1 test cases failed"));
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let one = |inside: &str| {
        format!(r#"<Catch name="t"><BenchmarkResults name="b">{inside}</BenchmarkResults></Catch>"#)
    };
    let mean =
        |value: &str| one(&format!(r#"<mean value="{value}" lowerBound="1" upperBound="1" ci="0.95"/>"#));
    for (text, words) in [
        (mean("-1"), "<mean> before byte"),
        (mean("x"), r#"value is "x", which is not a number"#),
        (mean("inf"), "value: inf is not a possible measurement"),
        (mean("NaN"), "value: NaN is not a possible measurement"),
        (mean("1e999"), "inf is not a possible measurement"),
        (mean("&unknown;"), "not XML as Catch2 writes it"),
        (one("<mean/>"), r#"value is "", which"#),
        (one(r#"<mean value="1" value="2"/>"#), "an element has value twice"),
        (one(""), "has no mean and did not fail"),
        (r#"<Catch name="t"><BenchmarkResults name="b">"#.into(), "ends too early: 2 elements"),
        (r#"<Catch name="t"><BenchmarkResults name="#.into(), "not XML"),
        (r#"<Catch name="t"></TestCase>"#.into(), "not XML"),
        (r#"<Catch name="t"></Catch>"#.into(), "holds no result"),
        ("</a>".into(), "not XML"),
        ("<a>".repeat(300), "nested deeper than 256"),
        ("just words".into(), "holds no result"),
    ] {
        let said = read(&text).unwrap_err().to_string();
        assert!(said.contains(words), "{text}\n{said}");
    }
    assert!(import(&b"<Catch name=\"\xff\xfe\"/>"[..], "bytes", Some(Format::Catch2)).is_err());
}

#[test]
fn a_benchmark_that_cannot_be_read_is_left_out_and_the_others_are_kept() {
    let text = String::from_utf8(fixture("samples.xml")).unwrap();
    for (from, to) in [("value=\"262.192\"", "value=\"fast\""), ("iterations=\"97\"", "iterations=\"many\"")]
    {
        assert!(text.contains(from), "{from}");
        let trial = read(&text.replacen(from, to, 1)).unwrap();
        assert_eq!((trial.arms.len(), trial.reported.len(), trial.failures.len()), (4, 3, 1));
        assert_eq!(trial.arms[0].name, "sums & <loops>/loop \"by hand\"");
        assert!(is_noted(&trial, "one benchmark left out: <"), "{:?}", trial.notes);
    }
}

proptest! {
    #[test]
    fn changed_and_cut_files_never_panic(place in 1..2900_usize, byte in any::<u8>()) {
        let mut bytes = fixture("samples.xml");
        prop_assert!(import(&bytes[..place], "cut", Some(Format::Catch2)).is_err());
        bytes[place] = byte;
        if let Ok(trial) = import(&bytes[..], "changed", Some(Format::Catch2)) {
            prop_assert!(trial.check().is_ok());
        }
    }
}
