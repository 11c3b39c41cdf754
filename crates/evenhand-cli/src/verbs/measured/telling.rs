//! What shall come out of a measurement, and where is it kept?

use crate::percent::percentile;
use crate::verbs::report;
use crate::{CliError, Stage};
use clap::{Args, ValueEnum};
use evenhand_analysis::Analysis;
use evenhand_analysis::words::TimeUnit;
use evenhand_archive::{Archive, Journal};
use evenhand_formats::export::{self, Format};
use evenhand_report::markdown::Place;
use evenhand_report::message::Message;
use evenhand_report::{Layout, Order};
use evenhand_trial::Trial;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
pub(crate) struct Telling {
    /// Show charts in the terminal
    #[arg(long, help_heading = OUTPUT)]
    pub plot: bool,
    /// Print every warning, remark and table
    #[arg(long, short, conflicts_with = "quiet", help_heading = OUTPUT)]
    pub verbose: bool,
    /// Also print these percentiles of both sides and their ratio, such as 50,95,99
    #[arg(long, value_name = "LIST", value_parser = percentile, value_delimiter = ',', help_heading = OUTPUT)]
    pub percentiles: Option<Vec<f64>>,
    /// Also print minima and means, with the paired z-test of their difference and what it assumes
    #[arg(long, help_heading = OUTPUT)]
    pub mean: bool,
    /// Print all times of the tables in this unit: s, ms, us or ns
    #[arg(long, short = 'u', value_name = "UNIT", help_heading = OUTPUT)]
    pub time_unit: Option<TimeUnit>,
    /// Order the rows of the tables
    #[arg(long, value_name = "ORDER", value_enum, help_heading = OUTPUT)]
    pub sort: Option<Sort>,
    /// Print only the verdict
    #[arg(long, short, conflicts_with = "plot", help_heading = OUTPUT)]
    pub quiet: bool,
    /// Print the whole analysis as JSON
    #[arg(long, conflicts_with_all = ["plot", "quiet"], help_heading = OUTPUT)]
    pub json: bool,
    /// Write the report page as HTML
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_html: Option<PathBuf>,
    /// Write the Markdown of `evenhand report --to markdown`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_markdown: Option<PathBuf>,
    /// Write the trial with all samples as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_json: Option<PathBuf>,
    /// Write every sample as a row of CSV
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_csv: Option<PathBuf>,
    /// Write OpenMetrics, for Prometheus
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_openmetrics: Option<PathBuf>,
    /// Write hyperfine's JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub export_hyperfine: Option<PathBuf>,
    /// Name the trial
    #[arg(long, value_name = "LABEL", conflicts_with = "no_save", help_heading = OUTPUT)]
    pub label: Option<String>,
    /// Do not store the trial in the archive
    #[arg(long, help_heading = OUTPUT)]
    pub no_save: bool,
}

/// How the rows of the tables are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// As named; benchmarks with the largest change first
    Auto,
    /// As named
    Command,
    /// By their means, the smallest first
    MeanTime,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Auto => Self::Usual,
            Sort::Command => Self::AsNamed,
            Sort::MeanTime => Self::ByMean,
        }
    }
}

/// The heading of the help that these stand under.
pub(crate) const OUTPUT: &str = "Output";

impl Telling {
    /// The layout with what was said of tables.
    pub(crate) fn of_tables(&self, layout: Layout) -> Layout {
        Layout { time_unit: self.time_unit, order: self.sort.map_or(layout.order, Order::from), ..layout }
    }

    fn exports(&self) -> impl Iterator<Item = (&PathBuf, Format)> {
        let wanted = [
            (&self.export_json, Format::Json),
            (&self.export_csv, Format::Csv),
            (&self.export_openmetrics, Format::OpenMetrics),
            (&self.export_hyperfine, Format::Hyperfine),
        ];
        wanted.into_iter().filter_map(|(file, format)| Some((file.as_ref()?, format)))
    }

    /// The files to write.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.exports().map(|(file, _)| file).chain(&self.export_html).chain(&self.export_markdown)
    }

    /// Before anything is measured: a file that cannot be written would be found out too late.
    pub(crate) fn refuse_impossible_files(&self) -> Result<(), CliError> {
        if self.files().any(|file| file == Path::new("-")) {
            return Err(CliError::new(
                "\"-\" is not a file: --json prints the analysis, `evenhand export @last` prints the trial",
            ));
        }
        self.files().try_for_each(|file| crate::verbs::export::folder_is_there(file))
    }

    /// Writes the files.
    pub(crate) fn write_exports(&self, trial: &Trial, analysis: &Analysis) -> Result<(), CliError> {
        if let Some(file) = &self.export_html {
            report::write(file, trial, analysis)?;
        }
        if let Some(file) = &self.export_markdown {
            report::write_markdown(file, analysis, Place::Comment)?;
        }
        for (file, format) in self.exports() {
            export::write_file(file, |out| export::export(trial, format, out)).map_err(CliError::new)?;
        }
        Ok(())
    }

    /// The journal of the trial. An archive that cannot be written does not stop the measuring: it is said.
    pub(crate) fn journal(&self, trial: &Trial, stage: &mut Stage<'_>) -> Result<Option<Journal>, CliError> {
        if self.no_save {
            return Ok(None);
        }
        let begun = stage.archive_to_write().and_then(|archive| self.begin(&archive, trial));
        match begun {
            Ok(journal) => Ok(Some(journal)),
            Err(CliError::Archive(error)) => {
                let warning = Message::warning(format_args!("this trial is not stored: {error}"));
                stage
                    .err
                    .say(&warning.hint("--no-save measures without storing, and without this warning"))?;
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    fn begin(&self, archive: &Archive, trial: &Trial) -> Result<Journal, CliError> {
        if let Some(label) = &self.label {
            crate::trials::check_label(archive, label, None)?;
        }
        Ok(archive.begin(trial)?)
    }
}
