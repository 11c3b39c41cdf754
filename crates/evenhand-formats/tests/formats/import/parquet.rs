//! Tables in Parquet become trials.
use evenhand_formats::import::{Format, import, recognise};

const ONE: &[u8] = include_bytes!("../../fixtures/parquet/one-column.parquet");

#[test]
fn it_is_recognised_with_and_without_the_feature() {
    assert_eq!(recognise(ONE), Some(Format::Parquet));
    assert_eq!("parquet".parse(), Ok(Format::Parquet));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_is_refused_with_the_way_out() {
    let error = import(ONE, "x.parquet", None).unwrap_err().to_string();
    assert!(error.contains("built without it") && error.contains("CSV"), "{error}");
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use super::*;
    use evenhand_trial::{Origin, Trial};

    const SNAPPY: &[u8] = include_bytes!("../../fixtures/parquet/arm-value-snappy.parquet");
    const GZIP: &[u8] = include_bytes!("../../fixtures/parquet/arm-value.parquet");
    const PLAIN: &[u8] = include_bytes!("../../fixtures/parquet/arm-value-none.parquet");
    const AS_CSV: &[u8] = include_bytes!("../../fixtures/parquet/arm-value.csv");
    const WIDE: &[u8] = include_bytes!("../../fixtures/parquet/wide.parquet");

    fn read(bytes: &[u8]) -> Result<Trial, String> {
        import(bytes, "x.parquet", Some(Format::Parquet)).map_err(|error| error.to_string())
    }

    #[test]
    fn one_column_is_one_arm() {
        let trial = import(ONE, "dir/one.parquet", None).unwrap();
        assert!(matches!(&trial.origin, Origin::Imported { format, .. } if format == "parquet"));
        assert_eq!((trial.arms[0].name.as_str(), trial.metrics[0].unit.symbol()), ("one", "s"));
        assert_eq!(trial.series[0].len(), 50);
        assert_eq!(trial.series[0].values[0][..3], [0.001_000_123, 0.001_030_325, 0.000_972_959]);
    }

    #[test]
    fn the_long_form_is_that_of_the_csv() {
        let csv = import(AS_CSV, "x.csv", None).unwrap();
        assert_eq!(csv.arms.len(), 2);
        for bytes in [SNAPPY, GZIP, PLAIN] {
            let trial = read(bytes).unwrap();
            assert_eq!((&trial.arms, &trial.metrics, &trial.series), (&csv.arms, &csv.metrics, &csv.series));
        }
    }

    #[test]
    fn the_wide_form_takes_whole_numbers_floats_and_nulls() {
        let trial = read(WIDE).unwrap();
        assert_eq!(trial.arms.iter().map(|arm| &*arm.name).collect::<Vec<_>>(), ["old", "new"]);
        assert_eq!(trial.series[0].values[0][..5], [1078.0, 1090.0, 1099.0, 1015.0, 1041.0]);
        // The null after the third is left out.
        assert_eq!(
            trial.series[1].values[0][..4],
            [1_100.803_710_937_5, 1_094.680_786_132_812_5, 1_098.932_495_117_187_5, 1_089.817_382_812_5]
        );
        assert_eq!((trial.series[0].len(), trial.series[1].len()), (20, 19));
    }

    #[test]
    fn what_is_no_table_of_numbers_is_refused() {
        let cases: [(&[u8], &str); 5] = [
            (include_bytes!("../../fixtures/parquet/strange-date.parquet"), "column \"t\": holds"),
            (include_bytes!("../../fixtures/parquet/strange-list.parquet"), "is nested"),
            (
                include_bytes!("../../fixtures/parquet/strange-negative.parquet"),
                "row 2, column \"t_ns\": -1 is not",
            ),
            (include_bytes!("../../fixtures/parquet/strange-zstd.parquet"), "Parquet: "),
            (b"PAR1 and no more", "Parquet: "),
        ];
        for (bytes, expected) in cases {
            let error = read(bytes).unwrap_err();
            assert!(error.contains(expected), "wanted {expected}: {error}");
        }
        assert!(read(b"").unwrap_err().contains("empty"));
    }

    #[test]
    fn a_cut_file_is_an_error() {
        for end in (1..SNAPPY.len()).step_by(13) {
            assert!(read(&SNAPPY[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn a_file_with_a_wrong_byte_anywhere_is_an_answer() {
        for place in (0..SNAPPY.len()).step_by(3) {
            let mut bytes = SNAPPY.to_vec();
            bytes[place] ^= 0xff;
            if let Ok(trial) = read(&bytes) {
                assert!(trial.check().is_ok());
            }
        }
    }
}
