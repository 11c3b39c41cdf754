//! The `evenhand` program: hands the command line to [`evenhand_cli::tool`] and ends with its exit code.

use std::io::{BufWriter, IsTerminal, LineWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    evenhand_measure::platform::hear_of_children();
    let stdout = std::io::stdout().lock();
    // Somebody who watches sees each line as it is done.
    let mut out: Box<dyn Write> = if stdout.is_terminal() {
        Box::new(LineWriter::new(stdout))
    } else {
        Box::new(BufWriter::new(stdout))
    };
    let mut err = std::io::stderr().lock();
    let world = evenhand_cli::World::here();
    let code = evenhand_cli::tool(std::env::args_os(), &world, &mut out, &mut err);
    // A reader that went away (`evenhand list | head`) is no failure of ours.
    match out.flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(err, "error: cannot write to standard output: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::from(code),
    }
}
