//! Are the settings of a measurement read as they were written, by this version and by the first?

use evenhand_trial::Plan;
use proptest::prelude::*;

fn read(json: &str) -> Plan {
    serde_json::from_str(json).unwrap()
}

fn whole() -> Plan {
    Plan {
        margin_percent: Some(2.5),
        confidence_percent: Some(95.0),
        precision_percent: Some(20.0),
        metrics: vec!["wall".to_owned(), "cpu".to_owned()],
        at: Some("P99.9".to_owned()),
        mean_error: Some("kolaczkowski".to_owned()),
        max_seconds: Some(0.5),
        rounds: Some(u64::MAX),
        launches: Some(9),
        rounds_per_launch: Some(8),
        layouts: Some(3),
        layouts_in_turns: false,
        program: Some("sums".to_owned()),
        package: Some("/home/ada/sums".to_owned()),
        given: [("pin".to_owned(), "none".to_owned())].into(),
    }
}

const WHOLE: &str = r#"{"margin":2.5,"confidence":95.0,"precision":20.0,"metric":["wall","cpu"],"at":"P99.9","mean-error":"kolaczkowski","max-time":0.5,"rounds":18446744073709551615,"launches":9,"rounds-per-launch":8,"layouts":3,"program":"sums","package":"/home/ada/sums","pin":"none"}"#;

#[test]
fn what_decides_is_written_as_numbers() {
    assert_eq!(serde_json::to_string(&whole()).unwrap(), WHOLE);
    assert_eq!(read(WHOLE), whole());
    assert_eq!(serde_json::to_string(&Plan::default()).unwrap(), "{}");
}

#[test]
fn version_1_wrote_text() {
    let words = whole().in_words();
    assert_eq!(
        whole().to_string(),
        "at = P99.9, confidence = 95, launches = 9, layouts = 3, margin = 2.5, max-time = 0.5 s, mean-error = kolaczkowski, \
         metric = wall,cpu, package = /home/ada/sums, pin = none, precision = 20, program = sums, rounds = 18446744073709551615, \
         rounds-per-launch = 8"
    );
    let of_version_1 = read(&serde_json::to_string(&words).unwrap());
    assert_eq!(of_version_1, Plan { layouts_in_turns: true, ..whole() });
    let again = serde_json::to_string(&of_version_1).unwrap();
    assert!(again.contains(r#""layouts":3,"layouts-in-turns":true,"#), "{again}");
    assert_eq!(read(&again), of_version_1);
    assert_eq!(of_version_1.in_words(), words, "in words nothing has changed");
}

proptest! {
    #[test]
    fn a_number_that_was_text_is_the_same_number(percent in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        let of_version_1 = read(&format!(r#"{{"margin":"{percent}","confidence":"{percent}","max-time":"{percent} s"}}"#));
        let now = read(&serde_json::to_string(&of_version_1).unwrap());
        prop_assert_eq!(now.margin_percent.map(f64::to_bits), Some(percent.to_bits()));
        prop_assert_eq!(now.max_seconds.map(f64::to_bits), Some(percent.to_bits()));
        prop_assert_eq!(now.confidence_percent.map(f64::to_bits), Some(percent.to_bits()));
    }
}

#[test]
fn text_that_is_no_value_is_kept() {
    for (name, text) in
        [("margin", "a \"lot\""), ("confidence", ""), ("rounds", "many"), ("max-time", "2 min")]
    {
        let plan = read(&serde_json::json!({ name: text }).to_string());
        assert_eq!(plan.given[name], text);
        assert_eq!(read(&serde_json::to_string(&plan).unwrap()), plan);
    }
    let plan = read(r#"{"rounds":"many","max-time":"2 min","layouts":"-1"}"#);
    assert_eq!(plan.to_string(), "layouts = -1, max-time = 2 min, rounds = many");
}

#[test]
fn other_values_that_are_none_are_refused_and_later_settings_passed_over() {
    for (json, says) in [
        (r#"{"margin":[1]}"#, "the trial's plan says margin = [1]"),
        (r#"{"at":99}"#, "the trial's plan says at = 99"),
        (r#"{"rounds":-1}"#, "the trial's plan says rounds = -1"),
        (r#"{"metric":{"wall":1}}"#, "the trial's plan says metric = {\"wall\":1}"),
        (r#"{"layouts-in-turns":3}"#, "the trial's plan says layouts-in-turns = 3"),
    ] {
        let refused = serde_json::from_str::<Plan>(json).unwrap_err().to_string();
        assert!(refused.starts_with(says), "{refused}");
    }
    assert_eq!(read(r#"{"from-the-future":{"a":[1]},"pin":"0"}"#).to_string(), "pin = 0");
}
