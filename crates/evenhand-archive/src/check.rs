//! Is everything in the archive whole? Every page, every head, every chunk, every journal.
//!
//! Tests: `tests/damage.rs`.

use crate::archive::Archive;
use crate::journal::lock;
use crate::journal::replay::{Rest, Unreadable, replay};
use crate::place::JOURNALS;
use crate::{ArchiveError, store};
use evenhand_trial::{Trial, TrialId};
use rusqlite::params;
use std::fmt;
use std::path::Path;

/// Something that is not whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What it is about: a trial, a journal, the file.
    pub of: String,
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.of, self.what)
    }
}

/// What was looked at, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub trials: u64,
    /// How many samples in their chunks.
    pub samples: u64,
    pub journals: u64,
    pub problems: Vec<Problem>,
}

impl Report {
    /// Whether everything is.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }

    fn add(&mut self, of: impl fmt::Display, what: impl fmt::Display) {
        self.problems.push(Problem { of: of.to_string(), what: what.to_string() });
    }
}

impl Archive {
    /// Looks at everything, and goes on after a problem.
    pub fn check(&self) -> Result<Report, ArchiveError> {
        let mut report = Report::default();
        self.check_file(&mut report);
        match self.ids() {
            Ok(ids) => ids.iter().for_each(|(seq, id)| self.check_trial(*seq, id, &mut report)),
            Err(error) => report.add("the list of trials", error),
        }
        check_journals(self.dir(), &mut report)?;
        Ok(report)
    }

    fn check_file(&self, report: &mut Report) {
        let name = self.database().display().to_string();
        let lines = |sql: &str| -> rusqlite::Result<Vec<String>> {
            self.connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
        };
        match lines("PRAGMA integrity_check") {
            Ok(lines) => lines.iter().filter(|line| *line != "ok").for_each(|line| report.add(&name, line)),
            Err(error) => report.add(&name, error),
        }
        let strays = "SELECT 'a chunk of no trial, number ' || seq FROM chunk WHERE trial NOT IN (SELECT seq FROM trial)
                      UNION ALL SELECT 'a head of no trial, number ' || trial FROM head
                      WHERE trial NOT IN (SELECT seq FROM trial)";
        match lines(strays) {
            Ok(lines) => lines.iter().for_each(|line| report.add(&name, line)),
            Err(error) => report.add(&name, error),
        }
    }

    fn ids(&self) -> Result<Vec<(i64, TrialId)>, ArchiveError> {
        let failed = |error| ArchiveError::database(self.database(), error);
        let mut statement =
            self.connection.prepare("SELECT seq, id FROM trial ORDER BY seq").map_err(failed)?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
            .map_err(failed)?
            .collect::<rusqlite::Result<Vec<_>>>()
            .map_err(failed)?;
        let parsed = rows.into_iter().map(|(seq, id)| {
            let id = id.parse().map_err(|broken| store::damaged(self.database(), format!("{broken}")))?;
            Ok((seq, id))
        });
        parsed.collect()
    }

    /// What stands of a head beside the chunks is there for the loss of the head.
    fn check_names(&self, seq: i64, id: &TrialId, report: &mut Report) {
        let chunks = |sql| -> rusqlite::Result<Vec<i64>> {
            self.connection.prepare(sql)?.query_map([seq], |row| row.get(0))?.collect()
        };
        for chunk in chunks("SELECT seq FROM chunk WHERE trial = ?1").unwrap_or_default() {
            let wrong = match store::names(&self.connection, chunk) {
                Some(Err(what)) => what,
                Some(Ok(names)) if names.id != *id => format!("is of trial {}", names.id),
                _ => continue,
            };
            report.add(
                format!("trial {id}"),
                format_args!("the copy of its head beside chunk number {chunk} {wrong}"),
            );
        }
    }

    fn check_trial(&self, seq: i64, id: &TrialId, report: &mut Report) {
        report.trials += 1;
        self.check_names(seq, id, report);
        let name = format!("trial {id}");
        let head = store::head(&self.connection, self.database(), seq);
        let series = store::series(&self.connection, self.database(), seq, id);
        match (head, series) {
            (Ok(head), Ok(_)) if head.id != *id => {
                report.add(name, format!("has the head of trial {}", head.id));
            }
            (Ok(head), Ok(series)) => {
                let trial = Trial { series, ..head };
                report.samples += trial.sample_count() as u64;
                if let Err(broken) = trial.check() {
                    report.add(&name, broken);
                }
                self.check_row(&trial, report);
            }
            (head, series) => {
                head.err().into_iter().for_each(|error| report.add(&name, what(error)));
                series.err().into_iter().for_each(|error| report.add(&name, what(error)));
            }
        }
    }

    /// The list repeats what head and samples say.
    fn check_row(&self, trial: &Trial, report: &mut Report) {
        let same = "SELECT count(*) FROM trial WHERE id = ?1 AND samples = ?2 AND label IS ?3 AND state = ?4
                    AND origin = ?5 AND arms = ?6 AND started IS ?7";
        let expected = params![
            trial.id.as_str(),
            trial.sample_count() as i64,
            trial.label,
            trial.state.to_string(),
            store::made_by(&trial.origin),
            store::arm_names(trial),
            trial.started.map(|started| started.as_microsecond())
        ];
        match self.connection.query_row(same, expected, |row| row.get::<_, i64>(0)) {
            Ok(1) => {}
            Ok(_) => report.add(
                format!("trial {}", trial.id),
                "its entry in the list does not match its head and samples",
            ),
            Err(error) => report.add(format!("trial {}", trial.id), error),
        }
    }
}

/// What is wrong, without the advice that the caller gives once.
fn what(error: ArchiveError) -> String {
    match error {
        ArchiveError::Damaged { what, .. } => what,
        other => other.to_string(),
    }
}

fn check_journals(dir: &Path, report: &mut Report) -> Result<(), ArchiveError> {
    for (_, path) in lock::all(dir)? {
        let Some((mut file, alive)) = lock::look_at(&path)? else { continue };
        report.journals += 1;
        let name = path.display();
        match replay(&mut file) {
            // A round that is being written right now looks torn, and a journal that just began looks empty.
            Ok(replayed) => match replayed.rest {
                Rest::Damaged { offset, bytes } if !alive => report.add(
                    name,
                    format!(
                        "damaged at byte {offset}: {} rounds are intact, {bytes} bytes are not",
                        replayed.rounds
                    ),
                ),
                _ => {}
            },
            Err(Unreadable::Empty) => {}
            Err(unreadable) => report.add(name, unreadable),
        }
    }
    let journals = dir.join(JOURNALS);
    let aside = std::fs::read_dir(&journals).into_iter().flatten().flatten();
    for file in aside.map(|entry| entry.path()) {
        if file.extension().is_some_and(|end| end.to_string_lossy().starts_with("damaged")) {
            report.add(file.display(), "a damaged journal, set aside; its intact rounds are in the archive");
        }
    }
    Ok(())
}
