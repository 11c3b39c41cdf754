//! What is the verdict in one sentence? "new is 1.30 % faster than old [0.90 %, 1.80 %], 99 % sure, 84 rounds, 5.1 s".
//!
//! | what | how it is said |
//! |---|---|
//! | time on the clock | slower, faster |
//! | what is counted or used, each as `metrics.rs` has it | executes 33 % more instructions, uses 5.00 % less memory |
//! | any other metric | worse in score, better in score |
//! | twice the time or more, half of it or less | takes 8.64 times as long as, is 3.20 times as fast as |
//! | twice of anything else that has its words, or more | takes 2.10 times the page faults |
//! | where some cost nothing | has more errors than old: 0.12 % against 0 % on average |
//! | more rounds than anyone waits for | more rounds are unlikely to settle it |
//!
//! Tests: `tests/analysis/worded.rs`, `tests/analysis/form.rs`.

use super::limits::assumptions;
use super::metrics::{CAPACITY, ERRORS, Spoken, at_percentile, spoken};
use super::numbers::{share, sure};
use super::phrase::{Part, Phrase, text};
use super::{change, counted, duration, effect, quantity, rounded, size};
use crate::paired::TAIL_PERCENTS;
use crate::{Analysis, Coin, Comparison, Effect, Piece, SignCounts, ToDo};
use evenhand_stats::percentile::{Direction, SureRange};
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_trial::words::plural;
use evenhand_trial::{Better, Metric, Unit};
use serde::Serialize;

/// A verdict in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement<'a> {
    /// What is claimed: "new is 1.30 % faster than old [0.90 %, 1.80 %]".
    pub claim: Phrase<'a>,
    /// What it rests on: "99 % sure, 84 rounds, 5.1 s".
    pub basis: Phrase<'a>,
}

impl<'a> Statement<'a> {
    /// All of it as one sentence.
    pub fn sentence(self) -> Phrase<'a> {
        Phrase::joined([self.claim, self.basis], ", ")
    }
}

/// The verdict of a comparison.
pub fn statement<'a>(analysis: &'a Analysis, comparison: &'a Comparison) -> Statement<'a> {
    let worded = Worded {
        analysis,
        comparison,
        metric: analysis.names.metric(comparison.pair.metric),
        spoken: spoken(analysis.names.metric(comparison.pair.metric)),
        baseline: Part::Name(analysis.names.arm(comparison.pair.baseline)),
        candidate: Part::Name(analysis.names.arm(comparison.pair.candidate)),
    };
    Statement { claim: worded.claim(), basis: Phrase::joined(worded.basis(), ", ") }
}

/// What a metric calls a positive effect, and what a negative one: times are slower and faster, anything else is worse and better.
pub fn directions(metric: &Metric) -> [&'static str; 2] {
    if is_speed(metric) { ["slower", "faster"] } else { ["worse", "better"] }
}

/// The size of a change in a column of a table.
pub fn change_of(comparison: &Comparison) -> String {
    match comparison.signs() {
        Some(_) => "no ratio".to_owned(),
        None => change(comparison.effect.estimate.unwrap_or(f64::NAN)),
    }
}

/// Less time or more a second.
fn is_speed(metric: &Metric) -> bool {
    match metric.better {
        Better::Lower => metric.unit.in_seconds().is_some(),
        Better::Higher => metric.unit.symbol().ends_with("/s"),
    }
}

/// ` in CPU time`: the metric, unless it is what everyone means by slower.
pub(super) fn in_metric(metric: &Metric) -> String {
    match spoken(metric) {
        Some(Spoken { noun, .. }) => format!(" in {noun}"),
        None if metric.name == CAPACITY => " at capacity".to_owned(),
        None if is_speed(metric) => {
            at_percentile(metric).map_or_else(String::new, |place| format!(" at {place}"))
        }
        None => format!(" in {}", metric.name),
    }
}

/// What the mean or a percentile of a metric does, where the metric itself is the subject.
fn of_figures(metric: &Metric) -> [&'static str; 2] {
    if spoken(metric).is_some() { ["higher", "lower"] } else { directions(metric) }
}

