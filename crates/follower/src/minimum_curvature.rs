//! The line of least curvature inside a path's corridor.
//!
//! Waypoints of a game's planner run along the middle of the way and turn on the spot; the corridor says how much room there is beside them. Within it
//! the line that bends least is sought: with points c_i, evenly spaced along the path, and normals n_i, the offsets e_i that make
//!
//! ```text
//! Σ |p_(i-1) - 2 p_i + p_(i+1)|² + ε Σ e_i²,   p_i = c_i + e_i n_i,   -right_i ≤ e_i ≤ left_i
//! ```
//!
//! least: the minimum-curvature problem of Heilmeier et al. (Vehicle System Dynamics, 2020, section 3) for evenly spaced points, without its
//! spline matrices. The quadratic program has five diagonals and is solved by a primal-dual interior-point method (Nocedal and Wright, Numerical
//! Optimization, section 16.6), each step one factorisation of the band.
//!
//! Normals stand on chords a few metres long, so that they fan out at a corner on the spot instead of crossing; offsets to the inside end
//! before neighbouring normals meet.

use crate::error::PathError;
use crate::geometry::wrap_angle;
use crate::options::{SMALLEST, validate_rows};
use crate::path::{Path, Waypoint};

/// How much of a corridor a line may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorOptions {
    /// Share of the room to either side that is used, 0 to 1; default 0.8. At 0 the path keeps its line, but is resampled.
    pub share: f64,
    /// Room that is kept free at both edges before the share is taken: half the vehicle's width and what its driving strays, metres, 0 to 1000;
    /// default 1.2.
    pub clearance_m: f64,
    /// Distance between the new waypoints, metres, 0.1 to 1000; default 2. Longer where there would be more than 100 000 of them.
    pub spacing_m: f64,
}

impl Default for CorridorOptions {
    fn default() -> Self {
        Self { share: 0.8, clearance_m: 1.2, spacing_m: 2.0 }
    }
}

/// Most waypoints of a new line.
const MOST_POINTS: f64 = 1e5;
/// Half the length of the chords that normals stand on, metres.
const CHORD_M: f64 = 4.0;
/// Offsets to the inside end at this share of the way to where neighbouring normals meet.
const FOLD_SHARE: f64 = 0.8;
/// A closed path is solved with so much of it repeated at both ends, metres: what lies further away no longer changes the line.
const OVERLAP_M: f64 = 150.0;
/// The weight ε.
const TOWARDS_PATH: f64 = 1e-6;
/// Half the room of a point that must stay where it is, metres: an interior point needs some.
const PINNED_M: f64 = 1e-4;
/// Most steps of the interior-point method, and the mean complementarity at which it ends, m².
const MOST_STEPS: usize = 60;
const COMPLEMENTARITY: f64 = 1e-9;

/// A point of the path, its normal to the left, and the room for its offset.
struct Station {
    at: [f64; 3],
    normal: [f64; 2],
    least: f64,
    most: f64,
    left: f64,
    right: f64,
}

