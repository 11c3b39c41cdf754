//! How does the server end, whatever becomes of the experiment? A destructor runs when the experiment ends or fails, but not when it is killed
//! or interrupted. A server left behind would keep a folder, and its housekeeping would disturb what is measured next.
//!
//! So a shell waits on a pipe whose other end this program holds. When that end is closed, by the destructor or because
//! this program is no more, the shell ends the server and removes the folder. It leads a process group of its own, as the
//! server does, so that Ctrl-C and a closed terminal reach this program alone.
//!
//! The number of the server stands in the first line of `data/postmaster.pid`, a file that it removes when it has ended. While `initdb` is
//! at work, that number is negative; it ends by itself, perhaps with a last file after the folder was emptied, so that is done again.
//!
//! Tests: below; `tests/program/experiment.rs` of evenhand-cli kills an experiment.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// SIGINT is a "fast shutdown": sessions end, what they wrote is kept. A server that is still there after so many tenths of a second
/// is killed.
const PATIENCE: u32 = 100;
const SCRIPT: &str = r#"
folder=$1 left=$2
read -r _
pid_file=$folder/data/postmaster.pid
server=$(head -n 1 "$pid_file")
case $server in
'' | *[!0-9]*) ;;
*)
    kill -INT "$server"
    while [ -e "$pid_file" ] && [ "$left" -gt 0 ]; do
        sleep 0.1
        left=$((left - 1))
    done
    [ "$left" -gt 0 ] || kill -KILL "$server"
    ;;
esac
rm -rf -- "$folder" || { sleep 2 && rm -rf -- "$folder"; }
"#;

/// A folder that goes away, after the server in it.
pub(super) struct Guard {
    shell: Child,
    folder: TempDir,
}

impl Guard {
    pub(super) fn over(folder: TempDir) -> io::Result<Self> {
        Self::with_patience(folder, PATIENCE)
    }

    fn with_patience(folder: TempDir, tenths: u32) -> io::Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "sh"]).arg(folder.path()).arg(tenths.to_string());
        shell.current_dir("/").process_group(0);
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok(Self { shell, folder })
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // It always ends, see its patience. If it cannot be waited for, there is nobody left to tell.
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;

    fn folder() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        folder
    }

    /// A shell that writes its number where a server does, and hears SIGINT like this.
    fn stand_in(folder: &Path, on_interrupt: &str) -> Child {
        let script = format!(
            "file=$1; trap '{on_interrupt}' INT; echo $$ > \"$file\"; echo ready; while :; do sleep 0.02; done"
        );
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &script, "sh"]).arg(folder.join("data/postmaster.pid"));
        let mut shell = shell.stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = [0; 6];
        shell.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
        shell
    }

    #[test]
    fn the_server_is_asked_to_end_and_then_the_folder_goes() {
        let guard = Guard::over(folder()).unwrap();
        let folder = guard.folder().to_owned();
        let mut server = stand_in(&folder, r#"rm "$file"; exit 3"#);
        drop(guard);
        assert!(!folder.exists());
        let ended = server.wait().unwrap();
        // Where SIGINT is ignored from the start, as in the background of a shell, a shell cannot hear it, and is killed.
        match interrupts_are_ignored() {
            true => assert_eq!(ended.signal(), Some(9)),
            false => assert_eq!(ended.code(), Some(3), "{ended}"),
        }
    }

    /// By this process, and so by those that it starts.
    fn interrupts_are_ignored() -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.map(|mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        // SIGINT is number 2, and the first bit is for number 1.
        ignored.is_some_and(|mask| mask & 0b10 != 0)
    }

    #[test]
    fn a_server_that_does_not_listen_is_killed() {
        let guard = Guard::with_patience(folder(), 3).unwrap();
        let folder = guard.folder().to_owned();
        let mut server = stand_in(&folder, ":");
        drop(guard);
        assert!(!folder.exists());
        assert_eq!(server.wait().unwrap().signal(), Some(9));
    }

    #[test]
    fn without_a_server_the_folder_goes() {
        for pid in ["", "-1\n", "0x10\n"] {
            let guard = Guard::over(folder()).unwrap();
            fs::write(guard.folder().join("data/postmaster.pid"), pid).unwrap();
            let folder = guard.folder().to_owned();
            drop(guard);
            assert!(!folder.exists(), "{pid:?}");
        }
    }
}
