//! What comes back when an exported file is imported: every sample of the CSV and of Parquet, and hyperfine's JSON as hyperfine's own.

use evenhand_formats::export::{FORMATS, Format, export};
use evenhand_formats::import::import;
use evenhand_trial::{ArmId, MetricId, Series, Trial};
use proptest::prelude::*;

/// The forms that hold every sample as a row of a table.
fn tables() -> impl Iterator<Item = Format> {
    FORMATS.into_iter().filter(|format| matches!(format, Format::Csv | Format::Parquet))
}

fn back(trial: &Trial, format: Format) -> Trial {
    let mut bytes = Vec::new();
    export(trial, format, &mut bytes).unwrap();
    import(bytes.as_slice(), "back", None).unwrap()
}

/// Everything of an arm's samples that the CSV holds: launch, round, position, start, iterations, bits of the numbers.
type Row = (u32, Option<u64>, Option<u64>, Option<u64>, Option<u64>, Vec<Option<u64>>);

fn rows(trial: &Trial, arm: &str) -> Vec<Row> {
    let of_arm = trial.series.iter().filter(|series| trial.arms[series.arm.index()].name == arm);
    let row = |series: &Series, index: usize| -> Row {
        let value = |column: &Vec<f64>| {
            column.get(index).filter(|value| !value.is_nan()).map(|value| value.to_bits())
        };
        (
            series.launch.0,
            series.rounds.get(index),
            series.positions.as_ref().and_then(|all| all.get(index)),
            series.started.as_ref().and_then(|all| all.get(index)),
            series.iterations.get(index),
            series.values.iter().map(value).collect(),
        )
    };
    of_arm.flat_map(|series| (0..series.len()).map(move |index| row(series, index))).collect()
}

/// Without negative numbers: a table of a foreign tool that holds one is refused.
fn possible() -> Trial {
    let mut trial = crate::trials::full();
    trial.metrics.remove(6);
    trial.failures.clear();
    trial.reported.clear();
    trial.series.iter_mut().for_each(|series| drop(series.values.remove(6)));
    trial
}

#[test]
fn every_sample_of_a_table_comes_back_under_the_same_names() {
    let trial = possible();
    tables().for_each(|format| comes_back(&trial, format));
}

fn comes_back(trial: &Trial, format: Format) {
    let back = back(trial, format);
    let metrics = |trial: &Trial| -> Vec<_> {
        trial.metrics.iter().map(|metric| (metric.name.clone(), metric.unit.clone(), metric.per)).collect()
    };
    assert_eq!(metrics(&back), metrics(trial));
    assert_eq!(back.arms.len(), trial.arms.len());
    for arm in &trial.arms {
        assert!(
            back.arms.iter().any(|other| (&other.name, &other.group) == (&arm.name, &arm.group)),
            "{arm:?}"
        );
        assert_eq!(rows(&back, &arm.name), rows(trial, &arm.name), "{format} {}", arm.name);
    }
}

#[test]
fn names_with_spaces_and_words_for_time_stay_as_they_are() {
    let mut trial = crate::trials::small();
    trial.arms[0].name = " old ".to_owned();
    trial.arms[1].name = "\tnew".to_owned();
    trial.arms[1].group = "#1 ".to_owned();
    let named = ["time", "wall time", " Value", "n (a) b", "t_ns", "seconds", "x\ty;z"];
    trial.metrics = named
        .into_iter()
        .map(|name| {
            crate::trials::metric(name, "µs", evenhand_trial::Per::Sample, evenhand_trial::Better::Lower)
        })
        .collect();
    for series in &mut trial.series {
        series.values = vec![series.values[0].clone(); named.len()];
    }
    for format in tables() {
        comes_back(&trial, format);
    }
}

#[test]
fn series_of_one_arm_and_launch_follow_each_other() {
    let mut trial = crate::trials::small();
    trial.series.extend(trial.series.clone());
    for format in tables() {
        comes_back(&trial, format);
        assert_eq!(back(&trial, format).series.len(), 4, "{format}");
    }
}

#[test]
fn hyperfines_json_comes_back_with_its_times_and_figures() {
    let mut trial = possible();
    trial.arms.iter_mut().for_each(|arm| arm.group.clear());
    let again = back(&trial, Format::Hyperfine);
    assert_eq!(again.arms.len(), trial.arms.len());
    for (index, arm) in trial.arms.iter().enumerate() {
        assert_eq!(again.arms[index].name, arm.name);
        assert_eq!(again.arms[index].parameters, arm.parameters);
        let times = |series: &Series, column: &[f64]| -> Vec<f64> {
            let costs = column.iter().zip(series.iterations.iter(series.len()));
            costs.map(|(value, iterations)| value / iterations as f64 / 1e9).collect()
        };
        let of = |series: &&Series| series.arm == ArmId(index as u32);
        let expected: Vec<f64> =
            trial.series.iter().filter(of).flat_map(|one| times(one, one.column(MetricId(0)))).collect();
        let found: Vec<f64> =
            again.series.iter().filter(of).flat_map(|one| one.column(MetricId(0)).to_vec()).collect();
        assert_eq!(found, expected);
    }
    // The second export is the first, to the byte: nothing drifts.
    let bytes = |trial: &Trial| {
        let mut bytes = Vec::new();
        export(trial, Format::Hyperfine, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert_eq!(bytes(&again), bytes(&trial));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_number_of_a_table_comes_back_to_the_bit(trial in crate::trials::any_trial()) {
        let mut trial = trial;
        trial.series.retain(|series| !series.is_empty());
        prop_assume!(!trial.series.is_empty());
        for format in tables() {
            let back = back(&trial, format);
            for arm in &trial.arms {
                prop_assert_eq!(rows(&back, &arm.name), rows(&trial, &arm.name), "{} {}", format, arm.name);
            }
        }
    }
}
