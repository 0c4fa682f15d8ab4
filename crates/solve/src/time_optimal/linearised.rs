//! Linearisation of the minimum-time problem: Newton's matrix, gradients, and the change of limits
//! with a step, as [`NonlinearProgram`] needs them.
//!
//! The terms of an interval are functions of its five arguments p = (κ₁, κ₂, d, w₁, w₂), which are
//! functions of six unknowns x: the offsets of four stations and two squared speeds. For their sum
//! with multipliers λ, and with R = dp/dx,
//!
//! ```text
//! W = time + smoothness + Σ λ_j g_j,      S = Σ λ_j/s_j ∇g_j ∇g_jᵀ                           (1)
//! ∇_x W = Rᵀ ∇W                                                                              (2)
//! matrix = Rᵀ (∇²W + S) R + Σ_k W_k ∇²p_k                                                    (3)
//! ```
//!
//! which are added up over all intervals. Bounds of offsets and speeds are functions of one unknown
//! each, in the units n̂ and ŵ:
//!
//! ```text
//! ∇W_n = (λ_high - λ_low) / n̂      matrix_nn = (λ_high/s_high + λ_low/s_low) / n̂²            (4)
//! ```
//!
//! Damping is by the units, too, so that it does not depend on them: δ / n̂² and δ / ŵ². The
//! objective has the unit t̂, so that all multipliers are in units of it.

use raceline_numerics::CyclicBand;
use raceline_numerics::nonlinear_program::{Duals, Gradient, LimitTerms, NonlinearProgram, Values};

use super::derivatives::{ARGUMENTS, IntervalDerivatives};
use super::interval::{Arguments, INTERVAL_LIMITS};
use super::lap_problem::{
    EQUATIONS, LIMITS, LapProblem, Limit, OFFSET, SPEED_SQUARED, StationLimits, UNKNOWNS, Unknowns,
};
use crate::stations::{Chord, Curvature};
use Limit::{
    Drive, FrontTyres, HighOffset, HighSpeed, LeftCurvature, LowOffset, LowSpeed, RearTyres, RightCurvature,
    SteeringRate,
};

/// Unknowns of an interval: the offsets of four successive stations, and the squared speeds at its
/// two ends.
const LOCAL: usize = 6;
/// Distance between the first and the last of these unknowns: three stations.
const REACH: usize = 6;

/// The limits of an interval, in the order of their derivatives.
const OF_INTERVAL: [Limit; INTERVAL_LIMITS] = [FrontTyres, RearTyres, Drive, SteeringRate];

/// The problem linearised about a point. The offset and the squared speed of station i are the
/// unknowns 2 i and 2 i + 1.
pub struct Linearised {
    /// Second derivatives of the Lagrangian, and the stiffness of the limits, `λ/s ∇g ∇gᵀ`.
    matrix: CyclicBand<REACH>,
    /// Gradient of the objective and the limits weighted by their multipliers.
    lagrangian: Vec<[f64; UNKNOWNS]>,
    /// Derivatives of each interval's limits.
    rows: Vec<IntervalRows>,
    curvature: Vec<Curvature>,
}

/// Derivatives of an interval's limits and of its relative curvature with respect to the unknowns
/// at `places`.
#[derive(Clone, Copy, Debug, Default)]
struct IntervalRows {
    places: [usize; LOCAL],
    limits: [[f64; LOCAL]; INTERVAL_LIMITS],
    curvature: [f64; LOCAL],
}

/// The stations that determine an interval's curvature.
struct Window {
    /// Four successive stations.
    stations: [usize; 4],
    /// Position of the interval's first station in the window.
    first: usize,
    /// Positions in the window of the first of the three stations that determine the curvature at
    /// either end.
    triples: [usize; 2],
}

