//! Has it been measured enough? A value that folds in the rounds so far and is asked after any of them.
//!
//! The verdict stands when the confidence sequence of every wanted metric gives a final word, see
//! [`evenhand_stats::randomised::verdict`], or when its interval is a tenth of the margin wide. Such a verdict is valid although it was looked for after every round, so
//! stopping here costs nothing. A candidate whose verdicts stand leaves the group, and the time goes to the others: who
//! stays depends on earlier rounds only, so the coins of the others remain fair.
//!
//! The first interval that proves a change reaches nearly down to the margin. People ask how large the change is, so its
//! rounds go on for a while, until the interval is narrow beside the effect: see [`Precision`](crate::plan::Precision). So they do
//! where the typical round is the same, but the mean or a tail may have moved.
//!
//! The interval is that of all rounds now, not cut with earlier ones: the stored trial is analysed the same way, and must
//! come to the same verdict.
//!
//! Where some cost nothing there is no ratio, and from there on rounds, or launches, count by who cost more: see
//! [`evenhand_stats::randomised::signs`]. Then there is no size to wait for. While both cost the same in every round, which is how services
//! without errors look, only a candidate that nothing else is wanted of goes on for that.
//!
//! Rounds of one launch are sequence enough for what the launch drew. Where there are several launches, each counts as one
//! effect, the median of its rounds: see [`evenhand_stats::randomised::launches`].
//!
//! Tests: `tests/stop.rs`.

use crate::plan::{Judged, StopRule};
use evenhand_stats::clock_step::Readings;
use evenhand_stats::randomised::at::{At, AtSequence};
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, OneLaunch, Scatter, fewest_to_decide};
use evenhand_stats::randomised::mean_and_tails::{MeanAndTails, Shares};
use evenhand_stats::randomised::position::{Placed, Places, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::signs::Signs;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Verdict, Word};
use evenhand_trial::{ArmId, Better, MetricId, Round};
use std::time::Duration;

/// Of an effect nothing is known, or it has no size.
const UNBOUNDED: Interval = Interval { low: None, estimate: LogRatio(0.0), high: None };
/// An interval is narrow when it is not wider than this part of the margin.
const NARROW: f64 = 0.1;
/// Where the typical round is the same, and more speaks for another mean or tail than against it, that is waited for so long.
const LONGEST_FOR_THE_MEAN: Duration = Duration::from_secs(5);
/// A number that was missing in so many rounds and there in none will not come. Whether a command is a single task is known
/// sooner: see [`PATIENCE`](crate::command::proof::PATIENCE).
const OFTEN: u64 = 8;

/// What counts as one effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pieces {
    /// Each round.
    Rounds,
    /// Each launch: the median of its rounds.
    Launches,
}

/// A candidate against the baseline by one metric, as far as it is known.
#[derive(Debug, Clone)]
pub struct PairSoFar {
    /// The baseline.
    pub baseline: ArmId,
    /// The candidate.
    pub candidate: ArmId,
    /// The metric that decided the last look.
    pub metric: MetricId,
    /// What the last look found.
    pub verdict: Verdict,
    /// Whether more rounds are of no use: the verdict stands, or there can be none.
    pub settled: bool,
    /// When a look found the final word that has stood since.
    proven: Option<(Word, Duration)>,
    /// Rounds in which both arms were measured.
    rounds: u64,
    /// By the metric that is wanted, then by the one that does instead.
    evidence: Vec<EvidenceSoFar>,
}

/// What the rounds say by one metric.
#[derive(Debug, Clone)]
struct EvidenceSoFar {
    metric: MetricId,
    better: Better,
    level: Pieces,
    /// Rounds in which both arms have a number.
    known: u64,
    /// Rounds in which an arm has none.
    missing: u64,
    /// `None` once it is clear that there can be no verdict: a number is no cost, or is missing every time.
    effects: Option<ConfidenceSequence>,
    /// Who cost more how often.
    signs: Signs,
    /// Whether signs decide, since some cost nothing.
    by_signs: bool,
    /// What the first rounds say of the step of a clock, if it is a time.
    readings: Option<Readings>,
    /// What the rounds so far say of the places in a round.
    position: Position,
    /// The rounds of the launch that goes on.
    launch: Vec<Placed>,
    /// The launches before it.
    launches: Vec<OneLaunch>,
    /// The same for the mean or a percentile, if that decides.
    at: Option<AtSequence>,
    /// What both arms cost in the launch that goes on: the better and the worse one, if the candidate is worse.
    costs: [Vec<f64>; 2],
    /// What the mean and the tails do.
    beside: MeanAndTails,
}

