//! What a package installs beside the program: completions that their shells can read, and a manual page for each verb.

use crate::desk::Desk;
use std::fs;
use std::process::Command;

/// The verbs that the help shows.
const SHOWN: [&str; 15] = [
    "run", "compare", "bench", "doctor", "analyze", "report", "plot", "list", "show", "export", "import",
    "label", "rm", "archive", "init",
];

#[test]
fn completions_are_readable_by_their_shells_and_know_every_verb() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let done = desk.run(&["completions", shell]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{shell}");
        for verb in SHOWN {
            assert!(done.out.contains(verb), "{shell} does not know {verb}");
        }
        desk.write("completions", &done.out);
        match Command::new(shell).arg("-n").arg(desk.path("completions")).output() {
            Ok(read) => assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr)),
            Err(_) => println!("not read: there is no {shell} on this machine"),
        }
    }
    assert_eq!(desk.run(&["completions", "abacus"]).code, 2);
}

#[test]
fn a_manual_page_for_each_verb_that_the_help_shows() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["man", "pages"]).code, 0);
    for verb in SHOWN {
        let page = fs::read_to_string(desk.path(format!("pages/evenhand-{verb}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains("SYNOPSIS"), "{verb}: {page}");
    }
    let whole = fs::read_to_string(desk.path("pages/evenhand.1")).unwrap();
    assert!(whole.contains("run") && whole.contains("First steps"), "{whole}");
    assert!(
        !desk.path("pages/evenhand-busy-work.1").exists() && !desk.path("pages/evenhand-worker.1").exists()
    );
    let nowhere = desk.run(&["man", "no/such/folder"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.starts_with("error: "), "{}", nowhere.err);
}