impl NonlinearProgram<UNKNOWNS, EQUATIONS, LIMITS> for LapProblem<'_> {
    type Function = ();
    type Linearised = Linearised;
    type System = CyclicBand<REACH>;

    fn stages(&self) -> usize {
        self.stations.len()
    }

    fn equations(&self) -> usize {
        0
    }

    fn room(&self) -> (Linearised, CyclicBand<REACH>) {
        let n = self.stations.len();
        let matrix = CyclicBand::new(UNKNOWNS * n, self.closed);
        let linearised = Linearised {
            matrix: matrix.clone(),
            lagrangian: vec![[0.0; UNKNOWNS]; n],
            rows: vec![IntervalRows::default(); self.intervals()],
            curvature: vec![Curvature::default(); n],
        };
        (linearised, matrix)
    }

    fn evaluate(&self, x: &[[f64; UNKNOWNS]], values: &mut Values<EQUATIONS, LIMITS>) {
        values.objective = self.values(x, &mut values.limits);
    }

    fn linearise(
        &self,
        x: &[[f64; UNKNOWNS]],
        duals: &Duals<EQUATIONS, LIMITS>,
        weights: &[StationLimits],
        at: &mut Linearised,
    ) {
        at.fill(self, x, &duals.multipliers, weights);
    }

    fn forget_hessians(&self, at: &mut Linearised) {
        at.matrix.clear();
    }

    fn gradient<'a>(&self, at: &'a Linearised) -> Gradient<'a, UNKNOWNS> {
        Gradient::Lagrangian(&at.lagrangian)
    }

    fn stationarity(&self, x: &[[f64; UNKNOWNS]], at: &Linearised, _: &Duals<EQUATIONS, LIMITS>) -> f64 {
        let unit = self.units;
        let stations = at.lagrangian.iter();
        let stations = stations
            .map(|slope| (slope[OFFSET] * unit.offset).abs().max((slope[SPEED_SQUARED] * unit.speed_squared).abs()));
        (stations.fold(0.0, f64::max) - self.rounding_error(x)).max(0.0)
    }

    /// Minus the gradient of the Lagrangian, and of the limits by what the step changes of their
    /// multipliers, `μ/s + λ/s (g + s) - λ`.
    fn right_side(
        &self,
        at: &Linearised,
        _: &[[f64; EQUATIONS]],
        limits: &LimitTerms<LIMITS>,
        side: &mut [[f64; UNKNOWNS]],
    ) {
        let LimitTerms { barrier, errors, slack, multipliers, .. } = *limits;
        let out = side.as_flattened_mut();
        for (out, gradient) in out.iter_mut().zip(at.lagrangian.as_flattened()) {
            *out = -gradient;
        }
        let per_offset = 1.0 / self.units.offset;
        let per_speed = 1.0 / self.units.speed_squared;
        for i in 0..errors.len() {
            let extra: StationLimits = std::array::from_fn(|k| {
                let (slack, multiplier) = (slack[i][k], multipliers[i][k]);
                (barrier + multiplier * errors[i][k]) / slack - multiplier
            });
            if let Some(rows) = at.rows.get(i) {
                let limits = combined(&rows.limits, &OF_INTERVAL.map(|limit| extra[limit]));
                let bending = extra[LeftCurvature] - extra[RightCurvature];
                for (k, &place) in rows.places.iter().enumerate() {
                    out[place] -= limits[k] + bending * rows.curvature[k];
                }
            }
            out[2 * i] -= (extra[HighOffset] - extra[LowOffset]) * per_offset;
            out[2 * i + 1] -= (extra[HighSpeed] - extra[LowSpeed]) * per_speed;
        }
        for &i in &self.fixed {
            out[i] = 0.0;
        }
    }

    /// Change of the limits with a step of the unknowns, in the order of [`Limit`].
    fn limit_changes(&self, at: &Linearised, step: &[[f64; UNKNOWNS]], changes: &mut [StationLimits]) {
        let step = step.as_flattened();
        let per_offset = 1.0 / self.units.offset;
        let per_speed = 1.0 / self.units.speed_squared;
        for (i, change) in changes.iter_mut().enumerate() {
            let ([front, rear, drive, steering], curvature) =
                at.rows.get(i).map_or(([0.0; INTERVAL_LIMITS], 0.0), |rows| {
                    let local = rows.places.map(|place| step[place]);
                    let along = |row: [f64; LOCAL]| row.iter().zip(&local).map(|(a, b)| a * b).sum::<f64>();
                    (rows.limits.map(along), along(rows.curvature))
                });
            let (offset, speed) = (step[2 * i] * per_offset, step[2 * i + 1] * per_speed);
            *change = [front, rear, drive, steering, curvature, -curvature, -offset, offset, -speed, speed];
        }
    }

    fn assemble(&self, at: &Linearised, _: &[StationLimits], damping: f64, system: &mut CyclicBand<REACH>) {
        system.clone_from(&at.matrix);
        if damping > 0.0 {
            let per_offset = 1.0 / self.units.offset;
            let per_speed = 1.0 / self.units.speed_squared;
            for i in 0..self.stations.len() {
                system.add(2 * i, 2 * i, damping * per_offset * per_offset);
                system.add(2 * i + 1, 2 * i + 1, damping * per_speed * per_speed);
            }
        }
        for &i in &self.fixed {
            system.add(i, i, FIXING);
        }
    }
}

