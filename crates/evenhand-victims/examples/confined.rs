//! Runs a program on a machine that refuses some system calls: `confined CALL=ERROR… -- PROGRAM ARGUMENTS…`, for example
//! `confined pidfd_open=ENOSYS -- evenhand run true true`.

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    use evenhand_victims::confined::{Refusal, refuse};
    use std::os::unix::process::CommandExt;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (refused, command) =
        words.split_at(words.iter().position(|word| word == "--").unwrap_or(words.len()));
    for text in refused {
        let done = Refusal::named(text).map(refuse);
        if !matches!(done, Some(Ok(()))) {
            eprintln!("confined: cannot refuse {text} ({done:?})");
            return std::process::ExitCode::from(2);
        }
    }
    let [_, program, arguments @ ..] = command else {
        eprintln!("confined CALL=ERROR… -- PROGRAM ARGUMENTS…");
        return std::process::ExitCode::from(2);
    };
    let error = std::process::Command::new(program).args(arguments).exec();
    eprintln!("confined: {program}: {error}");
    std::process::ExitCode::from(2)
}

#[cfg(not(target_os = "linux"))]
fn main() {}
