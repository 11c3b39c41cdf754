//! What does the program say when something is not as it has to be? It names the thing and the next step, exits with 2,
//! and says nothing on standard output.

use crate::desk::Desk;

fn wrong(name: &str, mut desk: Desk, lines: &[&str]) {
    for line in lines {
        let done = desk.type_in(line);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{line}");
        assert!(!done.err.is_empty(), "{line}");
    }
    desk.expect(name);
}

#[test]
fn help_of_every_verb() {
    let mut desk = Desk::new();
    for verb in [
        "",
        "analyze ",
        "report ",
        "plot ",
        "doctor ",
        "list ",
        "show ",
        "export ",
        "import ",
        "label ",
        "rm ",
        "archive ",
        "archive check ",
        "archive compact ",
        "archive salvage ",
        "archive path ",
    ] {
        let done = desk.type_in(&format!("evenhand {verb}--help"));
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{verb}");
        assert!(
            verb.starts_with("archive ") || done.out.contains("Example") || done.out.contains("First steps")
        );
    }
    desk.type_in("evenhand import --formats");
    desk.type_in("evenhand --version");
    desk.expect("help");
    assert_eq!(desk.run(&["help", "rm"]).out, desk.run(&["rm", "--help"]).out);
}

#[test]
fn the_command_line() {
    wrong(
        "command_line",
        Desk::with_results(),
        &[
            "evenhand",
            "evenhand anlyze old.json",
            "evenhand imp old.json",
            "evenhand a b",
            "evenhand './old x' './new x'",
            "evenhand -w 3 './old x'",
            "evenhand frobnicate",
            "evenhand archive",
            "evenhand analyze",
            "evenhand import",
            "evenhand analyze old.json --margin -3",
            "evenhand analyze old.json --margin x",
            "evenhand analyze old.json --margin 1,5",
            "evenhand analyze old.json --confidence nan",
            "evenhand analyze old.json --percentiles=50,p99",
            "evenhand analyze old.json --confidence 0.99",
            "evenhand analyze old.json --confidence 100",
            "evenhand analyze old.json --percentiles",
            "evenhand analyze old.json --format hyperfine",
            "evenhand import old.json --format hyperfine",
            "evenhand show old.json --format hyperfine",
            "evenhand plot old.json --format svg",
            "evenhand report old.json --format=markdown",
            "evenhand export old.json --format csv",
            "evenhand compare --git main --cargo '--features fast'",
            "evenhand compare --git main -- ./old -- ./new",
            "evenhand list --color sometimes",
            "evenhand analyze old.json --percentiles=50,900",
            "evenhand analyze old.json --mean-error best",
            "evenhand analyze old.json --metric wal",
            "evenhand analyze old.json --baseline nobody",
            "evenhand analyze old.json --from xls",
            "evenhand list -n 0",
            "evenhand list -n ten",
            "evenhand label @last",
            "evenhand export old.json --to xls",
            "evenhand export old.json -o old.xls",
            "evenhand export old.json -o nowhere/old.csv",
        ],
    );
}

#[test]
fn names_of_nothing() {
    wrong(
        "names_of_nothing",
        Desk::with_archive(),
        &[
            "evenhand analyze nosuch.json",
            "evenhand analyze nosuch/",
            "evenhand analyze nosuch",
            "evenhand analyze @lst",
            "evenhand analyze @last~99",
            "evenhand analyze ''",
            "evenhand analyze abc",
            "evenhand import nosuch.json",
            "evenhand rm @last nosuch",
            "evenhand label @last @newest",
            "evenhand label @last ''",
        ],
    );
}

#[test]
fn no_archive_is_made_to_find_nothing_in_it() {
    let mut desk = Desk::with_results();
    for line in [
        "evenhand list --archive nowhere",
        "evenhand show @last --archive nowhere",
        "evenhand label @last x --archive nowhere",
        "evenhand rm @last --archive nowhere",
        "evenhand archive check --archive nowhere",
        "evenhand archive compact --archive nowhere",
        "evenhand archive salvage rescued --archive nowhere",
        "evenhand list --archive old.json",
        "evenhand import new.json --archive old.json",
    ] {
        assert_eq!(desk.type_in(line).code, 2, "{line}");
    }
    assert!(!desk.path("nowhere").exists() && !desk.path("rescued").exists());
    assert_eq!(desk.type_in("evenhand list").code, 0);
    desk.expect("no_archive");
}

#[test]
fn files_that_are_none() {
    let desk = Desk::new();
    desk.write("empty.json", "");
    desk.write("letter.txt", "Dear reader,\n");
    desk.write("cut.json", r#"{"results":[{"command":"a","mean":0.1,"#);
    desk.write("folder/letter.txt", "Dear reader,\n");
    wrong(
        "no_results",
        desk,
        &[
            "evenhand import empty.json",
            "evenhand import letter.txt",
            "evenhand import folder",
            "evenhand analyze folder",
            "evenhand analyze letter.txt",
            "evenhand import cut.json --from hyperfine",
        ],
    );
}

#[test]
fn one_bad_file_keeps_no_other_out() {
    let mut desk = Desk::with_results();
    desk.write("results/cut.json", "{\"results\":[{\"command\":\"a\",\"mean\":0.1,\"stddev\":1,");
    let copied = std::fs::read_to_string(desk.path("old.json")).unwrap();
    desk.write("results/cut.json", &copied[..copied.len() / 2]);
    assert_eq!(desk.type_in("evenhand import results").code, 2);
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 2);
    desk.expect("one_bad_file");
}

