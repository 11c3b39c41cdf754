//! In which order do the steps of a turn come? Everything that is not the command itself happens before the clock is
//! started or after it is stopped: `--prepare`, cold files, the streams, the padding; then what was heard, `--conclude`.
//!
//! With `--expect-same-output` the baseline runs once untimed before the first round, whatever the coin says: so the
//! first round of every order finds the machine in the same state, and no candidate goes unchecked.
//!
//! Tests: `tests/command.rs`, `tests/interrupt.rs`.

use super::cold;
use super::listeners::{Deaf, Fingerprint, Print, Tail};
use super::metrics::Layout;
use super::notes::Notes;
use super::pinning::Pinning;
use super::steps::{NOTHING, Step, Steps};
use super::{Input, Interrupt, Output, Program, Setting, environment, find};
use crate::executor::{DueTurn, Executor, Patience, Waiting};
use crate::finish::{ExecutorError, MeasureError, NoSample};
use crate::platform::counters::{Counters, Event};
use crate::platform::process::{
    self, Limits, ProcessEnd, ProcessRun, Spawnable, Start, Starter, Stream, Streams,
};
use crate::platform::{self, Monotonic};
use evenhand_trial::{ArmId, Metric, Note, Reason, Round};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs commands.
#[derive(Debug)]
pub struct Commands {
    arms: Vec<CommandArm>,
    setting: Setting,
    interrupt: Interrupt,
    clock: Monotonic,
    /// Nanoseconds from the start of the trial to that of the clock.
    clock_started: u64,
    starter: Option<Starter>,
    steps: Steps,
    pinning: Pinning,
    notes: Notes,
    group: CommandGroup,
    /// What this machine counts.
    events: Vec<Event>,
    /// Why it counts nothing, or not all.
    uncounted: Option<String>,
    layout: Layout,
}

#[derive(Debug)]
struct CommandArm {
    program: Program,
    file: PathBuf,
    prepared: Spawnable,
    last_words: Option<String>,
}

/// What is known of the group that is measured.
#[derive(Debug, Default)]
struct CommandGroup {
    baseline: Option<ArmId>,
    /// The arms whose `--setup` was begun.
    set_up: Vec<ArmId>,
    /// The first output of each arm.
    outputs: BTreeMap<ArmId, Print>,
    /// Whether the baseline has been run for its output.
    has_reference: bool,
}

/// What a run wrote.
struct Captured {
    /// The fingerprint of its standard output, if that was read.
    print: Option<Print>,
    /// The end of its standard error.
    tail: Tail,
}

impl Commands {
    /// Gets ready to run commands: `arms` in the order of their numbers. Nothing is run yet.
    ///
    /// # Errors
    /// If a program or the input is not there, in words.
    pub fn new(arms: Vec<Program>, setting: Setting, interrupt: Interrupt) -> Result<Self, ExecutorError> {
        if let Some(directory) = setting.directory.as_deref().filter(|directory| !directory.is_dir()) {
            let directory = directory.display();
            return Err(ExecutorError(format!("no directory `{directory}` to run in: check --cwd")));
        }
        check_variables(&setting)?;
        open_input(&setting.input)?;
        let arms =
            arms.into_iter().map(|program| CommandArm::new(program, &setting)).collect::<Result<_, _>>()?;
        let clock = Monotonic::start();
        let steps = Steps::new(&setting, interrupt.clone(), clock);
        let (pinning, group) = (Pinning::default(), CommandGroup::default());
        let counters = Counters::open(setting.events, None);
        let wanted = setting.events.iter().zip(counters.is_open());
        let events: Vec<Event> = wanted.filter_map(|(event, is_open)| is_open.then_some(*event)).collect();
        Ok(Self {
            arms,
            setting,
            interrupt,
            clock,
            clock_started: 0,
            starter: Starter::new(),
            steps,
            pinning,
            notes: Notes::on_counters(counters.note.clone().filter(|_| !events.is_empty())),
            group,
            layout: Layout::new(&events),
            events,
            uncounted: counters.note,
        })
    }

    /// The same commands, started by this program itself, as where no [`Starter`] can be run.
    #[must_use]
    pub fn without_starter(self) -> Self {
        Self { starter: None, ..self }
    }

    /// The trial goes on: it has begun so many nanoseconds ago.
    pub fn go_on_after(&mut self, nanoseconds: u64) {
        self.clock_started = nanoseconds;
    }

