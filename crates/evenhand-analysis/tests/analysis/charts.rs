//! Do the charts show the samples and rounds that the analysis counted, each in its place?

use super::planted::{Draws, add, add_rounds, by_default, imported, launches, mapped, pair, trial};
use evenhand_analysis::charts::{Boxes, Charts, Column, ComparisonChart, charts};
use evenhand_analysis::{Settings, Study};
use evenhand_trial::{Arm, ArmId, Better, Failure, LaunchId, Per, Reason, RoundId, Trial, Whole};

fn drawn(trial: &Trial) -> Charts {
    let study = Study::of(trial);
    charts(&study, &study.analyse(&Settings::default()).unwrap())
}

fn read(charts: &Charts, column: &Column) -> Vec<f64> {
    charts.columns.read(column)
}

fn samples(charts: &Charts, arm: usize) -> Vec<f64> {
    read(charts, &charts.arms[arm].samples)
}

fn only(charts: &Charts) -> &ComparisonChart {
    assert_eq!(charts.comparisons.len(), 1);
    &charts.comparisons[0]
}

#[test]
fn every_sample_is_there_in_the_order_taken() {
    let trial = launches(3, 10, 0.0, 0.01, 80);
    let charts = drawn(&trial);
    let of_arm = |arm: u32| -> Vec<f64> {
        trial
            .series
            .iter()
            .filter(|series| series.arm.0 == arm)
            .flat_map(|series| series.values[0].clone())
            .collect()
    };
    assert_eq!((samples(&charts, 0), samples(&charts, 1)), (of_arm(0), of_arm(1)));
    assert_eq!(charts.arms[0].launches, [0, 10, 20]);
    assert_eq!((charts.arms[1].arm.as_str(), charts.arms[1].metric.as_str()), ("new", "wall"));
}

#[test]
fn a_round_points_to_its_samples() {
    // Round 1 of the candidate failed, and launch 2 stands before launch 1.
    let mut trial = trial(&["old", "new"]);
    add_rounds(&mut trial, 0, 2, &[(0, 50.0), (1, 51.0)]);
    add_rounds(&mut trial, 1, 2, &[(0, 60.0), (1, 61.0)]);
    add_rounds(&mut trial, 0, 1, &[(0, 10.0), (1, 11.0), (2, 12.0)]);
    add_rounds(&mut trial, 1, 1, &[(0, 20.0), (2, 22.0)]);
    let charts = drawn(&trial);
    let rounds = only(&charts).rounds.as_ref().unwrap();
    let pick = |arm: usize, column: &Column| -> Vec<f64> {
        let samples = samples(&charts, arm);
        read(&charts, column).into_iter().map(|number| samples[number as usize]).collect()
    };
    assert_eq!(pick(0, &rounds.baseline), [10.0, 12.0, 50.0, 51.0]);
    assert_eq!(pick(1, &rounds.candidate), [20.0, 22.0, 60.0, 61.0]);
    assert_eq!(rounds.candidate, Column::Counting { length: 4 }, "no bytes for what only counts");
    assert_eq!(rounds.launches, [0, 2]);
    let changes = read(&charts, &rounds.change);
    for (found, right) in changes.iter().zip([1.0, 22.0 / 12.0 - 1.0, 0.2, 61.0 / 51.0 - 1.0]) {
        assert!((found - right).abs() < 1e-6, "{changes:?}");
    }
    assert_eq!(rounds.candidate_first, None, "who ran first is not recorded here");
}

#[test]
fn a_change_is_worse_when_positive_and_missing_where_there_is_no_ratio() {
    let mut higher = pair(20, 0.25, 0.0, 81);
    higher.metrics[0].better = Better::Higher;
    let charts = drawn(&higher);
    let changes = read(&charts, &only(&charts).rounds.as_ref().unwrap().change);
    assert!(changes.iter().all(|change| (change + 0.2).abs() < 1e-6), "{changes:?}");

    let mut zero = pair(20, 0.25, 0.0, 81);
    zero.series[0].values[0][3] = 0.0;
    let charts = drawn(&zero);
    let changes = read(&charts, &only(&charts).rounds.as_ref().unwrap().change);
    assert!(changes[3].is_nan() && (changes[4] - 0.25).abs() < 1e-6, "{changes:?}");
}

