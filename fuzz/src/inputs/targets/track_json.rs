//! Any bytes as an extracted track. What is read must be written and read again.

use raceline::track_file;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(file) = track_file::read(bytes) else { return };
    let _ = file.track().validate();
    if let Ok(written) = track_file::write(&file) {
        assert!(track_file::read(&written).is_ok());
    }
}
