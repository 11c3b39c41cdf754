//! Which sentences can the program print about a result? All of them, with plausible figures, in `tests/fixtures/catalogue.txt`, for
//! the author of a change to read from top to bottom. `WRITE_FIXTURES=1 cargo test -p evenhand-analysis --lib catalogue` writes it.
//!
//! `catalogue/every.rs` has the facts.

mod every;

use super::{
    Phrase, Warned, assumption, assumptions, counts, distribution, interval, limits, means, more, next_step,
    quantity, reason, remarks, service, set_ups, starred, statement, suite, symbol, verdict, warning, word,
};
use crate::{
    Analysis, Coin, Comparison, Decides, Effect, ErrorRule, Evidence, LayoutEffect, Limit, MeanComparison,
    Pair, SetUp, Settings, SignCounts, Suite, Untested, Warning, analyse,
};
use evenhand_stats::InputError;
use evenhand_stats::level::distribution::{Fit, Fits};
use evenhand_stats::level::summary::SigmaDistances;
use evenhand_stats::percentile::SureRange;
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_stats::randomised::signs::Counts;
use evenhand_trial::{Arm, ArmId, Better, Metric, MetricId, Origin, Per, Trial, TrialId, Unit};
use every::{
    every_concern, every_direction, every_evidence, every_limit, every_next, every_note, every_piece,
    every_place, every_reason, every_rule, every_rule_of_error, every_word,
};
use std::fmt::Display;

#[derive(Default)]
struct Catalogue(String);

impl Catalogue {
    fn heading(&mut self, words: impl Display) {
        let gap = if self.0.is_empty() { "" } else { "\n" };
        self.0 += &format!("{gap}# {words}\n");
    }

    fn line(&mut self, sentence: impl Display) {
        self.0 += &format!("{sentence}\n");
    }

    fn lines(&mut self, sentences: impl IntoIterator<Item = impl Display>) {
        sentences.into_iter().for_each(|sentence| self.line(sentence));
    }
}

const OLD: ArmId = ArmId(0);
const NEW: ArmId = ArmId(1);

fn metric(name: &str, unit: Unit, better: Better) -> Metric {
    Metric { name: name.to_owned(), unit, per: Per::Sample, better }
}

/// What sentences differ for.
fn metrics() -> Vec<Metric> {
    vec![
        metric("time", Unit::nanoseconds(), Better::Lower),
        metric("cpu", Unit::nanoseconds(), Better::Lower),
        metric("max_rss", Unit::bytes(), Better::Lower),
        metric("instructions", Unit::count(), Better::Lower),
        metric("throughput", Unit::new("MB/s"), Better::Higher),
        metric("capacity", Unit::new("requests/s"), Better::Higher),
        metric("score", Unit::new("points"), Better::Higher),
        metric("response_p99", Unit::nanoseconds(), Better::Lower),
        metric("errors", Unit::count(), Better::Lower),
        metric("stall", Unit::nanoseconds(), Better::Lower),
        metric("late_p99", Unit::nanoseconds(), Better::Lower),
    ]
}

/// Of `old`, `new` and `third` in one group, by all metrics, with nothing measured yet.
fn analysis() -> Analysis {
    let arm = |name: &str| Arm { name: name.to_owned(), ..Arm::default() };
    analysis_of(vec![arm("old"), arm("new"), arm("third")])
}

fn analysis_of(arms: Vec<Arm>) -> Analysis {
    let origin = Origin::Measured { version: "0.1.0".to_owned() };
    let trial = Trial { metrics: metrics(), arms, ..Trial::new(TrialId::from_number(1), origin) };
    analyse(&trial, &Settings::default()).unwrap()
}

fn effect(estimate: f64, low: f64, high: f64) -> Effect {
    Effect { estimate: Some(estimate), low: Some(low), high: Some(high) }
}

fn compared(metric: MetricId, verdict: Word, effect: Effect, evidence: Evidence) -> Comparison {
    Comparison {
        pair: Pair { baseline: OLD, candidate: NEW, metric },
        control: false,
        verdict,
        effect,
        launches: 1,
        percentiles: Vec::new(),
        limits: Vec::new(),
        seconds: Some(5.13),
        evidence,
    }
}

fn coin(coin: Coin) -> Evidence {
    Evidence::Coin(Box::new(coin))
}

fn rounds(rounds: usize) -> Coin {
    Coin { rounds, ..Coin::default() }
}

const TIME: MetricId = MetricId(0);

fn slower(evidence: Evidence) -> Comparison {
    compared(TIME, Word::Slower, effect(0.083, 0.071, 0.094), evidence)
}

fn unclear(known: Effect, evidence: Evidence) -> Comparison {
    compared(TIME, Word::Unclear, known, evidence)
}

