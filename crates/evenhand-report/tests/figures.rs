//! Is every picture drawn, with what it has to show, and said to be impossible where it is?

use evenhand_analysis::charts::charts;
use evenhand_analysis::{Settings, Study, analyse};
use evenhand_report::figures::{Figure, Kind, Of};
use evenhand_trial::{Arm, ArmId, LaunchId, Metric, Origin, Schedule, Seed, Series, Trial, TrialId, Unit};

/// Two arms of 200 rounds; the second takes 5 % more, each with luck of its own.
fn trial(candidate: &str) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(7), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(7)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    for (arm, name, factor, apart) in [(0, "old", 1.0, 7919), (1, candidate, 1.05, 5417)] {
        trial.arms.push(Arm { name: name.to_owned(), ..Arm::default() });
        let mut series = Series::new(ArmId(arm), LaunchId(0), 1);
        series.values[0] =
            (0..200).map(|round| factor * (1e6 + f64::from(round * apart % 103) * 300.0)).collect();
        trial.series.push(series);
    }
    trial
}

fn drawn(trial: &Trial, kind: Kind) -> Result<String, String> {
    let analysis = analyse(trial, &Settings::default()).unwrap();
    let charts = charts(&Study::of(trial), &analysis);
    let figure =
        Figure { analysis: &analysis, charts: &charts, kind, of: Of::Comparison(0), size: (800, 500) };
    figure.svg().map_err(|undrawn| undrawn.to_string())
}

#[test]
fn every_picture_of_a_measured_trial_is_drawn() {
    for kind in Kind::ALL {
        let svg = drawn(&trial("new"), kind).unwrap();
        assert!(svg.starts_with("<svg width=\"800\" height=\"500\"") && svg.ends_with("</svg>\n"), "{kind}");
        let marks = svg.matches("<circle").count()
            + svg.matches("<polyline").count()
            + svg.matches("<polygon").count();
        assert!(marks >= 3, "{kind} has {marks} marks");
    }
}

#[test]
fn a_dot_for_each_round_and_a_line_for_the_effect() {
    let svg = drawn(&trial("new"), Kind::Difference).unwrap();
    let shown = svg.matches("<circle").count();
    // Those beyond the axis stay away, and the legend has one.
    assert!((185..=201).contains(&shown), "{shown}");
    assert!(svg.contains("new against old") && svg.contains("#7A3E9D"), "{svg}");
    assert_eq!(drawn(&trial("new"), Kind::Scatter).unwrap().matches("<circle").count(), 200);
}

#[test]
fn a_png_has_the_size_the_background_and_all_inks() {
    let trial = trial("new, \u{65e5}\u{672c}");
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let charts = charts(&Study::of(&trial), &analysis);
    let figure = Figure {
        analysis: &analysis,
        charts: &charts,
        kind: Kind::Difference,
        of: Of::Comparison(0),
        size: (640, 400),
    };
    let (shape, pixels) = decoded(&figure.png(1).unwrap());
    assert_eq!((shape.width, shape.height, shape.color_type), (640, 400, png::ColorType::Rgb));
    let share = |wanted: [u8; 3]| {
        pixels.chunks(3).filter(|pixel| *pixel == wanted).count() as f64 / f64::from(640 * 400)
    };
    assert!(share([255, 255, 255]) > 0.5 && share([0x7a, 0x3e, 0x9d]) > 0.001, "background and effect");
    // The letters of the title.
    let dark = pixels[..3 * 640 * 30].chunks(3).filter(|pixel| pixel[0] < 100).count();
    assert!(dark > 100, "{dark}");
    let (twice, pixels) = decoded(&figure.png(2).unwrap());
    assert_eq!((twice.width, twice.height), (1280, 800));
    let purple = pixels.chunks(3).filter(|pixel| *pixel == [0x7a, 0x3e, 0x9d]).count() as f64;
    let share_of_twice = purple / f64::from(1280 * 800);
    let once = share([0x7a, 0x3e, 0x9d]);
    assert!(
        share_of_twice > 0.9 * once && share_of_twice < 1.6 * once,
        "{share_of_twice} {once}: lines are as wide"
    );
    let refused = Figure { size: (10_000, 10_000), ..figure }.png(2).unwrap_err().to_string();
    assert!(refused.contains("more than 100 million pixels: choose a smaller size or scale"), "{refused}");
}

fn decoded(file: &[u8]) -> (png::OutputInfo, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let shape = reader.next_frame(&mut pixels).unwrap();
    (shape, pixels)
}

/// Where the letters of a line are: the middle of the ink of each, in pixels. Between letters there must be none.
fn letters(line: &[u8], width: usize) -> Vec<f64> {
    let ink = |x: usize| line.chunks(3 * width).map(|row| 255.0 - f64::from(row[3 * x])).sum::<f64>();
    let columns: Vec<(f64, f64)> = (0..width).map(|x| (x as f64, ink(x))).collect();
    let middle = |letter: &[(f64, f64)]| {
        let all: f64 = letter.iter().map(|(_, ink)| ink).sum();
        letter.iter().map(|(x, ink)| x * ink).sum::<f64>() / all
    };
    columns.split(|(_, ink)| *ink == 0.0).filter(|letter| !letter.is_empty()).map(middle).collect()
}

