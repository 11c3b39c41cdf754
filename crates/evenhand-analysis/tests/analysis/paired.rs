//! With a coin: what was planted is found, and nothing else.

use super::planted::{
    Draws, add, add_rounds, by_default, compared, imported, launches, mapped, margin, only, pair, trial,
};
use super::read::{Comparison, Kind};
use evenhand_analysis::{Settings, analyse};
use evenhand_stats::randomised::Word;
use evenhand_trial::{ArmId, Better, Failure, LaunchId, Metric, Per, Reason, RoundId, Unit, Whole};

fn assert_covers(comparison: &Comparison, truth: f64) {
    let effect = comparison.effect;
    let (low, high) = (effect.low.unwrap(), effect.high.unwrap());
    assert!(low <= truth && truth <= high, "{truth} not in {low}..{high}");
    let estimate = effect.estimate.unwrap();
    assert!(low <= estimate && estimate <= high);
}

#[test]
fn five_percent_is_found_with_its_sign_and_size() {
    let slower = compared(&pair(200, 0.05, 0.01, 1));
    assert_eq!(
        (slower.verdict, slower.kind, slower.rounds, slower.launches),
        (Word::Slower, Kind::Paired, 200, 1)
    );
    assert_covers(&slower, 0.05);
    assert!(slower.effect.low.unwrap() > 0.01, "beyond the margin");
    assert!((slower.effect.estimate.unwrap() - 0.05).abs() < 0.005);
    let faster = compared(&pair(200, -0.05, 0.01, 1));
    assert_eq!(faster.verdict, Word::Faster);
    assert_covers(&faster, -0.05);
    assert!(faster.effect.high.unwrap() < -0.01);
    assert_eq!((slower.needed, faster.needed), (None, None), "a final word needs no more");
}

#[test]
fn identical_arms_are_never_called_different() {
    let words: Vec<Word> = (0..12).map(|seed| compared(&pair(150, 0.0, 0.01, seed)).verdict).collect();
    assert!(words.iter().all(|word| matches!(word, Word::Same | Word::Unclear)), "{words:?}");
    assert_eq!(compared(&pair(2000, 0.0, 0.01, 3)).verdict, Word::Same);
}

#[test]
fn the_margin_decides_what_three_tenths_of_a_percent_are() {
    let trial = pair(5000, 0.003, 0.01, 4);
    let word = |percent| only(&trial, &margin(percent)).verdict;
    assert_eq!((word(1.0), word(0.3), word(0.1)), (Word::Same, Word::SlightlySlower, Word::Slower));
    assert_covers(&only(&trial, &margin(1.0)), 0.003);
}

#[test]
fn launches_decide_where_there_are_two() {
    let found = compared(&launches(30, 10, 0.10, 0.03, 5));
    assert_eq!((found.verdict, found.launches, found.rounds), (Word::Slower, 30, 300));
    assert_covers(&found, 0.10);
    assert_eq!(found.launch_effects.len(), 30);
    let within = found.within_launches.unwrap();
    let width = |low: Option<f64>, high: Option<f64>| high.unwrap() - low.unwrap();
    assert!(width(within.low, within.high) < width(found.effect.low, found.effect.high));
    assert!(found.sentence.contains("30 launches, 300 rounds"), "{}", found.sentence);
}

#[test]
fn luck_of_launches_is_not_called_an_effect() {
    let unlucky = (0..8).map(|seed| compared(&launches(12, 40, 0.0, 0.05, seed)));
    for comparison in unlucky {
        assert!(matches!(comparison.verdict, Word::Unclear | Word::Same), "{}", comparison.sentence);
    }
}

#[test]
fn too_few_launches_are_said_to_be() {
    let found = compared(&launches(3, 40, 0.10, 0.001, 6));
    assert_eq!((found.verdict, found.effect.low, found.effect.high), (Word::Unclear, None, None));
    assert!(found.within_launches.unwrap().low.unwrap() > 0.05);
    assert_eq!(found.limits, ["3 launches can never give 99 % confidence: at least 10 are needed"]);
}

#[test]
fn rounds_of_short_launches_do_not_make_a_verdict() {
    let found = compared(&launches(20, 7, 0.10, 0.001, 7));
    assert_eq!((found.verdict, found.effect.low, found.ln_e_value), (Word::Unclear, None, None));
    assert!(found.effect.estimate.unwrap() > 0.09 && found.within_launches.unwrap().low.unwrap() > 0.05);
    assert!(found.limits[0].starts_with("no launch has 8 rounds"), "{:?}", found.limits);
}

