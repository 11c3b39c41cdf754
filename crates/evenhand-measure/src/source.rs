//! Which source was measured? The commit and the branch of a folder, as git says, and whether files differ from it.
//!
//! One call, `git status --porcelain=v2 --branch` (<https://git-scm.com/docs/git-status>), answers all three. Files that
//! git does not know do not make the source dirty: results of earlier measurements are often among them. The call
//! writes nothing, starts no hook or monitor of the repository, and asks nobody.
//!
//! Tests: `tests/programs.rs`.

use crate::program;
use evenhand_trial::environment::Git;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Variables that would send git to another repository than that of the folder.
const MISLEADING: [&str; 6] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY"];

/// The state of the repository that a folder is in. `None` without git, repository or commit.
pub fn git(folder: &Path, patience: Duration) -> Option<Git> {
    let mut command = Command::new("git");
    command.args([
        "--no-optional-locks",
        "--no-pager",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=",
    ]);
    command.arg("-C").arg(folder).args(["status", "--porcelain=v2", "--branch", "--untracked-files=no"]);
    command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_ASKPASS", "");
    for name in MISLEADING {
        command.env_remove(name);
    }
    let answer = program::answer(&mut command, patience).filter(|answer| answer.success)?;
    state(&answer.output)
}

/// Reads what `git status --porcelain=v2 --branch` said.
pub fn state(status: &str) -> Option<Git> {
    let header = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    let commit =
        header("# branch.oid ").filter(|commit| commit.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some(Git {
        commit: commit.to_owned(),
        dirty: status.lines().any(|line| !line.starts_with('#')),
        branch: header("# branch.head ").filter(|branch| *branch != "(detached)").map(str::to_owned),
    })
}
