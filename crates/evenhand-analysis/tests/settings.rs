//! Do the settings of an analysis follow from the plan of the measurement, and is one refused that means nothing?

use evenhand_analysis::Settings;
use evenhand_trial::Plan;

fn of(plan: &str) -> Result<Settings, String> {
    let plan: Plan = serde_json::from_str(plan).unwrap();
    Settings::of_plan(&plan).map_err(|refused| refused.to_string())
}

#[test]
fn what_the_plan_names_is_taken_from_it() {
    let plan = r#"{"margin":2.5,"confidence":95.0,"metric":["wall","cpu"],"at":"P99.9","mean-error":"kolaczkowski"}"#;
    let settings = of(plan).unwrap();
    assert_eq!((settings.margin_percent, settings.confidence), (2.5, 0.95));
    assert_eq!(settings.metrics, ["wall", "cpu"]);
    let names = (settings.at.to_string(), settings.mean_error.to_string());
    assert_eq!(names, ("P99.9".to_owned(), "kolaczkowski".to_owned()));
}

#[test]
fn what_nothing_is_said_of_is_as_usual() {
    assert_eq!(of("{}"), Ok(Settings::default()));
}

#[test]
fn text_that_is_no_value_is_refused() {
    for (name, text) in
        [("margin", "a \"lot\""), ("confidence", ""), ("at", "the median"), ("mean-error", "by eye")]
    {
        let says = format!("the trial's plan says {name} = \"{}\"", text.escape_debug());
        assert_eq!(of(&serde_json::json!({ name: text }).to_string()), Err(says));
    }
    let plan = r#"{"rounds":"many","max-time":"2 min","layouts":"-1"}"#;
    assert_eq!(of(plan), Ok(Settings::default()), "nobody analyses by these");
}
