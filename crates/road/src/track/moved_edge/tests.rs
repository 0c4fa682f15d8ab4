use std::f64::consts::TAU;

use super::{Curve, FADE_VERTICES, Move, MoveProblem, MovedEdge, Steep, fade};
use crate::geometry::{Point, Polyline, SegmentIndex, Vector};
use crate::track::test_roads::assert_near;

/// An edge along the x axis from 0 to 200 with a vertex every 10 m.
fn line() -> Polyline {
    Polyline::open((0..=20).map(|i| Point::new(10.0 * f64::from(i), 0.0)).collect())
}

/// A counter-clockwise circle of vertices one degree apart.
fn circle(radius: f64) -> Polyline {
    let at = |i: u32| TAU * f64::from(i) / 360.0;
    Polyline::closed((0..360).map(|i| Point::new(radius * at(i).cos(), radius * at(i).sin())).collect())
}

fn one(number: usize, to: [f64; 2], s: f64, length_m: f64) -> Move {
    Move { number, to: to.into(), s, road_m: s, length_m }
}

/// The edge, the left one of a road of 10 m, moved through these places; `crossings` has pieces across other legs.
fn moved<'a>(edge: &'a Polyline, crossings: &[[Point; 2]], moves: Vec<Move>) -> Result<MovedEdge<'a>, MoveProblem> {
    let index = SegmentIndex::without(edge, 10.0, crossings);
    MovedEdge::new((edge, &index), true, [10.0, edge.length()], moves)
}

#[track_caller]
fn assert_at(found: Option<Point>, wanted: [f64; 2], tolerance: f64) {
    let found = found.unwrap();
    assert!((found - Point::from(wanted)).norm() <= tolerance, "{found} instead of {wanted:?}");
}

#[track_caller]
fn steep(found: Result<MovedEdge<'_>, MoveProblem>) -> Steep {
    match found {
        Err(MoveProblem::Steep(steep)) => steep,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("moved"),
    }
}

#[test]
fn a_move_fades_out_by_a_polynomial_of_the_fifth_degree() {
    assert_eq!([0.0, 1.0, 1.5].map(fade), [1.0, 0.0, 0.0]);
    for u in [0.1, 0.25, 0.5, 0.8] {
        assert_near(fade(u), 1.0 - (10.0 * f64::powi(u, 3) - 15.0 * f64::powi(u, 4) + 6.0 * f64::powi(u, 5)), 1e-15);
    }
}

#[test]
fn a_curve_has_its_ends_and_their_tangents() {
    let curve = Curve {
        from: Point::new(1.0, 2.0),
        to: Point::new(5.0, 1.0),
        tangents: [Vector::new(3.0, 1.0), Vector::new(2.0, -2.0)],
    };
    assert_eq!((curve.at(0.0), curve.at(1.0)), (curve.from, curve.to));
    let step = 1e-6;
    for (u, tangent) in [(0.0, curve.tangents[0]), (1.0, curve.tangents[1])] {
        let slope = (curve.at(u + step) - curve.at(u - step)) / (2.0 * step);
        assert!((slope - tangent).norm() < 1e-8, "{slope}");
    }
    // Halfway between the ends by an eighth of the difference of the tangents.
    assert!((curve.at(0.5) - Point::new(3.0 + 0.125, 1.5 + 0.375)).norm() < 1e-12);
}

#[test]
fn a_place_alone_moves_the_edge_about_it() {
    let edge = line();
    let moved = moved(&edge, &[], vec![one(1, [100.0, 2.0], 100.0, 20.0)]).unwrap();
    assert!(!moved.is_as_read());
    for s in [80.5, 90.0, 100.0, 104.0, 119.0] {
        assert_at(moved.place(s), [s, 2.0 * fade((s - 100.0).abs() / 20.0)], 1e-12);
    }
    assert!([0.0, 79.9, 80.0, 120.0, 150.0].iter().all(|&s| moved.place(s).is_none()));
    let (polyline, touched) = moved.polyline();
    // Those that were read and between the place and each end of its reach the vertices of the fade, some of which
    // are vertices that were read.
    assert_eq!(polyline.points.len(), 21 + 2 * (FADE_VERTICES - 1) - 2);
    assert_eq!(touched.len(), polyline.piece_count());
    for (point, piece) in polyline.points.iter().zip(&touched) {
        let wanted = 2.0 * fade((point.x - 100.0).abs() / 20.0);
        assert_near(point.y, wanted, 1e-12);
        assert_eq!(*piece, point.x > 79.9 - 20.0 / 24.0 && point.x < 119.9, "{point}");
    }
}

