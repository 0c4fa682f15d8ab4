//! `∫ κ² ds` of a line through points that may each move along a direction, and the quadratic
//! program that minimises it.
//!
//! With three-point curvature κ_i (`stations/discrete_curve.rs`, equation (1)) and h_i the mean of
//! the two chords at a point, the integral is
//!
//! ```text
//! J(x) = Σ h_i κ_i²                                                                          (1)
//! ```
//!
//! With g_i and e_i the derivatives of κ_i and h_i with respect to the offsets x on the current
//! line,
//!
//! ```text
//! J(x + Δx) ≈ Σ h_i (κ_i + g_i·Δx)² + κ_i² e_i·Δx                                            (2)
//! ```
//!
//! has the integral's value and gradient, and neglects the second derivatives of κ and h: the
//! Gauss-Newton method (Nocedal and Wright, *Numerical Optimization*, 2nd edition (2006), section
//! 10.3). As a program over Δx:
//!
//! ```text
//! P = 2 Σ h_i g_i g_iᵀ        q = Σ 2 h_i κ_i g_i + κ_i² e_i                                 (3)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | n | Δx, the change of the offsets |
//! | P | n × n, cyclic pentadiagonal | (3) |
//! | q | n | (3) |
//! | l, u | n | the bounds less the current offsets |
//!
//! A line search chooses the length t of the step. It is halved until J falls, or doubled as long
//! as J continues to fall. The linearisation is judged by the largest difference of curvature:
//!
//! ```text
//! x ← clamp(x + t Δx, low, high),  t = 1, ½, ¼ … or 1, 2, 4 …                                (4)
//! max |κ_i + g_i·Δx - κ_i(x + Δx)|                                                           (5)
//! ```

use raceline_numerics::{BoxProgram, BoxSolution, math};

use super::SolveError;
use super::programs::ProgramSolver;
use super::regularity::Moving;
use super::stations::{Chord, Curvature, Station, menger_curvature};
use raceline_road::geometry::{Point, Vector};

/// Positions that the line's points may take: `origin + offset · direction` within bounds.
pub(super) struct Slots {
    pub closed: bool,
    pub origins: Vec<Point>,
    pub directions: Vec<Vector>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

/// Three points in a row, the curvature at the middle one, and its derivatives by their offsets.
type Bend = ([usize; 3], f64, [f64; 3]);

/// One step that lowers `∫ κ² ds`.
pub(super) struct Step {
    pub offsets: Vec<f64>,
    /// The solution of the program; damping may have shortened the step.
    pub solution: BoxSolution,
    /// Largest difference between the line's curvature and its linearisation, 1/m.
    pub curvature_error: f64,
    /// Relative decrease of `∫ κ² ds`; 0 where it did not decrease.
    pub fall: f64,
}

/// Maximum number of halvings or doublings of a step.
const MAX_HALVINGS: usize = 6;
/// Maximum number of times that the program is solved again with tighter bounds where its solution
/// strains the line.
const MAX_TIGHTENINGS: usize = 12;
/// The bounds about a strained point are tightened to this fraction of the point's move …
const TIGHTENING: f64 = 0.4;
/// … within this many points on either side, and twice as many each time.
const TIGHTENED_POINTS: usize = 4;

impl Slots {
    /// Slots for the control points of stations. A control point lies its entry of `insets` to the
    /// right of the curve, m.
    pub fn of_stations(stations: &[Station], insets: &[f64], closed: bool) -> Self {
        let bound =
            |bound: fn(&Station) -> f64| stations.iter().zip(insets).map(|(s, inset)| bound(s) - inset).collect();
        Self {
            closed,
            origins: stations.iter().map(|station| station.origin).collect(),
            directions: stations.iter().map(|station| station.normal).collect(),
            low: bound(|station| station.low),
            high: bound(|station| station.high),
        }
    }

