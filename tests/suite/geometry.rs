//! Polylines, nearest-segment queries and splines against closed forms and brute force.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use std::f64::consts::{PI, TAU};

use proptest::prelude::*;
use raceline::geometry::{
    CurvePoint, Ends, Point, Polyline, Segment, SegmentIndex, SplineCurve, SplineKnots, Vector, cross, wrap_angle,
};
use raceline_road::on_grid;

fn circle(radius: f64, count: usize) -> Vec<Point> {
    (0..count).map(|i| TAU * i as f64 / count as f64).map(|t| Point::new(radius * t.cos(), radius * t.sin())).collect()
}

fn ellipse(a: f64, b: f64, count: usize) -> Vec<Point> {
    (0..count).map(|i| TAU * i as f64 / count as f64).map(|t| Point::new(a * t.cos(), b * t.sin())).collect()
}

/// log2 of how much an error shrinks when the step is halved.
fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

#[test]
fn square_has_its_length_area_and_inside() {
    let square = Polyline::closed([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]].map(Point::from).to_vec());
    assert_eq!(square.length(), 12.0);
    assert_eq!(square.signed_area(), 9.0);
    assert_eq!(square.clone().reversed().signed_area(), -9.0);
    assert_eq!(square.clone().reversed().points[0], square.points[0]);
    assert!(square.contains(Point::new(1.0, 2.0)));
    assert!(!square.contains(Point::new(4.0, 2.0)));
    assert_eq!(square.point_at(&square.arc_lengths(), 13.5), Point::new(1.5, 0.0));
}

#[test]
fn simplifying_keeps_corners_and_drops_what_lies_between() {
    let dense: Vec<Point> = (0..40)
        .map(|i| match i / 10 {
            0 => Point::new(f64::from(i), 0.0),
            1 => Point::new(10.0, f64::from(i - 10)),
            2 => Point::new(f64::from(30 - i), 10.0),
            _ => Point::new(0.0, f64::from(40 - i)),
        })
        .collect();
    let simple = Polyline::closed(dense).simplified(0.01);
    assert_eq!(simple.points.len(), 4);
    assert_eq!(simple.signed_area(), 100.0);
}

#[test]
fn curvature_of_a_circle_converges_with_second_order() {
    let error = |count: usize| {
        let curve = SplineCurve::through(&circle(25.0, count), true).unwrap();
        curve.evenly(997).iter().map(|p| (p.curvature() - 0.04).abs()).fold(0.0, f64::max)
    };
    let errors = [20, 40, 80].map(error);
    assert!(errors[2] < 1e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(order(pair[0], pair[1]) > 1.8, "{errors:?}");
    }
}

#[test]
fn arc_length_of_an_ellipse_converges_with_fourth_order() {
    // Perimeter 2 π a (1 - e²/4 - 3 e⁴/64 - …) summed by the trapezoidal rule, which is exact to
    // rounding here.
    let (a, b) = (60.0, 30.0);
    let perimeter = (0..4096)
        .map(|i| TAU * f64::from(i) / 4096.0)
        .map(|t| (a * t.sin()).hypot(b * t.cos()) * TAU / 4096.0)
        .sum::<f64>();
    let error = |count| (SplineCurve::through(&ellipse(a, b, count), true).unwrap().length() - perimeter).abs();
    let errors = [24, 48, 96].map(error);
    assert!(errors[2] < 1e-4 * perimeter, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(order(pair[0], pair[1]) > 3.5, "{errors:?}");
    }
}

#[test]
fn parameter_is_arc_length() {
    let curve = SplineCurve::through(&ellipse(60.0, 30.0, 60), true).unwrap();
    for place in curve.evenly(500) {
        assert!((place.first.norm() - 1.0).abs() < 2e-3, "{}", place.first.norm());
    }
}

