//! OSQP, the operator-splitting solver (Stellato et al. 2020), for programs with bounds.
//!
//! ```text
//! minimise ½ xᵀ P x + qᵀ x   subject to   E l ≤ E x ≤ E u                                    (1)
//! ```
//!
//! | symbol | shape | value |
//! |---|---|---|
//! | P, q | n × n, n | as in the program, times a factor that makes the largest diagonal entry 10⁶ |
//! | E | n × n | diagonal, positive: the scales of the bounds |
//!
//! An objective of fourth order, as curvature is, has eigenvalues over eight decades. The step size
//! ρ of the splitting should be small for an unknown that is free, and large for one at its bound:
//! otherwise the long waves of the line need thousands of iterations. OSQP has one ρ for all
//! inequalities, but a row of A scaled by e acts as a step size of ρ e². Therefore every few
//! iterations the rows of the unknowns that are predicted to be at their bound (`x + y` outside the
//! bounds, as in a primal-dual active set method, Hintermüller et al. 2002) are scaled up, and the
//! others down, by a factor each time and within limits. The change is gradual, because the full
//! change at once cycles. Scales, multipliers and the set-up are kept for the next program of a
//! sequence, which is similar.
//!
//! Deviations from OSQP's defaults: no Ruiz equilibration, since the scales do its work; no
//! adaptive ρ, so that results do not depend on time; no polish, since the bounds that hold are
//! found by the scales. `docs/notes/quadratic-programs.md` compares what was tried.

use osqp::{CscMatrix, Problem, Settings, Status};
use raceline_numerics::{BoxError, BoxProgram, BoxSolution, BoxStatus};

use crate::SolveError;

/// Largest diagonal entry of P after scaling.
const LARGEST_DIAGONAL: f64 = 1e6;
/// OSQP's step size ρ for a row of scale 1.
const STEP_SIZE: f64 = 100.0;
/// OSQP's regularisation σ.
const REGULARISATION: f64 = 1e-5;
/// Largest scale of a row, and the inverse of the smallest.
const LARGEST_SCALE: f64 = 30.0;
/// Factor by which a scale changes at once.
const SCALE_CHANGE: f64 = 5.0;
/// Iterations between two changes of the scales.
const ITERATIONS: u32 = 10;
/// After every so many changes, the number of iterations between them doubles: where the prediction
/// cycles, more iterations settle it.
const DOUBLE_AFTER: usize = 20;
/// Maximum number of changes.
const MAX_CHANGES: usize = 80;
/// Largest violation of a bound, in the unit of x.
const PRIMAL_TOLERANCE: f64 = 1e-5;
/// Largest entry of the Lagrangian's gradient, with P scaled so that its largest diagonal entry is
/// 1.
const DUAL_TOLERANCE: f64 = 1e-8;
/// Tolerance of OSQP's own tests, which are not used: its residuals contain the scales.
const UNUSED_TOLERANCE: f64 = 1e-30;

/// OSQP with its state after the previous program.
#[derive(Default)]
pub(crate) struct OsqpSolver {
    kept: Option<Kept>,
}

/// Start of the next program of a sequence.
struct Kept {
    problem: Problem,
    /// Column pointers and row indices of P's upper triangle.
    pattern: Pattern,
    /// E, n entries.
    scales: Vec<f64>,
    /// Multipliers of the bounds divided by the factor of P, n entries.
    multipliers: Vec<f64>,
}

/// The structure of P's upper triangle, in compressed columns.
#[derive(Clone, PartialEq)]
struct Pattern {
    columns: Vec<usize>,
    rows: Vec<usize>,
}

impl Pattern {
    /// A band of reach 2, cyclic if the program is.
    fn of(program: &BoxProgram) -> Self {
        let n = program.q.len();
        let (mut columns, mut rows) = (vec![0], Vec::new());
        for column in 0..n {
            let wrapped = if program.p().is_ring() { (column + 3).saturating_sub(n) } else { 0 };
            rows.extend(0..wrapped);
            rows.extend(column.saturating_sub(2)..=column);
            columns.push(rows.len());
        }
        Self { columns, rows }
    }

    fn matrix(&self, program: &BoxProgram, factor: f64) -> CscMatrix<'_> {
        let n = program.q.len();
        let entries = (0..n).flat_map(|column| {
            self.rows[self.columns[column]..self.columns[column + 1]].iter().map(move |&row| (row, column))
        });
        let data: Vec<f64> = entries.map(|(row, column)| factor * program.p().get(row, column)).collect();
        CscMatrix {
            nrows: n,
            ncols: n,
            indptr: (&self.columns).into(),
            indices: (&self.rows).into(),
            data: data.into(),
        }
    }
}

/// A diagonal matrix.
fn diagonal(entries: &[f64]) -> CscMatrix<'_> {
    let n = entries.len();
    let indices: Vec<usize> = (0..n).collect();
    CscMatrix {
        nrows: n,
        ncols: n,
        indptr: (0..=n).collect::<Vec<_>>().into(),
        indices: indices.into(),
        data: entries.into(),
    }
}

