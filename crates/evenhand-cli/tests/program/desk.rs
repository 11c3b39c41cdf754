//! Where does a test run the program, and how is what it said compared with what is expected?

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Variables that change what the program prints or where it keeps trials.
const NOT_INHERITED: [&str; 10] = [
    "XDG_DATA_HOME",
    "HOME",
    "LC_ALL",
    "LANG",
    "COLUMNS",
    "RUST_BACKTRACE",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
];

/// A folder with a home in it, and what was typed there.
pub(crate) struct Desk {
    folder: TempDir,
    transcript: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("evenhand-test-").tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder, transcript: String::new() }
    }

    /// A desk with the files that the book names: `results/`, `old.json`, `new.json` and others.
    pub(crate) fn with_examples() -> Self {
        let desk = Self::new();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples"), &desk.path(""));
        let reader =
            "[user]\n\tname = Reader\n\temail = reader@example.org\n[init]\n\tdefaultBranch = main\n";
        fs::write(desk.path("../home/.gitconfig"), reader).unwrap();
        desk
    }

    /// A desk with results of other tools: `results/`, `old.json`, `new.json`.
    pub(crate) fn with_results() -> Self {
        let desk = Self::with_examples();
        let results = ["results", "old.json", "new.json"];
        for entry in fs::read_dir(desk.path("")).unwrap().map(Result::unwrap) {
            if !results.iter().any(|name| entry.file_name() == *name) {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        desk
    }

    /// A desk whose archive holds the results.
    pub(crate) fn with_archive() -> Self {
        let desk = Self::with_results();
        assert_eq!(desk.run(&["import", "results"]).code, 0);
        desk
    }

    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.folder.path().join("work").join(Path::new(name.as_ref()))
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.folder.path().join("home/data/evenhand")
    }

    pub(crate) fn database(&self) -> PathBuf {
        let files = fs::read_dir(self.archive()).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "sqlite")).unwrap()
    }

    pub(crate) fn write(&self, name: impl AsRef<OsStr>, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A real tool's file, under another name.
    pub(crate) fn fixture(&self, from: &str, name: &str) {
        self.write(name, fs::read(fixtures().join(from)).unwrap());
    }

    pub(crate) fn command(&self, words: &[impl AsRef<OsStr>]) -> Command {
        self.started_by(&[], words)
    }

    /// Another program starts ours.
    pub(crate) fn started_by(&self, starter: &[&str], words: &[impl AsRef<OsStr>]) -> Command {
        let line = [starter, &[env!("CARGO_BIN_EXE_evenhand")]].concat();
        let mut command = Command::new(line[0]);
        command.args(&line[1..]);
        NOT_INHERITED.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
            .args(words)
            .current_dir(self.folder.path().join("work"))
            .env("HOME", self.folder.path().join("home"))
            .env("XDG_DATA_HOME", self.folder.path().join("home/data"))
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    /// The program is at home at this desk, has the user's cargo with its crates, and finds evenhand.
    pub(crate) fn with_tools<'a>(&self, program: &'a mut Command) -> &'a mut Command {
        let ours = Path::new(env!("CARGO_BIN_EXE_evenhand")).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([ours].into_iter().chain(std::env::split_paths(&path))).unwrap();
        let home = |name: &str, usual: &str| {
            let at_home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(usual).into());
            std::env::var_os(name).or_else(at_home).map(|path| (name.to_owned(), path))
        };
        program
            .env("PATH", path)
            .envs(home("CARGO_HOME", ".cargo"))
            .envs(home("RUSTUP_HOME", ".rustup"))
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("CARGO_TARGET_DIR")
            .env("HOME", self.folder.path().join("home"))
            .env("XDG_DATA_HOME", self.folder.path().join("home/data"))
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        program
    }

    pub(crate) fn run(&self, words: &[impl AsRef<OsStr>]) -> Done {
        Done::of(self.command(words).output().unwrap())
    }

    /// Runs a line as a user types it, and keeps it in the transcript with all that was said.
    pub(crate) fn type_in(&mut self, line: &str) -> Done {
        let done = self.run(&words(line)[1..]);
        let said = |text: &str| self.comparable(text);
        let (out, err) = (said(&done.out), said(&done.err));
        let transcript = &mut self.transcript;
        writeln!(transcript, "$ {line}").unwrap();
        transcript.push_str(&out);
        err.lines().for_each(|line| writeln!(transcript, "! {line}").unwrap());
        writeln!(transcript, "[{}]\n", done.code).unwrap();
        done
    }

    /// Without what differs from run to run, every figure as wide as before: ids and times of day. A path is told as a
    /// user would type it here, `new.json` or `~/data`.
    pub(crate) fn comparable(&self, text: &str) -> String {
        let folder = self.folder.path().to_str().unwrap();
        let here = text.replace(&format!("{folder}/work/"), "").replace(&format!("{folder}/home"), "~");
        without_times(&without_ids(&here.replace(folder, "..")))
    }

    pub(crate) fn expect(&self, name: &str) {
        expect(name, &self.transcript);
    }
}

