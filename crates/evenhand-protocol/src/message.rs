//! What can be said? The host asks, the worker answers; each request has exactly one answer, and [`Answer::Failed`] may
//! stand for any.
//!
//! | request | answer | |
//! |---|---|---|
//! | hello | hello | who are you? |
//! | list | benchmarks | what can you run? |
//! | prepare | prepared | get ready for this one |
//! | run | results | run these turns |
//! | finish | done | put it away |
//! | bye | | the worker ends |
//!
//! Both sides say in their hello the newest version that they speak, and then speak the older of the two. Within a version
//! nothing is left out and nothing is added, so that a message of a wrong length is seen.
//!
//! Tests: `tests/messages.rs`, with the bytes of `docs/protocol.md`; the fuzz target `frames`.

use crate::frame::Frame;
use crate::wire::{Reader, WireError, Writer};
use crate::{MAGIC, VERSION};

/// What the host asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Who are you? With the newest version that the host speaks.
    Hello {
        /// That version.
        version: u16,
    },
    /// What can you run?
    List,
    /// Get ready for a benchmark.
    Prepare {
        /// Its place in the list.
        benchmark: u32,
    },
    /// Run these turns of the benchmark that is ready.
    Run(Run),
    /// Put away the benchmark that is ready.
    Finish,
    /// There is nothing more to do.
    Bye,
}

/// Turns to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How often the function runs in one turn.
    pub iterations: u64,
    /// The worker's slot on the page.
    pub slot: u8,
    /// Whether the worker shall ask the system how long it waited for a processor in each turn.
    pub waits: bool,
    /// The turns, in order.
    pub turns: Vec<Turn>,
}

/// One turn to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The seed of the round's input, the same for all arms.
    pub payload: u64,
    /// The place on the page that is waited for and handed on. `None`: run it at once.
    pub handed: Option<Handed>,
}

/// How a turn comes and goes on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handed {
    /// The number that the own slot has to show.
    pub number: u32,
    /// The slot that comes next. It is shown `number + 1`.
    pub next: u8,
}

/// What the worker answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Who it is.
    Hello(Hello),
    /// What it can run.
    Benchmarks(Vec<Benchmark>),
    /// It is ready.
    Prepared(Prepared),
    /// What the turns gave.
    Results(Results),
    /// It is put away.
    Done,
    /// What was asked could not be done.
    Failed {
        /// Why, in words.
        why: String,
    },
}

/// Who a worker is.
#[derive(Debug, Clone, PartialEq)]
pub struct Hello {
    /// The newest version that it speaks.
    pub version: u16,
    /// The language and its version: `Rust 1.95.0`.
    pub language: String,
    /// The clock: `tsc`, `CLOCK_MONOTONIC`, `System.nanoTime`.
    pub clock: String,
    /// The smallest step of the clock, in nanoseconds.
    pub resolution: f64,
    /// How long a reading takes, in nanoseconds. It is off the times already.
    pub cost: f64,
    /// How long an iteration takes in which nothing is done, in nanoseconds. It is in the times: whoever compares takes the
    /// same off all.
    pub iteration: f64,
    /// Whether it takes turns on the page.
    pub turns: bool,
}

/// Something that can be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Benchmark {
    /// Unique in this worker.
    pub name: String,
    /// Benchmarks of one group are alternatives to each other; no name, no alternatives.
    pub group: String,
    /// Whether the others of the group are compared with this one.
    pub baseline: bool,
    /// What tells it from its like: size, threads.
    pub parameters: Vec<(String, String)>,
}

/// A benchmark that is ready.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// About how long one iteration takes, in nanoseconds.
    pub once: f64,
    /// How many threads it takes.
    pub threads: u32,
    /// How much is done in one iteration: `bytes`, 4096.
    pub amounts: Vec<(String, f64)>,
    /// What is measured beside the time.
    pub metrics: Vec<Metric>,
}

/// Something that is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its unit; empty if it is only a number.
    pub unit: String,
    /// Whether more is better.
    pub more_is_better: bool,
}

