//! Would a runner take the workflows of the book? Every block of `yaml` is parsed. Each of its steps uses an action, or runs lines that
//! a shell can read and that know every variable they use.

use super::{pages, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a runner sets.
const OF_THE_RUNNER: [&str; 3] = ["GITHUB_", "RUNNER_", "HOME"];

#[test]
fn every_workflow_of_the_book_would_run() {
    let mut whole = 0;
    for page in pages() {
        for block in blocks(&text(&page)) {
            assert_eq!(wrong(&block), None, "{page}:\n{block}");
            whole += usize::from(block.contains("\njobs:\n"));
        }
    }
    assert!(whole > 0, "a whole workflow is in the book");
}

#[test]
fn the_workflows_and_the_action_of_this_project_would_run() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(top.join(path)).unwrap();
    let workflows = fs::read_dir(top.join(".github/workflows")).unwrap();
    let names: Vec<_> = workflows.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.contains(&"release.yml".to_owned()), "{names:?}");
    for name in names {
        assert_eq!(wrong(&read(&format!(".github/workflows/{name}"))), None, "{name}");
    }
    assert_eq!(wrong_in_action(&read("action.yml")), None);
}

/// What is wrong with an action that is made of steps: each step that runs lines has to name its shell.
fn wrong_in_action(text: &str) -> Option<String> {
    let action: Value = match serde_norway::from_str(text) {
        Ok(action) => action,
        Err(error) => return Some(error.to_string()),
    };
    let steps = &action["runs"]["steps"];
    let has_no_shell = |step: &&Value| step["run"].is_string() && !step["shell"].is_string();
    wrong_in_steps(steps, &BTreeSet::new()).or_else(|| {
        let step = steps.as_array()?.iter().find(has_no_shell)?;
        Some(format!("no shell: {step}"))
    })
}

/// The blocks of this language.
fn blocks(page: &str) -> Vec<String> {
    let mut lines = page.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if matches!(line.trim(), "```yaml" | "```yml") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            blocks.push(block.join("\n"));
        }
    }
    blocks
}

/// What is wrong with a workflow, or with the steps of one.
fn wrong(block: &str) -> Option<String> {
    let workflow: Value = match serde_norway::from_str(block) {
        Ok(workflow) => workflow,
        Err(error) => return Some(error.to_string()),
    };
    if workflow.is_array() {
        return wrong_in_steps(&workflow, &BTreeSet::new());
    }
    let Some(jobs) = workflow["jobs"].as_object().filter(|jobs| !jobs.is_empty()) else {
        return Some("no jobs".to_owned());
    };
    jobs.values().find_map(|job| wrong_in_steps(&job["steps"], &(&names(&workflow) | &names(job))))
}

fn wrong_in_steps(steps: &Value, known: &BTreeSet<String>) -> Option<String> {
    let Some(steps) = steps.as_array().filter(|steps| !steps.is_empty()) else {
        return Some("no steps".to_owned());
    };
    steps.iter().find_map(|step| match (step["run"].as_str(), step["uses"].as_str()) {
        (Some(line), None) => wrong_in_shell(line, &(known | &names(step))),
        (None, Some(_)) => None,
        _ => Some(format!("neither `run` nor `uses`, or both: {step}")),
    })
}

/// The variables that a workflow, a job or a step sets.
fn names(part: &Value) -> BTreeSet<String> {
    part["env"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn wrong_in_shell(line: &str, known: &BTreeSet<String>) -> Option<String> {
    let is_known =
        |name: &&str| known.contains(*name) || OF_THE_RUNNER.iter().any(|start| name.starts_with(start));
    if let Some(name) = variables(line).into_iter().find(|name| !is_known(name)) {
        return Some(format!("nobody sets ${name}: {line}"));
    }
    let shell = Command::new("sh").args(["-n", "-c", line]).output().unwrap();
    (!shell.status.success()).then(|| String::from_utf8(shell.stderr).unwrap())
}

/// The names behind `$`.
fn variables(line: &str) -> Vec<&str> {
    let name = |rest: &'_ str| {
        rest.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
            .unwrap_or(rest.len())
    };
    line.split('$').skip(1).map(|rest| &rest[..name(rest)]).filter(|name| !name.is_empty()).collect()
}

#[test]
fn what_no_runner_would_take_is_seen() {
    let steps = |steps: &str| format!("on: push\njobs:\n  one:\n    env: {{ MINE: 1 }}\n    steps:\n{steps}");
    assert_eq!(wrong(&steps("      - run: echo \"$MINE $GITHUB_SHA\"\n      - uses: a/b@v1")), None);
    assert_eq!(wrong("- run: 'true'\n- uses: a/b@v1\n  with: { path: a }"), None);
    let told = |block: &str| wrong(block).unwrap();
    assert!(told(&steps("      - uses: a/b@v1\n            - run: echo")).contains("mapping values"));
    assert!(told(&steps("      - name: nothing")).starts_with("neither `run` nor `uses`"));
    assert!(told(&steps("      - run: echo \"$YOURS\"")).starts_with("nobody sets $YOURS"));
    assert!(told(&steps("      - run: echo 'a > b")).contains("quot"));
    assert_eq!(told(&steps("      []")), "no steps");
    assert_eq!(told("on: push"), "no jobs");
    let action = |step: &str| wrong_in_action(&format!("runs: {{ using: composite, steps: [{step}] }}"));
    assert_eq!(action("{ run: echo, shell: bash }"), None);
    assert!(action("{ run: echo }").unwrap().starts_with("no shell"));
    assert!(action("{ run: echo $YOURS, shell: bash }").unwrap().starts_with("nobody sets"));
    assert_eq!(
        blocks("a\n```yaml\nb: 1\nc: 2\n```\n```text\nd\n```\n- e\n  ```yml\n  f\n  ```\n"),
        ["b: 1\nc: 2", "  f"]
    );
}
