//! `evenhand plot`: one picture, in the file that was named.

use crate::desk::Desk;
use std::fs;

#[test]
fn a_picture_lies_where_it_was_asked_for() {
    let desk = Desk::with_results();
    let kept = desk.run(&[
        "plot",
        "old.json",
        "new.json",
        "--kind",
        "shift",
        "--size",
        "640x480",
        "-o",
        "a shift.svg",
    ]);
    assert_eq!((kept.code, kept.out.as_str(), kept.err.as_str()), (0, "", ""));
    let drawn = fs::read_to_string(desk.path("a shift.svg")).unwrap();
    assert!(drawn.starts_with("<svg width=\"640\" height=\"480\""), "{drawn}");
    let printed = desk.run(&["plot", "old.json", "new.json", "--kind", "shift", "--size", "640x480"]);
    assert_eq!((printed.code, printed.out), (0, drawn));
    assert_eq!(desk.run(&["plot", "old.json", "--kind", "run", "-o", "run.PNG"]).code, 0);
    assert!(fs::read(desk.path("run.PNG")).unwrap().starts_with(b"\x89PNG\r\n"));
}

#[test]
fn what_cannot_be_drawn_is_said_with_the_next_step() {
    let mut desk = Desk::with_results();
    for (line, told) in [
        ("evenhand plot old.json new.json", "the order was not randomised, so there are no rounds"),
        ("evenhand plot old.json new.json --kind pie", "[possible values: difference, run, "),
        (
            "evenhand plot old.json --kind run -o run.pdf",
            "run.pdf: charts are written as SVG or PNG: use the extension .svg or .png",
        ),
        ("evenhand plot old.json --kind run --size 10x10", "from 200x150 to 10000x10000, such as 800x500"),
        (
            "evenhand plot old.json new.json --of nobody --kind shift",
            "nothing in this trial is named \"nobody\": it has \"",
        ),
        ("evenhand plot old.json --kind run -o no/such.svg", "no folder no: create it first"),
    ] {
        let done = desk.type_in(line);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{line}");
        assert!(done.err.contains(told), "{line}: {}", done.err);
    }
}
