//! What is one side of a comparison? Its name and its programs.

use evenhand_measure::worker::WorkerCommand;
use evenhand_trial::Note;

/// One side of the comparison.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// What it is called.
    pub name: String,
    /// Its programs, which have the same names on both sides.
    pub programs: Vec<WorkerCommand>,
}

impl Side {
    /// What was started.
    pub(crate) fn programs_in_words(&self) -> String {
        let words = self.programs.iter().flat_map(|program| &program.words);
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }
}

/// Both sides, the baseline first, and the parts of names that were asked for.
#[derive(Debug)]
pub(crate) struct Sides {
    pub sides: [Side; 2],
    pub filters: Vec<String>,
    /// What should be known of how they came about.
    pub notes: Vec<Note>,
}
