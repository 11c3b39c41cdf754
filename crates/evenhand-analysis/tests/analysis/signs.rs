//! What is claimed where some cost nothing? Trials with planted failures, from a seed.

use super::planted::{Draws, add, mapped, only, trial};
use super::read::{Comparison, analyse};
use evenhand_analysis::{Decides, Settings};
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::at::At;
use evenhand_trial::{Better, Metric, Trial, Unit};

const REQUESTS: u32 = 2000;

/// How many of a slice's requests fail, each with this chance.
fn failed(draws: &mut Draws, chance: f64) -> f64 {
    // Waiting times between failures: a draw for each failure, not for each request.
    let mut request = 0.0;
    for failures in 0..=REQUESTS {
        request += (draws.uniform().max(f64::MIN_POSITIVE).ln() / (1.0 - chance).ln()).ceil();
        if request > f64::from(REQUESTS) {
            return f64::from(failures);
        }
    }
    f64::from(REQUESTS)
}

/// The share of failed requests in slices of load on two services.
fn errors(old: &[f64], new: &[f64]) -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.metrics =
        vec![Metric::time("errors", Unit::count()), Metric::time("late_p99", Unit::nanoseconds())];
    for (arm, shares) in (0..).zip([old, new]) {
        add(&mut trial, arm, 0, shares);
        trial.series[arm as usize].values[1] = vec![1e4; shares.len()];
    }
    trial
}

/// Slices in which each request of the baseline and of the candidate fails with these chances.
fn slices(rounds: usize, [old, new]: [f64; 2], seed: u64) -> Trial {
    let mut draws = Draws::new(seed);
    let mut shares = |chance: f64| -> Vec<f64> {
        (0..rounds)
            .map(|_| if chance > 0.0 { failed(&mut draws, chance) / f64::from(REQUESTS) } else { 0.0 })
            .collect()
    };
    let (old, new) = (shares(old), shares(new));
    errors(&old, &new)
}

fn compared(trial: &Trial) -> Comparison {
    only(trial, &Settings::default())
}

#[test]
fn a_candidate_that_fails_where_the_baseline_never_does_is_found() {
    let found = compared(&slices(20, [0.0, 0.001], 1));
    assert_eq!(found.verdict, Word::Slower, "{}", found.sentence);
    assert_eq!(
        found.sentence,
        "new has more errors than old: 0.088 % against 0 % on average, 99 % sure, more in all 17 rounds that differ, 20 rounds"
    );
    assert_eq!((found.effect.estimate, found.effect.low, found.effect.high), (None, None, None));
    assert_eq!(
        found.limits,
        [
            "some samples of errors are 0, so there is no ratio: a round counts for who has more, and --margin does not apply"
        ]
    );
}

#[test]
fn the_other_way_round_it_is_fewer() {
    let found = compared(&slices(20, [0.001, 0.0], 1));
    assert_eq!(found.verdict, Word::Faster);
    assert!(
        found.sentence.starts_with(
            "new has fewer errors than old: 0 % against 0.088 % on average, 99 % sure, fewer in "
        ),
        "{}",
        found.sentence
    );
}

#[test]
fn where_more_is_better_more_is_better() {
    let mut trial = slices(20, [0.0, 0.001], 1);
    trial.metrics[0] = Metric { better: Better::Higher, ..Metric::time("score", Unit::new("points")) };
    let found = compared(&trial);
    assert_eq!(found.verdict, Word::Faster);
    assert!(
        found
            .sentence
            .starts_with("new is better in score than old: 0.0008750 points against 0 points on average"),
        "{}",
        found.sentence
    );
}

#[test]
fn services_that_never_fail_have_nothing_to_compare() {
    let found = compared(&slices(20, [0.0, 0.0], 1));
    assert_eq!(found.verdict, Word::Unclear);
    assert_eq!(found.limits, ["errors is the same in every round of both"]);
    assert_eq!(found.sentence, "inconclusive: new may or may not differ from old in errors, 20 rounds");
    assert_eq!(found.ln_e_value, None);
}

#[test]
fn too_few_rounds_that_differ_say_how_many_are_missing() {
    let mut shares = vec![0.0; 12];
    shares[3..10].fill(0.001);
    let found = compared(&errors(&[0.0; 12], &shares));
    assert_eq!(found.verdict, Word::Unclear);
    assert_eq!(
        found.sentence,
        "inconclusive: new may or may not differ from old in errors: 0.058 % against 0 % on average so far, \
         more in all 7 rounds that differ, 12 rounds, needs at least 3 more rounds"
    );
}

#[test]
fn a_burst_in_one_round_is_one_round() {
    let mut shares = vec![0.0; 40];
    shares[7] = 1.0;
    let found = compared(&errors(&[0.0; 40], &shares));
    assert_eq!(found.verdict, Word::Unclear);
    assert!(found.sentence.contains("more in the only round that differs"), "{}", found.sentence);
}

