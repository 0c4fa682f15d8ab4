//! Height, banking and grip along a centre line.

use crate::geometry::SplineKnots;
use raceline_numerics::math;

/// The properties of a point of a centre line beside its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Height of the centre line, metres.
    pub height_m: f64,
    /// Angle across the road, radians; positive where the left edge is higher.
    pub banking_rad: f64,
    /// Factor on both tyre limits.
    pub grip: f64,
}

/// Levels at the knots of a centre line. Heights follow a cubic spline, so that grade and vertical
/// curvature have no kinks; banking and grip are linear.
pub struct Levels {
    knots: SplineKnots,
    at: Vec<Level>,
    /// Second derivative of the height at each knot.
    second: Vec<f64>,
}

impl Levels {
    /// Levels at knots with these positions; as many as there are knots.
    pub fn new(positions: &[f64], closed: bool, at: Vec<Level>) -> Option<Self> {
        let knots = SplineKnots::new(positions.windows(2).map(|pair| pair[1] - pair[0]).collect(), closed)?;
        if knots.len() != at.len() {
            return None;
        }
        let heights: Vec<f64> = at.iter().map(|level| level.height_m).collect();
        let mut second = vec![0.0; at.len()];
        knots.second_derivatives(&heights, &mut second);
        Some(Self { knots, at, second })
    }

    /// The level at `fraction` of the interval that begins at this knot.
    pub fn at(&self, interval: usize, fraction: f64) -> Level {
        let next = if interval + 1 == self.at.len() { 0 } else { interval + 1 };
        let (from, to) = (self.at[interval], self.at[next]);
        let (before, behind) = (1.0 - fraction, fraction);
        let linear = |from: f64, to: f64| before * from + behind * to;
        let bend = (math::powi(before, 3) - before) * self.second[interval]
            + (math::powi(behind, 3) - behind) * self.second[next];
        Level {
            height_m: linear(from.height_m, to.height_m) + bend * math::powi(self.knots.intervals()[interval], 2) / 6.0,
            banking_rad: linear(from.banking_rad, to.banking_rad),
            grip: linear(from.grip, to.grip),
        }
    }
}
