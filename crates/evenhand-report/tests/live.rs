//! Do the live lines stay in their place, tell what they should, and leave nothing behind?

use crate::common::expected::expect;
use evenhand_report::Layout;
use evenhand_report::live::{Line, Live, Waiting};
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{LogRatio, Verdict};
use proptest::prelude::*;
use std::time::Duration;
use unicode_width::UnicodeWidthChar;

// ---- a terminal ----

/// As much of a terminal as the lines need. Anything else is a mistake, and so is a line that wraps.
struct Terminal {
    columns: usize,
    rows: Vec<Vec<char>>,
    gone: Vec<String>,
    at: (usize, usize),
    wrapped: bool,
    coloured: bool,
}

impl Terminal {
    fn new(columns: usize, rows: usize) -> Self {
        let rows = vec![vec![' '; columns]; rows];
        Self { columns, rows, gone: Vec::new(), at: (0, 0), wrapped: false, coloured: false }
    }

    fn take(&mut self, bytes: &[u8]) {
        let mut characters = std::str::from_utf8(bytes).unwrap().chars();
        while let Some(character) = characters.next() {
            match character {
                '\r' => self.at.1 = 0,
                '\n' => self.line_feed(),
                '\u{1b}' => {
                    assert_eq!(characters.next(), Some('['));
                    let code: String = characters.by_ref().take_while_inclusive().collect();
                    self.control(&code);
                }
                shown => self.put(shown),
            }
        }
    }

    fn line_feed(&mut self) {
        if self.at.0 + 1 < self.rows.len() {
            self.at.0 += 1;
        } else {
            self.gone.push(self.rows.remove(0).into_iter().collect::<String>().trim_end().to_owned());
            self.rows.push(vec![' '; self.columns]);
        }
    }

    fn control(&mut self, code: &str) {
        let (row, column) = self.at;
        match code.split_at(code.len() - 1) {
            (count, "A") => {
                let count: usize = count.parse().unwrap();
                assert!(count <= row, "beyond the top of the screen");
                self.at.0 -= count;
            }
            ("", "K") => self.rows[row][column..].fill(' '),
            ("", "J") => {
                self.rows[row][column..].fill(' ');
                self.rows[row + 1..].iter_mut().for_each(|row| row.fill(' '));
            }
            (style, "m") => self.coloured = !matches!(style, "0" | ""),
            other => assert_eq!(other, ("", "m"), "an escape that was not expected"),
        }
    }

    fn put(&mut self, character: char) {
        assert!(!character.is_control(), "{character:?}");
        let wide = character.width().unwrap();
        // Also in the last column the cursor hangs.
        if self.at.1 + wide >= self.columns {
            self.wrapped = true;
            return;
        }
        if wide > 0 {
            self.rows[self.at.0][self.at.1] = character;
            self.rows[self.at.0][self.at.1 + 1..self.at.1 + wide].fill('\0');
        }
        self.at.1 += wide;
    }

    fn seen(&self) -> Vec<String> {
        let text = |row: &Vec<char>| row.iter().filter(|cell| **cell != '\0').collect::<String>();
        let mut seen: Vec<String> = self.rows.iter().map(|row| text(row).trim_end().to_owned()).collect();
        while seen.last().is_some_and(String::is_empty) {
            seen.pop();
        }
        seen
    }
}

/// The parameters of an escape and the letter that ends it.
trait TakeWhileInclusive: Iterator<Item = char> + Sized {
    fn take_while_inclusive(self) -> impl Iterator<Item = char>;
}

impl<I: Iterator<Item = char>> TakeWhileInclusive for I {
    fn take_while_inclusive(mut self) -> impl Iterator<Item = char> {
        let mut ended = false;
        std::iter::from_fn(move || {
            let next = if ended { None } else { self.next() };
            ended = next.is_some_and(|character| character.is_ascii_alphabetic());
            next
        })
    }
}

// ---- what is drawn ----

fn verdict(low: Option<f64>, estimate: f64, high: Option<f64>, rounds: usize) -> Verdict {
    let effect = |relative: f64| LogRatio(relative.ln_1p());
    let interval = Interval { low: low.map(effect), estimate: effect(estimate), high: high.map(effect) };
    Verdict::of(Look::Interval(interval), Margin::default(), rounds)
}

