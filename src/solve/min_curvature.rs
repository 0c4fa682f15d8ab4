//! The line of least squared curvature through the corridor, as quadratic programs over α.
//!
//! **Classic** (Braghin et al. 2008, section 3; Cardamone et al. 2010, section III-B): the sum of squared second differences
//! `Σ |P_{i-1} - 2 P_i + P_{i+1}|²`, which is squared curvature where all steps are equally long.
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | n | α |
//! | P | n × n, cyclic pentadiagonal | `2 Dᵀ D` with D the 2n × n map from α to the second differences |
//! | q | n | `2 Dᵀ d₀`, d₀ the second differences of the right ends |
//! | A, l, u | n × n, n, n | identity and the corridor's bounds |
//!
//! In a hairpin the inner ends bunch up, steps become unequal, and the line buckles between neighbouring sections. The program is
//! therefore solved twice at half the density, on the even and on the odd sections; each solution is carried over to the other
//! sections by linear interpolation, and the mean of both is taken.
//!
//! **True spacing**, the default, minimises `∫ κ² ds` of the cubic spline through the points, linearised about the last line. A curve in
//! arc length has `p'' = κ n` with n its left normal. Put into the spline's moment equation (see
//! [`SplineKnots`]) and projected on n, with h the last line's step lengths and n its normals:
//!
//! ```text
//! h_{i-1}/6 (n_i·n_{i-1}) κ_{i-1} + (h_{i-1} + h_i)/3 κ_i + h_i/6 (n_i·n_{i+1}) κ_{i+1}
//!     = n_i · ((P_{i+1} - P_i)/h_i - (P_i - P_{i-1})/h_{i-1})
//! ```
//!
//! On fixed knots a line that moves outwards in a bend stretches, `|p'| = 1 + e`, and `∫ κ² ds = ∫ (n·p'')² |p'|⁻³ dt`. To first order
//! that is the integral of the square of `n·p'' - 3/2 κ e`, so the variable called κ is this expression and the equations have
//! `κ_k + 3/2 κ⁰_k e_k` in place of κ_k, with κ⁰ the last line's curvature and e_k the tangent's part of
//! `(ΔP_{k+1} - ΔP_{k-1}) / (h_{k-1} + h_k)`, ΔP the move from the last line. Without it the least curved line of a ring would be the
//! inner circle, since second differences at fixed knots grow with the radius.
//!
//! κ is linear between the knots, so the integral is exact: `κᵀ T κ` with T the same tridiagonal matrix without the n·n factors.
//! Keeping κ as variables keeps the program sparse, where eliminating them (Heilmeier et al. 2019, section 3) makes P dense.
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | x | 2n | (α, κ/κ₀), κ₀ a unit of curvature that balances the scales |
//! | P | 2n × 2n | `2 T` in the κ block (the objective divided by κ₀²), else zero |
//! | q | 2n | 0 |
//! | A | 2n × 2n | the n equations above; below them the identity on α |
//! | l, u | 2n | the equations' constants; the corridor's bounds |
//!
//! The line is then the start of the next linearisation, until it stands.

use super::quadratic_program::{QpSettings, QuadraticProgram, Triplets};
use super::{Corridor, Formulation, Parent, SolveError, SolverReport};
use crate::geometry::{CurvePoint, Point, SplineCurve, SplineKnots, Vector, left_of};

/// Re-linearisation ends when the line moves by less than this share of the mean width …
const STANDS_SHARE: f64 = 0.001;
/// … on a coarse level, which only starts the next, by less than this share …
const STANDS_SHARE_COARSE: f64 = 0.02;
/// … or after so many solves.
const MAX_SOLVES: usize = 12;
/// κ₀ in terms of the mean step h: κ₀ = this / h. It sets how the solver's tolerance weighs curvature against α. On Spielberg 0.1 and
/// 1 gave `∫κ²ds` within 0.02 % of each other, 0.1 with 2.4 times the iterations.
const CURVATURE_UNIT: f64 = 0.3;
/// The line is first found on every eighth section, then on every fourth and second, and each solution starts the next: an
/// operator-splitting solver moves long waves slowly when points are many.
const STRIDES: [usize; 4] = [8, 4, 2, 1];
/// No coarse level has fewer sections.
const MIN_COARSE_SECTIONS: usize = 60;

/// Solves for the line of least curvature, starting from `start` (α of any line through the corridor).
///
/// # Errors
/// [`SolveError::Solver`] when a quadratic program is refused, [`SolveError::Degenerate`] when two of the line's points coincide.
pub fn min_curvature(corridor: &Corridor, formulation: Formulation, start: &[f64]) -> Result<Parent, SolveError> {
    match formulation {
        Formulation::Classic => classic(corridor),
        Formulation::TrueSpacing => true_spacing(corridor, start),
    }
}

