//! From rows to pages: `RESULTS.md`, the summary on the terminal, and the promises that a run must keep.

use crate::mean_width::{COVERAGE, LARGE_WIDTH, MEDIAN_WIDTH};
use crate::printed::AS_PRINTED;
use crate::table::{Row, percent, pivot};
use crate::verdicts::ALPHAS;
use std::fmt::Write;

/// The parts of the report, in order: the name of the part in the rows, its heading, and how to read it.
const PARTS: [(&str, &str, &str); 16] = [
    (
        "false alarms",
        "False alarms: identical arms, so every verdict of a change is wrong",
        "Share of draws with a verdict of a change. \"Watched\" rules and evenhand look after every round, up to 1,000 (or \
         as many as the trace has); the others see the whole trial once. A rule keeps its promise when the share is at \
         most the α above it. Blocks: first all runs of A, then all runs of B.",
    ),
    (
        "printed",
        "What is printed: wrong words and intervals",
        "Share of draws whose printed word is wrong, and in brackets whose printed interval misses the true effect, at the end that the \
         program would choose: with the first final word, or after 200 rounds (or the whole trace). Positions are adjusted as in the \
         program. At an effect of 1 %, the margin itself, `slower` and `same` are both wrong. Each share must stay at or below its α, and so \
         must that of all draws together, in the last line.",
    ),
    (
        "unpaired",
        "Without a coin: identical arms, one block after the other, α = 1 %",
        "Share of draws in which blocks of so many runs each are called different: by `evenhand analyze` (in brackets the share in which it \
         gives no interval: the runs resemble each other for too long, or are worth too little), and by a rank test that takes \
         the runs for independent. Nothing is promised here: what changed between two blocks looks like a difference to any rule.",
    ),
    (
        "no coin",
        "Without a coin, and nothing changed between the two: few samples, and many",
        "Share of draws whose word is wrong, and in brackets whose interval misses the true effect. Below 20 samples a side they are taken \
         for independent; from 20 on their effective number counts. A draw without an interval is no miss. Each share must stay at or below \
         its α.",
    ),
    (
        "coarse clock",
        "A clock with a step of 10 ns, times of about 30 ns",
        "Share of draws whose word is wrong, and in brackets whose interval misses the true effect: with a coin at the end that the program \
         would choose, or after 60 rounds; without a coin of 60 samples each. Each share must stay at or below its α.",
    ),
    (
        "power",
        "Rounds to a verdict of a change, α = 1 %, looking after every round",
        "Median over draws, with the share of draws that decided within 5,000 rounds (or as many as the trace has) where it \
         is not 100 %. The watched z is shown for its speed only: the table above says what it costs. \"As printed\" is what a user waits for: \
         evenhand with places adjusted, and with the share of α that the typical round has beside mean and tails.",
    ),
    (
        "scores",
        "Bake-off of scores: median rounds for a true 1 %, α = 1 %",
        "Each weight alone with the default's bets, and the two defaults. On traces with spikes the hump alone is up to \
         two rounds sooner; the mixture gives that up to be far sooner where luck is nearly normal.",
    ),
    (
        "words",
        "The words `same` and `slower`, margin 1 %, α = 1 %",
        "Share of draws that came to the word within 5,000 rounds (or the length of the trace), and the median rounds. At an effect of \
         1 %, the margin itself, both words are wrong and their share must stay at or below 1 %.",
    ),
    (
        "coverage",
        "Coverage of the confidence sequence",
        "Every round: share of draws in which the true effect of 1 % was *never* refuted in up to 1,000 rounds. Fixed: \
         share in which the interval as computed after 150 rounds holds it.",
    ),
    (
        "added time",
        "When the candidate always takes the same time more",
        "The interval is made for a candidate that takes 1 % more of every time, noise included. Here it takes 1 % of the typical time (the draw's \
         median) more in every round. Share of draws in which 1 % lies in the interval of 99 % after so many rounds, and in brackets \
         the median estimate. Nothing is promised here: it shows how far off the assumption is.",
    ),
    (
        "launches",
        "Launches: luck between launches, standard deviation 3 %",
        "At effect 0 the share of false alarms while looking after each of 300 launches; at 1 % the median launches to a \
         verdict. Two-mode luck: each arm draws one of two layouts, 4 % apart.",
    ),
    (
        "suites",
        "Suites: how often the interval of 99 % misses the geometric mean",
        "Each benchmark ends when its own word is final, as in \"What is printed\"; the true effects are none, all alike, or of every other \
         benchmark. In brackets: the median width; then, after a dash, what the root of the sum of squares of the printed intervals would \
         miss.",
    ),
    (
        "mean error",
        "The error of the mean: coverage of a nominal 95 % interval",
        "Share of draws whose interval holds the true mean (every draw counts), and in brackets the share of draws in which the \
         tool says \"too few independent samples\" and prints no interval.",
    ),
    (
        "mean, independent",
        "The error of the mean: independent samples, few of them, at 99 %",
        "Share of the printed intervals that hold the mean, and in brackets the share of draws that print `?`; the same for Student's, which \
         is exact for normal samples; and how many times as wide as Student's the printed ones are. Promised: at most 1.25 times in the \
         median and twice in 95 % of draws, and for normal samples 99 %.",
    ),
    (
        "mean, dependent",
        "The error of the mean: samples that remember each other, at 99 %",
        "The same. Of a trace the mean of all its times counts as the mean, which a stretch of it need not have: nothing is promised here.",
    ),
    (
        "percentiles",
        "Percentiles: coverage of nominal 95 % intervals",
        "One arm, the ratio of two paired arms (5 % planted), the band of the shift curve over all percentiles at once, and the \
         rivals that take the rounds for independent. In brackets the share of draws that give no interval, which counts as one that holds.",
    ),
];

