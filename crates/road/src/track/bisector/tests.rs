use super::{Contact, Disc, EdgePair, Idle, shortest_loop};
use crate::edges::Edges;
use crate::geometry::{Nearest, Point, Polyline, SegmentIndex, Vector};
use crate::track::TrackError;
use crate::track::test_roads::{assert_near, cracked_edges, ring_edges, stadium_edges, straight_edges};

fn pair(edges: &Edges) -> EdgePair {
    EdgePair::new(edges, edges.mean_width())
}

/// Centres and radii of the discs.
fn discs_of(pair: &EdgePair, step: f64) -> Vec<(Point, f64)> {
    let discs = pair.trace(step).unwrap();
    let ends = |disc: &Disc| (pair.left_index.point_at(disc.left_s), pair.right_index.point_at(disc.right_s));
    discs.iter().map(ends).map(|(left, right)| (nalgebra::center(&left, &right), 0.5 * (left - right).norm())).collect()
}

#[test]
fn a_straight_is_traced_in_steps_from_its_start_to_its_end() {
    let pair = pair(&straight_edges(200.0, 8.0));
    assert!(!pair.is_closed());
    for (step, count) in [(0.5, 401), (1.0, 201), (3.0, 201)] {
        // A step is at most a quarter of the radius.
        let discs = pair.trace(step).unwrap();
        assert!(discs.len().abs_diff(count) <= 1, "{step}: {}", discs.len());
        assert_eq!((discs[0].left_s, discs[0].right_s), (0.0, 0.0));
        let last = discs[discs.len() - 1];
        assert_eq!((last.left_s, last.right_s), (200.0, 200.0));
        for (i, disc) in discs[..discs.len() - 1].iter().enumerate() {
            assert_near(disc.left_s, step.min(1.0) * i as f64, 1e-6);
            assert_near(disc.right_s, step.min(1.0) * i as f64, 1e-6);
        }
    }
}

#[test]
fn between_two_edges_at_an_angle_the_touching_points_are_equally_far_from_the_apex() {
    // Both edges begin 50 m from the apex and end 250 m from it, with vertices in different places.
    let edge = |angle: f64, count: u32| {
        let at = |i: u32| 50.0 + 200.0 * f64::from(i) / f64::from(count);
        Polyline::open((0..=count).map(|i| Point::new(at(i) * angle.cos(), at(i) * angle.sin())).collect())
    };
    let pair = pair(&Edges::between(edge(0.3, 37), edge(0.1, 50)));
    let discs = pair.trace(2.0).unwrap();
    assert!(discs.len() > 90);
    for pair in discs.windows(2) {
        assert_near(pair[1].left_s, pair[1].right_s, 1e-4);
        // A quarter of the radius, up to 2 m, along the bisector.
        let radius = (50.0 + pair[0].left_s) * f64::tan(0.1);
        let step = 2.0_f64.min(0.25 * radius);
        if pair[1].left_s < 199.0 && pair[0].left_s > 3.0 {
            assert_near(pair[1].left_s - pair[0].left_s, step * f64::cos(0.1), 1e-3);
        }
    }
}

#[test]
fn a_ring_is_traced_once_about_from_its_begin() {
    let pair = pair(&ring_edges(40.0, 52.0));
    assert!(pair.is_closed());
    let (left, right) = (pair.left_index.length(), pair.right_index.length());
    let discs = pair.trace(0.75).unwrap();
    // The middle of the edges, of 46 m, is passed in steps of 0.75 m.
    assert!(discs.len().abs_diff((std::f64::consts::TAU * 46.0 / 0.75) as usize) <= 2, "{}", discs.len());
    assert!(discs[0].left_s < 0.5 && discs[0].right_s < 0.5);
    for pair in discs.windows(2) {
        assert_near((pair[1].left_s - pair[0].left_s) / left * std::f64::consts::TAU * 46.0, 0.75, 0.02);
        assert_near(pair[1].left_s / left, pair[1].right_s / right, 1e-3);
    }
    let last = discs[discs.len() - 1];
    assert!(last.left_s - discs[0].left_s <= left && last.left_s - discs[0].left_s > left - 1.5 * 0.75);
}

#[test]
fn the_discs_of_a_stadium_lie_on_its_middle() {
    let pair = pair(&stadium_edges(60.0, 20.0, 28.0));
    for (centre, radius) in discs_of(&pair, 0.8) {
        let beyond = (centre.x.abs() - 60.0).max(0.0);
        assert_near(beyond.hypot(centre.y), 24.0, 2e-3);
        assert_near(radius, 4.0, 2e-3);
    }
}

