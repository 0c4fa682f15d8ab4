//! Stations along a line: where they lie, and how far the line may move there. Methods that search near a line lay them anew on
//! each line that they find, which the track's cross-sections, fixed as they are, can't follow.

mod control_polygon;
mod discrete_curve;
mod spacing;
mod station;

pub use control_polygon::{insets, knots};
pub use discrete_curve::{Chord, Curvature, menger_curvature};
pub use spacing::Spacing;
pub use station::{Margin, ReferenceLine, Room, Station, pin_ends, stations};
