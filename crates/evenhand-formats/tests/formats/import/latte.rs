//! latte's report becomes a trial, and no histogram, however hostile, does harm.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use evenhand_formats::import::{Format, ImportError, import};
use evenhand_trial::{Better, Origin, Trial};
use flate2::{Compression, write::ZlibEncoder};
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer, V2Serializer};
use proptest::prelude::*;
use std::io::Write;

const REPORT: &str = include_str!("../../fixtures/latte/report.json");

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "report.json", Some(Format::Latte))
}

fn tree() -> serde_json::Value {
    serde_json::from_str(REPORT).unwrap()
}

#[test]
fn latencies_arrive_with_their_histogram() {
    let trial = import(REPORT.as_bytes(), "report.json", None).unwrap();
    assert!(matches!(&trial.origin, Origin::Imported { format, .. } if format == "latte"));
    let names: Vec<&str> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["mixed", "mixed: read", "mixed: write"]);
    assert!(
        trial.arms.iter().all(|arm| arm.group == arm.name),
        "functions are no alternatives to each other"
    );
    let metrics: Vec<(&str, &str)> =
        trial.metrics.iter().map(|metric| (metric.name.as_str(), metric.unit.symbol())).collect();
    assert_eq!(metrics, [("wall", "ms"), ("request", "ms"), ("cycle_throughput", "1/s")]);
    assert_eq!(trial.metrics[2].better, Better::Higher);

    let (ours, file) = (&trial.reported[0], tree());
    let theirs = &file["result"]["cycle_latency"];
    let percentile = |index: usize| theirs["percentiles"][index]["value"].as_f64();
    assert_eq!(
        (ours.mean, ours.mean_error),
        (theirs["mean"]["value"].as_f64(), theirs["mean"]["std_err"].as_f64())
    );
    assert_eq!((ours.min, ours.median, ours.max), (percentile(0), percentile(6), percentile(14)));
    assert_eq!(ours.percentiles[12], (99.9, percentile(12).unwrap()));
    assert_eq!(ours.percentiles.len(), 15);
    assert_eq!(ours.samples, Some(2000));
    assert_eq!(ours.more["effective_samples"], 1000.0);
    assert_eq!(ours.more["p99.9 std_err"], theirs["percentiles"][12]["std_err"].as_f64().unwrap());
    assert_eq!(trial.reported[1].metric.index(), 1, "the latency of requests");
    assert_eq!(trial.reported[2].samples, Some(1500), "read");
    assert_eq!(trial.reported[3].samples, Some(500), "write");
}

#[test]
fn the_buckets_are_those_of_the_crate_that_wrote_them() {
    let trial = read(REPORT).unwrap();
    let encoded = tree()["result"]["cycle_latency"]["histogram"].as_str().unwrap().to_owned();
    let bytes = STANDARD.decode(encoded).unwrap();
    let theirs: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
    assert_eq!(trial.reported[0].histogram, expected(&theirs));
}

/// What the crate `hdrhistogram` finds in its histogram, in milliseconds.
fn expected(histogram: &Histogram<u64>) -> Vec<(f64, u64)> {
    histogram
        .iter_recorded()
        .map(|bucket| {
            (histogram.median_equivalent(bucket.value_iterated_to()) as f64 * 1e-6, bucket.count_at_value())
        })
        .collect()
}

#[test]
fn settings_and_throughput_arrive_and_the_password_does_not() {
    let trial = read(REPORT).unwrap();
    let parameters = &trial.arms[0].parameters;
    assert_eq!(parameters["functions"], "read:3,write:1");
    assert_eq!(parameters["rate"], "12000");
    assert_eq!((&*parameters["threads"], &*parameters["concurrency"]), ("2", "64"));
    assert_eq!((&*parameters["-P rows"], &*parameters["tags"]), ("1000", "nightly"));
    assert_eq!(trial.environment.other["database version"], "5.0.2");
    assert_eq!(trial.environment.other["cluster"], "test");
    assert_eq!(trial.started.unwrap().to_string(), "2025-10-09T08:53:20.25Z");
    assert_eq!(trial.series[0].values[2], [10_250.5, 10_310.25, 10_180.75, 10_400.0]);
    assert_eq!(trial.reported.last().unwrap().mean, Some(10_285.375));
    assert!(trial.notes.iter().any(|note| note.to_string().starts_with("2 cycles ended with an error")));
    assert!(trial.notes.iter().any(|note| note.to_string().contains("not their order")));
    assert!(!serde_json::to_string(&trial).unwrap().contains("secret"));
}

fn with_histogram(bytes: &[u8]) -> String {
    let mut file = tree();
    file["result"]["cycle_latency"]["histogram"] = STANDARD.encode(bytes).into();
    file.to_string()
}

