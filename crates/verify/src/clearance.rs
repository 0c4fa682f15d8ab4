//! Distances to the edges: whether the file states the true ones, and whether the vehicle keeps its margin.

use raceline_file::{EdgeCoordinates, RacingLine};

use super::Rule;
use super::conditions::Obstacle;
use super::course::{Step, position};
use super::report::Tally;
use super::road::{Road, RoadSide};
use super::vector::{Xy, cross, dot, length, minus, plus};

/// Rounding of `left_m` and of positions in a file.
const DISTANCE_STEP_M: f64 = 5.5e-4;
/// A margin may be missed by this fraction of it: lines are sound up to there.
const MISSING_FRACTION: f64 = 0.1;
/// Places between two points at which the margin is judged.
const BETWEEN: [f64; 3] = [0.25, 0.5, 0.75];

/// Judges `left_m` and `right_m` of `line`, and on which side of the edges it lies. Returns the distance of each
/// point to the nearest edge, m.
pub fn judge_distances<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) -> Vec<f64> {
    let mut road = Road::new(&line.edges, line.closed, line.points.len());
    let mut nearest_m = vec![f64::INFINITY; line.points.len()];
    let sides = [(RoadSide::Left, Rule::LeftDistance), (RoadSide::Right, Rule::RightDistance)];
    for (side, rule) in sides {
        let mut guess = 0;
        for (index, point) in line.points.iter().enumerate() {
            let stated_m = match side {
                RoadSide::Left => point.left_m,
                RoadSide::Right => point.right_m,
            };
            let place = position(point);
            let Some(found) = road.distance(side, place, guess, stated_m - DISTANCE_STEP_M) else { continue };
            if road.budget().is_exhausted() {
                break;
            }
            guess = found.any.segment;
            tally.at(rule, index, (stated_m - found.bounding_m).abs(), DISTANCE_STEP_M);
            nearest_m[index] = nearest_m[index].min(found.bounding_m);
            if road.is_beyond(side, place, found.any) {
                tally.at(Rule::Side, index, found.any.distance, 0.0);
            } else {
                tally.at(Rule::Side, index, 0.0, 0.0);
            }
        }
    }
    let budget = road.budget();
    tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
    nearest_m
}

/// Judges the margin to `edges`. `known_m` are the distances of the points to them, where they are known.
pub fn judge_margin<V, O>(
    line: &RacingLine<V, O>,
    steps: &[Step],
    edges: &EdgeCoordinates,
    margin_m: f64,
    known_m: Option<Vec<f64>>,
    tally: &mut Tally,
) {
    let mut road = Road::new(edges, line.closed, 4 * line.points.len());
    let mut guesses = [0, 0];
    let mut to_edges = |place: Xy, tally: &mut Tally, index: usize| {
        let mut nearest_m = f64::INFINITY;
        for (side, guess) in [RoadSide::Left, RoadSide::Right].into_iter().zip(&mut guesses) {
            let Some(found) = road.distance(side, place, *guess, margin_m) else { continue };
            *guess = found.any.segment;
            let is_beyond = known_m.is_none() && road.is_beyond(side, place, found.any);
            if is_beyond {
                tally.at(Rule::Side, index, found.any.distance, 0.0);
            }
            nearest_m = nearest_m.min(if is_beyond { -found.any.distance } else { found.bounding_m });
        }
        if road.budget().is_exhausted() {
            tally.whole(Rule::Edges, road.budget().spent as f64, road.budget().limit as f64);
        }
        nearest_m
    };
    let allowed_m = MISSING_FRACTION * margin_m.max(0.0) + DISTANCE_STEP_M;
    let at_points: Vec<f64> = match &known_m {
        Some(known) => known.clone(),
        None => line.points.iter().enumerate().map(|(i, point)| to_edges(position(point), tally, i)).collect(),
    };
    for (index, &distance_m) in at_points.iter().enumerate() {
        tally.at(Rule::Margin, index, margin_m - distance_m, allowed_m);
    }
    for step in steps {
        // The distance changes by at most a metre per metre.
        if 0.5 * (at_points[step.from] + at_points[step.to] - step.plane_m) >= margin_m {
            continue;
        }
        for place in between(line, step) {
            let distance_m = to_edges(place, tally, step.from);
            tally.at(Rule::Margin, step.from, margin_m - distance_m, allowed_m);
        }
    }
}

/// Judges the margin to obstacles.
pub fn judge_obstacles<V, O>(line: &RacingLine<V, O>, obstacles: &[Obstacle], margin_m: f64, tally: &mut Tally) {
    for obstacle in obstacles {
        for (index, point) in line.points.iter().enumerate() {
            let distance_m = to_outline(&obstacle.outline, position(point)) - obstacle.radius_m;
            tally.at(Rule::Obstacle, index, margin_m - distance_m, MISSING_FRACTION * margin_m + DISTANCE_STEP_M);
        }
    }
}

/// Distance to an outline; negative inside.
fn to_outline(outline: &[Xy], p: Xy) -> f64 {
    let n = outline.len();
    let mut nearest_m = f64::INFINITY;
    let mut is_inside = false;
    for i in 0..n {
        let (a, b) = (outline[i], outline[(i + 1) % n]);
        let along = minus(b, a);
        let square = dot(along, along);
        let t = if square > 0.0 { (dot(minus(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
        nearest_m = nearest_m.min(length(minus(p, plus(a, t, along))));
        if (a[1] > p[1]) != (b[1] > p[1]) && (cross(along, minus(p, a)) > 0.0) == (b[1] > a[1]) {
            is_inside = !is_inside;
        }
    }
    if is_inside && n > 2 { -nearest_m } else { nearest_m }
}

/// Places between the points of a step, on the cubic with their headings.
fn between<V, O>(line: &RacingLine<V, O>, step: &Step) -> [Xy; 3] {
    let (a, b) = (&line.points[step.from], &line.points[step.to]);
    let tangent = |angle: f64| [step.plane_m * angle.cos(), step.plane_m * angle.sin()];
    let (p, q) = (position(a), position(b));
    let (u, v) = (tangent(a.heading_rad), tangent(b.heading_rad));
    BETWEEN.map(|t| {
        let (t2, t3) = (t * t, t * t * t);
        let ends = plus(p, 3.0 * t2 - 2.0 * t3, minus(q, p));
        plus(plus(ends, t3 - 2.0 * t2 + t, u), t3 - t2, v)
    })
}