/// All processes and traces as one.
const TOGETHER: &str = "all draws together";

/// The draws of what is printed, counted together: rare faults need more draws than one source has.
fn together(rows: &[Row]) -> Vec<Row> {
    let mut sums: Vec<Row> = Vec::new();
    for row in rows.iter().filter(|row| row.part == "printed") {
        let alike = |sum: &Row| (sum.alpha, sum.effect, &sum.rule) == (row.alpha, row.effect, &row.rule);
        let place = sums.iter().position(alike).unwrap_or_else(|| {
            let none = Row {
                effect: row.effect,
                decided: Some(0.0),
                ..Row::new(&row.part, TOGETHER, &row.rule, row.alpha, 0)
            };
            sums.push(none);
            sums.len() - 1
        });
        let sum = &mut sums[place];
        let wrong = sum.decided.unwrap_or_default() * sum.draws as f64
            + row.decided.unwrap_or_default() * row.draws as f64;
        sum.draws += row.draws;
        sum.decided = Some(wrong / sum.draws as f64);
    }
    sums
}

/// The full report.
pub fn markdown(command: &str, rows: &[Row]) -> String {
    let mut text = format!(
        "# Calibration results\n\nMade by `{command}`; seeded, so a second run gives the same figures. The rows behind the \
         tables are in `results.json`.\n"
    );
    let rows = [rows, &together(rows)].concat();
    for (part, heading, reading) in PARTS {
        let rows = part_of(&rows, part);
        if !rows.is_empty() {
            let _ = write!(text, "\n## {heading}\n\n{reading}\n\n{}", table_of(part, &rows));
        }
    }
    text
}

fn part_of(rows: &[Row], part: &str) -> Vec<Row> {
    rows.iter().filter(|row| row.part == part).cloned().collect()
}

