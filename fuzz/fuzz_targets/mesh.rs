//! Any bytes as OBJ or GLB, and cross-sections of the road that they give.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::construction::ImportOptions;
use raceline::importers::mesh;

mod checked;

fuzz_target!(|bytes: &[u8]| {
    for width_m in [None, Some(10.0)] {
        checked::road(mesh(bytes, None, &ImportOptions { width_m, ..ImportOptions::default() }));
    }
});
