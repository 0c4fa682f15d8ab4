//! The minimum-curvature line inside a path's corridor.
//!
//! Waypoints of a game's planner are in the middle of the road and have sharp corners; the corridor
//! specifies the width on either side. This module computes the minimum-curvature line within it
//! (Heilmeier et al., *Minimum curvature trajectory planning and control for an autonomous race
//! car*, Vehicle System Dynamics 2020, section 3): with evenly spaced points c_i, normals n_i and
//! offsets e_i between -right_i and left_i,
//!
//! ```text
//! start:  least Σ |c''_i + (e n)''_i|²             a stretched string, which cuts bends      (1)
//! then:   least Σ (κ_i + κ_i² e_i + e''_i)²        the moved line's curvature, first order   (2)
//! ```
//!
//! Each pass starts from evenly spaced points of the last one's line, with second differences for
//! derivatives where Heilmeier has splines. Both are quadratic programs with five diagonals
//! ([`BoxProgram`]). In the first passes normals are perpendicular to chords a few metres long, so
//! that they fan out at a corner instead of crossing; offsets to the inside are limited to before
//! neighbouring normals meet. The available width is always measured from the path itself.

use raceline_numerics::{BoxError, BoxProgram, BoxSettings, math};

use crate::error::PathError;
use crate::geometry::{direction, distance, lerp, wrap_angle};
use crate::nearest_point::near;
use crate::options::{options, validate};
use crate::path::{Path, PathSample, Waypoint};

options! {
    /// The usable part of a corridor.
    ///
    /// ```
    /// use raceline_follower::{CorridorOptions, Path, Waypoint};
    ///
    /// let at = |x, y| Waypoint { position_m: [x, y, 0.0], left_m: 5.0, right_m: 5.0, ..Waypoint::default() };
    /// let corner = Path::new(vec![at(0.0, 0.0), at(50.0, 0.0), at(50.0, 50.0)], false)?;
    /// let line = corner.minimum_curvature(&CorridorOptions { clearance_m: 1.0, ..CorridorOptions::default() })?;
    /// assert!(line.length_m() < corner.length_m());
    /// # Ok::<(), raceline_follower::PathError>(())
    /// ```
    CorridorOptions, "" {
        /// Fraction of the width to either side that is used. At 0 the line is the resampled path.
        fraction: f64 = 0.8, [from 0 to 1];
        /// Width that is subtracted at both edges before the fraction is applied: half the vehicle's
        /// width plus its tracking error.
        clearance_m: f64 = 1.2, [from 0 to 1000], "m";
        /// Distance between the new waypoints. It is increased if there would be more than 100 000 of
        /// them.
        spacing_m: f64 = 2.0, [from 0.1 to 1000], "m";
    }
}

impl CorridorOptions {
    /// The usable width of a corridor on one side.
    fn room(&self, width: f64) -> f64 {
        if width.is_finite() { self.fraction * (width - self.clearance_m).clamp(0.0, WIDEST_M) } else { 0.0 }
    }
}

/// Largest number of waypoints of a new line.
const MAX_POINTS: f64 = 1e5;
/// Passes of each kind: a sharp corner of 90°, ± 3 m wide, then has a radius of 17.7 m out of at
/// most 17.7, one of 120° has 10.1.
const STRING_PASSES: usize = 4;
const CURVATURE_PASSES: usize = 5;
/// Half the length of the chords that define the normals in the first passes, metres.
const CHORD_M: f64 = 4.0;
/// Limit of offsets to the inside as a fraction of the distance at which neighbouring normals meet.
const FOLD_FRACTION: f64 = 0.8;
/// Length of a closed path that is repeated at both ends for the solver, metres: parts further away
/// no longer change the line.
const OVERLAP_M: f64 = 150.0;
/// Largest width that is used, metres: more has no noticeable effect on a vehicle.
const WIDEST_M: f64 = 1e3;
/// Weight of an offset's own square: where the path is straight, the line stays on it.
const TOWARDS_PATH: f64 = 1e-6;
/// Half the width for a fixed point, metres: the interior-point method requires a nonempty range.
const PINNED_M: f64 = 1e-4;

/// A point of the current line, its normal to the left, and the range of its offset.
#[derive(Clone, Copy, Debug)]
struct Station {
    at: [f64; 3],
    normal: [f64; 2],
    curvature: f64,
    spacing: f64,
    low: f64,
    high: f64,
}

/// The objective of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objective {
    String,
    Curvature,
}

/// A line through points, with the arc length of each point's position on the path.
struct Line {
    points: Vec<[f64; 3]>,
    beside: Vec<f64>,
    closed: bool,
}

