//! The words, the margins and the percentages in them.

use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{LogRatio, Verdict, Word};

fn verdict(low: Option<f64>, estimate: f64, high: Option<f64>, margin: Margin, rounds: usize) -> Verdict {
    let interval =
        Interval { low: low.map(LogRatio), estimate: LogRatio(estimate), high: high.map(LogRatio) };
    Verdict::of(Look::Interval(interval), margin, rounds)
}

fn word(low: f64, high: f64, margin: Margin) -> Word {
    verdict(Some(low), f64::midpoint(low, high), Some(high), margin, 100).word
}

/// ln 0.95 = -0.0513 to ln 1.05 = +0.0488.
fn five_percent() -> Margin {
    Margin::percent(5.0).unwrap()
}

#[test]
fn every_place_of_the_interval_has_its_word() {
    for (low, high, expected) in [
        (0.06, 0.08, Word::Slower),
        (-0.08, -0.06, Word::Faster),
        (-0.04, 0.04, Word::Same),
        (0.01, 0.04, Word::Same),
        (-0.04, -0.01, Word::Same),
        (0.01, 0.06, Word::SlightlySlower),
        (-0.06, -0.01, Word::SlightlyFaster),
        (-0.01, 0.06, Word::Unclear),
        (-0.06, 0.01, Word::Unclear),
        (-0.1, 0.1, Word::Unclear),
    ] {
        assert_eq!(word(low, high, five_percent()), expected, "{low}..{high}");
    }
}

#[test]
fn a_bound_on_the_edge_is_not_beyond_it() {
    let margin = five_percent();
    let (slower, faster) = (margin.slower().0, margin.faster().0);
    assert_eq!(word(slower, 0.1, margin), Word::SlightlySlower);
    assert_eq!(word(slower.next_up(), 0.1, margin), Word::Slower);
    assert_eq!(word(-0.1, faster, margin), Word::SlightlyFaster);
    assert_eq!(word(-0.1, faster.next_down(), margin), Word::Faster);
    assert_eq!(word(-0.01, slower, margin), Word::Unclear);
    assert_eq!(word(-0.01, slower.next_down(), margin), Word::Same);
    assert_eq!(word(faster, 0.01, margin), Word::Unclear);
    assert_eq!(word(faster.next_up(), 0.01, margin), Word::Same);
    assert_eq!(word(0.0, 0.1, margin), Word::Unclear);
    assert_eq!(word(-0.1, 0.0, margin), Word::Unclear);
}

#[test]
fn the_margin_is_in_percent_on_both_sides_not_in_logarithms() {
    // +5.0 log-percent is 5.1 % slower, -5.0 log-percent only 4.9 % faster.
    assert_eq!(word(0.0500, 0.0505, five_percent()), Word::Slower);
    assert_eq!(word(-0.0505, -0.0500, five_percent()), Word::Same);
}

#[test]
fn one_bound_can_be_enough() {
    let open = |low, high| verdict(low, 0.0, high, five_percent(), 10).word;
    assert_eq!(open(Some(0.06), None), Word::Slower);
    assert_eq!(open(None, Some(-0.06)), Word::Faster);
    assert_eq!(open(Some(0.01), None), Word::SlightlySlower);
    assert_eq!(open(None, Some(-0.01)), Word::SlightlyFaster);
    assert_eq!(open(Some(-0.01), None), Word::Unclear);
    assert_eq!(open(None, Some(0.01)), Word::Unclear);
    assert_eq!(open(None, None), Word::Unclear);
}

#[test]
fn without_a_margin_every_refuted_zero_is_final() {
    let none = Margin::percent(0.0).unwrap();
    assert_eq!(word(1e-9, 0.1, none), Word::Slower);
    assert_eq!(word(-0.1, -1e-9, none), Word::Faster);
    assert_eq!(word(-1e-9, 1e-9, none), Word::Unclear);
}

#[test]
fn an_effect_that_changed_has_no_word() {
    let verdict = Verdict::of(Look::NoConstantEffect, Margin::default(), 42);
    assert_eq!((verdict.word, verdict.interval, verdict.rounds), (Word::Unclear, None, 42));
    assert_eq!(verdict.rounds_to_final, None);
}

#[test]
fn final_words_are_three_and_all_are_spelled_out() {
    let words = [
        (Word::Slower, true, "slower"),
        (Word::Faster, true, "faster"),
        (Word::Same, true, "same"),
        (Word::SlightlySlower, false, "slightly slower"),
        (Word::SlightlyFaster, false, "slightly faster"),
        (Word::Unclear, false, "unclear"),
    ];
    for (word, is_final, spelled) in words {
        assert_eq!((word.is_final(), word.to_string().as_str()), (is_final, spelled));
    }
}

