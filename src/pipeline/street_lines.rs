//! The streets about a route, for the map of a page.

use crate::file::Streets;
use crate::geometry::{Point, Polyline};
use crate::network::Network;
use raceline_file::round_to;

/// Points of all streets, so that a page of a town stays small: about 60 kB.
const MAX_STREET_POINTS: usize = 5000;
/// Points of the streets on which the ends of a route are chosen: about 0.5 MB, once.
const MAX_POINTS_TO_CHOOSE: usize = 40_000;
/// A street's bends are kept to this fraction of half its width: it is drawn as a thin line.
const STREET_ACCURACY: f64 = 0.1;
/// Digits of a coordinate, millimetres.
const DECIMALS: i32 = 3;

/// The streets of `network`; of a large one those nearest to `route`, and the number of the others.
pub(super) fn streets_about(network: &Network, route: &[Point]) -> Streets {
    streets_within(network, route, MAX_STREET_POINTS)
}

/// The streets of `network`, on which the ends of a route are chosen; of a large one those nearest to the middle.
pub(super) fn all_streets(network: &Network) -> Streets {
    let sum = network.nodes.iter().fold([0.0, 0.0], |[x, y], node| [x + node.x, y + node.y]);
    let count = network.nodes.len().max(1) as f64;
    streets_within(network, &[Point::new(sum[0] / count, sum[1] / count)], MAX_POINTS_TO_CHOOSE)
}

fn streets_within(network: &Network, route: &[Point], max_points: usize) -> Streets {
    let mut lines: Vec<(Point, Vec<Point>)> = Vec::with_capacity(network.pieces.len());
    for piece in &network.pieces {
        let line = Polyline::open(piece.line.clone()).simplified(STREET_ACCURACY * piece.half_width_m);
        lines.push((piece.middle(), line.points));
    }
    let count = lines.len();
    if lines.iter().map(|(_, line)| line.len()).sum::<usize>() > max_points {
        let distance = |place: Point| route.iter().map(|&point| (point - place).norm()).fold(f64::INFINITY, f64::min);
        let mut by_distance: Vec<(f64, Vec<Point>)> =
            lines.into_iter().map(|(middle, line)| (distance(middle), line)).collect();
        by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut points = 0;
        let fits = |line: &Vec<Point>| {
            points += line.len();
            points <= max_points
        };
        let near = by_distance.into_iter().map(|(_, line)| line).take_while(fits);
        lines = near.map(|line| (Point::origin(), line)).collect();
    }
    let place = |point: &Point| [round_to(point.x, DECIMALS), round_to(point.y, DECIMALS)];
    let lines: Vec<Vec<[f64; 2]>> = lines.iter().map(|(_, line)| line.iter().map(place).collect()).collect();
    Streets { left_out: count - lines.len(), lines }
}

#[cfg(test)]
mod tests {
    use super::streets_within;
    use crate::geometry::Point;
    use crate::network::{Directions, Network, Street};

    #[test]
    fn of_many_streets_those_nearest_to_the_route_are_kept() {
        let street = |x: f64| Street {
            // The points between lie so near to the chord that they are left out.
            line: [[x, 0.0], [x + 0.1, 20.0], [x - 0.1, 30.0], [x, 50.0]].map(Point::from).to_vec(),
            half_width_m: 3.0,
            directions: Directions::Both,
        };
        let streets: Vec<Street> = (0..10).map(|k| street(20.0 * f64::from(k))).collect();
        let network = Network::new(&streets, false).unwrap();
        let route = [Point::new(100.0, 10.0), Point::new(100.0, 40.0)];
        let all = streets_within(&network, &route, 20);
        assert_eq!((all.lines.len(), all.left_out), (10, 0));
        assert_eq!(all.lines[3], [[60.0, 0.0], [60.0, 50.0]]);
        let near = streets_within(&network, &route, 7);
        assert_eq!((near.lines.len(), near.left_out), (3, 7));
        assert!(near.lines.iter().all(|line| (80.0..=120.0).contains(&line[0][0])), "{near:?}");
    }
}
