//! What is said while it is measured? What slow commands will take, what was cut off, and what is waited for.
//!
//! Tests: `tests/program/slow.rs`.

use crate::seconds::Seconds;
use evenhand_analysis::words::{counted, duration};
use evenhand_measure::budget::{Forecast, Reason};
use evenhand_measure::executor::Waiting;
use evenhand_measure::observers::Notice;
use evenhand_measure::plan::StopRule;
use evenhand_report::message::Message;
use std::time::Duration;

/// A notice in words.
pub(crate) fn message(notice: &Notice, stop: &StopRule) -> Message {
    match notice {
        Notice::Forecast(forecast) => self::forecast(forecast),
        Notice::Settled => Message::note("all verdicts are decided, so nothing is measured")
            .hint("--rounds N measures N more"),
        Notice::CutOff { what, ran, rounds } => cut_off(what, *ran, *rounds, stop),
    }
}

fn forecast(forecast: &Forecast) -> Message {
    let Forecast { round, needed, time, too_short } = forecast;
    let (rounds, each) = (needed.rounds as usize, length(*round));
    let needed = match needed.reason {
        Reason::Verdict => format!("a verdict needs at least {} of {each}", counted(rounds, "round")),
        Reason::Asked => format!("this needs {} of {each}", counted(rounds, "round")),
        Reason::Alone => format!("this needs {} of {each}", counted(rounds, "run")),
    };
    match too_short {
        None => {
            let about = length(*time);
            Message::note(format_args!("{needed}: continuing for about {about}"))
                .hint("--max-time sets a limit")
        }
        Some(allowed) => {
            let (allowed, enough) = (length(*allowed), Seconds::at_least(*time + *time / 10));
            Message::warning(format_args!("{needed}; {allowed} is too short"))
                .hint(format_args!("try --max-time {enough}"))
        }
    }
}

fn cut_off(what: &str, ran: Duration, rounds: u64, stop: &StopRule) -> Message {
    let after = length(ran);
    let over = if stop.is_chosen() { "at --max-time" } else { "at the time limit" };
    let ended = format!("`{what}` was killed after {after}, {over}");
    match rounds {
        0 => {
            // Nobody knows how long it would take.
            let more = Seconds::at_least((10 * stop.longest).max(Duration::from_secs(60)));
            Message::error(format_args!("{ended}: nothing was measured"))
                .hint(format_args!("allow more time, such as --max-time {more}"))
        }
        1 => Message::warning(format_args!("{ended}; the round before counts")),
        _ => Message::warning(format_args!("{ended}; the {rounds} rounds before count")),
    }
}

/// That something takes long, where nothing is drawn over.
pub(crate) fn still_waiting(waiting: &Waiting<'_>) -> Message {
    let message = format_args!("waiting for `{}`, {} so far", waiting.what, length(waiting.time));
    Message::note(message).hint(way_out(waiting.stays))
}

/// How the user ends what is waited for; what puts away stays at the first request.
pub(crate) fn way_out(stays: bool) -> &'static str {
    if stays { "Ctrl-C twice ends it" } else { "Ctrl-C ends it" }
}

fn length(time: Duration) -> String {
    duration(time.as_secs_f64())
}
