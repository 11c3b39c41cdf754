//! How far is a measurement? One line a comparison, drawn over and over in its place while the rounds go on:
//!
//! ```text
//! new vs old   84 rounds  −1.31 % [−1.80, −0.90]  ├──[━■━]┬──┼───┬───────┤ ±3 %  ~4 s left
//! ```
//!
//! The caller hands over the time, and calls after every round if it likes: nothing is written more than ten times a
//! second. No line is as wide as the terminal, so none wraps; there are never more lines than rows; the cursor is
//! never hidden, so nothing has to be restored when the program dies. [`Live::clear`] leaves the screen as it was.
//! For output that is no terminal this is not used at all.
//!
//! The escape codes are those of ECMA-48 that every terminal has: cursor up (`CSI n A`), erase to the end of the line
//! (`CSI K`) and of the screen (`CSI J`), <https://ecma-international.org/publications-and-standards/standards/ecma-48/>.
//!
//! Tests: `tests/live.rs`.

use crate::Layout;
use crate::bar::Axis;
use crate::plain::plain;
use crate::shorten::{columns, padded, shortened};
use crate::style::Tone;
use evenhand_analysis::Effect;
use evenhand_analysis::words::{counted, short_effect};
use evenhand_stats::randomised::{LogRatio, Verdict};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

/// What one line tells.
#[derive(Debug, Clone, Copy)]
pub enum Line<'a> {
    /// A candidate against its baseline.
    Pair {
        candidate: &'a str,
        baseline: &'a str,
        /// The metric, if there are several.
        metric: Option<&'a str>,
        /// What the last look found.
        verdict: Verdict,
        /// Whether the verdict stands and the candidate rests.
        settled: bool,
    },
    /// An arm without a rival.
    Alone {
        arm: &'a str,
        /// What is known of it, in the caller's words: `median 8.12 ms`.
        text: &'a str,
    },
}

/// What takes long just now; its line stands below the others.
#[derive(Debug, Clone, Copy)]
pub struct Waiting<'a> {
    pub what: &'a str,
    /// How long it has run.
    pub time: Duration,
    /// How the user ends it: `Ctrl-C ends it`.
    pub way_out: &'a str,
}

/// Lines on a terminal that are drawn over.
#[derive(Debug)]
pub struct Live {
    layout: Layout,
    rows: usize,
    margin: f64,
    /// What is counted: `round`, `launch`.
    unit: &'static str,
    /// Half of each line's axis, so that it does not jump with every frame.
    reaches: Vec<f64>,
    /// Widths of the lines on the screen, the cursor being behind the last of them.
    shown: Vec<usize>,
    drawn: Option<Duration>,
}

/// Ten times a second is as fast as one reads.
const BETWEEN_DRAWS: Duration = Duration::from_millis(100);
/// A terminal that does not say how wide it is.
const USUAL_WIDTH: usize = 80;

impl Live {
    /// Nothing is on the screen yet. `rows`: how high the terminal is; `margin_percent`: the smallest change worth acting
    /// on; `unit`: what is counted, `round` or `launch`.
    pub fn new(layout: Layout, rows: usize, margin_percent: f64, unit: &'static str) -> Self {
        let margin = margin_percent / 100.0;
        Self { layout, rows, margin, unit, reaches: Vec::new(), shown: Vec::new(), drawn: None }
    }

    /// The terminal has another size now.
    pub fn resize(&mut self, columns: usize, rows: usize) {
        self.layout.width = Some(columns);
        self.rows = rows;
    }

    /// Draws the lines in place of the last ones, and below them what is waited for, unless that is less than a tenth of a second ago. `rounds`, `elapsed`
    /// and `budget` are those of the group that is measured.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn draw(
        &mut self,
        out: &mut dyn Write,
        lines: &[Line<'_>],
        waiting: Option<Waiting<'_>>,
        rounds: u64,
        elapsed: Duration,
        budget: Duration,
    ) -> io::Result<()> {
        let since = self.drawn.and_then(|drawn| elapsed.checked_sub(drawn));
        if since.is_some_and(|since| since < BETWEEN_DRAWS) {
            return Ok(());
        }
        self.drawn = Some(elapsed);
        let texts = self.texts(lines, &Time { rounds, elapsed, budget, waiting });
        let mut frame = self.to_the_top();
        for (place, text) in texts.iter().enumerate() {
            let end = if place == 0 { "" } else { "\r\n" };
            // Erased first: behind a full line some terminals would erase its last character.
            let _ = write!(frame, "{end}\x1b[K{}{}", text.start, self.layout.toned(text.tone, &text.end));
        }
        frame.push_str("\x1b[J");
        self.shown = texts.iter().map(Text::width).collect();
        out.write_all(frame.as_bytes())?;
        out.flush()
    }