#[test]
fn outwards_is_to_the_left_of_a_left_edge_and_to_the_right_of_a_right_one() {
    // What a place moves along the edge moves as it is, and what it moves across turns with the edge.
    let edge = circle(50.0);
    let index = SegmentIndex::new(&edge, 10.0);
    let length = edge.length();
    for is_left in [true, false] {
        let moves = vec![Move { number: 1, to: Point::new(52.0, 0.5), s: 0.0, road_m: 0.0, length_m: 30.0 }];
        let moved = MovedEdge::new((&edge, &index), is_left, [10.0, length], moves).unwrap();
        assert_near(moved.moves[0].offset_m, if is_left { -2.0 } else { 2.0 }, 1e-3);
        assert!((moved.moves[0].rest - Vector::new(0.0, 0.5)).norm() < 1e-3);
        for s in [12.0, length - 12.0] {
            let angle = TAU * s / length;
            let part = fade(12.0 / 30.0);
            let wanted = [(50.0 + 2.0 * part) * angle.cos(), (50.0 + 2.0 * part) * angle.sin() + 0.5 * part];
            assert_at(moved.place(s), wanted, 0.01);
        }
    }
}

#[test]
fn a_place_on_the_edge_changes_nothing() {
    let edge = line();
    for to in [[100.0, 0.0], [100.0, 1e-7]] {
        let moved = moved(&edge, &[], vec![one(1, to, 100.0, 20.0)]).unwrap();
        assert!(moved.is_as_read() && moved.place(99.0).is_none());
        let (polyline, touched) = moved.polyline();
        assert!(touched.iter().all(|touched| !touched));
        assert!(polyline.points.iter().all(|point| point.y == 0.0));
    }
    let none = moved(&edge, &[], Vec::new()).unwrap();
    assert!(none.is_as_read() && none.place(10.0).is_none());
    assert_eq!(none.polyline(), (edge.clone(), vec![false; 20]));
}

#[test]
fn a_place_that_moves_the_edge_farther_than_it_has_room_to_fade_out_is_refused() {
    let edge = line();
    let refused = steep(moved(&edge, &[], vec![one(7, [103.0, 4.0], 100.0, 4.9)]));
    assert_eq!((refused.number, refused.length_m, refused.is_crossing), (7, 4.9, false));
    assert_near(refused.offset_m, 5.0, 1e-12);
    assert!(moved(&edge, &[], vec![one(7, [103.0, 4.0], 100.0, 5.1)]).is_ok());
    // A crossing between 108 and 110 m shortens the room behind, on either side.
    let cut = Polyline::open([0.0, 108.0, 110.0, 200.0].map(|x| Point::new(x, 0.0)).to_vec());
    let crossing = [[cut.points[1], cut.points[2]]];
    for (x, room) in [(100.0, 8.0), (115.0, 5.0)] {
        assert!(moved(&cut, &crossing, vec![one(2, [x, room - 0.1], x, 30.0)]).is_ok());
        let refused = steep(moved(&cut, &crossing, vec![one(2, [x, room + 0.1], x, 30.0)]));
        assert_eq!((refused.number, refused.length_m, refused.is_crossing), (2, room, true));
        let refused = steep(moved(&cut, &crossing, vec![one(2, [x, 4.1], x, 4.0)]));
        assert_eq!((refused.length_m, refused.is_crossing), (4.0, false));
    }
    // On a closed edge half of it at maximum.
    let ring = circle(5.0);
    let half = 0.5 * ring.length();
    assert_near(moved(&ring, &[], vec![one(1, [4.0, 0.0], 0.0, 1e3)]).unwrap().moves[0].reach_m[0], half, 1e-9);
}