#[test]
fn who_ran_first_is_told_where_it_is_known_of_every_round() {
    let mut trial = pair(4, 0.0, 0.01, 82);
    trial.series[0].positions = Some(Whole::Each(vec![0, 1, 1, 0]));
    trial.series[1].positions = Some(Whole::Each(vec![1, 0, 0, 1]));
    let charts = drawn(&trial);
    let first = only(&charts).rounds.as_ref().unwrap().candidate_first.as_ref().unwrap();
    assert_eq!(read(&charts, first), [0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn every_column_begins_where_a_browser_can_read_it() {
    // Three numbers of four bytes leave the block at a multiple of four.
    let mut trial = pair(3, 0.0, 0.01, 90);
    trial.series[0].positions = Some(Whole::Each(vec![0, 1, 1]));
    trial.series[1].positions = Some(Whole::Each(vec![1, 0, 0]));
    let charts = drawn(&trial);
    let rounds = only(&charts).rounds.as_ref().unwrap();
    let first = rounds.candidate_first.as_ref().unwrap();
    assert!(matches!(first, Column::U32 { offset, length: 3 } if offset % 8 == 0), "{first:?}");
    assert!(
        matches!(rounds.change, Column::F32 { offset, length: 3 } if offset % 8 == 0),
        "{:?}",
        rounds.change
    );
}

#[test]
fn without_a_coin_there_are_no_rounds_and_no_band() {
    let mut draws = Draws::new(83);
    let (old, new) = (draws.times(60, 1e6, 0.05), draws.times(40, 1.1e6, 0.05));
    let charts = drawn(&imported(&old, &new));
    let chart = only(&charts);
    assert_eq!((&chart.rounds, chart.moments.len(), chart.autocorrelation.len()), (&None, 0, 0));
    let shift = chart.shift.as_ref().unwrap();
    assert_eq!((shift.percentiles[0], shift.percentiles[98]), (1.0, 99.0));
    assert!(shift.low.iter().chain(&shift.high).all(Option::is_none));
    assert!((shift.ratios[49] - 1.1).abs() < 0.05, "{shift:?}");
}

#[test]
fn the_change_of_the_minima_is_that_of_the_rounds_that_both_ran() {
    let mut trial = pair(20, 0.25, 0.0, 94);
    trial.series[0].values[0][3] = 8e5;
    trial.series[1].values[0][7] = 9e5;
    let min_change = |trial: &Trial| only(&drawn(trial)).min_change;
    assert_eq!(min_change(&trial), Some(0.125));
    trial.series[0].values[0][3] = 0.0;
    assert_eq!(min_change(&trial), None, "nothing is so many times zero");
}

#[test]
fn the_shift_of_a_constant_factor_is_that_factor_inside_its_band() {
    let charts = drawn(&pair(200, 0.1, 0.001, 84));
    let shift = only(&charts).shift.as_ref().unwrap();
    assert_eq!((shift.percentiles.len(), shift.confidence), (99, 0.99));
    for place in 0..99 {
        assert!((shift.ratios[place] - 1.1).abs() < 0.02, "{}", shift.ratios[place]);
        assert!(shift.low[place].is_none_or(|low| low <= shift.ratios[place]));
        assert!(shift.high[place].is_none_or(|high| high >= shift.ratios[place]));
    }
}

/// From the smallest to the largest sample, where the length of the axis added to its beginning is less than its end by a rounding.
#[test]
fn the_largest_sample_is_in_the_last_bin_to_the_bit() {
    let (low, high): (f64, f64) = (2.969, 7.223);
    assert!(low + (high - low) < high);
    let chart = &drawn(&imported(&[low, 4.0, 5.0, 6.0, high], &[low, high])).arms[0];
    for bins in [chart.histogram.as_ref().unwrap(), chart.log_histogram.as_ref().unwrap()] {
        assert_eq!((bins.edges[80], bins.above, bins.counts[79]), (high, 0, 1));
    }
}

#[test]
fn both_histograms_count_every_sample_in_the_bins_that_arms_share() {
    let mut draws = Draws::new(85);
    let mut old = draws.times(500, 1e6, 0.01);
    old.extend([9e6, 8e6, 1.0]);
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &old);
    add(&mut trial, 1, 0, &draws.times(503, 1.02e6, 0.01));
    let charts = drawn(&trial);
    let [old, new] = [&charts.arms[0], &charts.arms[1]].map(|arm| arm.histogram.as_ref().unwrap());
    assert_eq!((old.edges.len(), old.counts.len(), &old.edges), (81, 80, &new.edges));
    assert_eq!((old.samples(), old.below, old.above), (503, 1, 2));
    assert_eq!((new.samples(), new.below, new.above), (503, 0, 0));
    let log = charts.arms[0].log_histogram.as_ref().unwrap();
    assert_eq!(log.samples(), 503);
    let factors: Vec<f64> = log.edges.windows(2).map(|pair| pair[1] / pair[0]).collect();
    assert!(factors.iter().all(|factor| (factor / factors[0] - 1.0).abs() < 1e-9), "{factors:?}");
    // A sample on an edge is in the bin that begins there, the largest in the last.
    let edge = old.edges[40];
    let mut exact = trial.clone();
    exact.series[0].values[0].extend([edge, old.edges[80]]);
    exact.series[1].values[0].extend([edge, edge]);
    let again = drawn(&exact);
    let found = again.arms[0].histogram.as_ref().unwrap();
    assert_eq!((found.counts[40], found.counts[79]), (old.counts[40] + 1, old.counts[79] + 1));
}

#[test]
fn an_axis_holds_a_mode_and_leaves_out_strays() {
    let mut draws = Draws::new(90);
    let (fast, slow) = (draws.times(980, 1e6, 0.01), draws.times(20, 13e6, 0.01));
    let furthest = slow.iter().copied().fold(0.0, f64::max);
    let of = |strays: &[f64]| {
        let mut trial = trial(&["old", "new"]);
        add(&mut trial, 0, 0, &[&fast[..], strays].concat());
        add(&mut trial, 1, 0, &fast);
        drawn(&trial).arms.remove(0)
    };
    let two_modes = of(&slow);
    assert_eq!(two_modes.histogram.unwrap().above, 0, "one sample in fifty at 13 ms");
    assert_eq!(two_modes.axis.unwrap().high, furthest);
    assert!(two_modes.fences.unwrap().high < 2e6, "what an outlier is has not changed");
    let strays = of(&slow[..4]);
    assert_eq!(strays.histogram.unwrap().above, 4);
    assert!(strays.axis.unwrap().high < 2e6);
    let mirrored = of(&slow.iter().map(|time| time / 1e3).collect::<Vec<_>>());
    assert_eq!(mirrored.histogram.unwrap().below, 0, "and so at the other end");
}

#[test]
fn the_time_of_a_comparison_is_that_of_its_own_samples() {
    let mut trial = pair(20, 0.0, 0.01, 91);
    for series in &mut trial.series {
        series.values[0].fill(1e6);
        series.iterations = Whole::Same { same: 50 };
    }
    let seconds = |trial: &Trial| only(&drawn(trial)).seconds;
    assert!(
        (seconds(&trial).unwrap() - 0.04).abs() < 1e-12,
        "40 samples of 1 ms, however many iterations each"
    );
    trial.metrics[0].per = Per::Iteration;
    assert!((seconds(&trial).unwrap() - 2.0).abs() < 1e-12);
    trial.metrics[0].name = "user".to_owned();
    assert_eq!(seconds(&trial), None, "no clock was read");
}

#[test]
fn samples_at_or_below_zero_have_no_logarithm() {
    let chart = drawn(&mapped(pair(50, 0.0, 0.01, 86), |time| time - 1e6)).arms.remove(0);
    assert_eq!((chart.log_histogram, chart.log_normal_fit), (None, None));
    assert!(chart.histogram.is_some() && chart.quantiles.is_some());
}

#[test]
fn the_clean_box_is_without_what_lies_beyond_the_fences() {
    let mut trial = pair(100, 0.0, 0.001, 87);
    trial.series[0].values[0][7] = 1e9;
    let charts = drawn(&trial);
    let chart = &charts.arms[0];
    let (raw, clean, fences) = (chart.boxes.raw.unwrap(), chart.boxes.clean.unwrap(), chart.fences.unwrap());
    let inside: Vec<f64> =
        samples(&charts, 0).into_iter().filter(|time| (fences.low..=fences.high).contains(time)).collect();
    assert_eq!((raw.samples, raw.max), (100, 1e9));
    assert_eq!((clean.samples, clean.max), (inside.len(), inside.iter().copied().fold(0.0, f64::max)));
    assert!(clean.mean < 1.3e6 && raw.mean > 1e7);
}

#[test]
fn what_needs_an_order_is_missing_where_it_is_lost() {
    let mut trial = pair(100, 0.0, 0.01, 88);
    let known = drawn(&trial).arms.remove(0);
    assert_eq!((known.autocorrelation.len(), known.order_lost), (25, false));
    assert!((known.independent_within - 0.196).abs() < 1e-12);
    let last = known.running_mean.last().unwrap();
    assert_eq!((last.after, last.mean), (100, by_default(&trial).levels[0].figures.mean.unwrap()));
    assert!(last.corrected.is_none_or(|corrected| corrected >= 0.9 * last.naive), "{last:?}");

    trial.schedule = None;
    trial.arms[0].order_lost = true;
    let lost = drawn(&trial).arms.remove(0);
    assert!(lost.autocorrelation.is_empty() && lost.running_mean.is_empty() && lost.order_lost);
}

#[test]
fn arms_without_a_comparison_and_without_samples_are_shown_too() {
    let mut trial = trial(&["alone"]);
    add(&mut trial, 0, 0, &[3.0, 4.0]);
    let charts = drawn(&trial);
    assert_eq!((charts.arms.len(), charts.comparisons.len(), samples(&charts, 0)), (1, 0, vec![3.0, 4.0]));

    let mut failed = pair(10, 0.0, 0.01, 89);
    failed.series.remove(1);
    let reason = Reason::Exit { code: 1 };
    failed.failures =
        vec![Failure { arm: ArmId(1), launch: LaunchId(0), round: RoundId(0), reason, seconds: None }];
    let charts = drawn(&failed);
    let names: Vec<&str> = charts.arms.iter().map(|chart| chart.arm.as_str()).collect();
    assert_eq!(names, ["old", "new"]);
    assert!(charts.arms[1].boxes.raw.is_none());
}

/// Arms that are series of one thing with ever more iterations in a sample, each alone in its group. Costs are those of one iteration.
fn gathered(series: &[(u64, &[f64])]) -> Trial {
    let mut all = trial(&[]);
    (all.schedule, all.metrics[0].per) = (None, Per::Iteration);
    for (arm, (iterations, costs)) in (0..).zip(series) {
        let name = format!("sorts i{iterations}");
        let parameters = [("iterations".to_owned(), iterations.to_string())].into();
        all.arms.push(Arm { name: name.clone(), group: name, parameters, ..Arm::default() });
        add(&mut all, arm, 0, costs);
        all.series[arm as usize].iterations = Whole::Same { same: *iterations };
    }
    all
}

#[test]
fn the_table_of_series_has_each_spread_by_what_it_is_compared_with() {
    let raw = drawn(&gathered(&[(1, &[4.0, 2.0, 6.0, 8.0, 10.0])])).arms[0].boxes.raw.unwrap();
    assert_eq!(
        (raw.samples, raw.min, raw.max, raw.range, raw.range_over_min),
        (5, 2.0, 10.0, 8.0, Some(4.0))
    );
    assert_eq!((raw.q1, raw.median, raw.q3, raw.iqr), (4.0, 6.0, 8.0, 4.0));
    assert_eq!((raw.iqr_over_median, raw.mean_over_min), (Some(4.0 / 6.0), Some(2.0)));
    assert_eq!((raw.mean, raw.sd, raw.cv), (6.0, Some(10.0_f64.sqrt()), Some(10.0_f64.sqrt() / 6.0)));
    let below = drawn(&gathered(&[(1, &[-1.0, 0.0, 1.0])])).arms[0].boxes.raw.unwrap();
    assert_eq!((below.range, below.range_over_min, below.mean_over_min), (2.0, None, None));
}

#[test]
fn clean_series_together_are_those_that_were_cleaned_each_by_itself() {
    // 30 is an outlier of the first and usual in the second; all of them together have no outlier.
    let (first, second) = ([10.0, 10.5, 11.0, 11.5, 30.0], [28.0, 29.0, 30.0, 31.0, 32.0]);
    let charts = drawn(&gathered(&[(1, &first), (2, &second)]));
    assert_eq!(charts.pools.len(), 1);
    let Boxes { raw, clean } = charts.pools[0].boxes;
    let (raw, clean) = (raw.unwrap(), clean.unwrap());
    assert_eq!((charts.pools[0].arms.as_slice(), raw.samples, clean.samples), (&[0, 1][..], 10, 9));
    assert_eq!((clean.min, clean.median, clean.max), (10.0, 28.0, 32.0));
}

#[test]
fn only_series_of_one_thing_are_together() {
    let mut two = gathered(&[(1, &[1.0, 2.0]), (2, &[1.0, 2.0]), (1, &[1.0, 2.0]), (2, &[1.0, 2.0])]);
    let pools = |trial: &Trial| -> Vec<(String, Vec<usize>)> {
        drawn(trial).pools.into_iter().map(|pool| (pool.name, pool.arms)).collect()
    };
    let named = |name: &str, arms: [usize; 2]| (name.to_owned(), arms.to_vec());
    for (arm, name) in two.arms.iter_mut().zip(["a i1", "a i2", "b i1", "b i2"]) {
        (arm.name, arm.group) = (name.to_owned(), name.to_owned());
    }
    assert_eq!(pools(&two), [named("a", [0, 1]), named("b", [2, 3])]);
    for (arm, size) in two.arms.iter_mut().zip(["7", "7", "7", "8"]) {
        arm.parameters.insert("size".to_owned(), size.to_owned());
    }
    assert_eq!(pools(&two), [named("a, size 7", [0, 1])]);
    two.series[1].iterations = Whole::Same { same: 1 };
    assert!(pools(&two).is_empty(), "a sample is a whole run, however many iterations it was told");
    for arm in &mut two.arms {
        arm.parameters.clear();
    }
    assert!(pools(&two).is_empty(), "each is alone in its group");
    assert_eq!(pools(&pair(20, 0.0, 0.01, 92)), [named("", [0, 1])], "the arms of a group");
}

#[test]
fn rivals_share_their_bins_also_where_each_is_a_series_of_its_own_thing() {
    let mut two = gathered(&[(1, &[10.0, 20.0]), (1, &[40.0, 50.0]), (2, &[5.0, 6.0]), (2, &[7.0, 8.0])]);
    for (arm, name) in two.arms.iter_mut().zip(["old i1", "new i1", "old i2", "new i2"]) {
        (arm.name, arm.group) = (name.to_owned(), name[4..].to_owned());
    }
    let charts = drawn(&two);
    let edges = |arm: usize| charts.arms[arm].histogram.as_ref().unwrap().edges.clone();
    assert_eq!((edges(0), edges(2)), (edges(1), edges(3)));
    assert_ne!(edges(0), edges(2));
    let pools: Vec<&str> = charts.pools.iter().map(|pool| pool.name.as_str()).collect();
    assert_eq!(pools, ["old", "new"]);
}

#[test]
fn the_set_up_is_what_the_smallest_costs_of_two_iteration_counts_say() {
    // The article's ReversedArray: 190 us of work, 134 us of set-up.
    let charts = drawn(&gathered(&[(1, &[324.0, 325.0, 324.0]), (2, &[257.0, 258.0, 257.0]), (4, &[224.0])]));
    let pool = &charts.pools[0];
    let set_up = pool.set_up.unwrap();
    assert_eq!((set_up.cost, set_up.iterations), (134.0, [1, 2]));
    assert!((set_up.share - 0.414).abs() < 5e-4, "{set_up:?}");
    let subtracted: Vec<f64> = charts.arms.iter().filter_map(|arm| arm.set_up).collect();
    assert_eq!(subtracted, [134.0, 67.0, 33.5]);
    let edges = charts.arms.iter().map(|arm| &arm.histogram.as_ref().unwrap().edges);
    assert!(edges.clone().zip(edges.skip(1)).all(|(one, next)| one == next), "bins are shared");
    let corrected: Vec<f64> =
        charts.arms.iter().filter_map(|arm| Some(arm.without_set_up?.raw?.median)).collect();
    assert_eq!(corrected, [190.0, 190.0, 190.5]);
    let together = pool.without_set_up.unwrap();
    assert_eq!((together.raw.unwrap().samples, together.clean.unwrap().min), (7, 190.0));
    assert_eq!(charts.arms[0].boxes.raw.unwrap().median, 324.0, "what was measured stays");
}

#[test]
fn a_set_up_that_is_small_or_below_zero_is_none() {
    let of = |one: &[f64], two: &[f64]| drawn(&gathered(&[(1, one), (2, two)])).pools[0].set_up;
    assert_eq!(of(&[96.0, 98.0, 104.0, 106.0], &[94.0, 98.0]), None, "4 % and less than the spread");
    assert!(of(&[100.0, 100.0, 100.0], &[98.0, 98.0]).is_some(), "4 % of samples that are all alike");
    assert!(of(&[100.0, 120.0, 140.0], &[90.0, 98.0]).is_some(), "20 %");
    assert_eq!(of(&[100.0, 100.0], &[110.0, 110.0]), None, "more iterations cost more");
    assert!(drawn(&pair(20, 0.5, 0.01, 93)).pools[0].set_up.is_none(), "two programs are no series of one");
}

#[test]
fn bins_of_one_standard_deviation_stand_around_the_mean() {
    let charts = drawn(&gathered(&[(1, &[9.0, 9.0, 9.0, 9.0, 14.0]), (2, &[3.0, 3.0])]));
    let chart = &charts.arms[0];
    let (raw, bins) = (chart.boxes.raw.unwrap(), chart.deviations.as_ref().unwrap());
    assert_eq!((raw.mean, bins.edges.len(), bins.edges[4]), (10.0, 13, 10.0));
    assert!((bins.edges[5] - 10.0 - raw.sd.unwrap()).abs() < 1e-12);
    assert_eq!((bins.counts[3], bins.counts[5], bins.samples()), (4, 1, 5));
    assert_eq!(chart.clean_deviations, None, "the clean ones are all alike");
    assert_eq!(chart.far_fences.unwrap().high, 9.0);
    assert_eq!(charts.arms[1].deviations, None);
}
