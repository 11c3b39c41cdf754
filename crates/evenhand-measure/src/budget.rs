//! How long may a group take, and when is a run ended that would outlast it?
//!
//! Where the user said nothing, the time is extended for slow commands: to the fewest rounds that can give an answer, if
//! they take no longer than [`StopRule::longest`]. A clear difference is decided soon after the fewest rounds: in 438 of
//! 500 made-up comparisons at 99 % the 11th round decided where the 10th was the first that could, and none needed more
//! than 12. So a fifth is added.
//!
//! A run that goes on after the end of the time has as long as a typical round to end by itself. Of the first round nothing
//! is typical yet: it has all the time that the user gave; without that each of its runs has [`StopRule::longest`].
//!
//! Tests: `tests/rounds.rs`.

use crate::plan::StopRule;
use std::time::Duration;

/// Runs that end this much after the time are not cut off, however short a typical round is.
const GRACE: Duration = Duration::from_secs(1);

/// The time of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// What it is without an extension.
    usual: Duration,
    longest: Duration,
    extension: Option<Extension>,
}

/// More time than usual: until there are so many rounds, or the time is over.
#[derive(Debug, Clone, Copy)]
struct Extension {
    rounds: u64,
    time: Duration,
}

/// How many rounds are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// At least so many, those of earlier sessions left out.
    pub rounds: u64,
    /// What for.
    pub reason: Reason,
}

/// What rounds are needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// With fewer there can be no verdict.
    Verdict,
    /// The user wants exactly so many.
    Asked,
    /// An arm without a rival is measured so often.
    Alone,
}

/// What the first round says of those to come, if they do not fit into the usual time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    /// How long it took.
    pub round: Duration,
    /// How many are needed.
    pub needed: Needed,
    /// How long the group will take, or would have to.
    pub time: Duration,
    /// How long it may take, if that is less.
    pub too_short: Option<Duration>,
}

impl Budget {
    pub(crate) fn of(stop: &StopRule) -> Self {
        Self { usual: stop.max_time, longest: stop.longest.max(stop.max_time), extension: None }
    }

    /// The time that the group may take, as far as is known.
    pub(crate) fn time(&self) -> Duration {
        self.extension.map_or(self.usual, |extension| extension.time)
    }

    /// Learns from the first round, which ended after `elapsed`; extends the time if it has to and may.
    pub(crate) fn learn(&mut self, elapsed: Duration, round: Duration, needed: Needed) -> Option<Forecast> {
        let after = |rounds: u64| elapsed.saturating_add(times(round, rounds.saturating_sub(1)));
        let enough = needed.with_slack();
        let (least, time) = (after(needed.rounds), after(enough));
        if least <= self.usual {
            return None;
        }
        if least > self.longest {
            return Some(Forecast { round, needed, time, too_short: Some(self.usual) });
        }
        // The first round may have been a quick one.
        let time_limit = (time + time / 4).min(self.longest);
        self.extension = Some(Extension { rounds: enough, time: time_limit });
        Some(Forecast { round, needed, time: time.min(self.longest), too_short: None })
    }

    /// Whether the next round is not begun: it would end late by more than half of itself.
    pub(crate) fn is_over(&self, elapsed: Duration, typical: Duration, rounds: u64) -> bool {
        let is_late = |end: Duration| elapsed + typical / 2 > end;
        match self.extension {
            None => is_late(self.usual),
            Some(more) => is_late(more.time) || (is_late(self.usual) && rounds >= more.rounds),
        }
    }

    /// When a run that begins now is ended; `typical`: how long a round takes, once there is one.
    pub(crate) fn end_of_run(&self, elapsed: Duration, typical: Option<Duration>) -> Duration {
        match typical {
            Some(typical) => self.time() + typical.max(GRACE),
            None if self.longest > self.usual => elapsed + self.longest,
            None => self.usual,
        }
    }
}

impl Needed {
    /// So many will most likely be enough.
    fn with_slack(self) -> u64 {
        match self.reason {
            Reason::Verdict => self.rounds + self.rounds.div_ceil(5),
            Reason::Asked | Reason::Alone => self.rounds,
        }
    }
}

fn times(round: Duration, rounds: u64) -> Duration {
    round.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))
}
