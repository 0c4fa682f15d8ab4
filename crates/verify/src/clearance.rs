//! Distances to the edges: whether the file states the true ones, and whether the vehicle keeps its margin.

use raceline_file::{EdgeCoordinates, RacingLine};
use raceline_numerics::math;

use super::Rule;
use super::conditions::Obstacle;
use super::course::{Step, position};
use super::edge_tree::{Budget, EdgeTree};
use super::report::Tally;
use super::road::{Road, RoadSide};
use super::vector::{Xy, dot, length, minus, plus};

/// Rounding of `left_m` and of positions in a file.
pub const DISTANCE_STEP_M: f64 = 6.5e-4;
/// A margin may be missed by this fraction of it: lines are sound up to there.
pub const MISSING_FRACTION: f64 = 0.1;
/// Places between two points at which the margin is judged: the middle, and the others where the middle is near the
/// limit.
const BETWEEN: [f64; 3] = [0.5, 0.25, 0.75];
/// A middle that keeps the margin by this fraction of the step needs no others.
const NEAR_FRACTION: f64 = 0.05;

/// Judges `left_m` and `right_m` of `line`, and on which side of the edges it lies. Returns the distance of each
/// point to both edges, m.
pub fn judge_distances<V, O>(line: &RacingLine<V, O>, tally: &mut Tally) -> Vec<[f64; 2]> {
    let mut road = Road::new(&line.edges, line.closed, line.points.len());
    let mut distances_m = vec![[f64::INFINITY; 2]; line.points.len()];
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
            distances_m[index][side.index()] = found.bounding_m;
            if road.is_beyond(side, place, found.any) {
                tally.at(Rule::Side, index, found.any.distance, 0.0);
            } else {
                tally.at(Rule::Side, index, 0.0, 0.0);
            }
        }
    }
    let budget = road.budget();
    tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
    distances_m
}

/// Judges the margin to `edges`. `known_m` are the distances of the points to them, where they are known.
pub fn judge_margin<V, O>(
    line: &RacingLine<V, O>,
    steps: &[Step],
    edges: &EdgeCoordinates,
    margin_m: f64,
    known_m: Option<Vec<[f64; 2]>>,
    tally: &mut Tally,
) {
    let mut road = Road::new(edges, line.closed, 4 * line.points.len());
    let mut guesses = [0, 0];
    let judges_side = known_m.is_none();
    let allowed_m = MISSING_FRACTION * margin_m.max(0.0) + DISTANCE_STEP_M;
    // Distance to an edge; negative beyond it.
    let mut to_edge = |side: RoadSide, place: Xy, index: usize, tally: &mut Tally| {
        let guess = &mut guesses[side.index()];
        let Some(found) = road.distance(side, place, *guess, margin_m - allowed_m) else { return f64::INFINITY };
        *guess = found.any.segment;
        if road.budget().is_exhausted() {
            tally.whole(Rule::Edges, road.budget().spent as f64, road.budget().limit as f64);
        }
        if judges_side && road.is_beyond(side, place, found.any) {
            tally.at(Rule::Side, index, found.any.distance, 0.0);
            return -found.any.distance;
        }
        found.bounding_m
    };
    let at_points = known_m.unwrap_or_else(|| {
        let both = |(index, place): (usize, Xy)| RoadSide::BOTH.map(|side| to_edge(side, place, index, tally));
        line.points.iter().map(position).enumerate().map(both).collect()
    });
    for (index, distances_m) in at_points.iter().enumerate() {
        tally.at(Rule::Margin, index, margin_m - distances_m[0].min(distances_m[1]), allowed_m);
    }
    for step in steps {
        for side in RoadSide::BOTH {
            let [from_m, to_m] = [step.from, step.to].map(|index| at_points[index][side.index()]);
            // The distance changes by at most a metre per metre.
            if 0.5 * (from_m + to_m - step.plane_m) >= margin_m {
                continue;
            }
            let mut judge = |place: Xy| {
                let distance_m = to_edge(side, place, step.from, tally);
                tally.at(Rule::Margin, step.from, margin_m - distance_m, allowed_m);
                distance_m
            };
            let [middle, before, after] = between(line, step);
            if judge(middle) <= margin_m + NEAR_FRACTION * step.plane_m {
                judge(before);
                judge(after);
            }
        }
    }
}

