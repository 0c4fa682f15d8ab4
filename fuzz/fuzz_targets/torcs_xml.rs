//! Any bytes as a track of TORCS in XML, and cross-sections of the road that they give.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::importers::{torcs_surfaces_file, torcs_xml};
use raceline::construction::ImportOptions;

mod checked;

fuzz_target!(|bytes: &[u8]| {
    let _ = torcs_surfaces_file(bytes);
    for closed in [None, Some(false)] {
        checked::road(torcs_xml(bytes, Some(bytes), closed, &ImportOptions::default()));
    }
});
