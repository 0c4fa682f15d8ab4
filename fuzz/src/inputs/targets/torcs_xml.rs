//! Any bytes as a track of TORCS in XML, and cross-sections of the road that they give.

use raceline::importers::{torcs_surfaces_file, torcs_xml};
use raceline::construction::ImportOptions;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = torcs_surfaces_file(bytes);
    for closed in [None, Some(false)] {
        checked::road(torcs_xml(bytes, Some(bytes), closed, &ImportOptions::default()));
    }
}
