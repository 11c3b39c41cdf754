//! Where does the server live, and as whom does it run? In a temporary folder to which the path is short, because the path of a socket has to be.
//! PostgreSQL refuses to run as root, so root runs it as another user, whom the folder is given to.
//!
//! Tests: below; `cluster.rs` starts a server there.

use super::error::PostgresError;
use std::env;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What the server calls its socket.
pub(super) const SOCKET: &str = ".s.PGSQL.5432";
/// The path of a socket has room for 107 bytes on Linux, 103 on macOS.
const LONGEST_SOCKET: usize = 103;
const FOLDER_PREFIX: &str = "evenhand-pg-";
/// How long the name of the folder is, with what `tempfile` draws, and two slashes.
const NAME_ROOM: usize = FOLDER_PREFIX.len() + 6 + 2;

/// In the folder for temporary files, or in `/tmp` where the path of a socket in it would be too long or another user cannot go
/// there.
pub(super) fn short_folder() -> io::Result<TempDir> {
    for root in [env::temp_dir(), PathBuf::from("/tmp")] {
        let Ok(root) = fs::canonicalize(root) else { continue };
        if root.as_os_str().len() + NAME_ROOM + SOCKET.len() > LONGEST_SOCKET {
            continue;
        }
        let mut builder = tempfile::Builder::new();
        // Whoever gets to the socket may do anything, as the user who runs the server.
        builder.prefix(FOLDER_PREFIX).permissions(Permissions::from_mode(0o700));
        let folder = builder.tempdir_in(&root)?;
        if !is_roots(folder.path())? || others_may_enter(&root) {
            return Ok(folder);
        }
    }
    Err(io::Error::other("what there is has a path too long for a socket, or is closed to other users"))
}

/// What root has made belongs to root.
fn is_roots(folder: &Path) -> io::Result<bool> {
    Ok(fs::metadata(folder)?.uid() == 0)
}

fn others_may_enter(folder: &Path) -> bool {
    let open = |folder: &Path| fs::metadata(folder).is_ok_and(|known| known.permissions().mode() & 1 != 0);
    folder.ancestors().all(open)
}

/// Who runs the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct User {
    pub(super) id: u32,
    pub(super) group: u32,
}

/// Nobody else, or, for root, a user to whom the folder then belongs.
pub(super) fn user_for(folder: &Path) -> Result<Option<User>, PostgresError> {
    if !is_roots(folder).map_err(PostgresError::NoFolder)? {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = user_in(&users).ok_or(PostgresError::NoUser)?;
    std::os::unix::fs::chown(folder, Some(user.id), Some(user.group)).map_err(PostgresError::NoFolder)?;
    Ok(Some(user))
}

/// Debian's own user for it, or the one who owns nothing.
fn user_in(users: &str) -> Option<User> {
    let named = |name: &str| {
        let mut fields =
            users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':').skip(1);
        Some(User { id: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? })
    };
    named("postgres").or_else(|| named("nobody")).filter(|user| user.id != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_runs_it_for_root() {
        let debian = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\npostgres:x:101:104::/:/bin/bash\n";
        assert_eq!(user_in(debian), Some(User { id: 101, group: 104 }));
        assert_eq!(
            user_in(&debian.replace("postgres", "postgresql")),
            Some(User { id: 65534, group: 65534 })
        );
        assert_eq!(user_in("root:x:0:0::/root:/bin/sh\nnobody:x\n"), None);
        assert_eq!(user_in("postgres:x:0:0::/:/bin/sh\n"), None, "that would be root again");
    }

    #[test]
    fn a_folder_that_others_cannot_enter_is_not_for_them() {
        let mode = |folder: &Path, mode| fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
        let outer = tempfile::tempdir_in("/tmp").unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).unwrap();
        mode(outer.path(), 0o755);
        assert!(others_may_enter(&inner));
        mode(outer.path(), 0o700);
        assert!(!others_may_enter(&inner));
    }

    #[test]
    fn nobody_else_gets_to_the_socket() {
        let folder = short_folder().unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(folder.path().join(SOCKET).as_os_str().len() <= LONGEST_SOCKET);
    }
}
