//! Any bytes as an SVG, and cross-sections of the road that they give.
#![no_main]

use libfuzzer_sys::fuzz_target;
use raceline::geometry::Point;
use raceline::importers::svg;
use raceline::construction::ImportOptions;
use raceline::frame::Scale;

mod checked;

fuzz_target!(|bytes: &[u8]| {
    for smoothing_m in [None, Some(1.0)] {
        checked::road(svg(bytes, Scale::TrackWidth(8.0), Point::origin(), None, &ImportOptions { smoothing_m, ..ImportOptions::default() }));
    }
});