/// What a run of the program left behind.
pub(crate) struct Done {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Done {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Compares with the text kept under this name.
pub(crate) fn expect(name: &str, found: &str) {
    let temporary = std::env::temp_dir();
    assert!(!found.contains(temporary.to_str().unwrap()), "{name}: a path of this machine:\n{found}");
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/expected").join(format!("{name}.txt"));
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (expected, found))) =
        expected.lines().zip(found.lines()).enumerate().find(|(_, (expected, found))| expected != found)
    {
        panic!("{}, line {}:\nexpected: {expected}\nfound:    {found}", path.display(), line + 1);
    }
    assert_eq!(expected, found, "{}", path.display());
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../evenhand-formats/tests/fixtures")
}

/// Everything in a folder, to another one.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// A line's words as a shell splits them: by spaces outside quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = None;
    let mut begun = false;
    for character in line.chars() {
        match (character, quoted) {
            ('\'' | '"', None) => (quoted, begun) = (Some(character), true),
            (end, Some(quote)) if end == quote => quoted = None,
            (' ', None) if begun => {
                words.push(String::new());
                begun = false;
            }
            (' ', None) => {}
            (other, _) => {
                words.last_mut().unwrap().push(other);
                begun = true;
            }
        }
    }
    if !begun {
        words.pop();
    }
    words
}

/// Runs of 8 or 16 hexadecimal digits, at least one of them a letter or as the first word of a line.
fn without_ids(text: &str) -> String {
    let mut plain = String::new();
    for line in text.split_inclusive('\n') {
        for (place, word) in
            line.split_inclusive(|character: char| !character.is_ascii_alphanumeric()).enumerate()
        {
            let id = word.trim_end_matches(|character: char| !character.is_ascii_alphanumeric());
            let hex = id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let is_id = matches!(id.len(), 8 | 16)
                && hex
                && (place == 0 || id.bytes().any(|byte| byte.is_ascii_digit()));
            match is_id {
                true => plain.push_str(&("x".repeat(id.len()) + &word[id.len()..])),
                false => plain.push_str(word),
            }
        }
    }
    plain
}

/// `2026-11-21 09:53` is `YYYY-MM-DD hh:mm`.
fn without_times(text: &str) -> String {
    const SHAPE: &[u8; 16] = b"0000-00-00 00:00";
    let mut bytes = text.as_bytes().to_vec();
    for start in 0..bytes.len().saturating_sub(SHAPE.len() - 1) {
        let fits = |(byte, shape): (&u8, &u8)| {
            if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape }
        };
        if bytes[start..].iter().zip(SHAPE).all(fits) {
            bytes[start..start + SHAPE.len()].copy_from_slice(b"YYYY-MM-DD hh:mm");
        }
    }
    String::from_utf8(bytes).unwrap()
}