#[test]
fn one_long_launch_decides_alone() {
    let mut trial = pair(100, 0.05, 0.01, 8);
    let alone = compared(&trial);
    for (arm, value) in [(0, 1e6), (1, 9e6)] {
        add(&mut trial, arm, 1, &[value; 5]);
    }
    let found = compared(&trial);
    assert_eq!((found.effect, found.rounds, found.launches), (alone.effect, 100, 1));
    assert_eq!(found.limits, ["1 of 2 launches have fewer than 8 rounds and do not count"]);
}

#[test]
fn a_round_that_is_a_launch_counts_as_a_round() {
    let whole = pair(60, 0.05, 0.01, 9);
    let mut split = trial(&["old", "new"]);
    for arm in 0..2 {
        for launch in 0..60 {
            add(&mut split, arm, launch, &[whole.series[arm as usize].values[0][launch as usize]]);
        }
    }
    let (one, sixty) = (compared(&whole), compared(&split));
    assert_eq!((one.effect, one.verdict, one.rounds), (sixty.effect, sixty.verdict, sixty.rounds));
    assert_eq!(sixty.launches, 60);
}

#[test]
fn rounds_of_one_side_only_do_not_count() {
    let whole = pair(80, 0.05, 0.01, 10);
    let kept = |arm: usize, keep: &dyn Fn(u64) -> bool| -> Vec<(u64, f64)> {
        (0..80)
            .filter(|round| keep(*round))
            .map(|round| (round, whole.series[arm].values[0][round as usize]))
            .collect()
    };
    let (mut holes, mut clean) = (trial(&["old", "new"]), trial(&["old", "new"]));
    let both = |round: u64| !round.is_multiple_of(7) && !round.is_multiple_of(5);
    add_rounds(&mut holes, 0, 0, &kept(0, &|round| !round.is_multiple_of(7)));
    add_rounds(&mut holes, 1, 0, &kept(1, &|round| !round.is_multiple_of(5)));
    add_rounds(&mut clean, 0, 0, &kept(0, &both));
    add_rounds(&mut clean, 1, 0, &kept(1, &both));
    let (holes, clean) = (compared(&holes), compared(&clean));
    assert_eq!(holes.rounds, (0..80).filter(|round| both(*round)).count());
    assert_eq!(
        (holes.effect, &holes.mean, &holes.percentiles),
        (clean.effect, &clean.mean, &clean.percentiles)
    );
}

#[test]
fn a_missing_number_is_a_missing_round() {
    let mut with_nan = pair(80, 0.05, 0.01, 11);
    let mut without = trial(&["old", "new"]);
    for arm in 0..2_u32 {
        let values = &with_nan.series[arm as usize].values[0];
        let rounds: Vec<_> = (0..80).filter(|r| *r != 20).map(|r| (r, values[r as usize])).collect();
        add_rounds(&mut without, arm, 0, &rounds);
    }
    with_nan.series[1].values[0][20] = f64::NAN;
    let (with_nan, without) = (compared(&with_nan), compared(&without));
    assert_eq!((with_nan.effect, with_nan.rounds), (without.effect, 79));
}

#[test]
fn a_resumed_trial_is_in_the_order_of_its_rounds() {
    let whole = pair(80, 0.05, 0.01, 12);
    let mut resumed = trial(&["old", "new"]);
    for arm in 0..2_u32 {
        let all: Vec<_> = (0..80).map(|r| (r, whole.series[arm as usize].values[0][r as usize])).collect();
        // Stored the wrong way round, with round 40 measured twice: the one stored first counts.
        add_rounds(&mut resumed, arm, 0, &all[40..]);
        add_rounds(&mut resumed, arm, 0, &all[..40]);
        add_rounds(&mut resumed, arm, 0, &[(40, 1.0)]);
    }
    assert_eq!(compared(&resumed).effect, compared(&whole).effect);
    assert_eq!(compared(&resumed).rounds, 80);
    let warnings = by_default(&resumed).warnings;
    let said: Vec<_> = warnings.iter().map(|one| (one.code.as_str(), one.arm.as_deref())).collect();
    assert_eq!(said, [("repeated-rounds", Some("old")), ("repeated-rounds", Some("new"))]);
    assert!(warnings[0].message.starts_with("1 sample of a round that was already measured"), "{warnings:?}");
    // Without the one too many the levels do not see that it was stored the wrong way round.
    resumed.series.retain(|series| series.len() > 1);
    assert_eq!(by_default(&resumed).levels, by_default(&whole).levels);
    assert!(by_default(&resumed).warnings.is_empty());
    // Without a coin a round is a place in its series, and two series may both begin at the first.
    let mut twice = whole.clone();
    twice.schedule = None;
    twice.series.extend(whole.series.clone());
    assert!(!by_default(&twice).warnings.iter().any(|one| one.code == "repeated-rounds"));
}

