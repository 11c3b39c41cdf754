//! `evenhand worker`: what does a worker say, when it is asked by hand? For whoever writes one in another language:
//!
//! ```text
//! evenhand worker dump-request | EVENHAND_WORKER=3,4 ./worker 3<&0 4>&1 | evenhand worker show
//! ```
//!
//! Tests: `tests/program/compare.rs`.

use crate::{CliError, Stage};
use clap::{Args, Subcommand};
use evenhand_protocol::VERSION;
use evenhand_protocol::frame::{Frame, Frames};
use evenhand_protocol::message::{Answer, Request, Run, Turn};
use evenhand_report::plain::plain;
#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::io::Read;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write a host's requests, from hello to bye, as bytes
    #[command(after_help = "\
A worker in a shell, with its descriptors 3 and 4 on the pipes:
  evenhand worker dump-request | EVENHAND_WORKER=3,4 ./worker 3<&0 4>&1 | evenhand worker show")]
    DumpRequest {
        /// Run this benchmark: its position in the list
        #[arg(long, value_name = "N", default_value_t = 0)]
        benchmark: u32,
        /// Request N turns
        #[arg(long, value_name = "N", default_value_t = 3)]
        turns: u64,
        /// Request N iterations in each turn
        #[arg(long, value_name = "N", default_value_t = 1)]
        iterations: u64,
        /// Seed of the first turn's input; it rises by 1 each turn
        #[arg(long, value_name = "N", default_value_t = 1)]
        payload: u64,
    },
    /// Read a worker's answers from standard input and print them
    Show,
    /// Serve as a worker that starts a test binary of Go for each turn
    #[cfg(target_os = "linux")]
    GoTest {
        /// The test binary and arguments for its tests
        #[arg(last = true, required = true, value_name = "PROGRAM")]
        words: Vec<OsString>,
    },
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    match &arguments.what {
        &What::DumpRequest { benchmark, turns, iterations, payload } => {
            let turn = |number| Turn { payload: payload.wrapping_add(number), handed: None };
            let run = Run { iterations, slot: 0, waits: false, turns: (0..turns).map(turn).collect() };
            let requests = [
                Request::Hello { version: VERSION },
                Request::List,
                Request::Prepare { benchmark },
                Request::Run(run),
                Request::Finish,
                Request::Bye,
            ];
            requests
                .iter()
                .try_for_each(|request| request.frame().write(&mut stage.out))
                .map_err(CliError::Output)
        }
        What::Show => show(stage),
        #[cfg(target_os = "linux")]
        What::GoTest { words } => super::compare::golang::launcher::serve(words),
    }
}

/// What is no answer is said with its place, and ends it: nothing behind it can be trusted.
fn show(stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(CliError::new)?;
    let (total, mut frames, mut passed) = (bytes.len(), Frames::default(), 0);
    frames.push(&bytes);
    let at = |passed: usize, wrong: &dyn std::fmt::Display| {
        CliError::new(format_args!("at byte {passed}: {wrong}"))
    };
    while let Some(frame) = frames.next().map_err(|wrong| at(passed, &wrong))? {
        let answer = Answer::of(&frame).map_err(|wrong| at(passed, &wrong))?;
        writeln!(stage.out, "{}", plain(&format!("{answer:#?}")))?;
        passed += length(&frame);
    }
    if passed < total {
        return Err(at(passed, &format_args!("{} bytes that are not a complete frame", total - passed)));
    }
    Ok(())
}

/// With its four bytes of length and one of kind.
fn length(frame: &Frame) -> usize {
    5 + frame.body.len()
}
