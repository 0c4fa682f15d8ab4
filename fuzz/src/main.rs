//! The targets without libFuzzer.
//!
//!     raceline-fuzz list               the names of the targets
//!     raceline-fuzz seeds FOLDER       writes the seeds of all targets, a folder for each
//!     raceline-fuzz run TARGET FILE    one input, as that of a failure

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use raceline_fuzz::{target, targets, write_seeds};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["list"] => {
            targets().for_each(|(name, _)| println!("{name}"));
            Ok(())
        }
        ["seeds", folder] => write_seeds(Path::new(folder)),
        ["run", name, file] => match target(name) {
            Some(run) => fs::read(file).map(|bytes| run(&bytes)),
            None => Err(io::Error::other(format!("no target is called {name}"))),
        },
        _ => Err(io::Error::other("usage: raceline-fuzz list | seeds FOLDER | run TARGET FILE")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