/// What the tail says, such as "faster at P50, slower from P85"; `None` without one.
pub fn tail(metric: &Metric, ranges: &[SureRange]) -> Option<String> {
    let listed = ranges.iter().map(|range| range_in_words(range, of_figures(metric)));
    let open = matches!(ranges, [only] if !only.holds_median());
    let all: Vec<String> =
        open.then(|| "no proven difference at P50".to_owned()).into_iter().chain(listed).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// What is proven of the mean and the tails beside the verdict, such as "but its mean in these rounds is 10.1 % slower"; a tail is not named
/// where its percentiles are.
fn moved(metric: &Metric, coin: &Coin) -> Option<String> {
    let [more, less] = of_figures(metric);
    let by = |direction: Direction| if direction == Direction::Slower { more } else { less };
    let Moved { mean, low, high } = coin.moved;
    // Extreme differences count for less in the proof than in the mean itself.
    let agrees = |percent: &f64, direction| {
        (*percent > 0.0) == ((direction == Direction::Slower) == (metric.better == Better::Lower))
    };
    let percent = |direction| {
        let found =
            coin.mean.map(|mean| mean.difference_percent).filter(|percent| agrees(percent, direction));
        found.map_or_else(String::new, |percent| size(percent / 100.0) + " ")
    };
    let mean = mean.map(|direction| ("its mean in these rounds", percent(direction) + by(direction)));
    let [first, last] = if spoken(metric).is_some() {
        ["its low tail", "its high tail"]
    } else {
        ["its fast tail", "its slow tail"]
    };
    let tails = [(first, low), (last, high)].map(|(which, tail)| Some((which, tail?)));
    let tails = tails.into_iter().flatten().filter(|_| coin.tail.is_empty());
    let tails = tails.map(|(which, direction)| (which, by(direction).to_owned()));
    let mut all = mean.into_iter().chain(tails);
    let (first, how) = all.next()?;
    let mut clauses = vec![format!("but {first} is {how}")];
    clauses.extend(all.map(|(what, how)| format!("{what} {how}")));
    let last = clauses.pop()?;
    Some(if clauses.is_empty() { last } else { format!("{} and {last}", clauses.join(", ")) })
}

fn range_in_words(range: &SureRange, [more, less]: [&str; 2]) -> String {
    let direction = if range.direction == Direction::Slower { more } else { less };
    let [first, .., last] = TAIL_PERCENTS;
    match (range.from, range.to) {
        _ if range.holds_median() => format!("{direction} at P50"),
        (from, to) if from == to => format!("{direction} at P{from}"),
        (from, to) if to == last => format!("{direction} from P{from}"),
        (from, to) if from == first => format!("{direction} up to P{to}"),
        (from, to) => format!("{direction} from P{from} to P{to}"),
    }
}

/// A comparison, and what its ids are called.
struct Worded<'a> {
    analysis: &'a Analysis,
    comparison: &'a Comparison,
    metric: &'a Metric,
    spoken: Option<Spoken>,
    baseline: Part<'a>,
    candidate: Part<'a>,
}

/// From here on a factor reads easier than percent: +100 % is twice the time, and −50 % half of it.
const TWICE: f64 = 2.0;