#[test]
fn failed_runs_are_counted_and_left_out() {
    let mut trial = pair(50, 0.05, 0.01, 13);
    for round in [50, 51] {
        let reason = Reason::Exit { code: 3 };
        trial.failures.push(Failure {
            arm: ArmId(1),
            launch: LaunchId(0),
            round: RoundId(round),
            reason,
            seconds: None,
        });
    }
    let analysis = by_default(&trial);
    assert_eq!(analysis.levels.iter().map(|level| level.failed).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(analysis.comparisons[0].rounds, 50);
}

#[test]
fn iterations_divide_totals_only() {
    let plain = pair(50, 0.05, 0.01, 14);
    let mut batched = mapped(plain.clone(), |value| value * 8.0);
    batched.series.iter_mut().for_each(|series| series.iterations = Whole::Same { same: 8 });
    let (one, eight) = (by_default(&plain), by_default(&batched));
    assert_eq!(one.comparisons[0].effect, eight.comparisons[0].effect);
    assert_eq!(one.levels[0].figures, eight.levels[0].figures);
    assert_eq!((one.levels[0].iterations, eight.levels[0].iterations), (1, 8));
    batched.metrics[0].per = Per::Iteration;
    let (one, whole) =
        (one.levels[0].figures.median.unwrap(), by_default(&batched).levels[0].figures.median.unwrap());
    assert_eq!(whole, 8.0 * one);
}

#[test]
fn a_number_below_zero_has_no_ratio() {
    let mut trial = pair(50, 0.05, 0.01, 15);
    trial.series[0].values[0][7] = -1.0;
    let found = compared(&trial);
    assert_eq!((found.verdict, found.effect.estimate, found.mean), (Word::Unclear, None, None));
    assert_eq!(
        found.limits,
        ["some samples of wall are 0 or below, so there is no ratio: compare the means"]
    );
    assert_eq!(found.sentence, "inconclusive: new may or may not differ from old, 50 rounds");
}

/// The trial by another metric: its times, or what is done a second.
fn by(trial: evenhand_trial::Trial, name: &str, unit: &str, better: Better) -> evenhand_trial::Trial {
    let mut trial = match better {
        Better::Lower => trial,
        Better::Higher => mapped(trial, |value| 1e9 / value),
    };
    trial.metrics =
        vec![Metric { name: name.to_owned(), unit: Unit::new(unit), per: Per::Iteration, better }];
    trial
}

#[test]
fn more_a_second_is_faster() {
    let trial = pair(200, 0.05, 0.01, 16);
    let time = compared(&trial);
    let rate = compared(&by(trial, "rate", "op/s", Better::Higher));
    assert_eq!(rate.verdict, Word::Slower, "5 % more time is fewer operations a second");
    assert_covers(&rate, 0.05);
    assert!((time.effect.estimate.unwrap() - rate.effect.estimate.unwrap()).abs() < 1e-9);
    assert!(rate.sentence.contains("% slower than old ["), "{}", rate.sentence);
    let scaled = rate.percentiles.iter().find(|both| both.percent == 50.0).unwrap().scaled;
    assert!((scaled - 1.0 / 1.05).abs() < 0.01, "the figures themselves keep their direction");
    let faster = compared(&by(pair(200, -0.05, 0.01, 16), "rate", "op/s", Better::Higher));
    assert!(
        faster.verdict == Word::Faster && faster.sentence.contains("% faster than old"),
        "{}",
        faster.sentence
    );
}

#[test]
fn what_is_no_time_is_better_or_worse() {
    let sentence = |name, unit, better| compared(&by(pair(200, 0.05, 0.01, 17), name, unit, better)).sentence;
    assert!(sentence("max_rss", "B", Better::Lower).contains("% more memory than old"));
    assert!(sentence("score", "", Better::Higher).contains("% worse in score than old"));
    assert!(sentence("faults", "faults/s", Better::Lower).contains("% worse in faults than old"));
    assert!(sentence("battery", "h", Better::Higher).contains("% worse in battery than old"));
    let slightly = |trial| only(&by(trial, "score", "", Better::Higher), &margin(0.3)).sentence;
    let text = slightly(pair(5000, 0.003, 0.01, 4));
    assert!(text.starts_with("new is slightly worse in score than old: 0.3"), "{text}");
}

/// Typically 3 % less, but every tenth round of `new` takes three times as long.
fn spiky(seed: u64) -> evenhand_trial::Trial {
    let mut trial = pair(300, -0.03, 0.003, seed);
    trial.series[1].values[0].iter_mut().skip(3).step_by(10).for_each(|value| *value *= 3.0);
    trial
}

#[test]
fn a_tail_of_another_story_is_told_in_the_words_of_the_metric() {
    let found = compared(&spiky(18));
    assert_eq!(found.verdict, Word::Faster);
    let tail = found.tail.unwrap();
    assert!(tail.contains("slower from P"), "{tail}");
    assert!(found.sentence.contains(&format!("but by percentile: {tail}")));
    let memory = compared(&by(spiky(18), "max_rss", "B", Better::Lower)).tail.unwrap();
    assert!(memory.contains("higher from P") && !memory.contains("slower"), "{memory}");
    let score = compared(&by(spiky(18), "score", "", Better::Lower)).tail.unwrap();
    assert!(score.contains("worse from P") && !score.contains("slower"), "{score}");
}

/// A twentieth of the candidate's runs takes three times as long.
fn sometimes_long(rounds: usize) -> evenhand_trial::Trial {
    let mut trial = pair(rounds, 0.0, 0.002, 21);
    let mut draws = Draws::new(22);
    let long = |value: &mut f64| *value *= if draws.uniform() < 0.05 { 3.0 } else { 1.0 };
    trial.series[1].values[0].iter_mut().for_each(long);
    trial
}

#[test]
fn the_same_with_another_mean_is_said_to_have_it() {
    let found = compared(&sometimes_long(600));
    assert_eq!(found.verdict, Word::Same);
    let mean = found.mean.unwrap().difference_percent;
    assert!(mean > 5.0, "{mean}");
    assert!(
        found.sentence.contains(&format!("but its mean in these rounds is {mean:.2} % slower")),
        "{}",
        found.sentence
    );
    assert!(!compared(&pair(600, 0.0, 0.002, 21)).sentence.contains("mean"));
}

#[test]
fn the_mean_or_a_percentile_decides_if_asked() {
    let decided_at =
        |at: &str, trial: &_| only(trial, &Settings { at: at.parse().unwrap(), ..Settings::default() });
    let trial = sometimes_long(3000);
    let mean = decided_at("mean", &trial);
    assert_eq!(mean.verdict, Word::Slower, "{}", mean.sentence);
    assert!(mean.sentence.contains("% slower in the mean than old ["), "{}", mean.sentence);
    let p99 = decided_at("P99", &trial);
    assert!(
        p99.sentence.starts_with("new takes 2.") && p99.sentence.contains("as long as old at P99 ["),
        "{}",
        p99.sentence
    );
    let median = decided_at("P50", &pair(3000, 0.0, 0.002, 21));
    assert!(
        median.sentence.starts_with("new and old are the same within 1 % at P50: "),
        "{}",
        median.sentence
    );
    let over_launches = decided_at("mean", &launches(40, 40, 0.10, 0.001, 6));
    assert_eq!(
        (over_launches.verdict, over_launches.launches),
        (Word::Slower, 40),
        "{}",
        over_launches.sentence
    );
}

#[test]
fn without_a_coin_only_the_typical_sample_is_compared() {
    let settings = Settings { at: "mean".parse().unwrap(), ..Settings::default() };
    let refused = analyse(&imported(&[1.0; 30], &[2.0; 30]), &settings).unwrap_err();
    assert!(refused.to_string().starts_with("\"mean\" needs rounds in randomised order"), "{refused}");
}

#[test]
fn a_mean_that_goes_the_verdicts_way_is_no_other_story() {
    let found = compared(&pair(200, 0.10, 0.002, 21));
    assert!(!found.sentence.contains("mean"), "{}", found.sentence);
}

/// Two kinds of runs, each hardly varying, a third of them the slow one. Between them, at the median of `old`, little is sure.
#[test]
fn a_tail_that_goes_the_verdicts_way_is_no_other_story() {
    let mut trial = pair(29, 0.8, 0.01, 18);
    let slow = |(place, value): (usize, &mut f64)| *value *= if place % 2 == 0 { 1.9 } else { 1.0 };
    for series in &mut trial.series {
        series.values[0].iter_mut().enumerate().for_each(slow);
    }
    let found = compared(&trial);
    assert_eq!((found.verdict, found.tail), (Word::Slower, None), "{}", found.sentence);
}

#[test]
fn a_mean_of_another_story_is_told_with_its_culprit() {
    let lower = compared(&spiky(19)).mean.unwrap();
    assert!(lower.difference > 0.0 && lower.pulled_by.as_deref() == Some("new"), "{lower:?}");
    let higher = compared(&by(spiky(19), "rate", "op/s", Better::Higher)).mean.unwrap();
    assert!(higher.difference < 0.0 && higher.pulled_by.as_deref() == Some("new"), "{higher:?}");
    let mut turned = spiky(19);
    turned.series[0].arm = ArmId(1);
    turned.series[1].arm = ArmId(0);
    assert_eq!(
        compared(&turned).mean.unwrap().pulled_by.as_deref(),
        Some("old"),
        "the baseline has the spikes"
    );
}

#[test]
fn two_guesses_about_noise_do_not_disagree() {
    // Surer than the draws of percentiles go, which saves their time.
    let settings = Settings { confidence: 0.9995, ..Settings::default() };
    for seed in 0..60 {
        // One spike, which is enough to name a culprit, and not enough to be sure of anything.
        let mut trial = pair(40, 0.0, 0.01, seed);
        trial.series[(seed % 2) as usize].values[0][20] *= 1.1;
        for better in [Better::Lower, Better::Higher] {
            let mean = only(&by(trial.clone(), "rate", "op/s", better), &settings).mean.unwrap();
            assert_eq!(mean.pulled_by, None, "seed {seed}");
        }
    }
}

#[test]
fn means_and_percentiles_are_those_of_the_rounds() {
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &[100.0, 200.0, 300.0]);
    add(&mut trial, 1, 0, &[110.0, 220.0, 330.0]);
    let found = compared(&trial);
    let mean = found.mean.unwrap();
    assert_eq!((mean.baseline_min, mean.candidate_min), (100.0, 110.0));
    assert_eq!((mean.baseline_mean, mean.candidate_mean, mean.difference), (200.0, 220.0, 20.0));
    assert!((mean.difference_percent - 10.0).abs() < 1e-12, "in percent, not a share");
    assert!((mean.z.unwrap() - 20.0 / (10.0 / 3.0_f64.sqrt())).abs() < 1e-9);
    let middle = found.percentiles.iter().find(|both| both.percent == 50.0).unwrap();
    assert_eq!((middle.baseline, middle.candidate, middle.scaled), (200.0, 220.0, 1.1));
    assert_eq!(found.effect.low, None, "three rounds bound nothing");
}

