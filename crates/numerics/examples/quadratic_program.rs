//! Solves quadratic programs of any form by the nonlinear program's interior-point method, with
//! dense linear algebra: to see how the method does on programs that are not those of lines.
//!
//! ```text
//! minimise ½ xᵀ P x + qᵀ x   subject to   l ≤ A x ≤ u
//! ```
//!
//! Standard input holds, separated by white space: n, m, the numbers of entries of P and A, P's
//! entries (row, column, value; both triangles), q, A's entries, l, and u (infinite: beyond 1e19).
//! `benches/maros_meszaros/run` writes it. One line is printed: status, iterations,
//! factorisations, objective, largest violation of a row.

use std::io::Read;

use nalgebra::{DMatrix, DVector, Dyn, LU};
use raceline_numerics::nonlinear_program::{
    Duals, Gradient, LimitTerms, NewtonSystem, NonlinearProgram, Settings, Sides, Values, solve,
};

/// Limits of a stage; a program's rows are dealt out to the stages.
const LIMITS: usize = 4;
/// Bounds beyond this are none.
const INFINITE: f64 = 1e19;
/// Slopes of the objective are scaled so that the largest is at most this.
const LARGEST_SLOPE: f64 = 100.0;
/// Number of times that a matrix is scaled before it is factorised.
const SCALINGS: usize = 5;
/// A scaled matrix with a smaller pivot, by its largest one, is singular.
const SMALLEST_PIVOT: f64 = 1e-15;

/// The program: rows of A that are equations `rows x = sides`, and limits `rows x ≤ sides`.
struct Program {
    n: usize,
    p: DMatrix<f64>,
    q: DVector<f64>,
    equations: (DMatrix<f64>, DVector<f64>),
    limits: (DMatrix<f64>, DVector<f64>),
    stages: usize,
}

/// Gradients at a point: of the objective by stages, and the matrix P or zero.
struct At {
    slope: Vec<[f64; 1]>,
    bends: bool,
}

struct Dense {
    matrix: DMatrix<f64>,
    factors: Option<LU<f64, Dyn, Dyn>>,
    scales: DVector<f64>,
    n: usize,
    equations: usize,
}

impl NewtonSystem<1, 1> for Dense {
    fn factorise(&mut self) -> Option<usize> {
        // Rows and columns scaled alike: weights of limits spread over many decades.
        for _ in 0..SCALINGS {
            let sizes = DVector::from_iterator(self.n + self.equations, self.matrix.row_iter().map(|row| row.amax()));
            for (i, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0.0) {
                let factor = size.sqrt().recip();
                self.scales[i] *= factor;
                self.matrix.row_mut(i).scale_mut(factor);
                self.matrix.column_mut(i).scale_mut(factor);
            }
        }
        let factors = self.matrix.clone().lu();
        let pivots = factors.u().diagonal().abs();
        let is_regular = pivots.min() > SMALLEST_PIVOT * pivots.max();
        self.factors = is_regular.then_some(factors);
        // P is positive semidefinite: a regular matrix has the right inertia.
        self.factors.as_ref().map(|_| self.equations)
    }

    fn solve(&mut self, sides: &mut Sides<1, 1>) {
        let (x, y) = (sides.unknowns.as_flattened_mut(), sides.equations.as_flattened_mut());
        let mut side = DVector::zeros(self.n + self.equations);
        side.rows_mut(0, self.n).copy_from_slice(&x[..self.n]);
        side.rows_mut(self.n, self.equations).copy_from_slice(&y[..self.equations]);
        side.component_mul_assign(&self.scales);
        let known = side.clone();
        let Some(factors) = &self.factors else { return };
        factors.solve_mut(&mut side);
        // One step of refinement.
        let mut rest = &known - &self.matrix * &side;
        factors.solve_mut(&mut rest);
        side += rest;
        side.component_mul_assign(&self.scales);
        x[..self.n].copy_from_slice(side.rows(0, self.n).as_slice());
        y[..self.equations].copy_from_slice(side.rows(self.n, self.equations).as_slice());
        x[self.n..].fill(0.0);
        y[self.equations..].fill(0.0);
    }
}

