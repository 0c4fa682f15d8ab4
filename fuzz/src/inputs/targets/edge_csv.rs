//! Any bytes as two edges in a CSV, and cross-sections of the road that they give.

use raceline::importers::edge_csv;
use raceline::construction::ImportOptions;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for smoothing_m in [None, Some(1.0)] {
        checked::road(edge_csv(bytes, None, &ImportOptions { smoothing_m, ..ImportOptions::default() }));
    }
}
