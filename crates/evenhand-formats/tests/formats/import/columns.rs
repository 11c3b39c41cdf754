//! Tables of plain numbers become trials.

use evenhand_formats::import::{Format, import, recognise};
use evenhand_trial::{Origin, Per, Trial, Whole};

fn read(text: &str) -> Result<Trial, String> {
    import(text.as_bytes(), "dir/times.csv", Some(Format::Columns)).map_err(|error| error.to_string())
}

fn names(trial: &Trial) -> Vec<&str> {
    trial.arms.iter().map(|arm| arm.name.as_str()).collect()
}

fn unit(trial: &Trial) -> (&str, &str) {
    (&trial.metrics[0].name, trial.metrics[0].unit.symbol())
}

fn noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

#[test]
fn one_number_a_line_is_one_arm() {
    let trial = import(&b"3\n1.5\n2e2\n"[..], "dir/times.txt", None).unwrap();
    assert!(matches!(&trial.origin, Origin::Imported { format, .. } if format == "columns"));
    assert_eq!(names(&trial), ["times"]);
    assert_eq!(trial.series[0].values[0], [3.0, 1.5, 200.0]);
    assert_eq!(trial.series[0].iterations, Whole::Same { same: 1 });
    assert_eq!(unit(&trial), ("value", ""));
    assert!(noted(&trial, "does not give the unit"));
}

#[test]
fn a_header_says_the_unit() {
    let cases = [
        ("time_ns", "ns"),
        ("seconds", "s"),
        ("ms", "ms"),
        ("µs", "us"),
        ("Time (us)", "us"),
        ("elapsed [ms]", "ms"),
        ("duration sec", "s"),
        ("latency_milliseconds", "ms"),
        ("t_s", "s"),
    ];
    for (header, symbol) in cases {
        let trial = read(&format!("{header}\n1\n2\n")).unwrap();
        assert_eq!(unit(&trial), ("wall", symbol), "{header}");
        assert_eq!(names(&trial), ["times"], "{header}");
        assert!(!noted(&trial, "does not give the unit"));
    }
    for plain in ["sort.h", "a-s", "time", "nsx", "fast)"] {
        let trial = read(&format!("{plain}\n1\n")).unwrap();
        assert_eq!((unit(&trial), names(&trial)), (("value", ""), vec![plain]));
    }
}

#[test]
fn wide_columns_are_arms_and_rows_no_rounds() {
    let text = include_str!("../../fixtures/columns/wide.csv");
    let trial = import(text.as_bytes(), "wide.csv", None).unwrap();
    assert_eq!(names(&trial), ["old", "new"]);
    assert_eq!(unit(&trial), ("wall", "ms"));
    let column = |index: usize| -> Vec<f64> {
        text.lines().skip(1).filter_map(|line| line.split(',').nth(index)?.parse().ok()).collect()
    };
    assert_eq!(trial.series[0].values[0], column(0));
    assert_eq!(trial.series[1].values[0], column(1));
    assert_eq!(trial.series[1].len(), 18);
    assert!(trial.schedule.is_none() && trial.series[0].positions.is_none());
    assert!(noted(&trial, "not treated as pairs"));
}

#[test]
fn pandas_tables_arrive() {
    let wide = read(include_str!("../../fixtures/columns/wide.csv")).unwrap();
    let long =
        import(&include_bytes!("../../fixtures/columns/pandas-long.csv")[..], "long.csv", None).unwrap();
    assert_eq!(names(&long), ["old", "new"]);
    assert_eq!(unit(&long), ("wall", "ms"));
    let one = import(&include_bytes!("../../fixtures/columns/pandas-one.tsv")[..], "one.tsv", None).unwrap();
    assert_eq!(unit(&one), ("wall", "ms"));
    for (ours, theirs) in [
        (&long.series[0], &wide.series[0]),
        (&long.series[1], &wide.series[1]),
        (&one.series[0], &wide.series[0]),
    ] {
        assert_eq!(ours.values, theirs.values);
    }
}

const OUR_OWN: &str = "\
group,arm,launch,round,position,started_ns,iterations,wall (ns),max_rss (B each),faults
sort,old,0,0,1,20512,1,8123456,3219456,
sort,new,0,0,0,1204,1,8023456,,
sort,\"a \"\"quoted\"\",
name\",0,3,,,4,1.5,,7
sort,old,1,0,0,18446744073709551615,2,8123457,,
sort,old,0,5,1,30000,3,8123458,3219457,
";