impl Program {
    fn vector(&self, x: &[[f64; 1]]) -> DVector<f64> {
        DVector::from_row_slice(&x.as_flattened()[..self.n])
    }

    /// Values of stages' limits beyond the number of limits are left out.
    fn of_limits(&self, values: &[[f64; LIMITS]]) -> DVector<f64> {
        DVector::from_row_slice(&values.as_flattened()[..self.limits.1.len()])
    }

    /// The gradient of objective, equations with `prices` and limits with `multipliers`.
    fn lagrangian(&self, at: &At, prices: &[[f64; 1]], multipliers: &DVector<f64>) -> DVector<f64> {
        let prices = DVector::from_row_slice(&prices.as_flattened()[..self.equations.1.len()]);
        self.vector(&at.slope) + self.equations.0.tr_mul(&prices) + self.limits.0.tr_mul(multipliers)
    }
}

impl NonlinearProgram<1, 1, LIMITS> for Program {
    type Function = ();
    type Linearised = At;
    type System = Dense;

    fn stages(&self) -> usize {
        self.stages
    }

    fn equations(&self) -> usize {
        self.equations.1.len()
    }

    fn room(&self) -> (At, Dense) {
        let (n, equations) = (self.n, self.equations());
        let size = n + equations;
        let system =
            Dense { matrix: DMatrix::zeros(size, size), factors: None, scales: DVector::zeros(size), n, equations };
        (At { slope: vec![[0.0]; self.stages], bends: true }, system)
    }

    fn evaluate(&self, x: &[[f64; 1]], values: &mut Values<1, LIMITS>) {
        let x = self.vector(x);
        values.objective = 0.5 * x.dot(&(&self.p * &x)) + self.q.dot(&x);
        let errors = &self.equations.0 * &x - &self.equations.1;
        values.equations.as_flattened_mut()[..errors.len()].copy_from_slice(errors.as_slice());
        let limits = &self.limits.0 * &x - &self.limits.1;
        values.limits.as_flattened_mut().fill(-1.0);
        values.limits.as_flattened_mut()[..limits.len()].copy_from_slice(limits.as_slice());
    }

    fn linearise(&self, x: &[[f64; 1]], _: &Duals<1, LIMITS>, _: &[[f64; LIMITS]], at: &mut At) {
        let slope = &self.p * self.vector(x) + &self.q;
        at.slope.as_flattened_mut()[..self.n].copy_from_slice(slope.as_slice());
        at.bends = true;
    }

    fn forget_hessians(&self, at: &mut At) {
        at.bends = false;
    }

    fn gradient<'a>(&self, at: &'a At) -> Gradient<'a, 1> {
        Gradient::Objective(&at.slope)
    }

    fn stationarity(&self, _: &[[f64; 1]], at: &At, duals: &Duals<1, LIMITS>) -> f64 {
        self.lagrangian(at, &duals.prices, &self.of_limits(&duals.multipliers)).amax()
    }

    fn right_side(&self, at: &At, prices: &[[f64; 1]], limits: &LimitTerms<LIMITS>, side: &mut [[f64; 1]]) {
        let terms = |k: usize| {
            let (i, j) = (k / LIMITS, k % LIMITS);
            limits.barrier / limits.slack[i][j] + limits.weights[i][j] * limits.errors[i][j]
        };
        let push = DVector::from_fn(self.limits.1.len(), |k, _| terms(k));
        let gradient = self.lagrangian(at, prices, &push);
        side.fill([0.0]);
        side.iter_mut().zip(&gradient).for_each(|(side, slope)| *side = [-slope]);
    }

    fn limit_changes(&self, _: &At, step: &[[f64; 1]], changes: &mut [[f64; LIMITS]]) {
        let found = &self.limits.0 * self.vector(step);
        changes.as_flattened_mut().fill(0.0);
        changes.as_flattened_mut()[..found.len()].copy_from_slice(found.as_slice());
    }

    fn assemble(&self, at: &At, weights: &[[f64; LIMITS]], damping: f64, system: &mut Dense) {
        let (n, rows) = (self.n, &self.equations.0);
        let mut scaled = self.limits.0.clone();
        for (mut row, weight) in scaled.row_iter_mut().zip(&self.of_limits(weights)) {
            row *= *weight;
        }
        let mut own = self.limits.0.tr_mul(&scaled);
        if at.bends {
            own += &self.p;
        }
        (0..n).for_each(|i| own[(i, i)] += damping);
        system.scales.fill(1.0);
        system.matrix.fill(0.0);
        system.matrix.view_mut((0, 0), (n, n)).copy_from(&own);
        system.matrix.view_mut((n, 0), rows.shape()).copy_from(rows);
        system.matrix.view_mut((0, n), (n, rows.nrows())).copy_from(&rows.transpose());
    }
}