#[test]
fn curvature_is_positive_to_the_left_and_heading_counts_from_east() {
    let left = SplineCurve::through(&circle(10.0, 40), true).unwrap().at(0.0);
    assert!(left.curvature() > 0.0);
    assert!((left.heading() - PI / 2.0).abs() < 1e-3);
    let clockwise: Vec<Point> = circle(10.0, 40).into_iter().rev().collect();
    assert!(SplineCurve::through(&clockwise, true).unwrap().at(0.0).curvature() < 0.0);
}

#[test]
fn open_spline_through_a_straight_line_is_straight() {
    let points: Vec<Point> = [0.0, 1.0, 4.0, 4.5, 9.0].map(|x| Point::new(x, 2.0 * x)).to_vec();
    let curve = SplineCurve::through(&points, false).unwrap();
    assert!((curve.length() - 9.0 * 5f64.sqrt()).abs() < 1e-9);
    assert!(curve.evenly(50).iter().map(CurvePoint::curvature).all(|kappa| kappa.abs() < 1e-12));
    assert!((curve.at(1e9).position - points[4]).norm() < 1e-9);
}

#[test]
fn splines_refuse_too_few_and_coinciding_points() {
    assert!(SplineCurve::through(&circle(1.0, 2), true).is_none());
    assert!(SplineCurve::through(&[Point::origin()], false).is_none());
    assert!(SplineCurve::through(&[Point::origin(), Point::origin(), Point::new(1.0, 0.0)], true).is_none());
    assert!(SplineKnots::new(vec![1.0, f64::NAN, 1.0], true).is_none());
}

#[test]
fn segments_that_touch_meet_and_parallel_ones_do_not() {
    let p = |x: f64, y: f64| Point::new(x, y);
    let segments_meet = |a, b, c, d| Segment::new(a, b).meets(Segment::new(c, d), Ends::Included);
    assert!(segments_meet(p(0.0, 0.0), p(2.0, 2.0), p(0.0, 2.0), p(2.0, 0.0)));
    assert!(segments_meet(p(0.0, 0.0), p(2.0, 0.0), p(1.0, 0.0), p(1.0, 5.0)));
    assert!(!segments_meet(p(0.0, 0.0), p(2.0, 0.0), p(0.0, 1.0), p(2.0, 1.0)));
    assert!(!segments_meet(p(0.0, 0.0), p(1.0, 1.0), p(3.0, 0.0), p(0.0, 3.1)));
}

