//! How does a panel become SVG or PNG? With plotters, which knows axes, ticks and legends; here is only which of its elements a layer is.
//!
//! plotters escapes names for SVG. What moves the cursor or turns text around is spelled out before.

use super::panel::{Axis, Ink, Labels, Layer, Panel, Point, points};
use crate::plain::plain;
use crate::shorten::shortened;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::error::Error;
use std::fmt;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undrawn(pub String);

impl fmt::Display for Undrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Undrawn {}

pub(super) fn svg(panel: &Panel, size: (u32, u32)) -> Result<String, Undrawn> {
    let mut drawn = String::new();
    let area = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
    draw(panel, &area, 1).map_err(|error| impossible(&error))?;
    drop(area);
    Ok(drawn)
}

const COLOURS: usize = 3;
/// A picture is drawn with at least this many points for each pixel of its size, and points are averaged to pixels: letters stand where the
/// font wants them, not at the nearest pixel.
const FINE: u32 = 4;
/// More points than these are not drawn for the sake of letters.
const MOST_POINTS: u64 = 100_000_000;

/// The panel as a PNG file, with `scale` pixels for each of its size in both directions.
pub(super) fn png(panel: &Panel, (width, height): (u32, u32), scale: u32) -> Result<Vec<u8>, Undrawn> {
    let points = |scale: u32| u64::from(width) * u64::from(height) * u64::from(scale).pow(2);
    if points(scale) > MOST_POINTS {
        let millions = MOST_POINTS / 1_000_000;
        let size = format!("{width}x{height} with {scale} pixels for each");
        return Err(Undrawn(format!(
            "{size} is more than {millions} million pixels: choose a smaller size or scale"
        )));
    }
    let fine = (1..=FINE.div_ceil(scale)).rev().find(|fine| points(scale * fine) <= MOST_POINTS).unwrap_or(1);
    let drawn = pixels(panel, (width, height), scale * fine)?;
    encoded(&averaged(&drawn, (width * scale) as usize, fine as usize), (width * scale, height * scale))
}

fn pixels(panel: &Panel, (width, height): (u32, u32), scale: u32) -> Result<Vec<u8>, Undrawn> {
    let size = (width * scale, height * scale);
    let mut pixels = vec![0; COLOURS * size.0 as usize * size.1 as usize];
    let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
    draw(panel, &area, scale as i32).map_err(|error| impossible(&error))?;
    drop(area);
    Ok(pixels)
}

/// A pixel for each square of `fine` by `fine` points; rows of the picture are `width` pixels.
fn averaged(points: &[u8], width: usize, fine: usize) -> Vec<u8> {
    let row = COLOURS * width * fine;
    let of_pixel = |rows: &[u8], place: usize, colour: usize| {
        let at = |(y, x): (usize, usize)| u32::from(rows[y * row + COLOURS * (place * fine + x) + colour]);
        let sum: u32 = (0..fine * fine).map(|point| at((point / fine, point % fine))).sum();
        (sum / (fine * fine) as u32) as u8
    };
    let of_rows = |rows: &[u8]| -> Vec<u8> {
        (0..COLOURS * width).map(|value| of_pixel(rows, value / COLOURS, value % COLOURS)).collect()
    };
    points.chunks_exact(row * fine).flat_map(of_rows).collect()
}

fn encoded(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, Undrawn> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(|error| impossible(&error))?;
    writer.write_image_data(pixels).map_err(|error| impossible(&error))?;
    writer.finish().map_err(|error| impossible(&error))?;
    Ok(file)
}

fn impossible(error: &dyn fmt::Display) -> Undrawn {
    Undrawn(format!("this cannot be drawn: {error}"))
}

