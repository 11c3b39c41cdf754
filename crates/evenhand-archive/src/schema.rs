//! What does the SQLite file hold, and how does an older file become a present one?
//!
//! `application_id` says that the file is ours, `user_version` how many of the [`STEPS`] it has been through. Each
//! missing step runs in a transaction of its own, so a step that fails leaves the file as it was. Steps are only ever
//! added. SQLite's file header: <https://www.sqlite.org/fileformat.html#the_database_header>.
//!
//! Listing must be quick, so the table of trials holds only what a list shows; heads and chunks are apart.
//!
//! Tests: `tests/migration.rs`, `tests/faults.rs`.

use crate::ArchiveError;
use crate::error::{READING, lacks_schema};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// "evnh": the file is an evenhand archive.
pub const APPLICATION_ID: i64 = 0x6576_6e68;

/// What brings a file of version n (the index) to version n + 1.
pub const STEPS: &[&str] = &["
    PRAGMA application_id = 0x65766e68;
    CREATE TABLE trial (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        added INTEGER NOT NULL,     -- microseconds since 1970: when it began, or was imported
        started INTEGER,            -- microseconds since 1970
        label TEXT,
        state TEXT NOT NULL,        -- complete, interrupted
        origin TEXT NOT NULL,       -- measured, imported, joined
        samples INTEGER NOT NULL,
        arms TEXT NOT NULL,         -- their names, a JSON list
        sessions INTEGER NOT NULL   -- how many journals went into it
    );
    CREATE INDEX trial_by_added ON trial (added, seq);
    CREATE TABLE head (
        trial INTEGER PRIMARY KEY REFERENCES trial (seq) ON DELETE CASCADE,
        json TEXT NOT NULL,         -- the trial without its samples
        checksum INTEGER NOT NULL   -- XXH3 of the JSON
    );
    CREATE TABLE chunk (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        trial INTEGER NOT NULL REFERENCES trial (seq) ON DELETE CASCADE,
        number INTEGER NOT NULL,    -- from 0 within the trial
        samples INTEGER NOT NULL,
        continues INTEGER NOT NULL, -- 1: its first series goes on with the last one of the chunk before
        bytes BLOB NOT NULL,        -- evenhand_trial::columnar
        checksum INTEGER NOT NULL,  -- XXH3 of trial id, number, samples, continues, bytes
        UNIQUE (trial, number)
    );
", "
    ALTER TABLE chunk ADD COLUMN names TEXT;    -- what the numbers are of, should the head be lost: arms and metrics as JSON
    ALTER TABLE chunk ADD COLUMN names_checksum INTEGER;    -- XXH3 of the JSON
"];

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(30);

/// Opens the file for writing, makes it if it is missing, and brings it to the present version.
/// Call it with the archive's lock held: switching a new file to WAL does not wait for others.
pub fn open(path: &Path, steps: &[&str]) -> Result<Connection, ArchiveError> {
    check_header(path, steps.len())?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        Connection::open_with_flags(path, flags).map_err(|e| ArchiveError::database(path, e))?;
    prepare(&mut connection, path, steps)?;
    Ok(connection)
}

/// Opens the file for reading. Where not even SQLite's shared memory can be made beside it, and nobody left unmerged
/// writes there, the file is read as one that does not change.
pub fn open_read_only(path: &Path, steps: &[&str]) -> Result<Connection, ArchiveError> {
    check_header(path, steps.len())?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| ArchiveError::database(path, e))?;
    connection.busy_timeout(PATIENCE).map_err(|e| ArchiveError::database(path, e))?;
    match check_version(&connection, path, steps.len()) {
        Ok(_) => Ok(connection),
        Err(ArchiveError::Database { .. } | ArchiveError::ReadOnly { .. }) => {
            if has_unmerged_writes(path) {
                return Err(ArchiveError::Unmerged { path: path.to_owned() });
            }
            let connection = Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)
                .map_err(|e| ArchiveError::database(path, e))?;
            check_version(&connection, path, steps.len())?;
            Ok(connection)
        }
        Err(error) => Err(error),
    }
}

