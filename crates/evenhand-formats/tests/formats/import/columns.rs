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
fn an_index_without_a_heading_is_no_arm() {
    for heading in ["", "\"\"", "Unnamed: 0"] {
        let trial = read(&format!("{heading},old,new\n0,12.5,13.5\n1,12.25,\n2,12.75,13.25\n")).unwrap();
        assert_eq!(names(&trial), ["old", "new"], "{heading}");
        assert_eq!(trial.series[1].values[0], [13.5, 13.25]);
    }
    let long = read(",arm,wall (ms)\n0,a,1.5\n1,b,2.5\n2,a,1.25\n").unwrap();
    assert_eq!((names(&long), unit(&long)), (vec!["a", "b"], ("wall", "ms")));
    assert_eq!(long.metrics.len(), 1);
    for (text, expected) in [
        (
            ",old\n1.5,2\n",
            "line 2, column \"\": \"1.5\" is not a whole number from 0 on; a first column without a",
        ),
        (
            ",mean\nold,2\n",
            "\"old\" is not a whole number from 0 on; a first column without a heading is read as",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_count_of_rows_is_no_arm_and_an_arm_that_is_named_like_one_is() {
    for heading in ["run", "Run", "iteration"] {
        let trial = read(&format!("{heading},time_ms\n1,12.5\n2,12.25\n3,12.75\n")).unwrap();
        assert_eq!((names(&trial), unit(&trial)), (vec!["times"], ("wall", "ms")), "{heading}");
        assert!(noted(&trial, &format!("the column \"{heading}\" counts the rows: it is passed over")));
    }
    let arms = read("run,build\n12,13.5\n12,13.25\n14,13.75\n").unwrap();
    assert_eq!(names(&arms), ["run", "build"]);
    assert_eq!(names(&read("run\n1\n2\n3\n").unwrap()), ["run"]);
}

#[test]
fn the_verdict_of_a_long_table_is_on_its_time() {
    let trial = read("arm,run,size,time_ms\na,1,9,12.5\na,1,8,13.5\nb,4,7,14.5\n").unwrap();
    let metrics: Vec<&str> = trial.metrics.iter().map(|metric| &*metric.name).collect();
    assert_eq!(metrics, ["wall", "run", "size"]);
    assert_eq!(trial.series[0].values, [[12.5, 13.5], [1.0, 1.0], [9.0, 8.0]]);
    // Our own export stays as it is.
    let own = import(OUR_OWN.replace("wall (ns)", "a (B)").replace("faults", "b (ns)").as_bytes(), "x", None);
    assert_eq!(own.unwrap().metrics[0].name, "a");
}

#[test]
fn when_a_row_was_written_is_no_measurement() {
    for (heading, moments) in [
        ("time", ["1700000000", "1700000001.5", "1700000001.5"]),
        ("timestamp", ["1700000000123", "1700000000124", "1700000000999"]),
        ("Time", ["1700000000123456789", "1700000000123456790", "1700000000123456799"]),
        ("timestamp_ms", ["1700000000123", "1700000000124", "1700000000999"]),
        ("date", ["2026-01-05T12:00:00Z", "2026-01-05T12:00:01Z", "2026-01-06T12:00:01+01:00"]),
        ("date", ["2026-01-05 12:00:00", "2026-01-05 12:00:01", "2026-01-06 12:00:01"]),
    ] {
        let rows: Vec<String> =
            moments.iter().zip([12.5, 12.25, 13.0]).map(|(at, ms)| format!("{at},{ms}\n")).collect();
        let wide = read(&format!("{heading},load_ms\n{}", rows.concat())).unwrap();
        assert_eq!((names(&wide), wide.sample_count()), (vec!["load"], 3), "{heading}");
        assert!(noted(
            &wide,
            &format!("the column \"{heading}\" says when each row was written: it is passed over")
        ));
        let rows: Vec<String> = rows.iter().map(|row| format!("a,{row}")).collect();
        let long = read(&format!("arm,{heading},load_ms\n{}", rows.concat())).unwrap();
        assert_eq!(unit(&long), ("load", "ms"), "{heading}");
        assert_eq!(long.metrics.len(), 1);
    }
    // Durations of seconds in nanoseconds are not in order.
    let durations = read("time,other\n1200000000,1\n1190000000,2\n").unwrap();
    assert_eq!(names(&durations), ["time", "other"]);
    assert!(read("load_ms,b\n2026-01-05T12:00:00Z,1\n").unwrap_err().contains("is not a number"));
}

#[test]
fn a_lone_column_is_numbers_whatever_it_is_named() {
    for heading in ["iterations", "round", "launch", "arm", "position"] {
        let trial = read(&format!("{heading}\n12.5\n13.5\n")).unwrap();
        assert_eq!((names(&trial), trial.sample_count()), (vec![heading], 2));
    }
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    for (text, line) in [
        ("a\r\n1\r\n2\r\nx\r\n", 4),
        ("a\r\n1\r\n2\r\nx", 4),
        ("a\n1\n\n\n# why\n  \nx\n2\n", 7),
        ("a\n1\n\n\nx", 5),
        ("\"a\nb\"\n1\nx\n", 4),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(&format!("line {line}, column")), "{text:?}: {error}");
    }
    let windows = OUR_OWN.replace('\n', "\r\n").replace("8023456,,", "8023456,,x");
    let error = import(windows.as_bytes(), "x", None).unwrap_err().to_string();
    assert!(error.contains("line 3, column \"faults\": \"x\""), "{error}");
}

#[test]
fn our_own_form_survives_the_line_ends_of_windows() {
    let ours = import(OUR_OWN.as_bytes(), "x", None).unwrap();
    let mut windows = import(OUR_OWN.replace('\n', "\r\n").as_bytes(), "x", None).unwrap();
    windows.arms[2].name = windows.arms[2].name.replace('\r', "");
    assert_eq!(
        format!("{:?}{:?}", ours.arms, ours.metrics),
        format!("{:?}{:?}", windows.arms, windows.metrics)
    );
    assert_eq!(ours.sample_count(), windows.sample_count());
}

#[test]
fn a_last_line_without_its_end_is_said() {
    let words = "the last line has no line end: if the file was cut off there, its last number is cut too";
    for text in ["12.5\n13.", "a\r\n12.5\r\n13", "arm,wall (ns)\na,12.5\na,1"] {
        assert!(noted(&read(text).unwrap(), words), "{text}");
        assert!(!noted(&read(&format!("{text}\n")).unwrap(), words), "{text}");
    }
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
