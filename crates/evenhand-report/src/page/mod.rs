//! How does a trial look to somebody who would rather look than read? One HTML file that needs nothing else: the numbers to draw,
//! and a script that draws them.
//!
//! ```text
//! <head>    what the page may do: its own script and style, nothing else (Content-Security-Policy), nothing from anywhere
//! <body>    the verdicts as text, for who has no script
//!           #data     analysis and charts, as JSON
//!           #columns  every sample, as base64 of little-endian numbers
//!           the script
//! ```
//!
//! The script is built from `web/` and checked in, with the hashes that the policy names: a page whose script was changed does
//! not run it. Names come from the user and from other people's files, so nothing of theirs is ever read as HTML: in JSON the
//! characters `<`, `>` and `&` are written as escapes.
//!
//! Tests: `tests/page.rs`; in a browser: `web/tests/`.

use crate::plain::plain;
use crate::record;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use evenhand_analysis::charts::{Charts, charts};
use evenhand_analysis::{Analysis, Comparison, Study, words};
use evenhand_trial::environment::Git;
use evenhand_trial::{ArmId, Environment, MetricId, Trial};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
/// What the policy calls them: `sha256-` and the hash, the script's on the first line, the style's on the second.
const HASHES: &str = include_str!("page.hashes");

/// A trial and its analysis, to be looked at in a browser.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The trial, with its samples.
    pub trial: &'a Trial,
    /// What is claimed of it.
    pub analysis: &'a Analysis,
    /// Who writes the page, such as `evenhand 0.1.0`.
    pub written_by: &'a str,
}

/// The JSON in the page.
#[derive(Serialize)]
struct Data<'a> {
    written_by: &'a str,
    title: String,
    head: Head,
    facts: Vec<(&'static str, String)>,
    analysis: &'a Analysis,
    words: Words<'a>,
    #[serde(flatten)]
    charts: &'a Charts,
}

/// Whose figures these are, at the top of the page.
#[derive(Serialize)]
struct Head {
    /// The folder that it was measured in, without the way there.
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<String>,
    /// Branch and commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
}

impl Head {
    fn of(environment: &Environment) -> Self {
        let machine = [environment.host.clone(), record::processor(&environment.cpu)];
        let machine: Vec<String> = machine.into_iter().flatten().collect();
        Self {
            project: environment.directory.as_deref().and_then(project).map(str::to_owned),
            revision: environment.git.as_ref().map(revision),
            machine: (!machine.is_empty()).then(|| machine.join(", ")),
        }
    }
}

/// This many digits name a commit.
const SHORT_COMMIT: usize = 10;

fn revision(git: &Git) -> String {
    let branch = git.branch.iter().map(|branch| format!("{branch} ")).collect::<String>();
    let commit: String = git.commit.chars().take(SHORT_COMMIT).collect();
    let dirty = if git.dirty { ", with changes" } else { "" };
    format!("{branch}{commit}{dirty}")
}

/// The last part of a path; a home folder is nobody's project.
fn project(directory: &str) -> Option<&str> {
    let mut parts = directory.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    let name = parts.next()?;
    let is_home = matches!(parts.next(), Some("home" | "Users")) || directory == "/root";
    (!is_home).then_some(name)
}

/// What the analysis says in its sentences, part by part.
#[derive(Serialize)]
struct Words<'a> {
    comparisons: Vec<OfComparison<'a>>,
    warnings: Vec<words::Warned<'a>>,
    /// What verdicts assume that do not rest on a random order.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumption: Option<&'static str>,
}

#[derive(Serialize)]
struct OfComparison<'a> {
    #[serde(flatten)]
    statement: words::Statement<'a>,
    /// What a positive change is called, and what a negative one.
    directions: [&'static str; 2],
    /// What the means say, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    means: Vec<String>,
}

impl<'a> Words<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let of_comparison = |comparison: &'a Comparison| OfComparison {
            statement: words::statement(analysis, comparison),
            directions: words::directions(analysis.names.metric(comparison.pair.metric)),
            means: words::means(analysis, comparison),
        };
        Self {
            comparisons: analysis.comparisons.iter().map(of_comparison).collect(),
            warnings: analysis.warnings.iter().map(|warning| words::warning(analysis, warning)).collect(),
            assumption: words::assumption(analysis),
        }
    }
}

