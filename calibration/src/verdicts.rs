//! How often does each rule cry wolf, and how soon does it see a true change?

use crate::rule::{FIXED, FirstDesign, Sequential, WatchedZ, evenhand, tossed, tossed_with_time_added};
use crate::source::{Pair, Source, random};
use crate::table::{Row, median_of};
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::score::{Mixture, Weight};
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio};

/// The error rates of the table.
pub const ALPHAS: [f64; 3] = [0.05, 0.01, 0.001];

/// Planted effects of the power table.
pub const EFFECTS: [f64; 4] = [0.05, 0.01, 0.005, 0.002];

type Make = fn() -> Box<dyn Sequential>;

/// Rules that may look after every round.
const SEQUENTIAL: [(&str, Make); 3] = [
    ("evenhand", || evenhand(0.0, &Mixture::rounds())),
    ("first design: hump score alone", || Box::new(FirstDesign::default())),
    ("coin, z, watched", || Box::new(WatchedZ::default())),
];

/// The score bake-off: what each weight would do alone, with the same bets.
const SCORES: [(&str, Make); 5] = [
    ("hump", || evenhand(0.0, &Mixture::new(&[(Weight::Hump, 1.0)]))),
    ("rank", || evenhand(0.0, &Mixture::new(&[(Weight::Rank, 1.0)]))),
    ("sign", || evenhand(0.0, &Mixture::new(&[(Weight::Sign, 1.0)]))),
    ("rounds: 0.6 hump + 0.2 rank + 0.2 sign", || evenhand(0.0, &Mixture::rounds())),
    ("launches: 0.5 rank + 0.5 sign", || evenhand(0.0, &Mixture::launches())),
];

/// The round at which the rule first decides at each error rate.
fn first_decisions(rule: &mut dyn Sequential, differences: &[f64], alphas: &[f64]) -> Vec<Option<usize>> {
    let mut first = vec![None; alphas.len()];
    for (i, difference) in differences.iter().enumerate() {
        rule.push(*difference);
        let decides_at = rule.smallest_alpha();
        for (_, first) in alphas.iter().zip(&mut first).filter(|(alpha, _)| decides_at <= **alpha) {
            first.get_or_insert(i + 1);
        }
        if first.iter().all(Option::is_some) {
            break;
        }
    }
    first
}

/// Runs `make`'s rule over `draws` trials of up to `rounds` rounds and fills one row for each error rate.
fn run(
    part: &'static str,
    source: &Source,
    rule: (&str, Make),
    alphas: &[f64],
    effect: f64,
    draws: usize,
    rounds: usize,
) -> Vec<Row> {
    let rounds = rounds.min(source.longest());
    let mut decisions = vec![Vec::new(); alphas.len()];
    for draw in 0..draws {
        let mut random = random(1, draw as u64);
        let pairs = source.draw(&mut random, rounds);
        let differences = tossed(&pairs, effect.ln_1p(), &mut random);
        let first = first_decisions(&mut *(rule.1)(), &differences, alphas);
        for (decisions, first) in decisions.iter_mut().zip(first) {
            decisions.extend(first);
        }
    }
    let fill = |(alpha, mut decided): (&f64, Vec<usize>)| Row {
        effect,
        rounds,
        decided: Some(decided.len() as f64 / draws as f64),
        median_rounds: median_of(&mut decided, draws),
        ..Row::new(part, &source.name(), rule.0, *alpha, draws)
    };
    alphas.iter().zip(decisions).map(fill).collect()
}

