//! Any bytes as OBJ or GLB, and cross-sections of the road that they give.

use raceline::construction::ImportOptions;
use raceline::importers::mesh;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for width_m in [None, Some(10.0)] {
        checked::road(mesh(bytes, None, &ImportOptions { width_m, ..ImportOptions::default() }));
    }
}
