//! Does the same benchmark give the same minimum on another day? The article: almost certainly within 1 %, and the average a little less so.
//!
//! The sessions are two trials of the archive, whose arms are numbers of lanes.
//!
//! Tests: `tests/log_normal.rs`, `tests/program.rs`.

use crate::document::{Claim, Document};
use evenhand_analysis::words::{change, duration, size};
use evenhand_trial::Trial;

/// By how much the minimum and the mean of an arm changed, as parts.
struct Moved {
    min: f64,
    mean: f64,
}

const HALF_A_DAY: f64 = 12.0 * 3600.0;
/// What the article allows the minimum.
const CLOSE: f64 = 0.01;

/// Sets what was seen beside an earlier session, if there is one.
pub fn write(before: Option<&Trial>, now: &Trial, document: &mut Document) {
    document.heading("And on another day?");
    let Some(before) = before else {
        return document.text(
            "The archive had no earlier session of this size. This one is kept: run the experiment again on another day, on the \
             same machine, to compare.",
        );
    };
    if let Some(seconds) = apart(before, now) {
        let yet = if seconds < HALF_A_DAY {
            " That is not another day yet, so the result may look better than it is."
        } else {
            ""
        };
        document.text(format!(
            "The earlier session in the archive, {}, began {} before this one.{yet}",
            before.id.short(),
            duration(seconds)
        ));
    }
    let moved: Vec<Moved> = now.arms.iter().filter_map(|arm| Moved::of(&arm.name, before, now)).collect();
    claims(&moved, document);
}

fn apart(before: &Trial, now: &Trial) -> Option<f64> {
    Some(now.started?.duration_since(before.started?).as_secs_f64())
}

impl Moved {
    /// `None` if one of the two has no sample of it.
    fn of(arm: &str, before: &Trial, now: &Trial) -> Option<Self> {
        let (old, new) = (times(before, arm), times(now, arm));
        let least = |times: &[f64]| times.iter().copied().reduce(f64::min);
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let min = least(&new)? / least(&old)? - 1.0;
        Some(Self { min, mean: mean(&new) / mean(&old) - 1.0 })
    }
}

fn times(trial: &Trial, name: &str) -> Vec<f64> {
    let of_arm =
        trial.series.iter().filter(|series| trial.arm(series.arm).is_some_and(|arm| arm.name == name));
    of_arm.filter_map(|series| series.values.first()).flatten().copied().collect()
}

fn claims(moved: &[Moved], document: &mut Document) {
    let all = moved.len();
    let within = |of: &dyn Fn(&Moved) -> f64| moved.iter().filter(|one| of(one).abs() <= CLOSE).count();
    let farthest = |of: &dyn Fn(&Moved) -> f64| {
        moved.iter().map(of).max_by(|one, other| one.abs().total_cmp(&other.abs())).unwrap_or(f64::NAN)
    };
    let typical = |of: &dyn Fn(&Moved) -> f64| {
        let mut moved: Vec<f64> = moved.iter().map(|one| of(one).abs()).collect();
        moved.sort_unstable_by(f64::total_cmp);
        moved.get(all / 2).copied().unwrap_or(f64::NAN)
    };
    let (min, mean) = (|one: &Moved| one.min, |one: &Moved| one.mean);
    document.claim(Claim {
        says: "On another day the minimum almost certainly varies by no more than 1 %.".to_owned(),
        held: (all > 0).then_some(10 * within(&min) >= 9 * all),
        result: format!(
            "{} of {all} minima stayed within 1 %; the largest change was {}.",
            within(&min),
            change(farthest(&min))
        ),
    });
    document.claim(Claim {
        says: "The average is more difficult to nail down.".to_owned(),
        held: (all > 0).then_some(typical(&mean) > typical(&min)),
        result: format!(
            "the means typically moved by {}, the minima by {}; {} of {all} means stayed within 1 %.",
            size(typical(&mean)),
            size(typical(&min)),
            within(&mean)
        ),
    });
}
