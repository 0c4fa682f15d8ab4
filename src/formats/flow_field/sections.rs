//! The road's cross-sections along the line, close together.

use crate::RacingLine;
use crate::formats::lap_points::{closed_points, steps};
use crate::formats::road_across::road_across;
use crate::geometry::wrap_angle;
use raceline_numerics::math;

/// Towards the inside of a bend a section ends at this fraction of the radius, before it meets the
/// next one.
const INSIDE: f64 = 0.9;

/// A cross-section of the road, perpendicular to the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// The line's point, m, heading, curvature and speed.
    pub position_m: [f64; 2],
    pub heading_rad: f64,
    pub curvature_radpm: f64,
    pub speed_mps: f64,
    /// Width of the road to both sides, m.
    pub left_m: f64,
    pub right_m: f64,
    /// Distance to the next section, m.
    pub spacing_m: f64,
}

impl Section {
    /// The coordinates of a place along the line and to its left, m.
    pub(super) fn coordinates(&self, [x, y]: [f64; 2]) -> (f64, f64) {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        let (x, y) = (x - self.position_m[0], y - self.position_m[1]);
        (x * cos + y * sin, y * cos - x * sin)
    }

    /// The place at an offset to the left, m.
    pub(super) fn place(&self, offset: f64) -> [f64; 2] {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        [self.position_m[0] - offset * sin, self.position_m[1] + offset * cos]
    }
}

/// Sections at most `spacing` metres apart along the line. Between two points of the line they lie on
/// the cubic with the points' headings.
pub(super) fn sections(line: &RacingLine, spacing: f64) -> Vec<Section> {
    let across = road_across(line);
    let points = closed_points(line);
    let mut sections = Vec::new();
    for (i, pair) in points.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        let length = steps(line, i)[1].max(1e-6);
        let (from, to) = (across[i], across[(i + 1) % across.len()]);
        let parts = (length / spacing).ceil().max(1.0) as usize;
        let turn = wrap_angle(b.heading_rad - a.heading_rad);
        for part in 0..parts {
            let t = part as f64 / parts as f64;
            let mix = |a: f64, b: f64| a + (b - a) * t;
            sections.push(Section {
                position_m: [
                    hermite([a.x_m, b.x_m], [math::cos(a.heading_rad) * length, math::cos(b.heading_rad) * length], t),
                    hermite([a.y_m, b.y_m], [math::sin(a.heading_rad) * length, math::sin(b.heading_rad) * length], t),
                ],
                heading_rad: wrap_angle(a.heading_rad + t * turn),
                curvature_radpm: mix(a.curvature_radpm, b.curvature_radpm),
                speed_mps: mix(a.speed_mps, b.speed_mps),
                left_m: mix(from.left_m, to.left_m),
                right_m: mix(from.right_m, to.right_m),
                spacing_m: length / parts as f64,
            });
        }
    }
    if let (false, Some(last), Some(across)) = (line.closed, points.last(), across.last()) {
        sections.push(Section {
            position_m: [last.x_m, last.y_m],
            heading_rad: last.heading_rad,
            curvature_radpm: last.curvature_radpm,
            speed_mps: last.speed_mps,
            left_m: across.left_m,
            right_m: across.right_m,
            spacing_m: spacing,
        });
    }
    for section in &mut sections {
        let radius = INSIDE / section.curvature_radpm.abs().max(1e-9);
        let inside = if section.curvature_radpm > 0.0 { &mut section.left_m } else { &mut section.right_m };
        *inside = inside.min(radius);
    }
    sections
}

/// The cubic with values and derivatives at 0 and 1.
fn hermite([a, b]: [f64; 2], [slope_a, slope_b]: [f64; 2], t: f64) -> f64 {
    let u = 1.0 - t;
    u * u * (1.0 + 2.0 * t) * a + t * t * (1.0 + 2.0 * u) * b + t * u * (u * slope_a - t * slope_b)
}
