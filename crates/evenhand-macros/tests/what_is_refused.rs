//! What does the compiler say of an attribute that is wrong, and where? A crate is checked that has each of them on a line of its own.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Lines of a crate, with the column and the message of their error; none for a line that is right.
const LINES: [(&str, Option<(usize, &str)>); 13] = [
    ("#[bench(iterations = 0)] fn none() {}", Some((22, "expected a number from 1 to 1000000"))),
    ("#[bench(iterations = 1_000_001)] fn many() {}", Some((22, "expected a number from 1 to 1000000"))),
    ("#[bench(iterations = \"ten\")] fn text() {}", Some((22, "expected a number from 1 to 1000000"))),
    ("#[bench(iteration_time = \"25\")] fn no_unit() {}", Some((26, TIME))),
    ("#[bench(iteration_time = \"101s\")] fn long() {}", Some((26, TIME))),
    ("#[bench(iteration_time = \"0.5ns\")] fn short() {}", Some((26, TIME))),
    ("#[bench(iteration_time = 25)] fn number() {}", Some((26, "expected a string literal"))),
    ("#[bench(iterations = 2, iteration_time = \"1ms\")] fn both() {}", Some((42, TWICE))),
    ("#[bench(iterations = 2, iterations = 3)] fn twice() {}", Some((38, TWICE))),
    (
        "#[bench(iteration = 2)] fn unknown() {}",
        Some((9, "expected `group = \"…\"`, `baseline`, `args = …`")),
    ),
    ("#[bench(args = [1, 2])] fn takes_none() {}", Some((28, "`args` needs a function that takes one"))),
    (
        "#[bench(types = [u8])] fn not_generic() {}",
        Some((27, "`types` needs a function with a type parameter")),
    ),
    ("fn right() {}", None),
];
const TIME: &str = "expected a time from \"1ns\" to \"100s\", such as \"25ms\"";
const TWICE: &str = "give `iterations` or `iteration_time`, once";

/// The errors of the compiler: line, column and message.
fn errors() -> Vec<(usize, usize, String)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("what is refused");
    fs::create_dir_all(folder.join("src")).unwrap();
    let macros = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"refused\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nevenhand-macros.path = {macros:?}\n"
    );
    let lines = LINES.map(|(line, _)| format!("{line}\n")).concat();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), format!("use evenhand_macros::bench;\n{lines}")).unwrap();
    let check = ["check", "--offline", "--quiet", "--message-format", "short", "--target-dir", "target"];
    let done = Command::new(env!("CARGO")).args(check).current_dir(&folder).output().unwrap();
    assert!(!done.status.success());
    let said = String::from_utf8(done.stderr).unwrap();
    let errors: Vec<_> = said.lines().filter_map(error).collect();
    assert!(!errors.is_empty(), "{said}");
    errors
}

/// Of `src/lib.rs:2:22: error: expected a number from 1 to 1000000`; the first line of [`LINES`] is the second of the file.
fn error(line: &str) -> Option<(usize, usize, String)> {
    let mut parts = line.strip_prefix("src/lib.rs:")?.splitn(3, ':');
    let (line, column) = (parts.next()?.parse::<usize>().ok()?, parts.next()?.parse().ok()?);
    Some((line - 2, column, parts.next()?.trim_start().strip_prefix("error: ")?.to_owned()))
}

#[test]
fn each_wrong_attribute_is_refused_at_its_place_with_what_is_expected() {
    let errors = errors();
    for (place, (line, wanted)) in LINES.iter().enumerate() {
        let found: Vec<_> = errors.iter().filter(|(at, ..)| *at == place).collect();
        match (wanted, &found[..]) {
            (None, []) => {}
            (Some((column, message)), [(_, at, said)]) => {
                assert!(at == column && said.starts_with(message), "{line}: column {at}: {said}");
            }
            _ => panic!("{line}: {found:?}"),
        }
    }
}