/// What turns gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Made from what the function returned, so that different answers are seen. 0 if nothing can be made of it.
    pub verification: u64,
    /// One for each turn, in order. Fewer if a turn did not come.
    pub samples: Vec<Sample>,
}

/// One measured turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Nanoseconds from the worker's hello to the beginning of the turn.
    pub started: u64,
    /// Nanoseconds that all iterations took.
    pub wall: f64,
    /// Nanoseconds of those in which it was ready to run, but others had the processor. NaN if it was not asked or is not
    /// known.
    pub waited: f64,
    /// One for each metric of the benchmark, NaN where it is not known.
    pub values: Vec<f64>,
}

mod kind {
    pub(super) const HELLO: u8 = 1;
    pub(super) const LIST: u8 = 2;
    pub(super) const PREPARE: u8 = 3;
    pub(super) const RUN: u8 = 4;
    pub(super) const FINISH: u8 = 5;
    pub(super) const BYE: u8 = 6;
    /// Answers have the kind of their request and this.
    pub(super) const ANSWER: u8 = 0x80;
    pub(super) const FAILED: u8 = 0xff;
}

impl Request {
    /// As a frame.
    pub fn frame(&self) -> Frame {
        let mut body = Writer::default();
        let kind = match self {
            Self::Hello { version } => {
                body.raw(&MAGIC).u16(*version);
                kind::HELLO
            }
            Self::List => kind::LIST,
            Self::Prepare { benchmark } => {
                body.u32(*benchmark);
                kind::PREPARE
            }
            Self::Run(run) => {
                body.u64(run.iterations).u8(run.slot).u8(run.waits.into()).list(&run.turns, write_turn);
                kind::RUN
            }
            Self::Finish => kind::FINISH,
            Self::Bye => kind::BYE,
        };
        Frame { kind, body: body.0 }
    }

    /// From a frame.
    ///
    /// # Errors
    /// It is no request.
    pub fn of(frame: &Frame) -> Result<Self, WireError> {
        let mut body = Reader::new(&frame.body);
        let request = match frame.kind {
            kind::HELLO => Self::Hello { version: read_magic_and_version(&mut body)? },
            kind::LIST => Self::List,
            kind::PREPARE => Self::Prepare { benchmark: body.u32()? },
            kind::RUN => {
                let (iterations, slot) = (body.u64()?, body.u8()?);
                Self::Run(Run {
                    iterations,
                    slot,
                    waits: read_flag(&mut body)?,
                    turns: body.list(read_turn)?,
                })
            }
            kind::FINISH => Self::Finish,
            kind::BYE => Self::Bye,
            other => return Err(WireError::Unknown { what: "the kind of a request", number: other.into() }),
        };
        body.end().map(|()| request)
    }
}

impl Answer {
    /// As a frame.
    pub fn frame(&self) -> Frame {
        let mut body = Writer::default();
        let kind = match self {
            Self::Hello(hello) => {
                body.raw(&MAGIC).u16(hello.version).text(&hello.language).text(&hello.clock);
                body.f64(hello.resolution).f64(hello.cost).f64(hello.iteration).u8(hello.turns.into());
                kind::ANSWER | kind::HELLO
            }
            Self::Benchmarks(benchmarks) => {
                body.list(benchmarks, write_benchmark);
                kind::ANSWER | kind::LIST
            }
            Self::Prepared(prepared) => {
                write_prepared(&mut body, prepared);
                kind::ANSWER | kind::PREPARE
            }
            Self::Results(results) => {
                body.u64(results.verification).list(&results.samples, write_sample);
                kind::ANSWER | kind::RUN
            }
            Self::Done => kind::ANSWER | kind::FINISH,
            Self::Failed { why } => {
                body.text(why);
                kind::FAILED
            }
        };
        Frame { kind, body: body.0 }
    }

