//! `raceline demo`, and each command that it suggests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use predicates::prelude::*;
use tempfile::TempDir;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);

fn raceline(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("raceline").unwrap();
    command.current_dir(folder).timeout(PATIENCE);
    command
}

#[test]
fn every_command_that_a_demo_suggests_runs_in_it() {
    let folder = TempDir::new().unwrap();
    raceline(folder.path()).arg("demo").assert().success().stdout(predicate::str::contains("raceline circuit.png"));
    let demo = folder.path().join("raceline-demo");
    let readme = fs::read_to_string(demo.join("README.txt")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    raceline ")).collect();
    assert!(commands.len() >= 10, "{readme}");
    for command in commands {
        raceline(&demo).args(command.split(' ')).arg("--quiet").assert().success();
    }
    // The files that it names are those that are there.
    for line in readme.lines().filter(|line| !line.starts_with(' ') && line.contains(": ")) {
        for file in line.split_once(": ").unwrap().0.split(", ") {
            assert!(demo.join(file).is_file(), "{file}");
        }
    }
    // What is there is not written over.
    raceline(folder.path()).arg("demo").assert().code(1).stderr(predicate::str::contains("the folder is not empty"));
}
