//! Roads that cross themselves, with their lengths in closed form: circles in a row, joined by the
//! tangents that cross half way between them.

use std::f64::consts::{PI, TAU};

/// Two circles, or three, about the middle of a square picture; lengths in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Eight {
    pub size: u32,
    pub radius: f64,
    /// Distance of a circle's middle from the nearest crossing.
    pub half_apart: f64,
    /// Whether there is a third circle, and so a second crossing.
    pub has_two_crossings: bool,
    /// Whether the leg that leads over the other at the first crossing leads under it at the second.
    pub alternates: bool,
}

impl Eight {
    /// A figure-eight whose legs cross at `degrees`.
    pub fn crossing_at(degrees: f64, size: u32, half_apart: f64) -> Self {
        let radius = half_apart * (degrees.to_radians() / 2.0).sin();
        Self { size, radius, half_apart, has_two_crossings: false, alternates: false }
    }

    /// Angle between the line through the middles and the radius to where a tangent touches.
    fn angle(&self) -> f64 {
        f64::acos(self.radius / self.half_apart)
    }

    fn half_straight(&self) -> f64 {
        (self.half_apart * self.half_apart - self.radius * self.radius).sqrt()
    }

    /// Length of the centre line.
    pub fn length(&self) -> f64 {
        let lobes = 2.0 * self.radius * (TAU - 2.0 * self.angle());
        let arcs = 2.0 * self.radius * (PI - 2.0 * self.angle());
        let straights = 4.0 * self.half_straight();
        if self.has_two_crossings { lobes + arcs + 2.0 * straights } else { lobes + straights }
    }

    /// Places of the crossings.
    pub fn crossings(&self) -> Vec<(f64, f64)> {
        let middle = f64::from(self.size) / 2.0;
        let at = |x: f64| (middle + x, middle);
        if self.has_two_crossings { vec![at(-self.half_apart), at(self.half_apart)] } else { vec![at(0.0)] }
    }

    /// Distances of a point from the centre line, of the upper legs of the crossings and of all
    /// else.
    fn distances(&self, x: f64, y: f64) -> [f64; 2] {
        let middle = f64::from(self.size) / 2.0;
        let (x, y) = (x - middle, y - middle);
        // About the crossing of its half.
        let (x, side) = if self.has_two_crossings { (x.abs() - self.half_apart, x.signum()) } else { (x, 1.0) };
        let side = if self.alternates { side } else { 1.0 };
        let touch =
            (self.half_straight().powi(2) / self.half_apart, self.half_straight() * self.radius / self.half_apart);
        let straight = |slope: f64| super::to_piece((x, y), (-touch.0, -slope * touch.1), (touch.0, slope * touch.1));
        let (ahead, aside) = (x.abs() - self.half_apart, y.abs());
        let on_arc = aside.atan2(ahead).abs() <= PI - self.angle();
        let arc = if on_arc { (ahead.hypot(aside) - self.radius).abs() } else { f64::INFINITY };
        [straight(side), straight(-side).min(arc)]
    }

    /// Whether a stroke of this width along the centre line covers the point.
    pub fn stroke(&self, width: f64, x: f64, y: f64) -> bool {
        let [upper, lower] = self.distances(x, y);
        upper.min(lower) <= width / 2.0
    }

    /// The stroke with the lower legs interrupted for `gap` pixels on both sides of the upper ones.
    pub fn bridged_stroke(&self, width: f64, gap: f64, x: f64, y: f64) -> bool {
        let [upper, lower] = self.distances(x, y);
        // The sine of the angle at which the legs cross.
        let sine = (2.0 * (self.radius / self.half_apart).asin()).sin();
        let is_gap = upper <= width / 2.0 + gap && self.is_near_crossing(1.2 * (width + gap) / sine, x, y);
        upper <= width / 2.0 || (lower <= width / 2.0 && !is_gap)
    }

    fn is_near_crossing(&self, reach: f64, x: f64, y: f64) -> bool {
        self.crossings().iter().any(|at| (x - at.0).hypot(y - at.1) <= reach)
    }

    /// Whether two lines of this thickness along the edges of a road of this width cover the point;
    /// the lower legs end at the lines of the upper ones, or go through them.
    pub fn outline(&self, width: f64, thickness: f64, is_through: bool, x: f64, y: f64) -> bool {
        let [upper, lower] = self.distances(x, y);
        let is_line = |distance: f64| (distance - width / 2.0).abs() <= thickness / 2.0;
        let corner = (width / 2.0 + thickness) / (self.radius / self.half_apart);
        if !self.is_near_crossing(1.1 * corner, x, y) {
            return is_line(upper.min(lower));
        }
        is_line(upper) || (is_line(lower) && (is_through || upper > width / 2.0))
    }
}