    /// Takes all lines off the screen; the cursor stands where the first began. Before anything else is printed, between two
    /// groups, and at the end.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn clear(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.drawn = None;
        self.reaches.clear();
        if self.shown.is_empty() {
            return Ok(());
        }
        let frame = self.to_the_top() + "\x1b[J";
        self.shown.clear();
        out.write_all(frame.as_bytes())?;
        out.flush()
    }
}

/// Where the group is.
struct Time<'a> {
    rounds: u64,
    elapsed: Duration,
    budget: Duration,
    waiting: Option<Waiting<'a>>,
}

/// A line as it is shown; only its end has a colour.
#[derive(Debug, Default)]
struct Text {
    start: String,
    end: String,
    tone: Option<Tone>,
}

impl Text {
    fn width(&self) -> usize {
        columns(&self.start) + columns(&self.end)
    }

    /// What fits.
    fn cut(mut self, width: usize, layout: Layout) -> Self {
        self.start = shortened(&self.start, width, layout);
        self.end = if self.width() > width { String::new() } else { self.end };
        self
    }
}

/// The parts of a line, before it is known how wide they may be.
struct Parts {
    name: String,
    /// The name where there is little room: the candidate alone.
    short: String,
    rounds: String,
    effect: String,
    interval: Option<Effect>,
    end: String,
    tone: Option<Tone>,
}

impl Live {
    /// Back to where the first line begins. In a terminal that has become narrower the old lines take more rows.
    fn to_the_top(&self) -> String {
        let columns = self.columns();
        let rows: usize = self.shown.iter().map(|width| width.div_ceil(columns).max(1)).sum();
        match rows.saturating_sub(1) {
            0 => "\r".to_owned(),
            above => format!("\r\x1b[{above}A"),
        }
    }

    fn columns(&self) -> usize {
        self.layout.width.unwrap_or(USUAL_WIDTH).max(1)
    }

    /// The widest a line may be: in the last column the cursor would hang between two lines.
    fn room(&self) -> usize {
        self.columns() - 1
    }

