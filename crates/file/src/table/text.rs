//! Bytes as text.

use super::TableError;

/// The text of a file, without a byte order mark.
///
/// # Errors
/// [`TableError::NotText`] with the place.
pub fn text(bytes: &[u8]) -> Result<&str, TableError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let byte = error.valid_up_to();
        let line = 1 + bytes.iter().take(byte).filter(|&&b| b == b'\n').count();
        TableError::NotText { line, byte }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