impl Path {
    /// The minimum-curvature line inside the corridor, as a new path with the remaining corridor on
    /// either side. The ends of an open path are fixed. Where the corridor's width is unknown
    /// (infinite), the line stays on the path. Heights are those of the path. The path's speed
    /// profile is not copied, since it does not apply to the new line. Allocates, and takes time in
    /// proportion to the path's length: about 1 ms for 100 m.
    ///
    /// # Errors
    /// [`PathError::BadOption`] for an option out of its range, and the errors of [`Path::new`] for
    /// the new waypoints.
    pub fn minimum_curvature(&self, options: &CorridorOptions) -> Result<Self, PathError> {
        validate(options).map_err(PathError::BadOption)?;
        let count = |length_m: f64| {
            let low = if self.closed() { 8.0 } else { 4.0 };
            (length_m / options.spacing_m).round().clamp(low, MAX_POINTS) as usize
        };
        let steps = count(self.length_m());
        let stops = (0..steps + usize::from(!self.closed())).map(|i| self.length_m() * i as f64 / steps as f64);
        let beside: Vec<f64> = stops.collect();
        let points = beside.iter().map(|&s| self.sample(s).position_m).collect();
        let mut line = Line { points, beside, closed: self.closed() };
        let strings = std::iter::repeat_n(Objective::String, STRING_PASSES);
        for objective in strings.chain(std::iter::repeat_n(Objective::Curvature, CURVATURE_PASSES)) {
            line = line.resampled(count(line.length_m()), self);
            self.straighten(&mut line, objective, options);
        }
        let waypoints = line.points.iter().zip(&line.beside).map(|(&at, &s)| {
            let (here, offset) = self.beside(at, s);
            // Normals are not exactly perpendicular to the path: points that leave the corridor for
            // this reason are moved back.
            let room = if offset > 0.0 { options.room(here.left_m) } else { options.room(here.right_m) };
            let kept = if offset.abs() > room { room / offset.abs() } else { 1.0 };
            let [x, y, z] = here.position_m;
            Waypoint {
                position_m: [x + kept * (at[0] - x), y + kept * (at[1] - y), z],
                left_m: (here.left_m - kept * offset).max(0.0),
                right_m: (here.right_m + kept * offset).max(0.0),
                ..Waypoint::default()
            }
        });
        let path = Self::new(waypoints.collect(), self.closed())?;
        // Points within a millimetre of another are dropped, which such a line does not have.
        let same = path.waypoints().len() == line.beside.len();
        Ok(if same { path.with_heights(|i, _| self.height_m(line.beside[i])) } else { path })
    }

    /// The position on the path at `s`, and the offset of `at` to its left.
    fn beside(&self, at: [f64; 3], s: f64) -> (PathSample, f64) {
        let here = self.sample(s);
        let (x, y) = (at[0] - here.position_m[0], at[1] - here.position_m[1]);
        let (sin, cos) = math::sin_cos(here.heading_rad);
        (here, math::hypot(x, y).copysign(y * cos - x * sin))
    }

    /// One pass: moves the line's points along their normals, within the corridor, to minimise the
    /// objective.
    fn straighten(&self, line: &mut Line, objective: Objective, options: &CorridorOptions) {
        let count = line.points.len();
        let spacing = line.length_m() / count as f64;
        let overlap = if line.closed { ((OVERLAP_M / spacing).ceil() as usize).min(count) } else { 0 };
        let chord_m = if objective == Objective::String { CHORD_M } else { 0.0 };
        let own: Vec<Station> = (0..count).map(|i| self.station(line, i, spacing, chord_m, options)).collect();
        let mut stations: Vec<Station> = (0..count + 2 * overlap).map(|i| own[(i + count - overlap) % count]).collect();
        if let [first, .., last] = &mut stations[..] {
            for end in [first, last] {
                (end.low, end.high) = (-PINNED_M, PINNED_M);
            }
        }
        let offsets = offsets(&stations, objective);
        for (i, point) in line.points.iter_mut().enumerate() {
            let ([x, y, z], normal, offset) = (*point, stations[overlap + i].normal, offsets[overlap + i]);
            *point = [x + offset * normal[0], y + offset * normal[1], z];
        }
        // The position on the path beside a point has moved too, by at most as much as the point.
        for i in 0..count {
            let reach = offsets[overlap + i].abs() + CHORD_M;
            let s = line.beside[i];
            line.beside[i] = near(self, line.points[i], s - reach, s + reach).0;
        }
    }

