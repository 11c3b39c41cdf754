//! Where do the rounds go? Into the archive's journal, one write a round, and into memory for the analysis at the end.
//!
//! A trial is worth having even when it cannot be kept: if the archive fails, that is said once, and the measuring goes on
//! in memory.

use evenhand_archive::{ArchiveError, Journal};
use evenhand_measure::observers::Recorder;
use evenhand_trial::{ArmId, LaunchFacts, LaunchId, Round, Series, State, Trial};
use std::error::Error;

pub(crate) struct Notebook {
    trial: Trial,
    journal: Option<Journal>,
    trouble: Option<ArchiveError>,
}

impl Notebook {
    /// A notebook for a trial; with a journal its rounds are kept.
    pub(crate) fn new(trial: Trial, journal: Option<Journal>) -> Self {
        Self { trial, journal, trouble: None }
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
        self.trial.launches.push(*launch);
        self.keep(|journal| journal.launch(launch))
    }

    fn round(&mut self, round: &Round) -> Result<(), Box<dyn Error + Send + Sync>> {
        for (arm, sample) in round.samples() {
            series(&mut self.trial, arm, round.launch()).push(sample);
        }
        self.trial.failures.extend_from_slice(&round.failures);
        self.keep(|journal| journal.append(round))
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
