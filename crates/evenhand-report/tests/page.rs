//! Is the page one file, with everything in it, and nothing in it that a browser would run but our own script?

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use evenhand_analysis::{Settings, analyse, words};
use evenhand_report::page::Page;
use evenhand_trial::environment::Git;
use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Note, Origin, Schedule, Seed, Series, Trial, TrialId, Unit,
};
use serde_json::Value;

const HOSTILE: &str =
    "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&amp;\u{2028}\u{202e}";

fn trial(rounds: u32, name: &str) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(7), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(7)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.label = Some(name.to_owned());
    trial.notes = vec![Note::Said(name.to_owned())];
    trial.environment.host = Some(name.to_owned());
    for (arm, name) in [(0, "old".to_owned()), (1, name.to_owned())] {
        trial.arms.push(Arm { name, ..Arm::default() });
        let mut series = Series::new(ArmId(arm), LaunchId(0), 1);
        series.values[0] = (0..rounds).map(|round| 1e6 + f64::from(round * 7919 % 103 + arm)).collect();
        trial.series.push(series);
    }
    trial
}

fn page(trial: &Trial) -> String {
    let analysis = analyse(trial, &Settings::default()).unwrap();
    let mut page = Vec::new();
    Page { trial, analysis: &analysis, written_by: "evenhand 0.1.0" }.write(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// What is inside of an element.
fn inside<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let from = page.find(begin).unwrap() + begin.len();
    &page[from..from + page[from..].find(end).unwrap()]
}

fn data(page: &str) -> Value {
    serde_json::from_str(inside(page, "id=\"data\">", "</script>")).unwrap()
}

#[test]
fn the_numbers_in_the_page_are_those_of_the_trial() {
    let trial = trial(20_000, "new");
    let page = page(&trial);
    let data = data(&page);
    let columns = STANDARD.decode(inside(&page, "id=\"columns\">", "</script>")).unwrap();
    for (arm, series) in trial.series.iter().enumerate() {
        let column = &data["arms"][arm]["samples"];
        assert_eq!(column["kind"], "f64");
        let offset = column["offset"].as_u64().unwrap() as usize;
        let bytes = &columns[offset..offset + 8 * column["length"].as_u64().unwrap() as usize];
        let samples: Vec<f64> =
            bytes.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(samples, series.values[0]);
    }
    let analysis = serde_json::to_value(analyse(&trial, &Settings::default()).unwrap()).unwrap();
    assert_eq!(data["analysis"], analysis);
    assert_eq!(
        (&data["comparisons"][0]["baseline"], &data["comparisons"][0]["candidate"]),
        (&0.into(), &1.into())
    );
    assert_eq!(data["written_by"], "evenhand 0.1.0");
    let said = &data["words"]["comparisons"][0];
    assert_eq!(said["claim"][0], serde_json::json!({ "name": "new" }), "{said}");
    let told = |parts: &Value| -> String {
        let of_part = |part: &Value| part.as_str().or(part["name"].as_str()).unwrap().to_owned();
        parts.as_array().unwrap().iter().map(of_part).collect()
    };
    let sentence = format!("{}, {}", told(&said["claim"]), told(&said["basis"]));
    assert_eq!(analysis["comparisons"][0]["sentence"], sentence, "the parts are the sentence");
}

#[test]
fn the_head_says_project_revision_and_machine_and_no_home_folder() {
    let mut trial = trial(20, "new");
    let environment = &mut trial.environment;
    environment.directory = Some("/home/ada/sorting".to_owned());
    let commit = "0123456789abcdef0123456789abcdef01234567".to_owned();
    environment.git = Some(Git { commit, dirty: true, branch: Some("main".to_owned()) });
    environment.host = Some("bench1".to_owned());
    environment.cpu.logical = Some(8);
    let head = data(&page(&trial))["head"].clone();
    let wanted = serde_json::json!({
        "project": "sorting", "revision": "main 0123456789, with changes", "machine": "bench1, 8 processors",
    });
    assert_eq!(head, wanted);
    for home in ["/home/ada", "/home/ada/", "/Users/ada", "/root", "C:\\Users\\ada"] {
        trial.environment.directory = Some(home.to_owned());
        assert_eq!(data(&page(&trial))["head"].get("project"), None, "{home}");
    }
    trial.environment = evenhand_trial::Environment::default();
    assert_eq!(data(&page(&trial))["head"], serde_json::json!({}));
}

#[test]
fn levels_that_nothing_shows_are_left_out_and_a_page_of_400_samples_is_small() {
    let mut trial = trial(200, "new");
    for metric in 0..12 {
        trial.metrics.push(Metric::time(&format!("other {metric}"), Unit::nanoseconds()));
        for series in &mut trial.series {
            let values = series.values[0].iter().map(|value| value / 3.0).collect();
            series.values.push(values);
        }
    }
    let page = page(&trial);
    assert!(page.len() < 250_000, "{} bytes", page.len());
    let levels = &data(&page)["analysis"]["levels"];
    assert_eq!(levels.as_array().map(Vec::len), Some(2), "of the metric compared");
    trial.arms.pop();
    trial.series.pop();
    let alone = data(&self::page(&trial));
    assert_eq!(
        alone["analysis"]["levels"].as_array().map(Vec::len),
        Some(13),
        "all, where nothing is compared"
    );
}

#[test]
fn what_verdicts_without_a_random_order_assume_is_in_the_page() {
    let mut trial = trial(20, "new");
    assert_eq!(data(&page(&trial))["words"].get("assumption"), None);
    trial.schedule = None;
    let assumed = words::assumption(&analyse(&trial, &Settings::default()).unwrap());
    assert!(assumed.is_some());
    assert_eq!(data(&page(&trial))["words"]["assumption"].as_str(), assumed);
}

#[test]
fn the_figures_of_the_table_of_series_have_the_names_that_the_script_reads() {
    let data = data(&page(&trial(200, "new")));
    for place in [&data["arms"][0], &data["pools"][0]] {
        for kind in ["raw", "clean"] {
            let figures =
                ["samples", "min", "max", "range", "range_over_min", "q1", "q3", "iqr", "iqr_over_median"];
            for figure in figures.iter().chain(&["median", "mean", "mean_over_min", "sd", "cv"]) {
                assert!(place[kind][figure].is_number(), "{kind} {figure} in {place}");
            }
        }
    }
    assert!(
        data["arms"][0]["far_fences"]["high"].is_number() && data["comparisons"][0]["min_change"].is_number()
    );
    for bins in ["deviations", "clean_deviations"] {
        assert_eq!(data["arms"][0][bins]["edges"].as_array().map(Vec::len), Some(13));
    }
    for none in ["iterations", "set_up", "without_set_up"] {
        assert_eq!(data["arms"][0].get(none), Some(&Value::Null), "{none}");
    }
}

#[test]
fn a_name_cannot_leave_its_place() {
    let page = page(&trial(20, HOSTILE));
    assert_eq!(page.matches("<script").count(), 3, "data, columns, and ours");
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert_eq!(data(&page)["analysis"]["trial"]["label"], HOSTILE, "and it comes back as it was");
    let title = inside(&page, "<title>", "</title>");
    assert!(
        title.starts_with("&lt;/script&gt;&lt;script&gt;alert(1)") && title.ends_with("\\u{2028}\\u{202e}"),
        "{title}"
    );
}

#[test]
fn it_may_run_its_own_script_and_ask_for_nothing() {
    let page = page(&trial(20, "new"));
    let policy = inside(&page, "Content-Security-Policy\" content=\"", "\"");
    let allowed: Vec<&str> = policy.split("; ").collect();
    assert_eq!(allowed[0], "default-src 'none'");
    assert!(
        allowed[1].starts_with("script-src 'sha256-") && allowed[2].starts_with("style-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
    for address in ["src=\"", "href=\"http", "@import", "url(http", "fetch("] {
        assert!(!page.contains(address), "{address}");
    }
}

#[test]
fn who_has_no_script_reads_the_verdict() {
    let page = page(&trial(200, "new"));
    let told = inside(&page, "<noscript>", "</noscript>");
    assert!(told.contains("<p>new and old are the same within 1 %"), "{told}");
}

#[test]
fn a_page_is_the_same_each_time() {
    let trial = trial(100, "new");
    assert_eq!(page(&trial), page(&trial));
}