#[test]
fn rounds_to_final_shrink_the_half_width_to_the_nearer_margin() {
    // Half-width 3 %, nearer margin ln 1.01 = 0.00995 away: 100 rounds times 3.015² = 909.01.
    let open = verdict(Some(-0.03), 0.0, Some(0.03), Margin::default(), 100);
    assert_eq!((open.word, open.rounds, open.rounds_to_final), (Word::Unclear, 100, Some(910)));
    // Estimate 2 % from the nearer margin and beyond it, half-width 4 %: four times the rounds.
    let estimate = Margin::default().slower().0 + 0.02;
    let beyond = verdict(Some(estimate - 0.04), estimate, Some(estimate + 0.04), Margin::default(), 1000);
    assert!(matches!(beyond.rounds_to_final, Some(3999..=4001)), "{beyond:?}");
    // The same on the other side, where the faster margin is the nearer one.
    let estimate = Margin::default().faster().0 - 0.02;
    let below = verdict(Some(estimate - 0.04), estimate, Some(estimate + 0.04), Margin::default(), 1000);
    assert!(matches!(below.rounds_to_final, Some(3999..=4001)), "{below:?}");
}

#[test]
fn rounds_to_final_are_more_than_there_are_or_unknown() {
    // Narrow enough by the rule, but off centre: at least a tenth more, and one.
    let soon = verdict(Some(0.005), 0.0052, Some(0.011), Margin::default(), 50);
    assert_eq!((soon.word, soon.rounds_to_final), (Word::SlightlySlower, Some(55)));
    let few = verdict(Some(0.005), 0.0052, Some(0.011), Margin::default(), 7);
    assert_eq!(few.rounds_to_final, Some(8));
    let on_the_margin = verdict(Some(0.001), Margin::default().slower().0, Some(0.1), Margin::default(), 50);
    assert_eq!((on_the_margin.word, on_the_margin.rounds_to_final), (Word::SlightlySlower, None));
    // While it is unclear, half of the margin, 0.00498, is narrow enough for another word: 50 rounds times 20.1².
    let unclear = verdict(Some(-0.1), Margin::default().slower().0, Some(0.1), Margin::default(), 50);
    assert_eq!(unclear.word, Word::Unclear);
    assert!(matches!(unclear.rounds_to_final, Some(20_150..=20_250)), "{unclear:?}");
    assert_eq!(verdict(Some(0.005), 0.02, None, Margin::default(), 50).rounds_to_final, None);
    assert_eq!(verdict(None, 0.02, Some(0.03), Margin::default(), 50).rounds_to_final, None);
    // A word that stands needs no more.
    assert_eq!(verdict(Some(0.5), 0.6, Some(0.7), Margin::default(), 50).rounds_to_final, None);
}

#[test]
fn the_default_margin_is_one_percent() {
    let (default, one) = (Margin::default(), Margin::percent(1.0).unwrap());
    assert!((default.slower().percent() - 1.0).abs() < 1e-12);
    assert!((default.faster().percent() + 1.0).abs() < 1e-12);
    assert!((default.slower().0 - one.slower().0).abs() < 1e-15);
    assert!((default.faster().0 - one.faster().0).abs() < 1e-15);
}

#[test]
fn margins_lie_between_nothing_and_everything() {
    for refused in [-0.1, 100.0, 250.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Margin::percent(refused), None, "{refused}");
    }
    assert!(Margin::percent(0.0).is_some() && Margin::percent(99.9).is_some());
}

#[test]
fn percentages_and_factors_say_the_same() {
    let quarter_more = LogRatio::from_percent(25.0).unwrap();
    assert!((quarter_more.factor() - 1.25).abs() < 1e-15);
    assert!((quarter_more.0 - 1.25_f64.ln()).abs() < 1e-15);
    for percent in [-99.0, -50.0, -1.0, 0.0, 1e-9, 3.0, 100.0, 1e6] {
        let back = LogRatio::from_percent(percent).unwrap().percent();
        assert!((back - percent).abs() <= 1e-12 * percent.abs().max(1e-9), "{percent} {back}");
    }
    for refused in [-100.0, -101.0, f64::NAN, f64::INFINITY] {
        assert_eq!(LogRatio::from_percent(refused), None, "{refused}");
    }
}