/// All comparisons of a group.
#[derive(Debug, Clone)]
pub struct Decisions {
    rule: StopRule,
    comparisons: Vec<PairSoFar>,
    /// The candidate that nothing waits for.
    unawaited: Option<ArmId>,
    rounds: u64,
}

impl Decisions {
    /// Nothing is known yet. `arms`: the baseline, then its candidates.
    pub fn new(rule: &StopRule, arms: &[ArmId], level: Pieces) -> Self {
        let (baseline, candidates) = match arms.split_first() {
            Some((baseline, candidates)) => (*baseline, candidates),
            None => (ArmId(0), &[][..]),
        };
        let pairs = candidates
            .iter()
            .flat_map(|candidate| rule.metrics.iter().map(move |judged| (*candidate, *judged)));
        let comparisons = pairs
            .map(|(candidate, judged)| PairSoFar::new(rule, baseline, candidate, judged, level))
            .collect();
        Self { rule: rule.clone(), comparisons, unawaited: None, rounds: 0 }
    }

    /// Waits for all but this candidate, which is settled when all others are.
    pub fn without_waiting_for(self, unawaited: Option<ArmId>) -> Self {
        Self { unawaited, ..self }
    }

    /// Takes in a round.
    pub fn fold(&mut self, round: &Round) {
        self.rounds += 1;
        for comparison in &mut self.comparisons {
            let both = round.values(comparison.baseline).zip(round.values(comparison.candidate));
            if let Some((baseline, candidate)) = both {
                let places = places(round, comparison.baseline, comparison.candidate);
                comparison.fold(baseline, candidate, places);
            }
        }
    }

    /// The launch is over: from now on its rounds are one effect.
    pub fn end_launch(&mut self) {
        self.comparisons.iter_mut().for_each(PairSoFar::end_launch);
    }

    /// How many rounds a launch should have, by what the launches so far say: endless, if they do not differ. `None` while
    /// they say nothing.
    pub fn rounds_per_launch(&self, launch_cost_over_round_cost: f64) -> Option<f64> {
        let chosen = self.comparisons.iter().filter_map(PairSoFar::chosen);
        let scatters = chosen.filter_map(|evidence| Scatter::of(&evidence.launches));
        let rounds = |scatter: Scatter| scatter.rounds_per_launch(launch_cost_over_round_cost);
        scatters.map(|scatter| rounds(scatter).unwrap_or(f64::INFINITY)).reduce(f64::max)
    }

    /// Looks at all comparisons, also at those that had a verdict: the rounds since may have taken it away again, and what
    /// is said at the end is said of all rounds. `now`: the time since any fixed moment.
    pub fn look(&mut self, now: Duration) {
        for comparison in &mut self.comparisons {
            comparison.look(&self.rule, now);
        }
    }

    /// What the last look found.
    pub fn comparisons(&self) -> &[PairSoFar] {
        &self.comparisons
    }

    /// How many rounds were taken in.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// With fewer rounds there can be no verdict, however large the difference is.
    pub fn fewest_rounds(&self) -> u64 {
        fewest_to_decide(Shares::TYPICAL * self.rule.alpha, &Mixture::rounds()) as u64
    }

    /// Whether no comparison can ever have a verdict, however long it is measured.
    pub fn is_hopeless(&self) -> bool {
        !self.comparisons.is_empty() && self.comparisons.iter().all(PairSoFar::is_hopeless)
    }

    /// Whether a candidate need not run again. With a fixed number of rounds everybody runs to the end, and nobody stops before the
    /// fewest.
    pub fn is_settled(&self, candidate: ArmId) -> bool {
        let is_unawaited = self.unawaited == Some(candidate);
        let waits_for = |comparison: &&PairSoFar| (comparison.candidate == candidate) != is_unawaited;
        let (settled, open): (Vec<&PairSoFar>, Vec<&PairSoFar>) =
            self.comparisons.iter().filter(waits_for).partition(|comparison| comparison.settled);
        let is_open = open.iter().any(|comparison| settled.is_empty() || !comparison.differs_never());
        self.rule.rounds.is_none() && self.rounds >= self.rule.fewest && !is_open
    }

    /// Whether more rounds are of no use. Never for an arm without a rival: there is nothing to decide.
    pub fn all_settled(&self) -> bool {
        !self.comparisons.is_empty()
            && self.comparisons.iter().all(|comparison| self.is_settled(comparison.candidate))
    }
}

