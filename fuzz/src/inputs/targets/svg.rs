//! Any bytes as an SVG, and cross-sections of the road that they give.

use raceline::geometry::Point;
use raceline::importers::svg;
use raceline::construction::ImportOptions;
use raceline::frame::Scale;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for smoothing_m in [None, Some(1.0)] {
        checked::road(svg(bytes, Scale::TrackWidth(8.0), Point::origin(), None, &ImportOptions { smoothing_m, ..ImportOptions::default() }));
    }
}
