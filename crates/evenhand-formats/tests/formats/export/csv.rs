//! The long CSV: its cells, read back by an independent reader of CSV.

use evenhand_formats::export::csv::heading;
use evenhand_formats::export::{Format, export};
use evenhand_trial::{Better, LaunchId, Metric, Per, Trial, Unit, Whole};
use proptest::prelude::*;

fn text(trial: &Trial) -> String {
    let mut bytes = Vec::new();
    export(trial, Format::Csv, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn one_row_a_sample() {
    let mut trial = crate::trials::small();
    trial.arms[1].group = "g".to_owned();
    trial.series[1].launch = LaunchId(2);
    trial.series[1].rounds = Whole::Each(vec![3, 5, 9]);
    trial.series[1].positions = Some(Whole::Each(vec![1, 0, 1]));
    trial.series[1].started = Some(Whole::Counting { from: 20_512 });
    trial.series[1].iterations = Whole::Same { same: 4 };
    trial.series[1].values[0][1] = f64::NAN;
    assert_eq!(
        text(&trial),
        "group,arm,launch,round,position,started_ns,iterations,wall (ns)\n\
         ,old,0,0,,,1,8123456\n\
         ,old,0,1,,,1,8123021\n\
         ,old,0,2,,,1,8200000.5\n\
         g,new,2,3,1,20512,4,8023456\n\
         g,new,2,5,0,20513,4,\n\
         g,new,2,9,1,20514,4,8100000.5\n"
    );
}

#[test]
fn a_heading_says_unit_and_what_the_number_belongs_to() {
    let of = |name, unit, per| heading(&crate::trials::metric(name, unit, per, Better::Lower));
    assert_eq!(heading(&Metric::time("wall", Unit::seconds())), "wall (s)");
    assert_eq!(of("max_rss", "B", Per::Iteration), "max_rss (B each)");
    assert_eq!(of("faults", "", Per::Sample), "faults ()");
    assert_eq!(of("faults", "", Per::Iteration), "faults (each)");
    // A bare name would look like a name and a unit.
    assert_eq!(of("faults (major)", "", Per::Sample), "faults (major) ()");
}

#[test]
fn names_stand_as_they_are_whatever_is_in_them() {
    let trial = crate::trials::full();
    let text = text(&trial);
    assert!(text.contains("\nsort,=cmd|' /C calc'!A0,0,0,0,20512,1,"), "{text}");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(&rows.headers().unwrap()[7 + 8], "cache\nmisses_count (% each)");
    let names: Vec<String> = rows.records().map(|row| row.unwrap()[1].to_owned()).collect();
    for (index, arm) in trial.arms.iter().enumerate() {
        assert_eq!(names.iter().filter(|name| **name == arm.name).count(), 8, "arm {index}");
    }
}

#[test]
fn a_group_with_a_hash_is_no_comment() {
    let mut trial = crate::trials::small();
    trial.arms[0].group = "#1".to_owned();
    let text = text(&trial);
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    assert_eq!(rows.records().filter(|row| &row.as_ref().unwrap()[0] == "#1").count(), 3);
}

#[test]
fn a_metric_that_was_not_measured_is_an_empty_column() {
    let text = text(&crate::trials::full());
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    assert!(rows.records().all(|row| row.unwrap()[7 + 7].is_empty()));
}

#[test]
fn numbers_have_the_fewest_digits_that_read_back() {
    let mut trial = crate::trials::small();
    let numbers = [0.1, 1e15, 123_456_789_012_345.0, 5e-324, 1.7976931348623157e308, -0.0, 1.0 / 3.0];
    trial.series.truncate(1);
    trial.series[0].values = vec![numbers.to_vec()];
    let text = text(&trial);
    let cells: Vec<&str> = text.lines().skip(1).map(|row| row.rsplit(',').next().unwrap()).collect();
    let expected = [
        "0.1",
        "1000000000000000.0",
        "123456789012345",
        "5e-324",
        "1.7976931348623157e308",
        "-0",
        "0.3333333333333333",
    ];
    assert_eq!(cells, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_cell_reads_back_to_the_bit(trial in crate::trials::any_trial()) {
        prop_assume!(trial.sample_count() > 0);
        let text = text(&trial);
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let headings: Vec<String> = rows.headers().unwrap().iter().skip(7).map(str::to_owned).collect();
        prop_assert_eq!(headings, trial.metrics.iter().map(heading).collect::<Vec<_>>());
        let mut rows = rows.records();
        for series in &trial.series {
            for index in 0..series.len() {
                let row = rows.next().unwrap().unwrap();
                prop_assert_eq!(&row[0], &trial.arms[series.arm.index()].group);
                prop_assert_eq!(&row[1], &trial.arms[series.arm.index()].name);
                prop_assert_eq!(row[2].parse(), Ok(series.launch.0));
                prop_assert_eq!(row[3].parse().ok(), series.rounds.get(index));
                prop_assert_eq!(row[4].parse().ok(), series.positions.as_ref().and_then(|all| all.get(index)));
                prop_assert_eq!(row[5].parse().ok(), series.started.as_ref().and_then(|all| all.get(index)));
                prop_assert_eq!(row[6].parse().ok(), series.iterations.get(index));
                for (column, cell) in series.values.iter().zip(row.iter().skip(7)) {
                    let value = column.get(index).copied().filter(|value| !value.is_nan());
                    prop_assert_eq!(cell.parse().ok().map(f64::to_bits), value.map(f64::to_bits));
                }
            }
        }
        prop_assert!(rows.next().is_none());
    }
}