impl Linearised {
    /// Linearises `problem` about `x` with the limits' multipliers and their stiffness λ/s.
    fn fill(&mut self, problem: &LapProblem, x: &Unknowns, multipliers: &[StationLimits], stiffness: &[StationLimits]) {
        let n = problem.stations.len();
        self.matrix.clear();
        self.lagrangian.fill([0.0; UNKNOWNS]);
        for (i, curvature) in self.curvature.iter_mut().enumerate() {
            let i = problem.curved(i);
            let places = [if i == 0 { n - 1 } else { i - 1 }, i, problem.next(i)];
            let chords = [places[0], places[1]].map(|k| problem.chord(x, k));
            *curvature = Curvature::between(chords, places.map(|k| problem.stations[k].normal));
        }
        for i in 0..problem.intervals() {
            self.add_interval(problem, x, i, &multipliers[i], &stiffness[i]);
        }
        let per_offset = 1.0 / problem.units.offset;
        let per_speed = 1.0 / problem.units.speed_squared;
        for (i, (multipliers, stiffness)) in multipliers.iter().zip(stiffness).enumerate() {
            let (offset, speed) = (2 * i, 2 * i + 1);
            // Equation (4).
            let slope = &mut self.lagrangian[i];
            slope[OFFSET] += (multipliers[HighOffset] - multipliers[LowOffset]) * per_offset;
            slope[SPEED_SQUARED] += (multipliers[HighSpeed] - multipliers[LowSpeed]) * per_speed;
            self.matrix.add(offset, offset, (stiffness[LowOffset] + stiffness[HighOffset]) * per_offset * per_offset);
            self.matrix.add(speed, speed, (stiffness[LowSpeed] + stiffness[HighSpeed]) * per_speed * per_speed);
        }
        for &i in &problem.fixed {
            self.lagrangian.as_flattened_mut()[i] = 0.0;
        }
    }

    fn add_interval(
        &mut self,
        problem: &LapProblem,
        x: &Unknowns,
        i: usize,
        multipliers: &StationLimits,
        stiffness: &StationLimits,
    ) {
        let next = problem.next(i);
        let curvature = [self.curvature[i], self.curvature[next]];
        let ends = [i, next];
        let chord = Chord::of(problem.chord(x, i), ends.map(|k| problem.stations[k].normal));
        let ground = problem.stations[i].ground;
        let grip = problem.grip(i, x[i][OFFSET]);
        let arguments = Arguments {
            curvature: curvature.map(|curvature| curvature.value),
            length: ground.stretch * chord.length,
            speed_squared: [x[i][SPEED_SQUARED], x[next][SPEED_SQUARED]],
            grip: grip.value,
            ground,
            arms: problem.gaps[i].arms,
        };
        // Equation (1).
        let limits = arguments.limit_derivatives(&problem.car);
        let per_time = 1.0 / problem.units.time;
        let mut whole = arguments.time_derivatives().scaled(per_time);
        for (limit, derivatives) in OF_INTERVAL.into_iter().zip(&limits) {
            whole.add_limit(derivatives, multipliers[limit], stiffness[limit]);
        }
        let per_curvature = 1.0 / problem.max_curvature;
        whole.gradient[0] += (multipliers[LeftCurvature] - multipliers[RightCurvature]) * per_curvature;
        whole.hessian[0][0] += (stiffness[LeftCurvature] + stiffness[RightCurvature]) * per_curvature * per_curvature;
        let weight = 2.0 * per_time * problem.smoothing / problem.stations[i].step;
        let change = weight * (arguments.curvature[1] - arguments.curvature[0]);
        whole.gradient[0] -= change;
        whole.gradient[1] += change;
        whole.hessian[0][0] += weight;
        whole.hessian[1][1] += weight;
        whole.hessian[0][1] -= weight;
        whole.hessian[1][0] -= weight;

        let window = Window::of(problem, i);
        // Derivatives of the arguments with respect to the local unknowns.
        let mut rows = [[0.0; LOCAL]; ARGUMENTS];
        for (row, (curvature, &first)) in rows.iter_mut().zip(curvature.iter().zip(&window.triples)) {
            row[first..first + 3].copy_from_slice(&curvature.gradient);
        }
        rows[2][window.first..window.first + 2].copy_from_slice(&chord.gradient.map(|slope| ground.stretch * slope));
        rows[3][4] = 1.0;
        rows[4][5] = 1.0;
        // Equation (3), the part with second derivatives of the arguments.
        let mut local = [[0.0; LOCAL]; LOCAL];
        for (curvature, (&first, &weight)) in curvature.iter().zip(window.triples.iter().zip(&whole.gradient)) {
            add_block(&mut local, first, &curvature.hessian, weight);
        }
        add_block(&mut local, window.first, &chord.hessian, ground.stretch * whole.gradient[2]);
        let product = whole.hessian.map(|hessian| combined(&rows, &hessian));
        let mut lagrangian = combined(&rows, &whole.gradient); // equation (2)
        // Derivatives of the limits by the offset of the first station, through the grip there.
        let mut by_grip = [0.0; INTERVAL_LIMITS];
        if problem.stations[i].profile.is_some() {
            let at = window.first;
            let (mut slope, mut bend, mut mixed) = (0.0, 0.0, [0.0; ARGUMENTS]);
            let of_grip = arguments.grip_derivatives(&problem.car);
            for (k, (limit, own)) in OF_INTERVAL.into_iter().zip(&of_grip).enumerate() {
                let (multiplier, stiffness) = (multipliers[limit], stiffness[limit]);
                by_grip[k] = own.slope * grip.slope;
                slope += multiplier * own.slope;
                bend += multiplier * own.bend + stiffness * own.slope * own.slope;
                for (argument, entry) in mixed.iter_mut().enumerate() {
                    *entry += multiplier * own.mixed[argument] + stiffness * own.slope * limits[k].gradient[argument];
                }
            }
            lagrangian[at] += slope * grip.slope;
            local[at][at] += bend * grip.slope * grip.slope + slope * grip.bend;
            for (k, entry) in combined(&rows, &mixed).into_iter().enumerate() {
                local[k][at] += entry * grip.slope;
                local[at][k] += entry * grip.slope;
            }
        }
        let [a, b, c, d] = window.stations;
        let places = [2 * a, 2 * b, 2 * c, 2 * d, 2 * i + 1, 2 * next + 1];
        for k in 0..LOCAL {
            self.lagrangian.as_flattened_mut()[places[k]] += lagrangian[k];
            for m in k..LOCAL {
                let sum: f64 = (0..ARGUMENTS).map(|argument| rows[argument][k] * product[argument][m]).sum();
                let value = local[k][m] + sum;
                // At the end of an open course the first offset of the window has no effect, and
                // lies outside the band.
                if value != 0.0 {
                    self.matrix.add(places[k], places[m], value);
                }
            }
        }
        let mut limit_rows = limits.map(|limit| combined(&rows, &limit.gradient));
        for (row, by_grip) in limit_rows.iter_mut().zip(by_grip) {
            row[window.first] += by_grip;
        }
        self.rows[i] =
            IntervalRows { places, limits: limit_rows, curvature: rows[0].map(|value| value * per_curvature) };
    }
}

