//! How are the fields of a request written, and which status do those of an answer have? HPACK, RFC 7541, without its memory.
//!
//! HPACK lets both sides remember fields and send numbers for them. Nothing is remembered here: requests are written as literals, and the
//! settings announce a table without room (`SETTINGS_HEADER_TABLE_SIZE` 0), so all that the service sends stands for itself. That leaves
//! integers, strings, and the 61 fields that everybody knows (appendix A), of which the status is the 8th to 14th.
//!
//! Of a string in Huffman's code (appendix B) only digits matter, because a status is three of them; and the name `:status`, which somebody
//! may write out.
//!
//! Tests: below, and `tests/http2.rs`.

use crate::codec::Garbled;
use crate::operation::Http;
use crate::text::draws;

/// Places in the table that everybody knows.
const AUTHORITY: u64 = 1;
const GET: u64 = 2;
const POST: u64 = 3;
const ROOT: u64 = 4;
const HTTP: u64 = 6;
const CONTENT_LENGTH: u64 = 28;
/// The statuses among them.
const STATUSES: [u16; 7] = [200, 204, 206, 304, 400, 404, 500];
const FIRST_STATUS: u64 = 8;
const LAST_STATUS: u64 = 14;

/// `:status` in Huffman's code.
const STATUS_IN_CODE: &[u8] = &[0xb8, 0x84, 0x8d, 0x36, 0xa3];

/// Fields that HTTP/2 does not have, because they are about a connection of HTTP/1.1 (RFC 9113, 8.2.2).
const OF_CONNECTIONS: [&str; 5] =
    ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/// Writes the fields of a request, and its body.
pub(super) fn write(http: &Http, https: bool, draw: u64, fields: &mut Vec<u8>, body: &mut Vec<u8>) {
    let mut draws = draws(draw);
    match http.method.as_str() {
        "GET" => integer(0x80, 7, GET, fields),
        "POST" => integer(0x80, 7, POST, fields),
        method => known_name(GET, method.as_bytes(), fields),
    }
    integer(0x80, 7, HTTP + u64::from(https), fields);
    known_name(AUTHORITY, http.host.as_bytes(), fields);
    let mut value = Vec::new();
    http.path.write(&mut draws, &mut value);
    known_name(ROOT, &value, fields);
    for (name, text) in &http.headers {
        value.clear();
        text.write(&mut draws, &mut value);
        let name = name.to_ascii_lowercase();
        if !OF_CONNECTIONS.contains(&name.as_str()) {
            fields.push(0);
            string(name.as_bytes(), fields);
            string(&value, fields);
        }
    }
    http.body.write(&mut draws, body);
    if http.has_length(body) {
        known_name(CONTENT_LENGTH, body.len().to_string().as_bytes(), fields);
    }
}

/// A field whose name everybody knows, not to be remembered (6.2.2).
fn known_name(name: u64, value: &[u8], into: &mut Vec<u8>) {
    integer(0, 4, name, into);
    string(value, into);
}

/// An integer in the low bits of a byte, and more bytes if it does not fit (5.1).
fn integer(high: u8, bits: u32, value: u64, into: &mut Vec<u8>) {
    let most = (1 << bits) - 1;
    if value < most {
        into.push(high | value as u8);
        return;
    }
    into.push(high | most as u8);
    let mut rest = value - most;
    while rest >= 128 {
        into.push(rest as u8 | 128);
        rest >>= 7;
    }
    into.push(rest as u8);
}

/// As it is, without Huffman's code (5.2).
fn string(bytes: &[u8], into: &mut Vec<u8>) {
    integer(0, 7, bytes.len() as u64, into);
    into.extend_from_slice(bytes);
}

