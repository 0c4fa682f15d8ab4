//! Bytes → a file's type: the format's name and version first, then the keys, then the rules.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{FORMAT, RacingLine, ReadError, VERSION};

/// A kind of file: the values of its keys `format` and `version`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The value of `format`.
    pub format: &'static str,
    /// The value of `version`.
    pub version: u32,
    /// The command that makes such files, for messages.
    pub hint: &'static str,
}

/// The racing-line file.
pub const RACING_LINE: FileKind =
    FileKind { format: FORMAT, version: VERSION, hint: "`raceline optimize` makes racing-line files" };

/// The racing line in `bytes`. Unknown keys are ignored, also those of `vehicle` and `options`.
///
/// # Errors
/// Bytes that are not JSON, another format or version, a missing key, a `vehicle` or `options` that
/// are not a `V` or an `O`, and values that contradict each other: see [`RacingLine::check`].
pub fn read<V: DeserializeOwned, O: DeserializeOwned>(bytes: &[u8]) -> Result<RacingLine<V, O>, ReadError> {
    let line: RacingLine<V, O> = read_kind(bytes, &RACING_LINE)?;
    line.check()?;
    Ok(line)
}

/// The `T` in `bytes`, which must be a file of this kind. The caller checks the rules of `T`, if it
/// has any.
///
/// # Errors
/// Bytes that are not JSON, another format or version, and a missing key or one of the wrong type.
pub fn read_kind<T: DeserializeOwned>(bytes: &[u8], kind: &FileKind) -> Result<T, ReadError> {
    // Any value is accepted here, so that the message can show it.
    #[derive(Deserialize)]
    struct Header {
        format: Option<Value>,
        version: Option<Value>,
    }
    let FileKind { format, version, hint } = *kind;
    let header: Header = serde_json::from_slice(bytes)?;
    let shown = |value: Option<Value>| value.map_or_else(|| "missing".to_owned(), |value| value.to_string());
    if header.format.as_ref().and_then(Value::as_str) != Some(format) {
        return Err(ReadError::Format { found: shown(header.format), expected: format, hint });
    }
    if header.version.as_ref().and_then(Value::as_u64) != Some(u64::from(version)) {
        return Err(ReadError::Version { found: shown(header.version), supported: version, hint });
    }
    Ok(serde_json::from_slice(bytes)?)
}