#[test]
fn a_confidence_beyond_the_draws_has_no_drawn_intervals() {
    let trial = pair(100, 0.05, 0.01, 20);
    let sure = |confidence| only(&trial, &Settings { confidence, ..Settings::default() });
    let (usual, extreme) = (sure(0.99), sure(0.99999));
    let bounded = |found: &Comparison| found.percentiles.iter().any(|both| both.low.is_some());
    assert!(bounded(&usual) && !bounded(&extreme));
    assert!(
        extreme.limits.iter().any(|limit| limit.contains("up to 99.9 % confidence")),
        "{:?}",
        extreme.limits
    );
    assert!(extreme.sentence.contains("99.999 % sure"), "{}", extreme.sentence);
    let nearly = sure(0.999_999_99).sentence;
    assert!(nearly.contains("99.999999 % sure"), "never 100 %: {nearly}");
}

#[test]
fn an_effect_beyond_a_double_stays_a_number() {
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &[1e-300; 40]);
    add(&mut trial, 1, 0, &[1e300; 40]);
    let found = compared(&trial);
    assert_eq!((found.verdict, found.effect.estimate), (Word::Slower, Some(f64::MAX)));
}

#[test]
fn draws_are_what_they_seem() {
    let mean = Draws::new(1).times(1000, 1.0, 0.1).iter().sum::<f64>() / 1000.0;
    assert!((mean - 1.005).abs() < 0.01, "{mean}");
}