#[test]
fn a_refused_import_makes_no_folder() {
    let desk = Desk::new();
    desk.write("letter.txt", "Dear reader,\n");
    assert_eq!(desk.run(&["import", "letter.txt"]).code, 2);
    assert!(!desk.archive().exists());
    desk.fixture("hyperfine/v1_two.json", "old.json");
    for label in ["@last", " ", "a\u{1b}b"] {
        assert_eq!(desk.run(&["import", "old.json", "--label", label]).code, 2);
    }
    assert!(!desk.archive().exists());
}

#[test]
fn a_label_that_a_file_brings_along_is_checked_as_one_that_is_typed() {
    let desk = Desk::with_archive();
    let exported = desk.run(&["export", "@last", "--to", "json"]).out;
    let labelled = |id: &str, label: &str| {
        let (head, rest) = exported.split_once("\"id\":\"").unwrap();
        format!("{head}\"id\":\"{id}\",\"label\":\"{label}\"{}", &rest[17..])
    };
    desk.write("bad.json", labelled("00000000000000aa", "@last"));
    desk.write("good.json", labelled("00000000000000bb", "of another machine"));
    let done = desk.run(&["import", "bad.json", "good.json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let told = " is imported without its label \"@last\", because names beginning with @ are reserved";
    assert!(done.err.contains(told), "{}", done.err);
    let list = desk.run(&["list", "--json"]).out;
    assert!(
        list.contains("\"label\":\"of another machine\"") && !list.contains("\"label\":\"@last\""),
        "{list}"
    );
}

#[test]
fn files_of_tools_that_are_not_read_are_named() {
    let desk = Desk::new();
    for name in ["lnt-1.json", "k6-rows.csv", "lnt-2.json"] {
        desk.fixture(&format!("unread/{name}"), &format!("load/{name}"));
    }
    desk.fixture("hyperfine/v1_two.json", "load/times.json");
    desk.write("load/VERSION", "1.2\n");
    let done = desk.run(&["import", "load"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lnt = "2 files of LNT skipped, which evenhand does not read: load/lnt-1.json, load/lnt-2.json";
    assert!(done.err.contains(lnt) && done.err.contains("1 file of k6's CSV output skipped"), "{}", done.err);
    assert!(done.err.contains("write its samples as CSV"), "{}", done.err);
    assert!(done.out.contains("1 trial imported, 1 file without results skipped"), "{}", done.out);
    let done = desk.run(&["import", "load/lnt-1.json"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("load/lnt-1.json: written by LNT, which evenhand does not read"),
        "{}",
        done.err
    );
}

#[test]
fn percent_are_taken_as_people_write_them() {
    let desk = Desk::with_results();
    let with = |margin: &str, confidence: &str| {
        let done = desk.run(&[
            "analyze",
            "results/sums.csv",
            "--json",
            "--margin",
            margin,
            "--confidence",
            confidence,
            "--percentiles",
            "50,90%",
        ]);
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let plain = with("2", "95");
    assert!(plain.contains("\"margin_percent\":2.0") && plain.contains("\"confidence\":0.95"), "{plain}");
    assert_eq!(plain, with("2%", "95%"));
    assert_eq!(plain, with("2 %", "95 %"));
}

#[test]
#[cfg(not(feature = "parquet"))]
fn a_format_that_was_not_built_in_is_told_once() {
    let mut desk = Desk::with_results();
    for place in 1..=6 {
        desk.fixture("parquet/wide.parquet", &format!("results/{place}.parquet"));
    }
    assert_eq!(desk.type_in("evenhand import results").code, 2);
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 2);
    assert_eq!(desk.type_in("evenhand import results/1.parquet results/2.parquet").code, 2);
    assert_eq!(desk.type_in("evenhand import results/1.parquet").code, 2);
    desk.expect("not_built_in");
}

#[test]
fn without_a_home() {
    let mut command = Desk::with_results().command(&["list"]);
    command.env_remove("HOME").env_remove("XDG_DATA_HOME").current_dir("/");
    let done = command.output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(said.contains("neither XDG_DATA_HOME nor HOME is set") && said.contains("--archive"), "{said}");
}

#[test]
fn a_label_hides_no_trial() {
    let desk = Desk::with_archive();
    let id = desk.run(&["list", "--json"]).out.split('"').nth(3).map(str::to_owned);
    let ids: Vec<String> = desk
        .run(&["list", "--json"])
        .out
        .lines()
        .map(|line| line.split("\"id\":\"").nth(1).unwrap()[..16].to_owned())
        .collect();
    assert!(id.is_some() && ids.len() == 2);
    let refused = desk.run(&["label", &ids[0], &ids[1][..8]]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the id of another trial begins with it"), "{}", refused.err);
    assert_eq!(desk.run(&["import", "new.json", "--label", &ids[1][..4]]).code, 2);
    assert_eq!(desk.run(&["label", &ids[0], "20261121"]).code, 0);
}
