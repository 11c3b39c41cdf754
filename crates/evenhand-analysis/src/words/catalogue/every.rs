//! Examples of every variant of the facts that sentences are made of: a table for each enum with a row for each variant, which the
//! compiler demands.

use super::{NEW, OLD, TIME, coin, rounds};
use crate::{Apart, Concern, Evidence, From, Limit, Mode, Movement, Next, Piece, SlowStart, ToDo, TooLittle};
use evenhand_stats::clock_step::{ClockStep, Readings};
use evenhand_stats::level::mean_error::MeanErrorRule;
use evenhand_stats::level::stationarity::MovementKind;
use evenhand_stats::percentile::Direction;
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::launches::TooFew;
use evenhand_stats::{InputError, Rule};
use evenhand_trial::note::{Coldness, Differing, Note, WhyNotPinned};
use evenhand_trial::{ArmId, MetricId, Reason};

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

pub(super) fn every_word() -> Vec<Word> {
    rows!(Word {
        Word::Slower => [Word::Slower],
        Word::Faster => [Word::Faster],
        Word::SlightlySlower => [Word::SlightlySlower],
        Word::SlightlyFaster => [Word::SlightlyFaster],
        Word::Same => [Word::Same],
        Word::Unclear => [Word::Unclear],
    })
}

pub(super) fn every_direction() -> Vec<Direction> {
    rows!(Direction { Direction::Slower => [Direction::Slower], Direction::Faster => [Direction::Faster] })
}

pub(super) fn every_piece() -> Vec<Piece> {
    rows!(Piece { Piece::Sample => [Piece::Sample], Piece::Launch => [Piece::Launch] })
}

pub(super) fn every_next() -> Vec<Next> {
    let longer = |more, of| Next::Longer(ToDo { so_far: 12, more, of, seconds: None });
    rows!(Next {
        Next::Longer(_) => [longer(1, Piece::Sample), longer(340, Piece::Sample), longer(8, Piece::Launch)],
        Next::Distributions => [Next::Distributions],
        Next::Page => [Next::Page],
    })
}

fn clock_step(readings: [f64; 4]) -> ClockStep {
    let readings = || readings.into_iter().cycle().take(40);
    Readings::of(readings(), readings()).clock_step(None).unwrap()
}