impl PairSoFar {
    fn new(rule: &StopRule, baseline: ArmId, candidate: ArmId, judged: Judged, level: Pieces) -> Self {
        let nothing = Look::Interval(UNBOUNDED);
        let metrics = std::iter::once(judged.metric).chain(judged.instead);
        Self {
            baseline,
            candidate,
            metric: judged.metric,
            verdict: Verdict::of(nothing, rule.margin, 0),
            settled: false,
            proven: None,
            rounds: 0,
            evidence: metrics.map(|metric| EvidenceSoFar::new(rule, metric, judged, level)).collect(),
        }
    }

    fn fold(&mut self, baseline: &[f64], candidate: &[f64], places: Option<Places>) {
        self.rounds += 1;
        self.evidence.iter_mut().for_each(|evidence| evidence.fold(baseline, candidate, places));
    }

    fn end_launch(&mut self) {
        self.evidence.iter_mut().for_each(EvidenceSoFar::end_launch);
    }

    fn is_hopeless(&self) -> bool {
        self.evidence.iter().all(|evidence| evidence.effects.is_none())
    }

    fn differs_never(&self) -> bool {
        self.chosen().is_some_and(EvidenceSoFar::differs_never)
    }

    /// By the first metric that is known in more than half of the rounds, which is how the stored trial is analysed.
    fn chosen(&self) -> Option<&EvidenceSoFar> {
        let usual = self.evidence.iter().find(|evidence| 2 * evidence.known > self.rounds);
        usual.or(self.evidence.last())
    }

    fn look(&mut self, rule: &StopRule, now: Duration) {
        let Some(chosen) = self.chosen() else { return };
        let (metric, by_signs) = (chosen.metric, chosen.by_signs);
        let verdict = chosen.verdict(rule.margin);
        self.metric = metric;
        let Some(verdict) = verdict else {
            self.settled = true;
            return;
        };
        self.verdict = verdict;
        if by_signs {
            self.settled = verdict.word.is_final();
            return;
        }
        let reached = rule.tell_from.is_none_or(|effect| self.tells_from(effect));
        self.settled = (self.is_proven_and_known(rule, now) && reached) || self.is_narrow(rule);
    }

    /// Whether a final word stands, and what people ask next is known or was waited for.
    fn is_proven_and_known(&mut self, rule: &StopRule, now: Duration) -> bool {
        let word = self.verdict.word;
        let since = self.proven.filter(|(before, _)| *before == word).map_or(now, |(_, since)| since);
        self.proven = word.is_final().then_some((word, since));
        let known = match word {
            Word::Same if rule.at == At::Typical => {
                !self.chosen().is_some_and(|evidence| evidence.beside.may_have_moved())
            }
            Word::Same => true,
            _ => self.is_precise(rule),
        };
        let patience = if word == Word::Same {
            rule.precision.time.min(LONGEST_FOR_THE_MEAN)
        } else {
            rule.precision.time
        };
        word.is_final() && (known || now - since >= patience)
    }

    /// Whether the interval is narrow beside the effect.
    fn is_precise(&self, rule: &StopRule) -> bool {
        self.verdict.interval.is_some_and(|Interval { low, estimate, high }| {
            let width = low.zip(high).map(|(low, high)| high.0 - low.0);
            width.is_some_and(|width| width <= rule.precision.part * estimate.0.abs())
        })
    }

    /// Whether the effect is known so well that nobody would act otherwise if it were known better: an effect of just the
    /// margin is never told from it.
    fn is_narrow(&self, rule: &StopRule) -> bool {
        let ends = self.verdict.interval.and_then(|interval| Some((interval.low?, interval.high?)));
        ends.is_some_and(|(low, high)| high.0 - low.0 < NARROW * rule.margin.slower().0)
    }

    /// Whether the effect is surely larger or surely smaller than this one.
    fn tells_from(&self, effect: LogRatio) -> bool {
        let Some(interval) = self.verdict.interval else { return false };
        interval.low.is_some_and(|low| low > effect) || interval.high.is_some_and(|high| high < effect)
    }
}

impl EvidenceSoFar {
    fn new(rule: &StopRule, metric: MetricId, judged: Judged, level: Pieces) -> Self {
        let alpha = Shares::TYPICAL * rule.alpha;
        let mixture = match level {
            Pieces::Rounds => Mixture::rounds(),
            Pieces::Launches => Mixture::launches(),
        };
        Self {
            metric,
            better: judged.better,
            level,
            known: 0,
            missing: 0,
            effects: ConfidenceSequence::new(alpha, mixture).ok(),
            signs: Signs::default(),
            by_signs: false,
            readings: judged.timed.then(Readings::default),
            position: Position::default(),
            launch: Vec::new(),
            launches: Vec::new(),
            at: AtSequence::new(rule.at, rule.alpha).ok().flatten(),
            costs: Default::default(),
            beside: MeanAndTails::new(rule.margin),
        }
    }

