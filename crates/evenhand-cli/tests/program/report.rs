//! `evenhand report`, and `--export-html`: a page or a table, in the file that was named.

use crate::desk::Desk;
use std::fs;

#[test]
fn a_page_lies_where_it_was_asked_for() {
    let desk = Desk::with_results();
    let done = desk.run(&["report", "old.json", "new.json", "-o", "a page.html"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "a page.html\n", ""));
    let page = fs::read_to_string(desk.path("a page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("id=\"columns\">") && page.contains("\"comparisons\":["));

    let beside = desk.run(&["analyze", "old.json", "new.json", "--export-html", "beside.html"]);
    assert_eq!((beside.code, beside.err.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(desk.path("beside.html")).unwrap(), page);

    let unnamed = desk.run(&["report", "old.json"]);
    let name = unnamed.out.trim_end();
    assert!(name.starts_with("report-") && name.ends_with(".html"), "{name}");
    assert!(desk.path(name).exists());

    let printed = desk.run(&["report", "old.json", "-o", "-"]);
    assert_eq!((printed.code, printed.out), (0, fs::read_to_string(desk.path(name)).unwrap()));
}

#[test]
fn what_is_asked_of_analyze_is_asked_of_report_too() {
    let desk = Desk::with_results();
    let done =
        desk.run(&["report", "old.json", "new.json", "--margin", "7%", "--confidence", "95", "-o", "-"]);
    assert!(
        done.out.contains("\"margin_percent\":7.0") && done.out.contains("\"confidence\":0.95"),
        "{}",
        done.err
    );
    let refused = desk.run(&["report", "old.json", "--confidence", "100"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("--confidence must be at least 50 and below 100 percent"),
        "{}",
        refused.err
    );
}

#[test]
fn markdown_goes_to_standard_output_or_to_a_file() {
    let desk = Desk::with_results();
    let printed = desk.run(&["report", "old.json", "new.json", "--to", "markdown"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    assert!(printed.out.contains("<details><summary>Absolute values"), "{}", printed.out);
    let kept = desk.run(&["report", "old.json", "new.json", "--to", "github", "-o", "summary.md"]);
    assert_eq!((kept.code, kept.out.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(desk.path("summary.md")).unwrap(), printed.out, "both fit");
}

#[test]
fn what_cannot_be_written_or_shown_is_said_with_the_next_step() {
    let desk = Desk::with_results();
    let nowhere = desk.run(&["report", "old.json", "-o", "no/such/page.html"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.contains("no folder no/such: create it first"), "{}", nowhere.err);
    let both = desk.run(&["report", "old.json", "--to", "markdown", "--open"]);
    assert!(both.code == 2 && both.err.contains("omit --to or --open"), "{}", both.err);

    let mut alone = desk.command(&["report", "old.json", "--open", "-o", "page.html"]);
    let output = alone.env("PATH", desk.path("nothing")).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("failed: open ") && told.contains("page.html in a browser yourself"), "{told}");
    assert!(desk.path("page.html").exists(), "and the page is there");
}

#[cfg(target_os = "linux")]
#[test]
fn a_measurement_leaves_its_page() {
    let desk = Desk::new();
    let measured = ["run", "--export-html", "page.html", "--no-save", "--rounds", "5", "true", "true --"];
    let done = desk.run(&measured);
    assert_eq!(done.code, 0, "{}", done.err);
    let page = fs::read_to_string(desk.path("page.html")).unwrap();
    assert!(
        page.contains("\"randomised\":true") && page.contains("\"candidate_first\":{"),
        "every round has its order"
    );
    let refused = desk.run(&["run", "--export-html", "-", "true", "true --"]);
    assert!(refused.code == 2 && refused.err.contains("\"-\" is not a file"), "{}", refused.err);
}
