//! Do samples come back from a chunk to the bit, and do damaged or forged chunks end in an error?

use evenhand_trial::columnar::{ColumnarError, MOST_NUMBERS, decode, encode, join, split};
use evenhand_trial::{ArmId, LaunchId, Series, Whole};
use proptest::prelude::*;
use twox_hash::XxHash3_64;

/// Series as their numbers' bits, because NaN is not equal to itself.
fn bits(series: &[Series]) -> Vec<(Series, Vec<Vec<u64>>)> {
    let values = |series: &Series| {
        series.values.iter().map(|column| column.iter().map(|value| value.to_bits()).collect()).collect()
    };
    series.iter().map(|series| (Series { values: Vec::new(), ..series.clone() }, values(series))).collect()
}

/// The checksum made right again, as a forger would.
fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len().saturating_sub(8);
    let checksum = XxHash3_64::oneshot(&bytes[..content]);
    bytes[content..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn steady(samples: usize) -> Series {
    let mut series = Series::new(ArmId(0), LaunchId(0), 1);
    series.positions = Some(Whole::Each((0..samples).map(|i| (i * i / 3 % 2) as u64).collect()));
    series.started = Some(Whole::Each((0..samples).map(|i| 1_000_000 + 2_700 * i as u64).collect()));
    series.values = vec![(0..samples).map(|i| 1_200.0 + (i % 17) as f64).collect()];
    series
}

fn any_whole(count: usize) -> impl Strategy<Value = Whole> {
    prop_oneof![
        any::<u64>().prop_map(|same| Whole::Same { same }),
        (0_u64..1 << 40).prop_map(|from| Whole::Counting { from }),
        prop::collection::vec(prop_oneof![any::<u64>(), 0_u64..5], count).prop_map(Whole::Each),
    ]
}

fn any_float() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        (0_u32..100_000).prop_map(f64::from),
        (0_u32..100_000).prop_map(|ns| f64::from(ns) / 1e9),
        Just(f64::NAN),
        Just(-0.0),
    ]
}

fn any_series(metrics: usize) -> impl Strategy<Value = Series> {
    (0_usize..40).prop_flat_map(move |count| {
        let column = prop_oneof![
            3 => prop::collection::vec(any_float(), count),
            1 => any_float().prop_map(move |value| vec![value; count]),
        ];
        let columns = prop::collection::vec((any::<bool>(), column), metrics);
        let wholes = (any_whole(count), any_whole(count), any_whole(count), any_whole(count));
        (any::<u32>(), 0_u32..3, wholes, any::<(bool, bool)>(), columns).prop_map(
            move |(arm, launch, (rounds, positions, started, iterations), known, columns)| {
                let mut values: Vec<Vec<f64>> = columns
                    .into_iter()
                    .map(|(kept, column)| if kept { column } else { Vec::new() })
                    .collect();
                // A series has as many samples as its longest column: at least one must be there.
                if values.iter().all(Vec::is_empty) {
                    values[0] = vec![1.5; count];
                }
                Series {
                    arm: ArmId(arm),
                    launch: LaunchId(launch),
                    rounds,
                    positions: known.0.then_some(positions),
                    started: known.1.then_some(started),
                    iterations,
                    values,
                }
            },
        )
    })
}

fn any_trial() -> impl Strategy<Value = Vec<Series>> {
    (1_usize..4).prop_flat_map(|metrics| prop::collection::vec(any_series(metrics), 0..8))
}

