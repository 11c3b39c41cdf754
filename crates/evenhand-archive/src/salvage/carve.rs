//! Which rows lie in the pages of the file, whether or not SQLite still finds its way to them?
//!
//! SQLite reaches a row through other pages; if one of those is damaged, whole rows are out of reach. So every page that
//! says it is a leaf of a table is read by itself, and its rows are told apart by their columns: ten and the second
//! one text is a trial, three is a head, seven or nine and the sixth one bytes is a chunk. Checksums sort out what only looks so.
//! The layout is from <https://www.sqlite.org/fileformat.html>, sections 1.6 and 2.1. Pages that SQLite gave up keep
//! their rows for a while, so a trial that was removed may come back.
//!
//! Tests: `tests/damage.rs`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const PAGE: usize = 4096;
/// The first page begins with the header of the file.
const FILE_HEADER: usize = 100;
const LEAF_OF_TABLE: u8 = 13;
const LEAF_HEADER: usize = 8;

/// A row by its number, with its columns.
pub(super) struct CarvedRow {
    pub(super) number: i64,
    pub(super) columns: Vec<Column>,
}

/// A value of a row.
pub(super) enum Column {
    Null,
    Whole(i64),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    Other,
}

/// Hands every row that can be read to `take`.
pub(super) fn rows(path: &Path, mut take: impl FnMut(CarvedRow)) -> io::Result<()> {
    let mut pages = Pages { file: File::open(path)?, count: 0 };
    pages.count = pages.file.metadata()?.len() / PAGE as u64;
    for number in 1..=pages.count {
        let page = pages.read(number)?;
        let header = if number == 1 { FILE_HEADER } else { 0 };
        for cell in cells(&page, header) {
            if let Some(row) = row(&mut pages, &page, cell) {
                take(row);
            }
        }
    }
    Ok(())
}

struct Pages {
    file: File,
    count: u64,
}

impl Pages {
    /// Pages are counted from 1.
    fn read(&mut self, number: u64) -> io::Result<[u8; PAGE]> {
        let mut page = [0; PAGE];
        self.file.seek(SeekFrom::Start((number - 1) * PAGE as u64))?;
        self.file.read_exact(&mut page)?;
        Ok(page)
    }
}

/// Where the cells of a leaf begin.
fn cells(page: &[u8; PAGE], header: usize) -> Vec<usize> {
    if page[header] != LEAF_OF_TABLE {
        return Vec::new();
    }
    let number = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
    let most = (PAGE - header - LEAF_HEADER) / 2;
    let count = number(header + 3).min(most);
    (0..count).map(|cell| number(header + LEAF_HEADER + 2 * cell)).filter(|&at| at < PAGE).collect()
}

fn row(pages: &mut Pages, page: &[u8; PAGE], cell: usize) -> Option<CarvedRow> {
    let mut rest = page.get(cell..)?;
    let length = varint(&mut rest)?;
    let number = varint(&mut rest)? as i64;
    let payload = payload(pages, rest, length)?;
    Some(CarvedRow { number, columns: columns(&payload)? })
}

/// The bytes of a row: the first ones in its leaf, the others in a chain of pages.
fn payload(pages: &mut Pages, rest: &[u8], length: u64) -> Option<Vec<u8>> {
    if length > pages.count * PAGE as u64 {
        return None;
    }
    let length = length as usize;
    let most = PAGE - 35;
    if length <= most {
        return rest.get(..length).map(<[u8]>::to_vec);
    }
    let least = (PAGE - 12) * 32 / 255 - 23;
    let wanted = least + (length - least) % (PAGE - 4);
    let here = if wanted <= most { wanted } else { least };
    let mut payload = rest.get(..here)?.to_vec();
    let mut next = page_number(rest.get(here..)?)?;
    // Each page adds bytes, so even a chain that bites its tail comes to an end.
    while payload.len() < length {
        if next == 0 || next > pages.count {
            return None;
        }
        let page = pages.read(next).ok()?;
        let missing = (length - payload.len()).min(PAGE - 4);
        payload.extend_from_slice(&page[4..4 + missing]);
        next = page_number(&page)?;
    }
    Some(payload)
}

fn page_number(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|bytes| u64::from(u32::from_be_bytes(*bytes)))
}

/// A row's header lists the kinds of its columns, then they follow.
fn columns(payload: &[u8]) -> Option<Vec<Column>> {
    let mut header = payload;
    let length = usize::try_from(varint(&mut header)?).ok()?;
    let used = payload.len() - header.len();
    let mut kinds = payload.get(used..length)?;
    let mut content = payload.get(length..)?;
    let mut columns = Vec::new();
    while !kinds.is_empty() {
        let kind = varint(&mut kinds)?;
        let size = match kind {
            0 | 8..=11 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            _ => (kind - 12) / 2,
        };
        let (value, after) = content.split_at_checked(usize::try_from(size).ok()?)?;
        content = after;
        columns.push(match kind {
            0 => Column::Null,
            1..=6 => Column::Whole(whole(value)),
            8 => Column::Whole(0),
            9 => Column::Whole(1),
            7 | 10 | 11 => Column::Other,
            _ if kind % 2 == 0 => Column::Bytes(value.to_vec()),
            _ => Column::Text(value.to_vec()),
        });
    }
    Some(columns)
}

/// Big endian, two's complement.
fn whole(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, &byte| number << 8 | i64::from(byte))
}

/// Up to nine bytes, seven bits each, highest first; all eight bits of the ninth.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for place in 0..9 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        if place == 8 {
            return Some(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
