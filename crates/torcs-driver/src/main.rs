//! The runner: makes a line of a track of TORCS, drives it there with the robot of this package and
//! compares the lap with those of TORCS's own robots.

use std::process::ExitCode;

use clap::Parser;

mod runner;

fn main() -> ExitCode {
    match runner::run(&runner::Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