    /// What is measured of every run, the clock first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.layout.metrics()
    }

    /// Why this machine counts no instructions, cycles and their like, or not all of them.
    pub fn uncounted(&self) -> Option<&str> {
        self.uncounted.as_deref()
    }

    /// What a reader of the record should know; `about_memory`: the peak memory was asked for.
    pub fn notes(&self, about_memory: bool) -> Vec<Note> {
        self.notes.all(&|arm| self.name(arm).to_owned(), about_memory)
    }

    /// The last lines that the last failed run of an arm wrote to its standard error.
    pub fn last_words(&self, arm: ArmId) -> Option<String> {
        self.arms.get(arm.index())?.last_words.clone()
    }

    fn name(&self, arm: ArmId) -> &str {
        self.arms.get(arm.index()).map_or("?", |arm| &arm.program.name)
    }

    fn arm(&self, arm: ArmId) -> Result<&CommandArm, ExecutorError> {
        self.arms.get(arm.index()).ok_or_else(|| ExecutorError(format!("there is no arm {}", arm.0)))
    }

    /// A step around the run of an arm, if it has one.
    fn step(&self, step: Step, arm: ArmId, patience: &mut dyn Patience) -> Result<(), NoSample> {
        self.steps.run(step, &self.arm(arm)?.program, patience)
    }

    /// Runs the baseline for its output, once in a group.
    fn take_reference(&mut self, turn: &DueTurn, patience: &mut dyn Patience) -> Result<(), NoSample> {
        let Some(baseline) = self.group.baseline.filter(|_| self.setting.same_output) else { return Ok(()) };
        if std::mem::replace(&mut self.group.has_reference, true) {
            return Ok(());
        }
        match self.with_steps(&DueTurn { arm: baseline, ..*turn }, patience) {
            Ok((ProcessRun { end: ProcessEnd::Exit(0), .. }, Captured { print: Some(print), .. })) => {
                self.group.outputs.insert(baseline, print);
                Ok(())
            }
            // It will fail again in its own turn, and that is recorded.
            Ok(_) | Err(NoSample::Failed { .. }) => Ok(()),
            Err(cut_off) => Err(cut_off),
        }
    }

    /// One run with all its steps.
    fn with_steps(
        &mut self,
        turn: &DueTurn,
        patience: &mut dyn Patience,
    ) -> Result<(ProcessRun, Captured), NoSample> {
        self.step(Step::Prepare, turn.arm, patience)?;
        self.cool(turn.arm)?;
        let ran = self.run(turn, patience);
        let concluded = self.step(Step::Conclude, turn.arm, patience);
        match (ran, concluded) {
            (Err(NoSample::Error(error)), _) | (_, Err(NoSample::Error(error))) => Err(error.into()),
            (ran, _) => ran,
        }
    }

    fn cool(&mut self, arm: ArmId) -> Result<(), ExecutorError> {
        if self.setting.cold {
            let files = self.arm(arm)?.files(&self.setting);
            self.notes.cooled(cold::cool(&files));
        }
        Ok(())
    }

    fn run(&self, turn: &DueTurn, patience: &mut dyn Patience) -> Result<(ProcessRun, Captured), NoSample> {
        let arm = self.arm(turn.arm)?;
        let name = &arm.program.name;
        let streams = self.streams()?;
        let padding: Option<CString> = self.setting.padding.then(|| environment::padding(turn));
        let (timeout, is_own) = shorter(self.setting.timeout, patience.left());
        let limits = Limits { timeout, interrupt: &self.interrupt, patient: false };
        let mut still_runs = |time| patience.still_waiting(&Waiting { what: name, time, stays: false });
        let (mut print, mut deaf, mut tail) = (Fingerprint::default(), Deaf, Tail::default());
        let output: &mut dyn process::Listener =
            if self.setting.same_output { &mut print } else { &mut deaf };
        let failed = |error| {
            let reason = Reason::NotStarted { message: not_started(&arm.program, &error) };
            NoSample::Failed { arm: turn.arm, reason, seconds: None }
        };
        let poised = process::poise(&arm.prepared, self.starter.as_ref(), padding.as_ref(), &streams);
        let poised = poised.map_err(failed)?;
        let starter = poised.starter();
        let mut counters = Counters::open(&self.events, starter);
        let run = poised.run(&limits, &self.clock, [output, &mut tail], &mut still_runs).map_err(failed)?;
        match run.end {
            ProcessEnd::Interrupted => return Err(NoSample::Interrupted),
            ProcessEnd::TimedOut if !is_own => {
                let (what, ran) = (name.clone(), Duration::from_nanos(run.wall));
                return Err(NoSample::OutOfTime { what, ran });
            }
            ProcessEnd::TimedOut | ProcessEnd::Exit(_) | ProcessEnd::Signal(_) => {}
        }
        let floor = if starter.is_some() { 0 } else { platform::own_peak() };
        let run = ProcessRun { floor, counts: counters.counts(), ..run };
        Ok((run, Captured { print: self.setting.same_output.then(|| print.print()), tail }))
    }

    fn streams(&self) -> Result<Streams, ExecutorError> {
        let nothing = || {
            let file = File::options().write(true).open(NOTHING);
            file.map(Stream::File).map_err(|error| ExecutorError(format!("cannot open {NOTHING}: {error}")))
        };
        let output = match &self.setting.output {
            _ if self.setting.same_output => Stream::Heard,
            Output::Null => nothing()?,
            Output::Pipe => Stream::Heard,
            Output::Inherit => Stream::Inherited,
            Output::File(file) => Stream::File(File::create(file).map_err(|error| {
                ExecutorError(format!(
                    "cannot write to `{}`: {error}. Give --output another file",
                    file.display()
                ))
            })?),
        };
        let error = match self.setting.output {
            Output::Inherit => Stream::Inherited,
            _ => Stream::Heard,
        };
        Ok(Streams { input: open_input(&self.setting.input)?, output, error })
    }

    /// Refuses a run that failed or wrote something else.
    fn judge(&mut self, arm: ArmId, run: &ProcessRun, captured: &Captured) -> Result<(), NoSample> {
        let Some(reason) = self.failure(run).or_else(|| self.wrong_result(arm, captured.print?)) else {
            return Ok(());
        };
        if let Some(arm) = self.arms.get_mut(arm.index()) {
            arm.last_words = captured.tail.lines();
        }
        Err(NoSample::Failed { arm, reason, seconds: Some(run.wall as f64 / 1e9) })
    }

    /// Notices what a reader of the record should know of a run. `others`: what it waited for others, if that is known.
    fn note(&mut self, arm: ArmId, run: &ProcessRun, others: Option<u64>) {
        self.notes.left_behind(arm, run.left_behind);
        if let Some(waited) = others {
            self.notes.waited(run.wall, waited);
        }
        self.notes.peak_memory(run.usage.as_ref(), run.floor);
    }

    fn failure(&self, run: &ProcessRun) -> Option<Reason> {
        match run.end {
            ProcessEnd::Exit(0) | ProcessEnd::Interrupted => None,
            ProcessEnd::Exit(code) => Some(Reason::Exit { code: code.into() }),
            ProcessEnd::Signal(number) => Some(Reason::Signal { number }),
            ProcessEnd::TimedOut => {
                let allowed = self.setting.timeout.unwrap_or_default().as_secs_f64();
                Some(Reason::Timeout { allowed })
            }
        }
    }

    fn wrong_result(&mut self, arm: ArmId, print: Print) -> Option<Reason> {
        let first = *self.group.outputs.entry(arm).or_insert(print);
        if first != print {
            let name = self.name(arm);
            let message = format!("the output of `{name}` changes from run to run, so it cannot be compared");
            return Some(Reason::WrongResult { message });
        }
        let baseline = self.group.baseline?;
        let expected = *self.group.outputs.get(&baseline)?;
        let message = print.against(expected, self.name(baseline))?;
        Some(Reason::WrongResult { message })
    }
}

