//! The JSON form: what is written comes back to the bit, and what must not be read is refused in plain words. The files
//! in `fixtures/json` are also held against `trial.schema.json` by an independent validator, `scripts/check_schema.py`.

use crate::sample_trial::{full, imported, smallest};
use evenhand_trial::json::{read, write};
use evenhand_trial::{Series, Trial, TrialId, Whole};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

fn written(trial: &Trial) -> String {
    let mut bytes = Vec::new();
    write(trial, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn refusal(json: &str) -> String {
    read(json.as_bytes()).unwrap_err().to_string()
}

/// Every f64 there is, the special ones often. (All NaNs are one: JSON has no bits for them.)
fn any_f64() -> impl Strategy<Value = f64> {
    let special =
        [0.0, -0.0, f64::NAN, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::MIN, 0.1, 2.0 / 3.0, 1e22, 1e23];
    prop_oneof![
        1 => proptest::sample::select(special.to_vec()),
        3 => any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| !x.is_infinite()),
        1 => (0..1_u64 << 52).prop_map(f64::from_bits),
    ]
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| if value.is_nan() { u64::MAX } else { value.to_bits() }).collect()
}

proptest! {
    #[test]
    fn every_number_comes_back_to_the_bit(
        values in vec(any_f64(), 1..50),
        iterations in any::<u64>(),
        started in any::<u64>(),
        id in any::<u64>(),
        name in any::<String>(),
        seconds in any_f64().prop_filter("a figure", |x| x.is_finite()),
    ) {
        let mut trial = full();
        let count = values.len();
        trial.id = TrialId::from_number(id);
        trial.arms[0].name = format!("{name}!");
        trial.seconds = Some(seconds);
        trial.series.truncate(1);
        trial.series[0] = Series {
            rounds: Whole::Each((0..count as u64 - 1).chain([u64::MAX]).collect()),
            positions: None,
            started: Some(Whole::Same { same: started }),
            iterations: Whole::Each(vec![iterations.max(1); count]),
            values: vec![values.clone(), Vec::new()],
            ..trial.series[0].clone()
        };
        let back = read(written(&trial).as_bytes()).unwrap();
        prop_assert_eq!(bits(&back.series[0].values[0]), bits(&values));
        prop_assert_eq!(back.seconds.map(f64::to_bits), Some(seconds.to_bits()));
        prop_assert_eq!(&back.series[0].rounds, &trial.series[0].rounds);
        prop_assert_eq!(&back.series[0].started, &trial.series[0].started);
        prop_assert_eq!(&back.series[0].iterations, &trial.series[0].iterations);
        prop_assert_eq!(back.fingerprint(), trial.fingerprint());
        prop_assert_eq!(back.id.clone(), trial.id.clone());
        prop_assert_eq!(written(&back), written(&trial));
    }

    #[test]
    fn no_text_makes_the_reader_panic(cut in 0..4000_usize, at in 0..4000_usize, byte in any::<u8>()) {
        let mut text = written(&full()).into_bytes();
        let at = at % text.len();
        text[at] = byte;
        text.truncate(cut.max(1));
        if let Ok(trial) = read(text.as_slice()) {
            prop_assert_eq!(trial.check(), Ok(()));
        }
    }
}

/// The files for the validator are what is written today. To write them again: `WRITE_FIXTURES=1 cargo test`.
#[test]
fn the_files_for_the_validator_are_what_is_written() {
    for (name, trial) in [("full", full()), ("smallest", smallest()), ("imported", imported())] {
        let path = format!("{}/tests/fixtures/json/{name}.json", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("WRITE_FIXTURES").is_some() {
            std::fs::write(&path, written(&trial)).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), written(&trial), "{name}");
        assert_eq!(written(&read(written(&trial).as_bytes()).unwrap()), written(&trial), "{name}");
    }
}

#[derive(Deserialize)]
struct Defect {
    name: String,
    path: String,
    value: Option<Value>,
    refused_by: Vec<String>,
    says: String,
}

/// Plants the defect in a trial: sets what `path` points to, or takes it away if there is no value.
fn planted(trial: &Value, defect: &Defect) -> Value {
    let mut trial = trial.clone();
    let (parent, field) = defect.path.rsplit_once('/').unwrap();
    match (trial.pointer_mut(parent).unwrap(), &defect.value) {
        (Value::Object(map), Some(value)) => drop(map.insert(field.to_owned(), value.clone())),
        (Value::Object(map), None) => drop(map.remove(field).unwrap()),
        (Value::Array(list), Some(value)) => list[field.parse::<usize>().unwrap()] = value.clone(),
        _ => panic!("{} points to nothing", defect.path),
    }
    trial
}

