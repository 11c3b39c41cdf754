//! Which numbers belong together? The samples of an arm over all its series, and the rounds that two arms share.
//!
//! A [`Study`] is a trial that is ready to be analysed and drawn. It is sorted by arm once: a trial of ten thousand arms would otherwise be
//! searched ten thousand times from end to end. The costs of an arm by a metric are gathered when they are first needed, and sorted once.
//!
//! Tests: `tests/analysis.rs`.

use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::position::Places;
use evenhand_trial::{ArmId, LaunchId, MetricId, Reported, RoundId, Series, Trial, Whole};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Metrics that a clock on the wall reads, or one that stops while a process waits.
const CLOCKS: [&str; 2] = ["wall", "time"];

/// Two arms and the metric that they are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub baseline: ArmId,
    pub candidate: ArmId,
    pub metric: MetricId,
}

/// A trial by arm, with the costs of its arms.
#[derive(Debug)]
pub struct Study<'a> {
    pub(super) trial: &'a Trial,
    arms: Vec<OfArm<'a>>,
    /// Of each arm by each metric, the metrics of an arm one after the other.
    costs: Vec<OnceCell<Box<Costs>>>,
    /// Of what the trial does not have.
    none: Costs,
}

/// What it holds of one arm. The series stand by launch, those of one launch by their rounds if a coin was tossed for
/// these, else in the order they are stored: then a round is only a place in its series.
#[derive(Debug, Clone, Default)]
struct OfArm<'a> {
    series: Vec<&'a Series>,
    reported: Vec<&'a Reported>,
    failed: u64,
}

/// The measured samples of one arm and metric, each the cost of one iteration, by launch and in the order they were
/// taken.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// All of them.
    pub values: Vec<f64>,
    /// Where in `values` each launch begins; launches without a sample are left out.
    pub launches: Vec<usize>,
    /// The most iterations in one sample.
    pub iterations: u64,
    sorted: OnceCell<Result<Sorted, InputError>>,
}

/// The rounds of one launch in which both arms were measured.
#[derive(Debug, Default)]
pub(super) struct SharedRounds {
    /// Which launch.
    pub launch: LaunchId,
    /// Cost of the baseline in each round.
    pub baseline: Vec<f64>,
    /// Cost of the candidate in the same rounds.
    pub candidate: Vec<f64>,
    /// Where both ran in each of them, if it is known.
    pub places: Vec<Option<Places>>,
}

/// A sample and the round that it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub place: Place,
    /// The cost of one iteration.
    pub cost: f64,
    /// The how-manieth it is in [`Costs::values`].
    pub number: usize,
    /// The place of its arm in the round.
    position: Option<u32>,
}

impl SharedRounds {
    /// Its first rounds.
    pub(super) fn first(&self, count: usize) -> Self {
        Self {
            launch: self.launch,
            baseline: self.baseline[..count].to_vec(),
            candidate: self.candidate[..count].to_vec(),
            places: self.places[..count].to_vec(),
        }
    }

    /// How many rounds there are before the first in which an arm cost nothing.
    pub(super) fn before_zero(&self) -> usize {
        let mut rounds = self.baseline.iter().zip(&self.candidate);
        rounds.position(|(old, new)| *old == 0.0 || *new == 0.0).unwrap_or(self.baseline.len())
    }

    /// Whether each of both is a cost, if only of nothing.
    pub(super) fn are_costs(&self) -> bool {
        self.baseline.iter().chain(&self.candidate).all(|cost| cost.is_finite() && *cost >= 0.0)
    }
}

impl Costs {
    /// All of them in ascending order; refused where there are none.
    pub(super) fn sorted(&self) -> Result<&Sorted, InputError> {
        self.sorted.get_or_init(|| Sorted::new(&self.values)).as_ref().map_err(|refused| *refused)
    }

    /// The samples of each launch.
    pub(super) fn by_launch(&self) -> impl Iterator<Item = &[f64]> {
        let ends = self.launches.iter().skip(1).copied().chain([self.values.len()]);
        self.launches.iter().zip(ends).map(|(start, end)| &self.values[*start..end])
    }
}

/// Any order will do, if it is the same each time.
fn shuffle(costs: &mut Costs) {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(0);
    let ends: Vec<usize> = costs.launches.iter().skip(1).copied().chain([costs.values.len()]).collect();
    for (&start, end) in costs.launches.iter().zip(ends) {
        for last in (start + 1..end).rev() {
            let other = start as u64 + draws.next_u64() % (last - start + 1) as u64;
            costs.values.swap(last, other as usize);
        }
    }
}