    fn fold(&mut self, baseline: &[f64], candidate: &[f64], places: Option<Places>) {
        let place = self.metric.index();
        let (Some(baseline), Some(candidate)) = (baseline.get(place), candidate.get(place)) else { return };
        if baseline.is_nan() || candidate.is_nan() {
            self.missing += 1;
            if self.known == 0 && self.missing >= OFTEN {
                self.effects = None;
            }
            return;
        }
        self.known += 1;
        let (good, bad) = match self.better {
            Better::Lower => (baseline, candidate),
            Better::Higher => (candidate, baseline),
        };
        if ![*good, *bad].into_iter().all(|cost| self.can_decide(cost)) {
            self.effects = None;
            return;
        }
        self.readings.iter_mut().for_each(|readings| readings.push(*good, *bad));
        let round = Placed { difference: bad.ln() - good.ln(), places };
        match self.level {
            Pieces::Rounds => {
                let have_ratio = self.have_ratio(&[*good, *bad]);
                self.signs.push(&[*good], &[*bad]);
                if have_ratio {
                    let adjusted = self.position.round(round);
                    self.push(LogRatio(adjusted));
                    self.push_costs(&[*good], &[*bad]);
                }
            }
            Pieces::Launches => {
                self.launch.push(round);
                self.costs[0].push(*good);
                self.costs[1].push(*bad);
            }
        }
    }

    fn end_launch(&mut self) {
        let (rounds, [good, bad]) = (std::mem::take(&mut self.launch), std::mem::take(&mut self.costs));
        if rounds.len() < FEWEST_ROUNDS {
            return;
        }
        let have_ratio = self.have_ratio(&good) && self.have_ratio(&bad);
        self.signs.push(&good, &bad);
        if !have_ratio {
            return;
        }
        if let Some(launch) = OneLaunch::of(&rounds, &mut self.position) {
            self.launches.push(launch);
            self.push(launch.effect);
            self.push_costs(&good, &bad);
        }
    }

    /// Signs say nothing of a mean or a percentile.
    fn can_decide(&self, cost: f64) -> bool {
        cost.is_finite() && (cost > 0.0 || (cost == 0.0 && self.at.is_none()))
    }

    /// Whether these costs count by their ratios: none is 0, and none was before. What did so far is kept.
    fn have_ratio(&mut self, costs: &[f64]) -> bool {
        if !self.by_signs && costs.contains(&0.0) {
            self.by_signs = true;
            self.signs.leave_to_ratios(self.effects.as_ref().map_or(0.0, |it| it.ln_e_value(LogRatio(0.0))));
        }
        !self.by_signs
    }

    /// Whether all that there is to say is that the arms cost the same each time, and sometimes nothing.
    fn differs_never(&self) -> bool {
        self.by_signs && self.signs.counts().that_differ() == 0
    }

    fn push_costs(&mut self, good: &[f64], bad: &[f64]) {
        self.beside.push(good, bad);
        if let Some(at) = &mut self.at {
            // Both are costs of the same rounds, above 0.
            let _ = at.push(good, bad);
        }
    }

    /// `None` once there can be none.
    fn verdict(&self, margin: Margin) -> Option<Verdict> {
        let effects = self.effects.as_ref()?;
        if self.by_signs {
            let (word, counts) = (self.signs.word(effects.alpha()), self.signs.counts());
            let rounds = (counts.that_differ() + counts.equal) as usize;
            return Some(Verdict { word, interval: Some(UNBOUNDED), rounds, rounds_to_final: None });
        }
        let look = self.at.as_ref().map_or_else(|| effects.interval(), AtSequence::interval);
        Some(Verdict::of(self.widened(look), margin, effects.rounds()))
    }

    /// With room for what a coarse clock may have rounded away, as the stored trial is analysed.
    fn widened(&self, look: Look) -> Look {
        let step = self.readings.as_ref().and_then(|readings| readings.clock_step(None));
        step.map_or(look, |step| step.widened(look))
    }

    fn push(&mut self, effect: LogRatio) {
        let pushed = self.effects.as_mut().map(|effects| effects.push(effect));
        if !matches!(pushed, Some(Ok(()))) {
            self.effects = None;
        }
    }
}

/// Where both arms ran, if both were measured and that is known.
fn places(round: &Round, baseline: ArmId, candidate: ArmId) -> Option<Places> {
    Some(Places { baseline: round.position(baseline)?, candidate: round.position(candidate)? })
}
