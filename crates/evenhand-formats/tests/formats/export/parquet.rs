//! A trial written in Parquet and read back.
use evenhand_formats::export::{Format, export};
use evenhand_trial::{Trial, json};

fn trial() -> Trial {
    let text = include_str!("../../fixtures/export/trial.json");
    json::read(text.as_bytes()).unwrap()
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_is_refused_with_the_way_out() {
    let mut output = Vec::new();
    let error = export(&trial(), Format::Parquet, &mut output).unwrap_err().to_string();
    assert!(error.contains("without parquet") && error.contains("csv"), "{error}");
    assert!(output.is_empty());
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use super::*;
    use evenhand_formats::import::import;
    use evenhand_trial::{LaunchId, Series, Whole};

    fn written(trial: &Trial) -> Vec<u8> {
        let mut output = Vec::new();
        export(trial, Format::Parquet, &mut output).unwrap();
        output
    }

    #[test]
    fn every_column_comes_back() {
        let trial = trial();
        let back = import(&written(&trial)[..], "x.parquet", None).unwrap();
        assert_eq!(back.arms, trial.arms);
        assert_eq!(back.metrics, trial.metrics);
        // NaN is not equal to itself: compared as text.
        assert_eq!(format!("{:?}", back.series), format!("{:?}", trial.series));
    }

    #[test]
    fn it_holds_what_the_csv_holds() {
        let trial = trial();
        let mut text = Vec::new();
        export(&trial, Format::Csv, &mut text).unwrap();
        let from_csv = import(&text[..], "x.csv", None).unwrap();
        let back = import(&written(&trial)[..], "x.parquet", None).unwrap();
        assert_eq!(format!("{:?}", back.series), format!("{:?}", from_csv.series));
    }

    #[test]
    fn the_same_trial_gives_the_same_bytes() {
        assert_eq!(written(&trial()), written(&trial()));
    }

    #[test]
    fn many_row_groups_come_back() {
        let mut trial = trial();
        let mut long = Series::new(trial.series[0].arm, LaunchId(3), 2);
        long.iterations = Whole::Same { same: 1 };
        long.values = vec![(0..300_000).map(f64::from).collect(), Vec::new()];
        trial.series.push(long);
        let back = import(&written(&trial)[..], "x.parquet", None).unwrap();
        assert_eq!(back.series[2], trial.series[2]);
    }

    #[test]
    fn a_trial_without_samples_is_refused() {
        let mut trial = trial();
        trial.series.clear();
        let error = export(&trial, Format::Parquet, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("parquet holds samples"), "{error}");
    }
}
