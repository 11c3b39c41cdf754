//! Do the pictures show what the numbers say, in every terminal?

use crate::common::expected::expect;
use evenhand_analysis::Effect;
use evenhand_analysis::charts::{
    Bins, Course, Distribution, Distributions, Moment, OneOrder, Order, Picture,
};
use evenhand_report::Layout;
use evenhand_report::bar::Axis;
use evenhand_report::plots::Plots;
use evenhand_trial::Unit;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn effect(low: f64, estimate: f64, high: f64) -> Effect {
    let known = |end: f64| end.is_finite().then_some(end);
    Effect { estimate: known(estimate), low: known(low), high: known(high) }
}

const NOTHING: Effect = Effect { estimate: None, low: None, high: None };

// ---- the bar ----

fn bar(from: f64, to: f64, interval: &Effect, unicode: bool) -> String {
    let layout = Layout { unicode, ..Layout::new(None) };
    Axis { from, to, margin: 0.01, columns: 21 }.bar(interval, layout)
}

#[test]
fn an_interval_on_its_axis() {
    for (interval, unicode, ascii) in [
        (NOTHING, "├───────┬─┼─┬───────┤", "|-------.-+-.-------|"),
        (effect(-0.03, -0.02, 0.0), "├───[━■━┯━]─┬───────┤", "|---[=#=.=]-.-------|"),
        (effect(-0.03, -0.02, -0.015), "├───[━■]┬─┼─┬───────┤", "|---[=#].-+-.-------|"),
        (effect(0.029, 0.03, 0.031), "├───────┬─┼─┬───■───┤", "|-------.-+-.---#---|"),
        (effect(f64::NEG_INFINITY, 0.0, 0.02), "<━━━━━━━┯━■━┯━]─────┤", "<=======.=#=.=]-----|"),
        (effect(-0.5, -0.4, -0.3), "<───────┬─┼─┬───────┤", "<-------.-+-.-------|"),
        (effect(0.3, 0.4, f64::INFINITY), "├───────┬─┼─┬───────>", "|-------.-+-.------->"),
    ] {
        assert_eq!(bar(-0.05, 0.05, &interval, true), unicode);
        assert_eq!(bar(-0.05, 0.05, &interval, false), ascii);
    }
}

#[test]
fn an_axis_without_length_or_columns_is_no_panic() {
    let interval = effect(-0.01, 0.0, 0.01);
    for (from, to) in [(0.0, 0.0), (1.0, -1.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, 1.0)] {
        assert_eq!(bar(from, to, &interval, false).len(), 21);
    }
    for columns in 0..4 {
        let axis = Axis { from: -1.0, to: 1.0, margin: 0.01, columns };
        assert_eq!(axis.bar(&interval, Layout::new(None)).width(), columns);
    }
}

// ---- pictures ----

fn edges(from: f64, to: f64, bins: usize) -> Vec<f64> {
    (0..=bins).map(|edge| from + (to - from) * edge as f64 / bins as f64).collect()
}

fn picture() -> Picture {
    let moment = |after: usize| {
        let half = 0.04 / (after as f64).sqrt();
        let known = after >= 8;
        let effect = if known { effect(-0.0131 - half, -0.0131, -0.0131 + half) } else { NOTHING };
        Moment { after, effect }
    };
    let bell = |at: f64| -> Vec<u64> {
        (0..36).map(|bin| (20.0 * (-((f64::from(bin) - at) / 4.0).powi(2)).exp()).round() as u64).collect()
    };
    let bins = |at: f64, median: f64, above: u64| {
        let counts = bell(at);
        Distribution { median, bins: Bins { edges: edges(790.0, 912.5, 36), counts, below: 0, above } }
    };
    Picture {
        baseline: "old".into(),
        candidate: "new".into(),
        group: String::new(),
        metric: "wall".into(),
        effect: effect(-0.018, -0.0131, -0.009),
        margin: 0.01,
        unit_of_moments: "round".into(),
        moments: [1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 55, 77, 84].map(moment).to_vec(),
        moments_axis: [-0.03, 0.015],
        distributions: Some(Distributions {
            unit: Unit::new("us"),
            baseline: bins(18.0, 845.0, 2),
            candidate: bins(11.0, 834.25, 0),
        }),
        course: Some(Course {
            unit: Unit::new("us"),
            baseline: (0..36)
                .map(|at| if (20..26).contains(&at) { 900.0 } else { 845.0 + f64::from(at % 3) })
                .collect(),
            candidate: (0..36)
                .map(|at| if (20..26).contains(&at) { 890.0 } else { 834.0 + f64::from(at % 2) })
                .collect(),
        }),
        order: Some(Order {
            candidate_first: OneOrder { rounds: 43, effect: effect(-0.018, -0.012, -0.007) },
            candidate_second: OneOrder { rounds: 41, effect: effect(-0.02, -0.015, -0.009) },
            axis: [-0.031, 0.015],
        }),
    }
}

fn shown(pictures: &[Picture], layout: Layout) -> String {
    let shown = Plots { pictures, layout }.to_string();
    let width = layout.width.unwrap_or(usize::MAX);
    assert!(shown.lines().all(|line| line.width() <= width), "{width}:\n{shown}");
    assert!(shown.lines().all(|line| line.trim_end() == line), "{width}:\n{shown}");
    shown
}

