//! criterion's folders: every mapped field against a real tree, saved sets apart, bad files refused by name.
use evenhand_formats::import::{Format, import, import_path, is_results_folder, recognise};
use evenhand_trial::{ArmId, Per, Trial, Whole};
use std::fs;
use std::path::{Path, PathBuf};

fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/criterion/tree")
}

fn is_noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

/// A folder of the test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("evenhand-criterion-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// One benchmark named `a` in a set, with these files besides its description.
    fn with(self, set: &str, files: &[(&str, &str)]) -> Self {
        let folder = self.0.join("a").join(set);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("benchmark.json"), r#"{"group_id":"a","full_id":"a"}"#).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SAMPLES: &str = r#"{"sampling_mode":"Flat","iters":[2.0,2.0],"times":[10.0,12.0]}"#;

#[test]
fn a_tree_gives_the_newest_set_and_every_saved_one() {
    let trials = import_path(&tree(), None).unwrap();
    assert_eq!(trials.len(), 2, "new and before; base repeats new");
    assert!(is_noted(&trials[0], "same samples as the newest: base"));
    assert!(is_noted(&trials[1], "saved as \"before\""));
    for trial in &trials {
        let names: Vec<_> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
        assert_eq!(names, ["alone", "slow/sleep", "sum/up to/fold/1000", "sum/up to/loop/1000"]);
        assert!(trial.schedule.is_none() && trial.check().is_ok());
    }
    assert_ne!(trials[0].id, trials[1].id);
}

#[test]
fn every_field_of_a_benchmark_is_mapped() {
    let trial = import_path(&tree(), None).unwrap().remove(0);
    let groups: Vec<_> = trial.arms.iter().map(|arm| arm.group.as_str()).collect();
    assert_eq!(groups, ["alone", "slow", "sum/up to/1000", "sum/up to/1000"]);
    let loops = &trial.arms[3];
    assert_eq!(loops.parameters["function"], "loop");
    assert_eq!(loops.parameters["value"], "1000");
    assert_eq!(loops.parameters["throughput"], "1000 Elements");
    assert!(trial.arms[0].parameters.is_empty());

    let series = trial.series.iter().find(|series| series.arm == ArmId(3)).unwrap();
    let wall = &trial.metrics[0];
    assert_eq!((wall.name.as_str(), wall.unit.symbol(), wall.per), ("wall", "ns", Per::Sample));
    assert_eq!(series.values[0][..3], [3831327.0, 7502225.0, 11122077.0], "totals of the batch");
    let iterations: Vec<u64> = series.iterations.iter(12).collect();
    assert_eq!(iterations[..3], [13946, 27892, 41838]);
    let each = wall.per_iteration(series.values[0][11], iterations[11]);
    assert_eq!(each, 44376842.0 / 167352.0);

    let flat = trial.series.iter().find(|series| series.arm == ArmId(1)).unwrap();
    assert_eq!(flat.iterations, Whole::Same { same: 12 });
    assert_eq!(flat.values[0][10], 25846070.0);
    assert!(is_noted(&trial, "mode Linear") && is_noted(&trial, "mode Flat"));
    assert!(trial.reported.is_empty(), "the estimates follow from the samples");
}

#[test]
fn one_set_and_one_sample_file_are_read_too() {
    let before = tree().join("alone/before");
    let set = import_path(&before, None).unwrap();
    let file = import_path(&before.join("sample.json"), None).unwrap();
    for trials in [&set, &file] {
        assert_eq!(trials.len(), 1);
        assert_eq!(trials[0].arms[0].name, "alone");
        assert_eq!(trials[0].series[0].values[0][..2], [3666661.0, 7816454.0]);
    }
    let sub = import_path(&tree().join("sum_up to"), None).unwrap();
    assert_eq!(sub[0].arms.len(), 2);
}

#[test]
fn a_sample_file_alone_does_not_know_its_name() {
    let bytes = fs::read(tree().join("slow/sleep/new/sample.json")).unwrap();
    assert_eq!(recognise(&bytes), Some(Format::Criterion));
    let trial = import(&bytes[..], "sample.json", None).unwrap();
    assert_eq!(trial.arms[0].name, "sample");
    assert_eq!(trial.sample_count(), 12);
    assert!(is_noted(&trial, "does not name its benchmark"));
}

#[test]
fn without_samples_the_estimates_are_reported() {
    let estimates = fs::read_to_string(tree().join("sum_up to/loop/1000/new/estimates.json")).unwrap();
    let folder = Folder::new("estimates").with("new", &[("estimates.json", &estimates)]);
    let trial = import_path(&folder.0, None).unwrap().remove(0);
    let reported = &trial.reported[0];
    assert!(trial.series.is_empty() && is_noted(&trial, "only criterion's estimates"));
    assert_eq!(trial.metrics[0].per, Per::Iteration, "an estimate is of one iteration");
    assert_eq!((reported.mean, reported.mean_error), (Some(266.6398384214241), Some(0.8253289362684373)));
    assert_eq!((reported.median, reported.sd), (Some(266.08671542616764), Some(2.9878052374382316)));
    assert_eq!(reported.more["slope"], 265.63099383335725);
    assert_eq!(reported.more["median_abs_dev"], 1.2690738197572755);
    assert_eq!(reported.more["mean lower 95 %"], 265.2368164753611);
    assert_eq!(reported.more["mean upper 95 %"], 268.43676980009826);
    assert_eq!(reported.samples, None);
}

#[test]
fn estimates_beside_samples_do_not_mix_totals_with_single_times() {
    let folder = Folder::new("mixed").with("new", &[("sample.json", SAMPLES)]);
    let other = folder.0.join("b/new");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("benchmark.json"), r#"{"group_id":"b","full_id":"b"}"#).unwrap();
    fs::write(other.join("estimates.json"), r#"{"mean":{"point_estimate":5.5}}"#).unwrap();
    let trial = import_path(&folder.0, None).unwrap().remove(0);
    let metric = &trial.metrics[trial.reported[0].metric.index()];
    assert_eq!((metric.per, trial.metrics[0].per), (Per::Iteration, Per::Sample));
    assert_eq!(trial.reported[0].mean, Some(5.5));
}

#[test]
fn a_base_that_differs_is_a_trial_of_its_own() {
    let other = SAMPLES.replace("12.0", "13.0");
    let folder =
        Folder::new("base").with("new", &[("sample.json", SAMPLES)]).with("base", &[("sample.json", &other)]);
    let trials = import_path(&folder.0, Some(Format::Criterion)).unwrap();
    assert_eq!(trials.len(), 2);
    assert_eq!(trials[1].series[0].values[0], [10.0, 13.0]);
    assert_eq!(trials[0].arms[0].name, trials[1].arms[0].name, "so that they can be compared");
}

#[test]
fn bad_files_are_refused_by_name() {
    for (text, words) in [
        (r#"{"iters":[1.0],"times":[1.0,2.0]}"#, "1 of iters and 2 of times"),
        (r#"{"iters":[],"times":[]}"#, "has no samples"),
        (r#"{"iters":[0.0],"times":[1.0]}"#, "iters[0]: 0 is not a possible number of iterations"),
        (r#"{"iters":[1.0,1.5],"times":[1.0,1.0]}"#, "iters[1]: 1.5"),
        (r#"{"iters":[-3],"times":[1.0]}"#, "iters[0]: -3"),
        (r#"{"iters":[1e300],"times":[1.0]}"#, "is not a possible number of iterations"),
        (r#"{"iters":[1.0],"times":[-1.0]}"#, r#""a", wall, sample 1: -1"#),
        (r#"{"iters":[1.0],"times":[1e999]}"#, "out of range"),
        (r#"{"iters":[1.0],"times":[null]}"#, "invalid type: null"),
        (r#"{"iters":{},"times":[1.0]}"#, "invalid type: map"),
        (r#"{"iters":[1.0],"times":[1.0"#, "ends too early"),
        ("", "ends too early"),
    ] {
        let folder = Folder::new("bad").with("new", &[("sample.json", text)]);
        let said = import_path(&folder.0, None).unwrap_err().to_string();
        assert!(said.contains(words), "{text}\n{said}");
        assert!(said.contains("new"), "names the place: {said}");
    }
}

#[test]
fn a_benchmark_that_cannot_be_read_is_left_out_and_the_tree_is_kept() {
    let place =
        |name: &str| format!(r#"{{"group_id":"{name}","full_id":"{name}","directory_name":"{name}"}}"#);
    for (file, text) in
        [("sample.json", ""), ("benchmark.json", ""), ("sample.json", r#"{"iters":[1.0],"times":[]}"#)]
    {
        let folder = Folder::new("left-out");
        for name in ["a", "b", "c"] {
            let set = folder.0.join(name).join("new");
            fs::create_dir_all(&set).unwrap();
            fs::write(set.join("benchmark.json"), place(name)).unwrap();
            fs::write(set.join("sample.json"), SAMPLES).unwrap();
        }
        fs::write(folder.0.join("a/new").join(file), text).unwrap();
        let saved = folder.0.join("a/saved");
        fs::create_dir_all(&saved).unwrap();
        fs::write(saved.join("benchmark.json"), place("a")).unwrap();
        assert!(is_results_folder(&folder.0, None), "{file}");
        let trials = import_path(&folder.0, None).unwrap();
        assert_eq!(trials.len(), 1, "{file}");
        let names: Vec<_> = trials[0].arms.iter().map(|arm| arm.name.as_str()).collect();
        assert_eq!(names, ["b", "c"], "{file}");
        assert!(is_noted(&trials[0], "one benchmark left out: ") && is_noted(&trials[0], file));
        assert!(is_noted(&trials[0], "a set left out: ") && is_noted(&trials[0], "(saved)"));
    }
}

#[test]
fn folders_without_results_and_missing_paths_are_refused() {
    let empty = Folder::new("empty");
    assert!(import_path(&empty.0, None).unwrap_err().to_string().contains("holds no result"));
    let bare = Folder::new("bare").with("new", &[]);
    assert!(
        import_path(&bare.0, None).unwrap_err().to_string().contains("is missing, and so is estimates.json")
    );
    let nowhere = empty.0.join("nothing");
    assert!(import_path(&nowhere, None).unwrap_err().to_string().contains("cannot be read"));
    let wrong = Folder::new("wrong").with("new", &[("estimates.json", r#"{"mean":{"point_estimate":-1}}"#)]);
    assert!(import_path(&wrong.0, None).unwrap_err().to_string().contains("mean: -1"));
}

#[cfg(unix)]
#[test]
fn a_link_in_a_circle_does_not_hang() {
    let folder = Folder::new("circle").with("new", &[("sample.json", SAMPLES)]);
    std::os::unix::fs::symlink(&folder.0, folder.0.join("again")).unwrap();
    assert_eq!(import_path(&folder.0, None).unwrap().len(), 1);
}

#[test]
fn a_tree_of_criterion_0_3_2_is_read_like_a_newer_one() {
    let tree = tree().with_file_name("tree-0.3.2");
    let trials = import_path(&tree, None).unwrap();
    let names: Vec<&str> = trials[0].arms.iter().map(|arm| &*arm.name).collect();
    assert_eq!((trials.len(), names), (1, vec!["sum/fold/1000", "sum/loop/1000"]));
    let text = fs::read_to_string(tree.join("sum/fold/1000/new/sample.json")).unwrap();
    let [iterations, times]: [Vec<f64>; 2] = serde_json::from_str(&text).unwrap();
    let fold = &trials[0].series[0];
    assert_eq!((fold.len(), &fold.values[0]), (12, &times));
    assert_eq!(fold.iterations.iter(12).map(|n| n as f64).collect::<Vec<_>>(), iterations);
    assert!(!is_noted(&trials[0], "sampled in the mode"));
}

#[test]
fn estimates_of_criterion_0_3_2_have_their_place_under_the_older_names() {
    let text =
        fs::read_to_string(tree().with_file_name("tree-0.3.2/sum/fold/1000/new/estimates.json")).unwrap();
    let folder = Folder::new("old-estimates").with("new", &[("estimates.json", &text)]);
    let trial = import_path(&folder.0, None).unwrap().remove(0);
    let figures: serde_json::Value = serde_json::from_str(&text).unwrap();
    let point = |name: &str| figures[name]["point_estimate"].as_f64();
    let reported = &trial.reported[0];
    assert_eq!(
        (reported.mean, reported.median, reported.sd),
        (point("Mean"), point("Median"), point("StdDev"))
    );
    assert_eq!(reported.more.get("median_abs_dev").copied(), point("MedianAbsDev"));
    assert!(reported.mean.is_some() && reported.sd.is_some());
}