impl<'a> Study<'a> {
    /// Gets a trial ready.
    pub fn of(trial: &'a Trial) -> Self {
        let mut arms = vec![OfArm::default(); trial.arms.len()];
        for series in &trial.series {
            arms.get_mut(series.arm.index()).into_iter().for_each(|arm| arm.series.push(series));
        }
        for reported in &trial.reported {
            arms.get_mut(reported.arm.index()).into_iter().for_each(|arm| arm.reported.push(reported));
        }
        for failure in &trial.failures {
            arms.get_mut(failure.arm.index()).into_iter().for_each(|arm| arm.failed += 1);
        }
        let begins = |series: &Series| trial.schedule.and_then(|_| series.rounds.get(0));
        arms.iter_mut().for_each(|arm| arm.series.sort_by_key(|series| (series.launch, begins(series))));
        let costs = (0..trial.arms.len() * trial.metrics.len()).map(|_| OnceCell::new()).collect();
        Self { trial, arms, costs, none: Costs::default() }
    }

    pub(super) fn series(&self, arm: ArmId) -> &[&'a Series] {
        self.arms.get(arm.index()).map_or(&[], |arm| arm.series.as_slice())
    }

    /// How many runs of an arm failed.
    pub(super) fn failed(&self, arm: ArmId) -> u64 {
        self.arms.get(arm.index()).map_or(0, |arm| arm.failed)
    }

    /// How many samples of an arm are of a round in which it was measured before. Without a coin there are no rounds.
    pub(super) fn repeated(&self, arm: ArmId) -> usize {
        let series = self.series(arm);
        if self.trial.schedule.is_none() || rises(series) {
            return 0;
        }
        let of = |series: &&'a Series| {
            let launch = series.launch;
            series.rounds.iter(series.len()).map(move |round| (launch, round)).collect::<Vec<_>>()
        };
        let mut places: Vec<(LaunchId, u64)> = series.iter().flat_map(of).collect();
        let all = places.len();
        places.sort_unstable();
        places.dedup();
        all - places.len()
    }

    /// What another tool reported of an arm: of all launches if it did so, else of the first.
    pub(super) fn reported(&self, arm: ArmId, metric: MetricId) -> Option<&'a Reported> {
        let of_arm = self.arms.get(arm.index())?.reported.iter().filter(|known| known.metric == metric);
        of_arm.min_by_key(|known| known.launch).copied()
    }

    /// Whether anything was measured or reported of an arm by a metric.
    pub(super) fn knows(&self, arm: ArmId, metric: MetricId) -> bool {
        self.first_cost(arm, metric).is_some() || self.reported(arm, metric).is_some()
    }

    /// Whether a metric is known in more than half of the samples of an arm, or was reported of it.
    pub(super) fn mostly_knows(&self, arm: ArmId, metric: MetricId) -> bool {
        let known = |series: &&&Series| measured(self.trial, series, metric).count();
        let (known, all) = self
            .series(arm)
            .iter()
            .fold((0, 0), |(sum, all), series| (sum + known(&series), all + series.len()));
        2 * known > all || self.reported(arm, metric).is_some()
    }

    /// The first measured sample of an arm.
    pub(super) fn first_cost(&self, arm: ArmId, metric: MetricId) -> Option<f64> {
        self.series(arm)
            .iter()
            .find_map(|series| measured(self.trial, series, metric).next())
            .map(|sample| sample.cost)
    }

    /// The samples of an arm, as [`Study::gathered`], kept to be looked at again.
    pub(super) fn costs(&self, arm: ArmId, metric: MetricId) -> &Costs {
        let metrics = self.trial.metrics.len();
        let place = (metric.index() < metrics).then(|| arm.index() * metrics + metric.index());
        let gathered = place.and_then(|place| self.costs.get(place));
        gathered.map_or(&self.none, |costs| costs.get_or_init(|| Box::new(self.gathered(arm, metric))))
    }

    /// The samples of an arm, without those where the metric is missing. Where their order is lost they are shuffled:
    /// sorted ones would look as if each followed from the one before.
    pub(super) fn gathered(&self, arm: ArmId, metric: MetricId) -> Costs {
        let mut costs = self.costs_as_stored(arm, metric);
        if self.order_lost(arm) {
            shuffle(&mut costs);
        }
        costs
    }

    /// What the samples of an arm read, each of all its iterations where the metric adds them up.
    pub(super) fn readings(&self, arm: ArmId, metric: MetricId) -> impl Iterator<Item = f64> + '_ {
        let columns = self.series(arm).iter().flat_map(move |series| series.column(metric));
        columns.copied().filter(|reading| !reading.is_nan())
    }

    /// What the samples of an arm took by the clock, in seconds; `None` where no clock was read.
    pub(super) fn seconds(&self, arm: ArmId) -> Option<f64> {
        let metrics = &self.trial.metrics;
        let place = CLOCKS.iter().find_map(|name| metrics.iter().position(|metric| metric.name == *name))?;
        let unit = metrics.get(place)?.unit.in_seconds()?;
        let metric = MetricId(u32::try_from(place).ok()?);
        let samples = self.series(arm).iter().flat_map(|series| measured(self.trial, series, metric));
        let total = samples.map(|sample| sample.cost * sample.iterations as f64).reduce(|sum, one| sum + one);
        total.map(|total| total * unit).filter(|seconds| seconds.is_finite())
    }

    /// Whether the order in which an arm's samples were taken is not known.
    pub(super) fn order_lost(&self, arm: ArmId) -> bool {
        self.trial.arm(arm).is_some_and(|arm| arm.order_lost)
    }

    fn costs_as_stored(&self, arm: ArmId, metric: MetricId) -> Costs {
        let mut costs = Costs::default();
        let mut last = None;
        for series in self.series(arm) {
            let before = costs.values.len();
            for Measured { cost, iterations, .. } in measured(self.trial, series, metric) {
                costs.iterations = costs.iterations.max(iterations);
                costs.values.push(cost);
            }
            if costs.values.len() > before && last != Some(series.launch) {
                costs.launches.push(before);
                last = Some(series.launch);
            }
        }
        costs
    }

    /// The shared rounds of two arms, launch by launch; launches without any are left out.
    pub(super) fn rounds(&self, pair: Pair) -> Vec<SharedRounds> {
        let mut launches: Vec<SharedRounds> = Vec::new();
        for [old, new] in self.shared(pair) {
            let launch = old.place.0;
            if launches.last().is_none_or(|rounds| rounds.launch != launch) {
                launches.push(SharedRounds { launch, ..SharedRounds::default() });
            }
            if let Some(rounds) = launches.last_mut() {
                rounds.baseline.push(old.cost);
                rounds.candidate.push(new.cost);
                let places = old.position.zip(new.position);
                rounds.places.push(places.map(|(baseline, candidate)| Places { baseline, candidate }));
            }
        }
        launches
    }

    /// The samples of both arms in each round that both have, in the order of launches and rounds.
    pub(super) fn shared(&self, pair: Pair) -> impl Iterator<Item = [Placed; 2]> + '_ {
        let mut old = self.by_round(pair.baseline, pair.metric).peekable();
        let mut new = self.by_round(pair.candidate, pair.metric).peekable();
        std::iter::from_fn(move || {
            loop {
                match old.peek()?.place.cmp(&new.peek()?.place) {
                    Ordering::Less => drop(old.next()),
                    Ordering::Greater => drop(new.next()),
                    Ordering::Equal => return Some([old.next()?, new.next()?]),
                }
            }
        })
    }

    /// All samples of an arm by launch and round. A round that was measured twice counts the first time.
    fn by_round(&self, arm: ArmId, metric: MetricId) -> Box<dyn Iterator<Item = Placed> + '_> {
        let stored = self.series(arm).iter().flat_map(move |series| {
            measured(self.trial, series, metric).map(|sample| (series.launch, sample))
        });
        let stored = stored.enumerate().map(|(number, (launch, Measured { round, cost, position, .. }))| {
            Placed { place: (launch, round), cost, number, position }
        });
        if rises(self.series(arm)) {
            return Box::new(stored);
        }
        let mut all: Vec<_> = stored.collect();
        all.sort_by_key(|sample| sample.place);
        all.dedup_by_key(|sample| sample.place);
        Box::new(all.into_iter())
    }
}