#[test]
fn edges_that_cross_or_touch_are_refused_at_the_place() {
    let line = |from: f64, to: f64| Polyline::open(vec![Point::new(0.0, from), Point::new(100.0, to)]);
    let crossed = Edges::between(line(5.0, -5.0), line(0.0, 0.0));
    match EdgePair::new(&crossed, 5.0).trace(1.0) {
        Err(TrackError::LostCentreLine { x_m, y_m }) => assert_eq!((x_m, y_m), (50.0, 0.0)),
        other => panic!("{:?}", other.map(|discs| discs.len())),
    }
    let touching = Edges::between(
        Polyline::open([[0.0, 5.0], [50.0, 1e-9], [100.0, 5.0]].map(Point::from).to_vec()),
        line(0.0, 0.0),
    );
    match EdgePair::new(&touching, 3.0).trace(1.0) {
        Err(TrackError::LostCentreLine { x_m, y_m }) => {
            assert!((x_m - 50.0).abs() < 1.0 && y_m.abs() < 3.1, "{x_m} {y_m}");
        }
        other => panic!("{:?}", other.map(|discs| discs.len())),
    }
}

#[test]
fn a_chord_is_clear_where_it_meets_no_wall() {
    let pair = pair(&straight_edges(200.0, 8.0));
    let clear = |a: [f64; 2], b: [f64; 2]| pair.is_clear(a.into(), b.into());
    assert!(clear([50.0, 0.1], [50.0, 7.9]) && clear([50.0, 9.0], [60.0, 20.0]));
    assert!(!clear([50.5, -0.1], [50.5, 7.9]) && !clear([50.5, 0.1], [50.5, 8.1]));
}

#[test]
fn the_area_of_the_edges_is_enlarged_by_a_width() {
    let pair = EdgePair::new(&straight_edges(200.0, 8.0), 8.0);
    for (x, y, wanted) in [
        (-7.9, 4.0, true),
        (-8.1, 4.0, false),
        (207.9, 4.0, true),
        (208.1, 4.0, false),
        (100.0, -7.9, true),
        (100.0, -8.1, false),
        (100.0, 15.9, true),
        (100.0, 16.1, false),
    ] {
        assert_eq!(pair.encloses(Point::new(x, y)), wanted, "({x}, {y})");
    }
}

fn near(point: [f64; 2], distance: f64) -> Nearest {
    Nearest { point: point.into(), distance, s: 0.0 }
}

#[test]
fn a_contact_travels_across_its_chord_with_the_left_edge_on_the_left() {
    let contact = Contact { centre: Point::origin(), left: near([0.0, 3.0], 3.5), right: near([0.0, -3.0], 3.0) };
    assert_eq!((contact.tangent(), contact.imbalance()), (Some(Vector::new(1.0, 0.0)), 0.5));
    let turned = Contact { centre: Point::origin(), left: near([-4.0, 0.0], 4.0), right: near([4.0, 0.0], 4.0) };
    assert_eq!(turned.tangent(), Some(Vector::new(0.0, 1.0)));
    let none = Contact { centre: Point::origin(), left: near([1.0, 1.0], 4.0), right: near([1.0, 1.0], 4.0) };
    assert_eq!(none.tangent(), None);
}

#[test]
fn a_disc_that_goes_nowhere_is_found_after_as_many_steps_as_two_corners_explain() {
    let contact = |radius: f64| Contact {
        centre: Point::origin(),
        left: near([0.0, 0.0], radius),
        right: near([0.0, 0.0], radius),
    };
    let at = |left_s: f64, right_s: f64| Disc { left_s, right_s };
    let mut idle = Idle::new(&contact(4.0), at(10.0, 20.0));
    // 16 (4 + 6) / 0.5 + 256 steps.
    let allowed = (16.0 * 10.0 / 0.5 + 256.0) as usize;
    for _ in 0..allowed {
        assert!(!idle.is_too_long(&contact(6.0), at(10.2, 20.2), 0.5));
    }
    assert!(idle.is_too_long(&contact(6.0), at(10.2, 20.2), 0.5));
    // A step of progress, of either edge or both together, begins anew.
    for progress in [at(10.5, 20.0), at(10.0, 20.5), at(10.3, 20.3)] {
        assert!(!idle.is_too_long(&contact(6.0), progress, 0.5));
        assert_eq!(
            (idle.steps, idle.radius, idle.since.left_s, idle.since.right_s),
            (1.0, 6.0, progress.left_s, progress.right_s)
        );
        idle = Idle { steps: 1e9, ..Idle::new(&contact(4.0), at(10.0, 20.0)) };
    }
}

