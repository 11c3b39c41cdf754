//! Is the sentence the one that a reader needs for this size, this metric and this many rounds?

use super::planted::{Draws, compared, imported, level, margin, only, pair};
use evenhand_analysis::words::{Part, means, statement, tail};
use evenhand_analysis::{Settings, analyse};
use evenhand_stats::percentile::{Direction, SureRange};
use evenhand_stats::randomised::Word;
use evenhand_trial::{Better, Metric, Trial, Unit};

fn said(trial: &Trial) -> String {
    compared(trial).sentence
}

#[test]
fn twice_the_time_is_told_as_a_factor() {
    let longer = said(&pair(60, 7.64, 0.01, 90));
    assert!(longer.starts_with("new takes 8.6") && longer.contains(" times as long as old [8.5"), "{longer}");
    let faster = said(&pair(60, -0.75, 0.01, 90));
    assert!(faster.starts_with("new is 4.0") && faster.contains(" times as fast as old [3.9"), "{faster}");
    let nearly = said(&pair(60, 0.95, 0.01, 90));
    assert!(nearly.contains(" % slower than old [9"), "{nearly}");
    let hundreds = said(&pair(60, 229.0, 0.01, 90));
    assert!(hundreds.starts_with("new takes 2") && hundreds.contains(" as long as old [22"), "{hundreds}");
    let score = said(&of_metric("score", "", 7.64));
    assert!(score.contains(" % worse in score than old ["), "{score}");
}

/// A trial of a metric in which the candidate has so much more.
fn of_metric(name: &str, unit: &str, effect: f64) -> Trial {
    let mut trial = pair(200, effect, 0.01, 90);
    trial.metrics[0].name = name.to_owned();
    trial.metrics[0].unit = Unit::new(unit);
    trial
}

#[test]
fn what_is_counted_has_its_verb_and_its_noun() {
    let more = said(&of_metric("instructions", "", 0.33));
    assert!(more.starts_with("new executes 3") && more.contains(" % more instructions than old ["), "{more}");
    let fewer = said(&of_metric("instructions", "", -0.75));
    assert!(
        fewer.starts_with("new executes 7") && fewer.contains(" % fewer instructions than old ["),
        "{fewer}"
    );
    let twice = said(&of_metric("page_faults", "", 1.1));
    assert!(
        twice.starts_with("new takes 2.1") && twice.contains(" times the page faults of old [2.0"),
        "{twice}"
    );
    let memory = said(&of_metric("max_rss", "B", -0.05));
    assert!(memory.starts_with("new uses ") && memory.contains(" % less memory than old ["), "{memory}");
    let mut rate = of_metric("instructions", "", 0.5);
    rate.metrics[0].better = Better::Higher;
    assert!(said(&rate).contains(" % better in instructions than old ["), "more is no cost: {}", said(&rate));
}

#[test]
fn the_tail_of_a_count_is_higher_not_slower() {
    let count = Metric::time("instructions", Unit::count());
    let range = SureRange { direction: Direction::Slower, from: 80.0, to: 99.0 };
    assert_eq!(tail(&count, &[range]).unwrap(), "no proven difference at P50, higher from P80");
}

#[test]
fn a_metric_that_is_not_the_clock_is_named_whatever_the_word() {
    let in_cpu = |mut trial: Trial| {
        trial.metrics[0].name = "cpu".to_owned();
        said(&trial)
    };
    assert!(in_cpu(pair(200, 0.05, 0.01, 91)).contains(" % more CPU time than old ["));
    assert!(in_cpu(pair(60, 1.5, 0.01, 91)).contains(" times the CPU time of old ["));
    assert!(
        in_cpu(pair(800, 0.0, 0.01, 91)).starts_with("new and old are the same within 1 % in CPU time: ")
    );
    assert!(
        in_cpu(pair(8, 0.0, 0.01, 91))
            .starts_with("inconclusive: new may or may not differ from old in CPU time: ")
    );
}

