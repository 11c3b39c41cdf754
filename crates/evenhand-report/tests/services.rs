//! Does a comparison of services show all percentiles of each, beside the verdict?

use evenhand_analysis::{Settings, analyse};
use evenhand_report::Layout;
use evenhand_report::claims::Claims;
use evenhand_trial::{
    Arm, ArmId, Better, LaunchId, Metric, Origin, Schedule, Seed, Series, Trial, TrialId, Unit,
};

/// Two services in three rounds, each number a little larger than the one before.
fn trial() -> Trial {
    let origin = Origin::Measured { version: "0.1.0".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(7), origin);
    trial.schedule = Some(Schedule::new(Seed(7)));
    let time = |name: &str| Metric::time(name, Unit::nanoseconds());
    let throughput = Metric { better: Better::Higher, ..Metric::time("throughput", Unit::new("requests/s")) };
    let errors = Metric::time("errors", Unit::count());
    trial.metrics = vec![
        time("response_p99"),
        time("response_p50"),
        throughput,
        time("late_p99"),
        errors,
        time("stall"),
        time("response_p50_order"),
    ];
    for (arm, name) in (0..).zip(["old", "new"]) {
        trial.arms.push(Arm { name: name.to_owned(), ..Arm::default() });
        let mut series = Series::new(ArmId(arm), LaunchId(0), trial.metrics.len());
        let typical = [4e6, 2e6, 500.0, 3e4, 0.01, 0.0, 3e6];
        series.values = typical.iter().map(|typical| vec![0.9 * typical, *typical, 1.1 * typical]).collect();
        trial.series.push(series);
    }
    trial
}

fn screen(trial: &Trial) -> String {
    let settings = Settings { metrics: vec!["response_p99".to_owned()], ..Settings::default() };
    let analysis = analyse(trial, &settings).unwrap();
    let layout = Layout::new(None);
    Claims { analysis: &analysis, layout, verbose: false, percentiles: false, means: false }.to_string()
}

#[test]
fn a_typical_slice_has_its_percentiles_in_their_order() {
    let shown = screen(&trial());
    let mut lines = shown.lines().skip_while(|line| !line.starts_with("typical slice"));
    let words = |line: &str| {
        line.split("  ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let headings =
        ["typical slice", "P50", "P99", "order P50", "served", "errors", "stall", "evenhand late P99"];
    assert_eq!(words(lines.next().unwrap()), headings, "{shown}");
    let row = ["old", "2 ms", "4 ms", "3 ms", "500 requests/s", "1.00 %", "0 s", "30 µs"];
    assert_eq!(words(lines.next().unwrap()), row, "{shown}");
}

#[test]
fn errors_that_only_one_of_them_has_are_told_in_percent() {
    let mut trial = trial();
    for (series, share) in trial.series.iter_mut().zip([0.0, 0.0012]) {
        series.values.iter_mut().for_each(|column| *column = vec![column[1]; 14]);
        series.values[4] = vec![share; 14];
    }
    let settings = Settings { metrics: vec!["errors".to_owned()], ..Settings::default() };
    let analysis = analyse(&trial, &settings).unwrap();
    let layout = Layout::new(None);
    let shown =
        Claims { analysis: &analysis, layout, verbose: false, percentiles: false, means: false }.to_string();
    let expected = [
        "new has more errors than old: 0.12 % against 0 % on average, 99 % sure, more in all 14 rounds that differ, 14 rounds",
        "  some samples of errors are 0, so there is no ratio: a round counts for who has more, and --margin does not apply",
    ];
    assert_eq!(shown.lines().take(2).collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_no_service_has_no_such_table() {
    let mut commands = trial();
    commands.metrics[3].name = "waited".to_owned();
    assert!(!screen(&commands).contains("typical slice"));
}
