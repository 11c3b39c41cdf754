//! What did all comparisons find, how did the interval of one narrow over the rounds, and did it matter who ran first? A row for each
//! comparison, look or order, all on one axis:
//!
//! ```text
//!  8  ├───[━━━━━━━━━■━━━━━━┯━━━]───┼──────┬──┤  -1.31 % [-2.72, -0.10]
//! 84  ├──────────[━━■━━]────┬──────┼──────┬──┤  -1.31 % [-1.80, -0.90]
//!     -3.00 %                      0   +1.50 %
//! ```
//!
//! Tests: `tests/plots.rs`.

use super::{heading, labels, width};
use crate::Layout;
use crate::bar::Axis;
use crate::plain::plain;
use crate::shorten::{padded, shortened};
use evenhand_analysis::Effect;
use evenhand_analysis::charts::{Moment, Picture};
use evenhand_analysis::words::{change, counted, short_effect};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// So many rows tell how an interval narrowed.
const MOST_ROWS: usize = 12;
/// `-1.31 % [-1.80, -0.90]`.
const EFFECT: usize = 24;
/// Narrower than this there is no room for figures beside a bar.
const ROOM_FOR_EFFECT: usize = 64;

/// All comparisons by one metric, where there are several.
pub(super) fn forest_of(pictures: &[Picture], layout: Layout) -> Option<String> {
    let metric = &pictures.first()?.metric;
    let alike: Vec<&Picture> = pictures.iter().filter(|picture| picture.metric == *metric).collect();
    let ends = |picture: &&Picture| [picture.effect.low, picture.effect.estimate, picture.effect.high];
    let known: Vec<f64> = alike.iter().flat_map(ends).flatten().filter(|end| end.is_finite()).collect();
    if alike.len() < 2 || known.is_empty() {
        return None;
    }
    let margin = alike.iter().map(|picture| picture.margin).fold(0.0, f64::max);
    let low = known.iter().copied().fold(-1.5 * margin, f64::min);
    let high = known.iter().copied().fold(1.5 * margin, f64::max);
    let room = 0.05 * (high - low);
    let rows: Vec<Row> = alike
        .iter()
        .map(|picture| Row { name: plain(name(picture)).into_owned(), effect: picture.effect })
        .collect();
    let title = format!("{} comparisons, by {metric}", alike.len());
    Some(heading(&title, layout) + &forest(&rows, [low - room, high + room], margin, layout, false))
}

fn name(picture: &Picture) -> &str {
    if picture.group.is_empty() { &picture.candidate } else { &picture.group }
}

pub(super) fn over_rounds(picture: &Picture, layout: Layout) -> Option<String> {
    if picture.moments.is_empty() {
        return None;
    }
    let Picture { candidate, baseline, metric, unit_of_moments, .. } = picture;
    let over = if unit_of_moments == "launch" { "launches" } else { "rounds" };
    let title = format!("{candidate} against {baseline} over {over}, by {metric}");
    let rows: Vec<Row> = some_of(&picture.moments)
        .into_iter()
        .map(|moment| Row { name: moment.after.to_string(), effect: moment.effect })
        .collect();
    Some(heading(&title, layout) + &forest(&rows, picture.moments_axis, picture.margin, layout, true))
}

pub(super) fn by_order(picture: &Picture, layout: Layout) -> Option<String> {
    let order = picture.order.as_ref()?;
    let title = format!("{} against {} by who ran first", picture.candidate, picture.baseline);
    let both = [("candidate first", &order.candidate_first), ("baseline first", &order.candidate_second)];
    let rounds =
        |rounds| if width(layout) < ROOM_FOR_EFFECT { format!("{rounds}") } else { counted(rounds, "round") };
    let rows: Vec<Row> = both
        .into_iter()
        .map(|(name, one)| Row { name: format!("{name}, {}", rounds(one.rounds)), effect: one.effect })
        .collect();
    Some(heading(&title, layout) + &forest(&rows, order.axis, picture.margin, layout, false))
}

/// Rows spread over all moments since something is known, the last among them.
fn some_of(moments: &[Moment]) -> Vec<&Moment> {
    let last = moments.len() - 1;
    let from = moments.iter().position(|moment| moment.effect.estimate.is_some()).unwrap_or(last);
    let moments = &moments[from..];
    let last = last - from;
    let rows = MOST_ROWS.min(moments.len());
    (0..rows).filter_map(|row| moments.get(if rows > 1 { row * last / (rows - 1) } else { last })).collect()
}

struct Row {
    name: String,
    effect: Effect,
}

fn forest(rows: &[Row], [from, to]: [f64; 2], margin: f64, layout: Layout, to_the_right: bool) -> String {
    let width = width(layout);
    let figures = width >= ROOM_FOR_EFFECT;
    let names = rows.iter().map(|row| row.name.width()).max().unwrap_or(0).min(width / 2);
    let columns = width - names - 2 - if figures { EFFECT + 2 } else { 0 };
    let axis = Axis { from, to, margin, columns };
    let mut drawn = String::new();
    for row in rows {
        let name = shortened(&row.name, names, layout);
        let name = if to_the_right { format!("{name:>names$}") } else { padded(&name, names) };
        let _ = write!(drawn, "{name}  {}", axis.bar(&row.effect, layout));
        if figures && row.effect.estimate.is_some() {
            let _ = write!(drawn, "  {}", layout.characters(&short_effect(&row.effect)));
        }
        drawn.push('\n');
    }
    let _ = writeln!(drawn, "{}{}", " ".repeat(names + 2), under(axis, layout));
    drawn
}

/// Both ends of the axis, and where there is no difference.
fn under(axis: Axis, layout: Layout) -> String {
    let in_words = |effect: f64| layout.characters(&change(effect)).into_owned();
    let mut wanted = vec![(0, in_words(axis.from))];
    wanted.extend(axis.inside(0.0).map(|column| (column, "0".to_owned())));
    wanted.push((axis.columns.saturating_sub(1), in_words(axis.to)));
    labels(&wanted, axis.columns)
}
