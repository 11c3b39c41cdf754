//! In which order do the steps of a turn come? Everything that is not the command itself happens before the clock is
//! started or after it is stopped: `--prepare`, cold files, the streams, the padding; then what was heard, `--conclude`.
//!
//! With `--expect-same-output` the baseline runs once untimed before the first round, whatever the coin says: so the
//! first round of every order finds the machine in the same state, and no candidate goes unchecked.
//!
//! Tests: `tests/command.rs`, `tests/interrupt.rs`.

use super::cold;
use super::heard::{Deaf, Fingerprint, Print, Tail};
use super::metrics::{Layout, Ran};
use super::notes::Notes;
use super::pinning::Pinning;
use super::steps::{Step, Steps};
use super::{Input, Interrupt, Output, Program, Setting, environment, find};
use crate::executor::{Executor, Outcome, Patience, Reading, Trouble, Turn, Waiting};
use crate::platform::counters::{Counters, Event};
use crate::platform::process::{self, End, Limits, Prepared, Run, Start, Starter, Stream, Streams};
use crate::platform::{self, Monotonic};
use evenhand_trial::{ArmId, Metric, Note, Reason};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The system's file that is empty and forgets.
pub(super) const NOTHING: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Runs commands.
#[derive(Debug)]
pub struct Commands {
    arms: Vec<Arm>,
    setting: Setting,
    interrupt: Interrupt,
    clock: Monotonic,
    starter: Option<Starter>,
    steps: Steps,
    pinning: Pinning,
    notes: Notes,
    group: Group,
    /// What this machine counts.
    events: Vec<Event>,
    /// Why it counts nothing, or not all.
    uncounted: Option<String>,
    layout: Layout,
}

#[derive(Debug)]
struct Arm {
    program: Program,
    file: PathBuf,
    prepared: Prepared,
    last_words: Option<String>,
}

/// What is known of the group that is measured.
#[derive(Debug, Default)]
struct Group {
    baseline: Option<ArmId>,
    /// The arms whose `--setup` was begun.
    set_up: Vec<ArmId>,
    /// The first output of each arm.
    outputs: BTreeMap<ArmId, Print>,
    /// Whether the baseline has been run for its output.
    has_reference: bool,
}

/// A run with what it wrote.
struct Heard {
    run: Run,
    /// Our own peak of memory, in KiB, where it may be taken for that of the command.
    floor: i64,
    counts: Vec<f64>,
    print: Option<Print>,
    last_words: Option<String>,
}

/// What came of a run with its steps.
enum Attempt {
    /// It came to its end.
    Heard(Heard),
    /// The command could not be started, in words.
    NotStarted(String),
    /// The user or the end of the time cut it off, or a step before it.
    CutOff(Outcome),
}