/// The numbers of the input, one after the other.
struct Numbers(std::vec::IntoIter<f64>);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0.next().unwrap_or(f64::NAN)
    }

    fn vector(&mut self, count: usize) -> DVector<f64> {
        DVector::from_fn(count, |_, _| self.next())
    }

    fn matrix(&mut self, rows: usize, columns: usize, entries: usize) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(rows, columns);
        for _ in 0..entries {
            let (row, column, value) = (self.next() as usize, self.next() as usize, self.next());
            matrix[(row, column)] += value;
        }
        matrix
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let numbers = text.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    let mut numbers = Numbers(numbers.into_iter());
    let [n, m, in_p, in_a] = std::array::from_fn(|_| numbers.next() as usize);
    let (p, q) = (numbers.matrix(n, n, in_p), numbers.vector(n));
    let (a, l, u) = (numbers.matrix(m, n, in_a), numbers.vector(m), numbers.vector(m));

    // Rows by their largest entry, the objective by its largest slope at zero.
    let (mut equations, mut limits) = (Vec::new(), Vec::new());
    for i in 0..m {
        let size = a.row(i).amax();
        if size == 0.0 {
            continue;
        }
        let row = a.row(i) / size;
        if l[i] == u[i] {
            equations.push((row, l[i] / size));
            continue;
        }
        if l[i] > -INFINITE {
            limits.push((-row.clone(), -l[i] / size));
        }
        if u[i] < INFINITE {
            limits.push((row, u[i] / size));
        }
    }
    let rows = |chosen: &[(nalgebra::RowDVector<f64>, f64)]| {
        let matrix = DMatrix::from_fn(chosen.len(), n, |i, j| chosen[i].0[j]);
        (matrix, DVector::from_fn(chosen.len(), |i, _| chosen[i].1))
    };
    let scale = (LARGEST_SLOPE / q.amax().max(p.amax()).max(f64::MIN_POSITIVE)).min(1.0);
    let stages = n.max(equations.len()).max(limits.len().div_ceil(LIMITS));
    let (equations, limits) = (rows(&equations), rows(&limits));
    let program = Program { n, p: scale * &p, q: scale * &q, equations, limits, stages };
    let settings = Settings { max_iterations: 300, last_barrier: 1e-8, ..Settings::default() };
    let found = solve(&program, vec![[0.0]; stages], None, &settings, &mut |_| {})?;
    let x = program.vector(&found.x);
    let objective = 0.5 * x.dot(&(&p * &x)) + q.dot(&x);
    let product = &a * &x;
    let beyond = |i: usize| (l[i] - product[i]).max(product[i] - u[i]) / (1.0 + product[i].abs());
    let violation = (0..m).map(beyond).fold(0.0, f64::max);
    println!("{:?} {} {} {objective:e} {violation:e}", found.status, found.iterations, found.factorisations);
    Ok(())
}
