//! Where do the rounds go? Into the archive's journal, one write a round, and into memory for the analysis at the end.
//!
//! A trial is worth having even when it cannot be kept: if the archive fails, that is said once, and the measuring goes on
//! in memory.

use evenhand_archive::{ArchiveError, Journal};
use evenhand_measure::rounds::Recorder;
use evenhand_trial::{ArmId, Failure, LaunchFacts, LaunchId, Sample, Series, State, Trial};
use jiff::Timestamp;
use std::error::Error;

pub(crate) struct Notebook {
    trial: Trial,
    journal: Option<Journal>,
    /// Nanoseconds from the beginning of the trial to that of this session.
    later: u64,
    trouble: Option<ArchiveError>,
}

impl Notebook {
    /// A notebook for a trial without samples; with a journal it is kept.
    pub(crate) fn new(trial: Trial, journal: Option<Journal>) -> Self {
        Self { trial, journal, later: 0, trouble: None }
    }

    /// A notebook for a trial that goes on now: its samples are as much later as it began earlier.
    pub(crate) fn resumed(journal: Journal, trial: Trial) -> Self {
        let began = trial.started.map_or(0, |began| Timestamp::now().duration_since(began).as_nanos());
        // A wall clock that was set back must not mix the sessions.
        let last =
            trial.series.iter().filter_map(|series| series.started.as_ref()?.get(series.len() - 1)).max();
        let later = u64::try_from(began).unwrap_or(0).max(last.unwrap_or(0));
        Self { later, ..Self::new(trial, Some(journal)) }
    }

    /// What was measured so far.
    pub(crate) fn trial(&self) -> &Trial {
        &self.trial
    }

    /// Keeps something in the journal, as long as that succeeds.
    fn keep(
        &mut self,
        write: impl FnOnce(&mut Journal) -> Result<(), ArchiveError>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        if let Some(Err(error)) = self.journal.as_mut().map(write) {
            self.trouble = Some(error);
            let without_rounds = self.journal.take().filter(|journal| journal.rounds() == 0);
            without_rounds.map(Journal::discard).transpose()?;
        }
        Ok(())
    }

    /// Ends the trial: says how long it took and what should be known of it, and moves it into the archive. A trial without a
    /// sample is not kept: nobody could do anything with it, and it would be `@last`.
    /// Answers the whole trial, whether it was kept, and why not if it should have been.
    pub(crate) fn close(mut self, state: State, change: impl FnOnce(&mut Trial)) -> Closed {
        change(&mut self.trial);
        self.trial.state = state;
        let (mut kept, mut trouble) = (false, self.trouble);
        if let Some(journal) =
            self.journal.take_if(|journal| journal.rounds() == 0 || self.trial.sample_count() == 0)
        {
            trouble = trouble.or(journal.discard().err());
        }
        if let Some(mut journal) = self.journal {
            // Launches and failures are in the journal already; its head does not hold them.
            let (launches, failures) = (Vec::new(), Vec::new());
            let head = Trial { state: State::Running, launches, failures, ..self.trial.head() };
            match journal.set_head(&head).and_then(|()| journal.finish(state)) {
                Ok(_) => kept = true,
                Err(error) => trouble = Some(error),
            }
        }
        Closed { trial: self.trial, kept, trouble }
    }
}

pub(crate) struct Closed {
    pub trial: Trial,
    pub kept: bool,
    pub trouble: Option<ArchiveError>,
}

impl Recorder for Notebook {
    fn launch(&mut self, launch: &LaunchFacts) -> Result<(), Box<dyn Error + Send + Sync>> {
        let launch = LaunchFacts { began: launch.began + self.later, ..*launch };
        self.trial.launches.push(launch);
        self.keep(|journal| journal.launch(&launch))
    }

    fn round(
        &mut self,
        samples: &[(ArmId, LaunchId, Sample<'_>)],
        failures: &[Failure],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut samples = samples.to_vec();
        for (.., sample) in &mut samples {
            sample.started = sample.started.map(|started| started + self.later);
        }
        for (arm, launch, sample) in &samples {
            series(&mut self.trial, *arm, *launch).push(*sample);
        }
        self.trial.failures.extend_from_slice(failures);
        self.keep(|journal| journal.append(&samples, failures))
    }
}

fn series(trial: &mut Trial, arm: ArmId, launch: LaunchId) -> &mut Series {
    // The newest first: of a thousand launches, the last is the one that goes on.
    let known = trial.series.iter().rposition(|series| series.arm == arm && series.launch == launch);
    let place = known.unwrap_or_else(|| {
        trial.series.push(Series::new(arm, launch, trial.metrics.len()));
        trial.series.len() - 1
    });
    &mut trial.series[place]
}
