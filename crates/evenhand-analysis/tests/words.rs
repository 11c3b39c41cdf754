//! Numbers as people read them.

use evenhand_analysis::Effect;
use evenhand_analysis::words::{
    TimeUnit, change, duration, effect, quantity, quantity_in, rounded, short_effect, size, symbol,
    with_error_in,
};
use evenhand_trial::Unit;

#[test]
fn a_symbol_is_printed_as_quantities_print_it() {
    for (unit, printed) in
        [("us", "µs"), ("µs", "µs"), ("ms", "ms"), ("B", "B"), ("", ""), ("faults", "faults")]
    {
        assert_eq!(symbol(&Unit::new(unit)), printed);
    }
    assert!(quantity(5.0, &Unit::new("us")).ends_with(symbol(&Unit::new("us"))));
}

#[test]
fn times_have_the_unit_that_reads_best() {
    for (value, unit, text) in [
        (8_123_456.0, "ns", "8.123 ms"),
        (8.123_456, "ms", "8.123 ms"),
        (0.008_123_456, "s", "8.123 ms"),
        (1.0, "ns", "1 ns"),
        (1.5, "ns", "1.500 ns"),
        (0.25, "ns", "250 ps"),
        (999.94, "ns", "999.9 ns"),
        (999.96, "ns", "1.000 µs"),
        (999.96, "us", "1.000 ms"),
        (1234.0, "ns", "1.234 µs"),
        (12_340.0, "ns", "12.34 µs"),
        (123_456.0, "ns", "123.5 µs"),
        (5.13, "s", "5.130 s"),
        (90.0, "s", "90 s"),
        (2.0, "min", "120 s"),
        (1.5, "h", "5400 s"),
        (2.0, "h", "2 h"),
        (1.0, "d", "24 h"),
        (2.5, "d", "2.500 d"),
        (0.0, "ns", "0 s"),
        (-3_500_000.0, "ns", "-3.500 ms"),
        (0.001, "ps", "0.001000 ps"),
        (1e-9, "ps", "1.000e-9 ps"),
        (1e300, "s", "1.157e295 d"),
    ] {
        assert_eq!(quantity(value, &Unit::new(unit)), text, "{value} {unit}");
    }
}

#[test]
fn times_are_in_the_unit_that_was_asked_for() {
    let shown = |unit: &str, value, own| quantity_in(Some(unit.parse().unwrap()), value, &Unit::new(own));
    assert_eq!(shown("s", 8_123_456.0, "ns"), "0.008123 s");
    assert_eq!(shown("millisecond", 8_123_456.0, "ns"), "8.123 ms");
    assert_eq!(shown("us", 1.5, "s"), "1500000 µs");
    assert_eq!(shown("ms", 1_350_000_000.0, "B"), "1.350 GB");
    let milliseconds: TimeUnit = "ms".parse().unwrap();
    assert_eq!(with_error_in(Some(milliseconds), 2.5, 0.012, &Unit::seconds()), "2500 ms ± 12");
    assert!("h".parse::<TimeUnit>().is_err() && "".parse::<TimeUnit>().is_err());
}

#[test]
fn bytes_counts_and_others() {
    for (value, unit, text) in [
        (1_350_000_000.0, "B", "1.350 GB"),
        (999.0, "B", "999 B"),
        (999_960.0, "B", "1.000 MB"),
        (1000.0, "B", "1 kB"),
        (0.0, "B", "0 B"),
        (0.5, "B", "0.5000 B"),
        (17.0, "", "17"),
        (9999.0, "", "9999"),
        (9999.6, "", "10.00 k"),
        (1_234_567.0, "", "1.235 M"),
        (35_594_321.0, "", "35.59 M"),
        (35_600_000.0, "", "35.60 M"),
        (2_000_000_000.0, "faults", "2 G faults"),
        (-123_456.0, "", "-123.5 k"),
        (3.5e19, "", "3.500e7 T"),
        (17.25, "faults", "17.25 faults"),
        (0.0123, "", "0.01230"),
        (0.001_234_56, "score", "0.001235 score"),
        (99.996, "", "100.0"),
        (123_456_789.0, "op/s", "123.5 M op/s"),
        (0.000_05, "op/s", "5.000e-5 op/s"),
        (-0.5, "", "-0.5000"),
        (f64::NAN, "", "NaN"),
        (f64::INFINITY, "", "inf"),
    ] {
        assert_eq!(quantity(value, &Unit::new(unit)), text, "{value} {unit}");
    }
}

