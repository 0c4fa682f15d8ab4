//! `raceline-neural-driver`: see [`raceline_neural_driver::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    raceline_neural_driver::cli::main()
}