/// Judges whether the corners of a body of this length and width are between `edges`, where the line states the
/// direction of the body. On an open road, those before its start and after its end are not judged.
pub fn judge_corners<V, O>(line: &RacingLine<V, O>, edges: &EdgeCoordinates, size_m: [f64; 2], tally: &mut Tally) {
    let [ahead, beside] = size_m.map(|size_m| 0.5 * size_m);
    let reach_m = math::hypot(ahead, beside);
    let mut road = Road::new(edges, line.closed, 4 * line.points.len());
    let mut guesses = [0, 0];
    for (index, point) in line.points.iter().enumerate() {
        let Some(sideslip_rad) = point.sideslip_rad else { continue };
        let (forward, centre) = (direction(point.heading_rad - sideslip_rad), position(point));
        for side in RoadSide::BOTH {
            let guess = &mut guesses[side.index()];
            let Some(found) = road.distance(side, centre, *guess, 0.0) else { continue };
            *guess = found.any.segment;
            tally.at(Rule::Corner, index, 0.0, DISTANCE_STEP_M);
            if found.any.distance >= reach_m {
                continue;
            }
            let outward = match side {
                RoadSide::Left => [-forward[1], forward[0]],
                RoadSide::Right => [forward[1], -forward[0]],
            };
            for along in [ahead, -ahead] {
                let corner = plus(plus(centre, along, forward), beside, outward);
                if !is_past_end(line, corner, reach_m)
                    && let Some(found) = road.distance(side, corner, *guess, 0.0)
                    && road.is_beyond(side, corner, found.any)
                {
                    tally.at(Rule::Corner, index, found.any.distance, DISTANCE_STEP_M);
                }
            }
        }
    }
    let budget = road.budget();
    if budget.is_exhausted() {
        tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
    }
}

/// Whether a corner that is at most `reach_m` from its point lies before the start or after the end of an open line.
fn is_past_end<V, O>(line: &RacingLine<V, O>, corner: Xy, reach_m: f64) -> bool {
    let ends = [(line.points.first(), -1.0), (line.points.last(), 1.0)];
    !line.closed
        && ends.into_iter().any(|(end, outward)| {
            end.is_some_and(|end| {
                let from_end = minus(corner, position(end));
                length(from_end) <= 2.0 * reach_m && outward * dot(from_end, direction(end.heading_rad)) > 0.0
            })
        })
}

fn direction(heading_rad: f64) -> Xy {
    [math::cos(heading_rad), math::sin(heading_rad)]
}

/// Judges the margin to obstacles, at the points and between them. The line is outside of an obstacle somewhere, so
/// one that leads through it comes close to its outline.
pub fn judge_obstacles<V, O>(
    line: &RacingLine<V, O>,
    steps: &[Step],
    obstacles: &[Obstacle],
    margin_m: f64,
    tally: &mut Tally,
) {
    let vertices = obstacles.iter().map(|obstacle| obstacle.outline.len()).sum();
    let mut budget = Budget::new(4 * line.points.len(), vertices);
    let allowed_m = MISSING_FRACTION * margin_m + DISTANCE_STEP_M;
    for obstacle in obstacles {
        let outline = EdgeTree::new(&obstacle.outline, true);
        let mut judge = |index: usize, place: Xy, tally: &mut Tally| {
            let Some(nearest) = outline.nearest(place, 0, &|_| false, &mut budget) else { return };
            if budget.is_exhausted() {
                tally.whole(Rule::Edges, budget.spent as f64, budget.limit as f64);
                return;
            }
            tally.at(Rule::Obstacle, index, margin_m + obstacle.radius_m - nearest.distance, allowed_m);
        };
        for (index, point) in line.points.iter().enumerate() {
            judge(index, position(point), tally);
        }
        for step in steps.iter().filter(|step| step.plane_m > margin_m) {
            for place in between(line, step) {
                judge(step.from, place, tally);
            }
        }
    }
}

/// Places between the points of a step, on the cubic with their headings.
pub fn between<V, O>(line: &RacingLine<V, O>, step: &Step) -> [Xy; 3] {
    BETWEEN.map(|t| on_step(line, step, t))
}

/// The place at the fraction `t` of a step, on the cubic with the headings of its ends.
pub fn on_step<V, O>(line: &RacingLine<V, O>, step: &Step, t: f64) -> Xy {
    let (a, b) = (&line.points[step.from], &line.points[step.to]);
    let tangent = |angle: f64| [step.plane_m * math::cos(angle), step.plane_m * math::sin(angle)];
    let (p, q) = (position(a), position(b));
    let (u, v) = (tangent(a.heading_rad), tangent(b.heading_rad));
    let (t2, t3) = (t * t, t * t * t);
    let ends = plus(p, 3.0 * t2 - 2.0 * t3, minus(q, p));
    plus(plus(ends, t3 - 2.0 * t2 + t, u), t3 - t2, v)
}