#[test]
fn the_edge_goes_on_until_it_crosses_another_leg() {
    let cut = Polyline::open([0.0, 50.0, 60.0, 150.0, 155.0, 200.0].map(|x| Point::new(x, 0.0)).to_vec());
    let crossings = [[cut.points[1], cut.points[2]], [cut.points[3], cut.points[4]]];
    let free = moved(&cut, &crossings, Vec::new()).unwrap();
    for (s, wanted) in [
        (10.0, [f64::INFINITY, 40.0]),
        (50.0, [f64::INFINITY, 0.0]),
        (60.0, [0.0, 90.0]),
        (100.0, [40.0, 50.0]),
        (170.0, [15.0, f64::INFINITY]),
    ] {
        assert_eq!(free.free_about(s), wanted, "{s}");
    }
    let ring = circle(50.0);
    let length = ring.length();
    let step = length / 360.0;
    let closed = moved(&ring, &[[ring.points[90], ring.points[91]]], Vec::new()).unwrap();
    for at in [0.0, 40.0, 89.5, 120.0, 300.0] {
        let [before, after] = closed.free_about(at * step);
        let wanted = |distance: f64| f64::rem_euclid(distance, 360.0) * step;
        assert_near(before, wanted(at - 91.0), 1e-9);
        assert_near(after, wanted(90.0 - at), 1e-9);
    }
}

#[test]
fn two_entries_for_one_place_are_refused_with_their_numbers() {
    let edge = line();
    let same = |moves: Vec<Move>| match moved(&edge, &[], moves) {
        Err(MoveProblem::Same(numbers)) => Some(numbers),
        _ => None,
    };
    let place = |number: usize, x: f64, s: f64| one(number, [x, 1.0], s, 20.0);
    // At one place of the edge, or at one place beside it.
    assert_eq!(same(vec![place(5, 50.0, 50.0), place(2, 51.0, 50.0)]), Some([2, 5]));
    assert_eq!(same(vec![place(1, 50.0, 50.0), place(3, 50.0, 52.0)]), Some([1, 3]));
    assert_eq!(same(vec![place(1, 50.0, 50.0), place(3, 50.1, 50.1)]), None);
}

#[test]
fn near_places_are_joined_and_far_ones_are_not() {
    let edge = line();
    let joined = |moves: &[Move]| -> Vec<bool> {
        moved(&edge, &[], moves.to_vec()).unwrap().moves.iter().map(|one| one.is_joined).collect()
    };
    let place = |number: usize, x: f64, length_m: f64| one(number, [x, 1.0], x, length_m);
    // The longer of their lengths counts.
    assert_eq!(joined(&[place(1, 50.0, 5.0), place(2, 70.0, 20.0)]), [true, false]);
    assert_eq!(joined(&[place(1, 50.0, 20.0), place(2, 70.0, 5.0)]), [true, false]);
    assert_eq!(joined(&[place(1, 50.0, 19.9), place(2, 70.0, 19.9)]), [false, false]);
    // In the order of the edge, whatever that of the entries.
    assert_eq!(joined(&[place(1, 120.0, 5.0), place(2, 70.0, 20.0), place(3, 60.0, 5.0)]), [true, false, false]);
    // An edge that makes a detour between places near to one another, along a road that makes none.
    let joined = |to_m: f64, road_m: f64| {
        let first = one(1, [50.0, 1.0], 50.0, 30.0);
        let second = Move { road_m, ..one(2, [to_m, 1.0], 90.0, 20.0) };
        moved(&edge, &[], vec![first, second]).unwrap().moves[0].is_joined
    };
    assert!(joined(79.0, 109.0) && !joined(79.0, 111.0) && !joined(81.0, 109.0));
}

#[test]
fn a_curve_does_not_lead_over_a_crossing() {
    let cut = Polyline::open([0.0, 50.0, 60.0, 200.0].map(|x| Point::new(x, 0.0)).to_vec());
    let crossings = [[cut.points[1], cut.points[2]]];
    let place = |number: usize, x: f64| one(number, [x, 1.0], x, 40.0);
    let joined = |a: f64, b: f64| moved(&cut, &crossings, vec![place(1, a), place(2, b)]).unwrap().moves[0].is_joined;
    assert!(!joined(45.0, 65.0) && joined(20.0, 45.0) && joined(65.0, 90.0));
}

