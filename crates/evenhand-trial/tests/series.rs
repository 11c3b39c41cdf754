//! Whole numbers and series: whatever is pushed comes back, whatever the shape it is kept in.

use evenhand_trial::{ArmId, LaunchId, MetricId, RoundId, Sample, Series, Whole};
use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers as they occur: the same, counting up, irregular, at the ends of the range.
fn numbers() -> impl Strategy<Value = Vec<u64>> {
    let start = prop_oneof![Just(0), Just(u64::MAX), Just(u64::MAX - 3), any::<u64>(), 0..5_u64];
    prop_oneof![
        (start.clone(), 0..20_usize).prop_map(|(first, count)| vec![first; count]),
        (start, 0..20_u64)
            .prop_map(|(first, count)| (0..count).map_while(|i| first.checked_add(i)).collect()),
        vec(0..3_u64, 0..8),
        vec(any::<u64>(), 0..20),
    ]
}

fn pushed(start: Whole, numbers: &[u64]) -> Whole {
    numbers.iter().enumerate().fold(start, |mut whole, (index, &number)| {
        whole.push(index, number);
        whole
    })
}

proptest! {
    #[test]
    fn a_whole_is_the_list_it_was_made_from(numbers in numbers()) {
        let starts = [
            Whole::Same { same: 9 },
            Whole::Counting { from: 9 },
            Whole::Each(Vec::new()),
        ];
        let wholes = starts.into_iter().map(|start| pushed(start, &numbers)).chain([Whole::of(numbers.clone())]);
        for whole in wholes {
            prop_assert_eq!(whole.iter(numbers.len()).collect::<Vec<_>>(), numbers.clone());
            for (index, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(whole.get(index), Some(number));
            }
            let json = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<Whole>(&json).unwrap(), whole);
        }
    }

    #[test]
    fn regular_numbers_take_no_memory(first in any::<u64>(), count in 2..30_u64) {
        prop_assert_eq!(Whole::of(vec![first; count as usize]), Whole::Same { same: first });
        prop_assert_eq!(pushed(Whole::Same { same: 0 }, &vec![first; count as usize]), Whole::Same { same: first });
        let from = first.min(u64::MAX - count);
        let counting: Vec<u64> = (from..from + count).collect();
        prop_assert_eq!(Whole::of(counting.clone()), Whole::Counting { from });
        prop_assert_eq!(pushed(Whole::Counting { from: 0 }, &counting), Whole::Counting { from });
    }

    #[test]
    fn a_series_keeps_every_sample(
        rounds in vec(1..4_u64, 0..20),
        iterations in numbers(),
        values in vec((any::<f64>(), any::<f64>()), 20),
        places in any::<bool>(),
    ) {
        let rounds: Vec<u64> = rounds.iter().scan(0, |sum, step| { *sum += step; Some(*sum) }).collect();
        let count = rounds.len().min(iterations.len());
        let mut series = Series::new(ArmId(0), LaunchId(0), 2);
        for i in 0..count {
            series.push(Sample {
                round: RoundId(rounds[i]),
                position: places.then_some(i as u32 % 2),
                started: places.then_some(rounds[i] * 1000),
                iterations: iterations[i],
                values: &[values[i].0, values[i].1],
            });
        }
        prop_assert_eq!(series.len(), count);
        prop_assert_eq!(series.is_empty(), count == 0);
        prop_assert_eq!(series.rounds.iter(count).collect::<Vec<_>>(), &rounds[..count]);
        prop_assert_eq!(series.iterations.iter(count).collect::<Vec<_>>(), &iterations[..count]);
        prop_assert_eq!(series.started.is_some(), places && count > 0);
        if places && count > 0 {
            let started: Vec<u64> = rounds[..count].iter().map(|round| round * 1000).collect();
            prop_assert_eq!(series.started.as_ref().unwrap().iter(count).collect::<Vec<_>>(), started);
            let positions: Vec<u64> = (0..count as u64).map(|i| i % 2).collect();
            prop_assert_eq!(series.positions.as_ref().unwrap().iter(count).collect::<Vec<_>>(), positions);
        }
        let bits = |column: &[f64]| column.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let wanted: Vec<f64> = values[..count].iter().map(|pair| pair.1).collect();
        prop_assert_eq!(bits(series.column(MetricId(1))), bits(&wanted));
    }
}