proptest! {
    /// The moments solve the tridiagonal system that the module states, by substitution.
    #[test]
    fn moments_solve_the_spline_equations(
        pairs in prop::collection::vec((0.1..5.0f64, -10.0..10.0f64), 3..40),
        closed in any::<bool>(),
    ) {
        let n = pairs.len();
        let values: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
        let mut h: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        if !closed {
            h.pop();
        }
        let knots = SplineKnots::new(h.clone(), closed).unwrap();
        let mut m = vec![0.0; n];
        knots.second_derivatives(&values, &mut m);
        let rows = if closed { 0..n } else { 1..n - 1 };
        for i in rows {
            let (b, a) = ((i + n - 1) % n, (i + 1) % n);
            let left = h[b] / 6.0 * m[b] + (h[b] + h[i]) / 3.0 * m[i] + h[i] / 6.0 * m[a];
            let right = (values[a] - values[i]) / h[i] - (values[i] - values[b]) / h[b];
            prop_assert!((left - right).abs() < 1e-8 * (1.0 + right.abs()), "row {i}: {left} {right}");
        }
        if !closed {
            for (end, neighbour) in [(m[0], m[1]), (m[n - 1], m[n - 2])] {
                prop_assert!((end - neighbour).abs() < 1e-12 * (1.0 + end.abs()), "{end} {neighbour}");
            }
        }
    }

    #[test]
    fn nearest_point_is_the_one_found_by_looking_at_every_piece(
        corners in prop::collection::vec((-50.0..50.0f64, -50.0..50.0f64), 2..40),
        query in (-80.0..80.0f64, -80.0..80.0f64),
        cell in 0.5..30.0f64,
        closed in any::<bool>(),
    ) {
        let points = corners.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let polyline = Polyline { points, closed };
        let query = Point::new(query.0, query.1);
        let brute = polyline
            .pieces()
            .map(|(a, b)| {
                let t = ((query - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
                (query - (a + (b - a) * t)).norm()
            })
            .fold(f64::INFINITY, f64::min);
        let nearest = SegmentIndex::new(&polyline, cell).nearest(query).unwrap();
        prop_assert!((nearest.distance - brute).abs() < 1e-9);
        let at = polyline.point_at(&polyline.arc_lengths(), nearest.s);
        prop_assert!((at - nearest.point).norm() < 1e-6);
    }

    #[test]
    fn wrapped_angles_lie_in_the_half_open_turn(angle in -100.0..100.0f64) {
        let wrapped = wrap_angle(angle);
        prop_assert!(wrapped > -PI && wrapped <= PI);
        prop_assert!(((angle - wrapped) / TAU - ((angle - wrapped) / TAU).round()).abs() < 1e-9);
    }
}

/// Positions on the grid of 10 µm by four sweeps over every point, in which each of the 25 grid points about it is tried.
fn on_grid_by_trying_all(places: &[CurvePoint], steps: &[f64]) -> Vec<Point> {
    let count = places.len();
    let nearest = |i: usize| places[i].position.map(|x| (x * 1e5).round());
    let error = |i: usize, grid: Point| grid - places[i].position * 1e5;
    let mut chosen: Vec<Point> = (0..count).map(nearest).collect();
    let mut errors: Vec<Vector> = (0..count).map(|i| error(i, chosen[i])).collect();
    let has_neighbours = |i: usize| steps.len() == count || (i > 0 && i + 1 < count);
    let bend = |i: usize, errors: &[Vector]| {
        if !has_neighbours(i) {
            return 0.0;
        }
        let (before, after) = ((i + count - 1) % count, (i + 1) % count);
        let change = (errors[after] - errors[i]) / steps[i] - (errors[i] - errors[before]) / steps[before];
        2.0 * cross(places[i].first.normalize(), change) / (steps[before] + steps[i])
    };
    for i in (0..4).flat_map(|_| 0..count) {
        let before = (i + count - 1) % count;
        let around = if has_neighbours(i) { [before, i, (i + 1) % count] } else { [i; 3] };
        let scale = if has_neighbours(i) { (steps[before] * steps[i]).powi(-2) } else { 1.0 };
        let mut best = (f64::INFINITY, chosen[i]);
        for (column, row) in (-2..=2).flat_map(|column| (-2..=2).map(move |row| (column, row))) {
            let grid = nearest(i) + Vector::new(f64::from(column), f64::from(row));
            errors[i] = error(i, grid);
            let bending: f64 = around.iter().map(|&k| bend(k, &errors).powi(2)).sum();
            let cost = bending + 1e-4 * scale * errors[i].norm_squared();
            if cost < best.0 {
                best = (cost, grid);
            }
        }
        chosen[i] = best.1;
        errors[i] = error(i, chosen[i]);
    }
    chosen.iter().map(|grid| grid / 1e5).collect()
}

proptest! {
    #[test]
    fn a_line_lies_on_the_grid_where_trying_every_point_puts_it(
        turns in prop::collection::vec((0.05..2.0f64, -0.3..0.3f64), 1..60),
        closed in any::<bool>(),
    ) {
        let (mut position, mut heading) = (Point::new(12.345_678_9, -3.2), 0.4f64);
        let mut places = Vec::new();
        for &(step, turn) in &turns {
            let first = Vector::new(heading.cos(), heading.sin());
            places.push(CurvePoint { position, first, second: Vector::zeros() });
            position += first * step;
            heading += turn;
        }
        let steps: Vec<f64> = turns.iter().map(|&(step, _)| step).take(turns.len() - usize::from(!closed)).collect();
        prop_assert_eq!(on_grid(&places, &steps), on_grid_by_trying_all(&places, &steps));
    }
}