#[test]
fn places_of_a_closed_edge_are_joined_over_its_begin() {
    let edge = circle(50.0);
    let length = edge.length();
    let at = |s: f64, radius: f64| {
        let angle = TAU * s / length;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let place = |number: usize, s: f64| one(number, at(s, 52.0), s, 15.0);
    let moved = moved(&edge, &[], vec![place(1, 5.0), place(2, length - 5.0)]).unwrap();
    assert_eq!(moved.moves.iter().map(|one| one.is_joined).collect::<Vec<_>>(), [false, true]);
    assert_eq!(
        [0.0, 4.0, 7.0, length - 1.0].map(|s| moved.about(s).map(|found| found.unwrap().0)),
        [[1, 0], [1, 0], [0, 1], [1, 0],]
    );
    let [before, after] = moved.about(1.0).map(|found| found.unwrap().1);
    assert_near(before, 6.0, 1e-9);
    assert_near(after, 4.0, 1e-9);
    // The curve is the arc of the larger circle, to the accuracy of a cubic; outside it fades out.
    for s in [0.0, 3.0, length - 4.0] {
        let [x, y] = at(s, 52.0);
        assert_at(moved.place(s), [x, y], 0.02);
    }
    for (s, away) in [(11.0, 6.0), (length - 11.0, 6.0)] {
        let [x, y] = at(s, 50.0 + 2.0 * fade(away / 15.0));
        assert_at(moved.place(s), [x, y], 0.02);
    }
    assert!(moved.place(21.0).is_none() && moved.place(length - 21.0).is_none());
    let (polyline, touched) = moved.polyline();
    assert!(polyline.closed && touched.len() == polyline.points.len());
    for (i, point) in polyline.points.iter().enumerate() {
        let s = point.y.atan2(point.x).rem_euclid(TAU) / TAU * length;
        let away = s.min(length - s);
        let wanted = if away <= 5.0 { 52.0 } else { 50.0 + 2.0 * fade((away - 5.0) / 15.0) };
        assert_near(point.coords.norm(), wanted, 0.03);
        // Clear of the ends of the move, a piece is touched where one of its ends moved.
        if (away - 20.0).abs() > 1.5 {
            assert_eq!(touched[i], away < 20.0, "{point}");
        }
    }
    // No two vertices in one place, and the curve is a row of short pieces.
    let pieces: Vec<f64> = polyline.pieces().map(|(a, b)| (b - a).norm()).collect();
    assert!(pieces.iter().all(|&length| length > 1e-7 && length < 1.1));
    let in_curve = polyline.points.iter().filter(|p| p.x > 0.0 && p.y.abs() < 5.3).count();
    assert_eq!(in_curve, (10.4_f64 / 0.5).ceil() as usize + 1);
}

#[test]
fn three_joined_places_have_the_tangent_of_the_parabola_through_them() {
    let edge = line();
    let spots = [[50.0, 3.0], [62.0, 5.0], [70.0, 4.0]];
    let moves = spots.iter().zip(1..).map(|(&to, number)| one(number, to, to[0], 12.0)).collect();
    let moved = moved(&edge, &[], moves).unwrap();
    assert_eq!(moved.moves.iter().map(|one| one.is_joined).collect::<Vec<_>>(), [true, true, false]);
    let [a, b, c] = spots.map(Point::from);
    let (back, ahead) = (b - a, c - b);
    let (first, second) = (back.norm(), ahead.norm());
    // That of the parabola in the chords' lengths at its middle place.
    let wanted = (back / first * second + ahead / second * first).normalize();
    assert!((moved.tangent(1) - wanted).norm() < 1e-12);
    // Where the curve ends it has the direction of the edge that goes on.
    for k in [0, 2] {
        assert!((moved.tangent(k) - Vector::new(1.0, 0.0)).norm() < 1e-12);
    }
    for (s, place) in [(50.0, a), (62.0, b), (70.0, c)] {
        assert_at(moved.place(s), [place.x, place.y], 1e-12);
    }
    let from_here = moved.curve(0);
    let half_turn = (0.5 * (1.0 + wanted.x)).sqrt();
    assert!((from_here.tangents[0] - Vector::new(2.0 * first / (1.0 + half_turn), 0.0)).norm() < 1e-9);
    assert!((from_here.tangents[1] - wanted * (2.0 * first / (1.0 + half_turn))).norm() < 1e-9);
    assert_at(moved.place(56.0), from_here.at(0.5).coords.into(), 1e-12);
    assert_at(moved.place(53.0), from_here.at(0.25).coords.into(), 1e-12);
    // What was read between the places is left out, and the vertex between two entries lies on the curve.
    let (polyline, touched) = moved.polyline();
    let is_on = |place: Point| polyline.points.iter().any(|point| (point - place).norm() < 1e-9);
    assert!(is_on(a) && is_on(b) && is_on(c) && !is_on(Point::new(60.0, 0.0)));
    assert_eq!(polyline.points.windows(2).filter(|pair| pair[1].x <= pair[0].x).count(), 0);
    // One piece every half metre, or eight.
    let between = |from: Point, to: Point| polyline.points.iter().filter(|p| p.x > from.x && p.x < to.x).count();
    assert_eq!(between(a, b), (first / 0.5).ceil() as usize - 1);
    assert_eq!(between(b, c), (second / 0.5).ceil() as usize - 1);
    assert!(touched.iter().zip(polyline.points.windows(2)).all(|(&touched, ends)| {
        touched == (ends[1].x > 38.1 && ends[0].x < 81.9) || ends[0].x < 38.6 || ends[1].x > 81.4
    }));
}

#[test]
fn a_short_curve_has_eight_pieces_and_a_long_one_a_thousand() {
    let long = Polyline::open(vec![Point::new(0.0, 0.0), Point::new(2000.0, 0.0)]);
    let count = |from: f64, to: f64| {
        let moves = vec![one(1, [from, 1.0], from, to - from + 1.0), one(2, [to, 1.0], to, to - from + 1.0)];
        let (polyline, _) = moved(&long, &[], moves).unwrap().polyline();
        polyline.points.iter().filter(|p| p.x > from + 1e-9 && p.x < to - 1e-9).count() + 1
    };
    assert_eq!((count(100.0, 101.5), count(100.0, 110.0), count(500.0, 1500.0)), (8, 20, 1000));
}

#[test]
fn the_tangent_at_a_curves_end_is_that_of_the_parabola_through_the_edge_beyond() {
    // A parabola as the edge, by points 0.1 m apart: y = x² / 80.
    let at = |i: i32| Point::new(0.1 * f64::from(i), f64::from(i * i) / 8000.0);
    let edge = Polyline::open((-400..=400).map(at).collect());
    let moved = moved(&edge, &[], Vec::new()).unwrap();
    let lengths = edge.arc_lengths();
    for i in [200_usize, 400, 650] {
        let x = edge.points[i].x;
        let wanted = Vector::new(1.0, x / 40.0).normalize();
        for sign in [1.0, -1.0] {
            let found = moved.end_of_parabola(lengths[i], sign).normalize();
            assert!((found - wanted).norm() < 2e-3, "{x} {sign}: {found}");
        }
    }
    // Without edge beyond, the direction of the piece.
    let last = edge.points[800] - edge.points[799];
    assert!((moved.end_of_parabola(edge.length(), 1.0) - last).norm() < 1e-12);
    assert!((moved.end_of_parabola(0.0, -1.0) - (edge.points[1] - edge.points[0])).norm() < 1e-12);
    let ring = circle(50.0);
    let closed = super::tests::moved(&ring, &[], Vec::new()).unwrap();
    for sign in [1.0, -1.0] {
        let found = closed.end_of_parabola(0.0, sign).normalize();
        assert!((found - Vector::new(0.0, 1.0)).norm() < 0.01, "{found}");
    }
}

#[test]
fn vertices_of_pieces_across_another_leg_stay_where_they_are() {
    let cut = Polyline::open([0.0, 90.0, 108.0, 110.0, 115.0, 200.0].map(|x| Point::new(x, 0.0)).to_vec());
    let crossing = [[cut.points[2], cut.points[3]]];
    let moves = vec![one(1, [100.0, 3.0], 100.0, 30.0), one(2, [113.0, 1.0], 113.0, 30.0)];
    let moved = moved(&cut, &crossing, moves).unwrap();
    let (polyline, touched) = moved.polyline();
    for place in [Point::new(108.0, 0.0), Point::new(110.0, 0.0), Point::new(100.0, 3.0), Point::new(113.0, 1.0)] {
        assert!(polyline.points.contains(&place), "{place}");
    }
    let crossing = polyline.points.iter().position(|point| point.x == 108.0).unwrap();
    assert_eq!((polyline.points[crossing + 1], touched[crossing]), (Point::new(110.0, 0.0), false));
    for (i, point) in polyline.points.iter().enumerate() {
        let fades = match point.x {
            x if x <= 100.0 => 3.0 * fade((100.0 - x) / 30.0),
            x if x <= 108.0 => 3.0 * fade((x - 100.0) / 8.0),
            x if x < 110.0 => f64::NAN,
            x if x <= 113.0 => fade((113.0 - x) / 3.0),
            x => fade((x - 113.0) / 30.0),
        };
        assert_near(point.y, fades, 1e-9);
        if point.x > 70.1 && point.x < 107.9 {
            assert!(touched[i]);
        }
    }
}

#[test]
fn along_an_open_road_nothing_is_near_over_its_ends() {
    let edge = line();
    let open = moved(&edge, &[], Vec::new()).unwrap();
    let ring = circle(50.0);
    let closed = moved(&ring, &[], Vec::new()).unwrap();
    let length = ring.length();
    assert_eq!((open.apart_m(190.0, 5.0), open.apart_m(5.0, 190.0)), (185.0, 185.0));
    assert_near(closed.apart_m(length - 3.0, 5.0), 8.0, 1e-9);
    assert_near(closed.apart_m(5.0, 25.0), 20.0, 1e-9);
    assert_eq!((open.piece_at(0.0), open.piece_at(15.0), open.piece_at(20.0), open.piece_at(200.0)), (0, 1, 2, 19));
}

#[test]
fn the_middle_of_three_joined_places_needs_no_room_to_fade_out() {
    let edge = line();
    let place = |number: usize, x: f64, y: f64, length_m: f64| one(number, [x, y], x, length_m);
    // The middle one is farther from the edge than its length, the others are not.
    assert!(
        moved(&edge, &[], vec![place(1, 50.0, 2.0, 30.0), place(2, 70.0, 6.0, 5.0), place(3, 90.0, 2.0, 30.0)]).is_ok()
    );
    // Of two the second one has no curve after it.
    let refused = steep(moved(&edge, &[], vec![place(1, 50.0, 2.0, 30.0), place(2, 70.0, 6.0, 5.0)]));
    assert_eq!(refused.number, 2);
}

#[test]
fn the_normal_of_an_edge_is_that_of_its_chord_over_a_width() {
    // A corner to the left at 100 m; 3 m before it the chord of 10 m ends 2 m behind the corner.
    let edge = Polyline::open([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0]].map(Point::from).to_vec());
    let found = moved(&edge, &[], Vec::new()).unwrap();
    let (at, normal) = found.read(97.0);
    assert_eq!(at, Point::new(97.0, 0.0));
    assert!((normal - Vector::new(-2.0, 8.0).normalize()).norm() < 1e-12, "{normal}");
    // A parabola's end over 2.5 and 5 m: 2 m before the corner they end half a metre and 3 m behind it.
    let wanted = Vector::new(2.0, 0.5) * 4.0 - Vector::new(2.0, 3.0);
    assert!((found.end_of_parabola(98.0, 1.0) - wanted).norm() < 1e-12);
    let behind = (Vector::new(-2.0, -0.5) * 4.0 - Vector::new(-2.0, -3.0)) * -1.0;
    let turned = Polyline::open([[100.0, 100.0], [100.0, 0.0], [0.0, 0.0]].map(Point::from).to_vec());
    let other = moved(&turned, &[], Vec::new()).unwrap().end_of_parabola(102.0, -1.0);
    assert!((other - Vector::new(-behind.x, -behind.y)).norm() < 1e-12, "{other}");
    // Where less than 5 m of edge are left, its own direction.
    assert_eq!(found.end_of_parabola(196.0, 1.0), Vector::new(0.0, 100.0));
    assert_eq!(found.end_of_parabola(4.0, -1.0), Vector::new(100.0, 0.0));
    assert_eq!(found.about(97.0), [None, None]);
}