/// Effects that a verdict can have.
fn effects(word: Word) -> Vec<Effect> {
    let half_open = |estimate: f64, low: f64| Effect { high: None, ..effect(estimate, low, f64::NAN) };
    match word {
        Word::Slower => vec![
            effect(0.083, 0.071, 0.094),
            half_open(0.083, 0.02),
            effect(2.2, 2.1, 2.4),
            half_open(7.64, 6.9),
            effect(2.5e6, 2.4e6, 2.6e6),
        ],
        Word::Faster => vec![effect(-0.083, -0.094, -0.071), effect(-0.61, -0.64, -0.59)],
        Word::SlightlySlower => vec![effect(0.011, 0.002, 0.019)],
        Word::SlightlyFaster => vec![effect(-0.011, -0.019, -0.002)],
        Word::Same => vec![effect(0.0012, -0.004, 0.007)],
        Word::Unclear => vec![
            effect(0.012, -0.021, 0.047),
            Effect { estimate: Some(1.33), ..Effect::default() },
            Effect::default(),
        ],
    }
}

fn claims(all: &mut Catalogue) {
    let mut analysis = analysis();
    for (metric, definition) in (0..).map(MetricId).zip(metrics()) {
        all.heading(format_args!("Verdicts by {}", definition.name));
        for word in every_word() {
            for effect in effects(word) {
                let comparison = compared(metric, word, effect, coin(rounds(84)));
                all.line(statement(&analysis, &comparison).claim);
            }
        }
    }
    all.heading("Verdicts on something else than the typical round");
    for at in every_place() {
        analysis.settings.at = Decides(at);
        for word in [Word::Slower, Word::Same, Word::Unclear] {
            let comparison = compared(TIME, word, effects(word)[0], coin(rounds(84)));
            all.line(statement(&analysis, &comparison).claim);
        }
    }
}

/// Verdicts by signs: without a size, with what both cost on average.
fn signs(all: &mut Catalogue) {
    let analysis = analysis();
    all.heading("Verdicts where some cost nothing");
    let counts = |worse, better| Counts { worse, better, equal: 6 };
    for (word, counts) in [
        (Word::Slower, counts(14, 0)),
        (Word::Faster, counts(3, 41)),
        (Word::Unclear, counts(2, 3)),
        (Word::Unclear, counts(1, 0)),
    ] {
        for of in every_piece() {
            for (place, candidate_mean) in [(8, 0.00123), (9, 2.1e8), (6, 17.0), (0, 35.0)] {
                let signs = SignCounts { counts, of, baseline_mean: 0.0, candidate_mean };
                let coin = Coin { signs: Some(signs), ..rounds(20) };
                let comparison = compared(MetricId(place), word, Effect::default(), self::coin(coin));
                all.line(statement(&analysis, &comparison).sentence());
            }
        }
    }
}

/// What is known beside the verdict.
fn coins() -> Vec<Coin> {
    let within_launches = Some(effect(0.084, 0.081, 0.087));
    let mut coins = vec![rounds(1), rounds(84), Coin { within_launches, ..rounds(84) }];
    for direction in every_direction() {
        let moved = |moved| Coin { moved, ..rounds(84) };
        let mean = Some(mean(0.101));
        let direction_of_mean = Moved { mean: Some(direction), ..Moved::default() };
        coins.extend([
            moved(direction_of_mean),
            Coin { mean, ..moved(direction_of_mean) },
            moved(Moved { low: Some(direction), high: Some(direction), ..direction_of_mean }),
        ]);
        let tail = |from, to| Coin { tail: vec![SureRange { direction, from, to }], ..rounds(84) };
        coins.extend([
            tail(50.0, 50.0),
            tail(85.0, 85.0),
            tail(85.0, 99.0),
            tail(1.0, 20.0),
            tail(20.0, 40.0),
        ]);
        coins.push(Coin { within_launches, ..tail(85.0, 99.0) });
    }
    coins
}

fn bases(all: &mut Catalogue) {
    all.heading("What a verdict rests on");
    let mut analysis = analysis();
    analysis.trial.seconds = Some(5.13);
    for coin in coins() {
        let launches = if coin.within_launches.is_some() { 10 } else { 1 };
        let comparison = Comparison { launches, ..slower(self::coin(coin)) };
        all.line(statement(&analysis, &comparison).basis);
    }
    all.heading("What it takes");
    let open = Effect { estimate: Some(0.012), ..Effect::default() };
    let wide = effect(0.012, -0.021, 0.047);
    for (known, needed) in [(open, 11), (open, 19), (wide, 11), (wide, 3_310), (wide, 2_000_000)] {
        let coin = |coin| self::coin(Coin { needed: Some(needed), ..coin });
        all.line(statement(&analysis, &unclear(known, coin(rounds(10)))).basis);
        let slightly = compared(TIME, Word::SlightlySlower, known, coin(rounds(10)));
        all.line(statement(&analysis, &slightly).basis);
        let launches = Coin { within_launches: Some(wide), ..rounds(100) };
        all.line(statement(&analysis, &Comparison { launches: 4, ..unclear(known, coin(launches)) }).basis);
    }
}

