//! Reads the file of a line.

use std::path::Path;

use raceline_file::files;

use super::digests::sha256;
use super::reading::{START_BYTES, max_bytes};
use super::{InputError, foreign};
use crate::lines::LineKind;

/// A file with a line, and its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct LineInput {
    /// The kind.
    pub kind: LineKind,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl LineInput {
    /// SHA-256 of the bytes, in lower-case hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256(&[&self.bytes])
    }
}

/// Reads the file of a line at `path`; where the content does not determine the kind, the extension `hint`
/// does in place of that of the name.
///
/// # Errors
/// [`InputError::Read`], and [`InputError::NoLine`] for a file of another kind.
pub fn read_line(path: &Path, hint: Option<&str>) -> Result<LineInput, InputError> {
    let bytes = files::read_by_kind(path, START_BYTES, max_bytes)
        .map_err(|error| InputError::Read { file: path.to_owned(), error })?;
    let kind = match hint {
        Some(hint) => LineKind::of(&Path::new("-").with_extension(hint), &bytes),
        None => LineKind::of(path, &bytes),
    };
    match kind {
        Some(kind) => Ok(LineInput { kind, bytes }),
        None => {
            let found = foreign::name_of(path, &bytes);
            Err(InputError::NoLine { file: path.to_owned(), found })
        }
    }
}
