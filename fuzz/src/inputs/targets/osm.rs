//! Any bytes as OpenStreetMap or Lanelet2, XML or PBF, and cross-sections of the road that they give.

use raceline::construction::ImportOptions;
use raceline::importers::osm;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for width_m in [None, Some(10.0)] {
        checked::road(osm(bytes, None, &ImportOptions { width_m, ..ImportOptions::default() }));
    }
    let _ = raceline::importers::osm_streets(bytes);
}