impl Executor for Commands {
    fn begin(&mut self, arms: &[ArmId], patience: &mut dyn Patience) -> Result<(), ExecutorError> {
        self.group = CommandGroup { baseline: arms.first().copied(), ..CommandGroup::default() };
        for arm in arms {
            self.arm(*arm)?;
            if self.interrupt.is_requested() {
                break;
            }
            self.group.set_up.push(*arm);
            only_trouble(self.step(Step::Setup, *arm, patience))?;
        }
        if let Some(decision) = self.pinning.begin(&self.setting.pin, arms)? {
            self.notes.pinned(decision);
        }
        Ok(())
    }

    fn turn(
        &mut self,
        turn: &DueTurn,
        round: &mut Round,
        patience: &mut dyn Patience,
    ) -> Result<(), NoSample> {
        if self.interrupt.is_requested() {
            return Err(NoSample::Interrupted);
        }
        self.take_reference(turn, patience)?;
        let (run, captured) = self.with_steps(turn, patience)?;
        if let Some(decision) = self.pinning.learn(turn.arm, &run) {
            self.notes.pinned(decision);
        }
        self.judge(turn.arm, &run, &captured)?;
        let others = run.waited.filter(|_| self.pinning.may_be_single());
        self.note(turn.arm, &run, others);
        let started = Some(self.clock_started + run.started);
        round.push(turn.arm, Some(turn.position), started, 1, self.layout.values(&run, others));
        Ok(())
    }

