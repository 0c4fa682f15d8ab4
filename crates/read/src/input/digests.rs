//! The digests of an input.

use hmac_sha256::Hash;

/// SHA-256 digests of an input, in lower-case hexadecimal digits, as
/// [`Source`](raceline_file::Source) has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Of the file, or of a map's YAML followed by its picture, or of a track in XML followed by its
    /// file of surfaces, or of the file of the left edge followed by that of the right one. `None` for an extracted track, whose own source has the digest of the file that it was extracted from.
    pub sha256: Option<String>,
    /// Of an extracted track.
    pub track_sha256: Option<String>,
}

impl Digests {
    /// Of numbers that come from no file: the digest of their bytes, IEEE 754 with the lowest byte first.
    #[must_use]
    pub fn of_numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        Self { sha256: Some(sha256(&[&bytes])), track_sha256: None }
    }
}

pub(super) fn of_files(parts: &[&[u8]]) -> Digests {
    Digests { sha256: Some(sha256(parts)), track_sha256: None }
}

pub(super) fn sha256(parts: &[&[u8]]) -> String {
    let mut hasher = Hash::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