fn settings() -> Settings {
    Settings::default()
        .verbose(false)
        .rho(STEP_SIZE)
        .sigma(REGULARISATION)
        .scaling(None)
        .adaptive_rho(false)
        .polish(false)
        .max_iter(ITERATIONS)
        .check_termination(None)
        .eps_abs(UNUSED_TOLERANCE)
        .eps_rel(0.0)
        .eps_prim_inf(UNUSED_TOLERANCE)
        .eps_dual_inf(UNUSED_TOLERANCE)
}

impl OsqpSolver {
    pub fn solve(&mut self, program: &BoxProgram, start: &[f64]) -> Result<BoxSolution, SolveError> {
        let largest = program.p().largest_diagonal();
        let factor = LARGEST_DIAGONAL / largest.max(f64::MIN_POSITIVE);
        let q: Vec<f64> = program.q.iter().map(|q| factor * q).collect();
        let pattern = Pattern::of(program);
        let p = pattern.matrix(program, factor);
        // OSQP would end the process or not return on such numbers.
        if !(factor.is_finite() && q.iter().chain(p.data.iter()).all(|value| value.is_finite())) {
            return Err(BoxError::NotFinite.into());
        }
        program.check_bounds()?;
        let mut kept = match self.kept.take().filter(|kept| kept.pattern == pattern) {
            Some(mut kept) => {
                kept.problem.update_lin_cost(&q);
                kept.problem.update_P(p);
                kept.problem.update_max_iter(ITERATIONS);
                kept
            }
            None => {
                let scales = vec![1.0; q.len()];
                // Equation (1).
                let problem = Problem::new(p, &q, diagonal(&scales), &program.l, &program.u, &settings())
                    .map_err(|error| SolveError::Osqp { reason: error.to_string() })?;
                Kept { problem, pattern, multipliers: vec![0.0; scales.len()], scales }
            }
        };
        let mut x = start.to_vec();
        let mut y: Vec<f64> = kept.multipliers.iter().map(|y| factor * y).collect();
        let mut solution = BoxSolution {
            x: Vec::new(),
            status: BoxStatus::OutOfIterations,
            iterations: 0,
            complementarity: f64::INFINITY,
            dual_residual: f64::INFINITY,
        };
        let mut gradient = vec![0.0; x.len()];
        for change in 0..=MAX_CHANGES {
            let Kept { problem, scales, .. } = &mut kept;
            let scaled = |values: &[f64]| -> Vec<f64> { values.iter().zip(&*scales).map(|(v, e)| v * e).collect() };
            problem.update_bounds(&scaled(&program.l), &scaled(&program.u));
            problem.warm_start(&x, &y.iter().zip(&*scales).map(|(y, e)| y / e).collect::<Vec<_>>());
            let status = problem.solve();
            solution.iterations += status.iter();
            let (Status::Solved(point) | Status::SolvedInaccurate(point) | Status::MaxIterationsReached(point)) =
                status
            else {
                return Err(SolveError::Osqp { reason: "it ended without a point".to_owned() });
            };
            x.copy_from_slice(point.x());
            y.iter_mut().zip(point.y().iter().zip(&*scales)).for_each(|(y, (scaled, e))| *y = scaled * e);
            program.p().times(&x, &mut gradient);
            let dual = gradient.iter().zip(&program.q).zip(&y).map(|((g, q), y)| (factor * (g + q) + y).abs());
            solution.dual_residual = dual.fold(0.0, f64::max) / LARGEST_DIAGONAL;
            let bounds = || x.iter().zip(program.l.iter().zip(&program.u));
            let violation = bounds().map(|(x, (l, u))| (l - x).max(x - u)).fold(0.0, f64::max);
            let slack = bounds().zip(&y).map(|((x, (l, u)), y)| if *y > 0.0 { y * (u - x) } else { y * (l - x) });
            solution.complementarity = slack.map(f64::abs).fold(0.0, f64::max) / LARGEST_DIAGONAL;
            if violation <= PRIMAL_TOLERANCE && solution.dual_residual <= DUAL_TOLERANCE {
                solution.status = BoxStatus::Solved;
                break;
            }
            if change == MAX_CHANGES {
                break;
            }
            for (i, scale) in scales.iter_mut().enumerate() {
                let predicted = x[i] + y[i];
                let is_free = (program.l[i]..=program.u[i]).contains(&predicted);
                let wanted = if is_free { *scale / SCALE_CHANGE } else { *scale * SCALE_CHANGE };
                *scale = wanted.clamp(1.0 / LARGEST_SCALE, LARGEST_SCALE);
            }
            problem.update_A(diagonal(scales));
            if (change + 1) % DOUBLE_AFTER == 0 {
                problem.update_max_iter(ITERATIONS << ((change + 1) / DOUBLE_AFTER));
            }
        }
        solution.x = bounded(&x, program);
        kept.multipliers = y.iter().map(|y| y / factor).collect();
        self.kept = Some(kept);
        Ok(solution)
    }
}

/// `x` clamped to the bounds.
fn bounded(x: &[f64], program: &BoxProgram) -> Vec<f64> {
    x.iter().zip(program.l.iter().zip(&program.u)).map(|(x, (l, u))| x.clamp(*l, *u)).collect()
}
