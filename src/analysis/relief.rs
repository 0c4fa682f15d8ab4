//! The heights along a line: climb, grades and crests.

use serde::Serialize;

use super::extremes::Extreme;
use super::lap::Lap;
use crate::RacingLine;
use crate::file::LinePoint;
use crate::geometry::SplineKnots;
use crate::vehicle::STANDARD_GRAVITY;
use raceline_numerics::math;

/// A crest takes at least this fraction of the vehicle's weight at the line's speed.
const CREST_FRACTION: f64 = 0.2;

/// A crest of the road.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crest {
    /// Top, where the crest takes the largest part of the load, m from the start line.
    pub s_m: f64,
    /// Position there, m.
    pub position_m: [f64; 2],
    /// Speed there, m/s.
    pub speed_mps: f64,
    /// Vertical curvature of the road there, 1/m; negative.
    pub vertical_curvature_radpm: f64,
    /// Fraction of the weight that it takes from the tyres, without downforce; above 1 the vehicle
    /// flies.
    #[serde(rename = "lost_weight_share")]
    pub lost_weight_fraction: f64,
}

/// The heights along a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReliefAnalysis {
    /// Lowest point, m.
    pub lowest_m: Extreme,
    /// Highest point, m.
    pub highest_m: Extreme,
    /// Sum of all rises, m.
    pub climb_m: f64,
    /// Steepest rise, rad.
    pub steepest_up_rad: Extreme,
    /// Steepest fall, rad, negative.
    pub steepest_down_rad: Extreme,
    /// Greatest banking to either side, rad: positive where the left is higher.
    pub banking_rad: Extreme,
    /// The crests that take more than a fifth of the weight, in the order of travel.
    pub crests: Vec<Crest>,
}

/// Grade of a line at each point, rad, positive uphill; all zero on a level road.
#[must_use]
pub fn grades(line: &RacingLine) -> Vec<f64> {
    bends(line)
        .map_or_else(|| vec![0.0; line.points.len()], |(slopes, _)| slopes.iter().map(|s| math::asin(*s)).collect())
}

/// Height by distance in space, once and twice derived, at each point.
fn bends(line: &RacingLine) -> Option<(Vec<f64>, Vec<f64>)> {
    let heights: Vec<f64> = line.points.iter().map(|point| point.z_m).collect::<Option<_>>()?;
    let mut gaps: Vec<f64> = line.points.windows(2).map(|pair| pair[1].s_m - pair[0].s_m).collect();
    if line.closed {
        gaps.push(line.length_m - line.points.last()?.s_m);
    }
    let knots = SplineKnots::new(gaps, line.closed)?;
    let (mut second, mut first) = (vec![0.0; heights.len()], vec![0.0; heights.len()]);
    knots.second_derivatives(&heights, &mut second);
    knots.first_derivatives(&heights, &second, &mut first);
    first.iter_mut().for_each(|slope| *slope = slope.clamp(-1.0, 1.0));
    Some((first, second))
}

/// The heights along `line`; `None` where its points have none.
pub(super) fn relief(lap: Lap) -> Option<ReliefAnalysis> {
    let line = lap.line;
    let (slopes, second) = bends(line)?;
    let at = |i: usize, value: f64| {
        let LinePoint { s_m, x_m, y_m, .. } = line.points[i];
        Extreme { value, s_m, position_m: [x_m, y_m] }
    };
    let max = |value: &dyn Fn(usize) -> f64| {
        let best = (0..slopes.len()).max_by(|&a, &b| value(a).total_cmp(&value(b)))?;
        Some((best, value(best)))
    };
    let height = |i: usize| line.points[i].z_m.unwrap_or_default();
    let banking = |i: usize| line.points[i].banking_rad.unwrap_or_default();
    let grade = |i: usize| math::asin(slopes[i]);
    let (lowest, highest) = (max(&|i| -height(i))?.0, max(&height)?.0);
    let (up, down, banked) = (max(&grade)?.0, max(&|i| -grade(i))?.0, max(&|i| banking(i).abs())?.0);
    let rises = (0..lap.steps()).map(|i| (height((i + 1) % slopes.len()) - height(i)).max(0.0));
    // Curvature of the line in its vertical plane, by the second derivative with respect to length.
    let vertical = |i: usize| second[i] / (1.0 - slopes[i] * slopes[i]).max(0.01).sqrt();
    let lost = |i: usize| -vertical(i) * math::powi(line.points[i].speed_mps, 2) / STANDARD_GRAVITY;
    let mut crests: Vec<Crest> = Vec::new();
    let mut top: Option<usize> = None;
    for i in 0..=slopes.len() {
        let is_crest = i < slopes.len() && lost(i) > CREST_FRACTION;
        match (is_crest, top) {
            (true, None) => top = Some(i),
            (true, Some(best)) if lost(i) > lost(best) => top = Some(i),
            (false, Some(best)) => {
                let LinePoint { s_m, x_m, y_m, speed_mps, .. } = line.points[best];
                crests.push(Crest {
                    s_m,
                    position_m: [x_m, y_m],
                    speed_mps,
                    vertical_curvature_radpm: vertical(best),
                    lost_weight_fraction: lost(best),
                });
                top = None;
            }
            _ => {}
        }
    }
    Some(ReliefAnalysis {
        lowest_m: at(lowest, height(lowest)),
        highest_m: at(highest, height(highest)),
        climb_m: rises.sum(),
        steepest_up_rad: at(up, grade(up)),
        steepest_down_rad: at(down, grade(down)),
        banking_rad: at(banked, banking(banked)),
        crests,
    })
}
