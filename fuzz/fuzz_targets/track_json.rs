//! Any bytes as an extracted track. What is read must be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::track_file;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = track_file::read(bytes) else { return };
    let _ = file.track().validate();
    if let Ok(written) = track_file::write(&file) {
        assert!(track_file::read(&written).is_ok());
    }
});