    /// The offsets of the control points of the line on which the stations were placed.
    pub fn start(&self, insets: &[f64]) -> Vec<f64> {
        let bounds = self.low.iter().zip(&self.high);
        insets.iter().zip(bounds).map(|(inset, (&low, &high))| (-inset).clamp(low, high)).collect()
    }

    pub fn points(&self, offsets: &[f64]) -> Vec<Point> {
        let slots = self.origins.iter().zip(&self.directions);
        slots.zip(offsets).map(|((origin, direction), offset)| origin + direction * *offset).collect()
    }

    /// Indices of the points that have a curvature, each with its two neighbours.
    pub fn triples(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let n = self.origins.len();
        let inner = if self.closed { 0..n } else { 1..n - 1 };
        inner.map(move |i| [(i + n - 1) % n, i, (i + 1) % n])
    }

    /// `∫ κ² ds`, 1/m.
    pub fn bending(&self, offsets: &[f64]) -> f64 {
        let points = self.points(offsets);
        self.triples()
            .map(|[a, b, c]| {
                let (before, after) = (points[b] - points[a], points[c] - points[b]);
                0.5 * (before.norm() + after.norm()) * math::powi(menger_curvature(before, after), 2) // equation (1)
            })
            .sum()
    }

    /// Tightens the bounds on the change of the offsets about the `strained` points: a trust region
    /// where the linearisation fails, and only there.
    fn tighten(&self, program: &mut BoxProgram, change: &[f64], strained: &[usize], reach: usize) {
        let n = change.len();
        let mut is_near = vec![false; n];
        for &i in strained {
            for k in 0..=(2 * reach).min(n - 1) {
                match self.closed {
                    true => is_near[(i + n + k - reach.min(n)) % n] = true,
                    false => is_near[(i + k).saturating_sub(reach).min(n - 1)] = true,
                }
            }
        }
        for i in (0..n).filter(|&i| is_near[i]) {
            let radius = TIGHTENING * change[i].abs();
            // The current line is within its bounds up to rounding.
            program.l[i] = program.l[i].max(-radius).min(0.0);
            program.u[i] = program.u[i].min(radius).max(0.0);
        }
    }

    /// The program about `offsets`, at which the line has `points`, equation (3), and each triple
    /// with its curvature.
    fn linearised(&self, offsets: &[f64], points: &[Point]) -> Result<(BoxProgram, Vec<Bend>), SolveError> {
        let left = |bounds: &[f64]| bounds.iter().zip(offsets).map(|(bound, offset)| bound - offset).collect();
        let mut program = BoxProgram::new(left(&self.low), left(&self.high), self.closed)?;
        let mut bends = Vec::with_capacity(points.len());
        for triple in self.triples() {
            let [a, b, c] = triple;
            let curvature = Curvature::at(triple.map(|k| points[k]), triple.map(|k| self.directions[k]));
            let chord =
                |i: usize, j: usize| Chord::between([points[i], points[j]], [self.directions[i], self.directions[j]]);
            let (before, after) = (chord(a, b), chord(b, c));
            if !(before.length > 0.0 && after.length > 0.0) {
                return Err(SolveError::Degenerate);
            }
            let length = 0.5 * (before.length + after.length);
            let stretch =
                [before.gradient[0], before.gradient[1] + after.gradient[0], after.gradient[1]].map(|e| 0.5 * e);
            // Equation (3): the squares of (2).
            for k in 0..3 {
                program.q[triple[k]] +=
                    curvature.value * (2.0 * length * curvature.gradient[k] + curvature.value * stretch[k]);
                for m in k..3 {
                    program.add(triple[k], triple[m], 2.0 * length * curvature.gradient[k] * curvature.gradient[m]);
                }
            }
            bends.push((triple, curvature.value, curvature.gradient));
        }
        Ok((program, bends))
    }