proptest! {
    #[test]
    fn every_bit_comes_back(series in any_trial()) {
        let back = decode(&encode(&series).unwrap()).unwrap();
        prop_assert_eq!(bits(&back), bits(&series));
    }

    #[test]
    fn pieces_join_to_the_same_series(series in any_trial(), most in 1_usize..30) {
        let mut back = Vec::new();
        for piece in split(&series, most) {
            prop_assert!(piece.series.iter().map(Series::len).sum::<usize>() <= most);
            let decoded = decode(&encode(&piece.series).unwrap()).unwrap();
            join(&mut back, evenhand_trial::columnar::Piece { series: decoded, ..piece });
        }
        prop_assert_eq!(bits(&back), bits(&series));
    }

    #[test]
    fn a_changed_byte_is_found(series in any_trial(), at in any::<prop::sample::Index>(), change in 1_u8..) {
        let mut bytes = encode(&series).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn a_cut_chunk_is_refused(series in any_trial(), at in any::<prop::sample::Index>()) {
        let bytes = encode(&series).unwrap();
        prop_assert!(decode(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn random_bytes_end_in_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&bytes).is_err());
        let with_magic = [b"EVNHCOL\x01".as_slice(), &bytes, &[0; 8]].concat();
        // Chance may write a chunk; it must only end.
        let _ = decode(&forged(with_magic));
    }

    #[test]
    fn a_forged_chunk_ends(
        series in any_trial(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = encode(&series).unwrap();
        let content = bytes.len() - 16;
        for (at, byte) in changes {
            if content > 0 {
                bytes[8 + at.index(content)] = byte;
            }
        }
        if let Ok(series) = decode(&forged(bytes)) {
            let numbers: usize = series.iter().map(|series| series.values.iter().map(Vec::len).sum::<usize>()).sum();
            prop_assert!(numbers <= MOST_NUMBERS);
        }
    }

    /// The numbers of a long series are packed by pco: change bytes in there too.
    #[test]
    fn a_forged_long_chunk_ends(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = encode(&[steady(700)]).unwrap();
        let content = bytes.len() - 16;
        for (at, byte) in changes {
            bytes[8 + at.index(content)] = byte;
        }
        let _ = decode(&forged(bytes));
    }
}

#[test]
fn regular_counts_cost_a_few_bytes() {
    let mut series = Series::new(ArmId(1), LaunchId(0), 1);
    series.values = vec![vec![7.0; 1_000_000]];
    assert_eq!(encode(&[series]).unwrap().len(), 53);
}

#[test]
fn whole_floats_take_less_than_two_bytes() {
    let bytes = encode(&[steady(100_000)]).unwrap();
    assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
}

#[test]
fn uneven_series_are_refused_by_name() {
    let mut short = steady(10);
    short.rounds = Whole::Each(vec![1, 2]);
    assert_eq!(encode(&[steady(10), short]), Err(ColumnarError::Uneven { index: 1 }));
    let mut columns = steady(10);
    columns.values.push(vec![1.0]);
    assert_eq!(encode(&[columns]), Err(ColumnarError::Uneven { index: 0 }));
    let mut metrics = steady(10);
    metrics.values.push(Vec::new());
    assert_eq!(encode(&[steady(10), metrics]), Err(ColumnarError::Uneven { index: 1 }));
}

#[test]
fn too_many_numbers_are_split() {
    let mut series = Series::new(ArmId(0), LaunchId(0), 1);
    series.values = vec![vec![1.0; MOST_NUMBERS]];
    assert!(matches!(encode(std::slice::from_ref(&series)), Err(ColumnarError::TooMany { .. })));
    let pieces: Vec<usize> = split(&[series], usize::MAX).map(|piece| piece.series[0].len()).collect();
    assert_eq!(pieces, [MOST_NUMBERS - 7, 7]);
}

#[test]
fn a_newer_form_says_so() {
    let mut bytes = encode(&[steady(3)]).unwrap();
    bytes[7] = 2;
    assert_eq!(decode(&bytes), Err(ColumnarError::Newer(2)));
    assert!(decode(&bytes).unwrap_err().to_string().contains("update evenhand"));
}

#[test]
fn what_is_no_chunk_says_so() {
    assert_eq!(decode(b""), Err(ColumnarError::NotAChunk));
    assert_eq!(decode(b"{\"schema_version\":1}"), Err(ColumnarError::NotAChunk));
}

/// The form is read by later versions: these bytes must be readable for ever.
#[test]
fn the_bytes_of_version_1() {
    let mut series = Series::new(ArmId(1), LaunchId(0), 1);
    series.values = vec![vec![8.0, 9.5]];
    let bytes = encode(&[series.clone()]).unwrap();
    let expected = [
        b"EVNHCOL\x01".as_slice(),
        &[1, 1],
        // Rounds count up, positions and starts are not known, iterations are the same.
        &[0b01_00_00_10],
        &[1],
        // Arm 1, launch 0, 2 samples.
        &[0, 1, 0, 0, 0, 2],
        // Rounds from 0; no positions; no starts; 1 iteration.
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
        &[1, 0, 0, 0, 0, 0, 0, 0x20, 0x40, 0, 0, 0, 0, 0, 0, 0x23, 0x40],
    ]
    .concat();
    assert_eq!(bytes[..bytes.len() - 8], expected);
    assert_eq!(decode(&forged([expected, vec![0; 8]].concat())).unwrap(), [series]);
}

#[test]
fn a_small_forged_chunk_cannot_claim_much() {
    // One series of 2^40 samples, all the same.
    let claim = [
        b"EVNHCOL\x01".as_slice(),
        &[1, 1, 0b01_00_00_10, 1, 0, 1, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20],
        &[0; 40],
    ]
    .concat();
    assert!(matches!(decode(&forged(claim)), Err(ColumnarError::Malformed(_))));
}