#[test]
fn pictures_at_40_80_and_200_columns() {
    let mut all = String::new();
    for width in [40, 80, 200] {
        for unicode in [true, false] {
            let layout = Layout { unicode, ..Layout::new(Some(width)) };
            let shown = shown(&[picture()], layout);
            assert!(unicode || shown.is_ascii(), "{shown}");
            all += &format!("{width} columns, {}\n{shown}\n", if unicode { "Unicode" } else { "ASCII" });
        }
    }
    expect("plots", &all);
}

#[test]
fn what_is_not_known_is_not_drawn() {
    let bare = Picture {
        effect: NOTHING,
        moments: Vec::new(),
        distributions: None,
        course: None,
        order: None,
        ..picture()
    };
    assert_eq!(shown(std::slice::from_ref(&bare), Layout::new(None)), "");
    let over_launches = Picture {
        unit_of_moments: "launch".into(),
        moments: vec![Moment { after: 1, effect: NOTHING }, Moment { after: 9, effect: NOTHING }],
        ..bare.clone()
    };
    let shown = shown(&[bare, over_launches], Layout::new(Some(60)));
    assert!(shown.starts_with("new against old over launches, by wall\n9  ├"), "{shown}");
}

#[test]
fn a_sample_alone_in_its_bin_is_seen() {
    let mut picture = picture();
    let both = picture.distributions.as_mut().unwrap();
    let bins = &mut both.baseline.bins;
    (bins.counts, bins.above) = (vec![0; 36], 0);
    bins.counts[10] = 100_000;
    bins.counts[30] = 1;
    let shown = shown(&[picture], Layout::new(Some(40)));
    assert!(shown.contains(&format!("\n{}█{}▁\n", " ".repeat(10), " ".repeat(19))), "{shown}");
}

#[test]
fn hostile_names_are_only_names() {
    for name in ["\u{1b}[2Jred", "line\nend", "\u{202e}turned", "日本語 日本語 日本語 日本語 日本語"]
    {
        let hostile =
            Picture { candidate: name.into(), baseline: name.into(), metric: name.into(), ..picture() };
        let shown = shown(&[hostile], Layout::new(Some(60)));
        assert!(
            !shown.chars().any(|character| character == '\u{1b}' || character == '\u{202e}'),
            "{shown:?}"
        );
        assert!(!shown.contains("line\nend"));
    }
}

proptest! {
    #[test]
    fn no_picture_panics_or_outgrows_its_terminal(
        width in 24_usize..250,
        unicode: bool,
        low in -1.0..1.0_f64,
        length in 0.0..10.0_f64,
        counts in prop::collection::vec(0..1000_u64, 36),
        after in prop::collection::vec(1..1_000_000_usize, 1..50),
    ) {
        let mut picture = picture();
        picture.moments = after.iter().map(|after| Moment { after: *after, effect: effect(low, low + length / 2.0, low + length) }).collect();
        picture.moments_axis = [low - length, low + 2.0 * length];
        let both = picture.distributions.as_mut().unwrap();
        both.candidate.bins = Bins { counts, below: 1, ..both.candidate.bins.clone() };
        shown(&[picture], Layout { unicode, ..Layout::new(Some(width)) });
    }
}

#[test]
fn several_comparisons_have_a_forest_in_front() {
    let one = |group: &str, found: Effect| Picture {
        group: group.into(),
        effect: found,
        moments: Vec::new(),
        distributions: None,
        course: None,
        order: None,
        ..picture()
    };
    let several = [
        one("sort", effect(0.02, 0.03, 0.05)),
        one("a long name of a benchmark", effect(-0.001, 0.0, 0.001)),
        one("x", NOTHING),
    ];
    let shown = shown(&several, Layout::new(Some(72)));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "3 comparisons, by wall");
    assert!(
        lines[1].starts_with("sort ")
            && lines[1].contains("[━")
            && lines[1].ends_with("+3.00 % [+2.00, +5.00]"),
        "{shown}"
    );
    assert!(lines[2].ends_with("0.00 % [-0.10, +0.10]"), "{shown}");
    assert!(lines[3].starts_with("x ") && !lines[3].contains('['), "{shown}");
    assert_eq!(lines.len(), 5, "and its axis: {shown}");
}

#[test]
fn a_course_that_goes_nowhere_is_not_drawn() {
    let mut flat = picture();
    flat.course = Some(Course { unit: Unit::new("us"), baseline: vec![1.0; 36], candidate: vec![1.0; 36] });
    let mut short = picture();
    short.course =
        Some(Course { unit: Unit::new("us"), baseline: vec![1.0, 2.0], candidate: vec![1.0, 3.0] });
    for picture in [flat, short] {
        assert!(!shown(&[picture], Layout::new(Some(60))).contains("in the order taken"));
    }
    assert!(
        shown(&[picture()], Layout::new(Some(60)))
            .contains("in the order taken, by wall: 834 µs to 900 µs\nold\n")
    );
}