#[test]
fn changes_have_a_sign() {
    for (relative, text) in [
        (0.0134, "+1.34 %"),
        (-0.0134, "-1.34 %"),
        (0.0, "0.00 %"),
        (-0.0, "0.00 %"),
        (0.000_04, "0.00 %"),
        (-0.000_04, "0.00 %"),
        (0.000_06, "+0.01 %"),
        (0.099_94, "+9.99 %"),
        (0.099_96, "+10.0 %"),
        (0.5, "+50.0 %"),
        (0.9994, "+99.9 %"),
        (0.9996, "+100 %"),
        (12.0, "+1200 %"),
        (99_999.0, "+9999900 %"),
        (1e300, "+1.0e302 %"),
        (-1e6, "-1.0e8 %"),
        (f64::MAX, "?"),
        (f64::NAN, "?"),
        (f64::NEG_INFINITY, "?"),
    ] {
        assert_eq!(change(relative), text, "{relative}");
    }
}

#[test]
fn sizes_have_none() {
    for (relative, text) in [
        (0.0134, "1.34 %"),
        (-0.0134, "1.34 %"),
        (0.0, "0.00 %"),
        (-0.25, "25.0 %"),
        (-3.0, "300 %"),
        (1e300, "1.0e302 %"),
        (f64::INFINITY, "?"),
        (f64::NAN, "?"),
    ] {
        assert_eq!(size(relative), text, "{relative}");
    }
}

#[test]
fn counts_of_forecasts() {
    for (count, text) in [
        (0, "0"),
        (7, "7"),
        (99, "99"),
        (104, "100"),
        (105, "110"),
        (1234, "1200"),
        (995, "1000"),
        (1_250_000, "1300000"),
        (u64::MAX, "18000000000000000000"),
    ] {
        assert_eq!(rounded(count), text, "{count}");
    }
}

#[test]
fn durations_of_forecasts() {
    for (seconds, text) in [
        (0.0, "0 ms"),
        (0.0314, "31 ms"),
        (0.996, "1000 ms"),
        (1.0, "1 s"),
        (41.4, "41 s"),
        (119.0, "120 s"),
        (120.0, "2 min"),
        (660.0, "11 min"),
        (7200.0, "2 h"),
        (12_600.0, "3.5 h"),
        (172_800.0, "2 d"),
        (1e9, "1.2e4 d"),
    ] {
        assert_eq!(duration(seconds), text, "{seconds}");
    }
}

#[test]
fn an_error_has_two_digits_and_its_figure_as_many_decimals() {
    for (value, error, unit, text) in [
        (8_123_456.0, 41_000.0, "ns", "8.123 ms ± 0.041"),
        (8_123_456.0, 412_345.0, "ns", "8.12 ms ± 0.41"),
        (8_123_456.0, 99_600.0, "ns", "8.12 ms ± 0.10"),
        (8_123_456.0, 4.0, "ns", "8.1234560 ms ± 0.0000040"),
        (8_123_456.0, 0.0, "ns", "8.123 ms ± 0"),
        (8_123_456.0, 1e-6, "ns", "8.123 ms ± 1.000e-12"),
        (999.96, 1.0, "ns", "1.0000 µs ± 0.0010"),
        (120.0, 7.5, "s", "120.0 s ± 7.5"),
        (812.3e6, 123.4e6, "ns", "812 ms ± 120"),
        (17.25, 0.125, "faults", "17.25 faults ± 0.12"),
        (35_630_000.0, 8669.84365, "", "35.6300 M ± 0.0087"),
    ] {
        assert_eq!(with_error_in(None, value, error, &Unit::new(unit)), text, "{value} {error} {unit}");
    }
}

#[test]
fn an_effect_has_its_interval_and_what_is_not_known_of_it() {
    let known = Effect { estimate: Some(-0.0131), low: Some(-0.018), high: None };
    assert_eq!(effect(&known), "-1.31 % [-1.80 %, ?]");
    assert_eq!(short_effect(&known), "-1.31 % [-1.80, ?]");
    let huge = Effect { estimate: Some(f64::MAX), low: Some(2e5), high: Some(f64::INFINITY) };
    assert_eq!(short_effect(&huge), "? [+2.0e7, ?]");
    assert_eq!(effect(&Effect::default()), "? [?, ?]");
}