#[test]
fn a_point_is_balanced_between_the_edges() {
    let pair = pair(&stadium_edges(60.0, 20.0, 28.0));
    for start in [[10.0, -21.0], [10.0, -27.9], [60.0 + 14.0, 15.0], [60.0 + 19.5, 19.0], [0.0, 25.0]] {
        let contact = pair.balance(start.into(), None).unwrap();
        assert_near(contact.left.distance, contact.right.distance, 1e-6);
        assert_near(contact.left.distance, 4.0, 2e-3);
    }
    // Newton's steps fail at a corner, and the bisection finds the disc.
    let corner = Polyline::open([[0.0, 10.0], [50.0, 10.0], [50.0, 60.0]].map(Point::from).to_vec());
    let outer = Polyline::open([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0]].map(Point::from).to_vec());
    let bend = super::tests::pair(&Edges::between(corner, outer));
    for start in [[50.2, 9.8], [59.9, 0.1], [58.0, 5.0], [52.0, 0.5]] {
        let contact = bend.balance(start.into(), None).unwrap();
        assert_near(contact.left.distance, contact.right.distance, 1e-5);
    }
}

/// A road that crosses itself once: it runs along the x axis, about (40, 40) to the left, and down the y axis.
fn loop_edges(width: f64) -> Edges {
    let (radius, lead, h) = (40.0, 100.0, 0.5 * width);
    let edge = |side: f64| {
        let mut points: Vec<Point> = [-lead, -h, h].map(|x| Point::new(x, side * h)).to_vec();
        points.extend((0..=270).map(|i| {
            let angle = (f64::from(i) - 90.0).to_radians();
            let r = radius - side * h;
            Point::new(radius + r * angle.cos(), radius + r * angle.sin())
        }));
        points.extend([h, -h, -lead].map(|y| Point::new(side * h, y)));
        Polyline::open(points)
    };
    let (left, right) = (edge(1.0), edge(-1.0));
    let n = left.points.len();
    let across = |line: &Polyline| [[line.points[1], line.points[2]], [line.points[n - 3], line.points[n - 2]]];
    let crossings = [across(&left), across(&right)].concat();
    Edges { directed: true, crossings, ..Edges::between(left, right) }
}

#[test]
fn a_road_that_crosses_itself_is_followed_on_its_own_leg() {
    let edges = loop_edges(8.0);
    let pair = EdgePair::new(&edges, 8.0);
    let discs = pair.trace(1.0).unwrap();
    let last = discs[discs.len() - 1];
    assert_eq!((last.left_s, last.right_s), (edges.left.length(), edges.right.length()));
    for disc in &discs {
        let (left, right) = (pair.left_index.point_at(disc.left_s), pair.right_index.point_at(disc.right_s));
        assert_near((left - right).norm(), 8.0, 0.05);
    }
}

#[test]
fn a_mirrored_road_that_crosses_itself_is_followed_from_the_same_place() {
    let crossings = vec![[Point::new(40.0, 0.5), Point::new(47.0, -1.0)]];
    let edges = Edges { crossings, ..ring_edges(40.0, 48.0) };
    let mirror = |p: &Point| Point::new(p.x, -p.y);
    let mirrored = |edge: &Polyline| Polyline::closed(edge.points.iter().map(mirror).collect());
    let crossings = edges.crossings.iter().map(|ends| [mirror(&ends[0]), mirror(&ends[1])]).collect();
    let other =
        Edges { crossings, left: mirrored(&edges.right), right: mirrored(&edges.left), ..ring_edges(40.0, 48.0) };
    let [(seed, is_left), (in_mirror, is_left_there)] =
        [&edges, &other].map(|edges| EdgePair::new(edges, 8.0).seed.unwrap());
    assert_eq!((mirror(&seed), is_left), (in_mirror, !is_left_there));
}

