//! What a baseline does at the end of a path.

use crate::chassis::Frame;

/// Pedal that holds a vehicle at the end.
pub(super) fn standing(frame: &Frame<'_>, target: f64) -> Option<f64> {
    (target <= 0.0 && frame.state.speed_mps.abs() < 0.3).then_some(-1.0)
}