#[test]
fn our_own_long_form_comes_back_whole() {
    let trial = import(OUR_OWN.as_bytes(), "x.csv", None).unwrap();
    assert_eq!(names(&trial), ["old", "new", "a \"quoted\",\nname"]);
    assert!(trial.arms.iter().all(|arm| arm.group == "sort"));
    let metrics: Vec<_> =
        trial.metrics.iter().map(|metric| (&*metric.name, metric.unit.symbol(), metric.per)).collect();
    assert_eq!(
        metrics,
        [("wall", "ns", Per::Sample), ("max_rss", "B", Per::Iteration), ("faults", "", Per::Sample)]
    );
    let old = &trial.series[0];
    assert_eq!(old.values[0], [8_123_456.0, 8_123_458.0]);
    assert_eq!(old.values[1], [3_219_456.0, 3_219_457.0]);
    assert!(old.values[2].is_empty(), "never measured");
    assert_eq!(old.rounds.iter(2).collect::<Vec<_>>(), [0, 5]);
    assert_eq!(old.positions.as_ref().unwrap().iter(2).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(old.started.as_ref().unwrap().iter(2).collect::<Vec<_>>(), [20_512, 30_000]);
    assert_eq!(old.iterations.iter(2).collect::<Vec<_>>(), [1, 3]);
    let quoted = &trial.series[2];
    assert!(quoted.positions.is_none() && quoted.started.is_none());
    assert_eq!((quoted.iterations.get(0), quoted.rounds.get(0)), (Some(4), Some(3)));
    let launch = &trial.series[3];
    assert_eq!((launch.launch.0, launch.started.as_ref().unwrap().get(0)), (1, Some(u64::MAX)));
    assert!(trial.schedule.is_none() && noted(&trial, "no seed"));
}

#[test]
fn separators_comments_and_marks_are_understood() {
    let expected = [[1.5, 2.5], [3.0, 4.0]];
    for text in [
        "a,b\n1.5,3\n2.5,4\n",
        "a;b\n1.5;3\n2.5;4",
        "a\tb\r\n1.5\t3\r\n2.5\t4\r\n",
        "\u{feff}a,b\n1.5,3\n2.5,4\n",
        "# made today\na, b\n# half way\n1.5, 3\n\n   \n2.5, 4\n",
        "\"a\",\"b\"\n\"1.5\",\"3\"\n\"2.5\",\"4\"\n",
        "a,b\n1.5,3\n,4\n2.5,\n",
    ] {
        assert_eq!(recognise(text.as_bytes()), Some(Format::Columns), "{text}");
        let trial = read(text).unwrap();
        assert_eq!(names(&trial), ["a", "b"], "{text}");
        let ours: Vec<&[f64]> = trial.series.iter().map(|series| &*series.values[0]).collect();
        assert_eq!(ours, expected, "{text}");
    }
    let trial = read("1.5,3\n2.5,4\n").unwrap();
    assert_eq!(names(&trial), ["column 1", "column 2"]);
}

#[test]
fn broken_tables_are_refused_with_the_line() {
    let cases = [
        ("a\n1\n-2\n", "line 3, column \"a\": -2 is not a possible measurement"),
        ("a\n1\nNaN\n", "line 3, column \"a\": NaN"),
        ("a\n1e999\n", "line 2, column \"a\": inf"),
        ("a\n1\ninfinity\n", "line 3"),
        ("a,b\n1,2\n3\n", "line 3: 1 cells where the first row has 2"),
        ("seconds\n1,5\n2,5\n", "decimal comma"),
        ("a;b\n1,5;2,5\n", "\"1,5\" has a decimal comma; write numbers with a point"),
        ("0,012\n0,013\n", "line 1: a number starts with 0"),
        ("a,b\n1,x\n", "column \"b\": \"x\" is not a number"),
        ("arm,arm,wall\nx,y,1\n", "two columns are named \"arm\""),
        ("arm,round\nx,1\n", "no column of numbers"),
        ("arm,round,t\nx,1,5\nx,1,5\n", "line 3: round 1 of \"x\" in launch 0 comes after round 1"),
        ("arm,round,t\nx,-1,5\n", "\"-1\" is not a whole number"),
        ("arm,iterations,t\nx,0,5\n", "0 iterations"),
        ("arm,launch,t\nx,4294967296,5\n", "beyond 2^32"),
        ("arm,position,t\nx,4294967296,5\n", "beyond 2^32"),
        ("arm,t\nx,\n", "holds no result"),
        ("a\n", "holds no result"),
        ("# nothing\n", "holds no result"),
        ("", "empty"),
    ];
    for (text, expected) in cases {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = import(&b"a\n1\n\xff\n"[..], "x", Some(Format::Columns)).unwrap_err().to_string();
    assert!(error.contains("line 3: is not UTF-8"), "{error}");
}

#[test]
fn half_a_letter_in_each_of_two_cells_is_none() {
    let error = import(&b"a,b\n\xc3,\xa9\n"[..], "x", Some(Format::Columns)).unwrap_err().to_string();
    assert!(error.contains("line 2: is not UTF-8"), "{error}");
    let names = import("\u{e4}\u{f6}, b \n1, 2\n".as_bytes(), "x", Some(Format::Columns)).unwrap();
    assert_eq!([&names.arms[0].name, &names.arms[1].name], ["\u{e4}\u{f6}", "b"]);
}

#[test]
fn an_open_quote_does_not_swallow_the_file() {
    let endless = std::io::Read::chain(&b"a\n1\n\""[..], std::io::Read::take(std::io::repeat(b'7'), 1 << 40));
    let error = import(endless, "x", Some(Format::Columns)).unwrap_err().to_string();
    assert!(error.contains("longer than 1 MiB"), "{error}");
}

#[test]
fn a_large_table_is_read_to_its_end() {
    let mut text = String::from("arm,wall (ns)\n");
    for index in 0..200_000 {
        text.push_str(if index % 2 == 0 { "a," } else { "b," });
        text.push_str(&format!("{index}\n"));
    }
    let trial = read(&text).unwrap();
    assert_eq!((trial.series[0].len(), trial.series[1].len()), (100_000, 100_000));
    assert_eq!(trial.series[1].values[0][99_999], 199_999.0);
}

#[test]
fn what_is_no_table_is_not_recognised() {
    for text in [
        "{\"a\": 1}\n2\n",
        "[1, 2]\n",
        "<a>1</a>\n2\n",
        "hello world\n",
        "goos: linux\ngoarch: amd64\n",
        "\0\u{1}1\n",
        "",
    ] {
        assert_ne!(recognise(text.as_bytes()), Some(Format::Columns), "{text}");
    }
    assert_ne!(recognise(&[0x31, 0x0a, 0xff, 0x0a]), Some(Format::Columns));
}
