//! Whole files, of a bounded size. A pipe, a device or a socket in place of a file would block for
//! ever or never end, so it is refused before it is opened.
//!
//! Standard input is the exception, under its names `-`, `/dev/stdin` and `/dev/fd/N`: a caller who
//! writes one of these means a pipe. It is bounded too. A file that is called `-` is `./-`.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Error, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Largest picture file, bytes. `max_megapixels` limits what is decoded from it.
pub const LARGEST_PICTURE: u64 = 2 << 30;
/// Largest track file, map YAML or extracted track, bytes.
pub const LARGEST_TRACK_FILE: u64 = 64 << 20;
/// Largest racing-line file, bytes.
pub const LARGEST_LINE_FILE: u64 = 256 << 20;
/// Largest telemetry file, bytes.
pub const LARGEST_TELEMETRY: u64 = 256 << 20;
/// Largest sidecar, vehicle file or table, bytes.
pub const LARGEST_OPTIONS_FILE: u64 = 4 << 20;

/// The name of standard input.
pub const STANDARD_INPUT: &str = "-";

/// Whether `path` is the name of standard input.
#[must_use]
pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Which files a file may name: the vehicle of a sidecar, the picture of a map, the table of a vehicle.
///
/// ```
/// use raceline_file::files::Reach;
/// use std::path::Path;
///
/// let sidecar = Path::new("tracks/club.toml");
/// assert!(Reach::WithinFolder.path(sidecar, Path::new("cars/mine.toml")).is_ok());
/// assert!(Reach::WithinFolder.path(sidecar, Path::new("../../secret.toml")).is_err());
/// assert!(Reach::Anywhere.path(sidecar, Path::new("../../secret.toml")).is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// Files in its own folder and in the folders in it, also after links are followed: who opens a file of
    /// somebody else does not have others read by it.
    #[default]
    WithinFolder,
    /// Any file.
    Anywhere,
}

impl Reach {
    /// The path of the file `named`, which the file at `by` names, from that file's folder.
    ///
    /// # Errors
    /// [`ErrorKind::PermissionDenied`] for a file that is out of reach.
    pub fn path(self, by: &Path, named: &Path) -> io::Result<PathBuf> {
        self.check(by, by.parent().unwrap_or(Path::new("")).join(named))
    }

    /// `path`, if the file at `by` may name the file there.
    ///
    /// # Errors
    /// [`ErrorKind::PermissionDenied`] for a file that is out of reach.
    pub fn check(self, by: &Path, path: PathBuf) -> io::Result<PathBuf> {
        let folder = by.parent().unwrap_or(Path::new(""));
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let is_within = || match (fs::canonicalize(here), fs::canonicalize(&path)) {
            (Ok(folder), Ok(file)) => file.starts_with(folder),
            // What isn't there can't be read, but the message must not show whether it is there.
            _ => path.strip_prefix(folder).is_ok_and(stays_within),
        };
        if self == Self::Anywhere || is_within() {
            Ok(path)
        } else {
            Err(Error::new(ErrorKind::PermissionDenied, OutOfReach))
        }
    }
}

/// Whether a relative path never leads above its beginning.
fn stays_within(path: &Path) -> bool {
    let mut depth = 0_usize;
    path.components().all(|component| match component {
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::CurDir => true,
        Component::ParentDir if depth > 0 => {
            depth -= 1;
            true
        }
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    })
}

/// A file that names another outside its own folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OutOfReach;

impl fmt::Display for OutOfReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it lies outside the folder of the file that names it: move it there, or pass --allow-outside")
    }
}

impl std::error::Error for OutOfReach {}

/// The bytes of the file at `path`.
///
/// # Errors
/// Those of the operating system; [`ErrorKind::InvalidInput`] for a file that is not regular, and
/// [`ErrorKind::FileTooLarge`] for one of more than `max_bytes`.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > max_bytes {
        return Err(too_large(max_bytes));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    append(&file, max_bytes, &mut bytes)?;
    Ok(bytes)
}