fn pair<'a>(candidate: &'a str, baseline: &'a str, verdict: Verdict) -> Line<'a> {
    let settled = verdict.word.is_final();
    Line::Pair { candidate, baseline, metric: None, verdict, settled }
}

/// A measurement as it goes on: an effect of -1.4 % whose interval narrows.
fn narrowing(rounds: usize) -> Verdict {
    let half = 0.12 / (rounds as f64).sqrt();
    if rounds < 7 {
        return verdict(None, 0.0, None, rounds);
    }
    verdict(Some(-0.014 - half), -0.014, Some(-0.014 + half), rounds)
}

const BUDGET: Duration = Duration::from_secs(30);

fn draw(live: &mut Live, lines: &[Line<'_>], rounds: u64, at: Duration) -> Vec<u8> {
    let mut out = Vec::new();
    live.draw(&mut out, lines, None, rounds, at, BUDGET).unwrap();
    out
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// What is on the screen after each of some rounds.
fn frames(layout: Layout) -> String {
    let columns = layout.width.unwrap();
    let mut terminal = Terminal::new(columns, 24);
    let mut live = Live::new(layout, 24, 1.0, "round");
    let mut seen = String::new();
    for rounds in [1, 10, 60, 400, 1500, 6000] {
        let third = verdict(Some(0.29), 0.31, Some(0.33), rounds.min(60));
        let lines = [
            pair("new", "old", narrowing(rounds)),
            pair("a third one with a long name, of many words", "old", third),
            Line::Alone { arm: "alone", text: "median 8.12 ms ± 0.04 µs" },
        ];
        let bytes = draw(&mut live, &lines, rounds as u64, seconds(rounds as f64 / 250.0));
        terminal.take(&bytes);
        assert!(!terminal.wrapped, "{columns}");
        if layout.colour {
            seen += &String::from_utf8(bytes).unwrap().replace('\u{1b}', "ESC").replace('\r', "CR");
        } else {
            seen += &terminal.seen().join("\n");
        }
        seen += "\n\n";
    }
    live_is_gone(&mut live, &mut terminal, &[]);
    seen
}

fn live_is_gone(live: &mut Live, terminal: &mut Terminal, before: &[&str]) {
    let mut out = Vec::new();
    live.clear(&mut out).unwrap();
    terminal.take(&out);
    assert_eq!(terminal.seen(), before);
    assert_eq!(terminal.at, (before.len(), 0));
    assert!(!terminal.coloured);
    out.clear();
    live.clear(&mut out).unwrap();
    assert!(out.is_empty(), "there is nothing to clear twice");
}

#[test]
fn frames_at_40_80_and_200_columns() {
    let mut all = String::new();
    for width in [40, 80, 200] {
        for unicode in [true, false] {
            let layout = Layout { unicode, ..Layout::new(Some(width)) };
            let shown = frames(layout);
            assert!(unicode || shown.is_ascii(), "{shown}");
            all += &format!("{width} columns, {}\n{shown}", if unicode { "Unicode" } else { "ASCII" });
        }
    }
    expect("live", &all);
}

#[test]
fn frames_in_colour_byte_by_byte() {
    let shown = frames(Layout { colour: true, ..Layout::new(Some(80)) });
    expect("live_colour", &shown);
}

#[test]
fn nothing_is_left_of_many_frames_and_what_was_there_before_stays() {
    let mut terminal = Terminal::new(60, 10);
    terminal.take(b"$ evenhand run\r\nseed 7\r\n");
    let mut live = Live::new(Layout::new(Some(60)), 10, 1.0, "round");
    for rounds in 1..300 {
        let verdict = narrowing(rounds);
        // One line less half way through: its row must not stay.
        let lines = [pair("new", "old", verdict), pair("日本語", "old", verdict), pair("c", "old", verdict)];
        let lines = if rounds > 150 { &lines[..2] } else { &lines[..] };
        terminal.take(&draw(&mut live, lines, rounds as u64, seconds(rounds as f64 * 0.2)));
        assert_eq!(terminal.seen().len(), 2 + lines.len(), "{:?}", terminal.seen());
        assert_eq!(terminal.seen()[..2], ["$ evenhand run", "seed 7"]);
    }
    assert!(!terminal.wrapped);
    live_is_gone(&mut live, &mut terminal, &["$ evenhand run", "seed 7"]);
}

#[test]
fn at_the_bottom_of_the_screen_earlier_text_scrolls_and_stays() {
    let mut terminal = Terminal::new(60, 4);
    terminal.take(b"one\r\ntwo\r\nthree\r\n");
    let mut live = Live::new(Layout::new(Some(60)), 4, 1.0, "round");
    for step in 1..5 {
        let verdict = narrowing(100 * step);
        let lines = [pair("new", "old", verdict), pair("c", "old", verdict)];
        terminal.take(&draw(&mut live, &lines, 0, seconds(step as f64)));
    }
    assert_eq!(terminal.gone, ["one"]);
    live_is_gone(&mut live, &mut terminal, &["two", "three"]);
}

#[test]
fn never_more_lines_than_rows() {
    let names: Vec<String> = (0..20).map(|place| format!("arm {place}")).collect();
    let open = narrowing(100);
    let done = verdict(Some(0.05), 0.06, Some(0.07), 90);
    let line = |place: usize| pair(&names[place], "old", if place < 15 { done } else { open });
    let lines: Vec<Line<'_>> = (0..20).map(line).collect();
    for rows in 1..25 {
        let mut terminal = Terminal::new(80, rows);
        let mut live = Live::new(Layout::new(Some(80)), rows, 1.0, "round");
        terminal.take(&draw(&mut live, &lines, 100, seconds(1.0)));
        terminal.take(&draw(&mut live, &lines, 101, seconds(2.0)));
        let seen = terminal.seen();
        assert!(terminal.gone.is_empty() && seen.len() <= rows, "{rows}: {seen:?}");
        if (3..21).contains(&rows) {
            assert_eq!(seen.len(), rows - 1);
            assert_eq!(seen.last().unwrap(), &format!("and {} more", 20 - (rows - 2)));
            // Those that are still measured come first.
            assert!(seen.iter().any(|line| line.starts_with("arm 15")), "{rows}: {seen:?}");
        }
        live_is_gone(&mut live, &mut terminal, &[]);
    }
}

#[test]
fn what_is_waited_for_stands_below_the_others_with_the_way_out() {
    let lines = [pair("new", "old", narrowing(5)), pair("c", "old", narrowing(5))];
    let waiting = |what| Waiting { what, time: seconds(12.7), way_out: "Ctrl-C ends it" };
    let mut terminal = Terminal::new(40, 24);
    let mut live = Live::new(Layout::new(Some(40)), 24, 1.0, "round");
    let mut draw = |what: Option<&'static str>, at: f64| {
        let mut out = Vec::new();
        live.draw(&mut out, &lines, what.map(waiting), 5, seconds(at), BUDGET).unwrap();
        terminal.take(&out);
        assert!(!terminal.wrapped);
        terminal.seen()
    };
    assert_eq!(draw(Some("vim"), 1.0)[2..], ["waiting for vim (12 s; Ctrl-C ends it)"]);
    let long = draw(Some("a command of\nmany words"), 2.0);
    assert!(long[2].starts_with("waiting for ") && long[2].ends_with(" (12 s; Ctrl-C ends it)"), "{long:?}");
    assert_eq!(draw(None, 3.0).len(), 2, "nothing is waited for any more");
    for rows in 1..6 {
        let mut terminal = Terminal::new(80, rows);
        let mut live = Live::new(Layout::new(Some(80)), rows, 1.0, "round");
        let mut out = Vec::new();
        live.draw(&mut out, &lines, Some(waiting("vim")), 5, seconds(1.0), BUDGET).unwrap();
        terminal.take(&out);
        assert!(terminal.gone.is_empty(), "{rows} rows");
    }
}

#[test]
fn at_most_ten_frames_a_second() {
    let mut live = Live::new(Layout::new(Some(80)), 24, 1.0, "round");
    let lines = [pair("new", "old", narrowing(100))];
    let written = (0..5000_u32)
        .filter(|step| !draw(&mut live, &lines, 100, Duration::from_millis(u64::from(*step))).is_empty())
        .count();
    assert_eq!(written, 50);
    // The clock of the next group begins anew.
    assert!(!draw(&mut live, &lines, 1, Duration::ZERO).is_empty());
}

#[test]
fn a_terminal_that_became_narrower_is_cleaned_too() {
    let lines = [pair("new", "old", narrowing(100)), pair("c", "old", narrowing(100))];
    let mut live = Live::new(Layout::new(Some(100)), 24, 1.0, "round");
    draw(&mut live, &lines, 100, seconds(1.0));
    live.resize(40, 24);
    // Two lines of 90 columns and more take three rows each now.
    let bytes = String::from_utf8(draw(&mut live, &lines, 100, seconds(2.0))).unwrap();
    assert!(bytes.starts_with("\r\u{1b}[5A"), "{bytes:?}");
}

#[test]
fn the_scale_goes_down_in_steps() {
    let mut live = Live::new(Layout::new(Some(120)), 24, 1.0, "round");
    let mut scales: Vec<String> = Vec::new();
    for rounds in 1..4000_usize {
        let bytes = draw(&mut live, &[pair("new", "old", narrowing(rounds))], 0, seconds(rounds as f64));
        let shown = String::from_utf8(bytes).unwrap();
        let scale = shown.split('±').nth(1).unwrap().split(" %").next().unwrap().to_owned();
        if scales.last() != Some(&scale) {
            scales.push(scale);
        }
    }
    assert_eq!(scales, ["100", "10", "5", "3"]);
}

#[test]
fn hostile_names_are_only_names() {
    let names = [
        "\u{1b}[2J\u{1b}[31mred",
        "line\nend\r",
        "\u{202e}right to left\u{200f}",
        "日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語",
        "👩\u{200d}👩\u{200d}👧👩\u{200d}👩\u{200d}👧👩\u{200d}👩\u{200d}👧👩\u{200d}👩\u{200d}👧",
        &"x".repeat(5000),
        "",
    ];
    let mut all = String::new();
    for width in [1, 2, 5, 20, 40, 80, 200] {
        let mut terminal = Terminal::new(width, 24);
        let mut live = Live::new(Layout::new(Some(width)), 24, 1.0, "round");
        let lines: Vec<Line<'_>> = names.iter().map(|name| pair(name, "old", narrowing(100))).collect();
        terminal.take(&draw(&mut live, &lines, 100, seconds(1.0)));
        assert!(!terminal.wrapped, "{width}");
        if width >= 40 {
            all += &format!("{width} columns\n{}\n\n", terminal.seen().join("\n"));
        }
        live_is_gone(&mut live, &mut terminal, &[]);
    }
    expect("live_hostile", &all);
}

proptest! {
    #[test]
    fn no_frame_wraps_or_stays(
        names in prop::collection::vec("\\PC{0,60}", 1..6),
        width in 1_usize..130,
        rows in 1_usize..10,
        unicode: bool,
        ends in prop::collection::vec((0.0..9.0_f64, -0.9..9.0_f64, 1_usize..100_000), 1..6),
    ) {
        let mut terminal = Terminal::new(width, rows);
        let mut live = Live::new(Layout { unicode, colour: true, ..Layout::new(Some(width)) }, rows, 1.0, "round");
        for (step, (half, estimate, rounds)) in ends.iter().enumerate() {
            let verdict = verdict(Some((estimate - half).max(-0.99)), *estimate, Some(estimate + half), *rounds);
            let lines: Vec<Line<'_>> = names.iter().map(|name| pair(name, "old", verdict)).collect();
            terminal.take(&draw(&mut live, &lines, *rounds as u64, seconds(step as f64)));
            prop_assert!(!terminal.wrapped && terminal.gone.is_empty());
        }
        live_is_gone(&mut live, &mut terminal, &[]);
    }
}
