//! Where results go: stdout or a file that is written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::report;

/// A place for one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Output {
    /// The output that `-o path` means: `-` is stdout.
    pub fn new(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// Fails now if [`Self::write`] would have to fail later, after the long run. Leaves nothing behind.
    pub fn check(&self) -> Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        let problem = || format!("can't write {}", path.display());
        let target = Target::of(path).with_context(problem)?;
        match target {
            Target::Special(path) => fs::OpenOptions::new().write(true).open(path).map(drop).with_context(problem),
            Target::Plain { path, .. } => temporary_beside(&path).with_context(problem)?.close().with_context(problem),
        }
    }

    /// Writes `bytes` whole or not at all: into a temporary file in the same folder that then takes the name. Devices and
    /// pipes are written straight.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        let Self::File(path) = self else { return Ok(report::to_stdout(bytes)?) };
        let problem = || format!("can't write {}", path.display());
        match Target::of(path).with_context(problem)? {
            Target::Special(path) => {
                let mut file = fs::OpenOptions::new().write(true).open(path).with_context(problem)?;
                file.write_all(bytes).with_context(problem)
            }
            Target::Plain { path, permissions } => {
                let mut file = temporary_beside(&path).with_context(problem)?;
                file.write_all(bytes).with_context(problem)?;
                if let Some(permissions) = permissions {
                    file.as_file().set_permissions(permissions).with_context(problem)?;
                }
                file.persist(&path).map(drop).map_err(|error| error.error).with_context(problem)
            }
        }
    }
}

/// What a path leads to.
enum Target {
    /// A file, or a place where none is yet; links are followed. A file that is replaced keeps its permissions.
    Plain { path: PathBuf, permissions: Option<fs::Permissions> },
    /// A device or pipe, which can't be replaced.
    Special(PathBuf),
}

impl Target {
    fn of(path: &Path) -> Result<Self> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::Plain { path: path.to_owned(), permissions: None });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                bail!("{} is no folder", path.parent().unwrap_or(path).display());
            }
            Err(error) => return Err(error.into()),
        };
        if metadata.is_dir() {
            bail!("it is a folder: name a file in it");
        }
        // `/dev/stdout` may lead to a plain file, which its owner has open: it must not be replaced either.
        if !metadata.is_file() || path.starts_with("/dev") {
            return Ok(Self::Special(path.to_owned()));
        }
        if metadata.permissions().readonly() {
            bail!("it is read-only");
        }
        Ok(Self::Plain { path: fs::canonicalize(path)?, permissions: Some(metadata.permissions()) })
    }
}

const TEMPORARY_PREFIX: &str = ".raceline-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Removes from `folder` the temporary files of processes that were killed while they wrote. One that is being written is locked by its
/// writer, whichever machine that runs on. What can't be locked or removed stays: it's in nobody's way.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)) {
            continue;
        }
        let Ok(file) = fs::OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file in `path`'s folder with the permissions that a new file usually gets, locked so that nobody takes it for a leftover.
fn temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile> {
    loop {
        let file = unlocked_temporary_beside(path)?;
        // Where files can't be locked they can't be taken for leftovers either.
        let locked = file.as_file().lock().is_ok();
        // Between its creation and the lock someone may have removed it.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

fn unlocked_temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => bail!("it has no folder"),
    };
    if !folder.is_dir() {
        bail!("there is no folder {}: create it first", folder.display());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system takes the umask's bits away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| {
        // tempfile's message names its own file, which would only puzzle.
        let plain = io::Error::from(error.kind());
        anyhow::Error::from(plain).context(format!("no file can be created in {}", folder.display()))
    })
}
