//! A finished line as functions of the distance from its start line.

use crate::file::{LinePoint, RacingLine};

/// The points of a line, interpolated at any distance; a closed line is periodic in its length.
#[derive(Clone, Copy, Debug)]
pub struct Lap<'a> {
    pub(super) line: &'a RacingLine,
}

/// The values of a line at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Here {
    /// Distance from the start line, m.
    pub s_m: f64,
    /// Position, m.
    pub position_m: [f64; 2],
    /// Speed, m/s.
    pub speed_mps: f64,
    /// Time since the start line, s.
    pub time_s: f64,
    /// Signed curvature, 1/m.
    pub curvature_radpm: f64,
    /// Distance to the left edge, m.
    pub left_m: f64,
    /// Distance to the right edge, m.
    pub right_m: f64,
}

impl<'a> Lap<'a> {
    /// The line's lap.
    #[must_use]
    pub fn new(line: &'a RacingLine) -> Self {
        Self { line }
    }

    /// Points.
    #[must_use]
    pub fn points(self) -> &'a [LinePoint] {
        &self.line.points
    }

    /// Number of steps from point to point, including the one that closes the lap.
    #[must_use]
    pub fn steps(self) -> usize {
        if self.line.closed { self.points().len() } else { self.points().len().saturating_sub(1) }
    }

    /// `s_m` reduced to a lap: from 0 to the length.
    #[must_use]
    pub fn within(self, s_m: f64) -> f64 {
        if self.line.closed { s_m.rem_euclid(self.line.length_m) } else { s_m.clamp(0.0, self.line.length_m) }
    }

    /// Distance from `from_m` to `to_m` in the direction of travel, m.
    #[must_use]
    pub fn ahead(self, from_m: f64, to_m: f64) -> f64 {
        if self.line.closed { (to_m - from_m).rem_euclid(self.line.length_m) } else { to_m - from_m }
    }

    /// Distance of point `i`; the length for the index after the last.
    #[must_use]
    pub fn distance(self, i: usize) -> f64 {
        self.points().get(i).map_or(self.line.length_m, |point| point.s_m)
    }

    /// The line at a distance. Between points the square of the speed is linear in distance, as
    /// under constant acceleration.
    #[must_use]
    pub fn at(self, s_m: f64) -> Here {
        let s = self.within(s_m);
        let points = self.points();
        let i = points.partition_point(|point| point.s_m <= s).saturating_sub(1).min(self.steps().saturating_sub(1));
        let (a, b) = (&points[i], &points[(i + 1) % points.len()]);
        let step = self.distance(i + 1) - a.s_m;
        let fraction = if step > 0.0 { ((s - a.s_m) / step).clamp(0.0, 1.0) } else { 0.0 };
        let mix = |a: f64, b: f64| a + fraction * (b - a);
        let speed = mix(a.speed_mps * a.speed_mps, b.speed_mps * b.speed_mps).max(0.0).sqrt();
        let end_time = if i + 1 < points.len() { b.time_s } else { self.line.lap_time_s };
        // Time is 2 Δs / (v₀ + v), scaled so that it agrees with the file's at the next point.
        let to_here = fraction * (a.speed_mps + b.speed_mps) / (a.speed_mps + speed).max(f64::MIN_POSITIVE);
        Here {
            s_m: s,
            position_m: [mix(a.x_m, b.x_m), mix(a.y_m, b.y_m)],
            speed_mps: speed,
            time_s: a.time_s + (end_time - a.time_s) * to_here.clamp(0.0, 1.0),
            curvature_radpm: mix(a.curvature_radpm, b.curvature_radpm),
            left_m: mix(a.left_m, b.left_m),
            right_m: mix(a.right_m, b.right_m),
        }
    }

    /// Seconds from one distance to another, in the direction of travel.
    #[must_use]
    pub fn seconds(self, from_m: f64, to_m: f64) -> f64 {
        let seconds = self.at(to_m).time_s - self.at(from_m).time_s;
        let wraps = self.line.closed && self.within(to_m) < self.within(from_m);
        if wraps { seconds + self.line.lap_time_s } else { seconds }
    }
}
