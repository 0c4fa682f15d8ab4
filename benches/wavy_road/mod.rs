//! The road of the benches: it waves round a circle, and a longer one is more of the same.

use std::f64::consts::TAU;

use raceline::edges::Edges;
use raceline::geometry::{Point, Polyline, Vector, left_of};

/// Waves round the road, of which each is 250 m long: 2 km, a short circuit; 6 km, a long one; 19
/// km, the Nordschleife.
pub const WAVES: [usize; 3] = [8, 24, 72];
/// Half the width of the road, metres.
pub const HALF_WIDTH_M: f64 = 6.0;
/// Length of a wave, metres.
const WAVE_LENGTH_M: f64 = 250.0;
/// How far the centre line swings to either side, metres; its bends have radii of about 60 m.
const SWING_M: f64 = 25.0;
/// Distance between the vertices of an edge, metres: what tracing a picture at 0.5 m a pixel
/// leaves.
const VERTEX_SPACING_M: f64 = 2.0;

/// A closed line that keeps the distance `offset_m` from the centre line, the curve
/// `r = r₀ + swing · cos(waves · θ)`.
pub fn line(waves: usize, offset_m: f64) -> Polyline {
    let radius = waves as f64 * WAVE_LENGTH_M / TAU;
    let vertices = (TAU * radius / VERTEX_SPACING_M) as usize;
    let vertex = |i: usize| {
        let angle = TAU * i as f64 / vertices as f64;
        let (sin, cos) = angle.sin_cos();
        let (wave_sin, wave_cos) = (waves as f64 * angle).sin_cos();
        let (r, slope) = (radius + SWING_M * wave_cos, -SWING_M * waves as f64 * wave_sin);
        let tangent = Vector::new(slope * cos - r * sin, slope * sin + r * cos);
        Point::new(r * cos, r * sin) - left_of(tangent.normalize()) * offset_m
    };
    Polyline::closed((0..vertices).map(vertex).collect())
}

/// The road's edges.
pub fn edges(waves: usize) -> Edges {
    Edges::ring(line(waves, HALF_WIDTH_M), line(waves, -HALF_WIDTH_M))
}
