//! What the fuzz targets do, as functions: libFuzzer calls them with inputs that it searches, the tests with
//! the seeds and some damaged ones.

use std::path::Path;
use std::{fs, io};

pub mod c;
pub mod inputs;

pub use inputs::Target;

/// Every target by its name.
pub fn targets() -> impl Iterator<Item = (&'static str, Target)> {
    inputs::TARGETS.iter().chain(c::TARGETS).copied()
}

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    targets().find(|(known, _)| *known == name).map(|(_, run)| run)
}

/// Writes the seeds of all targets, a folder for each.
///
/// # Errors
/// A file or a folder cannot be written.
pub fn write_seeds(folder: &Path) -> io::Result<()> {
    for (name, _) in targets() {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in inputs::seeds::of(name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