#[test]
fn letters_of_a_png_stand_at_even_distances() {
    let trial = trial("IIIIIIIIIIIIIIIIIIIIIIII");
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let charts = charts(&Study::of(&trial), &analysis);
    let (kind, of, size) = (Kind::Difference, Of::Comparison(0), (800, 500));
    let figure = Figure { analysis: &analysis, charts: &charts, kind, of, size };
    let (shape, pixels) = decoded(&figure.png(1).unwrap());
    let width = shape.width as usize;
    let found = letters(&pixels[..3 * width * 26], width);
    let distances: Vec<f64> = found[..24].windows(2).map(|two| two[1] - two[0]).collect();
    let ends = distances.iter().fold((f64::MAX, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
    assert!(ends.1 - ends.0 < 0.6, "{distances:?}");
}

fn inside<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let from = text.find(begin).unwrap() + begin.len();
    &text[from..from + text[from..].find(end).unwrap()]
}

#[test]
fn a_picture_has_the_colours_of_the_page() {
    let trial = trial("new");
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let mut page = Vec::new();
    let report = evenhand_report::page::Page { trial: &trial, analysis: &analysis, written_by: "evenhand" };
    report.write(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let of_page = |name: &str| inside(&page, &format!("--{name}: "), ";").to_uppercase();
    for (kind, names) in [
        (Kind::Run, ["baseline", "candidate"].as_slice()),
        (Kind::Difference, &["difference", "estimate", "soft"]),
        (Kind::Scatter, &["difference", "soft"]),
        (Kind::Forest, &["estimate", "soft"]),
    ] {
        let svg = drawn(&trial, kind).unwrap();
        for name in names {
            assert!(svg.contains(&of_page(name)), "{kind}: {name} is {} on the page", of_page(name));
        }
    }
}

#[test]
fn a_name_is_text() {
    let svg = drawn(&trial("<script>alert(1)</script>&\u{202e}\n"), Kind::Difference).unwrap();
    assert!(!svg.contains("<script") && !svg.contains('\u{202e}'));
    assert!(svg.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;\\u{202e}\\n against old"), "{svg}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let mut unpaired = trial("new");
    unpaired.schedule = None;
    unpaired.origin = Origin::Imported { format: "columns".to_owned(), tool: None, file: "x.csv".to_owned() };
    assert!(
        drawn(&unpaired, Kind::Difference)
            .unwrap_err()
            .contains("the order was not randomised, so there are no rounds")
    );
    assert!(drawn(&unpaired, Kind::Scatter).unwrap_err().contains("samples are not paired"));
    for kind in [Kind::Run, Kind::Shift, Kind::Distribution, Kind::Cumulative, Kind::Quantiles] {
        assert!(drawn(&unpaired, kind).is_ok(), "{kind}");
    }
    let mut alone = trial("new");
    alone.arms.pop();
    alone.series.pop();
    assert!(drawn(&alone, Kind::Shift).unwrap_err().contains("nothing is compared in this trial"));
    assert!(drawn(&alone, Kind::Run).is_ok());
    alone.series.clear();
    assert!(drawn(&alone, Kind::Run).unwrap_err().contains("no samples are stored"));
}

#[test]
fn samples_whose_order_is_lost_are_not_drawn_in_order() {
    let mut lost = trial("new");
    lost.schedule = None;
    lost.arms[1].order_lost = true;
    let run = drawn(&lost, Kind::Run).unwrap();
    assert_eq!(run.matches("<circle").count(), 201, "the other arm's, and one in the legend");
    assert!(run.contains("old") && !run.contains("new"), "{run}");
    lost.arms[0].order_lost = true;
    assert!(drawn(&lost, Kind::Run).unwrap_err().contains("their order is lost"));
    assert!(drawn(&lost, Kind::Cumulative).unwrap().contains("new"), "which needs no order");
}

#[test]
fn where_nothing_is_compared_the_arms_of_one_metric_share_an_axis() {
    let mut apart = trial("new");
    apart.metrics.push(Metric::time("max_rss", Unit::bytes()));
    apart.arms.push(Arm { name: "third".to_owned(), ..Arm::default() });
    apart.series.push(Series { arm: ArmId(2), ..apart.series[0].clone() });
    for (arm, series) in apart.arms.iter_mut().zip(&mut apart.series) {
        arm.group = arm.name.clone();
        series.values.push(Vec::new());
    }
    // The one in the middle was measured by the other metric alone.
    apart.series[1].values.swap(0, 1);
    for kind in [Kind::Run, Kind::Distribution, Kind::Cumulative, Kind::Quantiles] {
        let svg = drawn(&apart, kind).unwrap();
        assert!(svg.contains("old") && svg.contains("third") && !svg.contains("new"), "{kind}: {svg}");
    }
}

#[test]
fn of_very_many_samples_the_extremes_are_drawn() {
    let mut many = trial("new");
    for series in &mut many.series {
        series.values[0] = (0..50_000).map(|round| 1e6 + f64::from(round * 7919 % 10_007)).collect();
    }
    many.series[0].values[0][31_234] = 9e6;
    let svg = drawn(&many, Kind::Run).unwrap();
    assert!(svg.matches("<circle").count() <= 4002, "{}", svg.matches("<circle").count());
    assert!(svg.lines().any(|line| line == "8 ms"), "the axis reaches the one slow sample");
}

#[test]
fn a_single_arm_is_drawn_by_itself_and_compared_with_nothing() {
    let trial = trial("new");
    let analysis = analyse(&trial, &Settings::default()).unwrap();
    let charts = charts(&Study::of(&trial), &analysis);
    let of =
        |kind| Figure { analysis: &analysis, charts: &charts, kind, of: Of::Arm(1), size: (800, 500) }.svg();
    let run = of(Kind::Run).unwrap();
    // A dot for each sample, and one in the legend.
    assert_eq!(run.matches("<circle").count(), 201);
    assert!(run.contains("new") && !run.contains("old"));
    assert!(of(Kind::Shift).unwrap_err().0.contains("a single command or benchmark has no comparison"));
}
