//! What is said while it is measured? What slow commands will take, what was cut off, and what is waited for.
//!
//! Tests: `tests/program/slow.rs`.

use super::seconds::Seconds;
use evenhand_measure::budget::{Forecast, Reason};
use evenhand_measure::executor::Waiting;
use evenhand_measure::observers::Notice;
use evenhand_measure::plan::StopRule;
use evenhand_trial::words::{counted, duration};
use std::time::Duration;

/// The lines of a notice; those after the first are set apart.
pub(crate) fn lines(notice: &Notice, stop: &StopRule) -> Vec<String> {
    match notice {
        Notice::Forecast(forecast) => self::forecast(forecast),
        Notice::Settled => {
            vec!["no verdict is open here, so nothing is measured: --rounds N measures N more".to_owned()]
        }
        Notice::CutOff { what, ran, rounds } => cut_off(what, *ran, *rounds, stop),
    }
}

fn forecast(forecast: &Forecast) -> Vec<String> {
    let Forecast { round, needed, time, too_short } = forecast;
    let (rounds, each) = (needed.rounds as usize, length(*round));
    let needed = match needed.reason {
        Reason::Verdict => format!("a verdict takes at least {} of {each}", counted(rounds, "round")),
        Reason::Asked => format!("this takes {} of {each}", counted(rounds, "round")),
        Reason::Alone => format!("this takes {} of {each}", counted(rounds, "run")),
    };
    match too_short {
        None => {
            let about = length(*time);
            vec![format!("{needed}: going on for about {about}"), "(--max-time sets a limit)".to_owned()]
        }
        Some(allowed) => {
            let (allowed, enough) = (length(*allowed), Seconds::at_least(*time + *time / 10));
            vec![format!("{needed}, and {allowed} are too short:"), format!("try --max-time {enough}")]
        }
    }
}

fn cut_off(what: &str, ran: Duration, rounds: u64, stop: &StopRule) -> Vec<String> {
    let after = length(ran);
    let over = if stop.is_chosen() { "when --max-time was over" } else { "when the time was over" };
    if rounds > 0 {
        let kept = match rounds {
            1 => "the round before it counts".to_owned(),
            _ => format!("the {rounds} rounds before it count"),
        };
        return vec![format!("`{what}` was ended after {after}, {over}"), kept];
    }
    // Nobody knows how long it would take.
    let more = Seconds::at_least((10 * stop.longest).max(Duration::from_secs(60)));
    vec![
        format!("`{what}` was ended after {after}, {over}"),
        format!("nothing was measured: give it more time, such as --max-time {more}"),
    ]
}

/// That something takes long, where nothing is drawn over.
pub(crate) fn still_waiting(waiting: &Waiting<'_>) -> String {
    let (time, way_out) = (length(waiting.time), way_out(waiting.stays));
    format!("waiting for `{}` for {time} now; {way_out}", waiting.what)
}

/// How the user ends what is waited for; what puts away stays at the first request.
pub(crate) fn way_out(stays: bool) -> &'static str {
    if stays { "Ctrl-C twice ends it" } else { "Ctrl-C ends it" }
}

fn length(time: Duration) -> String {
    duration(time.as_secs_f64())
}
