//! What all forms share: names, endings, refusals, the JSON that comes back to the bit.

use evenhand_formats::export::{ExportError, FORMATS, Format, export};
use evenhand_formats::import;
use evenhand_trial::{ArmId, Trial};
use proptest::prelude::*;
use std::io::{self, Write};
use std::path::Path;

fn exported(trial: &Trial, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(trial, format, &mut bytes).unwrap();
    bytes
}

#[test]
fn every_form_is_found_by_its_name() {
    for format in FORMATS {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let parquet = if cfg!(feature = "parquet") { "parquet, " } else { "" };
    let words =
        format!("\"xls\" is not a format to write: choose one of json, csv, {parquet}openmetrics, hyperfine");
    assert_eq!("xls".parse::<Format>(), Err(words));
}

#[test]
fn the_ending_of_a_file_stands_for_a_form() {
    let of = |path: &str| Format::of_path(Path::new(path));
    assert_eq!(of("out/trial.json"), Some(Format::Json));
    assert_eq!(of("TRIAL.CSV"), Some(Format::Csv));
    for ending in ["om", "openmetrics", "prom"] {
        assert_eq!(of(&format!("trial.{ending}")), Some(Format::OpenMetrics));
    }
    assert_eq!(of("trial.parquet"), Some(Format::Parquet), "built in or not: the refusal says what to do");
    for unknown in ["trial.txt", "trial", ".csv", "json/", "trial.json.gz"] {
        assert_eq!(of(unknown), None, "{unknown}");
    }
}

#[test]
fn the_same_trial_gives_the_same_bytes() {
    for format in FORMATS {
        assert_eq!(
            exported(&crate::trials::full(), format),
            exported(&crate::trials::full(), format),
            "{format}"
        );
    }
}

#[test]
fn a_trial_that_breaks_a_rule_is_refused_and_nothing_is_written() {
    let mut trial = crate::trials::small();
    trial.series[0].arm = ArmId(7);
    for format in FORMATS {
        let mut bytes = Vec::new();
        let error = export(&trial, format, &mut bytes).unwrap_err();
        assert!(matches!(error, ExportError::Broken(_)), "{format}: {error}");
        assert!(bytes.is_empty());
    }
}

#[test]
fn refusals_say_what_to_do_and_write_nothing() {
    let mut empty = crate::trials::small();
    empty.series.clear();
    let mut silent_arm = crate::trials::small();
    silent_arm.series.remove(1);
    let mut bytes_first = crate::trials::full();
    bytes_first.metrics.swap(0, 2);
    let mut huge = crate::trials::small();
    huge.series[1].values[0][0] = 1e300;
    let cases = [
        (
            &empty,
            Format::Csv,
            "csv holds samples, and the trial has none: choose --to json, which holds everything",
        ),
        (
            &empty,
            Format::OpenMetrics,
            "openmetrics holds samples, and the trial has none: choose --to json, which holds everything",
        ),
        (
            &empty,
            Format::Hyperfine,
            "hyperfine holds samples, and the trial has none: choose --to json, which holds everything",
        ),
        (
            &silent_arm,
            Format::Hyperfine,
            "hyperfine cannot hold an entry without samples, such as \"new\"; choose --to json or csv",
        ),
        (
            &bytes_first,
            Format::Hyperfine,
            "hyperfine holds times, and the trial's first metric, \"max_rss\", is in \"KiB\"; choose --to json or csv",
        ),
        (
            &huge,
            Format::Hyperfine,
            "hyperfine needs figures that \"new\" does not have (samples: value 0 is outside 1e-140..1e140, its \
             square cannot be held); choose --to json or csv",
        ),
    ];
    for (trial, format, words) in cases {
        let mut bytes = Vec::new();
        let error = export(trial, format, &mut bytes).unwrap_err();
        assert_eq!(error.to_string(), words);
        assert!(bytes.is_empty(), "{format} wrote {} bytes before it refused", bytes.len());
    }
}

/// Takes some bytes, then fails; or fails only when flushed.
struct Full {
    room: usize,
    fails_to_flush: bool,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.fails_to_flush { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
    }
}

#[test]
fn an_output_that_fails_at_any_byte_is_reported() {
    for format in FORMATS {
        let length = exported(&crate::trials::full(), format).len();
        for room in [0, 1, length / 2, length - 1] {
            let error = export(&crate::trials::full(), format, &mut Full { room, fails_to_flush: false })
                .unwrap_err();
            let ExportError::Write(cause) = error else { panic!("{format}, {room} bytes: {error}") };
            assert_eq!(cause.kind(), io::ErrorKind::StorageFull, "{format}, {room} bytes");
        }
        export(&crate::trials::full(), format, &mut Full { room: length, fails_to_flush: false }).unwrap();
        let error = export(&crate::trials::full(), format, &mut Full { room: length, fails_to_flush: true })
            .unwrap_err();
        assert!(matches!(error, ExportError::Write(_)), "{format}: {error}");
    }
}

#[test]
fn output_comes_in_pieces_however_long_the_trial_is() {
    struct Longest(usize);
    impl Write for Longest {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.max(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut trial = crate::trials::small();
    trial.series.iter_mut().for_each(|series| series.values = vec![vec![8_123_456.5; 50_000]]);
    for format in FORMATS {
        let mut longest = Longest(0);
        export(&trial, format, &mut longest).unwrap();
        assert!((1..=64 * 1024).contains(&longest.0), "{format} wrote {} bytes at once", longest.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn json_comes_back_to_the_bit(trial in crate::trials::any_trial()) {
        let bytes = exported(&trial, Format::Json);
        match import::import(bytes.as_slice(), "own.json", None) {
            Ok(back) => {
                prop_assert_eq!(&back.id, &trial.id);
                prop_assert_eq!(back.fingerprint(), trial.fingerprint());
                prop_assert_eq!(exported(&back, Format::Json), bytes);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn no_trial_breaks_the_parquet_writer(trial in crate::trials::any_trial()) {
        let mut bytes = Vec::new();
        match export(&trial, Format::Parquet, &mut bytes) {
            Ok(()) => prop_assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")),
            Err(error) => {
                prop_assert!(matches!(error, ExportError::NoSamples { .. } | ExportError::NoSamplesOfArm { .. } | ExportError::NotBuiltIn { .. }), "{}", error);
                prop_assert!(bytes.is_empty());
            }
        }
    }

    #[test]
    fn no_trial_breaks_a_writer(trial in crate::trials::any_trial()) {
        for format in FORMATS.into_iter().filter(|format| *format != Format::Parquet) {
            let mut bytes = Vec::new();
            if export(&trial, format, &mut bytes).is_ok() {
                prop_assert!(bytes.ends_with(b"\n"), "{} does not end its last line", format);
                prop_assert!(String::from_utf8(bytes).is_ok(), "{} is no UTF-8", format);
            }
        }
    }
}