/// False alarms of the rules that look after every round.
pub fn watched_false_alarms(source: &Source, draws: usize) -> Vec<Row> {
    const ROUNDS: usize = 1000;
    let alarms =
        |rule: &(&'static str, Make), draws| run("false alarms", source, *rule, &ALPHAS, 0.0, draws, ROUNDS);
    let mut rows = alarms(&SEQUENTIAL[0], draws);
    rows.extend(SEQUENTIAL[1..].iter().flat_map(|rule| alarms(rule, draws.min(20 + draws / 10))));
    rows
}

/// False alarms of the rules that see the whole trial once.
pub fn fixed_false_alarms(source: &Source, draws: usize) -> Vec<Row> {
    let rounds = (source.longest() / 2).min(1000);
    let mut rows = Vec::new();
    for (stream, rule) in FIXED.iter().enumerate() {
        let p_values: Vec<f64> = (0..draws)
            .map(|draw| {
                let mut random = random(10 + stream as u64, draw as u64);
                let pairs = source.draw(&mut random, 2 * rounds);
                let used = if rule.name.starts_with("blocks") { &pairs[..] } else { &pairs[..rounds] };
                (rule.p_value)(used, 0.0, &mut random)
            })
            .collect();
        rows.extend(ALPHAS.map(|alpha| Row {
            looking: "fixed".to_owned(),
            rounds,
            decided: Some(p_values.iter().filter(|p| **p < alpha).count() as f64 / draws as f64),
            ..Row::new("false alarms", &source.name(), rule.name, alpha, draws)
        }));
    }
    rows
}

/// Rounds to a verdict of a change for true effects.
pub fn power(source: &Source, effects: &[f64], draws: usize) -> Vec<Row> {
    let run = |effect, rule: &(&'static str, Make)| run("power", source, *rule, &[0.01], effect, draws, 5000);
    effects.iter().flat_map(|effect| SEQUENTIAL.iter().flat_map(move |rule| run(*effect, rule))).collect()
}

/// Each weight alone and the two defaults, at a true 1 %.
pub fn scores(source: &Source, draws: usize) -> Vec<Row> {
    SCORES.iter().flat_map(|rule| run("scores", source, *rule, &[0.01], 0.01, draws, 5000)).collect()
}

/// A word of the verdict, watched: whether the whole interval is on the far side of the margin, or inside it.
struct Watch {
    at_slower: EProcess,
    at_faster: EProcess,
    inside: bool,
}

impl Watch {
    fn new(inside: bool) -> Self {
        let (margin, mixture) = (Margin::default(), Mixture::rounds());
        let at = |effect| EProcess::against(effect, &mixture);
        Self { at_slower: at(margin.slower()), at_faster: at(margin.faster()), inside }
    }
}

impl Sequential for Watch {
    fn push(&mut self, difference: f64) {
        Sequential::push(&mut self.at_slower, difference);
        Sequential::push(&mut self.at_faster, difference);
    }

    fn smallest_alpha(&self) -> f64 {
        let (slower, faster) = (&self.at_slower, &self.at_faster);
        let leans =
            if self.inside { !slower.leans_slower() && faster.leans_slower() } else { slower.leans_slower() };
        let refuted_at = |process: &EProcess| Sequential::smallest_alpha(process);
        match (leans, self.inside) {
            (false, _) => 1.0,
            (true, false) => refuted_at(slower),
            (true, true) => refuted_at(slower).max(refuted_at(faster)),
        }
    }
}

/// The words `same` and `slower` with the default margin: when they are true, and right on the margin.
pub fn words(source: &Source, draws: usize) -> Vec<Row> {
    let same: (&str, Make) = ("evenhand: same", || Box::new(Watch::new(true)));
    let slower: (&str, Make) = ("evenhand: slower", || Box::new(Watch::new(false)));
    let settings = [(same, 0.0), (same, 0.01), (slower, 0.05), (slower, 0.01)];
    settings
        .iter()
        .flat_map(|(rule, effect)| run("words", source, *rule, &[0.01], *effect, draws, 5000))
        .collect()
}

/// How often the confidence sequence ever loses the true effect, and how often the computed interval holds it.
pub fn coverage(source: &Source, draws: usize) -> Vec<Row> {
    const ROUNDS: usize = 1000;
    let truth: (&str, Make) = ("confidence sequence", || evenhand(0.01_f64.ln_1p(), &Mixture::rounds()));
    let mut rows = run("coverage", source, truth, &ALPHAS, 0.01, draws, ROUNDS);
    for row in &mut rows {
        row.coverage = row.decided.take().map(|lost| 1.0 - lost);
        row.median_rounds = None;
    }
    rows.push(computed_interval(source, draws.min(1000)));
    rows
}

fn computed_interval(source: &Source, draws: usize) -> Row {
    const ROUNDS: usize = 150;
    let holds = |draw: &usize| {
        let mut random = random(2, *draw as u64);
        let pairs = source.draw(&mut random, ROUNDS);
        let differences = tossed(&pairs, 0.01_f64.ln_1p(), &mut random);
        let look = ConfidenceSequence::of(&differences, 0.05, Mixture::rounds()).map(|s| s.interval());
        let truth = LogRatio(0.01_f64.ln_1p());
        matches!(look, Ok(Look::Interval(i)) if i.low.is_none_or(|l| l <= truth) && i.high.is_none_or(|h| truth <= h))
    };
    let held = (0..draws).filter(holds).count();
    Row {
        looking: "fixed".to_owned(),
        effect: 0.01,
        rounds: ROUNDS,
        coverage: Some(held as f64 / draws as f64),
        ..Row::new("coverage", &source.name(), "confidence sequence", 0.05, draws)
    }
}

/// What becomes of the interval where the candidate does not take a hundredth more of each time, but always the same time more: a
/// hundredth of what the source typically takes. The share of draws in which that hundredth lies in the interval after so many rounds, and
/// the estimate.
pub fn added_time(source: &Source, draws: usize) -> Vec<Row> {
    const ALPHA: f64 = 0.01;
    const SHARE: f64 = 0.01;
    [50, 1000]
        .into_iter()
        .map(|rounds| {
            let rounds = rounds.min(source.longest());
            let truth = LogRatio(SHARE.ln_1p());
            let (mut held, mut estimates) = (0, Vec::new());
            for draw in 0..draws {
                let mut random = random(3, draw as u64);
                let pairs = source.draw(&mut random, rounds);
                let more = SHARE * typical(&pairs);
                let differences = tossed_with_time_added(&pairs, more, &mut random);
                let look =
                    ConfidenceSequence::of(&differences, ALPHA, Mixture::rounds()).map(|s| s.interval());
                if let Ok(Look::Interval(Interval { low, estimate, high })) = look {
                    held += usize::from(
                        low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high),
                    );
                    estimates.push(estimate.0.exp_m1());
                }
            }
            estimates.sort_unstable_by(f64::total_cmp);
            Row {
                looking: "fixed".to_owned(),
                effect: SHARE,
                rounds,
                coverage: Some(held as f64 / draws as f64),
                estimate: estimates.get(estimates.len() / 2).copied(),
                ..Row::new("added time", &source.name(), "confidence sequence", ALPHA, draws)
            }
        })
        .collect()
}

/// The median of all times.
fn typical(pairs: &[Pair]) -> f64 {
    let mut times: Vec<f64> = pairs.iter().flat_map(|(first, second)| [*first, *second]).collect();
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What a launch's median may be: normal luck, or two layouts.
pub fn sources_of_launches() -> [Source; 2] {
    [
        Source::Process {
            name: "launches, normal luck",
            times: |random, out| luck(random, out, crate::source::normal),
        },
        Source::Process {
            name: "launches, two-mode luck",
            times: |random, out| luck(random, out, two_modes),
        },
    ]
}

/// Luck of launches: effects drawn at random, with a planted effect of a third of their standard deviation.
pub fn launches(draws: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for source in &sources_of_launches() {
        for rule in SCORES {
            rows.extend(run("launches", source, rule, &ALPHAS, 0.0, draws, 300));
            rows.extend(run("launches", source, rule, &[0.01], 0.01, draws.min(3000), 3000));
        }
    }
    rows
}

/// A launch as a round: the second time is e^luck of the first, luck with standard deviation 3 %.
fn luck(random: &mut crate::source::Random, out: &mut [f64], draw: fn(&mut crate::source::Random) -> f64) {
    for pair in out.chunks_exact_mut(2) {
        pair[0] = 1.0;
        pair[1] = (0.03 * draw(random)).exp();
    }
}

/// Each arm draws one of two layouts, so half of the launches compare like with like; a tenth of jitter.
fn two_modes(random: &mut crate::source::Random) -> f64 {
    let layout = |random: &mut crate::source::Random| if crate::source::coin(random) { 1.0 } else { 0.0 };
    std::f64::consts::SQRT_2 * (layout(random) - layout(random)) + 0.1 * crate::source::normal(random)
}
