//! Stations along a line: their positions, and how far the line may move there. Methods that search
//! near a line place new stations on each line that they find. The track's cross-sections are fixed
//! and cannot follow the line.

mod control_polygon;
mod discrete_curve;
mod grip_profile;
mod spacing;
mod station;

pub use control_polygon::{curved, insets, knots};
pub use discrete_curve::{Chord, Curvature, menger_curvature};
pub use grip_profile::GripProfile;
pub use spacing::Spacing;
pub use station::{Margin, ReferenceLine, Room, Station, grip_at, pin_ends, set_grip, stations};