impl Path {
    /// The line of least curvature inside the corridor, as a new path with what is left of the corridor on either side; the ends of an open path stay where
    /// they are. Where the corridor's width isn't known (infinite), the line stays on the path. Heights are the path's; a speed profile
    /// isn't taken over, since it was another line's. Allocates, and takes time in proportion to the path's length: about 0.1 ms for 100 m.
    ///
    /// # Errors
    /// [`PathError::BadOption`] for an option out of its range, and what [`Path::new`] says of the new waypoints.
    pub fn minimum_curvature(&self, options: &CorridorOptions) -> Result<Self, PathError> {
        validate_rows(&[
            ("share", options.share, 0.0, 1.0, "0 to 1"),
            ("clearance_m", options.clearance_m, 0.0, 1e3, "0 to 1000 m"),
            ("spacing_m", options.spacing_m, 0.1, 1e3, "0.1 to 1000 m"),
        ])
        .map_err(PathError::BadOption)?;
        let steps =
            (self.length_m() / options.spacing_m).round().clamp(if self.closed() { 8.0 } else { 4.0 }, MOST_POINTS);
        let spacing = self.length_m() / steps;
        let steps = steps as usize;
        let overlap = if self.closed() { ((OVERLAP_M / spacing).ceil() as usize).min(steps) } else { 0 };
        let count = if self.closed() { steps + 2 * overlap } else { steps + 1 };
        let mut stations: Vec<Station> =
            (0..count).map(|i| self.station((i as f64 - overlap as f64) * spacing, spacing, options)).collect();
        for end in [0, count - 1] {
            (stations[end].least, stations[end].most) = (-PINNED_M, PINNED_M);
        }
        let offsets = least_curvature(&stations);
        let kept = if self.closed() { overlap..overlap + steps } else { 0..count };
        let waypoints = kept
            .map(|i| {
                let (station, offset) = (&stations[i], offsets[i]);
                let [x, y, z] = station.at;
                Waypoint {
                    position_m: [x + offset * station.normal[0], y + offset * station.normal[1], z],
                    left_m: (station.left - offset).max(0.0),
                    right_m: (station.right + offset).max(0.0),
                    ..Waypoint::default()
                }
            })
            .collect();
        Self::new(waypoints, self.closed())
    }

    fn station(&self, s: f64, spacing: f64, options: &CorridorOptions) -> Station {
        let here = self.sample(s);
        let chord = |s: f64| {
            let (a, b) = (self.sample(s - CHORD_M).position_m, self.sample(s + CHORD_M).position_m);
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            // A path that turns back on the spot has no chord there.
            if x.hypot(y) > SMALLEST { y.atan2(x) } else { here.heading_rad }
        };
        let heading = chord(s);
        let turn = wrap_angle(chord(s + spacing / 2.0) - chord(s - spacing / 2.0));
        let room = |width: f64| {
            if width.is_finite() { options.share * (width - options.clearance_m).max(0.0) } else { 0.0 }
        };
        let fold = if turn == 0.0 { f64::INFINITY } else { FOLD_SHARE * spacing / turn.abs() };
        let (mut left, mut right) = (room(here.left_m), room(here.right_m));
        if turn > 0.0 {
            left = left.min(fold);
        } else {
            right = right.min(fold);
        }
        let (sin, cos) = heading.sin_cos();
        Station {
            at: here.position_m,
            normal: [-sin, cos],
            least: -right.max(PINNED_M),
            most: left.max(PINNED_M),
            left: here.left_m,
            right: here.right_m,
        }
    }
}

/// The offsets that bend least, each strictly between its bounds.
fn least_curvature(stations: &[Station]) -> Vec<f64> {
    let count = stations.len();
    let problem = Problem::new(stations);
    let mut offsets: Vec<f64> = stations.iter().map(|station| 0.5 * (station.least + station.most)).collect();
    let mut below = vec![1e-2; count];
    let mut above = vec![1e-2; count];
    let mut direction = vec![0.0; count];
    let mut band = Band::new(count);
    for _ in 0..MOST_STEPS {
        let mut sum = 0.0;
        for i in 0..count {
            sum += below[i] * (offsets[i] - stations[i].least) + above[i] * (stations[i].most - offsets[i]);
        }
        let complementarity = sum / (2 * count) as f64;
        if complementarity < COMPLEMENTARITY {
            break;
        }
        let aim = 0.1 * complementarity;
        problem.gradient(&offsets, &mut direction);
        band.set(&problem);
        for i in 0..count {
            let (down, up) = (offsets[i] - stations[i].least, stations[i].most - offsets[i]);
            band.diagonal[i] += below[i] / down + above[i] / up;
            direction[i] = -direction[i] + aim / down - aim / up;
        }
        band.solve(&mut direction);
        // The longest step that leaves every slack and multiplier above a hundredth of what it was.
        let mut step = 1.0_f64;
        let shorten = |value: f64, change: f64| if change < 0.0 { -0.99 * value / change } else { f64::INFINITY };
        for i in 0..count {
            let (down, up, move_by) = (offsets[i] - stations[i].least, stations[i].most - offsets[i], direction[i]);
            step = step
                .min(shorten(down, move_by))
                .min(shorten(up, -move_by))
                .min(shorten(below[i], (aim - below[i] * move_by) / down - below[i]))
                .min(shorten(above[i], (aim + above[i] * move_by) / up - above[i]));
        }
        for i in 0..count {
            let (down, up, move_by) = (offsets[i] - stations[i].least, stations[i].most - offsets[i], direction[i]);
            below[i] += step * ((aim - below[i] * move_by) / down - below[i]);
            above[i] += step * ((aim + above[i] * move_by) / up - above[i]);
            offsets[i] += step * move_by;
        }
    }
    offsets
}

