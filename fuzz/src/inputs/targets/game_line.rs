//! Any bytes as a line of Assetto Corsa or rFactor, and cross-sections of the road that they give.

use raceline::construction::ImportOptions;
use raceline::importers::game_line;

use super::super::checked;

/// One input.
pub fn run(bytes: &[u8]) {
    for width_m in [None, Some(10.0)] {
        checked::road(game_line(bytes, None, &ImportOptions { width_m, ..ImportOptions::default() }));
    }
}
