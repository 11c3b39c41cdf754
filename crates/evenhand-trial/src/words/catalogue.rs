//! Which sentences can the program print about a result? All of them, with plausible figures, in `tests/fixtures/catalogue.txt`, to
//! be read from top to bottom by whoever changes one. `WRITE_FIXTURES=1 cargo test -p evenhand-trial --lib catalogue` writes it.
//!
//! Each enum has a table with a row for each variant, and the compiler refuses a variant without a row.

use super::{
    Phrase, Warned, assumption, assumptions, counts, distribution, interval, limits, means, more, quantity,
    reason, remarks, starred, statement, suite, symbol, verdict, warning,
};
use crate::analysis::{
    Analysis, Apart, Coin, Comparison, Concern, Decides, Effect, ErrorRule, Evidence, From, LayoutLuck,
    Limit, MeanComparison, Mode, Movement, Pair, Piece, Settings, SlowStart, Suite, TooLittle, Untested,
    Warning,
};
use crate::note::{Coldness, Differing, Note, WhyNotPinned};
use crate::{Arm, ArmId, Better, Metric, MetricId, Origin, Per, Reason, Trial, TrialId, Unit, analyse};
use evenhand_stats::clock_step::{ClockStep, Readings};
use evenhand_stats::level::distribution::{Fit, Fits};
use evenhand_stats::level::mean_error::MeanErrorRule;
use evenhand_stats::level::stationarity::MovementKind;
use evenhand_stats::level::summary::SigmaDistances;
use evenhand_stats::percentile::{Direction, SureRange};
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::launches::TooFew;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_stats::{InputError, Rule};
use std::fmt::Display;

/// Examples of each variant of an enum, in a row for each.
macro_rules! rows {
    ($kind:ty { $($variant:pat => $examples:expr),+ $(,)? }) => {{
        #[deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]
        const _: fn(&$kind) = |it| match it { $($variant => ()),+ };
        let examples = [$(Vec::<$kind>::from($examples)),+].concat();
        $(assert!(examples.iter().any(|example| matches!(example, $variant)));)+
        examples
    }};
}

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
        metric("score", Unit::new("points"), Better::Higher),
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

fn every_word() -> Vec<Word> {
    rows!(Word {
        Word::Slower => [Word::Slower],
        Word::Faster => [Word::Faster],
        Word::SlightlySlower => [Word::SlightlySlower],
        Word::SlightlyFaster => [Word::SlightlyFaster],
        Word::Same => [Word::Same],
        Word::Unclear => [Word::Unclear],
    })
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
    let every_at = rows!(At {
        At::Typical => [At::Typical],
        At::Mean => [At::Mean],
        At::Percentile(_) => [At::Percentile(99.0)],
    });
    for at in every_at {
        analysis.settings.at = Decides(at);
        for word in [Word::Slower, Word::Same, Word::Unclear] {
            let comparison = compared(TIME, word, effects(word)[0], coin(rounds(84)));
            all.line(statement(&analysis, &comparison).claim);
        }
    }
}