#[test]
fn who_fails_in_fewer_rounds_but_a_thousand_times_there_does_not_fail_less() {
    let (old, mut new) = ([0.001; 40], [0.0; 40]);
    new[30] = 0.5;
    let found = compared(&errors(&old, &new));
    assert_eq!(found.verdict, Word::Unclear, "{}", found.sentence);
    assert_eq!(found.limits[0], "no verdict: most rounds that differ go one way, and the means the other");
    assert!(
        found.sentence.contains(": 1.2 % against 0.10 % on average so far, fewer in 39 of the 40 rounds"),
        "{}",
        found.sentence
    );
}

#[test]
fn one_zero_among_many_times_does_not_take_back_what_the_ratios_proved() {
    let mut trial = super::planted::pair(60, 0.05, 0.01, 15);
    let before = compared(&trial);
    assert_eq!(before.verdict, Word::Slower);
    trial.series[0].values[0][50] = 0.0;
    let found = compared(&trial);
    assert_eq!(found.verdict, Word::Slower, "{}", found.sentence);
    assert!(found.sentence.starts_with("new is slower than old: "), "{}", found.sentence);
}

#[test]
fn a_negative_number_is_no_cost_and_a_mean_has_no_sign() {
    let trial = slices(20, [0.0, 0.001], 1);
    let negative = mapped(trial.clone(), |share| share - 0.0001);
    let settings = |at| Settings { at: Decides(at), ..Settings::default() };
    for found in [
        compared(&negative),
        only(&trial, &settings(At::Mean)),
        only(&trial, &settings(At::Percentile(90.0))),
    ] {
        assert_eq!(found.verdict, Word::Unclear);
        assert_eq!(
            found.limits,
            ["some samples of errors are 0 or below, so there is no ratio: compare the means"]
        );
    }
}

/// Launches of ten rounds, in which the candidate faults now and then.
fn launches_with_zeros(count: u32) -> Trial {
    let mut trial = trial(&["old", "new"]);
    trial.metrics = vec![Metric::time("page_faults", Unit::count())];
    for launch in 0..count {
        add(&mut trial, 0, launch, &[0.0; 10]);
        add(&mut trial, 1, launch, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    }
    trial
}

#[test]
fn a_launch_is_one_sign() {
    let found = compared(&launches_with_zeros(12));
    assert_eq!(found.verdict, Word::Slower, "{}", found.sentence);
    assert!(found.sentence.starts_with("new takes more page faults than old: 0."), "{}", found.sentence);
    assert!(
        found.sentence.contains("more in all 12 launches that differ, 12 launches, 120 rounds"),
        "{}",
        found.sentence
    );
    let few = compared(&launches_with_zeros(9));
    assert_eq!(few.verdict, Word::Unclear);
    assert!(
        few.limits.contains(&"9 launches can never give 99 % confidence: at least 10 are needed".to_owned()),
        "{:?}",
        few.limits
    );
}

#[test]
fn signs_take_part_when_all_comparisons_are_counted() {
    let mut trial = slices(20, [0.0, 0.001], 1);
    trial.series.iter_mut().for_each(|series| {
        let mut draws = Draws::new(u64::from(series.arm.0));
        series.values[1] = draws.times(20, 1e4, 0.01);
    });
    let settings =
        Settings { metrics: vec!["errors".to_owned(), "late_p99".to_owned()], ..Settings::default() };
    let found = analyse(&trial, &settings).unwrap().comparisons;
    assert_eq!(found.iter().map(|both| both.change_in_suite).collect::<Vec<_>>(), [Some(true), Some(false)]);
}

/// How a slice of a service fails.
type Process = fn(&mut Draws, usize) -> f64;

/// Equal services: rare errors, some a slice, bursts with a heavy tail, more and more errors.
const EQUAL: [(&str, Process); 4] = [
    ("rare errors", |draws, _| failed(draws, 0.0001)),
    ("some errors", |draws, _| failed(draws, 0.001)),
    ("bursts", |draws, _| if draws.uniform() < 0.3 { (0.5 / draws.uniform()).floor() } else { 0.0 }),
    ("more and more errors", |draws, round| failed(draws, 0.00002 * (1 + round) as f64)),
];

/// In how many of `trials` trials of equal services anything is claimed at any of these looks, at 95 %.
fn false_words(process: Process, trials: u64, looks: &[usize]) -> usize {
    let settings = Settings { confidence: 0.95, percentiles: Vec::new(), ..Settings::default() };
    let claims = |seed: &u64| {
        let mut draws = Draws::new(*seed);
        let longest = looks.last().copied().unwrap_or(0);
        let mut arm = || (0..longest).map(|round| process(&mut draws, round)).collect::<Vec<_>>();
        let (old, new) = (arm(), arm());
        let word = |rounds: &usize| only(&errors(&old[..*rounds], &new[..*rounds]), &settings).verdict;
        looks.iter().any(|rounds| word(rounds) != Word::Unclear)
    };
    (1..=trials).filter(claims).count()
}

#[test]
fn equal_services_are_called_different_no_more_often_than_promised() {
    // Of 25 trials with a chance of 5 % or less, six or more come in 1 of 1,000 runs; the seeds are fixed. `calibration part signs` has more.
    for (name, process) in EQUAL {
        let found = false_words(process, 25, &[15, 40]);
        assert!(found < 6, "{name}: {found} of 25");
    }
}