fn table_of(part: &str, rows: &[Row]) -> String {
    match part {
        "false alarms" => {
            let alpha_tables = ALPHAS.map(|alpha| {
                let rows: Vec<Row> = rows.iter().filter(|row| row.alpha == alpha).cloned().collect();
                let table = pivot(&rows, |r| r.source.clone(), |r| r.rule.clone(), decided);
                format!("### α = {}\n\n{table}", percent(alpha))
            });
            alpha_tables.join("\n")
        }
        "printed" | "no coin" | "coarse clock" => {
            let missed = |r: &Row| {
                let same = |other: &&Row| {
                    (&other.source, other.alpha, other.effect) == (&r.source, r.alpha, r.effect)
                        && other.rule == "interval misses"
                };
                rows.iter().find(same).map_or_else(String::new, decided)
            };
            let words: Vec<Row> = rows.iter().filter(|row| row.rule == "wrong word").cloned().collect();
            pivot(
                &words,
                |r| r.source.clone(),
                |r| format!("effect {}, α = {}", percent(r.effect), percent(r.alpha)),
                |r| format!("{} ({})", decided(r), missed(r)),
            )
        }
        "unpaired" => pivot(
            rows,
            |r| r.source.clone(),
            |r| format!("{}, {} runs each", r.rule, r.rounds),
            called_or_refused,
        ),
        "power" => {
            pivot(rows, |r| format!("{}, {}", r.source, percent(r.effect)), |r| r.rule.clone(), rounds)
        }
        "scores" => pivot(rows, |r| r.source.clone(), |r| r.rule.clone(), rounds),
        "words" => {
            pivot(rows, |r| r.source.clone(), |r| format!("{} at {}", r.rule, percent(r.effect)), word)
        }
        "coverage" => pivot(
            rows,
            |r| r.source.clone(),
            |r| format!("{}, nominal {}", r.looking, percent(1.0 - r.alpha)),
            covered,
        ),
        "added time" => {
            let column =
                |r: &Row| if r.rounds == 50 { "50 rounds" } else { "1,000 rounds, or the whole trace" };
            pivot(rows, |r| r.source.clone(), |r| column(r).to_owned(), held_and_estimated)
        }
        "launches" => {
            let column = |r: &Row| format!("effect {}, α = {}", percent(r.effect), percent(r.alpha));
            let cell = |r: &Row| if r.effect == 0.0 { decided(r) } else { rounds(r) };
            pivot(rows, |r| format!("{}: {}", r.source, r.rule), column, cell)
        }
        "suites" => {
            let beside = |row: &Row, rule: &str| {
                let same = |other: &&Row| {
                    (&other.source, other.rounds) == (&row.source, row.rounds) && other.rule == rule
                };
                rows.iter().find(same).cloned()
            };
            let cell = |row: &Row| {
                let width = beside(row, "median width").and_then(|row| row.estimate).map(percent);
                let squares = beside(row, "squares").map(|row| decided(&row)).unwrap_or_default();
                format!("{} ({}) – {squares}", decided(row), width.unwrap_or_default())
            };
            let ours: Vec<Row> = rows.iter().filter(|row| row.rule == "evenhand").cloned().collect();
            pivot(&ours, |r| r.source.clone(), |r| format!("{} benchmarks", r.rounds), cell)
        }
        "mean, independent" | "mean, dependent" | "percentiles" => {
            pivot(rows, |r| r.source.clone(), |r| r.rule.clone(), covered_or_wide)
        }
        _ => pivot(rows, |r| r.source.clone(), |r| r.rule.clone(), covered_or_said),
    }
}

fn decided(row: &Row) -> String {
    row.decided.map_or_else(String::new, percent)
}

fn called_or_refused(row: &Row) -> String {
    let refused = row.refused.filter(|share| *share > 0.0);
    decided(row) + &refused.map_or_else(String::new, |share| format!(" ({})", percent(share)))
}

fn rounds(row: &Row) -> String {
    let share = row
        .decided
        .filter(|share| *share < 1.0)
        .map_or_else(String::new, |share| format!(" ({})", percent(share)));
    row.median_rounds.map_or_else(|| format!("–{share}"), |median| format!("{median}{share}"))
}

fn word(row: &Row) -> String {
    row.median_rounds.map_or_else(|| decided(row), |median| format!("{}, {median} rounds", decided(row)))
}

fn held_and_estimated(row: &Row) -> String {
    let estimate = row.estimate.map_or_else(String::new, |estimate| format!(" ({:.3} %)", 100.0 * estimate));
    format!("{}{estimate}", covered(row))
}

fn covered(row: &Row) -> String {
    row.coverage.map_or_else(String::new, percent)
}

fn covered_or_wide(row: &Row) -> String {
    let width = row.estimate.map(|width| format!("{width:.2}"));
    let refused = row.refused.filter(|share| *share > 0.0).map(|share| format!(" ({})", percent(share)));
    width.unwrap_or_else(|| covered(row) + &refused.unwrap_or_default())
}

fn covered_or_said(row: &Row) -> String {
    let said = row
        .decided
        .filter(|share| *share > 0.0)
        .map_or_else(String::new, |share| format!(" ({})", percent(share)));
    format!("{}{said}", covered(row))
}

/// What the terminal shows at the end of a run.
pub fn summary(rows: &[Row]) -> String {
    let mut text = String::new();
    for part in ["false alarms", "printed", "no coin", "coarse clock", "coverage", "launches"] {
        for alpha in ALPHAS {
            let ours: Vec<&Row> =
                rows.iter().filter(|row| row.part == part && row.alpha == alpha && is_ours(row)).collect();
            let worst = ours.iter().map(|row| wrong(row)).fold(0.0, f64::max);
            if !ours.is_empty() {
                let _ = writeln!(
                    text,
                    "{part}: {} rows at nominal {}: at most {} wrong",
                    ours.len(),
                    percent(alpha),
                    percent(worst)
                );
            }
        }
    }
    for sum in together(rows) {
        let _ = writeln!(
            text,
            "{}, effect {}, α = {}: {} in {} draws",
            sum.rule,
            percent(sum.effect),
            percent(sum.alpha),
            decided(&sum),
            sum.draws
        );
    }
    text.extend(price(rows).map(|price| format!("{price}\n")));
    text
}