    fn station(&self, line: &Line, index: usize, spacing: f64, chord_m: f64, options: &CorridorOptions) -> Station {
        let (at, s) = (line.points[index], line.beside[index]);
        let (here, offset) = self.beside(at, s);
        let reach = (chord_m / spacing).round().max(1.0) as isize;
        let chord = |middle: isize| {
            let (a, b) = (line.point(middle - reach), line.point(middle + reach));
            direction(a, b).unwrap_or(here.heading_rad)
        };
        let own = index as isize;
        let heading = chord(own);
        let turn = wrap_angle(chord(own + 1) - chord(own - 1)) / 2.0;
        let (mut left, mut right) = (options.room(here.left_m) - offset, options.room(here.right_m) + offset);
        let fold = if turn == 0.0 { f64::INFINITY } else { FOLD_FRACTION * spacing / turn.abs() };
        if turn > 0.0 {
            left = left.min(fold.max(-right));
        } else {
            right = right.min(fold.max(-left));
        }
        let (middle, half) = ((left - right) / 2.0, ((left + right) / 2.0).max(PINNED_M));
        let (sin, cos) = math::sin_cos(heading);
        Station { at, normal: [-sin, cos], curvature: turn / spacing, spacing, low: middle - half, high: middle + half }
    }
}

impl Line {
    fn length_m(&self) -> f64 {
        let [first, .., last] = &self.points[..] else { return 0.0 };
        let back = if self.closed { distance(*last, *first) } else { 0.0 };
        back + self.points.windows(2).map(|pair| distance(pair[0], pair[1])).sum::<f64>()
    }

    /// A point by its number, which wraps around on a closed line and is clamped on an open one.
    fn point(&self, index: isize) -> [f64; 3] {
        let count = self.points.len() as isize;
        let index = if self.closed { index.rem_euclid(count) } else { index.clamp(0, count - 1) };
        self.points[index as usize]
    }

    /// The line through evenly spaced points, `steps` apart.
    fn resampled(&self, steps: usize, path: &Path) -> Self {
        let spacing = self.length_m() / steps as f64;
        let count = self.points.len();
        let mut out = Self { points: Vec::new(), beside: Vec::new(), closed: self.closed };
        let (mut from, mut passed) = (0, 0.0);
        for i in 0..steps {
            let wanted = i as f64 * spacing;
            loop {
                let (a, b) = (self.points[from], self.points[(from + 1) % count]);
                let length = distance(a, b);
                let last = from + if self.closed { 1 } else { 2 } >= count;
                if wanted <= passed + length || last {
                    let fraction = if length > 0.0 { ((wanted - passed) / length).clamp(0.0, 1.0) } else { 0.0 };
                    let (s, next) = (self.beside[from], self.beside[(from + 1) % count]);
                    let point = lerp(a, b, fraction);
                    let reach = length + CHORD_M;
                    out.points.push(point);
                    out.beside.push(near(path, point, s - reach, s + path.signed_distance(s, next).abs() + reach).0);
                    break;
                }
                passed += length;
                from += 1;
            }
        }
        if !self.closed {
            out.points.extend(self.points.last());
            out.beside.extend(self.beside.last());
        }
        out
    }
}

/// The offsets that minimise the objective; zeros, which leave the line where it is, if the program
/// cannot be solved. A solve that runs out of steps still gives offsets within the corridor.
fn offsets(stations: &[Station], objective: Objective) -> Vec<f64> {
    let solution = program(stations, objective).and_then(|program| program.solve(BoxSettings::default()));
    solution.map_or_else(|_| vec![0.0; stations.len()], |solution| solution.x)
}

fn program(stations: &[Station], objective: Objective) -> Result<BoxProgram, BoxError> {
    let low = stations.iter().map(|station| station.low).collect();
    let high = stations.iter().map(|station| station.high).collect();
    let mut program = BoxProgram::new(low, high, false)?;
    for i in 0..stations.len() {
        program.add(i, i, TOWARDS_PATH);
    }
    for (first, trio) in stations.windows(3).enumerate() {
        let mut add_square = |factors: [f64; 3], constant: f64| {
            let [a, b, c] = factors;
            program.add_square(&[(first, a), (first + 1, b), (first + 2, c)], constant);
        };
        match objective {
            Objective::String => {
                for axis in 0..2 {
                    let part = |k: usize| (trio[k].at[axis], trio[k].normal[axis]);
                    let [before, here, after] = [part(0), part(1), part(2)];
                    let bend = before.0 - 2.0 * here.0 + after.0; // equation (1)
                    add_square([before.1, -2.0 * here.1, after.1], bend);
                }
            }
            // Equation (2), in units of the spacing.
            Objective::Curvature => {
                let Station { curvature, spacing, .. } = trio[1];
                let own = math::powi(curvature * spacing, 2) - 2.0;
                add_square([1.0, own, 1.0], curvature * spacing * spacing);
            }
        }
    }
    Ok(program)
}