impl Commands {
    /// Gets ready to run commands: `arms` in the order of their numbers. Nothing is run yet.
    ///
    /// # Errors
    /// If a program or the input is not there, in words.
    pub fn new(arms: Vec<Program>, setting: Setting, interrupt: Interrupt) -> Result<Self, Trouble> {
        if let Some(directory) = setting.directory.as_deref().filter(|directory| !directory.is_dir()) {
            let directory = directory.display();
            return Err(Trouble(format!("there is no directory `{directory}` to run in: check --cwd")));
        }
        check_variables(&setting)?;
        open_input(&setting.input)?;
        let arms = arms.into_iter().map(|program| Arm::new(program, &setting)).collect::<Result<_, _>>()?;
        let clock = Monotonic::start();
        let steps = Steps::new(&setting, interrupt.clone(), clock);
        let (pinning, group) = (Pinning::default(), Group::default());
        let counters = Counters::open(setting.events, None);
        let asked = setting.events.iter().zip(counters.is_open());
        let events: Vec<Event> = asked.filter_map(|(event, is_open)| is_open.then_some(*event)).collect();
        Ok(Self {
            arms,
            setting,
            interrupt,
            clock,
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

    fn arm(&self, arm: ArmId) -> Result<&Arm, Trouble> {
        self.arms.get(arm.index()).ok_or_else(|| Trouble(format!("there is no arm {}", arm.0)))
    }

    /// A step around the run of an arm, if it has one.
    fn step(
        &mut self,
        arm: ArmId,
        option: &'static str,
        text: impl Fn(&Program) -> Option<&OsStr>,
        patience: &mut dyn Patience,
    ) -> Result<Step, Trouble> {
        let arm = self.arms.get(arm.index());
        match arm.and_then(|arm| Some((text(&arm.program)?, &arm.program.name))) {
            Some((text, name)) => self.steps.run(text, option, name, patience),
            None => Ok(Step::Done),
        }
    }

    /// One run with all its steps.
    fn whole_turn(&mut self, turn: &Turn, patience: &mut dyn Patience) -> Result<Outcome, Trouble> {
        if self.interrupt.is_requested() {
            return Ok(Outcome::Interrupted);
        }
        if let Some(cut_off) = self.take_reference(turn, patience)? {
            return Ok(cut_off);
        }
        Ok(match self.with_steps(turn, patience)? {
            Attempt::Heard(heard) => self.judged(turn.arm, heard),
            Attempt::NotStarted(message) => {
                Outcome::Failed { reason: Reason::NotStarted { message }, seconds: None }
            }
            Attempt::CutOff(outcome) => outcome,
        })
    }

    /// Runs the baseline for its output, once in a group. What cut that off, if something did.
    fn take_reference(
        &mut self,
        turn: &Turn,
        patience: &mut dyn Patience,
    ) -> Result<Option<Outcome>, Trouble> {
        let Some(baseline) = self.group.baseline.filter(|_| self.setting.same_output) else {
            return Ok(None);
        };
        if std::mem::replace(&mut self.group.has_reference, true) {
            return Ok(None);
        }
        match self.with_steps(&Turn { arm: baseline, ..*turn }, patience)? {
            Attempt::CutOff(outcome) => return Ok(Some(outcome)),
            Attempt::Heard(Heard { run: Run { end: End::Exit(0), .. }, print: Some(print), .. }) => {
                self.group.outputs.insert(baseline, print);
            }
            // It will fail again in its own turn, and that is recorded.
            Attempt::Heard(_) | Attempt::NotStarted(_) => {}
        }
        Ok(None)
    }

    fn with_steps(&mut self, turn: &Turn, patience: &mut dyn Patience) -> Result<Attempt, Trouble> {
        let prepared = self.step(turn.arm, "--prepare", |program| program.prepare.as_deref(), patience)?;
        match prepared {
            Step::Done => {}
            Step::Interrupted => return Ok(Attempt::CutOff(Outcome::Interrupted)),
            Step::OutOfTime { what, ran } => return Ok(Attempt::CutOff(Outcome::OutOfTime { what, ran })),
        }
        self.cool(turn.arm)?;
        let ran = self.run(turn, patience);
        let concluded = self.steps.patiently(|steps| {
            let arm = self.arms.get(turn.arm.index());
            let text = arm.and_then(|arm| Some((arm.program.conclude.as_deref()?, &arm.program.name)));
            text.map_or(Ok(Step::Done), |(text, name)| steps.run(text, "--conclude", name, patience))
        });
        let ran = ran?;
        concluded.map(|_| ran)
    }

    fn cool(&mut self, arm: ArmId) -> Result<(), Trouble> {
        if self.setting.cold {
            let files = self.arm(arm)?.files(&self.setting);
            self.notes.cooled(cold::cool(&files));
        }
        Ok(())
    }

    fn run(&mut self, turn: &Turn, patience: &mut dyn Patience) -> Result<Attempt, Trouble> {
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
        let failed = |error| Ok(Attempt::NotStarted(not_started(&arm.program, &error)));
        let poised = process::poise(&arm.prepared, self.starter.as_ref(), padding.as_ref(), &streams);
        let poised = match poised {
            Ok(poised) => poised,
            Err(error) => return failed(error),
        };
        let starter = poised.starter();
        let mut counters = Counters::open(&self.events, starter);
        let run = match poised.run(&limits, &self.clock, [output, &mut tail], &mut still_runs) {
            Ok(run) => run,
            Err(error) => return failed(error),
        };
        match run.end {
            End::Interrupted => return Ok(Attempt::CutOff(Outcome::Interrupted)),
            End::TimedOut if !is_own => return Ok(Attempt::CutOff(out_of_time(name, &run))),
            End::TimedOut | End::Exit(_) | End::Signal(_) => {}
        }
        let floor = if starter.is_some() { 0 } else { platform::own_peak() };
        let counts = counters.counts();
        let print = self.setting.same_output.then(|| print.print());
        Ok(Attempt::Heard(Heard { run, floor, counts, print, last_words: tail.lines() }))
    }

    fn streams(&self) -> Result<Streams, Trouble> {
        let nothing = || {
            let file = File::options().write(true).open(NOTHING);
            file.map(Stream::File).map_err(|error| Trouble(format!("cannot open {NOTHING}: {error}")))
        };
        let output = match &self.setting.output {
            _ if self.setting.same_output => Stream::Heard,
            Output::Null => nothing()?,
            Output::Pipe => Stream::Heard,
            Output::Inherit => Stream::Inherited,
            Output::File(file) => Stream::File(File::create(file).map_err(|error| {
                Trouble(format!("cannot write to `{}`: {error}. Give --output another file", file.display()))
            })?),
        };
        let error = match self.setting.output {
            Output::Inherit => Stream::Inherited,
            _ => Stream::Heard,
        };
        Ok(Streams { input: open_input(&self.setting.input)?, output, error })
    }

    /// What a run says of its arm.
    fn judged(&mut self, arm: ArmId, heard: Heard) -> Outcome {
        let Heard { run, floor, counts, print, last_words } = heard;
        if let Some(decision) = self.pinning.learn(arm, &run) {
            self.notes.pinned(decision);
        }
        let reason = self.failure(&run).or_else(|| self.wrong_result(arm, print?));
        if let Some(reason) = reason {
            if let Some(arm) = self.arms.get_mut(arm.index()) {
                arm.last_words = last_words;
            }
            return Outcome::Failed { reason, seconds: Some(run.wall as f64 / 1e9) };
        }
        self.notes.left_behind(arm, run.left_behind);
        let others = run.waited.filter(|_| self.pinning.may_be_single());
        if let Some(waited) = others {
            self.notes.waited(run.wall, waited);
        }
        let values = self.layout.values(Ran { run: &run, others, floor, counts: &counts });
        self.notes.peak_memory(run.usage.as_ref(), floor);
        Outcome::Sample(Reading { started: Some(run.started), iterations: 1, values })
    }

    fn failure(&self, run: &Run) -> Option<Reason> {
        match run.end {
            End::Exit(0) | End::Interrupted => None,
            End::Exit(code) => Some(Reason::Exit { code: code.into() }),
            End::Signal(number) => Some(Reason::Signal { number }),
            End::TimedOut => {
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
    fn begin(&mut self, arms: &[ArmId], patience: &mut dyn Patience) -> Result<(), Trouble> {
        self.group = Group { baseline: arms.first().copied(), ..Group::default() };
        for arm in arms {
            self.arm(*arm)?;
            if self.interrupt.is_requested() {
                break;
            }
            self.group.set_up.push(*arm);
            self.step(*arm, "--setup", |program| program.setup.as_deref(), patience)?;
        }
        if let Some(decision) = self.pinning.begin(&self.setting.pin, arms)? {
            self.notes.pinned(decision);
        }
        Ok(())
    }

    fn turn(&mut self, turn: &Turn, patience: &mut dyn Patience) -> Outcome {
        self.whole_turn(turn, patience).unwrap_or_else(Outcome::Broken)
    }

    fn end(&mut self, _: &[ArmId], patience: &mut dyn Patience) -> Result<(), Trouble> {
        if let Some(decision) = self.pinning.give_up() {
            self.notes.pinned(decision);
        }
        self.pinning.end();
        let mut first_trouble = Ok(());
        for arm in std::mem::take(&mut self.group.set_up) {
            let arm = self.arms.get(arm.index());
            let Some(program) = arm.map(|arm| &arm.program) else { continue };
            let Some(text) = &program.cleanup else { continue };
            let done = self.steps.patiently(|steps| steps.run(text, "--cleanup", &program.name, patience));
            first_trouble = first_trouble.and(done.map(|_| ()));
        }
        first_trouble
    }
}

impl Arm {
    fn new(program: Program, setting: &Setting) -> Result<Self, Trouble> {
        let Some(word) = program.words.first() else {
            return Err(Trouble("a command without words: give a program".to_owned()));
        };
        let environment = environment::variables(&setting.environment);
        let search = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        let file = find::program(word, setting.directory.as_deref(), search)?;
        let prepared = Prepared::new(Start {
            program: file.clone(),
            words: program.words.clone(),
            directory: setting.directory.clone(),
            environment,
        });
        let prepared = prepared.map_err(|_| {
            Trouble(format!("`{}` has a zero byte in it, which no command can have", program.name))
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

fn out_of_time(name: &str, run: &Run) -> Outcome {
    Outcome::OutOfTime { what: name.to_owned(), ran: Duration::from_nanos(run.wall) }
}

fn check_variables(setting: &Setting) -> Result<(), Trouble> {
    let is_bad = |name: &OsStr| name.is_empty() || name.as_encoded_bytes().contains(&b'=');
    match setting.environment.iter().find(|(name, _)| is_bad(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let name = name.display();
            Err(Trouble(format!("`{name}` is no name of a variable: write --env NAME=value")))
        }
    }
}

fn open_input(input: &Input) -> Result<File, Trouble> {
    let (file, next_step) = match input {
        Input::Null => (Path::new(NOTHING), ""),
        Input::File(file) => (file.as_path(), ". Check --input"),
    };
    File::open(file).map_err(|error| Trouble(format!("cannot read `{}`: {error}{next_step}", file.display())))
}

fn not_started(program: &Program, error: &io::Error) -> String {
    let word = program.words.first().map(|word| word.display().to_string()).unwrap_or_default();
    // ENOEXEC of errno(3); a shell would read such a file as its own script.
    match error.raw_os_error() {
        Some(8) if cfg!(unix) => {
            format!("`{word}` is no program of this machine: a script needs a first line like `#!/bin/sh`")
        }
        // EAGAIN and EMFILE: a limit of ours, not of the program.
        Some(11) if cfg!(unix) => {
            format!("`{word}` could not be started: no process left, see `ulimit -u` ({error})")
        }
        Some(24) if cfg!(unix) => {
            format!("`{word}` could not be started: no open file left, see `ulimit -n` ({error})")
        }
        _ => format!("`{word}` could not be started: {error}"),
    }
}