    /// Solves the program about `offsets`, followed by a line search. The solution does not strain
    /// the line (`regularity`).
    pub fn step(&self, solver: &mut ProgramSolver, offsets: &[f64]) -> Result<Step, SolveError> {
        let points = self.points(offsets);
        let (mut program, bends) = self.linearised(offsets, &points)?;
        let moving = Moving { directions: &self.directions, closed: self.closed };
        let start = vec![0.0; offsets.len()];
        let mut solution = solver.solve(&program, &start)?;
        for number in 0..MAX_TIGHTENINGS {
            let moved: Vec<f64> = offsets.iter().zip(&solution.x).map(|(offset, change)| offset + change).collect();
            let strained = moving.strained(&self.points(&moved), &points);
            if strained.is_empty() {
                break;
            }
            self.tighten(&mut program, &solution.x, &strained, TIGHTENED_POINTS << number);
            solution = solver.solve(&program, &start)?;
        }
        let towards = |fraction: f64| -> Vec<f64> {
            let bounds = self.low.iter().zip(&self.high);
            // Equation (4).
            let moved = offsets.iter().zip(&solution.x).map(|(offset, change)| offset + fraction * change);
            moved.zip(bounds).map(|(offset, (&low, &high))| offset.clamp(low, high)).collect()
        };
        let before = self.bending(offsets);
        let mut bending = before;
        let mut found = offsets.to_vec();
        let mut fraction = 1.0;
        let mut lowered = false;
        // The step is halved until `∫ κ² ds` falls. Where the whole step lowers it, the step is
        // doubled as long as it continues to fall: the neglected terms make steps short on wide
        // roads.
        for _ in 0..MAX_HALVINGS {
            let trial = towards(fraction);
            let trial_bending = self.bending(&trial);
            let is_better = trial_bending < bending && moving.strained(&self.points(&trial), &points).is_empty();
            if is_better {
                (found, bending, lowered) = (trial, trial_bending, true);
            }
            fraction *= match (lowered, is_better) {
                (false, _) => 0.5,
                (true, true) if fraction >= 1.0 => 2.0,
                _ => break,
            };
        }
        let points = self.points(&found);
        let curvature_error = bends
            .iter()
            .map(|(triple, value, gradient)| {
                let change: f64 = (0..3).map(|k| gradient[k] * (found[triple[k]] - offsets[triple[k]])).sum();
                let [a, b, c] = triple.map(|k| points[k]);
                (value + change - menger_curvature(b - a, c - b)).abs() // equation (5)
            })
            .fold(0.0, f64::max);
        Ok(Step {
            offsets: found,
            solution,
            curvature_error,
            fall: if before > 0.0 { 1.0 - bending / before } else { 0.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::Slots;
    use raceline_road::geometry::{Point, Vector};

    #[test]
    fn the_program_has_the_gradient_of_the_integral() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for closed in [false, true] {
            let n = 24;
            let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
            let angles: Vec<f64> = (0..n).map(|i| std::f64::consts::TAU * f64::from(i) / 24.0).collect();
            let slots = Slots {
                closed,
                origins: angles.iter().map(|angle| Point::new(50.0 * angle.cos(), 35.0 * angle.sin())).collect(),
                directions: angles.iter().map(|angle| -Vector::new(angle.cos(), angle.sin())).collect(),
                low: vec![-3.0; 24],
                high: vec![3.0; 24],
            };
            let offsets: Vec<f64> = (0..n).map(|_| between(-1.0, 1.0)).collect();
            let (program, bends) = slots.linearised(&offsets, &slots.points(&offsets)).expect("a line");
            assert_eq!(bends.len(), if closed { 24 } else { 22 });
            let h = 1e-5;
            for k in 0..24 {
                let at = |sign: f64| {
                    let mut offsets = offsets.clone();
                    offsets[k] += sign * h;
                    slots.bending(&offsets)
                };
                let slope = (at(1.0) - at(-1.0)) / (2.0 * h);
                assert!((slope - program.q[k]).abs() < 1e-8, "{closed} {k}: {slope} {}", program.q[k]);
                assert!((program.l[k] + 3.0 + offsets[k]).abs() < 1e-14 && program.u[k] > 0.0);
            }
        }
    }
}
