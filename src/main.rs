//! The `raceline` command line: parse, run, report, exit code. `raceline --help` describes it.

mod cli;

use std::process::ExitCode;

use cli::Cli;
use cli::report::{self, Failure};

fn main() -> ExitCode {
    let colour = report::colour_choice(std::env::args_os());
    let cli = match Cli::parse_with_colour(colour) {
        Ok(cli) => cli,
        // Help and version are errors of clap too, which selects the stream and the exit code.
        Err(error) => error.exit(),
    };
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            report::print_failure(&failure, colour);
            failure.exit_code()
        }
    }
}