impl Page<'_> {
    /// Writes the whole page.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let charts = charts(&Study::of(self.trial), self.analysis);
        let title = self.title();
        self.head(&title, out)?;
        let facts =
            record::about(self.trial).into_iter().chain(record::machine(&self.trial.environment)).collect();
        let head = Head::of(&self.trial.environment);
        let analysis = &shown(self.analysis);
        let words = Words::of(analysis);
        let data = Data { written_by: self.written_by, title, head, facts, analysis, words, charts: &charts };
        out.write_all(b"<script type=\"application/json\" id=\"data\">")?;
        serde_json::to_writer(InScript(&mut *out), &data)?;
        out.write_all(b"</script>\n<script type=\"application/octet-stream\" id=\"columns\">")?;
        for part in charts.columns.bytes().chunks(PART) {
            out.write_all(STANDARD.encode(part).as_bytes())?;
        }
        write!(out, "</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")
    }

    fn head(&self, title: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut hashes = HASHES.lines();
        let (script, style) = (hashes.next().unwrap_or_default(), hashes.next().unwrap_or_default());
        write!(
            out,
            "<!doctype html>\n\
             <html lang=\"en\">\n\
             <head>\n\
             <meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{script}'; \
             style-src '{style}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"generator\" content=\"{}\">\n\
             <title>{}</title>\n\
             <style>{STYLE}</style>\n\
             </head>\n\
             <body>\n\
             <noscript>\n{}</noscript>\n\
             <main id=\"page\"></main>\n",
            text(self.written_by),
            text(title),
            self.without_script(),
        )
    }

    fn title(&self) -> String {
        let about = &self.analysis.trial;
        match (&about.label, self.analysis.comparisons.as_slice()) {
            (Some(label), _) => label.clone(),
            (None, [only]) => self.analysis.names.both(only.pair),
            (None, []) => format!("trial {}", about.id.short()),
            (None, several) => format!("trial {}, {} comparisons", about.id.short(), several.len()),
        }
    }

    fn without_script(&self) -> String {
        let statements =
            self.analysis.comparisons.iter().map(|comparison| words::statement(self.analysis, comparison));
        let verdicts: String = statements
            .map(|statement| format!("<p>{}</p>\n", text(&statement.sentence().to_string())))
            .collect();
        verdicts + "<p>This page needs JavaScript to draw its charts.</p>\n"
    }
}

/// The analysis without what the page shows nothing of: of arms that are compared, their levels by other metrics than those they are
/// compared by, which are most of a trial of short commands.
fn shown(analysis: &Analysis) -> Analysis {
    let sides =
        |both: &Comparison| [both.pair.baseline, both.pair.candidate].map(|arm| (arm, both.pair.metric));
    let compared: BTreeSet<(ArmId, MetricId)> = analysis.comparisons.iter().flat_map(sides).collect();
    let arms: BTreeSet<ArmId> = compared.iter().map(|(arm, _)| *arm).collect();
    let mut shown = analysis.clone();
    shown.levels.retain(|level| !arms.contains(&level.arm) || compared.contains(&(level.arm, level.metric)));
    shown
}

/// So many bytes are encoded at once: a multiple of three, so that base64 needs no padding in between.
const PART: usize = 3 << 14;

/// Text between tags, whatever is in it.
fn text(any: &str) -> String {
    plain(any).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON inside of a script element, which ends at the first `</script`, wherever it stands: outside of its strings JSON has none
/// of these characters, inside they have escapes.
struct InScript<'a>(&'a mut dyn Write);

impl Write for InScript<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(place) = rest.iter().position(|byte| matches!(byte, b'<' | b'>' | b'&')) {
            self.0.write_all(&rest[..place])?;
            write!(self.0, "\\u{:04x}", rest[place])?;
            rest = &rest[place + 1..];
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
