//! What does a verdict assume, why is there no more, and what else is known of it?
//!
//! Tests: `tests/analysis/paired.rs`, `tests/analysis/unpaired.rs`, `crates/evenhand-report/tests/text.rs`.

use super::numbers::{spread, sure};
use super::phrase::{Part, Phrase, text};
use super::{counted, effect, quantity, size};
use crate::paired::SUREST_DRAWN;
use crate::{Analysis, Comparison, Effect, Evidence, LayoutEffect, Limit, Piece, TooLittle, Untested};
use evenhand_stats::clock_step::ClockStep;
use evenhand_stats::randomised::launches::FEWEST_ROUNDS;
use evenhand_trial::Unit;
use evenhand_trial::words::plural;

/// What the verdict assumes.
pub fn assumptions<'a>(analysis: &'a Analysis, comparison: &Comparison) -> Vec<Phrase<'a>> {
    match &comparison.evidence {
        Evidence::Coin(coin) if coin.rounds == 0 => Vec::new(),
        Evidence::Coin(coin) if coin.signs.is_some() => {
            vec![Phrase::from("the test for any difference assumes nothing")]
        }
        Evidence::Coin(_) => vec![Phrase::from(
            "the interval assumes a constant effect; the test for any difference assumes nothing",
        )],
        Evidence::NoCoin { untested } => {
            let nothing_else =
                Phrase::from("assuming that nothing else changed between the two measurements");
            let [sorted, few] = [true, false].map(|lost| {
                untested.iter().filter(|series| series.order_lost == lost).copied().collect::<Vec<_>>()
            });
            let independent = [few_independent(analysis, &few), sorted_independent(analysis, &sorted)];
            independent.into_iter().flatten().chain([nothing_else]).collect()
        }
    }
}

/// `if these 10 and 12 samples are independent`
fn few_independent<'a>(analysis: &'a Analysis, few: &[Untested]) -> Option<Phrase<'a>> {
    Some(match few {
        [] => return None,
        [only] => {
            let parts = [text(counted(only.count, piece(only.of))), Part::Name(analysis.names.arm(only.arm))];
            Phrase::of("if these {} of {} are independent", parts)
        }
        [first, second, ..] => {
            let second = counted(second.count, piece(second.of));
            format!("if these {} and {second} are independent", first.count).into()
        }
    })
}

/// `if samples of old and new are independent, which cannot be tested as their order is lost`
fn sorted_independent<'a>(analysis: &'a Analysis, sorted: &[Untested]) -> Option<Phrase<'a>> {
    let names = sorted.iter().map(|series| Phrase::from(Part::Name(analysis.names.arm(series.arm))));
    let names = (!sorted.is_empty()).then(|| Phrase::joined(names, " and "))?;
    let untested = Phrase::from(" are independent, which cannot be tested as their order is lost");
    Some(Phrase::joined(["if samples of ".into(), names, untested], ""))
}

/// Why there is no more.
pub fn limits<'a>(analysis: &'a Analysis, comparison: &Comparison) -> Vec<Phrase<'a>> {
    comparison.limits.iter().map(|limit| self::limit(analysis, comparison, limit)).collect()
}

