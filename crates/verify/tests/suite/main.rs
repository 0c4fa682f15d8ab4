//! The judge's tests, as one program.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

mod closed_forms;
mod committed;
mod grip_and_margins;
mod hostile;
mod reports;
mod spoiled;
mod straight_road;
mod trace;

use std::path::Path;

use raceline_verify::{Against, JudgedLine, Report, read, verify};

/// The committed lines with their names, where the repository is whole.
fn committed_lines() -> Vec<(String, JudgedLine)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tracks");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return Vec::new();
    };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".raceline.json"));
    files.sort();
    let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|file| (name(file), read(&std::fs::read(file).unwrap()).unwrap())).collect()
}

/// The judgement of a line against its own file.
fn judged(line: &JudgedLine) -> Report {
    verify(line, &Against::of(line)).unwrap()
}