/// Whether the write-ahead log beside the file holds something.
fn has_unmerged_writes(path: &Path) -> bool {
    std::fs::metadata(with_suffix(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The file as a URI that tells SQLite that nobody writes it. <https://www.sqlite.org/uri.html>
fn immutable(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let escaped: String = absolute
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                char::from(*byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("file://{escaped}?immutable=1")
}

/// Looks at the first bytes of the file, if they say enough without SQLite, which might change it.
pub(crate) fn check_header(path: &Path, known: usize) -> Result<(), ArchiveError> {
    let mut header = [0; 100];
    match File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.read_exact(&mut header[..length.min(100) as usize])?;
        Ok(length)
    }) {
        Ok(0) => return Ok(()),
        Ok(1..100) => return Err(ArchiveError::NotAnArchive { path: path.to_owned() }),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ArchiveError::io(path, READING, error)),
    }
    let number = |at: usize| {
        i64::from(u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]))
    };
    let is_sqlite = header.starts_with(b"SQLite format 3\0");
    let (version, application) = (number(60), number(68));
    match (is_sqlite, application == APPLICATION_ID) {
        (true, true) if version > known as i64 => {
            Err(ArchiveError::Newer { path: path.to_owned(), version, known: known as i64 })
        }
        (false, true) => Err(ArchiveError::Damaged {
            path: path.to_owned(),
            what: "its first bytes are not those of SQLite".to_owned(),
        }),
        (true, true) => Ok(()),
        (true, false) if application == 0 => check_unnamed(path, known),
        _ => Err(ArchiveError::NotAnArchive { path: path.to_owned() }),
    }
}

/// A file that SQLite has made and nobody filled, or whose first transaction is still in the log; or another's.
fn check_unnamed(path: &Path, known: usize) -> Result<(), ArchiveError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| ArchiveError::database(path, e))?;
    connection.busy_timeout(PATIENCE).map_err(|e| ArchiveError::database(path, e))?;
    match check_version(&connection, path, known) {
        // Not to be read like this: whoever opens it next says why.
        Ok(_) | Err(ArchiveError::Database { .. } | ArchiveError::ReadOnly { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

fn prepare(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), ArchiveError> {
    let database = |error| ArchiveError::database(path, error);
    connection.busy_timeout(PATIENCE).map_err(database)?;
    check_version(connection, path, steps.len())?;
    switch_to_wal(connection).map_err(database)?;
    // A journal is deleted after the commit: the commit must be on the disk by then.
    connection.pragma_update(None, "synchronous", "full").map_err(database)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(database)?;
    migrate(connection, path, steps)
}

/// SQLite does not wait for others here, so we do: somebody may just look whether the file is ours.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "wal") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < give_up =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

/// Refuses a file that is not ours or newer; says the version.
fn check_version(connection: &Connection, path: &Path, known: usize) -> Result<i64, ArchiveError> {
    let number = |sql| {
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .map_err(|error| ArchiveError::database(path, error))
    };
    let version = number("PRAGMA user_version")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let application = number("PRAGMA application_id")?;
    match (application == APPLICATION_ID, tables) {
        (true, _) if version > known as i64 => {
            Err(ArchiveError::Newer { path: path.to_owned(), version, known: known as i64 })
        }
        (true, _) | (false, 0) => Ok(version),
        (false, _) => Err(ArchiveError::NotAnArchive { path: path.to_owned() }),
    }
}

fn migrate(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), ArchiveError> {
    while check_version(connection, path, steps.len())? < steps.len() as i64 {
        let from = check_version(connection, path, steps.len())?;
        step(connection, steps).map_err(|source| failed_step(path, from, source))?;
    }
    Ok(())
}

/// A step that finds no table has a fault of its own.
fn failed_step(path: &Path, from: i64, source: rusqlite::Error) -> ArchiveError {
    if lacks_schema(&source) {
        return ArchiveError::Migration { path: path.to_owned(), from, source };
    }
    match ArchiveError::database(path, source) {
        ArchiveError::Database { path, source } => ArchiveError::Migration { path, from, source },
        other => other,
    }
}

/// The next step, unless another process took it meanwhile.
fn step(connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if let Some(sql) = usize::try_from(version).ok().and_then(|version| steps.get(version)) {
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
    }
    transaction.commit()
}