fn limit<'a>(analysis: &'a Analysis, comparison: &Comparison, limit: &Limit) -> Phrase<'a> {
    let names = &analysis.names;
    let metric = names.metric(comparison.pair.metric).name.as_str();
    match *limit {
        // The kernel counts the memory of the process that starts a command as the command's own.
        Limit::NoSharedRound if metric == "max_rss" => {
            format!("no round has {metric} of both; it cannot be measured for small programs").into()
        }
        Limit::NoSharedRound => format!("no round has {metric} of both").into(),
        Limit::NotKnownOfBoth => format!("{metric} is missing for one of the two").into(),
        Limit::OnlyFigures => {
            "only summary figures are known, no samples: no interval, no verdict".into()
        }
        Limit::NoRatio => {
            // The kernel counts these two in ticks, and few ticks are often none.
            let ticks = matches!(metric, "user" | "system") && names.has_metric("cpu");
            let next = if ticks { "use --metric cpu, their sum" } else { "compare the means" };
            format!("some samples of {metric} are 0 or below, so there is no ratio: {next}").into()
        }
        Limit::OnlySigns => {
            let of = comparison.signs().map_or(Piece::Sample, |signs| signs.of);
            let each = if of == Piece::Launch { "launch" } else { "round" };
            format!("some samples of {metric} are 0, so there is no ratio: a {each} counts for who has more, and --margin does not apply")
                .into()
        }
        Limit::SignsAgainstMeans => {
            "no verdict: most rounds that differ go one way, and the means the other".into()
        }
        Limit::NoDifference => format!("{metric} is the same in every round of both").into(),
        Limit::ShortLaunches { short, of } => {
            format!("{short} of {of} launches have fewer than {FEWEST_ROUNDS} rounds and do not count").into()
        }
        Limit::NoLongLaunch => format!(
            "no launch has {FEWEST_ROUNDS} rounds, so nothing is known about the next launch: measure more rounds per launch"
        )
        .into(),
        Limit::TooFewLaunches(few) => {
            let sure = sure(analysis.settings.confidence);
            format!("{} launches can never give {sure} confidence: at least {} are needed", few.launches, few.needed).into()
        }
        Limit::NoConstantEffect => {
            "no constant effect fits these rounds: the difference changed during the measurement".into()
        }
        Limit::PercentilesNotDrawn => {
            format!("percentile intervals are available up to {} confidence: none here", sure(SUREST_DRAWN)).into()
        }
        Limit::OwnLateness { difference, response } => {
            let unit = &names.metric(comparison.pair.metric).unit;
            let [difference, response] = [difference, response].map(|time| quantity(time, unit));
            format!(
                "no verdict: evenhand itself was late by {difference} more in one of the two, beside a response of {response}, \
                 and may have made the difference: use a lower rate or a larger --margin"
            )
            .into()
        }
        Limit::CoarseClock(step) => coarse_clock(&step, &names.metric(comparison.pair.metric).unit).into(),
        Limit::NoInterval(ref too_little) => why_no_interval(analysis, too_little),
    }
}

fn coarse_clock(clock: &ClockStep, unit: &Unit) -> String {
    const NEXT: &str = "measure more iterations per sample";
    let reading = quantity(clock.reading(), unit);
    match clock.step() {
        Some(step) => {
            let share = size(step / clock.reading());
            format!("the clock's step of {} is {share} of the time, {reading}: {NEXT}", quantity(step, unit))
        }
        None => {
            format!("all samples read {reading}, so the clock may be too coarse to distinguish them: {NEXT}")
        }
    }
}

fn why_no_interval<'a>(analysis: &'a Analysis, too_little: &TooLittle) -> Phrase<'a> {
    let name = |arm| Part::Name(analysis.names.arm(arm));
    match *too_little {
        TooLittle::Worth { baseline, candidate, of, needed } => {
            let pieces = plural(2, piece(of));
            let sure = sure(analysis.settings.confidence);
            let needed = needed.map_or_else(String::new, |needed| format!(": at least {needed} per side are needed"));
            format!("no interval: {baseline} and {candidate} independent {pieces} are too few for {sure} confidence{needed}")
                .into()
        }
        TooLittle::Constant => {
            "no interval: all times of each command are equal, so the clock may be too coarse to show how much they vary"
                .into()
        }
        TooLittle::OnlyOne { arm, of } => {
            let parts = [text(piece(of)), name(arm)];
            Phrase::of("no interval: one {} of {} does not show how much it varies", parts)
        }
        TooLittle::RemembersAll { arm, count, of } => Phrase::of(
            "no interval: each {} of {} depends on those before it for so long that {} do not show how much it varies",
            [text(piece(of)), name(arm), text(counted(count, piece(of)))],
        ),
        TooLittle::Refused(error) => format!("no interval: {error}").into(),
    }
}

fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Sample => "sample",
        Piece::Launch => "launch",
    }
}

/// What stands below the verdict on the first screen: why there is no more, and what was asked for.
pub fn chief_remarks<'a>(analysis: &'a Analysis, comparison: &Comparison) -> Vec<Phrase<'a>> {
    let layouts = comparison.coin().and_then(|coin| coin.layouts.as_ref());
    let effect = |layouts: &LayoutEffect| -> Phrase<'a> {
        Phrase::from(format!("layout effect: ±{} over {} layouts", spread(layouts.sd), layouts.layouts))
    };
    limits(analysis, comparison).into_iter().chain(layouts.map(effect)).collect()
}

/// What is said below the verdict: why there is no more, and what else is known of it.
pub fn remarks<'a>(analysis: &'a Analysis, comparison: &Comparison) -> Vec<Phrase<'a>> {
    let mut remarks = chief_remarks(analysis, comparison);
    let Some(coin) = comparison.coin() else { return remarks };
    if let Some(within) = coin.within_launches.filter(Effect::is_bounded) {
        remarks.push(format!("within these launches: {}", effect(&within)).into());
    }
    if analysis.counted().nth(1).is_some() && coin.change_in_suite == Some(true) {
        remarks.push("significant after correction for all comparisons".into());
    }
    remarks
}
