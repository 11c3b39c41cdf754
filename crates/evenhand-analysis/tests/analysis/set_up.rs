//! Is the set-up in a sample found where something was measured with several numbers of iterations, and only there?

use super::planted::{add, trial};
use evenhand_analysis::words::set_ups;
use evenhand_analysis::{Analysis, Settings, analyse};
use evenhand_trial::{ArmId, LaunchId, RoundId, Sample, Series, Trial};

fn analysed(trial: &Trial) -> Analysis {
    analyse(trial, &Settings::default()).unwrap()
}

/// Arms of a function whose sample is `set_up` and so many iterations of `work`, and some noise upwards.
fn function(name: &str, counts: &[u64], set_up: f64, work: f64) -> Trial {
    let names: Vec<String> = counts.iter().map(|count| format!("{name} i{count}")).collect();
    let mut trial = trial(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for (arm, count) in (0..).zip(counts) {
        let about = &mut trial.arms[arm as usize];
        about.group.clone_from(&about.name);
        about.parameters.insert("iterations".to_owned(), count.to_string());
        let mut series = Series::new(ArmId(arm), LaunchId(0), 1);
        for round in 0..9 {
            let value = set_up + work * *count as f64 + (round % 3) as f64;
            let values = &[value];
            series.push(Sample {
                round: RoundId(round),
                position: None,
                started: None,
                iterations: *count,
                values,
            });
        }
        trial.series.push(series);
    }
    trial
}

#[test]
fn the_two_smallest_numbers_of_iterations_tell_the_set_up_of_a_function() {
    // In nanoseconds, the parts of the article's ReversedArray.
    let analysis = analysed(&function("reverses", &[8, 1, 4, 2], 134e3, 190e3));
    let [found] = &analysis.set_ups[..] else { panic!("{:?}", analysis.set_ups) };
    assert_eq!((found.what.as_str(), found.iterations), ("reverses", [1, 2]));
    assert!((found.set_up - 134e3).abs() < 1e-6 && (found.work - 190e3).abs() < 1e-6, "{found:?}");
    assert!((found.share - 134.0 / 324.0).abs() < 1e-9, "{found:?}");
    let told = "set-up of reverses: 134 µs in each sample, 41.4 % of the smallest sample with 1 iteration, \
                estimated from the smallest samples with 1 and 2 iterations; \
                without it an iteration takes 190 µs; this is more than 5 %: move it out of the measured code";
    assert_eq!(set_ups(&analysis), [told]);
    let json = serde_json::to_value(&analysis).unwrap();
    let written = &json["set_ups"][0];
    assert_eq!((written["what"].as_str(), written["metric"].as_str()), (Some("reverses"), Some("wall")));
    assert_eq!(written["iterations"], serde_json::json!([1, 2]));
}

#[test]
fn a_command_that_is_told_its_iterations_has_its_start_for_set_up() {
    let mut trial = trial(&["./sort -n 10 in.txt", "./sort -n 30 in.txt"]);
    for (arm, count) in [(0, 10.0), (1, 30.0)] {
        trial.arms[arm as usize].parameters.insert("iterations".to_owned(), count.to_string());
        add(&mut trial, arm, 0, &[8e6 + count * 1e5, 8e6 + count * 1e5 + 7.0]);
    }
    let analysis = analysed(&trial);
    let [found] = &analysis.set_ups[..] else { panic!("{:?}", analysis.set_ups) };
    assert_eq!((found.what.as_str(), found.iterations), ("./sort -n {iterations} in.txt", [10, 30]));
    assert!((found.set_up - 8e6).abs() < 1e-3 && (found.work - 1e5).abs() < 1e-3, "{found:?}");
    // Another parameter makes it another thing.
    trial.arms[1].parameters.insert("size".to_owned(), "2".to_owned());
    assert!(analysed(&trial).set_ups.is_empty());
}

#[test]
fn a_function_that_is_told_its_iterations_is_like_a_command() {
    // In batches of 7 calls, each of which does 10 or 30 times its work.
    let mut trial = trial(&["folds/10", "folds/30"]);
    for (arm, count) in [(0, 10.0), (1, 30.0)] {
        trial.arms[arm as usize].parameters.insert("iterations".to_owned(), count.to_string());
        let mut series = Series::new(ArmId(arm), LaunchId(0), 1);
        for round in 0..3 {
            let value = 7.0 * (400.0 + count * 20.0);
            series.push(Sample {
                round: RoundId(round),
                position: None,
                started: None,
                iterations: 7,
                values: &[value],
            });
        }
        trial.series.push(series);
    }
    let analysis = analysed(&trial);
    let [found] = &analysis.set_ups[..] else { panic!("{:?}", analysis.set_ups) };
    assert_eq!(found.what, "folds/{iterations}");
    assert!((found.set_up - 400.0).abs() < 1e-9 && (found.work - 20.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn little_set_up_is_no_advice_and_none_is_none() {
    let told = |set_up| set_ups(&analysed(&function("adds", &[1, 2], set_up, 100e3))).concat();
    assert!(told(2e3).ends_with("without it an iteration takes 100 µs"), "{}", told(2e3));
    assert!(told(20e3).contains("16.7 %") && told(20e3).ends_with("move it out of the measured code"));
    // The samples scatter by 1 and 2 ns.
    for none in [1.0, -4e3] {
        let told = told(none);
        let right = "set-up of adds: too small to tell from the noise, estimated from the smallest samples with 1 and 2 iterations";
        assert_eq!(told, right, "{none}");
    }
}

#[test]
fn without_two_numbers_of_iterations_nothing_is_told() {
    assert!(analysed(&function("adds", &[4], 5e3, 100e3)).set_ups.is_empty());
    let mut trial = function("adds", &[1, 2], 5e3, 100e3);
    trial.arms[1].parameters.insert("iterations".to_owned(), "two".to_owned());
    assert!(analysed(&trial).set_ups.is_empty());
    assert!(!serde_json::to_string(&analysed(&trial)).unwrap().contains("set_ups"));
}
