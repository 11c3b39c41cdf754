//! Is what is pasted into a pull request short enough, harmless, and complete?

use crate::common::expected;
use crate::common::groups::analysis;
use evenhand_analysis::Analysis;
use evenhand_report::markdown::{Markdown, Place};
use std::iter;

fn pasted(analysis: &Analysis, place: Place) -> String {
    Markdown { analysis, place }.to_string()
}

#[test]
fn one_comparison_and_several() {
    expected::expect("markdown_one", &pasted(&analysis(&[("", 0.02)]), Place::Comment));
    let several = analysis(&[("sort", 0.0), ("parse", 0.05), ("print", -0.03)]);
    expected::expect("markdown_several", &pasted(&several, Place::Comment));
}

#[test]
fn controls_are_in_the_table_and_not_counted() {
    let mut analysis = analysis(&[("sort", 0.05), ("sort control", 0.05)]);
    analysis.comparisons[1].control = true;
    let shown = pasted(&analysis, Place::Comment);
    assert!(shown.contains("**1 benchmark: 1 slower") && shown.contains("| sort control (new)"), "{shown}");
}

#[test]
fn a_name_is_text_whatever_is_in_it() {
    let hostile = "<img src=x onerror=alert(1)> @everyone #7 `a|b` **x** [y](http://z) \u{202e}\n# h";
    let shown = pasted(&analysis(&[(hostile, 0.02), ("b", 0.0)]), Place::Comment);
    for forbidden in ["<img", "@e", "#7", "`", "a|b", "**x", "[y]", "\u{202e}", "\n# h"] {
        assert!(!shown.contains(forbidden), "{forbidden} in {shown}");
    }
    assert!(shown.contains("&#60;img src=x onerror=alert(1)&#62; @<!-- -->everyone"), "{shown}");
    // Every row of the table has its seven bars.
    let rows = shown.lines().filter(|line| line.starts_with("| 🔺") || line.starts_with("| ⏸"));
    assert!(rows.clone().count() == 2 && rows.clone().all(|row| row.matches('|').count() == 7), "{shown}");
}

#[test]
fn what_is_too_long_is_counted_and_changes_come_first() {
    let mut analysis = analysis(&[(&format!("sort {}", "x".repeat(140)), 0.0), ("parse", 0.05)]);
    let (slower, same) = (analysis.comparisons.remove(1), analysis.comparisons.remove(0));
    analysis.comparisons = iter::repeat_n(same, 399).chain([slower]).collect();
    let comment = pasted(&analysis, Place::Comment);
    assert!(comment.len() <= 65_536, "{}", comment.len());
    let first = comment.lines().find(|line| line.contains(" (new) against ")).unwrap();
    assert!(first.starts_with("| 🔺 | parse (new)"), "{first}");
    let rows = comment.lines().filter(|line| line.starts_with("| ⏸")).count() + 1;
    assert!(comment.contains(&format!("\n{} more comparisons do not fit here\n", 400 - rows)), "{rows}");
    assert_eq!(comment.matches("<details>").count(), comment.matches("</details>").count());

    let summary = pasted(&analysis, Place::StepSummary);
    assert!(summary.len() <= 1 << 20 && !summary.contains("do not fit"), "{}", summary.len());
}