/// Added to the diagonal of a fixed unknown.
const FIXING: f64 = 1e20;

impl Window {
    fn of(problem: &LapProblem, interval: usize) -> Self {
        let n = problem.stations.len();
        if problem.closed {
            let before = if interval == 0 { n - 1 } else { interval - 1 };
            let next = problem.next(interval);
            return Self { stations: [before, interval, next, problem.next(next)], first: 1, triples: [0, 1] };
        }
        let begin = interval.saturating_sub(1).min(n - 4);
        let first = interval - begin;
        Self {
            stations: std::array::from_fn(|k| begin + k),
            first,
            triples: [first.saturating_sub(1).min(1), first.min(1)],
        }
    }
}

/// Adds `weight` times a diagonal block of `local` that begins at `first`.
#[inline]
fn add_block<const N: usize>(local: &mut [[f64; LOCAL]; LOCAL], first: usize, block: &[[f64; N]; N], weight: f64) {
    for (row, block) in local[first..first + N].iter_mut().zip(block) {
        for (entry, value) in row[first..first + N].iter_mut().zip(block) {
            *entry += weight * value;
        }
    }
}

/// The weighted sum of the rows.
#[inline]
fn combined<const N: usize>(rows: &[[f64; LOCAL]; N], weights: &[f64; N]) -> [f64; LOCAL] {
    let mut sum = [0.0; LOCAL];
    for (row, weight) in rows.iter().zip(weights) {
        for (entry, value) in sum.iter_mut().zip(row) {
            *entry += weight * value;
        }
    }
    sum
}

impl IntervalDerivatives {
    /// Adds a limit with its multiplier and stiffness.
    #[inline]
    fn add_limit(&mut self, limit: &IntervalDerivatives, multiplier: f64, stiffness: f64) {
        for i in 0..ARGUMENTS {
            self.gradient[i] += multiplier * limit.gradient[i];
            for j in 0..ARGUMENTS {
                self.hessian[i][j] +=
                    multiplier * limit.hessian[i][j] + stiffness * limit.gradient[i] * limit.gradient[j];
            }
        }
    }
}

#[cfg(test)]
mod tests;
