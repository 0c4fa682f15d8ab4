//! Outputs: stdout, or a file that is written atomically.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::report;
use super::special_output;

/// The destination of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// The lines below a report that name the files among `outputs`.
pub fn written<'a>(outputs: impl IntoIterator<Item = &'a Output>) -> String {
    let line = |output: &Output| match output {
        Output::File(path) => format!("  -> {}\n", path.display()),
        Output::Stdout => String::new(),
    };
    outputs.into_iter().map(line).collect()
}

impl Output {
    /// The output that `-o path` means: `-` is stdout.
    pub fn new(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// Whether it is standard output.
    pub fn is_stdout(&self) -> bool {
        *self == Self::Stdout
    }

    /// Fails early if [`Self::write`] would fail after the long run. Leaves no file behind, also
    /// none of an earlier process that was killed while it wrote.
    pub fn check(&self) -> Result<()> {
        let Self::File(path) = self else { return special_output::check_stdout() };
        let problem = || format!("can't write {}", path.display());
        match Target::of(path).with_context(problem)? {
            Target::Special(path) => special_output::check(&path).with_context(problem),
            Target::Plain { path, .. } => {
                let file = temporary_beside(&path).with_context(problem)?;
                file.close().with_context(problem)?;
                remove_leftovers(folder_of(&path));
                Ok(())
            }
        }
    }

    /// Writes `bytes` atomically: to a temporary file in the same folder, which is stored and then
    /// renamed. Devices and pipes are written directly.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        let Self::File(path) = self else {
            special_output::check_size(None, bytes.len()).context("can't write standard output")?;
            return Ok(report::bytes_to_stdout(bytes)?);
        };
        let problem = || format!("can't write {}", path.display());
        match Target::of(path).with_context(problem)? {
            Target::Special(path) => special_output::write(&path, bytes).with_context(problem),
            Target::Plain { path, permissions } => {
                special_output::check_size(Some(&path), bytes.len()).with_context(problem)?;
                let mut file = temporary_beside(&path).with_context(problem)?;
                // Not through the temporary file's own writer, whose errors name that file.
                file.as_file_mut().write_all(bytes).with_context(problem)?;
                if let Some(permissions) = permissions {
                    file.as_file().set_permissions(permissions).with_context(problem)?;
                }
                // After a power failure, the name must not lead to a file without its contents.
                stored(file.as_file().sync_all()).with_context(problem)?;
                file.persist(&path).map_err(|error| error.error).with_context(problem)?;
                store_names_in(folder_of(&path));
                Ok(())
            }
        }
    }
}

/// The kind of file that a path leads to.
enum Target {
    /// An existing or new file; links are followed. A replaced file keeps its permissions.
    Plain { path: PathBuf, permissions: Option<fs::Permissions> },
    /// A device or pipe, which cannot be replaced.
    Special(PathBuf),
}

impl Target {
    fn of(path: &Path) -> Result<Self> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::Plain { path: end_of_links(path), permissions: None });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                bail!("{} is not a folder", path.parent().unwrap_or(path).display());
            }
            Err(error) => return Err(error.into()),
        };
        if metadata.is_dir() {
            bail!("it is a folder: specify a file in it");
        }
        // `/dev/stdout` may be a plain file that another process has open, which must not be
        // replaced either.
        if !metadata.is_file() || path.starts_with("/dev") {
            return Ok(Self::Special(path.to_owned()));
        }
        if metadata.permissions().readonly() {
            bail!("it is read-only");
        }
        Ok(Self::Plain { path: fs::canonicalize(path)?, permissions: Some(metadata.permissions()) })
    }
}

/// Maximum number of links in a row, as in Linux.
const MAX_LINKS: usize = 40;

/// The file that links lead to, which need not exist: a link whose file is missing makes it.
pub fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    path
}

/// The folder of a file's path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}

/// The result of storing a file; not every file system can.
fn stored(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => Ok(()),
        other => other,
    }
}

/// Stores a folder's names, where the system has that. Without it, the file is still whole under
/// its old name or its new one.
fn store_names_in(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// The text of an error whose kind the standard library does not name.
const UNCATEGORIZED: &str = "uncategorized error";
const TEMPORARY_PREFIX: &str = ".raceline-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Removes from `folder` the temporary files of processes that were killed while they wrote. A file
/// in use is locked by its writer, also from another machine. Files that cannot be locked or
/// removed are kept.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A pipe of such a name would block.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !(is_file && name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)) {
            continue;
        }
        let Ok(file) = fs::OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file in `path`'s folder with the usual permissions of a new file, locked so that
/// [`remove_leftovers`] keeps it.
fn temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile> {
    loop {
        let file = unlocked_temporary_beside(path)?;
        // Where files cannot be locked, none is removed as a leftover either.
        let locked = file.as_file().lock().is_ok();
        // Another process may have removed it between its creation and the lock.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

fn unlocked_temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        bail!("there is no folder {}: create it first", folder.display());
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The system applies the umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| {
        // tempfile's message names the temporary file, which would confuse.
        let plain = io::Error::from(error.kind());
        let (text, whole) = (plain.to_string(), error.to_string());
        let plain = match whole.split_once(" at path ") {
            Some((cause, _)) if text == UNCATEGORIZED => io::Error::other(cause.to_owned()),
            _ => plain,
        };
        anyhow::Error::from(plain).context(format!("no file can be created in {}", folder.display()))
    })
}

/// Writes a file as the commands do: whole or not at all.
///
/// # Errors
/// The system's message, with the path.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    Output::File(path.to_owned()).write(bytes)
}