#[test]
fn too_few_rounds_have_an_estimate_and_what_it_takes() {
    let mut few = pair(3, 0.5, 0.01, 92);
    few.seconds = Some(6.0);
    let found = compared(&few);
    assert_eq!((found.verdict, found.effect.low, found.effect.high), (Word::Unclear, None, None));
    assert!((found.effect.estimate.unwrap() - 0.5).abs() < 0.05);
    let (told, next) = found.sentence.split_once(", 99 % sure").unwrap_or((found.sentence.as_str(), ""));
    assert!(told.contains(" % so far") && next.is_empty(), "{}", found.sentence);
    let needed = found.needed.unwrap();
    let more = needed - 3;
    let tells = format!("needs at least {more} more rounds (about {} s)", 2 * more);
    assert!(found.sentence.ends_with(&tells), "{}", found.sentence);
    // So many are enough in the luckiest order; in any other it takes little more.
    assert_eq!(compared(&pair(2 * needed as usize, 0.5, 0.01, 92)).verdict, Word::Slower);
    assert_eq!(compared(&pair(needed as usize - 1, 0.5, 0.01, 92)).verdict, Word::Unclear);
}

#[test]
fn what_nobody_waits_for_is_told_in_words() {
    let mut slow = pair(100, 0.0, 0.01, 93);
    let after = |seconds: f64, slow: &mut Trial| {
        slow.seconds = Some(seconds);
        only(slow, &margin(0.001)).sentence
    };
    assert!(after(100.0, &mut slow).ends_with(" would settle it"));
    let days = after(100_000.0, &mut slow);
    assert!(days.ends_with(", more rounds are unlikely to settle it"), "{days}");
}

#[test]
fn a_metric_of_which_too_little_is_known_is_named() {
    let asked = Settings { metrics: vec!["max_rss".to_owned()], ..Settings::default() };
    let limits = |mut trial: Trial| {
        trial.metrics[0].name = "max_rss".to_owned();
        trial.series[1].values[0].fill(f64::NAN);
        only(&trial, &asked).limits
    };
    let unpaired = imported(&[1e6; 30], &[1e6; 30]);
    assert_eq!(limits(unpaired), ["max_rss is missing for one of the two"]);
    let paired = pair(20, 0.0, 0.01, 94);
    assert_eq!(limits(paired), ["no round has max_rss of both; it cannot be measured for small programs"]);
}

/// The parts of a claim, the word of its verdict in braces and the names in brackets.
fn parts(mut trial: Trial, names: [&str; 2]) -> String {
    for (arm, name) in trial.arms.iter_mut().zip(names) {
        arm.name = name.to_owned();
    }
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let told = |part: &Part<'_>| match part {
        Part::Text(text) => text.to_string(),
        Part::Name(name) => format!("<{name}>"),
        Part::Verdict(word) => format!("{{{word}}}"),
    };
    statement(&analysis, &analysis.comparisons[0]).claim.0.iter().map(told).collect()
}

#[test]
fn a_view_is_told_which_word_is_the_verdict_and_what_is_a_name() {
    let names = ["slower {}", "faster than slower"];
    assert!(parts(pair(200, 0.05, 0.01, 95), names).starts_with("<faster than slower> is "));
    for (effect, word) in
        [(0.05, " % {slower} than "), (-0.05, " % {faster} than "), (7.64, " times as {long} as ")]
    {
        let claim = parts(pair(200, effect, 0.01, 95), names);
        assert!(claim.contains(&format!("{word}<slower {{}}> [")), "{claim}");
    }
    let unclear = parts(pair(4, 0.0, 0.01, 95), names);
    assert!(
        unclear.starts_with("{inconclusive}: <faster than slower> may or may not differ from <slower {}>: "),
        "{unclear}"
    );
    let same = parts(pair(2000, 0.0, 0.01, 95), names);
    assert!(same.starts_with("<faster than slower> and <slower {}> are the same within 1 %: "), "{same}");
}