/// A V2 histogram with any header and any counts.
fn raw(digits: u32, lowest: u64, counts: &[u8]) -> Vec<u8> {
    let mut bytes = 0x1c84_9313_u32.to_be_bytes().to_vec();
    bytes.extend((counts.len() as u32).to_be_bytes());
    bytes.extend(0_u32.to_be_bytes());
    bytes.extend(digits.to_be_bytes());
    bytes.extend(lowest.to_be_bytes());
    bytes.extend(u64::MAX.to_be_bytes());
    bytes.extend(1_f64.to_be_bytes());
    bytes.extend(counts);
    bytes
}

fn compressed(plain: &[u8]) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(plain).unwrap();
    let zlib = zlib.finish().unwrap();
    let mut bytes = 0x1c84_9314_u32.to_be_bytes().to_vec();
    bytes.extend((zlib.len() as u32).to_be_bytes());
    bytes.extend(zlib);
    bytes
}

#[test]
fn hostile_histograms_are_refused() {
    // Zigzag: 1 is -1, 2 is 1; nine times 0xff is the smallest number, so the longest skip.
    let longest_skip = [0xff_u8; 9];
    let skip_twice = [&longest_skip[..], &longest_skip, &[2]].concat();
    let largest = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let cases = [
        (Vec::new(), "not an HDR histogram"),
        (b"HIST".to_vec(), "not an HDR histogram"),
        (raw(6, 1, &[2]), "precise"),
        (raw(u32::MAX, 1, &[2]), "precise"),
        (raw(3, 0, &[2]), "precise"),
        (raw(3, u64::MAX, &[&longest_skip[..], &[2]].concat()), "beyond 2^64"),
        (raw(3, 1, &skip_twice), "its end"),
        (raw(3, 1, &[0x80]), "cut off"),
        (raw(3, 1, &[largest, largest, largest].concat()), "more than 2^64 cycles"),
        (raw(5, 1, &[2; 5_000_000]), "more buckets"),
        (compressed(&raw(5, 1, &[2; 5_000_000])), "more buckets"),
        (raw(3, 1, &[2, 2])[..41].to_vec(), "cut off"),
        (compressed(b"nothing of the kind"), "not around a V2 histogram"),
        ([&compressed(&raw(3, 1, &[2]))[..8], &[1, 2, 3]].concat(), "cut off"),
    ];
    for (bytes, expected) in cases {
        let error = read(&with_histogram(&bytes)).unwrap_err().to_string();
        assert!(error.contains("result.cycle_latency.histogram"), "{error}");
        assert!(error.contains(expected), "wanted {expected}: {error}");
    }
    let empty = read(&with_histogram(&raw(3, 1, &[]))).unwrap();
    assert_eq!(empty.reported[0].samples, Some(0));
}

#[test]
fn broken_reports_are_refused_with_the_place() {
    let change = |pointer: &str, value: serde_json::Value| {
        let mut file = tree();
        *file.pointer_mut(pointer).unwrap() = value;
        file.to_string()
    };
    let latency = "/result/cycle_latency";
    let cases = [
        (change(&format!("{latency}/histogram"), "§".into()), "result.cycle_latency.histogram"),
        (change(&format!("{latency}/percentiles"), serde_json::json!([])), "0 values for 15 percentiles"),
        (change(&format!("{latency}/mean/value"), (-1).into()), "-1 is not a possible"),
        (change("/percentiles/0", 101.into()), "0 to 100, ascending"),
        (change("/result/start_time", "yesterday".into()), "result.start_time"),
        (change("/result/log", 3.into()), "a sequence"),
        (change("/result/cycle_latency_by_fn/read/histogram", "AAAA".into()), "cycle_latency_by_fn.read"),
        (REPORT[..REPORT.len() / 2].to_owned(), "ends too early"),
    ];
    for (text, expected) in cases {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "wanted {expected}: {error}");
    }
    assert!(read("").unwrap_err().to_string().contains("empty"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_histogram_comes_back(
        digits in 0_u8..=5,
        lowest in 1_u64..5000,
        values in prop::collection::vec((1_u64..1 << 40, 1_u64..1 << 30), 1..40),
        compress in any::<bool>(),
    ) {
        let mut theirs = Histogram::<u64>::new_with_bounds(lowest, 1 << 41, digits).unwrap();
        values.iter().for_each(|(value, count)| theirs.record_n(*value, *count).unwrap());
        let mut bytes = Vec::new();
        if compress {
            V2DeflateSerializer::new().serialize(&theirs, &mut bytes).unwrap();
        } else {
            V2Serializer::new().serialize(&theirs, &mut bytes).unwrap();
        }
        let ours = read(&with_histogram(&bytes)).unwrap();
        prop_assert_eq!(&ours.reported[0].histogram, &expected(&theirs));
        prop_assert_eq!(ours.reported[0].samples, Some(theirs.len()));
    }

    #[test]
    fn any_bytes_are_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), digits in 0_u32..7) {
        let _ = read(&with_histogram(&raw(digits, 1, &bytes)));
        let _ = read(&with_histogram(&compressed(&bytes)));
    }
}
