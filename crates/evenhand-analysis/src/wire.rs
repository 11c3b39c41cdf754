//! How is an analysis written as JSON? Here the names join the figures, and the sentences of `words/` stand beside them. What is not
//! known is `null` where it is always asked for, and left out elsewhere. Nothing reads an analysis back.
//!
//! Tests: `tests/analysis/form.rs`.

use super::comparison::{Coin, Comparison, MeanComparison, Piece, SignCounts};
use super::{Analysis, Figures, Level, Movement, SetUp, Suite, Warning};
use crate::words;
use evenhand_stats::level::distribution::{Family, Fits};
use evenhand_stats::level::stationarity::MovementKind;
use evenhand_stats::percentile::Direction;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_stats::randomised::signs::Counts;
use evenhand_trial::json::FormVersion;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::BTreeSet;

impl Serialize for Analysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("schema_version", &FormVersion::<1>::default())?;
        form.put("trial", &self.trial)?;
        form.put("settings", &self.settings)?;
        form.put("comparisons", &wired(self, &self.comparisons))?;
        form.known("suite", self.suite.as_ref().map(|suite| Wire(self, suite)))?;
        form.put("levels", &wired(self, &self.levels))?;
        form.listed("set_ups", &wired(self, &self.set_ups))?;
        form.put("warnings", &wired(self, &self.warnings))?;
        form.listed("notes", &self.notes.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        form.0.end()
    }
}

/// A part of an analysis, to be written with its names.
struct Wire<'a, T>(&'a Analysis, &'a T);

fn wired<'a, T>(analysis: &'a Analysis, parts: &'a [T]) -> Vec<Wire<'a, T>> {
    parts.iter().map(|part| Wire(analysis, part)).collect()
}

/// An object that is written field by field.
struct Form<M>(M);

impl<M: SerializeMap> Form<M> {
    fn put(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }

    fn known(&mut self, name: &'static str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.put(name, &value))
    }

    fn listed(&mut self, name: &'static str, values: &[impl Serialize]) -> Result<(), M::Error> {
        if values.is_empty() { Ok(()) } else { self.put(name, values) }
    }
}

impl Serialize for Wire<'_, Comparison> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(analysis, comparison) = *self;
        let (names, pair) = (&analysis.names, comparison.pair);
        let metric = names.metric(pair.metric);
        let none = Coin::default();
        let (kind, coin) = comparison.coin().map_or(("unpaired", &none), |coin| ("paired", coin));
        let texts = |phrases: Vec<words::Phrase<'_>>| -> Vec<String> {
            phrases.iter().map(ToString::to_string).collect()
        };
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("baseline", names.arm(pair.baseline))?;
        form.put("candidate", names.arm(pair.candidate))?;
        form.known("group", Some(names.group(pair.candidate)).filter(|group| !group.is_empty()))?;
        form.known("control", comparison.control.then_some(true))?;
        form.put("metric", &metric.name)?;
        form.put("unit", &metric.unit)?;
        form.put("better", &metric.better)?;
        form.put("kind", kind)?;
        form.put("verdict", &comparison.verdict.to_string())?;
        form.put("sentence", &words::statement(analysis, comparison).sentence().to_string())?;
        form.put("effect", &comparison.effect)?;
        form.put("confidence", &analysis.settings.confidence)?;
        form.put("rounds", &coin.rounds)?;
        form.put("launches", &comparison.launches)?;
        form.put("seconds", &analysis.trial.seconds)?;
        form.known("tail", words::tail(metric, &coin.tail))?;
        form.known("moved", WireMoved::of(coin.moved, words::directions(metric)))?;
        form.known("needed", coin.needed)?;
        form.known("within_launches", coin.within_launches)?;
        form.listed("launch_effects", &coin.launch_effects)?;
        form.known("layouts", coin.layouts)?;
        form.known("ln_e_value", coin.ln_e_value)?;
        form.known("signs", coin.signs.map(WireSigns::of))?;
        form.known("change_in_suite", coin.change_in_suite)?;
        form.listed("percentiles", &comparison.percentiles)?;
        let pulled_by = coin.mean.and_then(|mean| mean.pulled_by).map(|arm| names.arm(arm));
        form.known("mean", coin.mean.map(|mean| WireMean { mean, pulled_by }))?;
        form.listed("assumptions", &texts(words::assumptions(analysis, comparison)))?;
        form.listed("limits", &texts(words::limits(analysis, comparison)))?;
        form.0.end()
    }
}

/// Who cost more how often, where that decides.
#[derive(Serialize)]
struct WireSigns {
    worse: u64,
    better: u64,
    equal: u64,
    of: &'static str,
    baseline_mean: f64,
    candidate_mean: f64,
}

impl WireSigns {
    fn of(SignCounts { counts, of, baseline_mean, candidate_mean }: SignCounts) -> Self {
        let of = if of == Piece::Launch { "launches" } else { "rounds" };
        let Counts { worse, better, equal } = counts;
        Self { worse, better, equal, of, baseline_mean, candidate_mean }
    }
}

