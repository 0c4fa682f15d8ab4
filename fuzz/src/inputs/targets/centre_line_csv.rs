//! Any bytes as a centre line in a CSV, and cross-sections of the road that they give.

use raceline::importers::centre_line_csv;
use raceline::construction::ImportOptions;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for smoothing_m in [None, Some(1.0)] {
        checked::road(centre_line_csv(bytes, None, &ImportOptions { smoothing_m, ..ImportOptions::default() }));
    }
}
