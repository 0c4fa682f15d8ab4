//! How much of a pixel a shape covers.

use super::centre_line::Point;

/// Signed distance from a point to a shape's edge, positive inside, and the unit vector in which it
/// grows.
pub type Depth = (f64, Point);

/// Cells along a pixel's side. Within a cell the edge counts as straight and is integrated exactly,
/// so cells only serve where it bends or has a corner: four leave less than a grey level.
const CELLS: usize = 4;

/// The fraction, 0 to 1, of the square of side `side` about `centre` whose depth is at least
/// `threshold`.
pub fn covered(centre: Point, side: f64, threshold: f64, depth: &impl Fn(Point) -> Depth) -> f64 {
    let (at_centre, _) = depth(centre);
    // Depth changes by at most the distance moved, and no point of the square is farther than its
    // half diagonal.
    if (at_centre - threshold).abs() > side * std::f64::consts::FRAC_1_SQRT_2 {
        return if at_centre > threshold { 1.0 } else { 0.0 };
    }
    let cell = side / CELLS as f64;
    let mut sum = 0.0;
    for row in 0..CELLS {
        for column in 0..CELLS {
            let place = |index: usize| (index as f64 + 0.5) * cell - side / 2.0;
            let (at_cell, direction) = depth([centre[0] + place(column), centre[1] + place(row)]);
            sum += half_plane_fraction(at_cell - threshold, direction, cell);
        }
    }
    sum / (CELLS * CELLS) as f64
}

/// The fraction of a square of side `side` that lies in a half-plane: `depth` is the signed
/// distance of its centre from the boundary, positive inside, and `normal` the boundary's unit
/// normal. Exact: the projection of a square on a direction is the convolution of two boxes, whose
/// integral is a parabola, a line and a parabola.
fn half_plane_fraction(depth: f64, normal: Point, side: f64) -> f64 {
    let (a, b) = (normal[0].abs() * side, normal[1].abs() * side);
    let (wide, narrow) = (a.max(b), a.min(b));
    let (reach, flat) = ((wide + narrow) / 2.0, (wide - narrow) / 2.0);
    if depth <= -reach {
        0.0
    } else if depth < -flat {
        (depth + reach).powi(2) / (2.0 * wide * narrow)
    } else if depth <= flat {
        0.5 + depth / wide
    } else if depth < reach {
        1.0 - (reach - depth).powi(2) / (2.0 * wide * narrow)
    } else {
        1.0
    }
}
