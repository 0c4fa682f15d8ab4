//! The grip of parts of a road's width at the points of a line.

use raceline_file::{ConstraintKind, RacingLine};

use super::conditions::Conditions;
use super::course::position;
use super::edge_tree::Budget;
use super::region::{Place, Shape};

/// Uncertainty of a place across the road, where a strip is measured along the cross-section, as a fraction of its
/// width, and m.
const ACROSS_FRACTION: f64 = 0.05;
const ACROSS_M: f64 = 0.05;
/// Uncertainty of a place along the road, m.
const ALONG_M: f64 = 2.0;

/// The largest factor that the patches of the options may have at each point of `line`.
pub fn patch_factors<V, O>(line: &RacingLine<V, O>, conditions: &Conditions) -> Vec<f64> {
    let mut factors = vec![1.0; line.points.len()];
    let patches = conditions.patches();
    let vertices = patches.iter().map(|patch| patch.region.vertices(line)).sum();
    let mut budget = Budget::new(line.points.len(), vertices);
    for patch in &patches {
        for shape in Shape::of(&patch.region, line, ConstraintKind::Grip, patch.number) {
            let region = shape.region();
            let slack_m = match &shape {
                Shape::Polygon(_) => ACROSS_M,
                Shape::Strip { width_m, .. } => ACROSS_M + ACROSS_FRACTION * width_m,
            };
            for (index, point) in line.points.iter().enumerate() {
                if budget.is_exhausted() {
                    // Nothing is known of the rest: what lowers the grip is left out.
                    return factors.into_iter().map(|factor: f64| factor.max(1.0)).collect();
                }
                let Some(Place { distance_m, from_end_m }) = region.place(position(point), &mut budget) else {
                    continue;
                };
                let is_beside = shape.surely().is_none_or(|surely| surely.contains(&index));
                let is_surely_in =
                    distance_m <= -patch.border_m - slack_m && from_end_m >= patch.ramp_m + ALONG_M && is_beside;
                let may_be_in = distance_m <= slack_m + ALONG_M;
                if patch.factor < 1.0 && is_surely_in || patch.factor > 1.0 && may_be_in {
                    factors[index] *= patch.factor;
                }
            }
        }
    }
    factors
}
