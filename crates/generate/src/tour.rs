//! Circuits and kart tracks: a short tour through random points.
//!
//! A tour that no exchange of two sides shortens (Croes 1958, 2-opt) does not cross itself. For roads
//! with crossings, one stretch of it is reversed.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::corners::{Corners, without_sharp_corners};
use super::size::{Size, log_uniform};
use raceline_road::geometry::Point;

/// Places that are tried for each point; the one farthest from the points so far is kept (Mitchell
/// 1991).
const CANDIDATES: usize = 6;
/// Length of the default circuit in widths, for which the numbers of corners are chosen.
const USUAL_CIRCUIT_WIDTHS: f64 = 333.0;
const USUAL_KART_WIDTHS: f64 = 137.0;

/// The corners of a circuit.
pub(super) fn circuit(random: &mut ChaCha8Rng, size: Size, crossings: bool) -> Option<Corners> {
    let more = (size.widths() / USUAL_CIRCUIT_WIDTHS).sqrt().clamp(0.5, 4.0);
    let count = size.count(random, (8.0 * more, 18.0 * more), 4);
    let widest_m = (0.05 * size.length_m).max(2.0 * size.width_m);
    corners(random, count, (1.5 * size.width_m, widest_m), crossings)
}

/// The corners of a kart track.
pub(super) fn kart(random: &mut ChaCha8Rng, size: Size, crossings: bool) -> Option<Corners> {
    let more = (size.widths() / USUAL_KART_WIDTHS).sqrt().clamp(0.5, 6.0);
    let count = size.count(random, (11.0 * more, 19.0 * more), 4);
    corners(random, count, (0.8 * size.width_m, 3.0 * size.width_m), crossings)
}

fn corners(
    random: &mut ChaCha8Rng,
    count: usize,
    (tightest_m, widest_m): (f64, f64),
    crossings: bool,
) -> Option<Corners> {
    let aspect = 0.5 + 0.5 * random.random::<f64>();
    let mut points: Vec<Point> = Vec::with_capacity(count);
    for _ in 0..count {
        let candidates = (0..CANDIDATES).map(|_| Point::new(random.random(), aspect * random.random::<f64>()));
        let apart = |p: &Point| points.iter().map(|q| (p - q).norm_squared()).fold(f64::INFINITY, f64::min);
        let farthest = candidates.max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
        points.push(farthest);
    }
    shorten(&mut points);
    if crossings {
        // Without its first and last point a stretch of two thirds at most; its two new sides cross.
        let from = random.random_range(0..count);
        points.rotate_left(from);
        let reversed = random.random_range(2..=(2 * count / 3).max(2));
        points[..reversed].reverse();
    }
    let points = without_sharp_corners(&points, 0.15 + 0.2 * random.random::<f64>());
    let radii_m = points.iter().map(|_| log_uniform(random, tightest_m, widest_m)).collect();
    Some(Corners { closed: true, points, radii_m }.with_wide_bends().turned_at_random(random))
}

/// Exchanges sides until no exchange shortens the tour.
fn shorten(tour: &mut [Point]) {
    let n = tour.len();
    let mut is_shorter = true;
    while is_shorter {
        is_shorter = false;
        for i in 0..n.saturating_sub(2) {
            for j in i + 2..n {
                let (a, b, c, d) = (tour[i], tour[i + 1], tour[j], tour[(j + 1) % n]);
                if (c - a).norm() + (d - b).norm() < (b - a).norm() + (d - c).norm() - 1e-9 {
                    tour[i + 1..=j].reverse();
                    is_shorter = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_through_a_square_is_its_outline() {
        let mut tour = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y));
        shorten(&mut tour);
        let length: f64 = (0..4).map(|i| (tour[(i + 1) % 4] - tour[i]).norm()).sum();
        assert!((length - 4.0).abs() < 1e-12, "{length}");
    }
}
