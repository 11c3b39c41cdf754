//! Is what the doctor saw told worst first, whole and in lines that fit?

use evenhand_measure::doctor::facts::{Facts, Heat, Now};
use evenhand_measure::doctor::{Finding, LoadFloor, NoiseFloor, findings};
use evenhand_report::Layout;
use evenhand_report::doctor::{Checkup, Floor, Idle};
use evenhand_trial::Seed;
use unicode_width::UnicodeWidthStr;

const WIDE: Layout = Layout::new(None);

/// A machine with one finding of each severity and a command.
fn seen() -> Vec<Finding> {
    let mut facts = Facts::default();
    facts.machine.cpu.logical = Some(2);
    facts.machine.cpu.governor = Some("powersave".to_owned());
    facts.now = Now { busy: Some(0.4), ..Now::default() };
    facts.hottest =
        Some(Heat { place: "cpu\u{1b}[31m".to_owned(), celsius: 40.0, limit_celsius: Some(100.0) });
    findings(&facts)
}

fn floor() -> NoiseFloor {
    NoiseFloor {
        seconds: 2.0031,
        rounds: 118,
        run_seconds: 0.008_04,
        processor: Some(1),
        confidence: 0.99,
        visible: Some(0.0041),
        low: Some(-0.004),
        high: Some(0.0042),
        false_alarm: false,
        false_alarms: 0,
        tosses: 200,
        seed: Seed(1),
    }
}

fn told(floor: &NoiseFloor, own: bool) -> String {
    Floor { floor, own, layout: WIDE }.to_string()
}

#[test]
fn worst_first_with_the_way_out() {
    let text = Checkup { findings: &seen(), layout: WIDE, all: false }.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "matters  frequency governor: powersave");
    assert!(lines[1].starts_with("         A power-saving governor slows down idle CPUs"), "{}", lines[1]);
    assert!(lines[2].starts_with("           echo performance | sudo tee /sys/"), "{}", lines[2]);
    assert_eq!(lines[3], "notice   other programs use 0.4 of 2 CPUs now");
    assert_eq!(lines[6], "fine     heat, isolated (details: --all)");
    assert!(lines[7].starts_with("         Nothing was changed."));
    assert_eq!(lines.len(), 8);
}

#[test]
fn everything_is_told_when_asked_and_no_name_colours_the_screen() {
    let text = Checkup { findings: &seen(), layout: WIDE, all: true }.to_string();
    assert!(text.contains("fine     cpu\\u{1b}[31m: 40 of 100 degrees Celsius\n"), "{text}");
    assert!(text.contains("fine     no isolated CPUs\n         The scheduler puts nothing"), "{text}");
}

#[test]
fn a_machine_that_says_nothing() {
    let text = Checkup { findings: &[], layout: WIDE, all: false }.to_string();
    assert_eq!(text.trim(), "No information that the doctor understands is available on this system.");
}

#[test]
fn lines_fit_but_commands_stay_whole() {
    for width in [40, 60, 80, 120] {
        let layout = Layout::new(Some(width));
        let text = Checkup { findings: &seen(), layout, all: true }.to_string()
            + &Floor { floor: &floor(), own: false, layout }.to_string()
            + &Idle { floor: idle(), layout }.to_string();
        for line in text.lines() {
            assert!(line.width() <= width || line.contains("echo "), "{width}: {line}");
        }
        assert!(
            text.contains(
                "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor\n"
            )
        );
    }
}

#[test]
fn the_noise_floor_in_sentences() {
    assert_eq!(
        told(&floor(), false),
        "In 2.0 s this machine can detect 0.41 % on a command of 8.0 ms.\n  \
         0.1 % takes about 34 s, 0.01 % takes about 56 min.\n  \
         Self-check: 0 false alarms in 200 re-randomised comparisons (at most 2 expected).\n  \
         Measured: the same command on both sides, 118 rounds on CPU 1, 99 % confidence.\n"
    );
    assert!(
        told(&floor(), true)
            .starts_with("In 2.0 s this machine can detect 0.41 % on this command of 8.0 ms.\n")
    );
    let free = NoiseFloor { processor: None, rounds: 1, ..floor() };
    assert!(told(&free, false).contains("1 round, 99 % confidence"));
}

fn idle() -> LoadFloor {
    LoadFloor {
        rate: 1000.0,
        requests: 1210,
        response_p50: 41_200,
        response_p99: Some(180_400),
        late_p50: 1_150,
        late_p99: Some(12_300),
    }
}

#[test]
fn the_shortest_response_in_sentences() {
    assert_eq!(
        Idle { floor: idle(), layout: WIDE }.to_string(),
        "Under load: a service that does nothing answers in 41 µs at P50 and 180 µs at P99, at 1000 requests/s.\n  \
         No response can be shorter here. evenhand itself was late to send by 1.1 µs at P50 and 12 µs at P99.\n"
    );
    let short = LoadFloor { response_p99: None, late_p99: None, ..idle() };
    let text = Idle { floor: short, layout: WIDE }.to_string();
    assert!(text.contains("answers in 41 µs at P50, at 1000"), "{text}");
}

#[test]
fn what_cannot_be_seen_or_went_wrong_is_said() {
    let short = NoiseFloor { visible: None, rounds: 12, seconds: 0.2, ..floor() };
    let text = told(&short, false);
    assert!(
        text.starts_with("In 200 ms there was time for 12 rounds on a command of 8.0 ms: too few"),
        "{text}"
    );
    assert!(text.contains("--time") && !text.contains("takes about"), "{text}");
    let alarmed = NoiseFloor { false_alarm: true, ..floor() };
    assert!(told(&alarmed, false).lines().last().unwrap().contains("report it"));
    // A million years is no advice.
    let coarse = NoiseFloor { visible: Some(0.5), seconds: 2.0, ..floor() };
    assert!(told(&coarse, false).contains("  1 % takes about 83 min.\n"), "{}", told(&coarse, false));
    let fine = NoiseFloor { visible: Some(0.000_05), ..floor() };
    assert!(!told(&fine, false).contains("takes about"));
}