pub(super) fn every_rule() -> Vec<Rule> {
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

pub(super) fn every_lack() -> Vec<TooLittle> {
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

pub(super) fn every_limit() -> Vec<Limit> {
    rows!(Limit {
        Limit::NoSharedRound => [Limit::NoSharedRound],
        Limit::NotKnownOfBoth => [Limit::NotKnownOfBoth],
        Limit::OnlyFigures => [Limit::OnlyFigures],
        Limit::NoRatio => [Limit::NoRatio],
        Limit::OnlySigns => [Limit::OnlySigns],
        Limit::SignsAgainstMeans => [Limit::SignsAgainstMeans],
        Limit::NoDifference => [Limit::NoDifference],
        Limit::ShortLaunches { .. } => [Limit::ShortLaunches { short: 2, of: 10 }],
        Limit::NoLongLaunch => [Limit::NoLongLaunch],
        Limit::TooFewLaunches(_) => [Limit::TooFewLaunches(TooFew { launches: 4, needed: 8 })],
        Limit::NoConstantEffect => [Limit::NoConstantEffect],
        Limit::PercentilesNotDrawn => [Limit::PercentilesNotDrawn],
        Limit::OwnLateness { .. } => [Limit::OwnLateness { difference: 60_000.0, response: 1.2e6 }],
        Limit::CoarseClock(_) => [
            Limit::CoarseClock(clock_step([300.0, 400.0, 300.0, 500.0])),
            Limit::CoarseClock(clock_step([300.0; 4])),
        ],
        Limit::NoInterval(_) => every_lack().into_iter().map(Limit::NoInterval).collect::<Vec<_>>(),
    })
}

fn moved(kind: MovementKind, sample: usize) -> Movement {
    Movement { kind, sample, before: 8e6, after: 7.7e6 }
}

pub(super) fn every_movement() -> Vec<Vec<Movement>> {
    let kinds = rows!(MovementKind {
        MovementKind::Drift => [MovementKind::Drift],
        MovementKind::Step => [MovementKind::Step],
    });
    let once_and_often = |kind| [1, 2, 7].map(|times| vec![moved(kind, 575); times]);
    kinds.into_iter().flat_map(once_and_often).collect()
}

pub(super) fn every_source() -> Vec<From> {
    let sources = rows!(From {
        From::Samples => [From::Samples],
        From::Histogram => [From::Histogram],
        From::Reported => [From::Reported],
    });
    // No warning is about samples that are there.
    sources.into_iter().filter(|from| *from != From::Samples).collect()
}

pub(super) fn every_concern() -> Vec<Concern> {
    let slow = |arm| SlowStart { arm, is_command: true, first: 0.023, median: 0.0039 };
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
            Concern::SlowStart(vec![SlowStart { is_command: false, ..slow(NEW) }]),
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

pub(super) fn every_note() -> Vec<Note> {
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
        Note::RunningInstances => [Note::RunningInstances],
        Note::ServicesStartedOnce => [Note::ServicesStartedOnce],
        Note::FellBehind { .. } => [Note::FellBehind { arm: arm(), slices: 2, of: 30 }],
        Note::RequestsFailed { .. } => [
            Note::RequestsFailed { arm: arm(), requests: 1, of: 30_000 },
            Note::RequestsFailed { arm: arm(), requests: 12, of: 30_000 },
        ],
        Note::GeneratorBusy { .. } => [Note::GeneratorBusy { arm: arm(), slices: 1, of: 1 }],
        Note::GeneratorLate { .. } => [Note::GeneratorLate { arm: arm(), slices: 2, of: 30 }],
        Note::BusyWhileIdle { .. } => [Note::BusyWhileIdle { arm: arm(), percent: 8.0 }],
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

pub(super) fn every_reason_not_to_pin() -> Vec<WhyNotPinned> {
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

pub(super) fn every_coldness() -> Vec<Coldness> {
    rows!(Coldness {
        Coldness::All => [Coldness::All],
        Coldness::Some { .. } => [Coldness::Some { files: vec!["/bin/true".to_owned(), "/tmp/x".to_owned()] }],
        Coldness::Nothing => [Coldness::Nothing],
    })
}

pub(super) fn every_reason() -> Vec<Reason> {
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

pub(super) fn every_place() -> Vec<At> {
    rows!(At {
        At::Typical => [At::Typical],
        At::Mean => [At::Mean],
        At::Percentile(_) => [At::Percentile(99.0)],
    })
}

pub(super) fn every_evidence() -> Vec<Evidence> {
    rows!(Evidence {
        Evidence::Coin(_) => [coin(rounds(84))],
        Evidence::NoCoin { .. } => [Evidence::NoCoin { untested: Vec::new() }],
    })
}

pub(super) fn every_rule_of_error() -> Vec<MeanErrorRule> {
    rows!(MeanErrorRule {
        MeanErrorRule::EvidentMemory => [MeanErrorRule::EvidentMemory],
        MeanErrorRule::PrewhitenedCosine => [MeanErrorRule::PrewhitenedCosine],
        MeanErrorRule::Naive => [MeanErrorRule::Naive],
        MeanErrorRule::Kolaczkowski => [MeanErrorRule::Kolaczkowski],
        MeanErrorRule::NeweyWestAndrews => [MeanErrorRule::NeweyWestAndrews],
        MeanErrorRule::EqualWeightedCosine => [MeanErrorRule::EqualWeightedCosine],
        MeanErrorRule::BatchMeans => [MeanErrorRule::BatchMeans],
        MeanErrorRule::LatteNow => [MeanErrorRule::LatteNow],
        MeanErrorRule::Autoregressive => [MeanErrorRule::Autoregressive],
    })
}
