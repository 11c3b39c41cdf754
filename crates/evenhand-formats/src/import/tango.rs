//! What does a dump of tango-bench say? (`compare --dump DIRECTORY`, <https://github.com/bazhenov/tango>)
//!
//! ```text
//! 8309170,10639507,1555
//! ```
//!
//! One file a benchmark, named after it; no header. A row is a pair: nanoseconds of the baseline, nanoseconds of the
//! candidate, and how often each ran in that time. Versions 0.6 and 0.9 write the same columns (`write_csv` in
//! `src/cli.rs`).
//!
//! Tests: `tests/formats/import/tango.rs`.

use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, LaunchId, Metric, Unit, Whole};
use std::io::{BufRead, Read};

pub(super) fn looks_like(head: &[u8]) -> bool {
    // The last line may be cut off, unless it is the only one.
    let whole = head.iter().rposition(|byte| *byte == b'\n').map_or(head, |end| &head[..end]);
    whole.split(|byte| *byte == b'\n').all(|line| is_row(line.trim_ascii()))
}

fn is_row(line: &[u8]) -> bool {
    let is_number = |cell: &[u8]| !cell.is_empty() && cell.len() <= 20 && cell.iter().all(u8::is_ascii_digit);
    line.split(|byte| *byte == b',').all(is_number) && line.iter().filter(|byte| **byte == b',').count() == 2
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.tool("tango-bench");
    let mut pairs = Pairs::default();
    let mut line = Vec::new();
    for number in 1_usize.. {
        line.clear();
        // A row is short: a longer line is no row, and is not read to its end.
        if input.by_ref().take(LONGEST_ROW).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if !line.trim_ascii().is_empty() {
            pairs.push(line.trim_ascii(), number)?;
        }
    }
    pairs.fill(draft)
}

const LONGEST_ROW: u64 = 256;
const UNKNOWN: &str = "tango's dump does not say which of a pair ran first (0.6 takes turns, 0.9 runs both at the same \
     time), nor which version wrote it; their order was not randomised, so they are not compared as pairs";
const UNIT: &str = "read as tango's baseline, candidate, iterations, in nanoseconds; a tango built with hw-timer counts \
     clock ticks instead, and a plain table of three columns needs --from columns";

#[derive(Default)]
struct Pairs {
    baseline: Vec<f64>,
    candidate: Vec<f64>,
    iterations: Vec<u64>,
}

impl Pairs {
    fn push(&mut self, row: &[u8], number: usize) -> Result<(), ImportErrorKind> {
        let cells: Option<Vec<u64>> = std::str::from_utf8(row)
            .ok()
            .and_then(|row| row.split(',').map(|cell| cell.trim().parse().ok()).collect());
        match cells.as_deref() {
            Some([_, _, 0]) => Err(ImportErrorKind::wrong(
                format_args!("line {number}"),
                "a pair of 0 iterations has no time",
            )),
            Some(&[baseline, candidate, iterations]) => {
                self.baseline.push(baseline as f64);
                self.candidate.push(candidate as f64);
                self.iterations.push(iterations);
                Ok(())
            }
            _ => Err(ImportErrorKind::wrong(
                format_args!("line {number}"),
                format_args!(
                    "\"{}\" is not baseline,candidate,iterations in whole numbers",
                    row.escape_ascii().to_string().chars().take(60).collect::<String>()
                ),
            )),
        }
    }

    fn fill(self, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        if self.baseline.is_empty() {
            return Err(ImportErrorKind::Nothing);
        }
        let stem = draft.file_stem();
        let column = draft.metric(Metric::time("wall", Unit::nanoseconds()));
        let iterations = Whole::of(self.iterations);
        for (role, times) in [("baseline", self.baseline), ("candidate", self.candidate)] {
            let name = if stem.is_empty() { role.to_owned() } else { format!("{stem}: {role}") };
            let baseline = role == "baseline";
            let arm = draft.arm(Arm { name, group: stem.clone(), baseline, ..Arm::default() });
            draft.samples(arm, LaunchId(0), iterations.clone(), vec![(column, times)])?;
        }
        draft.note(UNKNOWN);
        draft.note(UNIT);
        Ok(())
    }
}