fn true_spacing(corridor: &Corridor, start: &[f64]) -> Result<Parent, SolveError> {
    let mut report = SolverReport::default();
    let mut coarse: Option<Level> = None;
    for stride in STRIDES {
        if corridor.len() / stride < MIN_COARSE_SECTIONS && stride > 1 {
            continue;
        }
        let chosen: Vec<usize> = (0..corridor.len()).step_by(stride).collect();
        let thinned = corridor.thinned(&chosen);
        let level = match coarse {
            Some(level) => level.refined(&chosen, corridor.len()),
            None => Level { x: chosen.iter().map(|&i| start[i]).collect(), curvature: None, dual: None, chosen },
        };
        coarse = Some(level.settled(&thinned, stride > 1, &mut report)?);
    }
    let alpha = coarse.map_or_else(|| start.to_vec(), |level| level.x);
    Ok(Parent { alpha: corridor.clamped(&alpha), report })
}

/// The solution on some of the sections.
struct Level {
    chosen: Vec<usize>,
    /// α.
    x: Vec<f64>,
    /// κ/κ₀.
    curvature: Option<Vec<f64>>,
    /// Dual variables: the equations', then the bounds'.
    dual: Option<Vec<f64>>,
}

impl Level {
    /// Carries the solution over to more sections by linear interpolation.
    fn refined(&self, chosen: &[usize], count: usize) -> Self {
        let carry = |values: &[f64]| -> Vec<f64> {
            chosen
                .iter()
                .map(|&section| {
                    let k = self.chosen.partition_point(|&c| c <= section) - 1;
                    let (from, until) = (self.chosen[k], self.chosen.get(k + 1).copied().unwrap_or(count));
                    let t = (section - from) as f64 / (until - from) as f64;
                    values[k] + t * (values[(k + 1) % values.len()] - values[k])
                })
                .collect()
        };
        let n = self.chosen.len();
        let thinning = n as f64 / chosen.len() as f64;
        let dual = self.dual.as_ref().map(|dual| {
            let mut carried = carry(&dual[..n]);
            carried.extend(carry(&dual[n..]).iter().map(|force| force * thinning));
            carried
        });
        Self { x: carry(&self.x), curvature: self.curvature.as_deref().map(carry), dual, chosen: chosen.to_vec() }
    }

    /// Re-linearises and solves until the line stands.
    fn settled(mut self, corridor: &Corridor, is_coarse: bool, report: &mut SolverReport) -> Result<Self, SolveError> {
        let n = corridor.len();
        self.x = corridor.clamped(&self.x);
        report.stands = false;
        let stands = corridor.mean_width() * if is_coarse { STANDS_SHARE_COARSE } else { STANDS_SHARE };
        for _ in 0..MAX_SOLVES {
            let linearised = Linearisation::about(corridor, &self.x)?;
            let unit = linearised.curvature_unit();
            let warm = self.curvature.as_ref().zip(self.dual.as_ref()).map(|(curvature, dual)| {
                let mut x = self.x.clone();
                x.extend_from_slice(curvature);
                (x, dual.clone())
            });
            let program = linearised.program(corridor, unit);
            let solution =
                program.solve(QpSettings::default(), warm.as_ref().map(|(x, y)| (x.as_slice(), y.as_slice())))?;
            report.add(&solution);
            let next = corridor.clamped(&solution.x[..n]);
            let moved = (0..n).map(|i| (next[i] - self.x[i]).abs() * corridor.sections[i].width()).fold(0.0, f64::max);
            self.x = next;
            self.curvature = Some(solution.x[n..].to_vec());
            self.dual = Some(solution.y);
            if moved < stands {
                report.stands = true;
                break;
            }
        }
        Ok(self)
    }
}

/// What the true-spacing program takes from the last line.
struct Linearisation {
    alpha: Vec<f64>,
    steps: Vec<f64>,
    normals: Vec<Vector>,
    curvature: Vec<f64>,
}

impl Linearisation {
    fn about(corridor: &Corridor, alpha: &[f64]) -> Result<Self, SolveError> {
        let points: Vec<Point> = corridor.points(alpha);
        let steps = corridor.step_lengths(&points);
        let knots = SplineKnots::new(steps.clone(), corridor.closed).ok_or(SolveError::Degenerate)?;
        let curve = SplineCurve::on_knots(&points, knots);
        let places: Vec<CurvePoint> = curve.positions()[..points.len()].iter().map(|&s| curve.at(s)).collect();
        let normals = places
            .iter()
            .map(|place| left_of(place.first).try_normalize(1e-12).ok_or(SolveError::Degenerate))
            .collect::<Result<_, _>>()?;
        let curvature = places.iter().map(CurvePoint::curvature).collect();
        Ok(Self { alpha: alpha.to_vec(), steps, normals, curvature })
    }

