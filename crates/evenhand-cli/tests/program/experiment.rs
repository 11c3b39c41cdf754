//! `evenhand experiment`: does each run, here and now, and tell what its article says?

use crate::desk::Desk;

#[test]
fn each_runs_and_judges_its_claims() {
    let desk = Desk::new();
    for (name, author) in [
        ("log-normal", "D. Lemire"),
        ("percentiles", "BenchmarkDotNet"),
        ("sampling", "P. Vaskovic"),
        ("paired", "D. Bazhenov"),
    ] {
        let done = desk.run(&[
            "experiment",
            name,
            "--tiny",
            "--export-json",
            "trial.json",
            "--export-html",
            "page.html",
        ]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        assert!(done.out.contains(author) && done.out.contains("Published"), "{}", done.out);
        let judged = done.out.matches(" here: ").count();
        assert!(judged >= 2, "{name} judges {judged} claims: {}", done.out);
        assert!(done.err.starts_with("evenhand: "), "what it does meanwhile: {}", done.err);
        let shown = desk.run(&["plot", "trial.json", "--kind", "run"]);
        assert_eq!(shown.code, 0, "{name}: {}", shown.err);
        assert!(std::fs::read_to_string(desk.path("page.html")).unwrap().contains("id=\"columns\">"));
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let done = Desk::new().run(&["experiment", "cold-fusion"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("[possible values: log-normal, percentiles, uncertainty, sampling, paired]"),
        "{}",
        done.err
    );
}
