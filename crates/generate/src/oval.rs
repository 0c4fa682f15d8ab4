//! Ovals: a rectangle or trapezium with wide bends, sometimes with a bent front straight.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::corners::Corners;
use super::size::Size;
use raceline_road::geometry::Point;

/// The corners of an oval.
#[expect(clippy::unnecessary_wraps, reason = "the other styles can fail")]
pub(super) fn oval(random: &mut ChaCha8Rng, size: Size) -> Option<Corners> {
    let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    let (length, height) = (between(1.2, 3.5), 1.0);
    // The back straight's length as a fraction of the front straight's, and how far it is shifted.
    let back = length * between(0.65, 1.0);
    let shift = between(0.0, length - back);
    let bend = between(-0.6, 0.35).max(0.0);
    let mut points = vec![Point::new(0.0, 0.0)];
    if bend > 0.0 {
        points.push(Point::new(length * between(0.35, 0.65), -bend));
    }
    points.extend([(length, 0.0), (shift + back, height), (shift, height)].map(|(x, y)| Point::new(x, y)));
    // Radii that do not fit are lowered: many ends are half circles.
    let radii_m = points.iter().map(|_| size.length_m * between(0.07, 0.16)).collect();
    Some(Corners { closed: true, points, radii_m }.turned_at_random(random))
}
