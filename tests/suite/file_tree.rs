//! The files of the repository, for tests that read them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};

/// Every file with one of `endings` in `folder` and in the folders below it, sorted.
pub fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| endings.iter().any(|ending| found == *ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
