//! Whether a vehicle keeps out of the regions of its line's options.

use raceline_file::{ConstraintKind, RacingLine};

use super::Rule;
use super::clearance::{DISTANCE_STEP_M, MISSING_FRACTION, between};
use super::conditions::Conditions;
use super::course::{Step, position};
use super::edge_tree::Budget;
use super::region::{Place, Shape};
use super::report::Tally;
use super::vector::Xy;

/// Judges the margin to the regions of the options.
pub fn judge<V, O>(line: &RacingLine<V, O>, steps: &[Step], conditions: &Conditions, margin_m: f64, tally: &mut Tally) {
    let regions = conditions.no_go();
    let vertices: usize = regions.iter().flatten().map(|region| region.vertices(line)).sum();
    let mut budget = Budget::new(4 * line.points.len(), vertices);
    let allowed_m = MISSING_FRACTION * margin_m + DISTANCE_STEP_M;
    let at_points = || line.points.iter().map(position).enumerate();
    let between_points = || steps.iter().flat_map(|step| between(line, step).map(|place| (step.from, place)));
    for (index, region) in regions.iter().enumerate() {
        let Some(region) = region else { continue };
        for shape in Shape::of(region, line, ConstraintKind::NoGo, index + 1) {
            let region = shape.region();
            let mut judge = |(index, place): (usize, Xy)| {
                if budget.is_exhausted() {
                    tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
                    return;
                }
                if let Some(Place { distance_m, .. }) = region.place(place, &mut budget) {
                    tally.at(Rule::NoGo, index, margin_m - distance_m, allowed_m);
                }
            };
            match shape.surely() {
                None => at_points().chain(between_points()).for_each(&mut judge),
                Some(surely) => at_points().filter(|(index, _)| surely.contains(index)).for_each(&mut judge),
            }
        }
    }
}