fn sample(round: u64, values: &[f64]) -> Sample<'_> {
    Sample { round: RoundId(round), position: Some(0), started: Some(round), iterations: 1, values }
}

#[test]
fn an_irregular_number_spells_the_others_out() {
    assert_eq!(pushed(Whole::Same { same: 1 }, &[4, 4, 5]), Whole::Each(vec![4, 4, 5]));
    assert_eq!(pushed(Whole::Counting { from: 0 }, &[4, 5, 5]), Whole::Each(vec![4, 5, 5]));
    assert_eq!(pushed(Whole::Counting { from: 0 }, &[u64::MAX, 0]), Whole::Each(vec![u64::MAX, 0]));
    assert_eq!(Whole::Counting { from: u64::MAX }.get(1), None);
    assert_eq!(Whole::Each(vec![7]).get(1), None);
    assert_eq!(Whole::of(Vec::new()), Whole::Same { same: 0 });
    assert_eq!(Whole::of(vec![8]), Whole::Same { same: 8 });
}

#[test]
fn a_position_is_kept_only_if_all_samples_have_one() {
    let mut series = Series::new(ArmId(0), LaunchId(0), 1);
    series.push(sample(0, &[1.0]));
    series.push(Sample { position: None, ..sample(1, &[2.0]) });
    series.push(sample(2, &[3.0]));
    assert_eq!(series.positions, None);
    assert_eq!(series.started, Some(Whole::Each(vec![0, 1, 2])));
    let mut late = Series::new(ArmId(0), LaunchId(0), 1);
    late.push(Sample { started: None, ..sample(0, &[1.0]) });
    late.push(sample(1, &[2.0]));
    assert_eq!(late.started, None);
    assert_eq!(late.positions, Some(Whole::Same { same: 0 }));
}

#[test]
fn a_missing_number_is_nan_and_moves_no_other() {
    let mut series = Series::new(ArmId(0), LaunchId(0), 3);
    series.push(sample(0, &[1.0, 10.0]));
    series.push(sample(1, &[2.0]));
    series.push(sample(2, &[3.0, 30.0, 300.0]));
    assert_eq!(series.len(), 3);
    assert_eq!(series.column(MetricId(0)), [1.0, 2.0, 3.0]);
    let missing =
        |metric| series.column(MetricId(metric)).iter().map(|value| value.is_nan()).collect::<Vec<_>>();
    assert_eq!(missing(1), [false, true, false]);
    assert_eq!(missing(2), [true, true, false]);
    assert!(series.column(MetricId(9)).is_empty());
}

#[test]
fn a_column_that_was_never_measured_is_filled_once_it_is() {
    let mut series = Series::new(ArmId(0), LaunchId(0), 2);
    series.values = vec![vec![1.0], Vec::new()];
    series.push(sample(1, &[2.0, 20.0]));
    assert!(series.column(MetricId(1))[0].is_nan());
    assert_eq!(series.column(MetricId(1))[1], 20.0);
}

#[test]
fn other_spellings_of_whole_numbers_are_refused() {
    for (json, says) in [
        ("{}", "one of them"),
        (r#"{"same":1,"from":2}"#, "one of them"),
        (r#"{"from":-1}"#, "invalid value: integer `-1`"),
        (r#"{"same":1.5}"#, "floating point `1.5`"),
        ("[1,null]", "null"),
        ("[1,18446744073709551616]", "invalid type"),
        ("7", r#"expected {"same": number}, {"from": number} or a list of whole numbers"#),
    ] {
        let said = serde_json::from_str::<Whole>(json).unwrap_err().to_string();
        assert!(said.contains(says), "{json}: {said}");
    }
    assert_eq!(
        serde_json::from_str::<Whole>(r#"{"later":[{}],"from":3}"#).unwrap(),
        Whole::Counting { from: 3 }
    );
}
