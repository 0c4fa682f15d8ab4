//! Position of a vehicle along a path, computed independently of the follower.

use raceline_follower::Path;

/// Range of the search behind and ahead of the last position, metres of arc length.
const WINDOW_M: [f64; 2] = [6.0, 8.0];
/// Distance of a vehicle from its position above which it may have cut a corner and the search
/// extends further ahead, metres.
const ASTRAY_M: f64 = 6.0;
/// Range of the extended search ahead, metres.
const CUT_M: f64 = 80.0;

/// A vehicle's position on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadPosition {
    /// Arc length in the plane from the path's start, metres.
    pub s_m: f64,
    /// Distance from the path in the plane, metres, positive on its left.
    pub offset_m: f64,
    /// Whether it is in the corridor.
    pub inside: bool,
}

/// Follows a vehicle along one path.
#[derive(Clone, Debug)]
pub struct Tracker {
    points: Vec<[f64; 2]>,
    widths_m: Vec<[f64; 2]>,
    s_m: Vec<f64>,
    at_s_m: f64,
    skipped_m: f64,
}

impl Tracker {
    /// Starts at the path's start.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        let points: Vec<[f64; 2]> = path.waypoints().iter().map(|w| [w.position_m[0], w.position_m[1]]).collect();
        let widths_m = path.waypoints().iter().map(|w| [w.left_m, w.right_m]).collect();
        let mut s_m = vec![0.0];
        let mut total = 0.0;
        for pair in points.windows(2) {
            total += (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            s_m.push(total);
        }
        Self { points, widths_m, s_m, at_s_m: 0.0, skipped_m: 0.0 }
    }

    /// Length of the path in the plane, metres.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.s_m.last().copied().unwrap_or(0.0)
    }

    /// Arc length that the vehicle has cut off by leaving the path and rejoining it further ahead,
    /// metres.
    #[must_use]
    pub fn skipped_m(&self) -> f64 {
        self.skipped_m
    }

    /// The place of a vehicle at `at_m`.
    pub fn update(&mut self, at_m: [f64; 2]) -> RoadPosition {
        let near = self.nearest(at_m, self.at_s_m - WINDOW_M[0], self.at_s_m + WINDOW_M[1]);
        let place = if near.offset_m.abs() > ASTRAY_M {
            let far = self.nearest(at_m, self.at_s_m, self.at_s_m + CUT_M);
            if far.offset_m.abs() < near.offset_m.abs() / 2.0 {
                self.skipped_m += far.s_m - near.s_m;
                far
            } else {
                near
            }
        } else {
            near
        };
        self.at_s_m = place.s_m;
        place
    }

    fn nearest(&self, at: [f64; 2], from_m: f64, to_m: f64) -> RoadPosition {
        let last = self.points.len() - 2;
        let first = self.s_m.partition_point(|&s| s <= from_m).saturating_sub(1).min(last);
        let mut best = (f64::INFINITY, RoadPosition { s_m: self.at_s_m, offset_m: 0.0, inside: false });
        for i in first..=last {
            if self.s_m[i] > to_m {
                break;
            }
            let (a, b) = (self.points[i], self.points[i + 1]);
            let along = [b[0] - a[0], b[1] - a[1]];
            let length = self.s_m[i + 1] - self.s_m[i];
            if length <= 0.0 {
                continue;
            }
            let to = [at[0] - a[0], at[1] - a[1]];
            let t = ((to[0] * along[0] + to[1] * along[1]) / (length * length)).clamp(0.0, 1.0);
            let off = [to[0] - t * along[0], to[1] - t * along[1]];
            let distance = off[0].hypot(off[1]);
            if distance < best.0 {
                let left = along[0] * off[1] - along[1] * off[0] >= 0.0;
                let width = |side: usize| self.widths_m[i][side] * (1.0 - t) + self.widths_m[i + 1][side] * t;
                let inside = distance <= if left { width(0) } else { width(1) };
                let offset_m = if left { distance } else { -distance };
                best = (distance, RoadPosition { s_m: self.s_m[i] + t * length, offset_m, inside });
            }
        }
        best.1
    }
}