impl<'a> Worded<'a> {
    fn claim(&self) -> Phrase<'a> {
        let (baseline, candidate) = (self.baseline.clone(), self.candidate.clone());
        let [more, less] =
            self.spoken.map_or_else(|| directions(self.metric), |spoken| ["more", spoken.less]);
        let in_metric = self.in_metric();
        match self.comparison.verdict {
            Word::Slower if self.comparison.signs().is_some() => self.without_size(more),
            Word::Faster if self.comparison.signs().is_some() => self.without_size(less),
            Word::Slower => self.as_factor().unwrap_or_else(|| self.by_size(more)),
            Word::Faster => self.as_factor().unwrap_or_else(|| self.by_size(less)),
            Word::SlightlySlower => self.slightly(more),
            Word::SlightlyFaster => self.slightly(less),
            Word::Same => {
                let within = format!("{} %{in_metric}", self.analysis.settings.margin_percent);
                let parts = [candidate, baseline, text(within), text(self.changes())];
                Phrase::of("{} and {} are the same within {}: {}", parts)
            }
            Word::Unclear => {
                let known = self.comparison.effect.estimate.is_some();
                let changes = match self.means() {
                    Some(means) => format!(": {means} so far"),
                    None if known => format!(": {}", self.changes()),
                    None => String::new(),
                };
                let parts = [Part::Verdict("inconclusive"), candidate, baseline, text(in_metric + &changes)];
                Phrase::of("{}: {} may or may not differ from {}{}", parts)
            }
        }
    }

    /// ` in CPU time at P99`: what was asked for, other than the typical round's time.
    fn in_metric(&self) -> String {
        in_metric(self.metric) + &self.at()
    }

    fn at(&self) -> String {
        match self.analysis.settings.at.0 {
            _ if self.comparison.coin().is_none() => String::new(),
            At::Typical => String::new(),
            At::Mean => " in the mean".to_owned(),
            at @ At::Percentile(_) => format!(" at {at}"),
        }
    }

    fn by_size(&self, direction: &'static str) -> Phrase<'a> {
        let effect = &self.comparison.effect;
        let by = effect.estimate.map_or_else(|| "by an unknown amount".to_owned(), size);
        Phrase::joined([self.than(&by, direction), sizes(effect).into()], " ")
    }

    fn slightly(&self, direction: &'static str) -> Phrase<'a> {
        let effect = &self.comparison.effect;
        let by = effect.estimate.map_or_else(String::new, |by| size(by) + " ");
        Phrase::joined([self.than("slightly", direction), (by + &sizes(effect)).into()], ": ")
    }

    /// `new has more errors than old: 0.12 % against 0 % on average`: where some cost nothing there is no ratio.
    fn without_size(&self, direction: &'static str) -> Phrase<'a> {
        let than = self.than("", direction);
        Phrase::joined([than].into_iter().chain(self.means().map(Phrase::from)), ": ")
    }

    /// What both cost on average, where the verdict is by signs.
    fn means(&self) -> Option<String> {
        let SignCounts { baseline_mean, candidate_mean, .. } = self.comparison.signs()?;
        let [new, old] = [candidate_mean, baseline_mean].map(|mean| self.amount(mean));
        Some(format!("{new} against {old} on average"))
    }

    /// The share of failed requests reads easier in percent.
    fn amount(&self, value: f64) -> String {
        let is_share = self.metric.name == ERRORS && self.analysis.names.has_slices();
        if is_share { share(value) } else { quantity(value, &self.metric.unit) }
    }

    /// `more in all 14 rounds that differ`, `fewer in 5 of the 7 launches that differ`.
    fn how_often(&self, SignCounts { counts, of, .. }: SignCounts) -> String {
        let [more, less] =
            self.spoken.map_or_else(|| directions(self.metric), |spoken| ["more", spoken.less]);
        let (word, count) =
            if counts.better > counts.worse { (less, counts.better) } else { (more, counts.worse) };
        let noun = if of == Piece::Launch { "launch" } else { "round" };
        match counts.that_differ() {
            1 => format!("{word} in the only {noun} that differs"),
            all if all == count => format!("{word} in all {all} {} that differ", plural(2, noun)),
            all => format!("{word} in {count} of the {all} {} that differ", plural(2, noun)),
        }
    }

    /// `new is 1.30 % slower than old`, `new executes slightly fewer instructions than old`.
    fn than(&self, by: &str, direction: &'static str) -> Phrase<'a> {
        let (verb, what) = match self.spoken {
            Some(Spoken { verb, noun, .. }) => (verb, format!(" {noun}{}", self.at())),
            None => ("is", self.in_metric()),
        };
        let (baseline, candidate) = (self.baseline.clone(), self.candidate.clone());
        let verb = if by.is_empty() { verb.to_owned() } else { format!("{verb} {by}") };
        let parts = [candidate, text(verb), Part::Verdict(direction), text(what), baseline];
        Phrase::of("{} {} {}{} than {}", parts)
    }

    /// `new takes 8.64 times as long as old [7.90, 9.30]`; of what is counted, `new takes 8.64 times the page faults of old`.
    fn as_factor(&self) -> Option<Phrase<'a>> {
        if let Some(spoken) = self.spoken {
            return self.as_factor_of(spoken);
        }
        let effect = &self.comparison.effect;
        let time = self.metric.unit.in_seconds().is_some() && self.metric.better == Better::Lower;
        let ratio = 1.0 + effect.estimate.filter(|_| time)?;
        let (low, high) = (effect.low.map(|low| 1.0 + low), effect.high.map(|high| 1.0 + high));
        let (template, by, range) = match self.comparison.verdict {
            Word::Slower if ratio >= TWICE => ("{} takes {} times as {} as {}{}", ratio, factors(low, high)?),
            Word::Faster if ratio <= 1.0 / TWICE => {
                let range = factors(high.map(f64::recip), low.map(f64::recip))?;
                ("{} is {} times as {} as {}{}", 1.0 / ratio, range)
            }
            _ => return None,
        };
        let word = Part::Verdict(if ratio >= TWICE { "long" } else { "fast" });
        let range = text(format!("{} {range}", self.in_metric()));
        let (baseline, candidate) = (self.baseline.clone(), self.candidate.clone());
        Some(Phrase::of(template, [candidate, text(factor(by)?), word, baseline, range]))
    }

    fn as_factor_of(&self, Spoken { verb, noun, .. }: Spoken) -> Option<Phrase<'a>> {
        let effect = &self.comparison.effect;
        let ratio = 1.0 + effect.estimate.filter(|estimate| 1.0 + estimate >= TWICE)?;
        let range = factors(effect.low.map(|low| 1.0 + low), effect.high.map(|high| 1.0 + high))?;
        let parts = [
            self.candidate.clone(),
            text(format!("{verb} {}", factor(ratio)?)),
            Part::Verdict("times"),
            text(noun.to_owned() + &self.at()),
            self.baseline.clone(),
            text(range),
        ];
        Some(Phrase::of("{} {} {} the {} of {} {}", parts))
    }

    /// The change with its sign. Where more is better, a plus that means worse is said to.
    fn changes(&self) -> String {
        let sign = match self.metric.better {
            Better::Lower => String::new(),
            Better::Higher => format!(" (+ is {})", directions(self.metric)[0]),
        };
        let found = &self.comparison.effect;
        if found.is_bounded() {
            return effect(found) + &sign;
        }
        // Without a coin there are no rounds to wait for.
        let so_far = if self.comparison.coin().is_some() { " so far" } else { "" };
        format!("{}{so_far}{sign}", change(found.estimate.unwrap_or(f64::NAN)))
    }

    fn basis(&self) -> Vec<Phrase<'a>> {
        let Self { analysis, comparison, .. } = self;
        let mut basis: Vec<Phrase<'a>> = Vec::new();
        let signs = comparison.signs();
        let is_sure = comparison.effect.is_bounded() || (signs.is_some() && comparison.verdict.is_final());
        if is_sure {
            basis.push(format!("{} sure", sure(analysis.settings.confidence)).into());
        }
        basis.extend(signs.map(|signs| self.how_often(signs).into()));
        if comparison.launches > 1 {
            basis.push(format!("{} launches", comparison.launches).into());
        }
        let coin = comparison.coin();
        basis.extend(coin.map(|coin| counted(coin.rounds, "round").into()));
        // The trial's seconds went into all of its groups.
        let own = |all| if analysis.names.one_group() { Some(all) } else { comparison.seconds };
        basis.extend(
            analysis.trial.seconds.and_then(own).map(|seconds| quantity(seconds, &Unit::seconds()).into()),
        );
        let Some(coin) = coin else {
            basis.extend(assumptions(analysis, comparison));
            return basis;
        };
        basis.extend(moved(self.metric, coin).map(Phrase::from));
        basis.extend(tail(self.metric, &coin.tail).map(|tail| {
            let inside = if coin.within_launches.is_some() { " within these launches" } else { "" };
            format!("but by percentile{inside}: {tail}").into()
        }));
        basis.extend(self.more_to_do().map(Phrase::from));
        basis
    }

    fn more_to_do(&self) -> Option<String> {
        let Self { analysis, comparison, .. } = self;
        let to_do = ToDo::of(analysis, comparison)?;
        let more = to_do.more;
        let noun_of_one = if to_do.of == Piece::Launch { "launch" } else { "round" };
        let time = to_do.seconds.filter(|time| *time >= 0.01);
        let about = time.map_or_else(String::new, |time| format!(" (about {})", duration(time)));
        let noun = plural(more as usize, noun_of_one);
        if !comparison.effect.is_bounded() {
            // How fast the interval narrows is not known yet: only what it takes to have one.
            return Some(format!("needs at least {more} more {noun}{about}"));
        }
        let slightly = matches!(comparison.verdict, Word::SlightlySlower | Word::SlightlyFaster);
        let beyond = format!("show whether it exceeds {} %", analysis.settings.margin_percent);
        Some(match (to_do.is_hopeless(), slightly) {
            (true, true) => format!("more {} are unlikely to {beyond}", plural(2, noun_of_one)),
            (true, false) => format!("more {} are unlikely to settle it", plural(2, noun_of_one)),
            (false, _) => {
                let what = if slightly { &beyond } else { "settle it" };
                format!("about {} more {noun}{about} would {what}", rounded(more))
            }
        })
    }
}