/// As [`read`]; also the start of the file decides how large it may be.
///
/// # Errors
/// Those of [`read`].
pub fn read_by_kind(path: &Path, start_bytes: u64, max_bytes: impl Fn(&[u8]) -> u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    (&file).take(start_bytes).read_to_end(&mut bytes)?;
    let max_bytes = max_bytes(&bytes);
    let length = file.metadata()?.len();
    if length > max_bytes {
        return Err(too_large(max_bytes));
    }
    bytes.reserve((length as usize).saturating_sub(bytes.len()));
    append(&file, max_bytes, &mut bytes)?;
    Ok(bytes)
}

/// As [`read`], for a file of UTF-8 text.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::InvalidData`] for other text.
pub fn read_to_string(path: &Path, max_bytes: u64) -> io::Result<String> {
    let bytes = read(path, max_bytes)?;
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Opens the regular file at `path`, or standard input under its name.
///
/// # Errors
/// Those of the operating system, and [`ErrorKind::InvalidInput`] for a file that is not regular.
pub fn open(path: &Path) -> io::Result<File> {
    if is_standard_input(path) {
        return standard_input();
    }
    check_kind(path, &fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Another file may have taken the name in between.
    check_kind(path, &file.metadata()?)?;
    Ok(file)
}

/// Standard input as a file.
#[cfg(any(unix, windows))]
fn standard_input() -> io::Result<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?;
    let file = File::from(handle);
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// A browser has no standard input.
#[cfg(not(any(unix, windows)))]
fn standard_input() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

/// The rest of `file`, which may have grown, up to the limit.
fn append(file: &File, max_bytes: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let room = max_bytes.saturating_sub(bytes.len() as u64);
    if file.take(room + 1).read_to_end(bytes)? as u64 > room { Err(too_large(max_bytes)) } else { Ok(()) }
}

fn check_kind(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let is_standard_input = ["/dev/stdin", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
        || path.parent() == Some(Path::new("/dev/fd"));
    match special_kind(metadata) {
        Some(kind) if !is_standard_input => {
            Err(Error::new(ErrorKind::InvalidInput, format!("it is {kind}, not a regular file")))
        }
        _ => Ok(()),
    }
}

/// What a path leads to that is neither a folder nor a regular file.
fn special_kind(metadata: &Metadata) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    (!metadata.is_file()).then_some("a special file")
}

fn too_large(max_bytes: u64) -> Error {
    let message = format!("it is larger than {} MiB, the most that is read", max_bytes >> 20);
    Error::new(ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let bytes = fs::read(&path).unwrap();
        let length = bytes.len() as u64;
        assert_eq!(read(&path, length).unwrap(), bytes);
        assert_eq!(read(&path, length - 1).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_to_string(&path, length).unwrap().as_bytes(), bytes);
        for start in [0, 5, length, length + 1] {
            assert_eq!(read_by_kind(&path, start, |_| length).unwrap(), bytes);
        }
        let limit = |start: &[u8]| if start == &bytes[..4] { length - 1 } else { length };
        assert_eq!(read_by_kind(&path, 4, limit).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_a_file_names_lies_within_its_folder() {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let within = |named: &str| Reach::WithinFolder.path(&manifest, Path::new(named));
        for named in ["src/lib.rs", "./src/../Cargo.toml", "none.csv", "none/../other.csv"] {
            assert!(within(named).is_ok(), "{named}");
        }
        let elsewhere = manifest.parent().unwrap().join("../../Cargo.toml");
        for named in ["../../Cargo.toml", "../none.csv", "src/../../none", "/none", &elsewhere.to_string_lossy()] {
            assert_eq!(within(named).unwrap_err().kind(), ErrorKind::PermissionDenied, "{named}");
            assert!(Reach::Anywhere.path(&manifest, Path::new(named)).is_ok(), "{named}");
        }
        let here = manifest.canonicalize().unwrap();
        assert!(within(&here.to_string_lossy()).is_ok(), "an absolute path may lead into the folder");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let missing = Path::new("nowhere/none");
        assert_eq!(read(missing, 1).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(read(Path::new("."), 1).unwrap_err().kind(), ErrorKind::IsADirectory);
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/null"] {
            let error = read(Path::new(device), 1).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert_eq!(error.to_string(), "it is a device, not a regular file");
        }
    }
}