#[test]
fn the_shortest_loop_begins_and_ends_where_an_edge_crosses_itself() {
    // An open line that crosses itself at (10, 0), where its pieces across are left out.
    let points =
        [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [20.0, 20.0], [10.0, 20.0], [10.0, 0.0], [10.0, -30.0], [10.0, -60.0]];
    let open = Polyline::open(points.map(Point::from).to_vec());
    let without = |line: &Polyline, across: &[[Point; 2]]| SegmentIndex::without(line, 2.0, across);
    let across = [[open.points[1], open.points[2]], [open.points[5], open.points[6]]];
    assert_eq!(shortest_loop(&open, &without(&open, &across)), 60.0);
    assert_eq!(shortest_loop(&open, &without(&open, &[])), f64::INFINITY);
    // Of a closed line the shorter part counts.
    let mut closed = Polyline::closed(open.points.clone());
    let total = closed.length();
    let across = [[closed.points[1], closed.points[2]], [closed.points[5], closed.points[6]]];
    assert_eq!(shortest_loop(&closed, &without(&closed, &across)), 60.0_f64.min(total - 60.0));
    // The piece across may be the first one of the line.
    let mut first = closed.clone();
    first.points.rotate_left(1);
    assert_near(shortest_loop(&first, &without(&first, &across)), 60.0_f64.min(total - 60.0), 1e-9);
    // The places where a piece across ends count as those where one begins.
    let points =
        [[0.0, 0.0], [10.0, 0.0], [12.0, 0.0], [20.0, 0.0], [20.0, 20.0], [12.0, 10.0], [12.0, 0.0], [12.0, -30.0]];
    let ends = Polyline::open(points.map(Point::from).to_vec());
    let pieces = [[ends.points[1], ends.points[2]], [ends.points[5], ends.points[6]]];
    let lengths = ends.arc_lengths();
    assert_near(shortest_loop(&ends, &without(&ends, &pieces)), lengths[6] - lengths[2], 1e-9);
    closed.points.rotate_left(3);
    assert_near(shortest_loop(&closed, &without(&closed, &across)), 60.0_f64.min(total - 60.0), 1e-9);
}

#[test]
fn a_point_beside_the_road_is_balanced_between_its_feet() {
    // Both edges lie in one direction from it, so that Newton's method has no gradient.
    let straight = pair(&straight_edges(200.0, 8.0));
    for y in [12.0, -3.0] {
        let contact = straight.balance(Point::new(50.5, y), None).unwrap();
        assert!((contact.centre - Point::new(50.5, 4.0)).norm() < 1e-5);
    }
}

#[test]
fn a_lap_that_begins_on_a_straight_does_not_end_on_the_other_one() {
    // After half of the lap the road lies ahead of the start, but far beside it.
    let mut edges = stadium_edges(60.0, 20.0, 28.0);
    edges.left.points.rotate_right(1);
    edges.right.points.rotate_right(1);
    let pair = pair(&edges);
    let discs = pair.trace(1.0).unwrap();
    let last = discs[discs.len() - 1];
    assert!(last.left_s > pair.left_index.length() - 2.0 && last.left_s <= pair.left_index.length() + 0.1);
    assert!(discs.len() > (pair.left_index.length() - 2.0) as usize);
}

#[test]
fn an_open_road_ends_where_its_edges_do() {
    let line =
        |length: f64, y: f64| Polyline::open((0..=20).map(|i| Point::new(length * f64::from(i) / 20.0, y)).collect());
    for (left, right) in [(200.0, 190.0), (190.0, 200.0)] {
        let pair = EdgePair::new(&Edges::between(line(left, 8.0), line(right, 0.0)), 8.0);
        let discs = pair.trace(1.0).unwrap();
        let last = discs[discs.len() - 1];
        assert_eq!((last.left_s, last.right_s), (left, right));
        assert!(discs[discs.len() - 2].left_s > 185.0);
    }
    // A hairpin whose first leg begins behind the line of its end.
    let hairpin = |side: f64| {
        let (half, radius) = (4.0 * side, 20.0 - 4.0 * side);
        let mut points = vec![Point::new(-50.0, half), Point::new(100.0, half)];
        points.extend((1..180).map(|i| {
            let angle = (f64::from(i) - 90.0).to_radians();
            Point::new(100.0 + radius * angle.cos(), 20.0 + radius * angle.sin())
        }));
        points.extend([Point::new(100.0, 40.0 - half), Point::new(0.0, 40.0 - half)]);
        Polyline::open(points)
    };
    let edges = Edges::between(hairpin(1.0), hairpin(-1.0));
    let discs = EdgePair::new(&edges, 8.0).trace(1.0).unwrap();
    assert!(discs.len() > 290 && discs.windows(2).all(|pair| pair[1].left_s - pair[0].left_s < 3.0));
}

#[test]
fn cracks_of_an_edge_are_passed_by_shorter_steps() {
    let edges = cracked_edges(30.0, 42.0, 9);
    let pair = pair(&edges);
    let discs = pair.trace(1.5).unwrap();
    for disc in &discs {
        let (left, right) = (pair.left_index.point_at(disc.left_s), pair.right_index.point_at(disc.right_s));
        let inset = (right - left) * 1e-4;
        assert!(pair.is_clear(left + inset, right - inset));
    }
    let left = pair.left_index.length();
    assert!(discs[discs.len() - 1].left_s > 0.98 * left);
}
