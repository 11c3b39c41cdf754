//! How much of an effect may the step of a clock have made? Every interval of a comparison passes here on its way to a word, with a coin
//! and without; the live verdict does the same (`stop.rs` of evenhand-measure). Only times are read off a clock: counts are exact.
//!
//! Tests: `tests/analysis/clock.rs`.

use super::comparison::Limit;
use super::question::Question;
use super::settings::SettingsError;
use evenhand_stats::clock_step::ClockStep;
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_trial::Better;

impl Question<'_> {
    /// The look with room for what the clock may have rounded away.
    pub(super) fn widened(&self, look: Look) -> Look {
        self.clock.map_or(look, |step| step.widened(look))
    }

    /// The same of a ratio of candidate over baseline.
    pub(super) fn widened_ratio(&self, [low, high]: [Option<f64>; 2]) -> [Option<f64>; 2] {
        let Some(step) = self.clock else { return [low, high] };
        let Some((below, above)) = step.room() else { return [None, None] };
        let (below, above) = match self.definition.better {
            Better::Lower => (below, above),
            Better::Higher => (-above, -below),
        };
        [low.map(|low| low * below.exp()), high.map(|high| high * above.exp())]
    }

    /// Why nothing more can be said, if the clock is too coarse ever to call the arms the same.
    pub(super) fn coarse_clock(&self, word: Word) -> Result<Option<Limit>, SettingsError> {
        Ok(self.hiding_clock()?.filter(|_| !word.is_final()).map(Limit::CoarseClock))
    }

    /// The clock, if its step may hide more than the margin.
    pub(super) fn hiding_clock(&self) -> Result<Option<ClockStep>, SettingsError> {
        let margin = self.settings.margin()?;
        let hides = |step: &ClockStep| {
            step.room().is_none_or(|(below, above)| below <= margin.faster().0 || above >= margin.slower().0)
        };
        Ok(self.clock.filter(hides))
    }
}
