//! `evenhand plot TRIAL --kind shift -o shift.svg`: one picture by itself, for an article or a slide.

use crate::selection::Selection;
use crate::verbs::export::folder_is_there;
use crate::{CliError, Stage};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use evenhand_analysis::charts::{Charts, charts};
use evenhand_analysis::{Analysis, Study};
use evenhand_formats::export::write_file;
use evenhand_formats::import;
use evenhand_report::figures::{Figure, Kind, Of};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand plot @last -o difference.svg                      the rounds, and the interval as it narrows
  evenhand plot @last --kind shift -o shift.svg              the ratio at every percentile
  evenhand plot @last --kind forest -o all.png               all comparisons of a suite
  evenhand plot @last --of 'new parser' --kind run -o run.svg
`evenhand report` draws all of them on one page.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Which chart to draw
    #[arg(long, value_name = "CHART", default_value_t = Kind::Difference, value_parser = kinds())]
    kind: Kind,
    /// Draw the comparison of this candidate or benchmark instead of the first, or this command alone
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Width and height in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "800x500", value_parser = size)]
    size: (u32, u32),
    /// Pixels of a PNG for each of --size, in both directions: 2 is sharp on most screens, 4 on paper
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    scale: u32,
    /// Write to FILE (.svg or .png) instead of SVG to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Read files as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<import::Format>,
}

/// By their names, so that the help lists them all.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    let named = |name: String| Kind::ALL.into_iter().find(|kind| kind.name() == name);
    PossibleValuesParser::new(Kind::ALL.map(Kind::name))
        .try_map(move |name| named(name).ok_or("no such chart"))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(wide, high)| Some((wide.parse().ok()?, high.parse().ok()?)));
    sides
        .filter(|(wide, high)| (200..=10_000).contains(wide) && (150..=10_000).contains(high))
        .ok_or_else(|| "expected width and height from 200x150 to 10000x10000, such as 800x500".to_owned())
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let form = arguments.output.as_deref().map_or(Ok(Form::Svg), Form::of)?;
    arguments.output.as_deref().map_or(Ok(()), folder_is_there)?;
    let (trial, analysis) = arguments.selection.analysed(arguments.from, None, stage)?;
    let charts = charts(&Study::of(&trial), &analysis);
    let of = arguments.of.as_deref().map_or(Ok(Of::Comparison(0)), |name| find(&analysis, &charts, name))?;
    let figure =
        Figure { analysis: &analysis, charts: &charts, kind: arguments.kind, of, size: arguments.size };
    let drawn = match form {
        Form::Svg => figure.svg().map(String::into_bytes),
        Form::Png => figure.png(arguments.scale),
    };
    let drawn = drawn.map_err(CliError::new)?;
    match &arguments.output {
        Some(file) => write_file(file, |out| Ok(out.write_all(&drawn)?)).map_err(CliError::new),
        None => Ok(stage.out.write_all(&drawn)?),
    }
}

/// How a picture is written.
enum Form {
    Svg,
    Png,
}

impl Form {
    fn of(file: &Path) -> Result<Self, CliError> {
        match file.extension().map(|ending| ending.to_ascii_lowercase()) {
            Some(ending) if ending == "svg" => Ok(Self::Svg),
            Some(ending) if ending == "png" => Ok(Self::Png),
            _ => Err(CliError::new(format_args!(
                "{}: charts are written as SVG or PNG: use the extension .svg or .png",
                file.display()
            ))),
        }
    }
}

/// A comparison by its candidate or its group; else an arm.
fn find(analysis: &Analysis, charts: &Charts, name: &str) -> Result<Of, CliError> {
    let comparison = analysis.comparisons.iter().position(|both| {
        let (names, candidate) = (&analysis.names, both.pair.candidate);
        names.arm(candidate) == name || names.group(candidate) == name
    });
    let arm = || charts.arms.iter().position(|arm| arm.arm == name).map(Of::Arm);
    comparison.map(Of::Comparison).or_else(arm).ok_or_else(|| {
        let names: Vec<String> = charts
            .arms
            .iter()
            .map(|arm| format!("\"{}\"", arm.arm.escape_debug()))
            .take(MOST_NAMES)
            .collect();
        let more = if charts.arms.len() > MOST_NAMES { " and others" } else { "" };
        CliError::new(format_args!(
            "nothing in this trial is named \"{}\": it has {}{more}",
            name.escape_debug(),
            names.join(", ")
        ))
    })
}

/// So many are named before it is enough.
const MOST_NAMES: usize = 12;
