//! The path ahead of the vehicle for the control at the limit: curvature and speed by time.

use crate::chassis::Frame;
use crate::target_speed::Walk;

/// Number of samples ahead, the vehicle's position included.
pub(crate) const SAMPLES: usize = 17;
/// Time between them, s.
pub(crate) const SPACING_S: f64 = 0.05;

/// Speed, curvature and acceleration that the path asks for at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Wanted {
    /// 1/m.
    pub curvature: f64,
    /// Square of the speed, m²/s².
    pub square: f64,
    /// m/s².
    pub acceleration: f64,
    /// Factor of the surface on the tyres' limits.
    pub grip: f64,
}

/// A walk ahead from the vehicle's place.
pub(crate) struct Ahead<'a> {
    walk: Walk<'a>,
    from: f64,
    /// Square of the speed's factor.
    scale: f64,
    top: f64,
}

impl<'a> Ahead<'a> {
    /// From the vehicle's place, for the profile times `share`, at most `top` m/s.
    pub(crate) fn new(frame: &Frame<'a>, share: f64, top: f64) -> Self {
        Self {
            walk: Walk::new(frame.path, frame.nearest.segment),
            from: frame.nearest.s,
            scale: share * share,
            top: top * top,
        }
    }

    /// What is wanted `distance` ahead, for rising distances.
    pub(crate) fn at(&mut self, distance: f64) -> Wanted {
        let (curvature, square, acceleration, grip) = self.walk.profile(self.from + distance);
        let square = square * self.scale;
        if square < self.top {
            Wanted { curvature, square, acceleration: acceleration * self.scale, grip }
        } else {
            Wanted { curvature, square: self.top, acceleration: 0.0, grip }
        }
    }
}