fn what_is_assumed(all: &mut Catalogue) {
    all.heading("Assumptions");
    let analysis = analysis();
    let mut evidence = every_evidence();
    for of in every_piece() {
        let few = |arm, count| Untested { arm, count, of, order_lost: false };
        let sorted = |arm| Untested { order_lost: true, ..few(arm, 30) };
        evidence.extend(
            [vec![few(OLD, 10)], vec![few(OLD, 10), few(NEW, 12)], vec![sorted(OLD), sorted(NEW)]]
                .map(|untested| Evidence::NoCoin { untested }),
        );
    }
    for evidence in evidence {
        all.line(Phrase::joined(assumptions(&analysis, &slower(evidence)), "; "));
    }
}

fn why_there_is_no_more(all: &mut Catalogue) {
    all.heading("Limits");
    let analysis = analysis();
    let limited = |metric, limit| Comparison {
        limits: vec![limit],
        ..compared(metric, Word::Unclear, Effect::default(), coin(rounds(84)))
    };
    for limit in every_limit() {
        all.lines(limits(&analysis, &limited(TIME, limit)));
    }
    all.lines(limits(&analysis, &limited(MetricId(2), Limit::NoSharedRound)));
    all.heading("Rules that figures may break");
    all.lines(every_rule().into_iter().map(|rule| InputError { rule, argument: "samples" }));
    all.heading("Remarks");
    let remarkable = Coin {
        layouts: Some(LayoutEffect { layouts: 5, sd: 0.013 }),
        within_launches: Some(effect(0.084, 0.081, 0.087)),
        change_in_suite: Some(true),
        ..rounds(84)
    };
    let mut several = analysis.clone();
    several.comparisons = vec![slower(coin(remarkable)), slower(coin(rounds(84)))];
    all.lines(remarks(&several, &several.comparisons[0]));
}

fn single_service(all: &mut Catalogue) {
    all.heading("A load on a single service");
    all.line(service::generator_busy(0.87));
    all.line(service::generator_late(180_000, 1_200_000));
    all.line(service::generator_without_sockets(12));
    all.line(service::fell_behind(4100, 50_000));
    all.line(service::no_percentiles());
    all.line(service::fell_behind_at("4000, 8000"));
    all.line(service::generator_at("16000"));
    all.line(service::late_at("2000"));
}

fn warned(analysis: &Analysis) -> Vec<String> {
    let warned = |what| {
        let found = Warning { about: Some(NEW), what };
        let Warned { message, advice, .. } = warning(analysis, &found);
        let advice = advice.map_or_else(String::new, |advice| format!("\n    {advice}"));
        format!("{}: {message}{advice}", found.code())
    };
    every_concern().into_iter().map(warned).collect()
}

fn warnings(all: &mut Catalogue) {
    let mut analysis = analysis();
    all.heading("Warnings, without randomised order");
    let not_randomised = warned(&analysis);
    all.lines(&not_randomised);
    all.heading("Warnings that differ in randomised order");
    analysis.comparisons = vec![slower(coin(rounds(84)))];
    all.lines(warned(&analysis).iter().filter(|warned| !not_randomised.contains(warned)));
    all.heading("Warnings that are not shown");
    all.lines([more(1), more(5)]);
}

fn mean(percent_of_one: f64) -> MeanComparison {
    MeanComparison {
        baseline_min: 3.87e6,
        candidate_min: 4.16e6,
        baseline_mean: 4e6,
        candidate_mean: 4e6 * (1.0 + percent_of_one),
        difference: 4e6 * percent_of_one,
        difference_percent: 100.0 * percent_of_one,
        z: Some(4.12),
        change_detected: true,
        without_excursions: Some(3.9e5),
        excursions: [1, 5],
        equal_counts_p: 0.5,
        like_size_p: 0.5,
        pulled_by: None,
    }
}

fn of_means(all: &mut Catalogue) {
    all.heading("Means");
    let analysis = analysis();
    let plain = mean(0.101);
    let none = MeanComparison { excursions: [0; 2], z: None, change_detected: false, ..mean(-0.002) };
    for mean in [plain, MeanComparison { without_excursions: None, ..plain }, none] {
        all.lines(means(&analysis, &slower(coin(Coin { mean: Some(mean), ..rounds(84) }))));
    }
}

