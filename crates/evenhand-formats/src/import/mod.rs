//! What is in this file, and what does it say? Results of other tools become trials.
//!
//! Every format is one file here, or one folder, with the two functions that the table in `format.rs` lists:
//!
//! - `looks_like(head) -> bool`: is this that format? `head` is the beginning of the file, up to 64 KiB, perhaps cut
//!   in the middle of anything. It must not say yes to another tool's file.
//! - `read(input, draft) -> Result<(), ImportErrorKind>`: reads the file as it comes and fills the [`Draft`]. Memory may grow
//!   with the samples, never with the file: typed serde structs, never a tree of JSON values.
//!
//! What a file does not say is not made up: the draft gets a note instead. Numbers stay in the file's unit.
//!
//! Tests: `reading.rs`, `recognising.rs` and `refusals.rs` in `tests/formats/import`, and one `<format>.rs` for each.

mod bare_words;
mod draft;
mod encoding;
mod error;
mod figures;
mod format;
mod headings;
mod input;
mod javascript;
mod json_keys;
mod leash;
mod loose_json;
mod path;
mod possible;
mod unread;
mod zstd;

mod asv;
mod bencher;
mod benchmark_dotnet;
mod catch2;
mod columns;
mod criterion;
mod evenhand;
mod github_action_benchmark;
mod go_bench;
mod google_benchmark;
mod hyperfine;
mod jmh;
mod julia;
mod k6;
mod latte;
mod mitata;
mod nanobench;
mod oha;
mod parquet;
mod pyperf;
mod pytest_benchmark;
mod tango;
mod tinybench;
mod vegeta;
mod vitest;

pub use draft::{Column, Draft};
pub use error::{ImportError, ImportErrorKind};
pub use format::{FORMATS, Format, recognise};
pub use input::HEAD_BYTES;
pub use path::{import_found, import_path, is_results_folder};
pub use unread::Unread;

use self::bare_words::BareWords;
use self::input::Input;
use evenhand_trial::Trial;
use std::io::{Cursor, Read};

/// Reads a trial from a file of another tool. `name` is the file as the user named it; `format` forces one instead of
/// recognising it by its content.
pub fn import(input: impl Read, name: &str, format: Option<Format>) -> Result<Trial, ImportError> {
    import_if(input, name, format, |_| true)
}

/// As [`import`], but a format that was recognised counts only if `believed`.
fn import_if(
    input: impl Read,
    name: &str,
    format: Option<Format>,
    believed: impl Fn(Format) -> bool,
) -> Result<Trial, ImportError> {
    let fails = |format: Option<Format>| {
        move |problem| ImportError { file: name.to_owned(), format: format.map(Format::name), problem }
    };
    let mut input = encoding::plain(input).map_err(ImportErrorKind::Read).map_err(fails(format))?;
    let head = beginning(&mut input).map_err(fails(format))?;
    let recognised = format.or_else(|| recognise(&head).filter(|format| believed(*format)));
    // Tools that are not read write tables, too.
    let unread = match recognised {
        None | Some(Format::Columns) if format.is_none() => unread::recognise(&head),
        _ => None,
    };
    let Some(format) = recognised.filter(|_| unread.is_none()) else {
        return Err(fails(None)(unread.map_or(ImportErrorKind::Unrecognised, ImportErrorKind::Unread)));
    };
    let mut draft = Draft::new(format.name(), name);
    let is_foreign_json = format != Format::Evenhand && loose_json::begins(&head);
    let words = BareWords::new(Cursor::new(head).chain(input), is_foreign_json);
    let met = words.met();
    let read = format.read(Input::with_capacity(HEAD_BYTES, Box::new(words)), &mut draft);
    if met.get() {
        draft.note("NaN and Infinity in the file are read as missing");
    }
    let trial = read.and_then(|()| draft.finish());
    trial
        .map_err(|problem| if met.get() { bare_words::named(problem) } else { problem })
        .map_err(fails(Some(format)))
}

/// The mark that some editors and shells put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

fn beginning(input: &mut impl Read) -> Result<Vec<u8>, ImportErrorKind> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    input.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    if head.starts_with(BYTE_ORDER_MARK) {
        head.drain(..BYTE_ORDER_MARK.len());
    }
    if head.is_empty() { Err(ImportErrorKind::Empty) } else { Ok(head) }
}