/// What the words cost on the traces, beside the e-process alone: how many times the rounds.
struct Price {
    median: f64,
    largest: f64,
    cases: usize,
}

impl Price {
    /// Promised: a tenth more in the median of the traces and effects, and a quarter in any.
    fn is_too_high(&self) -> bool {
        self.median > 1.1 || self.largest > 1.25
    }
}

impl std::fmt::Display for Price {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { median, largest, cases } = self;
        write!(
            f,
            "rounds to a printed change, beside the e-process alone: {median:.3} times in the median of {cases} cases, at most {largest:.3}"
        )
    }
}

/// Of effects of 1 % and more: the clock of the shortest traces steps by 0.7 %, and would not show less as it is planted here. `None` where no
/// trace was asked.
fn price(rows: &[Row]) -> Option<Price> {
    let alone = |row: &Row| {
        let same = |other: &&Row| {
            (&other.part, &other.source, other.effect) == (&row.part, &row.source, row.effect)
                && other.rule == "evenhand"
        };
        rows.iter().find(same)?.median_rounds
    };
    let times = |row: &Row| Some(row.median_rounds? as f64 / alone(row)? as f64);
    let counted =
        |row: &&Row| row.rule == AS_PRINTED && row.effect >= 0.01 && row.source.starts_with("trace");
    let of_traces = rows.iter().filter(counted);
    let mut times: Vec<f64> = of_traces.filter_map(times).collect();
    times.sort_unstable_by(f64::total_cmp);
    Some(Price { median: *times.get(times.len() / 2)?, largest: *times.last()?, cases: times.len() })
}

/// Share of draws with a wrong verdict or an interval that lost the truth.
fn wrong(row: &Row) -> f64 {
    row.coverage.map_or_else(|| row.decided.unwrap_or(0.0), |coverage| 1.0 - coverage)
}

/// Rows that the project promises something about: its own rules, where a decision is an error.
fn is_ours(row: &Row) -> bool {
    match row.part.as_str() {
        "false alarms" => row.rule == "evenhand",
        "launches" => row.effect == 0.0,
        "coverage" | "printed" | "no coin" | "coarse clock" => true,
        "suites" => row.rule == "evenhand",
        "mean, independent" => row.rule == COVERAGE && row.source.starts_with("normal"),
        "words" => row.effect == 0.01,
        _ => false,
    }
}

/// The promises: no false verdicts beyond nominal, no slower than the first design, the error of the mean covers.
pub fn verify(rows: &[Row]) -> Result<(), String> {
    let mut broken = Vec::new();
    for row in rows.iter().chain(&together(rows)).filter(|row| is_ours(row)) {
        let errors = Row { decided: Some(wrong(row)), ..row.clone() };
        if errors.decides_too_often() {
            broken.push(format!(
                "{} / {} at {}: {} wrong",
                row.source,
                row.rule,
                percent(row.alpha),
                percent(wrong(row))
            ));
        }
    }
    broken.extend(rows.iter().filter_map(|row| slower_than_first_design(row, rows)));
    broken.extend(price(rows).iter().filter(|price| price.is_too_high()).map(|price| price.to_string()));
    broken.extend(rows.iter().filter_map(mean_error_off));
    broken.extend(rows.iter().filter(|row| is_mean_too_wide(row)).map(|row| {
        format!("{}: {} {:.2} times Student's", row.source, row.rule, row.estimate.unwrap_or_default())
    }));
    if broken.is_empty() { Ok(()) } else { Err(format!("promises broken:\n  {}", broken.join("\n  "))) }
}

/// On a trace the default must need no more rounds than the first design did (2 % and one round of grace: both
/// medians come from the same finite draws).
fn slower_than_first_design(row: &Row, rows: &[Row]) -> Option<String> {
    if !(row.part == "power"
        && row.rule == "evenhand"
        && row.effect == 0.01
        && row.source.starts_with("trace"))
    {
        return None;
    }
    let same_draws = |r: &&Row| {
        r.part == "power" && r.source == row.source && r.effect == row.effect && r.rule.starts_with("first")
    };
    let (ours, bar) = (row.median_rounds?, rows.iter().find(same_draws)?.median_rounds?);
    (ours as f64 > 1.02 * bar as f64 + 1.0)
        .then(|| format!("{}: {ours} rounds, the first design needs {bar}", row.source))
}