#[test]
fn a_curve_ends_in_the_direction_of_the_edge_beyond_it() {
    // The edge turns at both places: before the first one it rises, behind the last one it falls.
    let edge = Polyline::open([[0.0, -50.0], [50.0, 0.0], [70.0, 0.0], [120.0, -50.0]].map(Point::from).to_vec());
    let lengths = edge.arc_lengths();
    let moves = vec![one(1, [50.0, 1.0], lengths[1], 30.0), one(2, [70.0, 1.0], lengths[2], 30.0)];
    let found = moved(&edge, &[], moves).unwrap();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!((found.tangent(0) - Vector::new(half, half)).norm() < 1e-9);
    assert!((found.tangent(1) - Vector::new(half, -half)).norm() < 1e-9);
    assert_eq!(found.about(0.0)[0], None);
    assert_eq!(found.about(lengths[2])[1], None);
}

#[test]
fn at_the_ends_of_a_crossing_a_closed_edge_has_no_room() {
    let ring = circle(50.0);
    let lengths = ring.arc_lengths();
    let closed = moved(&ring, &[[ring.points[90], ring.points[91]]], Vec::new()).unwrap();
    assert_eq!((closed.free_about(lengths[90])[1], closed.free_about(lengths[91])[0]), (0.0, 0.0));
}
