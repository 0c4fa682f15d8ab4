//! Where a line of points crosses itself.

use std::ops::ControlFlow;

use crate::geometry::{Ends, Point, Polyline, Segment, for_each_near_pair};

/// Boxes that are compared per piece, at limit. A line whose pieces lie close to more others crosses
/// itself everywhere.
const MAX_STEPS_PER_PIECE: usize = 1000;

/// The crossings of a line with itself, at limit `limit` of them. Each is a pair of places: number of
/// the piece and fraction of its length, added. The time is about linear in the number of pieces,
/// and limited on a line that crosses itself everywhere.
pub fn self_crossings(points: &[Point], closed: bool, limit: usize) -> Vec<[f64; 2]> {
    let line = Polyline { points: points.to_vec(), closed };
    let mut found: Vec<[f64; 2]> = Vec::new();
    // Where the comparison ends early, the crossings so far are many.
    let _ = for_each_near_pair(&[&line], MAX_STEPS_PER_PIECE * points.len(), |first, second| {
        let [one, other] = [first, second].map(|number| Segment::from(line.piece(number)));
        if let Some(at) = one.intersection(other, Ends::Starts) {
            found.push([first as f64 + at.fraction, second as f64 + at.other_fraction]);
        }
        if found.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.sort_by(|a, b| a[1].total_cmp(&b[1]));
    found
}

#[cfg(test)]
mod tests {
    use super::self_crossings;
    use crate::geometry::Point;

    #[test]
    fn the_places_of_a_crossing_are_on_both_pieces() {
        let eight = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)].map(|(x, y)| Point::new(x, y));
        assert_eq!(self_crossings(&eight, false, 10), vec![[0.5, 2.5]]);
        assert_eq!(self_crossings(&eight[..3], true, 10), Vec::<[f64; 2]>::new());
    }

    #[test]
    fn the_search_ends_at_the_limit() {
        let zigzag: Vec<Point> =
            (0..400).map(|i| Point::new(f64::from(i * 73 % 101), f64::from(i * 37 % 103))).collect();
        assert_eq!(self_crossings(&zigzag, true, 33).len(), 33);
    }
}
