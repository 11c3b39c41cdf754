//! What does a page of the book ask its reader to do?
//!
//! | in the page | it means |
//! |---|---|
//! | a block of `console` | each line behind `$` is typed; what follows it is its output, `…` at the end of a line or by itself stands for anything |
//! | `<!-- file: NAME -->` | the next block is what this file holds from now on |
//! | `<!-- exits: N -->` | the last command of the next block ends with this status |
//! | `<!-- first: COMMAND -->` | a command that the reader need not see |
//! | `<!-- with: WORDS -->` | what is added to each command of the next block, so that it takes less time |
//! | a table's row whose last cell begins with `evenhand` in backticks | that command is typed |

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Write { name: String, text: String },
    Type(Command),
}

/// A line that is typed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Command {
    pub(super) line: String,
    pub(super) shown: Vec<String>,
    pub(super) status: i32,
}

impl Command {
    fn new(line: impl Into<String>) -> Self {
        Self { line: line.into(), ..Self::default() }
    }
}

/// What the comments before a block say of it.
#[derive(Default)]
struct About {
    file: Option<String>,
    status: i32,
    with: Option<String>,
}

pub(super) fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut about = About::default();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            match comment.split_once(": ").unwrap_or((comment, "")) {
                ("file", name) => about.file = Some(name.to_owned()),
                ("exits", status) => about.status = status.parse().unwrap(),
                ("with", words) => about.with = Some(words.to_owned()),
                ("first", command) => steps.push(Step::Type(Command::new(command))),
                _ => panic!("not a word of this book: {line}"),
            }
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let about = std::mem::take(&mut about);
            match (about.file, language) {
                (Some(name), _) => steps.push(Step::Write { name, text: block.join("\n") + "\n" }),
                (None, "console") => steps.extend(typed(&block, about.status, about.with.as_deref())),
                (None, "") => panic!("a block without a language: {block:?}"),
                (None, _) => {}
            }
        } else if let Some(command) = command_of_row(line) {
            steps.push(Step::Type(Command::new(command)));
        }
    }
    steps
}

fn typed(block: &[&str], status: i32, with: Option<&str>) -> impl Iterator<Item = Step> {
    let mut commands: Vec<Command> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => {
                let command = command.split(" #").next().unwrap();
                let with = with.map(|words| format!(" {words}")).unwrap_or_default();
                commands.push(Command::new(format!("{}{with}", command.trim_end())));
            }
            (None, Some(command)) => command.shown.push((*line).to_owned()),
            (None, None) => panic!("output before any command: {line}"),
        }
    }
    commands.last_mut().unwrap().status = status;
    commands.into_iter().map(Step::Type)
}

/// The command in the last cell of a row of a table, as far as it is one that can be typed.
fn command_of_row(line: &str) -> Option<String> {
    let row = line.strip_prefix('|')?.strip_suffix('|')?.replace("\\|", "\u{0}");
    let cell = row.rsplit('|').next()?.trim().replace('\u{0}', "|");
    let command = cell.split('`').nth(1).filter(|_| cell.starts_with('`'))?;
    // With an ellipsis, or naming only the verb, it is no whole command.
    let whole = command.starts_with("evenhand ") && command.split(' ').count() > 2 && !command.contains('…');
    whole.then(|| command.to_owned())
}

#[test]
fn a_page_is_read_as_its_reader_would() {
    let page = "\
text
<!-- file: a.txt -->
In `a.txt`:

```text
one
```

<!-- exits: 3 -->
```console
$ first   # why
shown …
$ evenhand second
```
| theirs | `evenhand run --shell 'a \\| b' c` |
| theirs | `evenhand import` |
";
    let command = |line: &str, shown: &[&str], status| {
        let shown = shown.iter().map(|&line| line.to_owned()).collect();
        Step::Type(Command { line: line.to_owned(), shown, status })
    };
    assert_eq!(
        steps(page),
        [
            Step::Write { name: "a.txt".to_owned(), text: "one\n".to_owned() },
            command("first", &["shown …"], 0),
            command("evenhand second", &[], 3),
            command("evenhand run --shell 'a | b' c", &[], 0),
        ]
    );
}