#[test]
fn a_tail_is_told_by_where_it_begins_and_ends() {
    let time = Metric::time("wall", Unit::nanoseconds());
    let said = |ranges: &[(char, f64, f64)]| {
        let range = |(way, from, to): &(char, f64, f64)| {
            let direction = if *way == 'f' { Direction::Faster } else { Direction::Slower };
            SureRange { direction, from: *from, to: *to }
        };
        tail(&time, &ranges.iter().map(range).collect::<Vec<_>>()).unwrap_or_default()
    };
    assert_eq!(said(&[]), "");
    assert_eq!(said(&[('f', 1.0, 60.0), ('s', 80.0, 99.0)]), "faster at P50, slower from P80");
    assert_eq!(said(&[('f', 1.0, 30.0), ('s', 70.0, 99.0)]), "faster up to P30, slower from P70");
    assert_eq!(said(&[('s', 80.0, 99.0)]), "no proven difference at P50, slower from P80");
    assert_eq!(said(&[('s', 80.0, 80.0)]), "no proven difference at P50, slower at P80");
    assert_eq!(said(&[('f', 70.0, 80.0)]), "no proven difference at P50, faster from P70 to P80");
    let three = [('f', 1.0, 40.0), ('s', 60.0, 60.0), ('f', 70.0, 99.0)];
    assert_eq!(said(&three), "faster up to P40, slower at P60, faster from P70");
}

#[test]
fn a_shape_is_told_by_its_extreme_and_by_what_fits() {
    let z: Vec<f64> = (0..200)
        .map({
            let mut draws = Draws::new(5);
            move |_| draws.normal()
        })
        .collect();
    let said = |samples: Vec<f64>| level(&imported(&samples, &[1.0]), "old").distribution.unwrap().sentence;
    let calm = said(z.iter().map(|z| 10.0 + z).collect());
    assert!(calm.starts_with("consistent with normal: m") && calm.ends_with(" sigma (n = 200)"), "{calm}");
    let skewed = said(z.iter().map(|z| z.exp()).collect());
    assert!(skewed.starts_with("not normal: maximum at "), "{skewed}");
    assert!(skewed.ends_with(" sigma (n = 200); log-normal fits better"), "{skewed}");
    let with_first = |first: f64| {
        let mut samples: Vec<f64> = z.iter().map(|z| 100.0 + z).collect();
        samples[0] = first;
        said(samples)
    };
    let spiked = with_first(140.0);
    assert!(spiked.ends_with("; log-normal fits better, though not well"), "{spiked}");
    let dipped = with_first(60.0);
    assert!(
        dipped.starts_with("not normal: minimum at ") && dipped.ends_with("log-normal fits worse"),
        "{dipped}"
    );
}

#[test]
fn the_means_are_told_with_their_test_and_what_it_assumes() {
    let trial = pair(200, 0.05, 0.002, 31);
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let lines = means(&analysis, &analysis.comparisons[0]);
    let mean = analysis.comparisons[0].coin().unwrap().mean.unwrap();
    assert!(lines[0].starts_with("minima of old and new: "), "{lines:?}");
    let percent = format!("(+{:.2} %), z = {:.2}: CHANGE DETECTED", mean.difference_percent, mean.z.unwrap());
    assert!(lines[1].contains(&percent), "{percent} {lines:?}");
    assert!(lines[3].starts_with("this assumes independent rounds"), "{lines:?}");
    let alike = analyse(&pair(200, 0.0, 0.002, 31), &Settings::default()).unwrap();
    assert!(means(&alike, &alike.comparisons[0])[1].ends_with(": no change detected"));
    let apart = analyse(&imported(&[1.0; 30], &[2.0; 30]), &Settings::default()).unwrap();
    assert!(means(&apart, &apart.comparisons[0]).is_empty(), "there are no rounds");
}