/// The default error of the mean covers 95 ± 2 % on AR(1) with phi ≤ 0.9 from 1,000 samples on (plus the
/// simulation's own error).
fn mean_error_off(row: &Row) -> Option<String> {
    let promised = row.part == "mean error" && row.rule.starts_with("default") && row.rounds >= 1000;
    let promised = promised
        && ["phi 0,", "phi 0.3", "phi 0.5", "phi 0.7", "phi 0.9,"].iter().any(|phi| row.source.contains(phi))
        && row.source.starts_with("AR(1)");
    let coverage = row.coverage?;
    let slack = 0.02 + 3.0 * (0.05 * 0.95 / row.draws as f64).sqrt();
    (promised && (coverage - 0.95).abs() > slack)
        .then(|| format!("{}: covers {}", row.source, percent(coverage)))
}

/// The printed error of the mean of independent samples is at most 1.25 times Student's in the median and twice in 95 % of draws.
fn is_mean_too_wide(row: &Row) -> bool {
    let most = match row.rule.as_str() {
        MEDIAN_WIDTH => 1.25,
        LARGE_WIDTH => 2.0,
        _ => return false,
    };
    row.part == "mean, independent" && row.estimate.is_none_or(|width| width > most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(part: &'static str, source: &str, rule: &str) -> Row {
        Row { rounds: 1000, ..Row::new(part, source, rule, 0.01, 10_000) }
    }

    #[test]
    fn a_rule_that_cries_wolf_breaks_the_promise() {
        let alarms = |share| vec![Row { decided: Some(share), ..row("false alarms", "trace x", "evenhand") }];
        // 1 % of 10,000 is 100; four standard deviations and one more make 141.
        assert_eq!(verify(&alarms(0.0141)), Ok(()));
        assert!(verify(&alarms(0.0142)).is_err());
    }

    #[test]
    fn an_interval_that_loses_the_truth_breaks_the_promise() {
        let lost = |coverage| {
            vec![Row { coverage: Some(coverage), ..row("coverage", "trace x", "confidence sequence") }]
        };
        assert_eq!(verify(&lost(0.99)), Ok(()));
        assert!(verify(&lost(0.98)).is_err());
    }

    #[test]
    fn being_slower_than_the_first_design_breaks_the_promise() {
        let power = |rule: &str, median| Row {
            effect: 0.01,
            median_rounds: Some(median),
            ..row("power", "trace x", rule)
        };
        let with = |ours| vec![power("evenhand", ours), power("first design: hump score alone", 100)];
        assert_eq!(verify(&with(103)), Ok(()));
        assert!(verify(&with(104)).is_err());
    }

    #[test]
    fn an_error_of_the_mean_that_does_not_cover_breaks_the_promise() {
        let mean = |source: &str, coverage| {
            vec![Row { coverage: Some(coverage), ..row("mean error", source, "default: PrewhitenedCosine") }]
        };
        assert_eq!(verify(&mean("AR(1) phi 0.9, N = 1000", 0.935)), Ok(()));
        assert!(verify(&mean("AR(1) phi 0.9, N = 1000", 0.92)).is_err());
        assert!(verify(&mean("AR(1) phi 0.9, N = 1000", 0.98)).is_err());
        assert_eq!(verify(&mean("AR(1) phi 0.99, N = 1000", 0.5)), Ok(()), "promised up to 0.9 only");
    }

    #[test]
    fn words_that_cost_more_than_a_quarter_break_the_promise() {
        let power = |rule: &str, median| Row {
            effect: 0.01,
            median_rounds: Some(median),
            ..row("power", "trace x", rule)
        };
        let with = |printed| vec![power("evenhand", 100), power(AS_PRINTED, printed)];
        assert_eq!(verify(&with(110)), Ok(()));
        assert!(verify(&with(111)).is_err(), "the median, and the only case");
    }

    #[test]
    fn a_fault_that_is_rare_everywhere_and_too_frequent_together_breaks_the_promise() {
        let printed = |source: &str, faults: f64| Row {
            decided: Some(faults / 1000.0),
            draws: 1000,
            alpha: 0.001,
            ..row("printed", source, "wrong word")
        };
        let sources: Vec<String> = (0..100).map(|number| format!("process {number}")).collect();
        let all = |faults| sources.iter().map(|source| printed(source, faults)).collect::<Vec<Row>>();
        assert_eq!(verify(&all(1.0)), Ok(()));
        // Two of 1,000 prove nothing; 200 of 100,000 do.
        assert_eq!(verify(&all(2.0)[..1]), Ok(()));
        assert!(verify(&all(2.0)).is_err());
    }

    #[test]
    fn rivals_promise_nothing() {
        let rival = Row { decided: Some(0.95), ..row("false alarms", "trace x", "blocks, Mann-Whitney") };
        assert_eq!(verify(&[rival]), Ok(()));
    }
}