/// The status among the fields of an answer; `None` if it is not there, as in trailers.
pub(super) fn status(fields: &[u8]) -> Result<Option<u16>, Garbled> {
    let mut reader = Reader(fields);
    while let Some(&first) = reader.0.first() {
        let found = match first {
            // Known name and value (6.1).
            0x80.. => known_status(reader.integer(7)?),
            // How much to remember (6.3).
            0x20..0x40 => {
                reader.integer(5)?;
                None
            }
            // A value of its own, to be remembered (6.2.1), and not to be (6.2.2, 6.2.3).
            0x40.. => reader.literal(6)?,
            _ => reader.literal(4)?,
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn known_status(place: u64) -> Option<u16> {
    let at = place.checked_sub(FIRST_STATUS)?;
    STATUSES.get(usize::try_from(at).ok()?).copied()
}

/// Fields that are still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn integer(&mut self, bits: u32) -> Result<u64, Garbled> {
        let most = (1 << bits) - 1;
        let mut value = u64::from(self.bytes(1)?[0]) & most;
        if value < most {
            return Ok(value);
        }
        // Nobody means more than 32 bits.
        for shift in (0..35).step_by(7) {
            let byte = self.bytes(1)?[0];
            value += u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(Garbled)
    }

    /// Bytes, and whether they are in Huffman's code.
    fn string(&mut self) -> Result<(bool, &'a [u8]), Garbled> {
        let in_code = self.0.first().is_some_and(|byte| *byte >= 128);
        let length = usize::try_from(self.integer(7)?).map_err(|_| Garbled)?;
        Ok((in_code, self.bytes(length)?))
    }

    fn literal(&mut self, bits: u32) -> Result<Option<u16>, Garbled> {
        let is_status = match self.integer(bits)? {
            0 => matches!(self.string()?, (false, b":status") | (true, STATUS_IN_CODE)),
            place => (FIRST_STATUS..=LAST_STATUS).contains(&place),
        };
        let (in_code, value) = self.string()?;
        match (is_status, in_code) {
            (false, _) => Ok(None),
            (true, false) => digits(value.iter().copied()).map(Some),
            (true, true) => digits_in_code(value).map(Some),
        }
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Garbled> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(Garbled)?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// A status is three digits.
fn digits(mut digits: impl Iterator<Item = u8>) -> Result<u16, Garbled> {
    let number = digits.by_ref().take(3).try_fold(0, |number, digit| {
        let value = digit.is_ascii_digit().then(|| u16::from(digit - b'0'))?;
        Some(number * 10 + value)
    });
    number.filter(|number| *number >= 100 && digits.next().is_none()).ok_or(Garbled)
}

/// Digits in Huffman's code: 0, 1 and 2 are the numbers 0 to 2 in five bits, 3 to 9 the numbers 25 to 31 in six. Ones fill the last byte.
fn digits_in_code(bytes: &[u8]) -> Result<u16, Garbled> {
    let [first, second, third @ ..] = bytes else { return Err(Garbled) };
    let mut bits = u32::from_be_bytes([*first, *second, *third.first().unwrap_or(&0xff), 0xff]);
    let mut found = [0; 3];
    for digit in &mut found {
        let (value, length) = match (bits >> 27, bits >> 26) {
            (short @ 0..=2, _) => (short, 5),
            (_, long @ 25..=31) => (long - 22, 6),
            _ => return Err(Garbled),
        };
        *digit = b'0' + value as u8;
        bits = bits << length | ((1 << length) - 1);
    }
    if bits == u32::MAX && third.len() <= 1 { digits(found.into_iter()) } else { Err(Garbled) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn every_status_is_read_in_every_way_of_writing_it() {
        for status in 100..1000_u16 {
            let text = status.to_string();
            let plain = [[0x08, 3].as_slice(), text.as_bytes()].concat();
            assert_eq!(super::status(&plain), Ok(Some(status)));
            let coded = in_code(text.as_bytes());
            let coded = [[0x48, 0x80 | coded.len() as u8].as_slice(), &coded].concat();
            assert_eq!(super::status(&coded), Ok(Some(status)), "{coded:x?}");
        }
        // What RFC 7541 has in its examples (C.5.1, C.6.1).
        assert_eq!(super::status(b"\x48\x03302\x58\x07private"), Ok(Some(302)));
        assert_eq!(super::status(b"\x48\x82\x64\x02\x58\x85\xae\xc3\x77\x1a\x4b"), Ok(Some(302)));
        assert_eq!(super::status(b"\x20\x88"), Ok(Some(200)));
        assert_eq!(super::status(b"\x8e"), Ok(Some(500)));
        assert_eq!(super::status(b"\x00\x07:status\x03418"), Ok(Some(418)));
        assert_eq!(super::status(b"\x00\x85\xb8\x84\x8d\x36\xa3\x03418"), Ok(Some(418)));
    }

    /// Bit by bit, as appendix B has it.
    fn in_code(digits: &[u8]) -> Vec<u8> {
        let code = |digit: &u8| match digit - b'0' {
            short @ 0..=2 => format!("{short:05b}"),
            long => format!("{:06b}", long + 22),
        };
        let bits: String = digits.iter().map(code).collect();
        let bits = format!("{bits:1<width$}", width = bits.len().next_multiple_of(8));
        bits.as_bytes()
            .chunks(8)
            .map(|byte| byte.iter().fold(0, |all, bit| all << 1 | (bit - b'0')))
            .collect()
    }

    #[test]
    fn fields_without_a_status_have_none_and_broken_ones_are_garbled() {
        assert_eq!(status(b""), Ok(None));
        assert_eq!(status(b"\x00\x06digest\x01x\xbe"), Ok(None));
        for broken in [
            &b"\x08"[..],
            b"\x08\x03\x32\x30",
            b"\x08\x0220",
            b"\x08\x042000",
            b"\x08\x03 20",
            b"\x08\x03099",
            b"\x08\x82\xff\xff",
            b"\x08\x81\x10",
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x00\x7f\xff\xff\xff\xff\x0f",
        ] {
            assert_eq!(status(broken), Err(Garbled), "{broken:x?}");
        }
    }

    #[test]
    fn integers_come_back() {
        for value in [0, 1, 30, 31, 127, 128, 255, 1337, 16_383, 1 << 31] {
            for bits in [4, 5, 6, 7] {
                let mut bytes = Vec::new();
                integer(0, bits, value, &mut bytes);
                let mut reader = Reader(&bytes);
                assert_eq!((reader.integer(bits), reader.0), (Ok(value), &[][..]), "{value} in {bits} bits");
            }
        }
    }

    #[test]
    fn a_request_has_what_http_2_asks_for_and_nothing_of_connections() {
        let headers = [("Accept", "*/*"), ("Connection", "close")];
        let http = Http {
            method: "PUT".to_owned(),
            host: "a".to_owned(),
            path: Text::plain("/x"),
            headers: headers.map(|(name, value)| (name.to_owned(), Text::plain(value))).to_vec(),
            body: Text::plain("{}"),
        };
        let (mut fields, mut body) = (Vec::new(), Vec::new());
        write(&http, true, 1, &mut fields, &mut body);
        assert_eq!(fields, b"\x02\x03PUT\x87\x01\x01a\x04\x02/x\x00\x06accept\x03*/*\x0f\x0d\x012");
        assert_eq!(body, b"{}");
        let get = Http { method: "GET".to_owned(), body: Text::default(), headers: Vec::new(), ..http };
        fields.clear();
        write(&get, false, 1, &mut fields, &mut Vec::new());
        assert_eq!(fields, b"\x82\x86\x01\x01a\x04\x02/x");
    }
}