fn every_direction() -> Vec<Direction> {
    rows!(Direction { Direction::Slower => [Direction::Slower], Direction::Faster => [Direction::Faster] })
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

fn every_piece() -> Vec<Piece> {
    rows!(Piece { Piece::Sample => [Piece::Sample], Piece::Launch => [Piece::Launch] })
}

fn what_is_assumed(all: &mut Catalogue) {
    all.heading("Assumptions");
    let analysis = analysis();
    let mut evidence = rows!(Evidence {
        Evidence::Coin(_) => [coin(rounds(84))],
        Evidence::NoCoin { .. } => [Evidence::NoCoin { untested: Vec::new() }],
    });
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

fn clock_step(readings: [f64; 4]) -> ClockStep {
    let readings = || readings.into_iter().cycle().take(40);
    Readings::of(readings(), readings()).clock_step(None).unwrap()
}

fn every_rule() -> Vec<Rule> {
    rows!(Rule {
        Rule::Finite { .. } => [Rule::Finite { index: 3 }],
        Rule::Positive { .. } => [Rule::Positive { index: 3 }],
        Rule::AtLeast { .. } => [Rule::AtLeast { needed: 8, got: 3 }],
        Rule::NotConstant => [Rule::NotConstant],
        Rule::SameLength { .. } => [Rule::SameLength { left: 3, right: 8 }],
        Rule::InRange { .. } => [Rule::InRange { low: 0.0, high: 1.0 }],
        Rule::Representable { .. } => [Rule::Representable { index: 3 }],
    })
}

fn every_lack() -> Vec<TooLittle> {
    let (sample, launch) = (Piece::Sample, Piece::Launch);
    rows!(TooLittle {
        TooLittle::Worth { .. } => [
            TooLittle::Worth { baseline: 2, candidate: 3, of: sample, needed: None },
            TooLittle::Worth { baseline: 2, candidate: 3, of: launch, needed: Some(6) },
        ],
        TooLittle::OnlyOne { .. } => [
            TooLittle::OnlyOne { arm: OLD, of: sample },
            TooLittle::OnlyOne { arm: OLD, of: launch },
        ],
        TooLittle::RemembersAll { .. } => [
            TooLittle::RemembersAll { arm: OLD, count: 40, of: sample },
            TooLittle::RemembersAll { arm: OLD, count: 40, of: launch },
        ],
        TooLittle::Constant => [TooLittle::Constant],
        TooLittle::Refused(_) => [
            TooLittle::Refused(InputError { rule: Rule::Positive { index: 3 }, argument: "samples" }),
        ],
    })
}

fn every_limit() -> Vec<Limit> {
    rows!(Limit {
        Limit::NoSharedRound => [Limit::NoSharedRound],
        Limit::NotKnownOfBoth => [Limit::NotKnownOfBoth],
        Limit::OnlyFigures => [Limit::OnlyFigures],
        Limit::NoRatio => [Limit::NoRatio],
        Limit::ShortLaunches { .. } => [Limit::ShortLaunches { short: 2, of: 10 }],
        Limit::NoLongLaunch => [Limit::NoLongLaunch],
        Limit::TooFewLaunches(_) => [Limit::TooFewLaunches(TooFew { launches: 4, needed: 8 })],
        Limit::NoConstantEffect => [Limit::NoConstantEffect],
        Limit::PercentilesNotDrawn => [Limit::PercentilesNotDrawn],
        Limit::CoarseClock(_) => [
            Limit::CoarseClock(clock_step([300.0, 400.0, 300.0, 500.0])),
            Limit::CoarseClock(clock_step([300.0; 4])),
        ],
        Limit::NoInterval(_) => every_lack().into_iter().map(Limit::NoInterval).collect::<Vec<_>>(),
    })
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
        layouts: Some(LayoutLuck { layouts: 5, sd: 0.013 }),
        within_launches: Some(effect(0.084, 0.081, 0.087)),
        change_in_suite: Some(true),
        ..rounds(84)
    };
    let mut several = analysis.clone();
    several.comparisons = vec![slower(coin(remarkable)), slower(coin(rounds(84)))];
    all.lines(remarks(&several, &several.comparisons[0]));
}

fn moved(kind: MovementKind, sample: usize) -> Movement {
    Movement { kind, sample, before: 8e6, after: 7.7e6 }
}

fn every_movement() -> Vec<Vec<Movement>> {
    let kinds = rows!(MovementKind {
        MovementKind::Drift => [MovementKind::Drift],
        MovementKind::Step => [MovementKind::Step],
    });
    let once_and_often = |kind| [1, 2, 7].map(|times| vec![moved(kind, 575); times]);
    kinds.into_iter().flat_map(once_and_often).collect()
}

fn every_source() -> Vec<From> {
    let sources = rows!(From {
        From::Samples => [From::Samples],
        From::Histogram => [From::Histogram],
        From::Reported => [From::Reported],
    });
    // No warning is about samples that are there.
    sources.into_iter().filter(|from| *from != From::Samples).collect()
}

fn every_concern() -> Vec<Concern> {
    let slow = |arm| SlowStart { arm, first: 0.023, median: 0.0039 };
    let mode = |place, share| Mode { place, share };
    let apart = |arms: &[u32], some_compared| Apart {
        arms: arms.iter().copied().map(ArmId).collect(),
        differ_in: vec!["size".to_owned(), "threads".to_owned()],
        some_compared,
    };
    rows!(Concern {
        Concern::Interrupted => [Concern::Interrupted],
        Concern::Stolen(_) => [Concern::Stolen(0.071)],
        Concern::Busy { .. } => [Concern::Busy { load: 5.3, processors: 2 }],
        Concern::Governor(_) => [Concern::Governor("powersave".to_owned())],
        Concern::OtherInput(_) => [
            Concern::OtherInput(apart(&[0, 1], false)),
            Concern::OtherInput(apart(&[0, 1, 2], false)),
            Concern::OtherInput(apart(&[0, 1, 2], true)),
        ],
        Concern::SlowStart(_) => [
            Concern::SlowStart(vec![slow(NEW)]),
            Concern::SlowStart(vec![slow(OLD), slow(NEW)]),
            Concern::SlowStart(vec![slow(OLD); 7]),
        ],
        Concern::Failed { .. } => [Concern::Failed { failed: 1, runs: 1 }, Concern::Failed { failed: 3, runs: 84 }],
        Concern::NoSamples(_) => every_source().into_iter().map(Concern::NoSamples).collect::<Vec<_>>(),
        Concern::OrderLost => [Concern::OrderLost],
        Concern::RepeatedRounds(_) => [Concern::RepeatedRounds(1), Concern::RepeatedRounds(12)],
        Concern::NoWork => [Concern::NoWork],
        Concern::NearClock { .. } => [Concern::NearClock { sample_ns: 1997.0, step_ns: 21.0 }],
        Concern::Batched(_) => [Concern::Batched(294)],
        Concern::TooShort(_) => [Concern::TooShort(0.00057)],
        Concern::Modes { .. } => [
            Concern::Modes { modes: vec![mode(2.1e6, 0.87), mode(1.3e7, 0.13)], metric: TIME },
        ],
        Concern::Moved(_) => every_movement().into_iter().map(Concern::Moved).collect::<Vec<_>>(),
        Concern::Autocorrelated { .. } => [
            Concern::Autocorrelated { samples: 40, worth: 1 },
            Concern::Autocorrelated { samples: 400, worth: 83 },
        ],
        Concern::NotCompared(_) => [Concern::NotCompared(OLD)],
        Concern::MeanDisagrees { .. } => [Concern::MeanDisagrees { metric: TIME, difference: 0.0018 }],
        Concern::ControlDiffers { .. } => [
            Concern::ControlDiffers { baseline: OLD, metric: TIME, by: Some(0.021) },
            Concern::ControlDiffers { baseline: OLD, metric: MetricId(1), by: None },
        ],
    })
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

fn every_note() -> Vec<Note> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let arm = || "sort -n".to_owned();
    let trial = || "b.json".to_owned();
    let differing = |trials: usize| Differing {
        part: "kernel".to_owned(),
        each: (0..trials).map(|number| (format!("{number}.json"), format!("6.{number}"))).collect(),
    };
    let not_pinned = every_reason_not_to_pin().into_iter().map(Note::NotPinned).collect::<Vec<_>>();
    rows!(Note {
        Note::PinnedTo { .. } => [Note::PinnedTo { cpus: vec![3] }, Note::PinnedTo { cpus: vec![0, 1, 2, 8] }],
        Note::NotPinned(_) => not_pinned,
        Note::InLockstep { .. } => [Note::InLockstep { cpus: vec![0, 1] }],
        Note::LaunchesOn { .. } => [Note::LaunchesOn { cpus: vec![0, 2] }],
        Note::EachLaunchOnOne { .. } => [Note::EachLaunchOnOne { cpus: vec![0, 2] }],
        Note::TurnsAskedFor { .. } => [Note::TurnsAskedFor { why: "this system has no futex".to_owned() }],
        Note::OneStart => [Note::OneStart],
        Note::Cold(_) => every_coldness().into_iter().map(Note::Cold).collect::<Vec<_>>(),
        Note::LeftBehind { .. } => [
            Note::LeftBehind { arm: arm(), processes: 1, runs: 1 },
            Note::LeftBehind { arm: arm(), processes: 7, runs: 2 },
        ],
        Note::LostPeaks { .. } => [Note::LostPeaks { mib: 4.0, runs: 1 }, Note::LostPeaks { mib: 4.0, runs: 3 }],
        Note::Waited { .. } => [Note::Waited { percent: 14.0 }],
        Note::Counters { .. } => [Note::Counters { what: "(a sentence of the counters)".to_owned() }],
        Note::SameBytes { .. } => [
            Note::SameBytes { programs: names(&["sums"]) },
            Note::SameBytes { programs: names(&["sums", "sorts"]) },
        ],
        Note::NotInSide { .. } => [
            Note::NotInSide { side: "main".to_owned(), benchmarks: names(&["few", "many"]) },
        ],
        Note::WentOn { .. } => [
            Note::WentOn { at: "2026-11-22T12:15:59.5Z".parse().unwrap(), samples: 20 },
        ],
        Note::OnlyIn { .. } => [
            Note::OnlyIn { trial: trial(), arm: arm(), others: 0 },
            Note::OnlyIn { trial: trial(), arm: arm(), others: 2 },
        ],
        Note::CutOff { .. } => [Note::CutOff { trial: trial() }],
        Note::MachinesDiffer { .. } => [Note::MachinesDiffer { parts: vec![differing(2), differing(5)] }],
        Note::Of { .. } => [Note::Of { trial: trial(), note: Box::new(Note::OneStart) }],
        Note::Salvaged { .. } => [Note::Salvaged { lost: names(&["chunk 1", "3 samples"]) }],
        Note::Said(_) => [Note::Said("(a sentence of another tool)".to_owned())],
    })
}

fn every_reason_not_to_pin() -> Vec<WhyNotPinned> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    rows!(WhyNotPinned {
        WhyNotPinned::Several { .. } => [WhyNotPinned::Several { arm: "sort -n".to_owned() }],
        WhyNotPinned::Unproven { .. } => [
            WhyNotPinned::Unproven { arms: names(&["one"]) },
            WhyNotPinned::Unproven { arms: names(&["one", "two"]) },
        ],
        WhyNotPinned::Refused { .. } => [
            WhyNotPinned::Refused { reason: "(a reason of the system)".to_owned() },
        ],
    })
}