#[test]
fn every_planted_defect_is_refused_in_words_that_name_it() {
    let defects: Vec<Defect> = serde_json::from_str(include_str!("fixtures/json/defects.json")).unwrap();
    assert!(defects.len() >= 40);
    let good: Value = serde_json::from_str(&written(&full())).unwrap();
    for defect in defects {
        let by_reader = defect.refused_by.iter().any(|by| by == "reader");
        let bad = planted(&good, &defect).to_string();
        match read(bad.as_bytes()) {
            Ok(_) => assert!(!by_reader, "{} was read", defect.name),
            Err(error) => {
                assert!(by_reader, "{} was refused: {error}", defect.name);
                assert!(error.to_string().contains(&defect.says), "{}: {error}", defect.name);
            }
        }
    }
}

fn with(field: &str, value: Value) -> String {
    let mut trial: Value = serde_json::from_str(&written(&smallest())).unwrap();
    trial[field] = value;
    trial.to_string()
}

#[test]
fn this_version_is_written_and_those_up_to_it_are_read() {
    assert!(written(&full()).starts_with("{\"schema_version\":2,"), "a reader sees the version first");
    let newer = "written by a newer evenhand (schema version 3, this one reads up to 2): update evenhand";
    assert!(refusal(&with("schema_version", json!(3))).starts_with(newer));
    let first = read(with("schema_version", json!(1)).as_bytes()).unwrap();
    assert_eq!(written(&first), written(&smallest()));
    assert!(refusal(&with("schema_version", json!(u64::MAX))).contains("version 18446744073709551615"));
    assert!(refusal(&with("schema_version", json!(0))).starts_with("there is no schema version 0"));
    for wrong in [json!("1"), json!(1.0), json!(-1), json!(null), json!([1])] {
        refusal(&with("schema_version", wrong));
    }
    let missing = written(&smallest()).replace("\"schema_version\":2,", "");
    assert!(refusal(&missing).starts_with("missing field `schema_version`"));
}

#[test]
fn fields_of_a_later_version_are_passed_over() {
    let mut trial: Value = serde_json::from_str(&written(&full())).unwrap();
    let places =
        ["", "/origin", "/environment", "/environment/cpu", "/environment/clock", "/environment/git"];
    let more =
        ["/metrics/0", "/arms/0", "/series/0", "/series/0/rounds", "/failures/0", "/failures/0/reason"];
    for place in places.iter().chain(&more).chain(&["/reported/0", "/schedule"]) {
        trial.pointer_mut(place).unwrap()["later"] = json!({"deep": [1, null, "x"]});
    }
    assert_eq!(written(&read(trial.to_string().as_bytes()).unwrap()), written(&full()));
}

#[test]
fn what_is_no_trial_is_refused_with_its_place() {
    for (text, says) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("null", "expected struct Trial"),
        ("{\"schema_version\":1", "EOF while parsing an object"),
        ("[1]", "invalid length 1, expected struct Trial"),
        ("\u{feff}{}", "expected value at line 1 column 1"),
        ("{}", "missing field `schema_version`"),
    ] {
        let said = refusal(text);
        assert!(said.contains(says), "{text}: {said}");
    }
    assert!(
        refusal(&format!("{}x", written(&smallest()))).contains("trailing characters at line 2 column 1")
    );
    let deep = with("later", json!(0)).replace("\"later\":0", &format!("\"later\":{}", "[".repeat(100_000)));
    assert!(refusal(&deep).contains("line 1 column"), "depth is no danger");
    assert!(read(&b"{\"schema_version\":1,\"id\":\"\xff\xfe\"}"[..]).is_err());
    let twice =
        written(&smallest()).replace("{\"schema_version\":2,", "{\"schema_version\":2,\"schema_version\":2,");
    assert!(refusal(&twice).contains("duplicate field"));
}

#[test]
fn a_trial_that_could_not_be_read_again_is_not_written() {
    let refused = |change: fn(&mut Trial)| {
        let mut trial = full();
        change(&mut trial);
        let mut bytes = Vec::new();
        let error = write(&trial, &mut bytes).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert!(bytes.is_empty());
        error.to_string()
    };
    let said = refused(|trial| trial.series[0].values[0][0] = f64::INFINITY);
    assert_eq!(said, "series 0 holds an infinite number");
    assert_eq!(refused(|trial| trial.metrics.clear()), "the trial has no metric");
    let mut series = full().series.remove(0);
    series.values[0][0] = f64::NEG_INFINITY;
    let said = serde_json::to_string(&series).unwrap_err().to_string();
    assert_eq!(said, "an infinite number cannot be written as JSON");
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert_eq!(write(&full(), Full).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(write(&smallest(), Full).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn the_example_in_the_module_is_a_trial() {
    let source = include_str!("../src/json.rs");
    let example = source.split("```").nth(1).unwrap().trim_start_matches("json");
    let json: String = example.lines().map(|line| line.trim_start_matches("//!")).collect();
    let trial = read(json.as_bytes()).unwrap();
    assert_eq!((trial.arms.len(), trial.sample_count()), (2, 4));
}
