//! Any bytes as two edges in a CSV, and cross-sections of the road that they give.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::importers::edge_csv;
use raceline::construction::ImportOptions;

mod checked;

fuzz_target!(|bytes: &[u8]| {
    for smoothing_m in [None, Some(1.0)] {
        checked::road(edge_csv(bytes, None, &ImportOptions { smoothing_m, ..ImportOptions::default() }));
    }
});