/// Factors from here on are said in percent, which have a way to be said shortly.
const HUGE_FACTOR: f64 = 1e5;

/// Three significant digits; `None` for what is no factor that people say.
fn factor(factor: f64) -> Option<String> {
    let decimals = match factor {
        below_ten if below_ten < 9.995 => 2,
        below_hundred if below_hundred < 99.95 => 1,
        _ => 0,
    };
    (0.0..HUGE_FACTOR).contains(&factor).then(|| format!("{factor:.decimals$}"))
}

/// The interval of a factor; the end that is missing is the far one.
fn factors(near: Option<f64>, far: Option<f64>) -> Option<String> {
    match (near, far) {
        (Some(near), Some(far)) => Some(format!("[{}, {}]", factor(near)?, factor(far)?)),
        (Some(near), None) => Some(format!("[{} or more]", factor(near)?)),
        (None, _) => None,
    }
}

/// The interval of a change whose direction was said already: both ends as sizes, the smaller first.
fn sizes(effect: &Effect) -> String {
    match (effect.low, effect.high) {
        (Some(low), Some(high)) => {
            let (near, far) = if low.abs() <= high.abs() { (low, high) } else { (high, low) };
            format!("[{}, {}]", size(near), size(far))
        }
        (Some(bound), None) | (None, Some(bound)) => format!("[{} or more]", size(bound)),
        (None, None) => String::new(),
    }
}
