//! Runs every target on its seeds and on some damaged ones, without libFuzzer.
//!
//!     smoke                  all targets; 8 damaged inputs for each seed
//!     smoke list             the names of the targets
//!     smoke seeds FOLDER     writes the seeds of all targets, one folder each
//!     smoke run TARGET FILE  one input, as that of a failure

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs, io};

use raceline_fuzz::seeds::{self, Random};
use raceline_fuzz::{TARGETS, target};

/// Damaged inputs for each seed.
const DAMAGED: usize = 8;
/// Seeds of a target that are damaged: enough that a target which no longer works is found.
const MAX_DAMAGED_SEEDS: usize = 4;

/// `seed` with some bytes replaced, and cut or repeated at times.
fn damaged(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    match random.below(4) {
        0 => bytes.truncate(random.below(seed.len() + 1)),
        1 => {
            let from = random.below(seed.len() + 1);
            bytes.extend_from_slice(&seed[from..]);
        }
        _ => {}
    }
    for _ in 0..1 + random.below(4) {
        let place = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(place) {
            *byte = random.below(256) as u8;
        }
    }
    bytes
}

fn smoke() {
    for (name, run) in TARGETS {
        let (begun, mut executions) = (Instant::now(), 1);
        run(&[]);
        for (number, seed) in seeds::of(name).iter().enumerate() {
            let mut random = Random(number as u64);
            run(seed);
            executions += 1;
            for _ in 0..if number < MAX_DAMAGED_SEEDS { DAMAGED } else { 0 } {
                run(&damaged(seed, &mut random));
                executions += 1;
            }
        }
        println!("{name:20} {executions:4} executions in {:6.0} ms", begun.elapsed().as_secs_f64() * 1e3);
    }
    println!("{} targets", TARGETS.len());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] => Ok(smoke()),
        ["list"] => Ok(TARGETS.iter().for_each(|(name, _)| println!("{name}"))),
        ["seeds", folder] => seeds::write(Path::new(folder)),
        ["run", name, file] => match target(name) {
            Some(run) => fs::read(file).map(|bytes| run(&bytes)),
            None => Err(io::Error::other(format!("no target is called {name}"))),
        },
        _ => Err(io::Error::other("usage: smoke [list | seeds FOLDER | run TARGET FILE]")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