const FONT: &str = "sans-serif";
const TITLE: i32 = 18;
const TEXT: i32 = 13;
const MARGIN: i32 = 12;
const UNDER_AXIS: i32 = 44;
const BESIDE_AXIS: i32 = 84;
/// Names of rows need more room than numbers, but leave most to the picture.
const MOST_BESIDE_AXIS: i32 = 260;
const LETTER: i32 = 7;
const TICK: i32 = 5;
const LEGEND_SIGN: i32 = 30;
const LEGEND_MARGIN: i32 = 10;

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// All lengths are for a picture of one pixel to a point; `scale` makes them longer.
fn draw<DB: DrawingBackend>(panel: &Panel, area: &DrawingArea<DB, Shift>, scale: i32) -> Drawn<DB> {
    // Of two that register it, the second puts the same in its place.
    let _ = register_font(FONT, FontStyle::Normal, include_bytes!("font/sans.ttf"));
    area.fill(&WHITE)?;
    let (x, y) = (&panel.x, &panel.y);
    let mut chart = ChartBuilder::on(area)
        .caption(plain(&panel.title), (FONT, TITLE * scale))
        .margin(MARGIN * scale)
        .x_label_area_size(UNDER_AXIS * scale)
        .y_label_area_size(beside(y) * scale)
        .build_cartesian_2d(x.from..x.to, y.from..y.to)?;
    let rows = if let Labels::Names(names) = &y.labels { names.len() } else { 8 };
    chart
        .configure_mesh()
        .label_style((FONT, TEXT * scale))
        .axis_desc_style((FONT, TEXT * scale))
        .axis_style(BLACK.stroke_width(scale as u32))
        .set_all_tick_mark_size(TICK * scale)
        .x_desc(plain(&x.name))
        .y_desc(plain(&y.name))
        .x_labels(8)
        .y_labels(rows)
        .x_label_formatter(&|value| label(x, *value))
        .y_label_formatter(&|value| label(y, *value))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.08).stroke_width(scale as u32))
        .draw()?;
    for layer in &panel.layers {
        lay(layer, &mut chart, scale)?;
    }
    if panel.layers.iter().any(Layer::is_named) {
        chart
            .configure_series_labels()
            .position(emptiest_corner(panel))
            .label_font((FONT, TEXT * scale))
            .legend_area_size(LEGEND_SIGN * scale)
            .margin((LEGEND_MARGIN * scale) as u32)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3).stroke_width(scale as u32))
            .draw()?;
    }
    area.present()
}

type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn lay<'a, DB: DrawingBackend + 'a>(layer: &Layer, chart: &mut Chart<'a, DB>, scale: i32) -> Drawn<DB> {
    match layer {
        Layer::Points { points, ink, name } => {
            let colour = colour(*ink);
            let dots = visible(points).map(|point| Circle::new(point, 2 * scale, colour.mix(0.6).filled()));
            let series = chart.draw_series(dots)?;
            if let Some(name) = name {
                series.label(plain(name)).legend(move |at| Circle::new(at, 4 * scale, colour.filled()));
            }
        }
        Layer::Line { points, ink, dashed, name } => {
            let width = if *ink == Ink::Soft { 1 } else { 2 };
            let style = colour(*ink).stroke_width(width * scale as u32);
            let points = visible(points);
            let series = if *dashed {
                chart.draw_series(DashedLineSeries::new(points, 6 * scale, 4 * scale, style))?
            } else {
                chart.draw_series(LineSeries::new(points, style))?
            };
            if let Some(name) = name {
                let dash =
                    move |(x, y)| PathElement::new(vec![(x - 6 * scale, y), (x + 6 * scale, y)], style);
                series.label(plain(name)).legend(dash);
            }
        }
        Layer::Band { low, high, ink } => {
            let back: Vec<Point> = visible(high).collect();
            let around: Vec<Point> = visible(low).chain(back.into_iter().rev()).collect();
            if around.len() > 2 {
                chart.draw_series([Polygon::new(around, colour(*ink).mix(0.2).filled())])?;
            }
        }
    }
    Ok(())
}

/// Where a legend hides the least.
fn emptiest_corner(panel: &Panel) -> SeriesLabelPosition {
    use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    let share = |value: f64, axis: &Axis| (value - axis.from) / (axis.to - axis.from);
    let hidden = |left: bool, low: bool| {
        let near = |share: f64, beginning: bool| if beginning { share < 0.35 } else { share > 0.65 };
        let behind = |(x, y): &Point| near(share(*x, &panel.x), left) && near(share(*y, &panel.y), low);
        points(&panel.layers).filter(behind).count()
    };
    let corners = [
        (UpperRight, false, false),
        (UpperLeft, true, false),
        (LowerRight, false, true),
        (LowerLeft, true, true),
    ];
    corners
        .into_iter()
        .min_by_key(|(_, left, low)| hidden(*left, *low))
        .map_or(UpperRight, |(corner, ..)| corner)
}

/// A point without a place is not drawn.
fn visible(points: &[Point]) -> impl Iterator<Item = Point> + Clone + '_ {
    points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
}

fn colour(ink: Ink) -> RGBColor {
    let (red, green, blue) = ink.rgb();
    RGBColor(red, green, blue)
}

fn label(axis: &Axis, value: f64) -> String {
    const LAYOUT: crate::Layout = crate::Layout::new(None);
    let room = (MOST_BESIDE_AXIS / LETTER) as usize;
    shortened(&plain(&axis.labels.label(value)), room, LAYOUT)
}

fn beside(axis: &Axis) -> i32 {
    let Labels::Names(names) = &axis.labels else { return BESIDE_AXIS };
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    (i32::try_from(longest).unwrap_or(MOST_BESIDE_AXIS) * LETTER + 2 * MARGIN)
        .clamp(BESIDE_AXIS, MOST_BESIDE_AXIS)
}