    fn end(&mut self, _: &[ArmId], patience: &mut dyn Patience) -> Result<(), ExecutorError> {
        if let Some(decision) = self.pinning.give_up() {
            self.notes.pinned(decision);
        }
        self.pinning.end();
        let mut first_trouble = Ok(());
        for arm in std::mem::take(&mut self.group.set_up) {
            first_trouble = first_trouble.and(only_trouble(self.step(Step::Cleanup, arm, patience)));
        }
        first_trouble
    }
}

/// What went wrong around the runs. A step that the user ended is none: the turn that follows sees it.
fn only_trouble(done: Result<(), NoSample>) -> Result<(), ExecutorError> {
    match done {
        Err(NoSample::Error(MeasureError::NotRun(trouble))) => Err(trouble),
        _ => Ok(()),
    }
}

impl CommandArm {
    fn new(program: Program, setting: &Setting) -> Result<Self, ExecutorError> {
        let Some(word) = program.words.first() else {
            return Err(ExecutorError("empty command: name a program".to_owned()));
        };
        let environment = environment::variables(&setting.environment);
        let search = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        let file = find::program(word, setting.directory.as_deref(), search)?;
        let prepared = Spawnable::new(Start {
            program: file.clone(),
            words: program.words.clone(),
            directory: setting.directory.clone(),
            environment,
        });
        let prepared = prepared.map_err(|_| {
            ExecutorError(format!("`{}` contains a NUL byte, which no command can", program.name))
        })?;
        Ok(Self { program, file, prepared, last_words: None })
    }

    /// The files that the command is known to use.
    fn files(&self, setting: &Setting) -> Vec<PathBuf> {
        let directory = setting.directory.as_deref().unwrap_or(Path::new(""));
        let named = self.program.words.iter().skip(1).map(|word| directory.join(word));
        let input = match &setting.input {
            Input::Null => None,
            Input::File(file) => Some(file.clone()),
        };
        let files = [self.file.clone()].into_iter().chain(named).chain(input);
        files.filter(|file| file.is_file()).collect()
    }
}

/// The shorter of two limits, and whether that is the first: the user's own.
fn shorter(own: Option<Duration>, left: Option<Duration>) -> (Option<Duration>, bool) {
    match (own, left) {
        (Some(own), Some(left)) => (Some(own.min(left)), own <= left),
        (own, left) => (own.or(left), own.is_some()),
    }
}

fn check_variables(setting: &Setting) -> Result<(), ExecutorError> {
    let is_bad = |name: &OsStr| name.is_empty() || name.as_encoded_bytes().contains(&b'=');
    match setting.environment.iter().find(|(name, _)| is_bad(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let name = name.display();
            Err(ExecutorError(format!("`{name}` is not a variable name: write --env NAME=value")))
        }
    }
}

fn open_input(input: &Input) -> Result<File, ExecutorError> {
    let (file, next_step) = match input {
        Input::Null => (Path::new(NOTHING), ""),
        Input::File(file) => (file.as_path(), ". Check --input"),
    };
    File::open(file)
        .map_err(|error| ExecutorError(format!("cannot read `{}`: {error}{next_step}", file.display())))
}

fn not_started(program: &Program, error: &io::Error) -> String {
    let word = program.words.first().map(|word| word.display().to_string()).unwrap_or_default();
    // ENOEXEC of errno(3); a shell would read such a file as its own script.
    match error.raw_os_error() {
        Some(8) if cfg!(unix) => {
            format!(
                "`{word}` is not a program this machine can run: a script needs a first line like `#!/bin/sh`"
            )
        }
        // EAGAIN and EMFILE: a limit of ours, not of the program.
        Some(11) if cfg!(unix) => {
            format!("`{word}` could not be started: too many processes, see `ulimit -u` ({error})")
        }
        Some(24) if cfg!(unix) => {
            format!("`{word}` could not be started: too many open files, see `ulimit -n` ({error})")
        }
        _ => format!("`{word}` could not be started: {error}"),
    }
}
