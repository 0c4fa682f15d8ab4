//! Distances between outlines: rectangles and circles.

use raceline_follower::{Body, Neighbour};
use raceline_numerics::math;

/// A point in the axes of a rectangle: along it and to its left, from its middle, m.
fn within(body: &Neighbour, point: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = math::sin_cos(body.heading_rad);
    let (x, y) = (point[0] - body.position_m[0], point[1] - body.position_m[1]);
    [x * cos + y * sin, y * cos - x * sin]
}

/// Distance of a point from a rectangle, m; 0 inside.
fn to_point(body: &Neighbour, point: [f64; 2]) -> f64 {
    let [along, left] = within(body, point);
    math::hypot((along.abs() - 0.5 * body.length_m).max(0.0), (left.abs() - 0.5 * body.width_m).max(0.0))
}

fn corners(body: &Neighbour) -> [[f64; 2]; 4] {
    let (sin, cos) = math::sin_cos(body.heading_rad);
    [[0.5, 0.5], [0.5, -0.5], [-0.5, -0.5], [-0.5, 0.5]].map(|[along, left]| {
        let (along, left) = (along * body.length_m, left * body.width_m);
        [body.position_m[0] + along * cos - left * sin, body.position_m[1] + along * sin + left * cos]
    })
}

/// Distance between a rectangle and a circle, m; negative by the depth to which the circle overlaps it.
pub(super) fn to_circle(body: &Neighbour, circle: &Body) -> f64 {
    to_point(body, circle.position_m) - circle.radius_m
}

/// Distance between two rectangles, m; 0 where they overlap.
pub(super) fn to_rectangle(a: &Neighbour, b: &Neighbour) -> f64 {
    // Rectangles overlap unless a side of one has all corners of the other beyond it.
    let separate = |a: &Neighbour, b: &Neighbour| {
        let corners = corners(b).map(|corner| within(a, corner));
        [(0, a.length_m), (1, a.width_m)].iter().any(|&(axis, size)| {
            corners.iter().all(|corner| corner[axis] > 0.5 * size)
                || corners.iter().all(|corner| corner[axis] < -0.5 * size)
        })
    };
    if !separate(a, b) && !separate(b, a) {
        return 0.0;
    }
    // Of two that do not overlap, a corner of one is nearest to the other.
    let nearest = |a: &Neighbour, b: &Neighbour| corners(b).map(|corner| to_point(a, corner));
    nearest(a, b).into_iter().chain(nearest(b, a)).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};

    fn car(x: f64, y: f64, heading_rad: f64) -> Neighbour {
        Neighbour { position_m: [x, y, 0.0], velocity_mps: [0.0; 3], heading_rad, length_m: 4.0, width_m: 2.0 }
    }

    #[test]
    fn gaps_of_rectangles_are_those_of_their_sides_and_corners() {
        let here = car(0.0, 0.0, 0.0);
        assert!((to_rectangle(&here, &car(5.0, 0.0, 0.0)) - 1.0).abs() < 1e-12);
        assert!((to_rectangle(&here, &car(0.5, 3.5, 0.0)) - 1.5).abs() < 1e-12);
        // Turned by a right angle it is 2 m long.
        assert!((to_rectangle(&here, &car(5.0, 0.0, FRAC_PI_2)) - 2.0).abs() < 1e-12);
        // Corner to corner: 3 m along and 4 m across.
        assert!((to_rectangle(&here, &car(7.0, 6.0, 0.0)) - 5.0).abs() < 1e-12);
        // The corner of one that stands at 45°.
        let apart = to_rectangle(&here, &car(10.0, 0.0, FRAC_PI_4));
        assert!((apart - (8.0 - 3.0 / SQRT_2)).abs() < 1e-12, "{apart}");
    }

    #[test]
    fn crossed_rectangles_without_a_corner_in_each_other_overlap() {
        let mut long = car(0.0, 0.0, 0.0);
        (long.length_m, long.width_m) = (10.0, 0.5);
        let across = Neighbour { heading_rad: FRAC_PI_2, ..long };
        assert_eq!(to_rectangle(&long, &across), 0.0);
        assert_eq!(to_rectangle(&car(0.0, 0.0, 0.0), &car(3.9, 1.9, 0.0)), 0.0);
        assert!(to_rectangle(&car(0.0, 0.0, 0.0), &car(4.1, 1.9, 0.0)) > 0.0);
    }

    #[test]
    fn a_circle_is_its_radius_nearer_than_its_middle() {
        let obstacle = |x: f64, y: f64| Body { position_m: [x, y], radius_m: 1.0, ..Body::default() };
        let here = car(0.0, 0.0, 0.0);
        assert!((to_circle(&here, &obstacle(5.0, 0.5)) - 2.0).abs() < 1e-12);
        assert!((to_circle(&here, &obstacle(5.0, 5.0)) - 4.0).abs() < 1e-12);
        assert!(to_circle(&here, &obstacle(2.5, 0.0)) < 0.0);
    }
}