pub(super) type Place = (LaunchId, RoundId);

/// Whether the rounds rise from series to series as well, as they do unless a trial was resumed oddly: then there is
/// nothing to sort.
fn rises(series: &[&Series]) -> bool {
    let inside = |series: &&Series| match &series.rounds {
        Whole::Counting { .. } => true,
        Whole::Same { .. } => series.len() <= 1,
        Whole::Each(each) => each.is_sorted_by(|a, b| a < b),
    };
    let full: Vec<&Series> = series.iter().copied().filter(|series| !series.is_empty()).collect();
    let follows = |pair: &[&Series]| {
        let last = pair[0].rounds.get(pair[0].len() - 1);
        pair[0].launch != pair[1].launch || last < pair[1].rounds.get(0)
    };
    full.iter().all(inside) && full.windows(2).all(follows)
}

/// A sample that has the metric.
struct Measured {
    round: RoundId,
    /// The cost of one iteration.
    cost: f64,
    iterations: u64,
    position: Option<u32>,
}

/// Each sample that has the metric.
fn measured<'a>(
    trial: &'a Trial,
    series: &'a Series,
    metric: MetricId,
) -> impl Iterator<Item = Measured> + 'a {
    let definition = trial.metrics.get(metric.index());
    let column = series.column(metric);
    let wholes = series.rounds.iter(column.len()).zip(series.iterations.iter(column.len()));
    let known = column.iter().zip(wholes).enumerate().filter(|(_, (value, _))| !value.is_nan());
    known.map(move |(place, (value, (round, iterations)))| {
        let cost = definition.map_or(*value, |metric| metric.per_iteration(*value, iterations));
        let position = series.positions.as_ref().and_then(|positions| positions.get(place));
        let position = position.and_then(|position| u32::try_from(position).ok());
        Measured { round: RoundId(round), cost, iterations, position }
    })
}
