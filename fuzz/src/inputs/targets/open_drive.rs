//! Any bytes as OpenDRIVE, and cross-sections of the road that they give.

use raceline::construction::ImportOptions;
use raceline::importers::open_drive;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for width_m in [None, Some(10.0)] {
        checked::road(open_drive(bytes, None, &ImportOptions { width_m, ..ImportOptions::default() }));
    }
    let _ = raceline::importers::open_drive_streets(bytes);
}
