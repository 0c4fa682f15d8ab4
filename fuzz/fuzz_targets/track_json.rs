//! Any bytes as an extracted track. What is read must be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::export::track_json;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = track_json::read(bytes) else { return };
    let _ = file.track().validate();
    if let Ok(written) = track_json::write(&file) {
        assert!(track_json::read(&written).is_ok());
    }
});