fn every_coldness() -> Vec<Coldness> {
    rows!(Coldness {
        Coldness::All => [Coldness::All],
        Coldness::Some { .. } => [Coldness::Some { files: vec!["/bin/true".to_owned(), "/tmp/x".to_owned()] }],
        Coldness::Nothing => [Coldness::Nothing],
    })
}

fn every_reason() -> Vec<Reason> {
    let message = || "(a message of the system)".to_owned();
    rows!(Reason {
        Reason::Exit { .. } => [Reason::Exit { code: 1 }],
        Reason::Signal { .. } => [Reason::Signal { number: 9 }],
        Reason::Timeout { .. } => [Reason::Timeout { allowed: 1.5 }],
        Reason::NotStarted { .. } => [Reason::NotStarted { message: message() }],
        Reason::WrongResult { .. } => [Reason::WrongResult { message: message() }],
        Reason::Other { .. } => [Reason::Other { message: message() }],
    })
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
    all.lines(every_word().into_iter().map(verdict));
    all.lines(reason(&analysis));
    analysis.comparisons.push(slower(Evidence::NoCoin { untested: Vec::new() }));
    all.line(counts(&analysis));
    all.lines(assumption(&analysis));
}

fn settings(all: &mut Catalogue) {
    all.heading("Rules for the error of a mean");
    let rules = rows!(MeanErrorRule {
        MeanErrorRule::EvidentMemory => [MeanErrorRule::EvidentMemory],
        MeanErrorRule::PrewhitenedCosine => [MeanErrorRule::PrewhitenedCosine],
        MeanErrorRule::Naive => [MeanErrorRule::Naive],
        MeanErrorRule::Kolaczkowski => [MeanErrorRule::Kolaczkowski],
        MeanErrorRule::NeweyWestAndrews => [MeanErrorRule::NeweyWestAndrews],
        MeanErrorRule::EqualWeightedCosine => [MeanErrorRule::EqualWeightedCosine],
        MeanErrorRule::BatchMeans => [MeanErrorRule::BatchMeans],
        MeanErrorRule::LatteNow => [MeanErrorRule::LatteNow],
        MeanErrorRule::Autoregressive => [MeanErrorRule::Autoregressive],
    });
    all.lines(rules.into_iter().map(ErrorRule));
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
    bases(&mut all);
    what_is_assumed(&mut all);
    why_there_is_no_more(&mut all);
    warnings(&mut all);
    all.heading("Notes");
    all.lines(every_note());
    all.heading("Why a run failed");
    all.lines(every_reason());
    of_means(&mut all);
    distributions(&mut all);
    suites(&mut all);
    settings(&mut all);
    let path = format!("{}/tests/fixtures/catalogue.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        std::fs::write(&path, &all.0).unwrap();
    }
    assert_eq!(all.0, std::fs::read_to_string(&path).unwrap());
}
