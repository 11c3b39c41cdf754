//! Is the sentence the one that a reader needs for this size, this metric and this many rounds?

use crate::planted::{compared, imported, margin, only, pair};
use evenhand_stats::randomised::Word;
use evenhand_trial::analysis::Settings;
use evenhand_trial::{Trial, Unit};

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
    let mut memory = pair(60, 7.64, 0.01, 90);
    memory.metrics[0].name = "max_rss".to_owned();
    memory.metrics[0].unit = Unit::bytes();
    assert!(said(&memory).contains(" % worse in max_rss than old ["), "{}", said(&memory));
}

#[test]
fn a_metric_that_is_not_the_clock_is_named_whatever_the_word() {
    let in_cpu = |mut trial: Trial| {
        trial.metrics[0].name = "cpu".to_owned();
        said(&trial)
    };
    assert!(in_cpu(pair(200, 0.05, 0.01, 91)).contains(" % slower in cpu than old ["));
    assert!(in_cpu(pair(60, 1.5, 0.01, 91)).contains(" times as long as old in cpu ["));
    assert!(in_cpu(pair(800, 0.0, 0.01, 91)).starts_with("new and old are the same within 1 % in cpu: "));
    assert!(in_cpu(pair(8, 0.0, 0.01, 91)).starts_with("unclear whether new differs from old in cpu: "));
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
    let tells = format!("it takes at least {more} more rounds (about {} s) to tell", 2 * more);
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
    assert!(after(100.0, &mut slow).ends_with(" would tell"));
    let days = after(100_000.0, &mut slow);
    assert!(days.ends_with(", at this rate it will hardly be told"), "{days}");
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
    assert_eq!(limits(unpaired), ["max_rss is not known of both"]);
    let paired = pair(20, 0.0, 0.01, 94);
    assert_eq!(limits(paired), ["no round has max_rss of both; it cannot be told for small programs"]);
}