/// What is proven of the mean and the tails beside the verdict.
#[derive(Serialize)]
struct WireMoved {
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fast_tail: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow_tail: Option<&'static str>,
}

impl WireMoved {
    fn of(moved: Moved, [more, less]: [&'static str; 2]) -> Option<Self> {
        let by = |direction| if direction == Direction::Slower { more } else { less };
        let Moved { mean, low, high } = moved;
        (moved != Moved::default()).then(|| Self {
            mean: mean.map(by),
            fast_tail: low.map(by),
            slow_tail: high.map(by),
        })
    }
}

#[derive(Serialize)]
struct WireMean<'a> {
    #[serde(flatten)]
    mean: MeanComparison,
    #[serde(skip_serializing_if = "Option::is_none")]
    pulled_by: Option<&'a str>,
}

impl Serialize for Wire<'_, Suite> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(analysis, suite) = *self;
        let name = |metric| analysis.names.metric(metric).name.as_str();
        let metrics: BTreeSet<&str> = suite.metrics.iter().copied().map(name).collect();
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("metric", &metrics.into_iter().collect::<Vec<_>>().join(", "))?;
        form.put("comparisons", &suite.comparisons)?;
        form.put("effect", &suite.effect)?;
        form.put("sentence", &words::suite(suite))?;
        form.0.end()
    }
}

impl Serialize for Wire<'_, Level> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(Analysis { names, .. }, level) = *self;
        let metric = names.metric(level.metric);
        let movements: Vec<WireMovement> = level.movements.iter().map(WireMovement::of).collect();
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("arm", names.arm(level.arm))?;
        form.known("group", Some(names.group(level.arm)).filter(|group| !group.is_empty()))?;
        form.put("metric", &metric.name)?;
        form.put("unit", &metric.unit)?;
        form.put("from", &level.from)?;
        form.put("samples", &level.samples)?;
        form.put("failed", &level.failed)?;
        form.put("launches", &level.launches)?;
        form.put("iterations", &level.iterations)?;
        form.known("order_lost", level.order_lost.then_some(true))?;
        for (name, figure) in figures(&level.figures) {
            form.put(name, &figure)?;
        }
        form.known("mean_error", level.mean_error)?;
        form.listed("percentiles", &level.percentiles)?;
        form.known("distribution", level.distribution.as_ref().map(WireFits))?;
        form.listed("modes", &level.modes)?;
        form.listed("movements", &movements)?;
        form.known("outliers", level.outliers)?;
        form.known("lag1_autocorrelation", level.lag1_autocorrelation)?;
        form.0.end()
    }
}

fn figures(figures: &Figures) -> [(&'static str, Option<f64>); 10] {
    [
        ("min", figures.min),
        ("mean", figures.mean),
        ("median", figures.median),
        ("max", figures.max),
        ("sd", figures.sd),
        ("iqr", figures.iqr),
        ("mad", figures.mad),
        ("cv", figures.cv),
        ("iqr_over_median", figures.iqr_over_median),
        ("mean_over_min", figures.mean_over_min),
    ]
}

impl Serialize for Wire<'_, SetUp> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(Analysis { names, .. }, found) = *self;
        let metric = names.metric(found.metric);
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("what", &found.what)?;
        form.put("metric", &metric.name)?;
        form.put("unit", &metric.unit)?;
        form.put("iterations", &found.iterations)?;
        form.put("set_up", &found.set_up)?;
        form.put("work", &found.work)?;
        form.put("share", &found.share)?;
        form.put("evident", &found.evident)?;
        form.0.end()
    }
}

/// The likelier family, how well each fits, and how many σ the extremes are from the mean.
struct WireFits<'a>(&'a Fits);

impl Serialize for WireFits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(fits) = self;
        let normal = fits.better() == Family::Normal;
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("better", if normal { "normal" } else { "log-normal" })?;
        form.put("normal_p", &fits.normal.p_value)?;
        form.put("log_normal_p", &fits.log_normal.p_value)?;
        form.put("bottom_sigma", &fits.sigmas.bottom)?;
        form.put("top_sigma", &fits.sigmas.top)?;
        form.put("sentence", &words::distribution(fits))?;
        form.0.end()
    }
}

#[derive(Serialize)]
struct WireMovement {
    kind: &'static str,
    sample: usize,
    before: f64,
    after: f64,
}

impl WireMovement {
    fn of(movement: &Movement) -> Self {
        let kind = match movement.kind {
            MovementKind::Step => "step",
            MovementKind::Drift => "drift",
        };
        Self { kind, sample: movement.sample, before: movement.before, after: movement.after }
    }
}

impl Serialize for Wire<'_, Warning> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(analysis, warning) = *self;
        let warned = words::warning(analysis, warning);
        let mut form = Form(serializer.serialize_map(None)?);
        form.put("code", warning.code())?;
        form.known("arm", warned.about)?;
        form.put("message", &warned.message.to_string())?;
        form.known("advice", warned.advice.map(|advice| advice.to_string()))?;
        form.0.end()
    }
}
