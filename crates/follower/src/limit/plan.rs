//! The path ahead of the vehicle for the control at the limit: curvature and speed by time.

use crate::chassis::Frame;
use crate::path::ProfileSample;
use crate::shift::Shift;
use crate::target_speed::Walk;
use raceline_car::SpeedTable;

/// Number of samples ahead, the vehicle's position included.
pub(crate) const SAMPLES: usize = 17;
/// Time between them, s: 17 of them reach 0.8 s ahead. A shorter one resolves quick changes of
/// direction, a longer one sees those that need much steering in time.
pub(crate) const SPACING_S: f64 = 0.05;

/// Fraction of the tyres' grip, 0 to 1, that a planned route beside the path takes. A larger one
/// passes others faster, a smaller one leaves more for corrections on a route that no profile was
/// made for.
const PLANNED_FRACTION: f64 = 0.9;

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
    /// Gravity to the right in the road's surface, m/s².
    pub gravity_across: f64,
}

impl Wanted {
    /// What the tyres must give to the left at the square `square` of the speed, m/s².
    pub(crate) fn across(&self, square: f64) -> f64 {
        self.curvature * square + self.gravity_across
    }
}

/// A walk ahead from the vehicle's place.
pub(crate) struct Ahead<'a> {
    walk: Walk<'a>,
    from: f64,
    /// Square of the speed's factor.
    scale: f64,
    top: f64,
    /// The path beside the path; `None` for the path itself.
    beside: Option<(Shift, &'a SpeedTable)>,
}

impl<'a> Ahead<'a> {
    /// From the vehicle's place, for the profile times `fraction`, at most `top` m/s.
    pub(crate) fn new(frame: &Frame<'a>, fraction: f64, top: f64) -> Self {
        Self {
            walk: Walk::new(frame.path, frame.nearest.segment),
            from: frame.nearest.s,
            scale: fraction * fraction,
            top: top * top,
            beside: frame.path.dynamics().filter(|_| !frame.shift.is_none()).map(|d| (frame.shift, &d.lateral_mps2)),
        }
    }

    /// What is wanted `distance` ahead, for rising distances.
    pub(crate) fn at(&mut self, distance: f64) -> Wanted {
        let there = self.walk.profile(self.from + distance);
        let ProfileSample { curvature, acceleration, grip, gravity_across, .. } = there;
        let square = there.speed_squared * self.scale;
        let (curvature, square) = match &self.beside {
            Some((shift, lateral)) => on_shifted(shift, lateral, distance, curvature, square, grip),
            None => (curvature, square),
        };
        if square < self.top {
            Wanted { curvature, square, acceleration: acceleration * self.scale, grip, gravity_across }
        } else {
            Wanted { curvature, square: self.top, acceleration: 0.0, grip, gravity_across }
        }
    }
}

/// Curvature and square of the speed beside the path: towards the inside of a bend the radius is
/// smaller, and while the shift moves, it takes a part of the grip.
fn on_shifted(
    shift: &Shift,
    lateral: &SpeedTable,
    distance: f64,
    curvature: f64,
    square: f64,
    grip: f64,
) -> (f64, f64) {
    let left = shift.radius_left(distance, curvature);
    let beside = curvature / left + shift.bend(distance);
    // Banked roads give more: what the profile takes is there.
    let taken = curvature.abs() * square;
    if shift.route.is_some() {
        let limit = (PLANNED_FRACTION * lateral.at(square.sqrt()) * grip).max(taken);
        return (beside, square.min(limit / beside.abs().max(1e-9)));
    }
    let mut max_square = square * left.min(1.0);
    if shift.across > 0.0 && distance < shift.reach && beside != 0.0 {
        let limit = (lateral.at(max_square.sqrt()) * grip).max(beside.abs() * max_square);
        max_square = max_square.min((limit - shift.across).max(0.5 * limit) / beside.abs());
    }
    (beside, max_square)
}

#[cfg(test)]
mod tests;