fn distributions(all: &mut Catalogue) {
    all.heading("Distributions");
    let fit = |p_value, log_likelihood| Fit {
        location: 1.0,
        scale: 0.1,
        log_likelihood,
        anderson_darling: 1.0,
        p_value,
    };
    let sigmas = SigmaDistances { bottom: 2.4, top: 13.2, n: 200 };
    for (normal, log_normal) in [(0.4, 0.4), (0.001, 0.4), (0.001, 0.001)] {
        for likelier in [0.0, 2.0] {
            let fits = Fits { normal: fit(normal, 1.0), log_normal: fit(log_normal, likelier), sigmas };
            all.line(distribution(&fits));
        }
    }
    all.line(distribution(&Fits {
        normal: fit(0.4, 1.0),
        log_normal: fit(0.4, 0.0),
        sigmas: SigmaDistances { bottom: 6.1, top: 2.4, ..sigmas },
    }));
}

/// Two arms each of a benchmark for every verdict.
fn whole_suite() -> Analysis {
    let words = every_word();
    let arm = |number: usize| Arm {
        name: format!("{} {number}", if number.is_multiple_of(2) { "old" } else { "new" }),
        group: format!("benchmark {}", number / 2),
        ..Arm::default()
    };
    let mut analysis = analysis_of((0..2 * words.len()).map(arm).collect());
    analysis.comparisons = (0_u32..)
        .zip(words)
        .map(|(number, word)| {
            let pair = Pair { baseline: ArmId(2 * number), candidate: ArmId(2 * number + 1), metric: TIME };
            Comparison { pair, ..compared(TIME, word, effects(word)[0], coin(rounds(84))) }
        })
        .collect();
    analysis
}

fn suites(all: &mut Catalogue) {
    all.heading("Suites");
    let mut analysis = whole_suite();
    all.line(suite(&Suite { metrics: [TIME].into(), comparisons: 6, effect: effect(0.012, 0.004, 0.02) }));
    all.line(counts(&analysis));
    all.lines([interval(&analysis), starred(&analysis)]);
    for metric in (0..).map(MetricId).take(metrics().len()) {
        let of = |word| compared(metric, word, effects(word)[0], coin(rounds(84)));
        all.lines(every_word().into_iter().map(|word| verdict(&analysis, &of(word))));
    }
    all.heading("The verdict on the live line");
    all.lines(every_word().into_iter().map(word));
    all.lines(reason(&analysis));
    analysis.comparisons.push(slower(Evidence::NoCoin { untested: Vec::new() }));
    all.line(counts(&analysis));
    all.lines(assumption(&analysis));
}

fn set_ups_of_samples(all: &mut Catalogue) {
    all.heading("Set-up");
    let mut analysis = analysis();
    let found = |share, evident| SetUp {
        what: "parse".to_owned(),
        metric: TIME,
        iterations: [1, 4],
        set_up: 134.0,
        work: 190.0,
        share,
        evident,
    };
    analysis.set_ups = vec![found(0.414, true), found(0.021, true), found(0.004, false)];
    all.lines(set_ups(&analysis));
}

fn next_steps(all: &mut Catalogue) {
    all.heading("The next step");
    for next in every_next() {
        all.lines([true, false].map(|goes_on| next_step(&next, "@last", goes_on, &"40s")));
    }
}

fn settings(all: &mut Catalogue) {
    all.heading("Rules for the error of a mean");
    all.lines(every_rule_of_error().into_iter().map(ErrorRule));
    all.heading("Units");
    for (value, unit) in [
        (8_123_456.0, "ns"),
        (999.96, "us"),
        (5.13, "s"),
        (1.35e9, "B"),
        (17.0, ""),
        (35.63e6, ""),
        (42.1, "MB/s"),
    ] {
        let unit = Unit::new(unit);
        all.line(format_args!("{:8} {}", symbol(&unit), quantity(value, &unit)));
    }
}

#[test]
fn every_sentence_is_as_the_catalogue_shows_it() {
    let mut all = Catalogue::default();
    claims(&mut all);
    signs(&mut all);
    bases(&mut all);
    what_is_assumed(&mut all);
    why_there_is_no_more(&mut all);
    single_service(&mut all);
    warnings(&mut all);
    all.heading("Notes");
    all.lines(every_note());
    all.heading("Why a run failed");
    all.lines(every_reason());
    of_means(&mut all);
    distributions(&mut all);
    suites(&mut all);
    set_ups_of_samples(&mut all);
    next_steps(&mut all);
    settings(&mut all);
    let path = format!("{}/tests/fixtures/catalogue.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(&path, &all.0).unwrap();
    }
    assert_eq!(all.0, std::fs::read_to_string(&path).unwrap());
}