/// The quadratic program: ½ eᵀ H e + gᵀ e with H's diagonal and the two beside it.
struct Problem {
    diagonal: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    linear: Vec<f64>,
}

impl Problem {
    fn new(stations: &[Station]) -> Self {
        let count = stations.len();
        let mut problem = Self {
            diagonal: vec![TOWARDS_PATH; count],
            first: vec![0.0; count],
            second: vec![0.0; count],
            linear: vec![0.0; count],
        };
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        for i in 1..count - 1 {
            let [a, b, c] = [&stations[i - 1], &stations[i], &stations[i + 1]];
            let bend = [0, 1].map(|axis| a.at[axis] - 2.0 * b.at[axis] + c.at[axis]);
            problem.diagonal[i - 1] += 1.0;
            problem.diagonal[i] += 4.0;
            problem.diagonal[i + 1] += 1.0;
            problem.first[i - 1] -= 2.0 * dot(a.normal, b.normal);
            problem.first[i] -= 2.0 * dot(b.normal, c.normal);
            problem.second[i - 1] += dot(a.normal, c.normal);
            problem.linear[i - 1] += dot(bend, a.normal);
            problem.linear[i] -= 2.0 * dot(bend, b.normal);
            problem.linear[i + 1] += dot(bend, c.normal);
        }
        problem
    }

    fn gradient(&self, offsets: &[f64], gradient: &mut [f64]) {
        let count = offsets.len();
        for i in 0..count {
            gradient[i] = self.linear[i] + self.diagonal[i] * offsets[i];
        }
        for i in 0..count - 1 {
            gradient[i] += self.first[i] * offsets[i + 1];
            gradient[i + 1] += self.first[i] * offsets[i];
        }
        for i in 0..count - 2 {
            gradient[i] += self.second[i] * offsets[i + 2];
            gradient[i + 2] += self.second[i] * offsets[i];
        }
    }
}

/// A symmetric positive definite matrix of five diagonals, and its factors L D Lᵀ.
struct Band {
    diagonal: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Band {
    fn new(count: usize) -> Self {
        Self { diagonal: vec![0.0; count], first: vec![0.0; count], second: vec![0.0; count] }
    }

    fn set(&mut self, problem: &Problem) {
        self.diagonal.copy_from_slice(&problem.diagonal);
        self.first.copy_from_slice(&problem.first);
        self.second.copy_from_slice(&problem.second);
    }

    /// Replaces the right side by the solution, and the matrix by its factors.
    fn solve(&mut self, right: &mut [f64]) {
        let count = right.len();
        let Self { diagonal, first, second } = self;
        for i in 0..count {
            if i + 1 < count {
                let (one, two) = (first[i], second[i]);
                first[i] = one / diagonal[i];
                second[i] = two / diagonal[i];
                diagonal[i + 1] -= first[i] * one;
                if i + 2 < count {
                    first[i + 1] -= first[i] * two;
                    diagonal[i + 2] -= second[i] * two;
                }
            }
        }
        for i in 0..count {
            if i + 1 < count {
                right[i + 1] -= first[i] * right[i];
            }
            if i + 2 < count {
                right[i + 2] -= second[i] * right[i];
            }
        }
        for i in (0..count).rev() {
            right[i] /= diagonal[i];
            if i + 1 < count {
                right[i] -= first[i] * right[i + 1];
            }
            if i + 2 < count {
                right[i] -= second[i] * right[i + 2];
            }
        }
    }
}
