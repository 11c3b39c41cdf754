//! The forms in which files come: compressed with gzip or zstd, and as UTF-16.

use super::json;
use crate::foreign::{fixture, trial, trial_of};
use evenhand_formats::import::{Format, import};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Read, Write};

/// Text as Windows PowerShell writes it, with its byte order mark.
fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn what_pyperf_compressed_is_read_as_if_it_had_not() {
    let trial = trial("pyperf/quick.json.gz");
    assert_eq!((trial.arms.len(), trial.sample_count()), (1, 20));
    let mut unpacked = Vec::new();
    let packed = fixture("pyperf/quick.json.gz");
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    let same = import(unpacked.as_slice(), "pyperf/quick.json.gz", None).unwrap();
    // A trial with a missing number, NaN, is not equal to itself.
    assert_eq!(json(&trial), json(&same));
}

#[test]
fn a_compressed_file_that_was_cut_off_is_refused() {
    let packed = fixture("pyperf/quick.json.gz");
    for cut in [3, 10, 200, packed.len() - 9, packed.len() - 1] {
        assert!(import(&packed[..cut], "cut", None).is_err(), "cut at {cut}");
    }
}

#[test]
fn what_zstd_compressed_is_read_as_if_it_had_not() {
    // Its window is as large as the file, as zstd writes small files; in frames, what comes from a pipe has one of 2 MiB.
    for name in ["pyperf/quick.json.zst", "pyperf/quick-19-piped.json.zst"] {
        let same = import(fixture(name).as_slice(), "pyperf/quick.json.gz", None).unwrap();
        assert_eq!(json(&same), json(&trial("pyperf/quick.json.gz")), "{name}");
    }
}

/// A frame that readers skip, as pzstd puts one before each other.
fn skippable(content: &[u8]) -> Vec<u8> {
    [&[0x5a, 0x2a, 0x4d, 0x18][..], &(content.len() as u32).to_le_bytes(), content].concat()
}

/// A frame without a checksum, its content as it is. RFC 8878, 3.1.1: one window descriptor, raw blocks.
fn frame(window: u8, blocks: &[&[u8]]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, window];
    for (index, block) in blocks.iter().enumerate() {
        let header = (block.len() as u32) << 3 | u32::from(index + 1 == blocks.len());
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(*block);
    }
    frame
}

const KIB: u8 = 0;

#[test]
fn frames_of_zstd_follow_each_other_and_some_are_skipped() {
    let parts: [&[u8]; 3] = [b"old (ms),new (ms)\n1.5,", b"2.5\n3.5", b",4.5\n"];
    let first = frame(KIB, &[parts[0], parts[1]]);
    let packed = [skippable(b"any"), first, skippable(b""), frame(KIB, &[parts[2]])].concat();
    let trial = import(packed.as_slice(), "text", None).unwrap();
    assert_eq!(trial, trial_of(&String::from_utf8(parts.concat()).unwrap(), Format::Columns));
    let cut = import(&packed[..packed.len() - 1], "text", None).unwrap_err().to_string();
    assert!(cut.contains("its zstd frames are damaged or cut off"), "{cut}");
    let cut = [frame(KIB, &[parts[0]]), skippable(b"any")].concat();
    assert!(import(&cut[..cut.len() - 1], "text", None).is_err());
}

#[test]
fn zstd_that_is_damaged_or_cut_off_is_refused() {
    let packed = fixture("pyperf/quick.json.zst");
    for cut in [5, 10, 200, packed.len() - 5, packed.len() - 1] {
        assert!(import(&packed[..cut], "cut", None).is_err(), "cut at {cut}");
    }
    let mut other = packed;
    *other.last_mut().unwrap() ^= 1;
    let said = import(other.as_slice(), "other", None).unwrap_err().to_string();
    assert!(said.ends_with("its content does not match its checksum"), "{said}");
}

#[test]
fn zstd_that_would_take_much_memory_is_refused_before_it_does() {
    // Windows of 32 MiB, and of the next larger size.
    let [large, larger] = [(15 << 3), (15 << 3) + 1].map(|window| frame(window, &[b"1.5\n2.5\n"]));
    assert_eq!(import(large.as_slice(), "text", None).unwrap().sample_count(), 2);
    let said = import(larger.as_slice(), "text", None).unwrap_err().to_string();
    assert!(said.contains("a window above 32 MiB") && said.contains("unzstd"), "{said}");
}

#[test]
fn zstd_that_unpacks_to_far_more_than_results_do_is_refused_on_the_way() {
    let mut packed = frame(KIB, &[b"BenchmarkF 1 5 ns/op\n"]);
    // A frame with a window of 1 MiB: 2 GiB of line ends, each 128 KiB of them in one block of 4 bytes.
    packed.extend([0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3]);
    let block = (128 << 10) << 3 | 1 << 1;
    (0..16_384).for_each(|_| packed.extend([block as u8, (block >> 8) as u8, (block >> 16) as u8, b'\n']));
    let mut left = packed.as_slice();
    let said = import(&mut left, "bomb.txt.zst", Some(Format::GoBench)).unwrap_err().to_string();
    assert!(said.contains("unpacks to more than 100 times its size"), "{said}");
    let unpacked = (packed.len() - left.len()) / 4 * (128 << 10);
    assert!(unpacked < 512 << 20, "{unpacked} bytes were unpacked");
}

#[test]
fn utf16_is_read_as_the_same_text_in_utf8() {
    let table = "old (ms),né 𝄞 (ms)\r\n1.5,2.5\r\n3.5,4.5\r\n";
    let go = "BenchmarkF 1 5 ns/op\r\n";
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let trial = import(utf16(table, bytes).as_slice(), "text", None).unwrap();
        assert_eq!(trial, trial_of(table, Format::Columns));
        assert_eq!(trial.arms[1].name, "né 𝄞");
        let trial = import(utf16(go, bytes).as_slice(), "text", None).unwrap();
        assert_eq!(trial, trial_of(go, Format::GoBench));
    }
}

#[test]
fn utf16_that_is_damaged_is_refused() {
    let mut odd = utf16("1.5\n2.5\n", u16::to_le_bytes);
    odd.push(b'3');
    let mut half_a_letter = utf16("1.5\n", u16::to_le_bytes);
    half_a_letter.extend([0x00, 0xD8]);
    for damaged in [odd, half_a_letter] {
        let said = import(damaged.as_slice(), "text", None).unwrap_err().to_string();
        assert!(said.contains("begins as UTF-16 and does not go on so"), "{said}");
    }
}

/// 200 MB of numbers that are all alike, in 200 kB.
fn bomb() -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    let line = b"5\n".repeat(1 << 20);
    (0..100).for_each(|_| packed.write_all(&line).unwrap());
    packed.finish().unwrap()
}

#[test]
fn a_file_that_unpacks_to_far_more_than_results_do_is_refused_on_the_way() {
    let packed = bomb();
    let mut left = packed.as_slice();
    let said = import(&mut left, "bomb.csv.gz", Some(Format::Columns)).unwrap_err().to_string();
    assert!(said.contains("unpacks to more than 100 times its size"), "{said}");
    let share = (packed.len() - left.len()) as f64 / packed.len() as f64;
    assert!(share * 200e6 < 64e6, "{share} of it was unpacked");
}

#[test]
fn a_small_file_may_shrink_as_it_likes() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&b"5\n".repeat(1 << 20)).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 4096);
    assert_eq!(import(packed.as_slice(), "same.csv.gz", None).unwrap().sample_count(), 1 << 20);
}
