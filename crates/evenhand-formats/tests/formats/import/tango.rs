//! Dumps of tango-bench become a trial.
use evenhand_formats::import::{Format, import};
use evenhand_trial::{Origin, Per, Trial, Whole};

const LONG_9: &str = include_str!("../../fixtures/tango/0.9.0/sum-long.csv");
const SHORT_6: &str = include_str!("../../fixtures/tango/0.6.0/sum-short.csv");

fn column(text: &str, index: usize) -> Vec<u64> {
    text.lines().map(|line| line.split(',').nth(index).unwrap().parse().unwrap()).collect()
}

fn check(text: &str, name: &str) -> Trial {
    let trial = import(text.as_bytes(), name, None).unwrap();
    assert!(matches!(&trial.origin, Origin::Imported { format, .. } if format == "tango"));
    for (index, series) in trial.series.iter().enumerate() {
        let ours: Vec<u64> = series.values[0].iter().map(|time| *time as u64).collect();
        assert_eq!(ours, column(text, index));
        assert_eq!(series.iterations, Whole::of(column(text, 2)));
    }
    assert_eq!(trial.series.len(), 2);
    assert_eq!((trial.metrics[0].unit.symbol(), trial.metrics[0].per), ("ns", Per::Sample));
    assert!(trial.schedule.is_none() && trial.series[0].positions.is_none());
    trial
}

#[test]
fn both_versions_arrive() {
    let trial = check(LONG_9, "dumps/sum-long.csv");
    assert_eq!(trial.arms[0].name, "sum-long: baseline");
    assert_eq!(trial.arms[1].name, "sum-long: candidate");
    assert!(trial.arms.iter().all(|arm| arm.group == "sum-long"));
    assert!(trial.arms[0].baseline && !trial.arms[1].baseline);
    assert_eq!(trial.series[0].iterations, Whole::Same { same: 1555 });
    assert!(trial.notes.iter().any(|note| note.to_string().contains("which of a pair ran first")));

    let trial = check(SHORT_6, "");
    assert_eq!(trial.arms[0].name, "baseline");
    assert_eq!(trial.series[0].iterations.get(0), Some(3226));
    assert_eq!(trial.series[0].iterations.get(1), Some(768));
}

#[test]
fn a_file_without_a_last_newline_and_with_windows_lines_is_read() {
    let trial = import(&b"1,2,3\r\n4,5,6"[..], "a.csv", None).unwrap();
    assert_eq!(trial.series[1].values[0], [2.0, 5.0]);
}

#[test]
fn broken_rows_are_refused_with_their_line() {
    let cases: [(&[u8], &str); 8] = [
        (b"1,2,3\n4,5\n", "line 2: \"4,5\" is not baseline,candidate,iterations"),
        (b"1,2,3\n4,-5,6\n", "line 2"),
        (b"1,2,3\n4,5,0\n", "line 2: a pair of 0 iterations"),
        (b"1,2,3\n4,99999999999999999999999,6\n", "line 2"),
        (b"1,2,3\nNaN,5,6\n", "line 2"),
        (b"1,2,3\n\xff,5,6\n", "line 2: \"\\xff,5,6\""),
        (b"\n\n", "holds no result"),
        (b"", "empty"),
    ];
    for (bytes, expected) in cases {
        let error = import(bytes, "a.csv", Some(Format::Tango)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let endless = std::io::Read::take(std::io::repeat(b'1'), 1 << 30);
    assert!(import(endless, "a.csv", Some(Format::Tango)).unwrap_err().to_string().contains("line 1"));
}

#[test]
fn other_tables_are_not_tango() {
    for text in ["1.5,2,3\n", "1,2\n", "1,2,3,4\n", "old,new,n\n1,2,3\n", "1\n2\n", "1,2,\n"] {
        let format = evenhand_formats::import::recognise(text.as_bytes());
        assert_ne!(format, Some(Format::Tango), "{text}");
    }
}