    /// Adds `factor · 3/2 κ_k e_k` to the left side of an equation, with e_k the stretch at point k.
    fn add_stretch(
        &self,
        corridor: &Corridor,
        k: usize,
        factor: f64,
        mut add: impl FnMut(usize, f64),
        constant: &mut f64,
    ) {
        let n = corridor.len();
        let (before, after) = ((k + n - 1) % n, (k + 1) % n);
        // The normal turned back by a quarter turn is the tangent.
        let tangent = Vector::new(self.normals[k].y, -self.normals[k].x);
        let per_metre = factor * 1.5 * self.curvature[k] / (self.steps[before] + self.steps[k]);
        for (neighbour, sign) in [(before, -1.0), (after, 1.0)] {
            let value = sign * per_metre * tangent.dot(&corridor.sections[neighbour].span());
            add(neighbour, value);
            *constant += value * self.alpha[neighbour];
        }
    }

    /// The unit κ₀ of the curvature variables, 1/m.
    fn curvature_unit(&self) -> f64 {
        CURVATURE_UNIT * self.steps.len() as f64 / self.steps.iter().sum::<f64>()
    }

    fn program(&self, corridor: &Corridor, unit: f64) -> QuadraticProgram {
        let n = corridor.len();
        let mut p = Triplets::with_capacity(2 * n);
        let mut a = Triplets::with_capacity(7 * n);
        let mut l = vec![0.0; 2 * n];
        for (i, &h) in self.steps.iter().enumerate() {
            let j = (i + 1) % n;
            p.add_symmetric(n + i, n + i, 2.0 * h / 3.0);
            p.add_symmetric(n + j, n + j, 2.0 * h / 3.0);
            p.add_symmetric(n + i, n + j, 2.0 * h / 6.0);
        }
        let rows = if corridor.closed { 0..n } else { 1..n - 1 };
        for i in rows {
            let (before, after) = ((i + n - 1) % n, (i + 1) % n);
            let (hb, ha) = (self.steps[before], self.steps[i]);
            let normal = self.normals[i];
            for (k, moment) in [(before, hb / 6.0), (i, (hb + ha) / 3.0), (after, ha / 6.0)] {
                let moment = moment * normal.dot(&self.normals[k]);
                a.add(i, n + k, unit * moment);
                if corridor.closed || (k > 0 && k < n - 1) {
                    self.add_stretch(corridor, k, moment, |column, value| a.add(i, column, value), &mut l[i]);
                }
            }
            for (k, weight) in [(before, 1.0 / hb), (i, -1.0 / hb - 1.0 / ha), (after, 1.0 / ha)] {
                let section = &corridor.sections[k];
                a.add(i, k, -weight * normal.dot(&section.span()));
                // Measured from the section of this row: the constant part cancels and would only cost digits.
                l[i] += weight * normal.dot(&(section.right - corridor.sections[i].right));
            }
        }
        let mut u = l.clone();
        for i in 0..n {
            a.add(n + i, i, 1.0);
            l[n + i] = corridor.low[i];
            u[n + i] = corridor.high[i];
        }
        QuadraticProgram { p, q: vec![0.0; 2 * n], a, l, u }
    }
}

fn classic(corridor: &Corridor) -> Result<Parent, SolveError> {
    let n = corridor.len();
    let mut report = SolverReport::default();
    let mut mean = vec![0.0; n];
    // An odd number of sections leaves one pair of neighbours in the same half at the seam; that does no harm.
    for first in [0, 1] {
        let half: Vec<usize> = (first..n).step_by(2).collect();
        let solution = second_difference_program(corridor, &half).solve(QpSettings::default(), None)?;
        report.add(&solution);
        for (k, &i) in half.iter().enumerate() {
            let (next_k, gap) = match half.get(k + 1) {
                Some(&next) => (k + 1, next - i),
                None => (0, n - i + first),
            };
            let (from, to) = (solution.x[k], solution.x[next_k]);
            for step in 0..gap {
                mean[(i + step) % n] += 0.5 * (from + (to - from) * step as f64 / gap as f64);
            }
        }
    }
    Ok(Parent { alpha: corridor.clamped(&mean), report })
}

fn second_difference_program(corridor: &Corridor, chosen: &[usize]) -> QuadraticProgram {
    let n = chosen.len();
    let bound = |values: &[f64]| chosen.iter().map(|&i| values[i]).collect();
    let mut program = QuadraticProgram::bounded(bound(&corridor.low), bound(&corridor.high));
    let rows = if corridor.closed { 0..n } else { 1..n - 1 };
    for i in rows {
        let stencil = [((i + n - 1) % n, 1.0), (i, -2.0), ((i + 1) % n, 1.0)];
        corridor.add_squared_stencil(&mut program, &stencil, 1.0, |k| chosen[k]);
    }
    program
}
