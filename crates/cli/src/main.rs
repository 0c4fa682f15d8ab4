//! The program `raceline`: its process's arguments to the command line. `raceline --help` describes it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(raceline_cli::main(&arguments))
}