    /// From a frame.
    ///
    /// # Errors
    /// It is no answer.
    pub fn of(frame: &Frame) -> Result<Self, WireError> {
        const HELLO: u8 = kind::ANSWER | kind::HELLO;
        const LIST: u8 = kind::ANSWER | kind::LIST;
        const PREPARE: u8 = kind::ANSWER | kind::PREPARE;
        const RUN: u8 = kind::ANSWER | kind::RUN;
        const FINISH: u8 = kind::ANSWER | kind::FINISH;
        let mut body = Reader::new(&frame.body);
        let answer = match frame.kind {
            HELLO => match read_hello(&mut body)? {
                // What a newer version says beyond this is not for us; the host refuses it or asks for an older one.
                hello if hello.version > VERSION => return Ok(Self::Hello(hello)),
                hello => Self::Hello(hello),
            },
            LIST => Self::Benchmarks(body.list(read_benchmark)?),
            PREPARE => Self::Prepared(read_prepared(&mut body)?),
            RUN => Self::Results(Results { verification: body.u64()?, samples: body.list(read_sample)? }),
            FINISH => Self::Done,
            kind::FAILED => Self::Failed { why: body.text()? },
            other => return Err(WireError::Unknown { what: "the kind of an answer", number: other.into() }),
        };
        body.end().map(|()| answer)
    }
}

fn read_magic_and_version(body: &mut Reader<'_>) -> Result<u16, WireError> {
    if body.raw(MAGIC.len())? != MAGIC {
        return Err(WireError::NoHello);
    }
    body.u16()
}

fn read_hello(body: &mut Reader<'_>) -> Result<Hello, WireError> {
    Ok(Hello {
        version: read_magic_and_version(body)?,
        language: body.text()?,
        clock: body.text()?,
        resolution: body.f64()?,
        cost: body.f64()?,
        iteration: body.f64()?,
        turns: read_flag(body)?,
    })
}

fn read_flag(body: &mut Reader<'_>) -> Result<bool, WireError> {
    match body.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(WireError::Unknown { what: "yes or no", number: other.into() }),
    }
}

fn write_turn(body: &mut Writer, turn: &Turn) {
    body.u64(turn.payload).u8(turn.handed.is_some().into());
    if let Some(Handed { number, next }) = turn.handed {
        body.u32(number).u8(next);
    }
}

fn read_turn(body: &mut Reader<'_>) -> Result<Turn, WireError> {
    let payload = body.u64()?;
    let handed = match read_flag(body)? {
        true => Some(Handed { number: body.u32()?, next: body.u8()? }),
        false => None,
    };
    Ok(Turn { payload, handed })
}

fn write_benchmark(body: &mut Writer, benchmark: &Benchmark) {
    let Benchmark { name, group, baseline, parameters } = benchmark;
    body.text(name).text(group).u8((*baseline).into()).list(parameters, |body, (name, value)| {
        body.text(name).text(value);
    });
}

fn read_benchmark(body: &mut Reader<'_>) -> Result<Benchmark, WireError> {
    Ok(Benchmark {
        name: body.text()?,
        group: body.text()?,
        baseline: read_flag(body)?,
        parameters: body.list(|body| Ok((body.text()?, body.text()?)))?,
    })
}

fn write_prepared(body: &mut Writer, prepared: &Prepared) {
    body.f64(prepared.once).u32(prepared.threads);
    body.list(&prepared.amounts, |body, (what, amount)| {
        body.text(what).f64(*amount);
    });
    body.list(&prepared.metrics, |body, metric| {
        body.text(&metric.name).text(&metric.unit).u8(metric.more_is_better.into());
    });
}

fn read_prepared(body: &mut Reader<'_>) -> Result<Prepared, WireError> {
    Ok(Prepared {
        once: body.f64()?,
        threads: body.u32()?,
        amounts: body.list(|body| Ok((body.text()?, body.f64()?)))?,
        metrics: body.list(|body| {
            Ok(Metric { name: body.text()?, unit: body.text()?, more_is_better: read_flag(body)? })
        })?,
    })
}

fn write_sample(body: &mut Writer, sample: &Sample) {
    body.u64(sample.started).f64(sample.wall).f64(sample.waited).list(&sample.values, |body, value| {
        body.f64(*value);
    });
}

fn read_sample(body: &mut Reader<'_>) -> Result<Sample, WireError> {
    let (started, wall, waited) = (body.u64()?, body.f64()?, body.f64()?);
    Ok(Sample { started, wall, waited, values: body.list(Reader::f64)? })
}