    fn texts(&mut self, lines: &[Line<'_>], time: &Time<'_>) -> Vec<Text> {
        let waiting = time.waiting.filter(|_| self.rows > 2).map(|waiting| self.waiting(waiting));
        let rows = self.rows.saturating_sub(1 + usize::from(waiting.is_some())).max(1);
        let chosen = chosen(lines, rows);
        self.reaches.resize(lines.len().max(self.reaches.len()), f64::INFINITY);
        let parts: Vec<Parts> = chosen.iter().map(|place| self.parts(&lines[*place], time)).collect();
        let widths = Widths::of(&parts, self.room());
        let mut texts: Vec<Text> = Vec::with_capacity(parts.len() + 1);
        for (part, &place) in parts.iter().zip(&chosen) {
            let bar = (widths.bar > 0)
                .then(|| self.bar(part, place, widths.bar) + &self.scale(part, place, widths.scale));
            texts.push(widths.line(part, bar, self.layout).cut(self.room(), self.layout));
        }
        texts.extend(self.rest(lines, &chosen));
        texts.extend(waiting);
        texts
    }

    /// `waiting for vim (12 s; Ctrl-C ends it)`; a long name is shortened, never the way out.
    fn waiting(&self, Waiting { what, time, way_out }: Waiting<'_>) -> Text {
        let (start, end) = ("waiting for ", format!(" ({} s; {way_out})", time.as_secs()));
        let room = self.room().saturating_sub(start.len() + columns(&end));
        let name = shortened(&self.layout.characters(&plain(what)), room.max(1), self.layout);
        let start = format!("{start}{name}{end}");
        Text { start, ..Text::default() }.cut(self.room(), self.layout)
    }

    /// The line that stands for those that do not fit.
    fn rest(&self, lines: &[Line<'_>], chosen: &[usize]) -> Option<Text> {
        let more = lines.len() - chosen.len();
        let start = format!("and {more} more");
        (more > 0 && self.rows > 2).then(|| Text { start, ..Text::default() }.cut(self.room(), self.layout))
    }

    fn parts(&self, line: &Line<'_>, time: &Time<'_>) -> Parts {
        let layout = self.layout;
        let name = |name: &str| layout.characters(&plain(name)).into_owned();
        match *line {
            Line::Alone { arm, text } => Parts {
                name: name(arm),
                short: name(arm),
                rounds: counted(time.rounds as usize, self.unit),
                effect: name(text),
                interval: None,
                end: layout.characters(&left(time.budget.saturating_sub(time.elapsed), "")).into_owned(),
                tone: None,
            },
            Line::Pair { candidate, baseline, metric, verdict, settled } => {
                let metric = metric.map_or_else(String::new, |metric| format!(", {metric}"));
                let effect = effect(&verdict);
                Parts {
                    name: name(&format!("{candidate} vs {baseline}{metric}")),
                    short: name(&format!("{candidate}{metric}")),
                    rounds: counted(verdict.rounds, self.unit),
                    effect: layout.characters(&in_words(&verdict, &effect)).into_owned(),
                    interval: Some(effect),
                    end: if settled {
                        evenhand_analysis::words::word(verdict.word)
                    } else {
                        time.left(&verdict)
                    },
                    tone: Tone::of(verdict.word).filter(|_| settled),
                }
            }
        }
    }

    /// The interval bar, and how far it reaches.
    fn bar(&mut self, part: &Parts, place: usize, columns: usize) -> String {
        let Some(interval) = part.interval else { return " ".repeat(columns) };
        let needed = [interval.low, interval.high, interval.estimate].into_iter().flatten().map(f64::abs);
        let needed = needed.fold(2.0 * self.margin, f64::max);
        let known = interval.low.is_some() || interval.high.is_some();
        let Some(reach) = self.reaches.get_mut(place) else { return String::new() };
        *reach = next_reach(*reach, if known { needed } else { 0.8 * WIDEST });
        let axis = Axis { from: -*reach, to: *reach, margin: self.margin, columns };
        axis.bar(&interval, self.layout)
    }

    /// How far the bar reaches, in this room.
    fn scale(&self, part: &Parts, place: usize, room: usize) -> String {
        let reach = self.reaches.get(place).filter(|_| part.interval.is_some() && room > 0);
        let scale = reach.map_or_else(String::new, |reach| format!(" ±{} %", (reach * 1e6).round() / 1e4));
        padded(&self.layout.characters(&scale), room)
    }
}

/// Room for ` ±0.05 %`.
const SCALE: usize = 8;
/// Half of the widest axis, unless an effect is wider.
const WIDEST: f64 = 1.0;

/// Half of the axis, in steps of 1, 2, 3, 5. It shrinks when the interval needs less than four fifths of a smaller step,
/// and grows when the interval has clearly outgrown it; in between it stays, so that one sees the interval narrow.
fn next_reach(reach: f64, needed: f64) -> f64 {
    let smaller = step_from(needed / 0.8);
    if smaller < reach {
        return smaller;
    }
    if needed > 1.2 * reach { step_from(needed) } else { reach }
}

/// The smallest 1, 2, 3 or 5 times a power of ten from this number on.
fn step_from(needed: f64) -> f64 {
    let ten = 10_f64.powf(needed.clamp(1e-5, WIDEST).log10().floor());
    [1.0, 2.0, 3.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * ten)
        .find(|step| *step >= 0.9999 * needed)
        .unwrap_or(WIDEST)
}

/// The lines that are shown: all, or, where they are more than rows, those that are still measured first.
fn chosen(lines: &[Line<'_>], rows: usize) -> Vec<usize> {
    let all = 0..lines.len();
    if lines.len() <= rows {
        return all.collect();
    }
    let rests = |place: &usize| matches!(lines[*place], Line::Pair { settled: true, .. });
    let room = rows.saturating_sub(1).max(1);
    let mut chosen: Vec<usize> =
        all.clone().filter(|place| !rests(place)).chain(all.filter(rests)).take(room).collect();
    chosen.sort_unstable();
    chosen
}

fn effect(verdict: &Verdict) -> Effect {
    let relative = |effect: LogRatio| effect.0.exp_m1();
    verdict.interval.map_or_else(Effect::default, |interval| {
        let known = interval.low.is_some() || interval.high.is_some();
        Effect {
            estimate: known.then(|| relative(interval.estimate)),
            low: interval.low.map(relative),
            high: interval.high.map(relative),
        }
    })
}

fn in_words(verdict: &Verdict, effect: &Effect) -> String {
    if verdict.interval.is_none() {
        return "no constant effect".to_owned();
    }
    if effect.estimate.is_none() { "…".to_owned() } else { short_effect(effect) }
}

impl Time<'_> {
    /// How long it takes until the verdict stands at the present rate, or until the time is over.
    fn left(&self, verdict: &Verdict) -> String {
        let left = self.budget.saturating_sub(self.elapsed);
        let a_round = self.elapsed.checked_div(u32::try_from(verdict.rounds).unwrap_or(u32::MAX));
        let more = verdict.rounds_to_final.map(|needed| needed.saturating_sub(verdict.rounds as u64));
        let forecast =
            a_round.zip(more).and_then(|(round, more)| round.checked_mul(u32::try_from(more).ok()?));
        match forecast.filter(|forecast| *forecast < left) {
            Some(forecast) => self::left(forecast, "~"),
            None => self::left(left, ""),
        }
    }
}

fn left(time: Duration, about: &str) -> String {
    match time.as_secs_f64().ceil() {
        seconds if seconds < 120.0 => format!("{about}{seconds:.0} s left"),
        seconds if seconds < 7200.0 => format!("{about}{:.0} min left", seconds / 60.0),
        seconds => format!("{about}{:.0} h left", seconds / 3600.0),
    }
}

/// Between two parts.
const GAP: usize = 2;
/// A name is not shortened below this while something else can be given up.
const SHORTEST_NAME: usize = 10;
/// Names get so much before the bar grows.
const USUAL_NAME: usize = 40;
/// A bar narrower than this tells nothing.
const SHORTEST_BAR: usize = 13;
/// A wider one tells no more.
const LONGEST_BAR: usize = 41;
/// `−1.31 % [−1.80, −0.90]`, so that what follows keeps its place.
const USUAL_EFFECT: usize = 22;
/// `84 rounds`; more digits push.
const USUAL_ROUNDS: usize = 11;
/// `~12 s left`.
const USUAL_END: usize = 10;

/// How wide each part of all lines is; 0 for what is given up. The bar's scale goes first, then the bar,
/// the rounds, the time.
#[derive(Debug)]
struct Widths {
    name: usize,
    /// Whether the baselines are left out.
    short: bool,
    rounds: usize,
    effect: usize,
    bar: usize,
    scale: usize,
    end: usize,
}

impl Widths {
    fn of(parts: &[Parts], room: usize) -> Self {
        let widest = |part: fn(&Parts) -> &str, least: usize| {
            parts.iter().map(|all| columns(part(all))).max().unwrap_or(0).max(least)
        };
        let full = widest(|parts| &parts.name, 0);
        let pairs = parts.iter().any(|parts| parts.interval.is_some());
        let mut widths = Self {
            name: full.min(SHORTEST_NAME),
            short: false,
            rounds: widest(|parts| &parts.rounds, USUAL_ROUNDS),
            effect: widest(|parts| &parts.effect, if pairs { USUAL_EFFECT } else { 0 }),
            bar: if pairs { SHORTEST_BAR } else { 0 },
            scale: if pairs { SCALE } else { 0 },
            end: widest(|parts| &parts.end, USUAL_END),
        };
        let give_up: [fn(&mut Self); 4] = [
            |widths| widths.scale = 0,
            |widths| widths.bar = 0,
            |widths| widths.rounds = 0,
            |widths| widths.end = 0,
        ];
        for give_up in give_up {
            if widths.total() > room {
                give_up(&mut widths);
            }
        }
        widths.short = widths.total() + full > room + widths.name;
        let name = if widths.short { widest(|parts| &parts.short, 0) } else { full };
        widths.spread(room, name);
        widths
    }

    /// What room is left goes to names of a usual length, then to the bar, then to longer names.
    fn spread(&mut self, room: usize, name: usize) {
        let spare = |widths: &Self| room.saturating_sub(widths.total());
        self.name = name.min((self.name + spare(self)).min(USUAL_NAME.max(self.name)));
        if self.bar > 0 {
            // Odd, so that "no difference" has a column in the middle.
            self.bar = (self.bar + spare(self)).min(LONGEST_BAR);
            self.bar -= (self.bar + 1) % 2;
        }
        self.name = name.min(self.name + spare(self));
        if self.total() > room {
            self.name = self.name.saturating_sub(self.total() - room).max(1);
        }
    }

    fn total(&self) -> usize {
        let others = [self.rounds, self.effect, self.bar + self.scale, self.end];
        self.name + others.iter().filter(|width| **width > 0).map(|width| width + GAP).sum::<usize>()
    }

    fn line(&self, part: &Parts, bar: Option<String>, layout: Layout) -> Text {
        let name = if self.short { &part.short } else { &part.name };
        let mut start = padded(&shortened(name, self.name, layout), self.name);
        let gap = " ".repeat(GAP);
        if self.rounds > 0 {
            let _ = write!(start, "{gap}{:>width$}", part.rounds, width = self.rounds);
        }
        let _ = write!(start, "{gap}{}", padded(&part.effect, self.effect));
        if let Some(bar) = bar {
            let _ = write!(start, "{gap}{bar}");
        }
        if self.end == 0 {
            let trimmed = start.trim_end().len();
            start.truncate(trimmed);
            return Text { start, ..Text::default() };
        }
        Text { start: start + &gap, end: part.end.clone(), tone: part.tone }
    }
}
